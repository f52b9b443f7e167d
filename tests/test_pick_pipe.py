"""`pitree --pick` where standard output, or all three streams, are files or pipes: screen, keys, status."""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from pathlib import Path

import pytest

from tests.support.pty_app import PtyApp
from tests.support.stores import encode, records
from tests.test_end_to_end import SLOW, everything, world

__all__ = ["world"]

pytestmark = pytest.mark.skipif(os.name == "nt", reason="a shell joins the pipes")


@pytest.fixture
def session(world: dict[str, str]) -> Path:
    """A session of a working directory, with a question and an answer."""
    folder = Path(world["PI_CODING_AGENT_DIR"]) / "sessions" / "--srv-app--"
    folder.mkdir(parents=True)
    path = folder / "s.jsonl"
    path.write_bytes(encode(records("s1", "/srv/app", "first question", "first answer")))
    return path


def shell(world: dict[str, str], line: str, *words: str | Path) -> PtyApp:
    """A shell in a terminal; in its line `pitree` is the program with these words."""
    program = shlex.join([sys.executable, "-m", "pitree", "--pick", *map(str, words)])
    script = line.replace("pitree", program)
    return PtyApp(["/bin/sh", "-c", script], columns=110, rows=30, env=world, cwd=Path(world["HOME"]))


@pytest.mark.parametrize(
    "line",
    [
        "pitree >told",
        "pitree | cat >told",
        "echo typed | pitree 2>wrong >told",
        "told=$(pitree); echo $told >told",
    ],
)
def test_the_screen_works_wherever_the_output_goes(world: dict[str, str], session: Path, line: str) -> None:
    before = everything(session.parent)
    with shell(world, line, session) as app:
        app.wait_for(re.compile(r"› ◆ assistant: first answer .*leaf"), SLOW)
        assert app.full_screen
        assert app.lines[0].startswith(" pitree  first question")
        assert len(app.colours) > 3
        app.send("up")
        app.wait_for(re.compile(r"› • user: first question"), SLOW)
        app.send("enter")
        app.wait_for("continue from here", SLOW)
        app.send("m")
        assert app.wait_exit(SLOW) == 0, app.picture()
        assert app.cursor_visible
        assert not app.full_screen
    told = json.loads((Path(world["HOME"]) / "told").read_bytes())
    move = {"op": "move", "entry": "00000000", "text": "first question"}
    assert told == {"session": str(session), "operations": [move]}
    assert everything(session.parent) == before


def test_statuses_and_forms(world: dict[str, str], session: Path) -> None:
    told = Path(world["HOME"]) / "told"
    for form, key, status, answer in (
        ("path", "enter", 0, f"{session}\n"),
        ("id", "enter", 0, "00000001\n"),
        ("id", "q", 0, ""),
        ("json", "escape", 130, ""),
    ):
        with shell(world, "pitree >told", session, "--format", form) as app:
            app.wait_for(re.compile(r"› ◆ assistant: first answer .*leaf"), SLOW)
            app.send(key)
            assert app.wait_exit(SLOW) == status
        assert told.read_text() == answer


def test_without_any_terminal_it_says_so(world: dict[str, str], session: Path) -> None:
    with shell(world, "setsid -w pitree </dev/null 2>wrong >told; echo status $?", session) as app:
        app.wait_for("status 1", SLOW)
    assert (Path(world["HOME"]) / "wrong").read_text() == "pitree: --pick needs a terminal\n"
    assert (Path(world["HOME"]) / "told").read_text() == ""


def test_its_options_go_together(world: dict[str, str]) -> None:
    line = f"{shlex.quote(sys.executable)} -m pitree --format id; echo status $?"
    with PtyApp(["/bin/sh", "-c", line], columns=110, rows=30, env=world, cwd=Path(world["HOME"])) as app:
        app.wait_for("status 2", SLOW)
        assert "need --pick" in app.text
