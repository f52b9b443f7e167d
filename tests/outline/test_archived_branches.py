"""Archived branches: out of sight, counted where they hung, shown when asked for; the active path never."""

from __future__ import annotations

import pytest

from pitree.outline.filters import FilterMode
from pitree.outline.outline import Outline
from pitree.session.format.entry_type import Kind
from tests.support.forest import FakeTexts, session

TREE = "u1 a2 u3 a4 u5<a4 a6 u7<a4 a8 u9<a2 a10"
"""The trunk u1 a2; the branch u3 a4 with u5 a6 and u7 a8 below it; and the branch u9 a10 with the leaf."""


def seen(outline: Outline) -> list[str]:
    """Each row as its id and what it tells of the archive."""
    return [
        row.id + (f" +{row.away}" if row.away else "") + (f" {row.archived}" if row.archived else "")
        for row in outline.rows()
    ]


def test_a_branch_goes_with_all_below_it() -> None:
    outline = Outline(session(TREE))
    outline.set_archived({"u3"}, show=False)
    assert seen(outline) == ["u1", "a2 +6", "u9", "a10"]
    assert outline.archived_count == 6
    assert [row.guides for row in outline.rows()] == [""] * 4
    assert outline.nearest_row(7) == 1
    outline.set_archived({"u3"}, show=True)
    below = [f"{one} below" for one in ("a4", "u5", "a6", "u7", "a8")]
    assert seen(outline) == ["u1", "a2", "u9", "a10", "u3 start", *below]
    assert outline.archived_count == 0
    outline.set_archived((), show=False)
    assert len(outline) == 10


def test_branches_within_archived_ones_and_beside_them() -> None:
    outline = Outline(session(TREE))
    outline.set_archived({"u5"}, show=False)
    assert seen(outline) == ["u1", "a2", "u9", "a10", "u3", "a4 +2", "u7", "a8"]
    outline.set_archived({"u5", "u7"}, show=False)
    assert seen(outline) == ["u1", "a2", "u9", "a10", "u3", "a4 +4"]
    outline.set_archived({"u5", "u3", "nobody"}, show=False)
    assert seen(outline) == ["u1", "a2 +6", "u9", "a10"]
    assert sorted(outline.archived_from(5)) == [2, 4]
    assert outline.archived_from(7) == [2]
    assert outline.archived_from(8) == []


def test_the_branch_of_an_entry_starts_below_the_nearest_branch_point() -> None:
    outline = Outline(session(TREE))
    assert [outline.branch_start(index) for index in (0, 1, 3, 5, 9)] == [0, 0, 2, 4, 8]


@pytest.mark.parametrize("start", ["u1", "a2", "u9", "a10"])
def test_the_active_path_is_never_out_of_sight(start: str) -> None:
    outline = Outline(session(TREE))
    outline.set_archived({start}, show=False)
    assert len(outline) == 10
    assert not any(row.archived or row.away for row in outline.rows())


def test_a_leaf_that_comes_into_an_archived_branch_brings_it_back() -> None:
    growing = session(TREE)
    outline = Outline(growing)
    outline.set_archived({"u3"}, show=False)
    growing.add("u11", "a6", Kind.USER)
    outline.refresh()
    assert seen(outline) == ["u1", "a2", "u3", "a4", "u5", "a6", "u11", "u7", "a8", "u9", "a10"]
    growing.add("u12", "a10", Kind.USER)
    outline.refresh()
    assert seen(outline) == ["u1", "a2 +7", "u9", "a10", "u12"]
    growing.add("a13", "u12", Kind.ASSISTANT)
    outline.refresh()
    assert seen(outline) == ["u1", "a2 +7", "u9", "a10", "u12", "a13"]


def test_counts_are_of_rows_the_filter_shows() -> None:
    outline = Outline(session(TREE), FilterMode.USER_ONLY)
    outline.set_archived({"u3"}, show=False)
    assert seen(outline) == ["u1 +3", "u9"]
    outline.set_filter(FilterMode.DEFAULT)
    assert seen(outline) == ["u1", "a2 +6", "u9", "a10"]


def test_a_search_finds_what_is_archived() -> None:
    searched = session(TREE)
    outline = Outline(searched, texts=FakeTexts(searched.table))
    outline.set_archived({"u3"}, show=False)
    outline.set_query("u5")
    assert seen(outline) == ["u5 below"]
    outline.set_query("u5", narrow=False)
    assert len(outline) == 10
    outline.set_query("")
    assert seen(outline) == ["u1", "a2 +6", "u9", "a10"]


def test_a_branch_cut_in_the_middle_of_a_chain_and_one_without_a_parent() -> None:
    outline = Outline(session("u1 a2 u3 u4< a5"))
    outline.set_archived({"a2"}, show=False)
    assert seen(outline) == ["u4", "a5", "u1 +2"]
    outline.set_archived({"u1"}, show=False)
    assert seen(outline) == ["u4", "a5"]
    assert outline.archived_count == 3
