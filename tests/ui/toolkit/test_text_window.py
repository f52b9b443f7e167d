"""The windows with lines to read: the help and the notices."""

from __future__ import annotations

import pytest
from textual.app import App

from pitree.resources import styles_dir
from pitree.session.format.errors import Notice
from pitree.ui.toolkit.keys import KeyContext
from pitree.ui.toolkit.text_window import ReadingLines, ReadingWindow
from pitree.ui.windows.help_window import HelpWindow
from pitree.ui.windows.notices_window import notices_window
from tests.support.seeing import line_with, lines, text, words


class Host(App[None]):
    CSS_PATH = sorted(styles_dir().glob("*.tcss"))

    def __init__(self, window: ReadingWindow) -> None:
        super().__init__()
        self.window = window

    def on_mount(self) -> None:
        self.push_screen(self.window)


def tree_help() -> ReadingWindow:
    return HelpWindow([KeyContext.LIST, KeyContext.TREE, KeyContext.GLOBAL])


async def test_the_help_tells_the_keys_of_where_one_is() -> None:
    app = Host(tree_help())
    async with app.run_test(size=(80, 40)):
        assert "Lists" in text(app)
        assert "↑↓ k/j" in line_with(app, "Move by one row")
        assert "/" in line_with(app, "Search the full text")


async def test_typing_narrows_the_help_and_esc_clears_then_closes() -> None:
    app = Host(tree_help())
    async with app.run_test(size=(80, 40)) as pilot:
        await pilot.press(*"copy")
        assert "Copy the entry's text" in text(app)
        assert "Move by one row" not in text(app)
        await pilot.press("escape")
        assert "Move by one row" in text(app)
        await pilot.press("escape")
        assert not isinstance(app.screen, ReadingWindow)


async def test_a_search_without_hit_says_so() -> None:
    app = Host(tree_help())
    async with app.run_test(size=(80, 40)) as pilot:
        await pilot.press(*"zebra")
        assert "No matching key" in words(app)


@pytest.mark.parametrize("width", [20, 40, 60])
async def test_narrow_terminals_wrap_the_help(width: int) -> None:
    app = Host(tree_help())
    async with app.run_test(size=(width, 30)) as pilot:
        rows = app.window.query_one(ReadingLines)
        height, said = rows.size.height, ""
        for top in range(0, rows.row_count(), height):
            rows.scroll_to(y=top, animate=False)
            await pilot.pause()
            at = rows.scroll_offset.y
            said += " ".join(
                rows.render_line(row - at).text for row in range(top, min(top + height, rows.row_count()))
            )
            said += " "
        assert "Switch to the next or previous filter" in " ".join(said.split())
        assert all(len(line) <= width for line in lines(app))


async def test_a_key_keeps_its_look_where_it_has_no_column() -> None:
    app = Host(tree_help())
    app.set_class(True, "-no-color")
    async with app.run_test(size=(32, 30)):
        rows = app.window.query_one(ReadingLines)
        drawn = [list(rows.render_row(row, 28, False, True)) for row in range(rows.row_count())]
        key, what = next(row for row in drawn if len(row) == 2 and row[0].text == "↑↓ k/j")
        assert what.text.startswith("  Move by one")
        assert key.style is not None
        assert key.style.bold
        assert not (what.style and what.style.bold)


async def test_notices_name_their_lines_and_are_plain_text() -> None:
    notices = [Notice("bad-json", 1204, "not JSON: [red]{"), Notice("empty", None, "an empty file")]
    app = Host(notices_window(notices))
    async with app.run_test(size=(80, 20)):
        assert "2 notices about this file" in text(app)
        assert "line 1,204" in line_with(app, "not JSON: [red]{")
        assert "file" in line_with(app, "an empty file")
