"""ctrl+z gives the terminal back to the shell, and `fg` brings the screen back."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path

import pytest

from tests.support.pty_app import PtyApp

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")

BASH = shutil.which("bash")


def environment(tmp_path: Path) -> dict[str, str]:
    env = {"HOME": str(tmp_path), "PITREE_STATE_DIR": str(tmp_path / "state"), "LANG": "C.UTF-8"}
    return env | {"PITREE_CACHE_DIR": str(tmp_path / "cache"), "PATH": os.environ["PATH"], "PS1": "sh> "}


@pytest.mark.skipif(BASH is None, reason="needs a shell with job control")
def test_fault_26_ctrl_z_suspends_and_fg_brings_it_back(tmp_path: Path) -> None:
    shell = [str(BASH), "--norc", "--noprofile", "-i"]
    with PtyApp(shell, env=environment(tmp_path), columns=110, rows=30) as app:
        app.wait_for("sh>", 60)
        app.send(f"{sys.executable} -m pitree --demo", "enter")
        app.wait_for("1 of 5", 60)
        for window in (False, True):
            if window:
                app.send("?")
                app.wait_for("Lists", 60)
            app.send("ctrl-z")
            app.wait_for("Stopped", 60)
            app.wait_for(re.compile(r"sh> *$", re.M), 60)
            assert not app.full_screen
            assert app.cursor_visible
            app.send("echo $((6 * 7))x", "enter")
            app.wait_for("42x", 60)
            app.send("fg", "enter")
            app.wait_for("Lists" if window else "1 of 5", 60)
            assert app.full_screen
        app.send("escape")
        app.wait_for(lambda text: "Lists" not in text, 60)
        app.send("j")
        app.wait_for("2 of 5", 60)
        app.send("q")
        app.wait_for(lambda text: not app.full_screen, 60)
        app.send("echo left $?", "enter")
        app.wait_for("left 0", 60)


@pytest.mark.parametrize(
    ("arguments", "said"), [((), "no shell could"), (("--pick",), "while another program")]
)
def test_fault_26_where_nothing_could_wake_it_up_it_says_so(
    tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    command = [sys.executable, "-m", "pitree", "--demo", *arguments]
    with PtyApp(command, env=environment(tmp_path), columns=110, rows=30) as app:
        app.wait_for("1 of 5", 60)
        app.send("ctrl-z")
        app.wait_for(said, 60)
        app.send("ctrl-q")
        app.wait_exit(60)


def test_fault_26_ctrl_z_in_a_text_of_several_lines_takes_back(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pitree", "--demo"]
    with PtyApp(command, env=environment(tmp_path), columns=110, rows=40) as app:
        app.wait_for("1 of 5", 60)
        app.send("enter")
        app.wait_for("leaf", 60)
        app.settle()
        app.send("g", "enter")
        app.wait_for("with a summary of the old branch", 60)
        app.send("s")
        app.wait_for("Summary of the old branch", 60)
        app.send("zebra")
        app.wait_for("zebra", 60)
        app.send("ctrl-z")
        app.wait_for(lambda text: "zebra" not in text, 60)
        assert "suspended" not in app.text
