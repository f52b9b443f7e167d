"""Branches of a tree that the reader archived: which rows they take away, and where that is told."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Collection, Sequence

from pitree.outline.layout import RowBlock, RowLayout
from pitree.outline.segments import Segment, SegmentTree


class Archive:
    """The archived branches of one arrangement of rows.

    Args:
        tree: the segments.
        order: them in display order, each after the one it hangs on.
        starts: entries at which archived branches start.
        on_path: whether an entry lies on the path to the leaf: such a one is no start, or the branch that Pi
            continues in would be out of sight.

    Attributes:
        count: rows that are away, in all.
    """

    def __init__(
        self,
        tree: SegmentTree,
        order: Sequence[Segment],
        starts: Collection[int],
        on_path: Callable[[int], bool],
    ) -> None:
        self.count = 0
        self._tree = tree
        self._cuts: dict[int, int] = {}
        self._top: dict[int, int] = {}
        self._taken: dict[int, int] = {}
        self._at: dict[int, int] = {}
        self._homes = {tree.home[index] for index in starts if 0 <= index < tree.count}
        for index in starts:
            if 0 <= index < tree.count and not on_path(index):
                segment = tree.segment_of(index)
                position = segment.position(index)
                self._cuts[segment.number] = min(position, self._cuts.get(segment.number, position))
        if self._cuts:
            self._spread(order)

    def _spread(self, order: Sequence[Segment]) -> None:
        """Find the uppermost archived branch that each segment belongs to, by the number of its segment."""
        top = self._top
        for segment in order:
            above = top.get(segment.parent.number) if segment.parent is not None else None
            if above is not None:
                top[segment.number] = above
            elif segment.number in self._cuts:
                top[segment.number] = segment.number

    def __bool__(self) -> bool:
        return bool(self._top)

    def holds(self, index: int) -> bool:
        """Whether an entry belongs to an archived branch."""
        number = self._tree.home[index] if self._top else -1
        top = self._top.get(number)
        if top is None or top != number:
            return top is not None
        return self._tree.segment_of(index).position(index) >= self._cuts[number]

    def role_of(self, index: int) -> str:
        """`start` for the entry that an archived branch starts at, `below` for others in it, else nothing."""
        if not self.holds(index):
            return ""
        cut = self._cuts.get(self._tree.home[index])
        return "start" if cut == self._tree.segment_of(index).position(index) else "below"

    def take_from(self, rows: Sequence[array[int]]) -> list[array[int]]:
        """The rows of the segments, by number, without those of archived branches."""
        left = list(rows)
        for number, top in self._top.items():
            segment, shown = self._tree.segments[number], rows[number]
            kept = 0
            if number == top and (cut := self._cuts[number]):
                kept = _before(shown, segment, cut)
            left[number] = shown[:kept]
            self._taken[top] = self._taken.get(top, 0) + len(shown) - kept
        self.count = sum(self._taken.values())
        return left

    def changes_with(self, leaf: int, grown: Collection[int]) -> bool:
        """Whether other rows are away once the leaf is another one, and segments, by number, have grown."""
        home = self._tree.home[leaf] if leaf >= 0 else -1
        return home in self._homes or not self._top.keys().isdisjoint(grown)

    def find_places(self, layout: RowLayout) -> None:
        """Find the rows that the branches taken hung on."""
        for number, taken in self._taken.items():
            segment = self._tree.segments[number]
            block = layout.block_of(segment) or layout.above(segment)
            if block is not None:
                self._at[block.slot] = self._at.get(block.slot, 0) + taken

    def away_at(self, block: RowBlock) -> int:
        """Rows that are away and hung on the last row of a block."""
        return self._at.get(block.slot, 0)


def _before(shown: array[int], segment: Segment, position: int) -> int:
    """How many of the shown entries of a segment are before a position in it."""
    if segment.ascending:
        return bisect_left(shown, segment.entries[position])
    return len(set(shown).intersection(segment.entries[:position]))
