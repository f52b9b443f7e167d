"""What the terminal says of its ground, among the keys."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pitree.ui.app.terminal import Answers, answers
from tests.support.pty_app import PtyApp

WHITE = "\x1b]11;rgb:ffff/ffff/ffff\x1b\\"
BLACK = "\x1b]11;rgb:00/00/00\x07"


@pytest.mark.parametrize(
    ("read", "keys", "light"),
    [
        ([WHITE], "", [True]),
        ([BLACK], "", [False]),
        (["\x1b]11;rgba:f8f8/f8f8/f2f2/ffff\x07"], "", [True]),
        ([f"a{WHITE}b"], "ab", [True]),
        (["a\x1b]11;rgb:00", "00/0000/0000\x1b", "\\b"], "ab", [False]),
        (["\x1b]", "11;rgb:ffff/ffff/ffff\x07q"], "q", [True]),
        (["\x1b[A\x1b", "q"], "\x1b[A\x1bq", []),
        (["\x1b]", "q"], "\x1b]q", []),
        (["\x1b]", ""], "\x1b]", []),
        (["\x1b]11;what\x07q"], "q", []),
    ],
)
def test_answers_are_taken_out_of_the_keys(read: list[str], keys: str, light: list[bool]) -> None:
    taker = Answers()
    rest, told = "", []
    for piece in read:
        more, found = taker.take(piece)
        rest += more
        told += found
    assert (rest, told) == (keys, light)


@pytest.mark.parametrize(
    ("read", "keys", "names"),
    [
        (["\x1bP>|kitty(0.28.1)\x1b\\"], "", ["kitty(0.28.1)"]),
        (["a\x1bP", ">|ghostty 1.1.0\x1b", "\\b"], "ab", ["ghostty 1.1.0"]),
        (["\x1bP>|kit", f"ty(1.0.0)\x1b\\{WHITE}q"], "q", ["kitty(1.0.0)"]),
        ([f"{WHITE}\x1bP>|x\x1b\\"], "", ["x"]),
        (["\x1bP", ""], "\x1bP", []),
        (["\x1bP", "q"], "\x1bPq", []),
    ],
)
def test_names_are_taken_out_of_the_keys(read: list[str], keys: str, names: list[str]) -> None:
    taker = Answers()
    assert "".join(taker.take(piece)[0] for piece in read) == keys
    assert taker.names == names


def test_terminals_that_would_show_the_question_are_not_asked() -> None:
    assert not answers({"TERM": "linux"})
    assert answers({"TERM": "xterm-256color"}) is (sys.platform != "win32")


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
