"""The look, as pictures: fixed sizes, a frozen clock, a store of three small sessions.

After a change that is meant, look at the report of a failing run, then `pytest tests/ui/test_look.py
--snapshot-update`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from textual.pilot import Pilot

from pitree.entry.parts import registry
from pitree.pi.places import folder_name
from pitree.ui.app.app import PitreeApp
from pitree.ui.app.options import AppOptions
from pitree.ui.main.main_screen import MainScreen
from tests.support.seeing import until, until_still
from tests.support.stories import START, Story, login_story

NOW = START.timestamp() + 3 * 3600

Snapshot = Callable[..., bool]


def freeze_clocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give every class of pitree whose clock is `time.time` by default one that stands still."""
    import_module("pitree.ui.main.main_screen")
    for name, module in list(sys.modules.items()):
        if not name.startswith("pitree."):
            continue
        for made in vars(module).values():
            init = vars(made).get("__init__") if isinstance(made, type) else None
            named = getattr(init, "__kwdefaults__", None) or {}
            if time.time in named.values():
                still = {key: (lambda: NOW) if value is time.time else value for key, value in named.items()}
                monkeypatch.setattr(init, "__kwdefaults__", still)
            placed = getattr(init, "__defaults__", None) or ()
            if time.time in placed:
                still_too = tuple((lambda: NOW) if value is time.time else value for value in placed)
                monkeypatch.setattr(init, "__defaults__", still_too)


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., PitreeApp]]:
    """Makes the app over a store in which every name and time is fixed."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.delenv("NO_COLOR", raising=False)
    time.tzset()
    monkeypatch.setattr(registry, "time", SimpleNamespace(time=lambda: NOW))
    freeze_clocks(monkeypatch)
    cwd = tmp_path / "app"
    cwd.mkdir()
    folder = tmp_path / "agent" / "sessions" / folder_name(str(cwd))
    answer = "It reads `package.json`, and **nothing** else:\n\n- `name`\n- `version`\n"
    stories = {
        "login": login_story(),
        "parser": Story(-90).user("u1", "Why does the parser read files?").assistant("a1", answer),
        "names": Story(-26 * 60).user("u1", "日本語 and 👨‍👩‍👧 in a name").assistant("a1", "क्षि fits"),
    }
    for name, story in stories.items():
        story.write(folder / f"{name}.jsonl", cwd)

    def make(theme: str, opened: bool = True) -> PitreeApp:
        path = folder / "login.jsonl" if opened else None
        return PitreeApp(AppOptions(path=path, agent_dir=tmp_path / "agent", cwd=cwd, theme=theme))

    yield make
    monkeypatch.undo()
    time.tzset()


def settled(*keys: str) -> Callable[[Pilot[Any]], Awaitable[None]]:
    """Wait for the session to be shown and the list to be read, then press the keys."""

    async def run(pilot: Pilot[Any]) -> None:
        def there() -> bool:
            screen = pilot.app.screen_stack[0]
            return (
                isinstance(screen, MainScreen)
                and screen.opened is not None
                and screen.picker.selected is not None
                and screen.detail_pane.border_title not in (None, "Entry")
            )

        await until(pilot, there)
        for key in keys:
            await pilot.press(key)
        for screen in pilot.app.screen_stack:
            for blinking in screen.query("Input"):
                blinking.cursor_blink = False  # type: ignore[attr-defined]
        await until_still(pilot)

    return run


def test_wide_dark(app: Callable[..., PitreeApp], snap_compare: Snapshot) -> None:
    assert snap_compare(app("dark"), terminal_size=(140, 32), run_before=settled())


def test_wide_light_with_a_search(app: Callable[..., PitreeApp], snap_compare: Snapshot) -> None:
    keys = ("slash", *"form", "enter", "v")
    assert snap_compare(app("light"), terminal_size=(120, 30), run_before=settled(*keys))


def test_stacked(app: Callable[..., PitreeApp], snap_compare: Snapshot) -> None:
    assert snap_compare(app("dark"), terminal_size=(80, 24), run_before=settled("T"))


def test_stacked_with_the_drawer(app: Callable[..., PitreeApp], snap_compare: Snapshot) -> None:
    assert snap_compare(app("light"), terminal_size=(80, 24), run_before=settled("s"))


def test_paged(app: Callable[..., PitreeApp], snap_compare: Snapshot) -> None:
    assert snap_compare(app("dark"), terminal_size=(40, 12), run_before=settled())


def test_help(app: Callable[..., PitreeApp], snap_compare: Snapshot) -> None:
    assert snap_compare(app("dark"), terminal_size=(80, 24), run_before=settled("question_mark"))
