"""Sessions that mean harm, in the windows of reading: nothing reaches the terminal, nothing is markup."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from pitree.session.manager.manager import SessionManager
from pitree.ui.app.app import PitreeApp
from tests.entry.export.conftest import harmful_session
from tests.entry.export.test_prose import CONTROLS
from tests.support.hostile_markdown import HOSTILE
from tests.support.records import HEADER, encode
from tests.support.seeing import until
from tests.ui.main.inspect.test_inspect import app_for, file, shown

__all__ = ["file"]
SIZE = (100, 40)
_LONE = re.compile("[\ud800-\udfff]")


def write(session: SessionManager, path: Path) -> Path:
    records = [entry.record for entry in session.get_entries()]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(_line(record) for record in [HEADER | {"cwd": "/home/me/app"}, *records]))
    return path


def _line(record: dict[str, Any]) -> bytes:
    try:
        return encode(record)
    except UnicodeEncodeError:  # a lone surrogate, which JSON writes as an escape
        from pitree.session.format.jsonl import dump

        return dump(record) + b"\n"


def harmless(app: PitreeApp) -> None:
    """What is on the screen is no wider than it, and text only."""
    for strip in app.screen._compositor.render_strips(app.size):
        assert strip.cell_length == SIZE[0]
        assert not CONTROLS.search(strip.text), strip.text
        for segment in strip:
            assert segment.style is None or segment.style.link is None
            assert segment.style is None or not segment.style.meta.get("@click")


async def front(pilot: Pilot[Any], keys: list[str], name: str) -> None:
    app: Any = pilot.app
    await pilot.press(*keys)
    await until(pilot, lambda: type(app.screen).__name__ == name)
    await pilot.pause()
    harmless(app)


@pytest.mark.parametrize("kind", HOSTILE)
async def test_windows_and_transcript(file: Path, kind: str) -> None:
    app = app_for(write(harmful_session(HOSTILE[kind]), file))
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await until(pilot, lambda: shown(app))
        harmless(app)
        await front(pilot, ["x"], "TableWindow")
        await front(pilot, ["escape", "dollar_sign"], "TableWindow")
        await front(pilot, ["escape", "E"], "ChoiceWindow")
        await front(pilot, ["escape", "i"], "MainScreen")
        await front(pilot, ["equals_sign", "up", "up", "equals_sign"], "CompareWindow")
        await front(pilot, ["escape", "t"], "MainScreen")
        screen: Any = app.screen
        screen.detail_pane.focus()
        await front(pilot, ["home"], "MainScreen")
        await front(pilot, ["pagedown", "pagedown"], "MainScreen")
