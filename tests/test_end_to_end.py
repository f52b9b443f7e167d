"""Drives the real program in a pseudo-terminal: opens, moves, filters, searches, copies, gets help, quits.

Whatever is done, no session file and nothing beside it may change.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sys
from pathlib import Path

import pytest

from tests.support.pty_app import PtyApp

DATA = Path(__file__).parent / "data"
FILES = sorted(path.name for path in DATA.glob("*.jsonl"))
ROW = re.compile(r"user: |assistant: |\[(read|bash|edit|write|grep)")
SLOW = 60.0
"""Seconds that a busy machine may take."""


@pytest.fixture
def world(tmp_path: Path) -> dict[str, str]:
    """An environment in which all folders pitree knows are in the test's own folder."""
    folders = {
        "HOME": "home",
        "PI_CODING_AGENT_DIR": "agent",
        "TMPDIR": "tmp",
        "PITREE_STATE_DIR": "state",
        "PITREE_CACHE_DIR": "cache",
    }
    for name in folders.values():
        (tmp_path / name).mkdir()
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL", "PYTHONPATH") if name in os.environ}
    return {"LANG": "C.UTF-8"} | kept | {variable: str(tmp_path / name) for variable, name in folders.items()}


def everything(folder: Path) -> dict[str, tuple[str, int, int]]:
    """Name → hash, time of change and mode of every file and folder below a folder."""
    found = {}
    for path in sorted(folder.rglob("*")):
        known = path.stat()
        content = path.read_bytes() if path.is_file() else b""
        found[str(path.relative_to(folder))] = (
            hashlib.sha256(content).hexdigest(),
            known.st_mtime_ns,
            known.st_mode,
        )
    return found


def pitree(world: dict[str, str], *arguments: str | Path, columns: int = 120, rows: int = 40) -> PtyApp:
    """The program as a user starts it, away from its source."""
    command = [sys.executable, "-m", "pitree", *arguments]
    return PtyApp(command, columns=columns, rows=rows, env=world, cwd=Path(world["HOME"]))


def quit_and_check(app: PtyApp) -> None:
    """Leave by q; the terminal must be as it was."""
    app.send("q")
    assert app.wait_exit(SLOW) == 0, app.picture()
    assert app.cursor_visible
    assert not app.full_screen


def selected(text: str) -> str:
    """The rows with the cursor."""
    return "\n".join(line for line in text.splitlines() if "›" in line)


def test_demo(world: dict[str, str]) -> None:
    with pitree(world, "--demo") as app:
        app.wait_for(
            lambda text: "Sessions" in text and "leaf" in text and ROW.search(text) is not None, SLOW
        )
        assert app.full_screen
        app.send("enter")
        app.wait_for("filter", SLOW)
        app.settle()
        before = selected(app.text)
        app.send("up")
        app.wait_for(lambda text: selected(text) != before)
        for key, name in {
            "ctrl-u": "user-only",
            "ctrl-l": "labeled-only",
            "ctrl-a": "all",
            "ctrl-d": "default",
        }.items():
            app.send(key)
            app.wait_for(f"Tree · {name}")
        app.send("/")
        app.wait_for("Esc")
        app.send("login")
        app.wait_for(re.compile(r"[1-9]\d* match"))
        assert "login" in app.text
        app.send("enter")
        app.wait_for("n/N")
        app.send("n")
        app.settle()
        app.send("escape")
        app.wait_for(lambda text: re.search(r"\d match", text) is None)
        app.send("?")
        app.wait_for("Lists")
        app.send("escape")
        app.wait_for(lambda text: "Lists" not in text)
        app.send("c")
        app.wait_for(lambda _: bool(app.clipboard))
        quit_and_check(app)
    assert os.listdir(world["HOME"]) == []
    assert os.listdir(world["PI_CODING_AGENT_DIR"]) == []
    assert os.listdir(world["TMPDIR"]) == []


@pytest.mark.parametrize("name", FILES)
def test_looking_changes_nothing(world: dict[str, str], name: str) -> None:
    folder = Path(world["PI_CODING_AGENT_DIR"]) / "sessions" / "--srv-app--"
    folder.mkdir(parents=True)
    path = Path(shutil.copy2(DATA / name, folder))
    before = everything(Path(world["PI_CODING_AGENT_DIR"]))
    with pitree(world, path) as app:
        app.wait_for(lambda text: "leaf" in text and ROW.search(text) is not None, SLOW)
        for key in ("home", "end", "up", "page-up", "ctrl-left", "ctrl-left", "ctrl-right", ".", "c", "T"):
            app.send(key)
            app.settle(0.05)
        for key, mode in {
            "ctrl-a": "all",
            "ctrl-l": "labeled-only",
            "ctrl-u": "user-only",
            "ctrl-d": "default",
        }.items():
            app.send(key)
            app.wait_for(f"Tree · {mode}")
        app.send("/")
        app.wait_for("Esc")
        app.send("the")
        app.wait_for(re.compile(r"\d match|no match|No "))
        app.send("enter")
        app.settle()
        app.send("n", "N")
        app.settle()
        app.send("escape")
        app.settle()
        app.send("tab")
        app.settle()
        app.send("page-down", "end")
        app.settle()
        quit_and_check(app)
    assert everything(Path(world["PI_CODING_AGENT_DIR"])) == before
    assert os.listdir(world["HOME"]) == []


@pytest.mark.parametrize(("columns", "rows"), [(40, 12), (80, 24), (200, 60)])
def test_sizes(world: dict[str, str], columns: int, rows: int) -> None:
    with pitree(world, "--demo", columns=columns, rows=rows) as app:
        app.wait_for("Fix the login", SLOW)
        app.send("enter")
        app.wait_for(ROW, SLOW)
        app.wait_for(re.compile(r"│› .*(user|assistant|\[)"), SLOW)
        quit_and_check(app)


def test_no_session(world: dict[str, str]) -> None:
    """A file that is no session is named and left as it is."""
    notes = Path(world["HOME"]) / "notes.jsonl"
    notes.write_text('{"a": 1}\n')
    before = everything(notes.parent)
    with pitree(world, notes) as app:
        app.wait_for("notes.jsonl", SLOW)
        app.wait_for(re.compile(r"no\w* .*session"), SLOW)
        app.settle()
        app.send("escape")
        app.settle()
        app.send("q")
        app.wait_exit(SLOW)
    assert everything(notes.parent) == before


def test_ctrl_c_does_no_harm(world: dict[str, str]) -> None:
    """Pressed by habit it neither breaks the program nor leaves the demo's files behind."""
    with pitree(world, "--demo") as app:
        app.wait_for("Sessions", SLOW)
        app.send("ctrl-c")
        app.settle()
        app.send("q")
        assert app.wait_exit(SLOW) in (0, 130)
    assert os.listdir(world["TMPDIR"]) == []
