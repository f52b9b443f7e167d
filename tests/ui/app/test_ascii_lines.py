"""Screens without Unicode: what stands for lines, signs and letters, and when."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path

import pytest
from rich.segment import Segment
from textual.color import Color

from pitree.keys import names
from pitree.text.cells import cell_len
from pitree.ui.app.app import PitreeApp
from pitree.ui.app.ascii_lines import PlainLines, wants_plain
from pitree.ui.app.options import AppOptions
from pitree.ui.toolkit import keys
from tests.support.seeing import text, until
from tests.support.stories import login_story


@pytest.mark.parametrize(
    ("wanted", "env", "encoding", "plain"),
    [
        ("auto", {"TERM": "xterm-256color"}, "utf-8", False),
        ("auto", {}, "UTF8", False),
        ("auto", {"TERM": "linux"}, "utf-8", True),
        ("auto", {"TERM": "xterm"}, "iso8859-1", True),
        ("auto", {"TERM": "xterm"}, "no such", True),
        ("ascii", {"TERM": "xterm"}, "utf-8", True),
        ("unicode", {"TERM": "linux"}, "ascii", False),
    ],
)
def test_when_ascii_is_drawn(wanted: str, env: Mapping[str, str], encoding: str, plain: bool) -> None:
    assert wants_plain(wanted, env, encoding) is plain


def drawn(line: str, encoding: str = "utf-8") -> str:
    """A line as the filter gives it."""
    return "".join(segment.text for segment in PlainLines(encoding).apply([Segment(line)], Color(0, 0, 0)))


def test_lines_and_signs_keep_their_place() -> None:
    assert drawn("╭─ Tree ─╮│├⊟└⊞ ◆ • …") == "+- Tree -+|+-`+ @ * ~"
    assert drawn("━┏ ▸ ▾ ⚠ ›") == "=+ > v ! >"
    assert drawn("日本語 é") == "日本語 é"


@pytest.mark.parametrize("line", ["日本語 é ─ ✗", "क्षि 👨‍👩‍👧 → “ü”", "\u0301"])
def test_what_cannot_be_sent_takes_as_many_cells(line: str) -> None:
    sent = drawn(line, "iso8859-1")
    assert sent == sent.encode("iso8859-1").decode("iso8859-1")
    assert cell_len(sent) == sum(map(cell_len, line))


def test_keys_are_spelled_out_where_their_signs_cannot_be_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(names, "_spelled_out", True)
    assert keys.joined_signs(["up", "down"]) == "Up/Down"
    assert keys.joined_signs(["ctrl+left", "ctrl+right"]) == "^Left/Right"


def test_a_whole_screen_is_ascii(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(names, "_spelled_out", False)  # as it is to be again
    path = tmp_path / "s.jsonl"
    login_story().write(path, tmp_path)

    async def run() -> str:
        app = PitreeApp(AppOptions(path=path, agent_dir=tmp_path, cwd=tmp_path, lines="ascii", theme="dark"))
        async with app.run_test(size=(120, 30)) as pilot:
            await until(pilot, lambda: "assistant" in text(app), 60)
            app.report("A message")
            await pilot.press("l")
            await until(pilot, lambda: "Enter save" in text(app), 60)
            return text(app)

    shown = asyncio.run(run())
    assert shown.isascii(), sorted({sign for sign in shown if not sign.isascii()})
