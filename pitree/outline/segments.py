"""A session's tree as segments: chains of only children. Sessions are long chains with few branch points.

Order, indents, folds and paths depend on segments alone, so work on them costs what the branch points cost,
and what is left to do for each entry is done by array operations.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import compress
from operator import ne

from pitree.session.reading.entry_table import EntryTable

_AT_A_TIME = 100_000
"""Entries gone through in one operation, during which no other thread has the interpreter."""

_MANY_SPLITS = 32
"""Splits in one growth from which on building again is cheaper."""


class Segment:
    """A longest chain of entries in which each is the only child of the one before.

    Attributes:
        number: place in `SegmentTree.segments`; stays as long as the tree is not rebuilt.
        entries: entry indexes, from the one nearest the root down.
        parent: the segment whose last entry is the parent of the first one here; None for a root.
        children: segments that hang on the last entry, in file order; never exactly one.
        ascending: whether `entries` ascend; they do unless a parent comes later in the file than its child.
    """

    __slots__ = ("_by_time", "ascending", "children", "entries", "number", "parent")

    def __init__(self, number: int, entries: array[int], parent: Segment | None) -> None:
        self.number = number
        self.entries = entries
        self.parent = parent
        self.children: list[Segment] = []
        self.ascending = True
        self._by_time: list[Segment] | None = None

    def position(self, index: int) -> int:
        """Where in the chain an entry of this segment is."""
        return place(self.entries, index, self.ascending)

    def add_child(self, child: Segment) -> None:
        """Hang a segment on the last entry, behind its siblings in file order."""
        self.children.append(child)
        self._by_time = None

    def children_by_time(self, times: array[float]) -> list[Segment]:
        """Child segments, oldest first (see `by_time`)."""
        if self._by_time is None:
            self._by_time = by_time(self.children, times)
        return self._by_time


def place(entries: array[int], index: int, ascending: bool) -> int:
    """Where an entry is, or belongs, in a chain or a part of one."""
    if ascending:
        return bisect_left(entries, index)
    try:
        return entries.index(index)
    except ValueError:
        return len(entries)


def by_time(siblings: list[Segment], times: array[float]) -> list[Segment]:
    """Siblings by the time of their first entry, oldest first, stable.

    As in Pi, a time that cannot be read is neither before nor after any other. (What that makes of a list is
    up to the sorting method; JavaScript's and Python's are the same one and only ask "is it less", so nan
    does here what it does there.)
    """
    ordered = sorted(siblings, key=lambda segment: times[segment.entries[0]])
    return siblings if ordered == siblings else ordered


@dataclass(slots=True)
class Growth:
    """What `SegmentTree.grow` changed.

    Attributes:
        rebuilt: everything: the old segments are gone.
        reshaped: there are new segments, or some were split.
        first: index of the first new entry.
        longer: number of a segment with new entries at its end → position of the first of these.
        split: numbers of segments that lost their lower part to another, and of those others.
    """

    rebuilt: bool = False
    reshaped: bool = False
    first: int = 0
    longer: dict[int, int] = field(default_factory=dict)
    split: set[int] = field(default_factory=set)


class SegmentTree:
    """The segments of a session, kept up with its table by `grow`.

    Attributes:
        table: the session's entries.
        segments: all segments, by number.
        roots: segments without a parent, in file order.
        home: entry index → number of its segment.
        count: entries taken from the table so far.
    """

    def __init__(self, table: EntryTable) -> None:
        self.table = table
        self.segments: list[Segment] = []
        self.roots: list[Segment] = []
        self.home = array("i")
        self.count = 0
        self._structure = -1

    def segment_of(self, index: int) -> Segment:
        """The segment that holds an entry."""
        return self.segments[self.home[index]]

    def ancestry(self, index: int) -> Iterator[Segment]:
        """The segments from an entry's own up to the root."""
        segment: Segment | None = self.segment_of(index)
        while segment is not None:
            yield segment
            segment = segment.parent

    def grow(self) -> Growth:
        """Take what the table has got since the last time; build again if parents of known entries changed.

        Appending to chains costs the same whatever the size of the session.
        """
        table = self.table
        # The columns are filled in turn, `texts` last, perhaps by another thread right now.
        first, count = self.count, len(table.texts)
        if table.structure != self._structure or first == 0 or count < first:
            return self._rebuild(count)
        growth = Growth(first=first)
        if count == first:
            return growth
        parents = table.parents[first:count]
        starts = [first, *compress(range(first + 1, count), map(ne, parents[1:], range(first, count - 1)))]
        if any(parents[start - first] >= start for start in starts):
            return self._rebuild(count)
        self.home.extend(array("i", [-1]) * (count - first))
        self.count = count
        for start, end in zip(starts, [*starts[1:], count], strict=True):
            if len(growth.split) > 2 * _MANY_SPLITS:
                return self._rebuild(count)
            self._take_run(parents[start - first], start, end, growth)
        return growth

    def _take_run(self, parent: int, start: int, end: int, growth: Growth) -> None:
        """Add entries of which each but the first hangs on the one before."""
        run = array("i", range(start, end))
        above = self.segment_of(parent) if parent >= 0 else None
        if above is not None:
            position = above.position(parent)
            if position + 1 < len(above.entries):
                self._split(above, position + 1, growth)
            elif not above.children:
                growth.longer.setdefault(above.number, len(above.entries))
                above.entries.extend(run)
                self._settle(above.number, start, end)
                return
        growth.reshaped = True
        segment = self._new(run, above)
        self._settle(segment.number, start, end)
        if above is not None:
            above.add_child(segment)
        else:
            self.roots.append(segment)

    def _split(self, segment: Segment, position: int, growth: Growth) -> None:
        """Cut a segment's lower part off into a segment of its own, since a branch starts above it."""
        lower = self._new(segment.entries[position:], segment)
        del segment.entries[position:]
        lower.ascending = segment.ascending
        lower.children, segment.children = segment.children, []
        for child in lower.children:
            child.parent = lower
        segment.add_child(lower)
        entries, number = lower.entries, lower.number
        if lower.ascending and entries[-1] - entries[0] + 1 == len(entries):
            self._settle(number, entries[0], entries[-1] + 1)
        else:
            home = self.home
            for index in entries:
                home[index] = number
        growth.split |= {segment.number, number}

    def _new(self, entries: array[int], parent: Segment | None) -> Segment:
        segment = Segment(len(self.segments), entries, parent)
        self.segments.append(segment)
        return segment

    def _settle(self, number: int, start: int, end: int) -> None:
        self.home[start:end] = array("i", [number]) * (end - start)

    def _rebuild(self, count: int) -> Growth:
        """Build all segments from the parents: linear, and but for the branch points array operations."""
        table = self.table
        self._structure = table.structure
        parents = table.parents[:count]
        self.segments, self.roots, self.count = [], [], count
        self.home = array("i", [-1]) * count
        if count == 0:
            return Growth(rebuilt=True)
        # A *run* is a stretch of the file in which each entry's only child is the next entry.
        jumps: list[int] = []
        for start in range(1, count, _AT_A_TIME):
            places = range(start, min(count, start + _AT_A_TIME))
            jumps += compress(places, map(ne, parents[places.start : places.stop], range(start - 1, count)))
        children: dict[int, list[int]] = {parents[0]: [0]}
        for start in jumps:
            children.setdefault(parents[start], []).append(start)
        cuts = {0, *jumps}
        for parent, starts in children.items():
            following = parent + 1
            if 0 < following < count and following not in cuts:
                cuts.add(following)
                starts.append(following)
                starts.sort()
        starts = sorted(cuts)
        end_of_run = dict(zip(starts, [*starts[1:], count], strict=True))
        placed = 0
        stack: list[tuple[int, Segment | None]] = [(start, None) for start in reversed(children.get(-1, []))]
        while stack:
            start, above = stack.pop()
            end = end_of_run[start]
            segment = self._new(array("i", range(start, end)), above)
            self._settle(segment.number, start, end)
            if above is None:
                self.roots.append(segment)
            else:
                above.add_child(segment)
            below = children.get(end - 1, ())
            while len(below) == 1:
                start = below[0]
                segment.ascending = segment.ascending and start > end - 1
                end = end_of_run[start]
                segment.entries.extend(range(start, end))
                self._settle(segment.number, start, end)
                below = children.get(end - 1, ())
            placed += len(segment.entries)
            stack.extend((start, segment) for start in reversed(below))
        if placed != count:
            raise ValueError("parents of the table form a loop")
        return Growth(rebuilt=True)
