"""Row counts of many blocks, and while they change: which block holds row N, how many rows come before."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate


class RowCounts:
    """Counts by slot with running totals (a Fenwick tree): reading and changing are logarithmic.

    Args:
        counts: rows of each slot, from the top.
    """

    def __init__(self, counts: Iterable[int] = ()) -> None:
        totals = list(accumulate(counts, initial=0))
        self.total = totals[-1]
        """Rows in all slots together."""
        # Cell i holds the sum of the slots from i less its lowest bit, up to i - 1.
        self._cells = [totals[i] - totals[i & (i - 1)] for i in range(len(totals))]
        self._highest = 1 << max(0, (len(totals) - 1).bit_length() - 1)

    def add(self, slot: int, change: int) -> None:
        """Change the count of a slot."""
        cells = self._cells
        self.total += change
        cell = slot + 1
        while cell < len(cells):
            cells[cell] += change
            cell += cell & -cell

    def before(self, slot: int) -> int:
        """Rows in the slots before this one."""
        cells = self._cells
        rows = 0
        while slot > 0:
            rows += cells[slot]
            slot &= slot - 1
        return rows

    def find(self, row: int) -> tuple[int, int]:
        """The slot that holds a row, and the row's place in it.

        Raises:
            IndexError: there is no such row.
        """
        if not 0 <= row < self.total:
            raise IndexError(row)
        cells = self._cells
        slot = 0
        step = self._highest
        while step:
            further = slot + step
            if further < len(cells) and cells[further] <= row:
                slot = further
                row -= cells[further]
            step >>= 1
        return slot, row
