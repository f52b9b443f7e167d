"""Handing the terminal to Pi, in a pseudo-terminal: where it runs, what it is told, and coming back."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.support.stores import encode, iso, records
from tests.test_end_to_end import SLOW, pitree, quit_and_check, world

__all__ = ["world"]

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Pi is played by a shell script")
NOW = 1_767_225_700_000


def play_pi(world: dict[str, str], folder: Path, says: bytes) -> Path:
    """Put a `pi` on the PATH that notes where it is and what it is told, waits for Enter, adds to the file.

    Returns:
        Where it notes.
    """
    told, line, pi = folder / "told", folder / "line", folder / "bin" / "pi"
    pi.parent.mkdir()
    line.write_bytes(says)
    pi.write_text(
        f'#!/bin/sh\nprintf "%s\\n" "$PWD" "$PI_CODING_AGENT_DIR" "$@" >"{told}"\n'
        f'echo "Pi is running"; read line; cat "{line}" >>"$2"\n'
    )
    pi.chmod(0o755)
    world["PATH"] = f"{pi.parent}:{world['PATH']}"
    return told


def session_of(world: dict[str, str], cwd: Path) -> Path:
    """A session of a working directory, with a question and an answer."""
    folder = Path(world["PI_CODING_AGENT_DIR"]) / "sessions" / "--it's some work--"
    folder.mkdir(parents=True)
    path = folder / "s.jsonl"
    path.write_bytes(encode(records("s1", str(cwd), "first question", "first answer")))
    return path


def test_pi_runs_in_the_sessions_folder_and_the_screen_comes_back(
    world: dict[str, str], tmp_path: Path
) -> None:
    cwd = tmp_path / "it's some work"
    cwd.mkdir()
    path = session_of(world, cwd)
    said = {"role": "user", "content": "said in Pi", "timestamp": NOW}
    entry = {
        "type": "message",
        "id": "eeeeeeee",
        "parentId": "00000001",
        "timestamp": iso(NOW),
        "message": said,
    }
    told = play_pi(world, tmp_path, json.dumps(entry).encode() + b"\n")
    before = path.read_bytes()
    with pitree(world, path) as app:
        app.wait_for("first answer", SLOW)
        app.send("enter")
        app.wait_for("This is the leaf", SLOW)
        app.send("p")
        app.wait_for("Pi is running", SLOW)
        assert not app.full_screen
        assert told.read_text().splitlines() == [
            str(cwd),
            world["PI_CODING_AGENT_DIR"],
            "--session",
            str(path),
        ]
        assert path.read_bytes() == before
        app.send("enter")
        app.wait_for("said in Pi", SLOW)
        assert app.full_screen
        quit_and_check(app)


def test_where_the_folder_is_gone_a_fork_into_another_is_offered(
    world: dict[str, str], tmp_path: Path
) -> None:
    path = session_of(world, tmp_path / "gone")
    told = play_pi(world, tmp_path, b"")
    other = tmp_path / "other"
    other.mkdir()
    before = path.read_bytes()
    with pitree(world, path) as app:
        app.wait_for("first answer", SLOW)
        app.send("y")
        app.wait_for("The folder is gone", SLOW)
        assert app.clipboard is None
        app.send("escape")
        app.wait_for(lambda text: "The folder is gone" not in text, SLOW)
        app.send("enter")
        app.wait_for("This is the leaf", SLOW)
        app.send("p")
        app.wait_for("The folder is gone", SLOW)
        app.send("f")
        app.wait_for("Fork into another folder", SLOW)
        for keys in ("ctrl-u", str(other), "enter"):
            app.settle()
            app.send(keys)
        app.wait_for("Forked", SLOW)
        app.send("p")
        app.wait_for("Pi is running", SLOW)
        app.send("enter")
        app.wait_for("first answer", SLOW)
        quit_and_check(app)
    where, _, _, new = told.read_text().splitlines()
    assert where == str(other)
    assert json.loads(Path(new).read_bytes().splitlines()[0])["parentSession"] == str(path)
    assert path.read_bytes() == before


def test_fault_15_where_pi_refuses_the_file_a_fork_is_offered(world: dict[str, str], tmp_path: Path) -> None:
    cwd = tmp_path / "work"
    cwd.mkdir()
    path = session_of(world, cwd)
    path.write_bytes(encode({"type": "title", "title": "My session"}) + path.read_bytes())
    before = path.read_bytes()
    play_pi(world, tmp_path, b"")
    with pitree(world, path) as app:
        app.wait_for("first answer", SLOW)
        app.send("enter")
        app.wait_for("This is the leaf", SLOW)
        app.wait_for("Pi refuses this file", SLOW)
        app.send("escape")
        app.wait_for(lambda text: "This is the leaf" not in text, SLOW)
        app.send("y")
        app.wait_for("Pi does not open it: the header is not the first record.", SLOW)
        assert app.clipboard is None
        app.send("f")
        app.wait_for("Forked", SLOW)
        app.send("p")
        app.wait_for("Pi is running", SLOW)
        app.send("enter")
        app.wait_for("first answer", SLOW)
        quit_and_check(app)
    assert path.read_bytes() == before
