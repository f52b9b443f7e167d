"""Columns with figures beside the rows: what they say, what they cost, and that nothing gets too wide."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pitree.text.cells import cell_len
from pitree.ui.tree.tree_columns import COLUMNS, TreeColumns, figures_of
from pitree.ui.tree.tree_rows import GUTTER, MARGIN
from tests.support.seeing import line_with, lines, text, until
from tests.support.stories import Story
from tests.support.work import computing_at_most
from tests.ui.main.inspect.test_inspect import app_for, file, shown

__all__ = ["file"]


def story() -> Story:
    made = Story().user("u1", "x" * 40)
    made.assistant(
        "a1", "y", usage={"input": 5, "output": 823, "cacheRead": 12_300, "cost": {"total": 0.031}}
    )
    made.user("u2", "then").add("c1", "compaction", summary="z" * 400, firstKeptEntryId="u2", usage=None)
    return made.user("u3", "after")


def test_what_the_columns_say() -> None:
    session = story().session()
    found = [figures_of(session, index) for index in range(5)]
    assert [one.get("tokens") for one in found] == ["10", "823", "1", "100", "2"]
    assert [one.get("cost") for one in found] == [None, "$0.031", None, None, None]
    assert [one.get("context") for one in found] == [None, "13.1k", "13.1k", None, None]
    assert [one["took"] for one in found] == ["", "1 min", "", "1 min", ""]
    assert all(len(one["time"]) == 11 for one in found)


@pytest.mark.parametrize("room", range(0, 120, 7))
def test_columns_take_what_they_say_and_leave_room_for_the_text(room: int) -> None:
    session = story().session()
    columns = TreeColumns(lambda: session)
    width = columns.width(room)
    assert all(cell_len(columns.text(index, room)) == width for index in range(5))
    assert width == 0 or room - width >= 32
    assert [name for name, _ in columns.shown(200)] == [name for name, _ in COLUMNS]


def marked_story() -> Story:
    made = Story().user("u1", "修正 " + "x" * 200)
    made.assistant("a1", "y", usage={"input": 5, "output": 823, "cost": {"total": 0.031}})
    made.add("e1", "context_edit", targetId="u1", replacement={"content": "short"})
    made.add("l1", "label", targetId="u1", label="ein langes 修正 label " * 3)
    return made.add("l2", "label", targetId="a1", label="캘린더" * 30)


@pytest.mark.parametrize("size", [(60, 24), (80, 24), (100, 30), (133, 24), (200, 60)])
async def test_fault_28_long_marks_and_labels_leave_the_figures_in_their_columns(
    file: Path, size: tuple[int, int]
) -> None:
    app = app_for(marked_story().write(file))
    async with app.run_test(size=size) as pilot:
        await until(pilot, lambda: shown(app))
        screen: Any = app.screen
        rows = screen.tree_pane.rows
        await pilot.press("a", "i")
        await until(pilot, lambda: rows.columns is not None)
        for room in range(10, size[0]):
            for row in range(rows.row_count()):
                strip = rows.render_row(row, room, False, True)
                assert strip.cell_length <= room, (room, row)
                assert rows.columns is not None
                figures = rows.columns.text(rows.outline.index_at(row), max(0, room - GUTTER - MARGIN))
                assert strip.text.endswith(figures), (room, row)


def test_odd_figures_stay_in_their_columns() -> None:
    odd = {"input": 1e300, "output": 10**17, "cacheRead": float("inf"), "cost": {"total": 1e12}}
    made = Story().user("u1", "x").assistant("a1", "y", usage=odd)
    made.entries[0]["timestamp"] = "never"
    session = made.session()
    columns = TreeColumns(lambda: session)
    for index in (0, 1, 2, 99):
        assert len(columns.text(index, 100)) == columns.width(100)
    assert TreeColumns(lambda: None).text(0, 100).strip() == ""


def test_a_huge_result_is_not_read_for_its_figures() -> None:
    session = Story().user("u1", "x").tool("t1", "read", {"path": "a"}, "y" * 20_000_000).session()
    with computing_at_most(0.05):
        assert figures_of(session, 2)["tokens"] == "5M"


async def test_a_key_shows_and_hides_them(file: Path) -> None:
    app = app_for(story().write(file))
    async with app.run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: shown(app))
        before = lines(app)
        await pilot.press("i")
        await until(pilot, lambda: "time, took, tokens, cost, context" in text(app))
        assert "$0.031" in line_with(app, "assistant: y")
        assert "13.1k" in line_with(app, "user: then")
        assert all(len(line) <= 100 for line in lines(app))
        await pilot.press("i")
        await until(pilot, lambda: "tokens, cost" not in text(app))
        assert line_with(app, "user: then") == next(line for line in before if "user: then" in line)
