"""Settings on the screen: each does what it says from the start, and choices outlive the program."""

from __future__ import annotations

import re
from pathlib import Path

from pitree.catalog.arranging import Sort
from pitree.config import table
from pitree.config.config import load
from pitree.state.memory import Memory
from pitree.ui.picker.list_loader import ListScope
from tests.support.seeing import line_with, text, until
from tests.ui.main.test_main_screen import Store, browse, login, opened, store

__all__ = ["login", "store"]


async def test_settings_hold_from_the_start(store: Store, login: Path, config_file: Path) -> None:
    config_file.parent.mkdir()
    config_file.write_text(
        'scope = "all"\nsort = "recent"\ncolumns = ["cost", "tokens"]\nfollow = true\ndate_style = "iso"\n'
    )
    app = store.app(login, config=load())
    async with app.run_test(size=(190, 30)) as pilot:
        screen = await opened(pilot)
        await until(pilot, lambda: screen.picker.rows.sessions.shown == 1)
        assert "Sessions · all · recent" in text(app)
        assert "Tree · default · tokens, cost" in text(app)
        assert "following" in text(app)
        assert re.search(r" 10 2026-03-09 \d\d:\d\d ", line_with(app, "›"))
        await pilot.press("i")
        assert "tokens, cost" not in text(app)


async def test_scope_and_sort_outlive_the_program(store: Store, login: Path, tmp_path: Path) -> None:
    file = tmp_path / "choices.json"
    app = store.app(config=load(memory=Memory(file)), memory=Memory(file))
    async with app.run_test() as pilot:
        screen = await browse(pilot)
        await pilot.press("a", "ctrl+s")
        await until(pilot, lambda: Memory(file).get(table.SORT.name, "") == "recent", 30)
        assert screen.picker.scope is ListScope.ALL
    again = store.app(config=load(memory=Memory(file)), memory=Memory(file))
    async with again.run_test() as pilot:
        screen = await browse(pilot)
        assert (screen.picker.scope, screen.picker._wishes.sort) == (ListScope.ALL, Sort.RECENT)
        assert screen.config.held(table.SORT).source == "remembered"
