"""Who hangs on whom: hostile structures included, all in linear time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitree.session import Flag, SessionManager
from pitree.session.manager.tree import roots_and_children
from tests.support.records import message
from tests.support.work import computing_at_most, lines_run

NAMES = "abcdef"


def links(*pairs: tuple[str, str | None], **more: Any) -> SessionManager:
    return SessionManager.in_memory(entries=[message(i, p, str(n), **more) for n, (i, p) in enumerate(pairs)])


def test_a_missing_parent_makes_a_marked_root() -> None:
    session = links(("u1", None), ("a9", "zz"))
    assert list(session.table.parents) == [-1, -1]
    assert session.entry(1).flags & Flag.MISSING_PARENT
    assert session.entry(1).parent_id == "zz"
    assert [(n.kind, n.line) for n in session.notices] == [("missing-parent", 3)]
    assert "zz" in session.notices[0].message


def test_an_island_below_a_gap_stays_whole() -> None:
    session = links(("u1", None), ("a1", "u1"), ("u3", "gone"), ("a3", "u3"))
    assert list(session.table.parents) == [-1, 0, -1, 2]
    assert [entry.id for entry in session.get_branch()] == ["u3", "a3"]


def test_a_parent_that_comes_late_is_found() -> None:
    session = links(("b", "a"), ("a", None))
    assert list(session.table.parents) == [1, -1]
    assert session.notices == []
    assert session.table.structure == 1


def test_the_last_entry_with_an_id_counts() -> None:
    session = links(("a", None), ("b", "a"), ("a", None))
    assert list(session.table.parents) == [-1, 2, -1]
    assert [bool(flags & Flag.REPEATED_ID) for flags in session.table.flags] == [True, False, True]
    entry = session.get_entry("a")
    assert entry is not None
    assert entry.index == 2


def test_its_own_parent_is_a_root() -> None:
    session = links(("a", "a"), ("b", "a"))
    assert list(session.table.parents) == [-1, 0]
    assert [n.kind for n in session.notices] == ["broken-chain"]


def test_a_ring_is_cut_at_its_first_entry() -> None:
    session = links(("a", "c"), ("b", "a"), ("c", "b"), ("d", "c"))
    assert list(session.table.parents) == [-1, 0, 1, 2]
    assert [entry.id for entry in session.get_branch()] == ["a", "b", "c", "d"]
    assert [n.kind for n in session.notices] == ["broken-chain"]


@given(st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from([None, *NAMES, "zz"])), max_size=24))
def test_every_entry_is_reached_exactly_once_from_the_roots(pairs: list[tuple[str, str | None]]) -> None:
    session = links(*pairs)
    roots, children = roots_and_children(session.table)
    reached = []
    stack = list(roots)
    while stack:
        index = stack.pop()
        reached.append(index)
        stack += children.get(index, [])
    assert sorted(reached) == list(range(len(pairs)))
    for index in range(len(pairs)):
        assert len(session.branch_indexes(index)) <= len(pairs)


@given(
    st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from([None, *NAMES, "zz"])), max_size=16),
    st.integers(0, 16),
)
def test_growth_gives_the_same_tree_as_reading_at_once(pairs: list[tuple[str, str | None]], cut: int) -> None:
    whole = links(*pairs)
    parts = links(*pairs[:cut])
    # The same records, fed later, must resolve to the same parents unless a ring was cut meanwhile.
    grown = SessionManager.in_memory(entries=[message(i, p, str(n)) for n, (i, p) in enumerate(pairs[:cut])])
    for entry_id, parent in pairs[cut:]:
        grown.table.append(entry_id, parent, 0, 0, 0.0, 0, 0, 0, "")
        grown.table.settle()
    if not any(flags & Flag.BROKEN_CHAIN for flags in grown.table.flags):
        assert list(grown.table.parents) == list(whole.table.parents)
    assert len(parts.table) == min(cut, len(pairs))


SHAPES: dict[str, Callable[[int, int], tuple[str, str | None]]] = {
    "deep": lambda k, n: (str(k), str(k - 1) if k else None),
    "star": lambda k, n: (str(k), "0" if k else None),
    "one id": lambda k, n: ("x", "x"),
    "two ids": lambda k, n: ("xy"[k % 2], "yx"[k % 2]),
    "backwards": lambda k, n: (str(k), str(k + 1)),
    "ring": lambda k, n: (str(k), str((k + 1) % n)),
    "orphans": lambda k, n: (str(k), f"gone{k}"),
}


def read_shape(shape: str, n: int) -> None:
    """Read so many entries of a shape, and all that is known of the whole tree."""
    session = links(*(SHAPES[shape](k, n) for k in range(n)))
    session.get_tree()
    session.get_branch()
    session.build_context_entries()
    assert session.get_entry_count() == n


@pytest.mark.parametrize("shape", SHAPES)
def test_hostile_structures_take_linear_work(shape: str) -> None:
    few, many = (lines_run(lambda n=n: read_shape(shape, n)) for n in (500, 2_000))  # type: ignore[misc]
    assert many < 5 * few


@pytest.mark.parametrize("shape", SHAPES)
def test_hostile_structures_of_20_000_entries_are_read(shape: str) -> None:
    with computing_at_most(30):  # quadratic work inside of compiled code would be minutes
        read_shape(shape, 20_000)


def test_notices_of_a_kind_are_bounded() -> None:
    session = links(*((str(k), f"gone{k}") for k in range(1000)))
    assert len(session.notices) == 201
    assert session.notices[-1].message == "800 more of the kind missing-parent"


def test_siblings_sort_by_time_and_stay_in_order_when_equal() -> None:
    entries = [message("r", None)]
    for name, second in (("a", 5), ("b", 3), ("c", 3), ("d", 1)):
        entries.append(message(name, "r", timestamp=f"2026-01-01T00:00:0{second}.000Z"))
    session = SessionManager.in_memory(entries=entries)
    assert [node.entry.id for node in session.get_tree()[0].children] == ["d", "b", "c", "a"]


def test_siblings_without_a_readable_time_keep_their_place() -> None:
    entries = [message("r", None)] + [message(n, "r", timestamp="never") for n in "cab"]
    session = SessionManager.in_memory(entries=entries)
    assert [node.entry.id for node in session.get_tree()[0].children] == ["c", "a", "b"]
