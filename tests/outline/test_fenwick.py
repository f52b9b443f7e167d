"""Row counts of blocks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitree.outline.fenwick import RowCounts


@given(
    st.lists(st.integers(1, 5), min_size=1, max_size=40),
    st.lists(st.tuples(st.integers(0, 39), st.integers(0, 3)), max_size=20),
)
def test_totals_and_places(counts: list[int], changes: list[tuple[int, int]]) -> None:
    made = RowCounts(counts)
    for slot, change in changes:
        if slot < len(counts):
            counts[slot] += change
            made.add(slot, change)
    rows = [(slot, place) for slot, count in enumerate(counts) for place in range(count)]
    assert made.total == len(rows)
    assert [made.find(row) for row in range(len(rows))] == rows
    assert [made.before(slot) for slot in range(len(counts) + 1)] == [
        sum(counts[:slot]) for slot in range(len(counts) + 1)
    ]


def test_no_rows() -> None:
    made = RowCounts()
    assert made.total == 0
    for row in (0, -1):
        with pytest.raises(IndexError):
            made.find(row)


def test_a_row_past_the_end() -> None:
    with pytest.raises(IndexError):
        RowCounts([2, 3]).find(5)
