"""Which entries are shown: the filter and the query, before anything is folded."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from itertools import compress

from pitree.outline.filters import FilterMode, kind_mask
from pitree.outline.segments import Segment
from pitree.query.entries.entry_matches import both, labelled
from pitree.session.format.entry_type import Kind
from pitree.session.reading.entry_table import EntryTable
from pitree.session.reading.reader import Label


class Visibility:
    """One byte for each entry: whether the filter and the query let it show.

    Args:
        table: the entries.
        labels: entry id → label.
        mode: the filter.
        matches: one byte for each entry, whether it matches the query; None without a query. May grow.
        leaf: the leaf's index, -1 for none; a silent assistant message shows if it is the leaf.

    Attributes:
        mask: the bytes, for the entries taken by `extend` so far.
    """

    def __init__(
        self,
        table: EntryTable,
        labels: Mapping[str, Label],
        mode: FilterMode,
        hits: bytearray | None,
        leaf: int,
    ) -> None:
        self.mask = bytearray()
        self._table = table
        self._labels = labels
        self._kinds = kind_mask(mode)
        self._needs_label = mode.needs_label
        self._hits = hits
        self._leaf = leaf

    def extend(self, count: int) -> None:
        """Take the entries up to an index."""
        first = len(self.mask)
        passed = self._table.kinds[first:count].translate(self._kinds)
        if self._needs_label:
            carriers = bytearray(count - first)
            for index in labelled(self._table, self._labels, first, count):
                carriers[index - first] = 1
            passed = both(passed, carriers)
        if self._hits is not None:
            passed = both(passed, self._hits[first:count])
        self.mask += passed
        if first <= self._leaf < count:
            self.update(self._leaf)

    def move_leaf(self, leaf: int) -> list[int]:
        """Take another leaf; return the entries that are shown, or hidden, for it (no more than two)."""
        moved = [self._leaf, leaf]
        self._leaf = leaf
        return [index for index in moved if 0 <= index < len(self.mask) and self.update(index)]

    def update(self, index: int) -> bool:
        """Look again whether an entry is shown; return whether that has changed."""
        before = self.mask[index]
        self.mask[index] = self._is_shown(index)
        return before != self.mask[index]

    def count_with(self, other: bytearray) -> int:
        """How many shown entries another mask has, too."""
        return both(self.mask, other).count(1)

    def _is_shown(self, index: int) -> bool:
        kind = self._table.kinds[index]
        if kind == Kind.ASSISTANT_SILENT and index == self._leaf:
            kind = Kind.ASSISTANT
        return bool(
            self._kinds[kind]
            and (self._hits is None or self._hits[index])
            and (not self._needs_label or self._table.ids[index] in self._labels)
        )

    def rows_of(self, segment: Segment) -> array[int]:
        """The entries of a segment that are shown, in chain order; a new array."""
        entries = segment.entries
        first, last = entries[0], entries[-1]
        if not (segment.ascending and last - first + 1 == len(entries)):
            return array("i", compress(entries, map(self.mask.__getitem__, entries)))
        passed = self.mask[first : last + 1]
        if 0 not in passed:
            return entries[:]
        if 1 not in passed:
            return array("i")
        return array("i", compress(entries, passed))
