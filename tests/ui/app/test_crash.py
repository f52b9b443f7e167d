"""The screen that ends by an error of its own: a clean terminal, a status, a line, nothing typed lost."""

from __future__ import annotations

import os
import shlex
import signal
import stat
import sys
from pathlib import Path

import pytest

from tests.support.failing import ERRORS, deep
from tests.support.living import Living
from tests.support.pty_app import PtyApp

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")

ROOT = Path(__file__).parents[3]


@pytest.fixture
def living(tmp_path: Path) -> Living:
    return Living(tmp_path)


def start(living: Living, where: str, how: str, *arguments: str, shell: str = "{}", **env: str) -> PtyApp:
    """The program with one of its functions failing, in a terminal; at first in the list of sessions."""
    command = [sys.executable, "-m", "tests.support.failing", where, how, *arguments]
    variables = {
        "HOME": str(living.cwd.parent),
        "PITREE_STATE_DIR": str(living.cwd.parent / "state"),
        "PITREE_CACHE_DIR": str(living.cwd.parent / "cache"),
        "PI_CODING_AGENT_DIR": str(living.agent),
        "PYTHONPATH": str(ROOT),
        "LANG": "C.UTF-8",
        **env,
    }
    line = f"cd {shlex.quote(str(living.cwd))} && {shell.format(shlex.join(command))}"
    return PtyApp(["/bin/sh", "-c", line], env=variables, columns=120, rows=30)


def log_of(living: Living) -> Path:
    return living.cwd.parent / "state/log/failures.log"


@pytest.mark.parametrize(
    ("where", "how", "key"),
    [
        ("pitree.ui.picker.picker:SessionPicker.action_sort", "ordinary", "ctrl-s"),  # an action
        ("pitree.ui.tree.live_tree:LiveTree.show", "recursion", "enter"),  # the handler of a message
        ("pitree.ui.main.main_screen:MainScreen.compose", "wordless", ""),
        ("pitree.ui.main.main_screen:MainScreen.on_mount", "exit", ""),
        ("pitree.ui.app.app:PitreeApp.on_mount", "ordinary", ""),
        ("pitree.ui.main.follow.following:Watcher.start", "ordinary", ""),  # a timer
        ("pitree.ui.app.theme:fitting_theme", "ordinary", ""),  # before there is a screen
        (
            "pitree.ui.app.app:PitreeApp._open_main_screen",
            "recursion",
            "",
        ),  # the worker without which nothing is
        (
            "pitree.ui.app.input_events:TerminalReader.feed",
            "ordinary",
            "",
        ),  # the thread that reads the terminal
    ],
)
def test_fault_02_a_crash_ends_cleanly_with_a_status(living: Living, where: str, how: str, key: str) -> None:
    with start(living, where, how) as app:
        if key:
            app.wait_for("text 0", 60)
            app.send(key)
        assert app.wait_exit(60) == 70, app.picture()
        shown = " ".join(app.text.split())
        assert not app.full_screen
        assert app.cursor_visible
        assert not app.is_raw
    assert shown.startswith("pitree: it crashed: ")
    assert "failures.log" in shown.replace(" ", "")
    assert "Traceback" not in shown
    log = log_of(living)
    assert "support/failing.py" in log.read_text()
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
    assert log.stat().st_size < 100_000


def test_fault_02_the_traceback_is_shown_to_who_asks_for_it(living: Living) -> None:
    with start(living, "pitree.ui.app.app:PitreeApp.on_mount", "ordinary", PITREE_DEBUG="1") as app:
        assert app.wait_exit(60) == 70
        assert "Traceback" in app.text


def test_fault_02_what_was_picked_is_not_printed_after_a_crash(living: Living, tmp_path: Path) -> None:
    picked = tmp_path / "picked"
    where = "pitree.ui.main.appearance:Appearance.action_help"
    shell = f"{{}} > {shlex.quote(str(picked))}"
    with start(living, where, "ordinary", "--pick", str(living.path), shell=shell) as app:
        app.wait_for("text 5", 60)
        app.send("l")
        app.wait_for("Label", 30)
        app.send(*"kept", "enter")
        app.wait_for("1 pending", 30)
        app.send("?")
        assert app.wait_exit(60) == 70, app.picture()
        assert "pitree: it crashed" in app.text
    assert picked.read_bytes() == b""


def test_fault_02_what_is_being_typed_is_saved(living: Living) -> None:
    with start(
        living, "pitree.ui.toolkit.line_window:LineWindow.action_save", "ordinary", str(living.path)
    ) as app:
        app.wait_for("text 5", 60)
        app.send("l")
        app.wait_for("Label", 30)
        app.send(*"half written")
        app.wait_for("half written", 30)
        app.send("enter")
        assert app.wait_exit(60) == 70, app.picture()
        shown = "".join(app.text.split())
    (typed,) = log_of(living).parent.glob("typed-*.txt")
    assert typed.read_text() == "half written\n"
    assert stat.S_IMODE(typed.stat().st_mode) == 0o600
    assert f"Thetextyouweretypingisin~/state/log/{typed.name}" in shown


@pytest.mark.parametrize("how", [*ERRORS])
@pytest.mark.parametrize(
    "where",
    [
        "pitree.ui.picker.session_rows:PickerRows.render_row",
        "pitree.ui.picker.session_preview:SessionPreview._draw",
        "pitree.ui.main.header:fit",
        "pitree.ui.toolkit.keys:fitting",
    ],
)
def test_fault_02_what_cannot_be_drawn_says_so_in_its_place(living: Living, where: str, how: str) -> None:
    if how == "exit":
        pytest.skip("ends the program, as it should")
    with start(living, where, how) as app:
        app.wait_for("Could not draw", 60)
        app.send("q")
        assert app.wait_exit(60) == 0, app.picture()
    assert "could not draw" in log_of(living).read_text()


def test_fault_01_a_signal_ends_a_screen_that_hangs(living: Living) -> None:
    with start(living, "pitree.ui.app.app:PitreeApp.action_help_quit", "hang", shell="exec {}") as app:
        app.wait_for("text 0", 60)
        app.send("ctrl-c")
        app.settle()
        os.kill(app.pid, signal.SIGTERM)
        assert app.wait_exit(60) == 128 + signal.SIGTERM, app.picture()
        assert app.text.strip() == ""
        assert app.cursor_visible
        assert not app.full_screen


def test_deep_values_exist() -> None:
    """What errors hold in these tests is too deep for who draws it."""
    with pytest.raises(RecursionError):
        repr(deep())
