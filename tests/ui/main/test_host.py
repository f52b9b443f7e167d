"""Controllers of the main screen over a small host and a real session: no app, no screen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from pitree.outline.filters import FilterMode
from pitree.pi.places import Places
from pitree.session.manager.manager import SessionManager
from pitree.ui.app.options import AppOptions
from pitree.ui.main.edit.edits import Edits
from pitree.ui.main.edit.label_edits import LabelEdits
from pitree.ui.main.host import Host
from pitree.ui.main.inspect.comparing import Comparing
from pitree.ui.main.inspect.exporting import Exporting
from pitree.ui.main.session_loading import prepare
from tests.support.stories import login_story


class FakeHost:
    """Does at once what the screen does in threads and on its loop, and notes what it reports and shows."""

    def __init__(self, path: Path, **options: Any) -> None:
        self.reports: list[str] = []
        self.windows: list[tuple[Any, Callable[[Any], Any] | None]] = []
        self.opened = prepare(path, SessionManager.open(path), FilterMode.ALL)
        self.entry_index = 0
        self.listed_session = None
        self.places = Places(str(path.parent), str(path.parent))
        self.services = self
        self.app = self
        self.options = AppOptions(cwd=path.parent, **options)

    def report(self, message: str, *, warning: bool = False, seconds: float | None = None) -> None:
        self.reports.append(message)

    def push_screen(self, screen: Any, callback: Callable[[Any], Any] | None = None) -> None:
        self.windows.append((screen, callback))

    def call_later(self, callback: Callable[..., Any], *args: Any) -> bool:
        callback(*args)
        return True

    def call_from_thread(self, callback: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        return callback(*args, **kwargs)

    def run_worker(self, work: Callable[[], object], **_: Any) -> None:
        work()

    def answer(self, result: Any) -> None:
        """Close the newest window with a result."""
        _, callback = self.windows.pop()
        assert callback is not None
        callback(result)


SHOWS = SimpleNamespace(session_grew=lambda: None, show_shelf=lambda: None, refresh_listed=lambda path: None)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "login.jsonl"
    login_story().write(file, tmp_path)
    return file


def edits_of(host: FakeHost) -> Edits:
    return Edits(cast(Host, host), SHOWS)


def test_a_label_is_asked_for_written_and_undone(path: Path) -> None:
    host = FakeHost(path)
    before = path.read_bytes()
    edits = edits_of(host)
    LabelEdits(cast(Host, host), edits).action_label()
    host.answer("here")
    entry = host.opened.session.table.ids[0]
    assert SessionManager.open(path).get_label(entry) == "here"
    edits.action_undo()
    assert SessionManager.open(path).get_label(entry) is None
    assert path.read_bytes().startswith(before)
    assert len(host.reports) == 2
    edits.action_undo()
    assert host.reports[-1] == "Nothing to undo"


def test_a_read_only_session_is_not_asked_about(path: Path) -> None:
    host = FakeHost(path, read_only=True)
    before = path.read_bytes()
    LabelEdits(cast(Host, host), edits_of(host)).action_label()
    assert host.windows == []
    assert host.reports == ["Nothing was written: pitree was started read-only"]
    assert path.read_bytes() == before


def test_an_entry_is_marked_and_the_mark_removed(path: Path) -> None:
    host = FakeHost(path)
    comparing = Comparing(cast(Host, host))
    comparing.action_compare()
    assert host.reports[-1].startswith("Marked: ")
    comparing.action_compare()
    assert host.reports[-1] == "Mark removed"


def test_without_an_entry_nothing_is_exported(path: Path) -> None:
    host = FakeHost(path)
    host.entry_index = -1
    Exporting(cast(Host, host)).action_export()
    assert host.reports == ["No entry is selected"]
    assert host.windows == []
