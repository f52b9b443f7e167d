"""What is shown of a session and where: segments, path, shown entries and layout, kept up together."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from enum import StrEnum
from itertools import compress
from typing import Protocol

from pitree.outline.archived_branches import Archive
from pitree.outline.filters import FilterMode
from pitree.outline.layout import RowLayout, display_order
from pitree.outline.segments import Growth, Segment, SegmentTree
from pitree.outline.visibility import Visibility
from pitree.query.entries.entry_matches import Hits
from pitree.session.format.entry_type import Kind
from pitree.session.reading.entry import Entry
from pitree.session.reading.entry_table import EntryTable
from pitree.session.reading.reader import Label


class SessionView(Protocol):
    """What an outline needs of a session; `SessionManager` has it."""

    @property
    def table(self) -> EntryTable:
        """The entries."""

    @property
    def leaf_index(self) -> int:
        """Index of the leaf, -1 for none."""

    @property
    def labels(self) -> Mapping[str, Label]:
        """Entry id → label."""

    partial: bool
    """Whether only the end of the file was read."""

    def entry(self, index: int) -> Entry:
        """The entry at a place of the file."""


class Order(StrEnum):
    """Order of branches: Pi's, where the one that holds the leaf goes first, or by time alone."""

    PI = "pi"
    TIME = "time"


class RowModel:
    """The layout of a session's rows under a filter, a query and folds.

    After a change of `mode`, `hits` or `narrow` call `show`; of `branch_order`, `reorder`; of `folds`
    and what is archived, `arrange`; when the session may have grown, `refresh`.

    Attributes:
        mode: the filter.
        matches: what matches the query; None without one.
        narrow: whether only matches are shown.
        branch_order: order of branches.
        folds: entries whose rows are folded.
        archived: entries at which archived branches start. On the path to the leaf nothing is archived.
        show_archived: whether their rows are shown; they always are while there is a query.
        leaf: index of the leaf as of the last refresh, -1 for none.
        tree: the session as segments.
        archive: what of the archived branches is where.
        layout: where rows stand. Another one after each change but the growth of a chain.
    """

    def __init__(self, session: SessionView, mode: FilterMode, branch_order: Order) -> None:
        self.mode = mode
        self.branch_order = branch_order
        self.hits: Hits | None = None
        self.narrow = True
        self.folds: set[int] = set()
        self.archived: frozenset[int] = frozenset()
        self.show_archived = False
        self.leaf = -1
        self.tree = SegmentTree(session.table)
        self._session = session
        self._leaf_position = 0
        self._path = bytearray()
        self._order: list[Segment] = []
        self._rows: list[array[int]] = []
        self.tree.grow()
        self._find_path(self._leaf_now())
        self.show()

    def show(self) -> None:
        """Find out again which entries are shown, and arrange them."""
        session, tree = self._session, self.tree
        if self.hits is not None:
            self.hits.extend(session.table, session.labels, tree.count)
        hits = self.hits.mask if self.hits is not None and self.narrow else None
        self._shown = Visibility(session.table, session.labels, self.mode, hits, self.leaf)
        self._shown.extend(tree.count)
        self._rows = [self._shown.rows_of(segment) for segment in tree.segments]
        self.reorder()

    def relabel(self) -> None:
        """Find out again what labels bear upon: they were changed by no entry."""
        if self.mode.needs_label or self.hits is not None:
            if self.hits is not None:
                self.hits.restart()
            self.show()

    def reorder(self) -> None:
        """Order branches again, and arrange the rows."""
        self._order = display_order(self.tree, self._path, self.branch_order is Order.TIME)
        self.arrange()

    def arrange(self) -> None:
        """Lay out what is shown."""
        self.archive = Archive(self.tree, self._order, self.archived, self.is_on_path)
        rows: list[array[int]] = self._rows
        if self.archive and not self.show_archived and self.hits is None:
            rows = self.archive.take_from(rows)
        self.layout = RowLayout(self.tree, self._order, rows, self.folds)
        self.archive.find_places(self.layout)

    def hit_count(self) -> int:
        """Entries that match the query and pass the filter, in folds too; 0 without a query."""
        return 0 if self.hits is None else self._shown.count_with(self.hits.mask)

    def is_on_path(self, index: int) -> bool:
        """Whether an entry lies on the path from the root to the leaf."""
        segment = self.tree.segment_of(index)
        if not self._path[segment.number]:
            return False
        return self.tree.home[self.leaf] != segment.number or segment.position(index) <= self._leaf_position

    def is_below(self, index: int, other: int) -> bool:
        """Whether an entry is a descendant of another one."""
        home = self.tree.segment_of(other)
        for segment in self.tree.ancestry(index):
            if segment is home:
                return segment is not self.tree.segment_of(index) or (
                    segment.position(index) > segment.position(other)
                )
        return False

    def refresh(self) -> int:
        """Take what changed in the session: new entries, another leaf, labels, texts read meanwhile.

        An entry appended to a chain costs the same whatever the size of the session; one that starts a branch
        costs what the branch points cost.

        Returns:
            The first row that may be another than before. Those of the old leaf, and of entries that new
            ones tell of, are left to the caller.
        """
        growth = self.tree.grow()
        leaf = self._leaf_now()
        labels_matter = self.mode.needs_label or self.hits is not None
        if growth.rebuilt or (labels_matter and Kind.LABEL in self._session.table.kinds[growth.first :]):
            self.folds = {index for index in self.folds if index < self.tree.count}
            if self.hits is not None:
                self.hits.restart()
            self._find_path(leaf)
            self.show()
            return 0
        before, arrange = self._grow_rows(growth, leaf)
        arrange = arrange or self.archive.changes_with(leaf, before)
        if growth.reshaped or self._leaves_segment(leaf):
            self._find_path(leaf)
            self.reorder()
            return 0
        if leaf != self.leaf:
            self.leaf = leaf
            self._leaf_position = self.tree.segment_of(leaf).position(leaf)
        first = None if arrange else self._patch(before)
        if first is None:
            self.arrange()
        return first if first is not None and self.hits is None else 0

    def _leaf_now(self) -> int:
        return min(self._session.leaf_index, self.tree.count - 1)

    def _leaves_segment(self, leaf: int) -> bool:
        """Whether the leaf is in another segment than before."""
        if leaf == self.leaf:
            return False
        home = self.tree.home
        return leaf < 0 or self.leaf < 0 or home[leaf] != home[self.leaf]

    def _find_path(self, leaf: int) -> None:
        """Take the leaf, and mark the segments on the path to it."""
        self.leaf = leaf
        self._path = bytearray(len(self.tree.segments))
        self._leaf_position = 0
        if leaf >= 0:
            self._leaf_position = self.tree.segment_of(leaf).position(leaf)
            for segment in self.tree.ancestry(leaf):
                self._path[segment.number] = 1

    def _grow_rows(self, growth: Growth, leaf: int) -> tuple[dict[int, int], bool]:
        """Bring the rows of the segments up to date.

        Returns:
            For segments that gained rows at their end, or lost one there: how many they had. And whether rows
            of others changed, so that the layout must be made again.
        """
        tree, rows, shown = self.tree, self._rows, self._shown
        before: dict[int, int] = {}
        stale = set(growth.split)
        if self.hits is not None:
            late = self.hits.extend(self._session.table, self._session.labels, tree.count)
            stale.update(tree.home[index] for index in late if shown.update(index))
        if leaf != self.leaf:
            for index in shown.move_leaf(leaf):
                if not self._drop_last(index, before):
                    stale.add(tree.home[index])
        shown.extend(tree.count)
        for number, position in growth.longer.items():
            if number < len(rows):
                before.setdefault(number, len(rows[number]))
                entries = tree.segments[number].entries[position:]
                rows[number].extend(compress(entries, map(shown.mask.__getitem__, entries)))
        for number in stale:
            if number < len(rows):
                rows[number] = shown.rows_of(tree.segments[number])
        rows.extend(shown.rows_of(segment) for segment in tree.segments[len(rows) :])
        return before, bool(stale)

    def _drop_last(self, index: int, before: dict[int, int]) -> bool:
        """Take an entry that shows no longer off the end of its segment's rows; False if it is not there."""
        segment = self.tree.segment_of(index)
        rows = self._rows[segment.number] if segment.number < len(self._rows) else None
        if self._shown.mask[index] or segment.children or not rows or rows[-1] != index:
            return False
        before.setdefault(segment.number, len(rows))
        rows.pop()
        return True

    def _patch(self, before: dict[int, int]) -> int | None:
        """Take new row counts of segments that nothing hangs on into the layout.

        Returns:
            The first row that looks different for it; None if the rows must be laid out again.
        """
        layout = self.layout
        first = layout.counts.total
        for number, length in before.items():
            rows = self._rows[number]
            change = len(rows) - length
            segment = self.tree.segments[number]
            block = layout.block_of(segment)
            fold = block if block is not None else layout.above(segment)
            if fold is not None and fold.closed:
                fold.hidden += change
                if fold.hidden < 0:
                    return None
                first = min(first, layout.counts.before(fold.slot))
            elif (block is None) != (not rows):
                return None
            elif block is not None:
                # The last row before may have been the block's only one, which cannot be folded.
                first = min(first, layout.counts.before(block.slot) + max(0, min(length, len(rows)) - 1))
                layout.counts.add(block.slot, change)
        return first
