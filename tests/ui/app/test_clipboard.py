"""Copying: which tool is asked, and what the reader is told."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from pitree.ui.app import clipboard


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


def test_reports() -> None:
    assert clipboard.report("hello", None) == ("Copied 5 characters", False)
    assert clipboard.report("a\nb", "xclip") == ("Copied 2 lines (xclip)", False)
    words, doubtful = clipboard.report("x" * 200_000, None)
    assert doubtful
    assert "195 KB" in words
    assert clipboard.report("x" * 200_000, "pbcopy") == ("Copied 200,000 characters, 195 KB (pbcopy)", False)
