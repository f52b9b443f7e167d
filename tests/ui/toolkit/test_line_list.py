"""The list of rows: cursor, scrolling, mouse, and that only what is on screen is drawn."""

from __future__ import annotations

import pytest
from rich.segment import Segment
from textual.app import App, ComposeResult
from textual.message import Message
from textual.strip import Strip

from pitree.ui.toolkit.line_list import LineList


class Numbers(LineList):
    """Rows `row 0`, `row 1`, …; those in `headings` cannot be selected."""

    def __init__(self, count: int, headings: set[int] | None = None) -> None:
        super().__init__()
        self.count = count
        self.headings = headings or set()
        self.drawn: list[int] = []

    def row_count(self) -> int:
        return self.count

    def selectable(self, row: int) -> bool:
        return row not in self.headings

    def render_row(self, row: int, width: int, selected: bool, focused: bool) -> Strip:
        self.drawn.append(row)
        return Strip([Segment(f"{'>' if selected else ' '} row {row}")])


class Host(App[None]):
    def __init__(self, numbers: Numbers) -> None:
        super().__init__()
        self.numbers = numbers
        self.seen: list[tuple[str, int]] = []

    def compose(self) -> ComposeResult:
        yield self.numbers

    def on_mount(self) -> None:
        self.numbers.focus()

    def on_line_list_highlighted(self, message: LineList.Highlighted) -> None:
        self.seen.append(("highlighted", message.row))

    def on_line_list_chosen(self, message: LineList.Chosen) -> None:
        self.seen.append(("chosen", message.row))


def shown(numbers: Numbers) -> list[str]:
    height = numbers.size.height
    return [numbers.render_line(y).text.rstrip() for y in range(height)]


async def test_draws_only_the_rows_on_screen() -> None:
    numbers = Numbers(100_000)
    async with Host(numbers).run_test(size=(30, 10)) as pilot:
        numbers.rows_changed(0)
        await pilot.pause()
        assert shown(numbers)[:2] == ["> row 0", "  row 1"]
        assert len(set(numbers.drawn)) == 10
        numbers.move_cursor(99_999)
        await pilot.pause()
        assert shown(numbers)[-1] == "> row 99999"
        assert len(set(numbers.drawn)) < 25


@pytest.mark.parametrize(
    ("key", "start", "end"),
    [
        ("down", 5, 6),
        ("j", 5, 6),
        ("up", 5, 4),
        ("k", 5, 4),
        ("pagedown", 5, 14),
        ("right", 5, 14),
        ("pageup", 50, 41),
        ("left", 50, 41),
        ("home", 50, 0),
        ("g", 50, 0),
        ("end", 50, 99),
        ("G", 50, 99),
        ("down", 99, 0),
        ("up", 0, 99),
        ("pagedown", 97, 99),
        ("pageup", 3, 0),
    ],
)
async def test_keys_move_the_cursor_and_keep_it_in_view(key: str, start: int, end: int) -> None:
    numbers = Numbers(100)
    async with Host(numbers).run_test(size=(30, 10)) as pilot:
        numbers.rows_changed(start)
        await pilot.press(key)
        assert numbers.cursor == end
        assert f"> row {end}" in shown(numbers)


async def test_headings_are_stepped_over_and_shown_with_their_first_row() -> None:
    numbers = Numbers(40, headings={0, 5})
    async with Host(numbers).run_test(size=(30, 10)) as pilot:
        numbers.rows_changed(0)
        assert numbers.cursor == 1
        numbers.move_cursor(4)
        await pilot.press("down")
        assert numbers.cursor == 6
        await pilot.press("up")
        assert numbers.cursor == 4
        await pilot.press("end", "home")
        assert numbers.cursor == 1
        assert shown(numbers)[0] == "  row 0"


async def test_only_headings_leaves_no_cursor() -> None:
    numbers = Numbers(2, headings={0, 1})
    async with Host(numbers).run_test(size=(30, 10)) as pilot:
        numbers.rows_changed(0)
        await pilot.press("down")
        assert numbers.cursor == -1


async def test_messages_of_moving_and_choosing() -> None:
    numbers = Numbers(10)
    host = Host(numbers)
    async with host.run_test(size=(30, 10)) as pilot:
        numbers.rows_changed(0)
        await pilot.pause()
        host.seen.clear()
        await pilot.click(numbers, offset=(3, 4))
        assert host.seen == [("highlighted", 4)]
        host.seen.clear()
        await pilot.click(numbers, offset=(3, 6), times=2)
        assert host.seen == [("highlighted", 6), ("chosen", 6)]
        await pilot.click(numbers, offset=(3, 9))
        assert numbers.cursor == 9


async def test_a_newer_highlight_replaces_an_older_of_the_same_list() -> None:
    numbers, other = Numbers(3), Numbers(3)
    newer = LineList.Highlighted(numbers, 2)
    assert newer.can_replace(LineList.Highlighted(numbers, 1))
    assert not newer.can_replace(LineList.Highlighted(other, 1))
    assert not newer.can_replace(Message())


async def test_an_empty_list_has_no_cursor_and_takes_keys() -> None:
    numbers = Numbers(0)
    async with Host(numbers).run_test(size=(30, 10)) as pilot:
        numbers.rows_changed(0)
        await pilot.press("down", "end", "pageup")
        assert numbers.cursor == -1
        assert shown(numbers) == [""] * 10
        numbers.count = 3
        numbers.rows_changed()
        assert numbers.cursor == 0


async def test_rows_added_above_keep_the_cursor_at_its_height() -> None:
    numbers = Numbers(1_000)
    async with Host(numbers).run_test(size=(30, 10)) as pilot:
        numbers.rows_changed(500)
        numbers.move_cursor(496)
        await pilot.pause()
        height = numbers.cursor - numbers.scroll_offset.y
        assert height == 5
        numbers.count = 1_300
        numbers.rows_changed(796, keep_screen_row=True)
        await pilot.pause()
        assert shown(numbers)[height] == "> row 796"


async def test_fewer_rows_bring_the_cursor_back_in() -> None:
    numbers = Numbers(1_000)
    async with Host(numbers).run_test(size=(30, 10)) as pilot:
        numbers.rows_changed(900)
        numbers.count = 20
        numbers.rows_changed()
        await pilot.pause()
        assert numbers.cursor == 19
        assert shown(numbers)[-1] == "> row 19"


async def test_the_wheel_scrolls_and_leaves_the_cursor() -> None:
    numbers = Numbers(100)
    async with Host(numbers).run_test(size=(30, 10)) as pilot:
        numbers.rows_changed(0)
        numbers.scroll_down(animate=False)
        numbers.scroll_down(animate=False)
        await pilot.pause()
        assert numbers.cursor == 0
        assert shown(numbers)[0] == "  row 2"


async def test_redraw_of_one_row_draws_only_it() -> None:
    numbers = Numbers(100)
    async with Host(numbers).run_test(size=(30, 10)) as pilot:
        numbers.rows_changed(0)
        shown(numbers)
        await pilot.pause()
        numbers.drawn.clear()
        numbers.redraw([3])
        shown(numbers)
        assert numbers.drawn == [3]


async def test_no_line_is_wider_than_the_list() -> None:
    class Wide(Numbers):
        def render_row(self, row: int, width: int, selected: bool, focused: bool) -> Strip:
            return Strip([Segment("日本語" * 40)])

    numbers = Wide(30)
    async with Host(numbers).run_test(size=(31, 10)):
        numbers.rows_changed(0)
        width = numbers.scrollable_content_region.width
        assert {numbers.render_line(y).cell_length for y in range(10)} == {width}
