"""Segments: how a tree falls into chains, and how it grows."""

from __future__ import annotations

from math import nan

import pytest

from pitree.outline.segments import Segment, SegmentTree
from pitree.session.format.entry_type import Kind
from tests.support.forest import FakeSession, chain, children_of, session


def drawn(tree: SegmentTree) -> list[str]:
    """The segments, depth first in file order, as `chain of ids` with a dot for each level."""
    ids = tree.table.ids
    lines = []
    stack = [(segment, 0) for segment in reversed(tree.roots)]
    while stack:
        segment, level = stack.pop()
        lines.append("." * level + " ".join(ids[index] for index in segment.entries))
        assert all(tree.segment_of(index) is segment for index in segment.entries)
        assert all(child.parent is segment for child in segment.children)
        stack.extend((child, level + 1) for child in reversed(segment.children))
    return lines


def grown(made: FakeSession) -> tuple[SegmentTree, list[str]]:
    """The segments of a session, and they drawn."""
    tree = SegmentTree(made.table)
    tree.grow()
    return tree, drawn(tree)


def test_a_chain_is_one_segment() -> None:
    assert grown(session("u1 a2 t3 a4"))[1] == ["u1 a2 t3 a4"]


def test_a_branch_point_ends_a_segment() -> None:
    assert grown(session("u1 a2 u3 a4 u5<a2 a6"))[1] == ["u1 a2", ".u3 a4", ".u5 a6"]


def test_an_only_child_further_down_the_file_goes_on_in_the_segment() -> None:
    tree, lines = grown(session("u1 a2 u3< u4<a2 u5"))
    assert lines == ["u1 a2 u4 u5", "u3"]
    assert all(segment.ascending for segment in tree.segments)


def test_a_child_before_its_parent() -> None:
    tree, lines = grown(session("u1<u4 a2 u3< u4"))
    assert lines == ["u3 u4 u1 a2"]
    assert not tree.segments[0].ascending
    assert [tree.segments[0].position(index) for index in (2, 3, 0, 1)] == [0, 1, 2, 3]


def test_several_roots_keep_the_order_of_the_file() -> None:
    assert grown(session("u1@9 u2<@5 u3<gone@1"))[1] == ["u1", "u2", "u3"]


def test_appending_to_a_chain_touches_no_other_segment() -> None:
    made = session("u1 a2 u3<u1 a4")
    tree = SegmentTree(made.table)
    tree.grow()
    before = list(tree.segments)
    made.add("u5", "a4", Kind.USER)
    made.add("u6", "u5", Kind.USER)
    made.add("u7", "a2", Kind.USER)
    growth = tree.grow()
    assert tree.segments == before
    assert not growth.rebuilt
    assert not growth.reshaped
    assert growth.longer == {tree.home[3]: 2, tree.home[1]: 1}
    assert drawn(tree) == ["u1", ".a2 u7", ".u3 a4 u5 u6"]


def test_a_branch_from_the_middle_splits_a_segment() -> None:
    made = session("u1 a2 u3 a4")
    tree = SegmentTree(made.table)
    tree.grow()
    made.add("u5", "a2", Kind.USER)
    growth = tree.grow()
    assert growth.reshaped
    assert growth.split == {tree.home[0], tree.home[2]}
    assert drawn(tree) == ["u1 a2", ".u3 a4", ".u5"]


def test_what_is_split_off_may_still_go_back_in_the_file() -> None:
    made = session("u1<u4 a2 u3< u4")
    tree = SegmentTree(made.table)
    tree.grow()
    made.add("u5", "u3", Kind.USER)
    assert not tree.grow().rebuilt
    assert drawn(tree) == ["u3", ".u4 u1 a2", ".u5"]
    lower = tree.segment_of(0)
    assert [lower.position(index) for index in (3, 0, 1)] == [0, 1, 2]


def test_a_changed_parent_builds_anew() -> None:
    made = session("u1 a2 u3<late a4")
    tree = SegmentTree(made.table)
    tree.grow()
    assert drawn(tree) == ["u1 a2", "u3 a4"]
    made.add("late", "a2", Kind.USER)
    assert tree.grow().rebuilt
    assert drawn(tree) == ["u1 a2 late u3 a4"]


def test_growing_by_pieces_gives_what_building_at_once_gives() -> None:
    """Two writers in turn, branches from the middle, a new root."""
    notation = "u1 a2 u3 a4 u5<a2 u6<a4 u7<u5 u8<u6 u9<u7 u10<u8 u11<u3 u12<a2 u13< u14 u15<u8"
    words = notation.split()
    whole = SegmentTree(session(notation).table)
    whole.grow()
    for step in (1, 2, 3, 5):
        made = session("")
        pieces = SegmentTree(made.table)
        for start in range(0, len(words), step):
            for place in range(start, min(start + step, len(words))):
                entry_id, arrow, parent = words[place].partition("<")
                before = made.table.ids[-1] if made.table.ids else None
                made.add(entry_id, (parent or None) if arrow else before, Kind.USER, place * 1000)
            pieces.grow()
        assert drawn(pieces) == drawn(whole)


def test_many_splits_at_once() -> None:
    made = chain(400)
    tree = SegmentTree(made.table)
    tree.grow()
    for index in range(0, 400, 2):
        made.add(f"b{index}", f"n{index}", Kind.USER, settle=False)
    assert tree.grow().rebuilt
    again = SegmentTree(made.table)
    again.grow()
    assert drawn(tree) == drawn(again)


def times_of(segments: list[Segment], made: FakeSession) -> list[float]:
    return [made.table.times[segment.entries[0]] for segment in segments]


def test_children_go_by_time_and_by_place_where_times_are_equal() -> None:
    made = session("u1 u2<u1@30 u3<u1@10 u4<u1@20 u5<u1@10")
    tree = SegmentTree(made.table)
    tree.grow()
    ordered = tree.roots[0].children_by_time(made.table.times)
    assert [made.table.ids[segment.entries[0]] for segment in ordered] == ["u3", "u5", "u4", "u2"]


@pytest.mark.parametrize(
    ("times", "order"),
    [
        ([5, 4, nan, 3, 2, nan, 1], [6, 4, 3, 1, 0, 2, 5]),
        ([3, nan, 1, 2, 0], [0, 1, 4, 2, 3]),
        ([2, 1, nan, 0], [3, 1, 0, 2]),
        ([nan, 3, 2, 1], [0, 3, 2, 1]),
        ([4, 1, nan, 3, 0, 2], [4, 1, 5, 3, 0, 2]),
    ],
)
def test_unreadable_times_are_equal_to_all_others(times: list[float], order: list[int]) -> None:
    """The orders are those that Node gives for `sort((a, b) => a - b)` of these times."""
    made = session("u1")
    for place, time in enumerate(times):
        made.add(f"c{place}", "u1", Kind.USER, time)
    tree = SegmentTree(made.table)
    tree.grow()
    ordered = tree.roots[0].children_by_time(made.table.times)
    assert [made.table.ids[segment.entries[0]] for segment in ordered] == [f"c{place}" for place in order]


def test_new_children_are_ordered_in() -> None:
    made = session("u1 u2<u1@30 u3<u1@10")
    tree = SegmentTree(made.table)
    tree.grow()
    assert times_of(tree.roots[0].children_by_time(made.table.times), made) == [10_000, 30_000]
    made.add("u4", "u1", Kind.USER, 20_000)
    tree.grow()
    assert times_of(tree.roots[0].children_by_time(made.table.times), made) == [10_000, 20_000, 30_000]


def test_a_star_grows_without_looking_at_its_other_children() -> None:
    made = session("u1")
    children_of(made, "u1", (f"c{number}" for number in range(1000)))
    tree = SegmentTree(made.table)
    tree.grow()
    assert len(tree.segments) == 1001
    children_of(made, "u1", ["late"])
    growth = tree.grow()
    assert not growth.rebuilt
    assert not growth.split
    assert len(tree.segments) == 1002
