"""Copying: which tool is asked, and what the reader is told."""

from __future__ import annotations

import base64
import os
import re
import shlex
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pitree.ui.app import clipboard
from tests.support.waiting import holds


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """A folder with tools that write what they are given into a file beside them."""
    for name in ("wl-copy", "xclip", "xsel", "pbcopy"):
        tool = tmp_path / name
        tool.write_text(f'#!/bin/sh\ncat > "{tmp_path}/{name}.got"\n')
        tool.chmod(tool.stat().st_mode | stat.S_IXUSR)
    return tmp_path


def test_the_tool_of_the_running_display_is_chosen(tools: Path) -> None:
    path = {"PATH": str(tools)}
    assert clipboard.local_tool({**path, "WAYLAND_DISPLAY": "w", "DISPLAY": ":0"}, "linux") == ["wl-copy"]
    assert clipboard.local_tool({**path, "DISPLAY": ":0"}, "linux") == ["xclip", "-selection", "clipboard"]
    (tools / "xclip").unlink()
    assert clipboard.local_tool({**path, "DISPLAY": ":0"}, "linux") == ["xsel", "--clipboard", "--input"]
    assert clipboard.local_tool(path, "darwin") == ["pbcopy"]


def test_no_tool_without_a_display_or_over_ssh(tools: Path) -> None:
    path = {"PATH": str(tools)}
    assert clipboard.local_tool(path, "linux") is None
    assert clipboard.local_tool({**path, "DISPLAY": ":0", "SSH_CONNECTION": "1"}, "linux") is None
    assert clipboard.local_tool({**path, "SSH_TTY": "/dev/pts/1"}, "darwin") is None


def test_the_tool_gets_the_text_even_if_it_is_no_unicode(tools: Path) -> None:
    assert clipboard.run_tool([str(tools / "wl-copy")], "größe 日本語 \ud800")
    assert (tools / "wl-copy.got").read_text() == "größe 日本語 ?"


def test_a_tool_that_fails_or_is_gone_took_nothing(tools: Path) -> None:
    assert not clipboard.run_tool([str(tools / "nothing")], "x")
    (tools / "wl-copy").write_text("#!/bin/sh\nexit 1\n")
    assert not clipboard.run_tool([str(tools / "wl-copy")], "x")


def test_fault_13_reports_claim_no_more_than_is_known() -> None:
    assert clipboard.report("hello", []) == ("Sent 5 characters to the terminal's clipboard", False)
    assert clipboard.report("a\nb", ["xclip"]) == ("Copied 2 lines (xclip)", False)
    words, doubtful = clipboard.report("x" * 200_000, [])
    assert doubtful
    assert "195 KB" in words
    assert clipboard.report("x" * 200_000, ["pbcopy"]) == (
        "Copied 200,000 characters, 195 KB (pbcopy)",
        False,
    )
    words, doubtful = clipboard.report("hello", [], in_buffer=True)
    assert doubtful
    assert words.startswith("Copied 5 characters into tmux's buffer")


TMUX = pytest.mark.skipif(shutil.which("tmux") is None, reason="needs tmux")


@pytest.fixture
def tmux(tmp_path: Path) -> Iterator[Callable[..., str]]:
    """A tmux server with its default settings; runs commands of tmux in it."""
    server = ["tmux", "-S", str(tmp_path / "tmux"), "-f", os.devnull]
    environment = {name: value for name, value in os.environ.items() if name != "TMUX"}

    def tell(*words: str) -> str:
        return subprocess.run(
            [*server, *words], env=environment, capture_output=True, text=True, timeout=60, check=True
        ).stdout

    tell("new-session", "-d", "-x", "100", "-y", "30", "cat")
    try:
        yield tell
    finally:
        tell("kill-server")


@TMUX
@pytest.mark.parametrize("text", ["größe 日本語\n\tx\n", "x" * 200_000], ids=["short", "long"])
def test_fault_13_the_text_is_in_tmux(
    tmux: Callable[..., str], monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setenv("TMUX", tmux("display-message", "-p", "#{socket_path},#{pid},0").strip())
    assert clipboard.copy_in_tmux(text) == "clipboard"
    assert tmux("show-buffer") == text
    assert clipboard.copy_in_tmux(text, {}) == ""


def _old_tmux(folder: Path) -> Path:
    """A folder with a tmux that does not know `-w` yet."""
    folder.mkdir()
    old = folder / "tmux"
    old.write_text(
        '#!/bin/sh\ncase " $* " in *" -w "*) echo "usage: load-buffer [-b name] path" >&2; exit 1;; esac\n'
        f'exec {shutil.which("tmux")} "$@"\n'
    )
    old.chmod(0o755)
    return folder


@TMUX
def test_fault_13_an_old_tmux_takes_it_into_its_buffer(
    tmux: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMUX", tmux("display-message", "-p", "#{socket_path},#{pid},0").strip())
    monkeypatch.setenv("PATH", f"{_old_tmux(tmp_path / 'old')}:{os.environ['PATH']}")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"):
        monkeypatch.delenv(name, raising=False)
    assert clipboard.copied("größe")[0].startswith("Copied 5 characters into tmux's buffer")
    assert tmux("show-buffer") == "größe"


def test_fault_13_a_tmux_that_is_gone_took_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMUX", f"{tmp_path}/gone,1,0")
    assert clipboard.copy_in_tmux("x") == ""


def test_fault_13_gnu_screen_passes_the_sequence_on() -> None:
    text = "größe " * 100
    assert (
        clipboard.for_screen(text, {}) == clipboard.for_screen(text, {"STY": "1.x", "TMUX": "/t,1,0"}) == ""
    )
    wrapped = clipboard.for_screen(text, {"STY": "1.x"})
    pieces = re.findall(r"\x1bP(.*?)\x1b\\", wrapped, re.DOTALL)
    assert "".join(f"\x1bP{piece}\x1b\\" for piece in pieces) == wrapped
    assert "".join(pieces) == f"\x1b]52;c;{base64.b64encode(text.encode()).decode()}\a"
    assert max(map(len, pieces)) <= 256, "what the oldest screen keeps of a string"


@TMUX
def test_fault_13_copying_in_tmux_arrives_there(tmux: Callable[..., str], tmp_path: Path) -> None:
    variables = [
        f"HOME={tmp_path}",
        f"PITREE_STATE_DIR={tmp_path}/state",
        f"PITREE_CACHE_DIR={tmp_path}/cache",
    ]
    away = ["-u", "DISPLAY", "-u", "WAYLAND_DISPLAY", "-u", "PITREE_READ_ONLY"]
    command = shlex.join(["env", *away, *variables, sys.executable, "-m", "pitree", "--demo"])
    tmux("new-window", "-n", "pitree", command)

    def shows(text: str) -> Callable[[], bool]:
        return lambda: text in tmux("capture-pane", "-p", "-t", "pitree")

    assert holds(shows("Fix the login"))
    tmux("send-keys", "-t", "pitree", "Enter")
    assert holds(shows("filter"))
    tmux("send-keys", "-t", "pitree", "c")
    assert holds(shows("(tmux)")), tmux("capture-pane", "-p", "-t", "pitree")
    assert tmux("show-buffer")
