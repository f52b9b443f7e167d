"""The outline: the rows of a session under a filter, a query and folds. What the tree pane draws."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import compress

from pitree.outline.edit_marks import EditMarks, KeptMarks
from pitree.outline.filters import FilterMode
from pitree.outline.layout import RowBlock
from pitree.outline.row_model import Order, RowModel, SessionView
from pitree.outline.row_words import FOLDABLE, FOLDED, Row, gap, label_time, marks, row_text, type_and_role
from pitree.query.entries.entry_matches import Hits, TextSearch
from pitree.query.language.query import Query
from pitree.session.format.entry_type import Flag, Kind
from pitree.text.sanitize import visible

__all__ = ["Order", "Outline"]

_MARK_OTHERS = (Kind.LABEL, Kind.CONTEXT_EDIT)
"""Kinds of entries that change how the rows of others look."""


class Outline:
    """Rows over a session, numbered from 0. A selection is best kept as an entry index.

    Structure costs what the branch points cost; access to a row is logarithmic. Nothing here reads the file,
    save a query by way of `texts`.

    Args:
        session: the session.
        filter: which kinds of entries to show.
        order: order of branches.
        texts: where a query looks; needed for queries only.
    """

    def __init__(
        self,
        session: SessionView,
        filter: FilterMode = FilterMode.DEFAULT,
        *,
        order: Order = Order.PI,
        texts: TextSearch | None = None,
    ) -> None:
        self._session = session
        self._texts = texts
        self._query = Query.parse("")
        self._view = RowModel(session, filter, order)
        self._edits = EditMarks(session.table)
        self._kept = KeptMarks(session)
        self._edits_as_of = (-1, -1, -1)
        self._repeated = len(session.table.repeated)

    # What is shown

    @property
    def filter(self) -> FilterMode:
        """The filter."""
        return self._view.mode

    def set_filter(self, mode: FilterMode) -> None:
        """Show other kinds of entries. All folds open, as in Pi."""
        self._view.mode = mode
        self._view.folds.clear()
        self._view.show()

    @property
    def order(self) -> Order:
        """Order of branches."""
        return self._view.branch_order

    def set_order(self, order: Order) -> None:
        """Order branches another way."""
        self._view.branch_order = order
        self._view.reorder()

    @property
    def query(self) -> Query:
        """The query; an empty one if there is none. A faulty pattern (`query.error`) matches nothing."""
        return self._query

    @property
    def narrow(self) -> bool:
        """Whether a query hides what does not match."""
        return self._view.narrow

    def set_query(self, text: str, *, narrow: bool = True, so_far: bytes | None = None) -> None:
        """Look for a query (see `query.Query`); "" for none. All folds open, as in Pi.

        Args:
            text: the query as typed.
            narrow: show only what matches, as Pi does; else show all and mark what matches.
            so_far: what a search that still continues has found, to be shown meanwhile (see `search.Hits`).

        Raises:
            ValueError: the outline was given no texts.
        """
        query = Query.parse(text)
        if not query.empty and self._texts is None:
            raise ValueError("an outline without texts cannot be searched")
        view = self._view
        self._query = query
        view.hits = None if query.empty or self._texts is None else Hits(query, self._texts, so_far)
        view.narrow = narrow
        view.folds.clear()
        view.show()

    def set_archived(self, ids: Iterable[str], *, show: bool) -> None:
        """Take branches out of sight, or show them.

        On the path to the leaf nothing is archived, and a search finds what is.

        Args:
            ids: ids of the entries at which archived branches start; unknown ones count for nothing.
            show: whether their rows are shown anyway.
        """
        view, by_id = self._view, self._session.table.by_id
        starts = frozenset(by_id[one] for one in ids if one in by_id)
        if starts != view.archived or show is not view.show_archived:
            view.archived, view.show_archived = starts, show
            view.arrange()

    @property
    def archived_count(self) -> int:
        """Rows that are out of sight because their branches are archived."""
        return self._view.archive.count

    def is_archived(self, index: int) -> bool:
        """Whether an entry belongs to an archived branch, in sight or not."""
        return self._view.archive.holds(index)

    def archived_from(self, index: int) -> list[int]:
        """The starts of the archived branches that an entry belongs to."""
        view = self._view
        if not view.archive.holds(index):
            return []
        return [start for start in view.archived if start == index or view.is_below(index, start)]

    def branch_start(self, index: int) -> int:
        """The entry at which an entry's branch starts: below the nearest branch point, else the root."""
        return self._view.tree.segment_of(index).entries[0]

    @property
    def hit_count(self) -> int:
        """Entries that match the query and pass the filter, in folds too; 0 without a query."""
        return self._view.hit_count()

    @property
    def partly_searched(self) -> bool:
        """Whether the matches are what a search that still continues has found so far."""
        return self._view.hits is not None and self._view.hits.so_far is not None

    @property
    def entry_count(self) -> int:
        """Entries of the session as of the last refresh."""
        return self._view.tree.count

    @property
    def leaf(self) -> int:
        """Index of the leaf as of the last refresh, -1 for none."""
        return self._view.leaf

    def refresh(self) -> int:
        """Take what changed in the session: new entries, another leaf, labels, texts read meanwhile.

        Filter, query and folds stay. Rows may move: find the selection again by its entry.

        Returns:
            The first row that may look different; those above are as they were. Their number if none does.
        """
        view, table = self._view, self._session.table
        count, leaf, repeated = view.tree.count, view.leaf, self._repeated
        at_leaf = self._row_at_or_above(leaf)
        first = view.refresh()
        self._repeated = len(table.repeated)
        news = table.kinds[count:]
        if self._repeated != repeated or any(kind in news for kind in _MARK_OTHERS):
            return 0
        return first if view.leaf == leaf else min(first, at_leaf, self._row_at_or_above(view.leaf))

    def relabel(self) -> None:
        """Take labels that were changed in memory, by no entry. Filter, query and folds stay."""
        self._view.relabel()

    # Rows and entries

    def __len__(self) -> int:
        return self._view.layout.counts.total

    def index_at(self, row: int) -> int:
        """The entry of a row.

        Raises:
            IndexError: there is no such row. (So do all methods that take a row.)
        """
        block, at = self._locate(row)
        return block.rows[at]

    def row_of(self, index: int) -> int | None:
        """The row of an entry; None if it is not shown."""
        view = self._view
        if not 0 <= index < view.tree.count:
            return None
        block = view.layout.block_of(view.tree.segment_of(index))
        at = None if block is None else block.place_of(index)
        return None if block is None or at is None else view.layout.counts.before(block.slot) + at

    def nearest_row(self, index: int) -> int:
        """The row of an entry or of its nearest shown ancestor; else the last row. -1 if there are no rows.

        This is how Pi keeps the selection when what is shown changes, and where /tree starts (at the leaf).
        """
        view = self._view
        if 0 <= index < view.tree.count:
            segment = view.tree.segment_of(index)
            block = view.layout.block_of(segment)
            up_to = 0 if block is None else block.rows_up_to(index)
            if block is not None and up_to:
                return view.layout.counts.before(block.slot) + up_to - 1
            above = view.layout.above(segment)
            if above is not None:
                return self._last_row(above)
        return len(self) - 1

    def _row_at_or_above(self, index: int) -> int:
        """The row of an entry or of its nearest shown ancestor; 0 if there is none."""
        row = self.nearest_row(index) if index >= 0 else -1
        if row < 0:
            return 0
        found = self.index_at(row)
        return row if found == index or self._view.is_below(index, found) else 0

    @property
    def initial_row(self) -> int:
        """Where /tree starts: the row nearest to the leaf; -1 if there are no rows."""
        return self.nearest_row(self._view.leaf)

    def is_on_path(self, index: int) -> bool:
        """Whether an entry lies on the path from the root to the leaf."""
        return self._view.is_on_path(index)

    def is_hit(self, index: int) -> bool:
        """Whether an entry matches the query; False without one."""
        hits = self._view.hits
        return hits is not None and bool(hits.mask[index])

    def next_hit(self, row: int, step: int = 1) -> int | None:
        """The nearest row after (`step` 1) or before (-1) that matches the query, round the ends; or None."""
        hits = self._view.hits
        if hits is None or not len(self):
            return None
        start, at = self._locate(row)
        blocks = self._view.layout.blocks
        for distance in range(len(blocks) + 1):
            block = blocks[(start.slot + step * distance) % len(blocks)]
            found = list(compress(range(len(block.rows)), map(hits.mask.__getitem__, block.rows)))
            if distance == 0:
                found = [place for place in found if (place - at) * step > 0]
            if found:
                return self._view.layout.counts.before(block.slot) + found[0 if step > 0 else -1]
        return None

    def row(self, number: int, first_level: int = 0) -> Row:
        """All there is to draw of a row.

        Args:
            number: the row.
            first_level: leave out guides before this level, for trees wider than the screen.
        """
        block, at = self._locate(number)
        return self._make_row(block, at, first_level)

    def rows(self, start: int = 0, stop: int | None = None) -> Iterator[Row]:
        """The rows from `start` up to `stop`, or the end."""
        stop = len(self) if stop is None else min(stop, len(self))
        if start >= stop:
            return
        block, at = self._locate(start)
        for _ in range(start, stop):
            if at == len(block.rows):
                block, at = self._view.layout.blocks[block.slot + 1], 0
            yield self._make_row(block, at, 0)
            at += 1

    def spans_for(self, row: Row) -> list[tuple[int, int]]:
        """Where the words of the query are in a row's text (`row.body`)."""
        return [] if self._query.empty else self._query.spans(row.body)

    # Folding

    def can_fold(self, row: int) -> bool:
        """Whether a row can be folded: it has rows below it, and is a root or starts a branch."""
        return self._fold_state(*self._locate(row)) == "open"

    def fold(self, row: int) -> bool:
        """Fold a row, hiding all below it; return whether that could be done."""
        if not self.can_fold(row):
            return False
        self._view.folds.add(self.index_at(row))
        self._view.arrange()
        return True

    def unfold(self, row: int) -> bool:
        """Open a folded row; return whether it was folded."""
        index = self.index_at(row)
        if index not in self._view.folds:
            return False
        self._view.folds.discard(index)
        self._view.arrange()
        return True

    @property
    def folded(self) -> list[int]:
        """The entries whose rows are folded."""
        return sorted(self._view.folds)

    def reveal(self, index: int) -> int:
        """Open the folds that an entry is in; return the row nearest to it, -1 if there are no rows."""
        row = self.nearest_row(index)
        while row >= 0 and self.index_at(row) != index and self._view.is_below(index, self.index_at(row)):
            if not self.unfold(row):
                break
            row = self.nearest_row(index)
        return row

    # Moving by branches

    def fold_or_up(self, row: int) -> int:
        """Pi's `foldOrUp`: fold the row, else go to the start of its branch; return the row to select."""
        return row if self.fold(row) else self.branch_up(row)

    def unfold_or_down(self, row: int) -> int:
        """Pi's `unfoldOrDown`: open the row's fold, else go to the next branch; return the row to select."""
        return row if self.unfold(row) else self.branch_down(row)

    def branch_up(self, row: int) -> int:
        """The nearest row further up at which a branch starts, else the root's."""
        block: RowBlock = self._locate(row)[0]
        counts = self._view.layout.counts
        while block.above is not None and not (block.connector and counts.before(block.slot) < row):
            block = block.above
        return counts.before(block.slot)

    def branch_down(self, row: int) -> int:
        """The row at which the first branch further down starts, else the last row on the way."""
        block = self._locate(row)[0]
        while block.first_child is not None:
            branches = block.children > 1
            block = block.first_child
            if branches:
                return self._view.layout.counts.before(block.slot)
        return self._last_row(block)

    # Making rows

    def _locate(self, row: int) -> tuple[RowBlock, int]:
        layout = self._view.layout
        slot, at = layout.counts.find(row)
        return layout.blocks[slot], at

    def _last_row(self, block: RowBlock) -> int:
        return self._view.layout.counts.before(block.slot) + len(block.rows) - 1

    def _fold_state(self, block: RowBlock, at: int) -> str:
        if block.rows[at] in self._view.folds:
            return "closed"
        starts = at == 0 and (block.above is None or block.connector)
        return "open" if starts and (len(block.rows) > 1 or block.children) else ""

    def _edit_marks(self) -> EditMarks:
        """Which entries are edited on the path as it is now."""
        view = self._view
        now = (view.tree.count, view.leaf, self._session.table.structure)
        if now != self._edits_as_of:
            self._edits.update(view.tree.count, view.is_on_path)
            self._edits_as_of = now
        return self._edits

    def _shown_leaf(self) -> int:
        """The leaf, or where bookkeeping hides it (a label, a name) the nearest shown entry above it."""
        return self.index_at(self.nearest_row(self._view.leaf))

    def _hidden_gap(self, block: RowBlock, at: int) -> tuple[str, ...]:
        """The mark of a gap whose own entry is not shown: it goes to the first row below it."""
        table = self._session.table
        if at or block.above is not None or not table.unresolved:
            return ()
        *_, highest = self._view.tree.ancestry(block.rows[0])
        top = highest.entries[0]
        hidden = top != block.rows[0] and table.flags[top] & Flag.MISSING_PARENT
        return (gap(table, top),) if hidden else ()

    def _make_row(self, block: RowBlock, at: int, first_level: int) -> Row:
        view = self._view
        layout, table = view.layout, self._session.table
        index = block.rows[at]
        kind = Kind(table.kinds[index])
        fold = self._fold_state(block, at)
        mark = FOLDED if fold == "closed" else FOLDABLE if fold else "─"
        guides, guides_from = layout.guides(block, at, mark, first_level)
        indent = block.rest_indent if at else block.indent
        body = visible(table.texts[index].decode("utf-8", "replace"))
        entry_type, role = type_and_role(kind, body)
        text = row_text(kind, table.flags[index], body)
        label = self._session.labels.get(table.ids[index])
        on_path = view.is_on_path(index)
        odd = self._hidden_gap(block, at) + marks(table, index) + self._kept.of(index)
        if on_path:
            odd += self._edit_marks().of(table.ids[index])
        return Row(
            index=index,
            id=visible(table.ids[index]),
            kind=kind,
            flags=Flag(table.flags[index]),
            type=entry_type,
            role=role,
            indent=indent,
            display_indent=layout.display_indent(indent),
            guides=guides,
            guides_from=guides_from,
            fold=fold,
            connector=block.connector and at == 0,
            hidden=block.hidden if fold == "closed" else 0,
            on_path=on_path,
            archived=view.archive.role_of(index),
            away=view.archive.away_at(block) if at == len(block.rows) - 1 else 0,
            is_leaf=on_path and index == self._shown_leaf(),
            hit=self.is_hit(index),
            label=None if label is None else visible(label.text),
            label_time=None if label is None else label_time(label.time),
            prefix=text.prefix,
            text=text.text,
            suffix=text.suffix,
            marks=odd,
        )
