"""Marking an entry and comparing another's branch with it, on the screen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.seeing import lines, text, until, words
from tests.support.stories import Story, login_story
from tests.ui.main.inspect.test_inspect import app_for, cursor_entry, file, shown

__all__ = ["file"]


async def test_two_branches_of_a_session(file: Path) -> None:
    app = app_for(file)
    async with app.run_test(size=(120, 36), notifications=True) as pilot:
        await until(pilot, lambda: shown(app))
        screen: Any = app.screen
        await pilot.press("equals_sign")
        await until(pilot, lambda: "Marked: user: Thanks" in words(app))
        screen.tree_pane.go_to(screen.opened.session.table.by_id["a3"])
        await pilot.press("equals_sign")
        await until(pilot, lambda: "Comparison" in text(app))
        assert "they diverge after assistant: Created the form. Next: validation" in words(app)
        for left, right in (
            ("Use TypeScript ", "Actually use JavaScript "),
            ("Converted to TS ", "Converted to JS "),
        ):
            assert any(left in line and right in line for line in lines(app))
        await pilot.press("home", "left", "enter")
        await until(pilot, lambda: cursor_entry(app) == "u3")
        await pilot.press(*"..", "equals_sign")
        await until(pilot, lambda: "Mark removed" in words(app))


async def test_branches_of_two_sessions(file: Path) -> None:
    other = (
        Story()
        .user("x1", "Add a login form")
        .assistant("x2", "[bold]No[/] \x1b[2J")
        .write(file.with_name("other.jsonl"))
    )
    app = app_for(file)
    async with app.run_test(size=(120, 36), notifications=True) as pilot:
        await until(pilot, lambda: shown(app))
        screen: Any = app.screen
        await pilot.press("equals_sign")
        screen.open_path(other)
        await until(pilot, lambda: shown(app) and screen.opened.path == other)
        await pilot.press("equals_sign")
        await until(pilot, lambda: "Comparison" in text(app))
        assert "they have no entry in common" in words(app)
        assert "[bold]No[/] ␛" in text(app)
        await pilot.press("home", "left", "enter")
        await until(pilot, lambda: shown(app) and screen.opened.path == file and cursor_entry(app) == "u1")


async def test_a_mark_in_a_session_that_is_gone(file: Path) -> None:
    other = Story().user("x1", "hello").write(file.with_name("other.jsonl"))
    app = app_for(other)
    async with app.run_test(size=(120, 36), notifications=True) as pilot:
        await until(pilot, lambda: shown(app))
        screen: Any = app.screen
        await pilot.press("equals_sign")
        screen.open_path(file)
        await until(pilot, lambda: shown(app) and screen.opened.path == file)
        other.unlink()
        await pilot.press("equals_sign")
        await until(pilot, lambda: any("other.jsonl" in told.message for told in app._notifications))
        assert "Comparison" not in text(app)
        await pilot.press("equals_sign")
        await until(pilot, lambda: "Marked: user: Thanks" in words(app))


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (160, 45)])
async def test_no_line_is_wider_than_the_screen(file: Path, size: tuple[int, int]) -> None:
    story = (
        login_story()
        .user("wide", "日本語 " * 40, parent="a2")
        .assistant("w2", "Z" + "\u0301" * 1_000 + " 🤷🏽‍♀️" * 60)
    )
    app = app_for(story.write(file))
    async with app.run_test(size=size) as pilot:
        await until(pilot, lambda: shown(app))
        screen: Any = app.screen
        await pilot.press("equals_sign")
        screen.tree_pane.go_to(screen.opened.session.table.by_id["a3"])
        await pilot.press("equals_sign")
        await until(pilot, lambda: "Comparison" in text(app))
        for line in app.screen._compositor.render_strips(app.size):
            assert line.cell_length == size[0]
        assert any("日本語" in line for line in lines(app))
