"""Handing the terminal to Pi, in a pseudo-terminal: where it runs, what it is told, and coming back."""

from __future__ import annotations

import json
import os
import re
import signal
from pathlib import Path

import pytest

from pitree.session.manager.manager import SessionManager
from tests.support.processes import ended
from tests.support.pty_app import PtyApp
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


def session_of(world: dict[str, str], cwd: Path, *says: str) -> Path:
    """A session of a working directory, by default with a question and an answer."""
    folder = Path(world["PI_CODING_AGENT_DIR"]) / "sessions" / "--it's some work--"
    folder.mkdir(parents=True)
    path = folder / "s.jsonl"
    path.write_bytes(encode(records("s1", str(cwd), *(says or ("first question", "first answer")))))
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
        app.wait_for("Pi refuses it: the header is not the first record.", SLOW)
        assert app.clipboard is None
        app.send("f")
        app.wait_for("Forked", SLOW)
        app.send("p")
        app.wait_for("Pi is running", SLOW)
        app.send("enter")
        app.wait_for("first answer", SLOW)
        quit_and_check(app)
    assert path.read_bytes() == before


LATER = ("before", "an answer", "QUESTION", "the last answer")
"""What is said in a session whose second question is to be sent again; it stands for some text."""


def ask_again(app: PtyApp, key: str) -> None:
    """Choose what to do with the second question, from the leaf below it."""
    app.wait_for("the last answer", SLOW)
    app.settle()
    app.send("up")
    app.settle()
    app.send("enter")
    app.wait_for("Edit and resend", SLOW)
    app.send(key)


CANNOT = {
    "a NUL in it": ("a\0b", "contains a NUL character"),
    "too long": ("x" * 200_000, "is too long to pass on"),
    "a file of Pi": ("@secret.txt explain", "starts with @"),
    "a command of Pi": ("/compact now", "starts with /"),
}


@pytest.mark.parametrize("case", CANNOT)
def test_fault_05_what_pi_cannot_be_given_is_offered_for_pasting(
    world: dict[str, str], tmp_path: Path, case: str
) -> None:
    text, reason = CANNOT[case]
    path = session_of(world, tmp_path, *(text if said == "QUESTION" else said for said in LATER))
    told = play_pi(world, tmp_path, b"")
    before = path.read_bytes()
    with pitree(world, path) as app:
        ask_again(app, "p")
        app.wait_for(re.compile(re.escape(reason).replace("\\ ", r"[\s│]+")), SLOW)
        app.send("escape")
        app.wait_for(lambda shown: "Text to paste" not in shown, SLOW)
        assert (path.read_bytes(), app.clipboard, told.exists()) == (before, None, False)
        app.send("enter")
        app.wait_for("Edit and resend", SLOW)
        app.send("p")
        app.wait_for("Text to paste", SLOW)
        app.send("enter")
        app.wait_for("Pi is running", SLOW)
        assert app.clipboard == text
        assert told.read_text().splitlines()[2:] == ["--session", str(path)]
        app.send("enter")
        app.wait_for("leaf", SLOW)
        quit_and_check(app)
    assert SessionManager.open(path).get_branch()[-1].parent_id == "00000001"


@pytest.mark.parametrize("text", ["--help", "-p no", "!ls", "$(touch x)", "two\nlines", " @a", "größe"])
def test_fault_06_what_pi_reads_as_text_arrives_as_it_was_written(
    world: dict[str, str], tmp_path: Path, text: str
) -> None:
    path = session_of(world, tmp_path, *(text if said == "QUESTION" else said for said in LATER))
    told = play_pi(world, tmp_path, b"")
    with pitree(world, path) as app:
        ask_again(app, "p")
        app.wait_for("Pi is running", SLOW)
        assert told.read_text().split("\n", 2)[2] == f"--session\n{path}\n--\n{text}\n"
        app.send("enter")
        app.wait_for("leaf", SLOW)
        quit_and_check(app)


@pytest.mark.parametrize(
    ("script", "says"),
    [
        ("#!/bin/sh\necho cannot; exit 3\n", "Pi ended with status 3"),
        ("#!/bin/sh\nstty raw -echo; kill -9 $$\n", "Pi was ended by SIGKILL"),
        ("#!/nonexistent/interpreter\n", "Pi could not be started"),
    ],
)
def test_fault_05_a_pi_that_does_not_start_leaves_screen_and_leaf_as_they_were(
    world: dict[str, str], tmp_path: Path, script: str, says: str
) -> None:
    path = session_of(world, tmp_path, *LATER)
    play_pi(world, tmp_path, b"")
    (tmp_path / "bin" / "pi").write_text(script)
    leaf = SessionManager.open(path).get_leaf_id()
    with pitree(world, path) as app:
        ask_again(app, "p")
        if "exit" in script:
            app.wait_for("Press Enter to return to pitree", SLOW)
            assert "cannot" in app.text
            app.send("enter")
        app.wait_for(says, SLOW)
        app.wait_for("Undone: leaf moved", SLOW)
        assert app.full_screen
        assert app.is_raw
        assert SessionManager.open(path).get_branch()[-1].parent_id == leaf
        quit_and_check(app)
        assert not app.is_raw


def test_fault_02_bytes_that_are_not_utf_8_before_the_enter_that_goes_back(
    world: dict[str, str], tmp_path: Path
) -> None:
    path = session_of(world, tmp_path, *LATER)
    play_pi(world, tmp_path, b"")
    (tmp_path / "bin" / "pi").write_text("#!/bin/sh\nexit 3\n")
    world["PYTHONIOENCODING"] = "utf-8:strict"  # as in most locales; that of the tests is lenient
    with pitree(world, path) as app:
        ask_again(app, "p")
        app.wait_for("Press Enter to return to pitree", SLOW)
        app.send_bytes(b"\xe9\n")
        app.wait_for("Undone: leaf moved", SLOW)
        assert app.full_screen
        quit_and_check(app)


def test_fault_05_without_pi_the_leaf_stays(world: dict[str, str], tmp_path: Path) -> None:
    path = session_of(world, tmp_path, *LATER)
    world["PATH"] = str(tmp_path / "nothing")
    before = path.read_bytes()
    with pitree(world, path) as app:
        ask_again(app, "p")
        app.wait_for("pi is not on the PATH, so the leaf was not moved", SLOW)
        quit_and_check(app)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("editor", "says"),
    [
        ("/nonexistent/editor --wait", "was not found"),
        ("false", "ended with status 1"),
        ("sh -c 'kill -9 $$'", "was ended by SIGKILL"),
    ],
)
def test_fault_05_an_editor_that_fails_gives_the_screen_back(
    world: dict[str, str], tmp_path: Path, editor: str, says: str
) -> None:
    path = session_of(world, tmp_path)
    (tmp_path / "there.py").write_text("x = 1\n")
    call = {"type": "toolCall", "id": "t", "name": "read", "arguments": {"path": "there.py"}}
    said = {"role": "assistant", "content": [call], "timestamp": NOW}
    answer = {"role": "toolResult", "toolCallId": "t", "toolName": "read", "content": [], "timestamp": NOW}
    with path.open("ab") as file:
        for place, message in ((2, said), (3, answer)):
            ids = {"id": f"{place:08x}", "parentId": f"{place - 1:08x}", "timestamp": iso(NOW)}
            file.write(encode([{"type": "message", **ids, "message": message}]))
    with pitree({**world, "EDITOR": editor}, path) as app:
        app.wait_for("there.py", SLOW)
        app.settle()
        app.send("tab")
        app.settle()
        app.send("O")
        app.wait_for(says, SLOW)
        assert app.full_screen
        assert app.is_raw
        app.send("?")
        app.wait_for("Scroll by a line", SLOW)
        app.send("escape")
        app.wait_for(lambda text: "Scroll by a line" not in text, SLOW)
        quit_and_check(app)


def test_fault_08_moving_all_the_same_still_starts_pi(world: dict[str, str], tmp_path: Path) -> None:
    path = session_of(world, tmp_path, *LATER)
    told = play_pi(world, tmp_path, b"")
    with pitree(world, path) as app:
        ask_again(app, "escape")
        app.wait_for(lambda text: "Edit and resend" not in text, SLOW)
        app.send("enter")
        app.wait_for("Edit and resend", SLOW)
        said = {"role": "user", "content": "said meanwhile", "timestamp": NOW}
        ids = {"id": "eeeeeeee", "parentId": "00000003", "timestamp": iso(NOW)}
        with path.open("ab") as file:
            file.write(encode([{"type": "message", **ids, "message": said}]))
        grown = path.read_bytes()
        app.send("p")
        app.wait_for("Nothing was written", SLOW)
        assert path.read_bytes() == grown
        app.send("m")
        app.wait_for("Pi is running", SLOW)
        assert told.read_text().split("\n", 2)[2] == f"--session\n{path}\n--\nQUESTION\n"
        assert SessionManager.open(path).get_branch()[-1].parent_id == "00000001"
        assert path.read_bytes().startswith(grown)
        app.send("enter")
        app.wait_for("leaf", SLOW)
        quit_and_check(app)


@pytest.mark.parametrize("ending", ["ctrl-q", "SIGTERM"])
def test_fault_11_leaving_ends_a_pi_that_writes_a_summary(
    world: dict[str, str], tmp_path: Path, ending: str
) -> None:
    path = session_of(world, tmp_path, *LATER)
    play_pi(world, tmp_path, b"")
    number = tmp_path / "number"
    # Neither it nor what it started ends by itself, nor when it is asked to.
    (tmp_path / "bin" / "pi").write_text(
        "#!/bin/sh\ntrap '' TERM\nsleep 3600 &\n"
        f"echo $! >{number}.new; mv {number}.new {number}\nwait; wait\n"
    )
    before = path.read_bytes()
    with pitree(world, path) as app:
        ask_again(app, "s")
        app.wait_for("Summary of the old branch", SLOW)
        app.send("ctrl-g")
        app.wait_for("Pi is writing the summary", SLOW)
        app.wait_for(lambda _: number.exists(), SLOW)
        if ending == "SIGTERM":
            os.kill(app.pid, signal.SIGTERM)
            assert app.wait_exit(SLOW) == 128 + signal.SIGTERM
        else:
            app.send(ending)
            assert app.wait_exit(SLOW) == 0
        assert app.cursor_visible
        assert not app.full_screen
    assert ended(int(number.read_text()))
    assert path.read_bytes() == before
