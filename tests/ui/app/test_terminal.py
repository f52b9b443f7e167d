"""The real program on a terminal that sends what terminals send, and what they should not."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from pitree.ui.app.terminal_answers import ASK_GROUND, ASK_NAME, questions
from tests.support.pty_app import PtyApp

WHITE = "\x1b]11;rgb:ffff/ffff/ffff\x1b\\"


def test_terminals_that_would_show_the_question_are_not_asked() -> None:
    assert not questions({"TERM": "linux"})
    assert questions({"TERM": "xterm-256color"}) == ASK_GROUND
    assert questions({"TERM": "xterm-kitty"}) == ASK_GROUND + ASK_NAME


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_the_screen_takes_the_colours_of_the_ground(tmp_path: Path) -> None:
    env = {"HOME": str(tmp_path), "PITREE_STATE_DIR": str(tmp_path / "state"), "LANG": "C.UTF-8"}
    command = [sys.executable, "-m", "pitree", "--session-dir", str(tmp_path)]
    with PtyApp(command, env=env, cwd=tmp_path) as app:
        app.wait_for("Sessions", 60)
        app.send(WHITE[:9])
        app.send(WHITE[9:] + "?")
        app.wait_for("Keys", 60)
        app.send("escape")
        app.wait_for(lambda text: app.ground(0, 1).startswith("e9"), 60)
        assert "rgb" not in app.text


def demo(tmp_path: Path, *arguments: str, **variables: str) -> PtyApp:
    """The demo, in a terminal of its own."""
    env = {"HOME": str(tmp_path), "PITREE_STATE_DIR": str(tmp_path / "state"), "LANG": "C.UTF-8"}
    env |= {"PITREE_CACHE_DIR": str(tmp_path / "cache"), **variables}
    command = [sys.executable, "-m", "pitree", "--demo", *arguments]
    return PtyApp(command, columns=120, rows=35, env=env)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_fault_02_bytes_that_are_not_utf_8_while_a_label_is_typed(tmp_path: Path) -> None:
    with demo(tmp_path) as app:
        app.wait_for("Fix the login", 60)
        app.send("enter")
        app.wait_for("leaf", 60)
        app.send("l")
        app.wait_for("⏎ save", 60)
        app.send_bytes(b"caf\xe9 \xc3")
        app.wait_for("caf� �", 60)
        app.send("!", "escape")
        app.wait_for(lambda text: "⏎ save" not in text, 60)
        app.send("q")
        assert app.wait_exit(60) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_fault_03_no_form_of_a_key_ends_the_program(tmp_path: Path) -> None:
    with demo(tmp_path, PITREE_KEYS="pi") as app:
        app.wait_for("Fix the login", 60)
        app.send("enter")
        app.wait_for(re.compile("Tree · default .* ◆ ", re.S), 60)
        app.send("\x1b[97;1:3u", "\x1b[1114112;1u", "\x1b[<0;99999;99999M", "\x1b[99999999;1R")
        app.send("\x1b[1077::116;5u")  # ctrl+t on a Cyrillic layout
        app.wait_for("Tree · no-tools", 60)
        app.send("\x1b[113;5u")
        assert app.wait_exit(60) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize(
    "variables", [{}, {"SSH_CONNECTION": "10.0.0.1 5 10.0.0.2 22"}], ids=["local", "ssh"]
)
def test_fault_04_a_torn_arrow_moves(tmp_path: Path, variables: dict[str, str]) -> None:
    with demo(tmp_path, **variables) as app:
        app.wait_for("1 of 5", 60)
        app.send_torn("\x1b", "[B", seconds=0.08)
        app.wait_for("2 of 5", 60)
        app.send_torn("\x1b", "[A", seconds=1.0)  # longer than any wait for the rest
        app.send("j")
        app.wait_for("3 of 5", 60)
        assert "rchived" not in app.text
