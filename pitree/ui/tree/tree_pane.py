"""The tree pane: the rows of a session's outline, its filter, its search box and its border."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.message import Message

from pitree.outline.filters import FilterMode
from pitree.outline.outline import Order, Outline
from pitree.query.entries.text_store import TextStore
from pitree.ui.toolkit import keys
from pitree.ui.toolkit.line_list import LineList
from pitree.ui.toolkit.search_box import SearchBox
from pitree.ui.toolkit.type_to_search import Typing
from pitree.ui.tree import tree_captions
from pitree.ui.tree.tree_captions import Bordered
from pitree.ui.tree.tree_query import TreeSearch
from pitree.ui.tree.tree_rows import TreeRows


class TreePane(Typing, Bordered, Vertical):
    """One session as a tree. Give it an outline with `show`; it tells where the cursor came to rest."""

    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings(keys.KeyContext.TREE, keys.KeyContext.HITS)]

    class EntryHighlighted(Message):
        """The cursor is on another entry; `index` is -1 when no row is shown."""

        def __init__(self, pane: TreePane, index: int) -> None:
            super().__init__()
            self.pane = pane
            self.index = index

        @property
        def control(self) -> TreePane:
            return self.pane

        def can_replace(self, message: Message) -> bool:
            """Only where the cursor came to rest matters."""
            return isinstance(message, TreePane.EntryHighlighted)

    class EntryChosen(Message):
        """Enter or a double click on an entry."""

        def __init__(self, pane: TreePane, index: int) -> None:
            super().__init__()
            self.pane = pane
            self.index = index

    class CopyRequested(Message):
        """The reader wants the text of this entry copied."""

        def __init__(self, pane: TreePane, index: int) -> None:
            super().__init__()
            self.pane = pane
            self.index = index

    class KeysChanged(Message):
        """Other keys matter now: a search began or ended, or asks for something else."""

    def __init__(self, mode: FilterMode = FilterMode.DEFAULT, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.rows = TreeRows()
        self.search_box = SearchBox('words, "a phrase" or re:pattern')
        self.search = TreeSearch(self, self.search_box, self.set_query, self._show_texts_read)
        self._filter = mode
        self._order = Order.PI
        self._query = ""
        self._narrow, self._lit = True, False  # lit: not narrow, but only until the search is cleared
        self._archived: frozenset[str] = frozenset()
        self._shows_archived = False
        self._entry = self._placed = -1
        self._notices = 0

    @property
    def KEY_PLACES(self) -> tuple[keys.KeyContext, ...]:
        """The places whose keys apply in the rows."""
        return (keys.KeyContext.LIST, *((keys.KeyContext.HITS,) if self._query else ()), keys.KeyContext.TREE)

    @property
    def focus_target(self) -> TreeRows:
        """What takes the focus when the pane is gone to."""
        return self.rows

    def compose(self) -> ComposeResult:
        yield self.search_box
        yield self.rows

    def on_mount(self) -> None:
        self._tell()

    # -- what is shown --------------------------------------------------------------------------

    @property
    def outline(self) -> Outline | None:
        """The rows shown."""
        return self.rows.outline

    @property
    def filter_mode(self) -> FilterMode:
        """The filter that holds, for this session and the next ones."""
        return self._filter

    def show(
        self,
        outline: Outline,
        texts: TextStore,
        *,
        notices: int = 0,
        entry: int | None = None,
        keep_screen_row: bool = False,
        archived: frozenset[str] = frozenset(),
    ) -> None:
        """Show a session.

        Args:
            outline: its rows; filter, order and search are brought to those of the pane.
            texts: the texts the outline searches; read in the background once there is a search.
            notices: how many things are wrong with its file.
            entry: the entry to go to (or its nearest visible ancestor); None for where Pi would start.
            keep_screen_row: keep the cursor at its height on screen.
            archived: ids of the entries at which archived branches start.
        """
        self._archived = archived
        if outline.filter is not self._filter:
            outline.set_filter(self._filter)
        if outline.order is not self._order:
            outline.set_order(self._order)
        sought = self.search.sought
        self.search.stop()
        self.search.texts = texts
        if self._query:
            outline.set_query(self._query, narrow=self._narrow)
            self.search.read_texts()
        self._apply_archive(outline)
        self.rows.outline = outline
        self._notices = notices
        self._entry = outline.leaf if entry is None else entry
        self._place_cursor(keep_screen_row)
        if entry is None:
            self.rows.scroll_to_cursor(center=True, always=True)
        if sought is not None:
            self.look_for(sought)

    def clear(self, words: str) -> None:
        """Show no session, but these words."""
        self.search.stop()
        self.rows.outline = None
        self.search.texts = None
        self._notices = 0
        self._entry = -1
        self.rows.words_when_empty = words
        self.rows.rows_changed(-1)
        self._tell()

    def set_archived(self, archived: frozenset[str]) -> None:
        """Take other branches out of sight.

        Args:
            archived: ids of the entries at which they start.
        """
        if archived != self._archived:
            self._archived = archived
            self._change_rows(self._apply_archive)

    def _apply_archive(self, outline: Outline) -> None:
        outline.set_archived(self._archived, show=self._shows_archived)

    @property
    def entry_index(self) -> int:
        """The entry under the cursor, -1 when no row is shown."""
        return self.rows.entry_index

    def refresh_rows(self) -> None:
        """Take what the session, or the texts that are searched, gained; the cursor stays on its entry."""
        self._change_rows(Outline.refresh)

    def relabel(self) -> None:
        """Show labels that were changed in memory, by no entry."""
        self._change_rows(Outline.relabel)

    def go_to(self, index: int) -> bool:
        """Put the cursor on an entry, unfolding what hides it, or on its nearest visible ancestor.

        Returns:
            Whether it is the entry itself.
        """
        outline = self.outline
        if outline is None or not len(outline):
            return False
        if not self._shows_archived and not self._query and outline.is_archived(index):
            self.action_archived()
        self._entry = index
        before = len(outline)
        row = outline.reveal(index)
        if len(outline) != before:
            self.rows.rows_changed(row, keep_screen_row=True)
        else:
            self.rows.move_cursor(row, center=True)
        return outline.index_at(row) == index

    # -- filter and search ------------------------------------------------------------------------

    def _change_rows(self, change: Callable[[Outline], object]) -> None:
        """Change which rows there are; the cursor stays on its entry or the nearest visible ancestor."""
        if self.outline is not None:
            here = self.rows.entry_index
            # While hits are still coming in, the row found for the cursor is none the reader chose.
            coming = self._query and (self.search.reading or self.outline.partly_searched)
            if here >= 0 and not (coming and here == self._placed):
                self._entry = here
            change(self.outline)
            self._place_cursor(keep_screen_row=True)

    def _place_cursor(self, keep_screen_row: bool) -> None:
        assert self.outline is not None
        sign = partial(keys.key_label, self)
        self.rows.words_when_empty = tree_captions.why_empty(self.outline, self._filter, self._query, sign)
        self.rows.rows_changed(self.outline.nearest_row(self._entry), keep_screen_row=keep_screen_row)
        self._placed = self.rows.entry_index
        self._tell()

    def set_filter(self, mode: FilterMode) -> None:
        """Show what the filter shows."""
        self._filter = mode
        self._change_rows(lambda outline: outline.set_filter(mode))
        self._tell()

    def set_query(self, query: str, so_far: bytes | None = None) -> None:
        """Search, on top of the filter; "" ends the search.

        Args:
            query: what to look for.
            so_far: what a search that still continues has found by now.
        """
        if query != self._query:
            self.post_message(self.KeysChanged())
        self._query = query
        self._change_rows(lambda outline: outline.set_query(query, narrow=self._narrow, so_far=so_far))
        if self.outline is None:
            self._tell()

    def look_for(self, query: str) -> None:
        """Search, on the spot if that takes no time."""
        self.search.look_for(query, self._query, self.outline, self._entry)

    def _show_texts_read(self) -> None:
        if self._query:
            self.refresh_rows()

    def search_for(self, text: str) -> None:
        """Search, all rows shown and the matches marked until the search is cleared; "" clears it."""
        self._narrow, self._lit = False, self._lit or self._narrow
        self.search_box.text = text
        self.search_box.set_class(bool(text), "-open")
        self.look_for(text)

    news = ""
    """What has to be said of entries that came, in words."""

    @property
    def searching(self) -> bool:
        """Whether a search holds."""
        return bool(self._query)

    def clear_search(self) -> None:
        """End the search; the cursor stays on its entry."""
        self._narrow, self._lit = self._narrow or self._lit, False
        self.search_box.text = ""
        self.search_box.close()
        self.set_query("")

    @on(SearchBox.Left)
    def _search_left(self, event: SearchBox.Left) -> None:
        event.stop()
        if not self.search_box.text:
            self.search_box.close()
        self.rows.focus()

    @on(SearchBox.Stepped)
    def _search_stepped(self, event: SearchBox.Stepped) -> None:
        event.stop()
        self.rows.step(event.step, event.by_page)

    # -- what the rows say --------------------------------------------------------------------------

    @on(LineList.Highlighted)
    def _row_highlighted(self, event: LineList.Highlighted) -> None:
        event.stop()
        if self.rows.pan:
            self._tell()
        self.post_message(self.EntryHighlighted(self, self.entry_index))

    @on(TreeRows.Panned)
    def _rows_panned(self, event: TreeRows.Panned) -> None:
        event.stop()
        self._tell()

    @on(LineList.Chosen)
    def _row_chosen(self, event: LineList.Chosen) -> None:
        event.stop()
        self.post_message(self.EntryChosen(self, self.entry_index))

    # -- words around the rows --------------------------------------------------------------------

    def _tell(self) -> None:
        """Bring the border and the words of the search box up to date."""
        outline, rows = self.outline, self.rows
        depth = outline.row(rows.cursor).display_indent if outline and rows.pan and rows.cursor >= 0 else 0
        self.tell_border(
            tree_captions.title(
                self._filter,
                self._order,
                rows.label_times,
                rows.column_names,
                archived=self._shows_archived and bool(self._archived),
            ),
            tree_captions.facts(outline, self._notices, depth, self.news),
        )
        found = tree_captions.found(outline, self.search.texts) if outline is not None and self._query else ""
        self.search_box.show_found(
            found, bad=bool(outline is not None and self._query and outline.query.error)
        )

    # -- actions (named in the table of keys) -------------------------------------------------------

    def action_search(self) -> None:
        self.search_box.open()

    def action_hit(self, step: int) -> None:
        if self.outline is None or not self._query:
            self.search_box.open()
        elif (row := self.outline.next_hit(self.rows.cursor, step)) is not None:
            self.rows.move_cursor(row)

    def action_narrow(self) -> None:
        self._narrow = not self._narrow
        if self._query:
            self.set_query(self._query)

    def action_filter(self, name: str) -> None:
        self.set_filter(self._filter.toggled(FilterMode.of(name)))

    def action_cycle_filter(self, step: int) -> None:
        self.set_filter(self._filter.next(step))

    def action_fold_or_up(self) -> None:
        self._move_by_branch(Outline.fold_or_up)

    def action_unfold_or_down(self) -> None:
        self._move_by_branch(Outline.unfold_or_down)

    def _move_by_branch(self, move: Callable[[Outline, int], int]) -> None:
        outline, cursor = self.outline, self.rows.cursor
        if outline is None or cursor < 0:
            return
        row = move(outline, cursor)
        if row == cursor:
            self.rows.rows_changed(row, keep_screen_row=True)
            self._tell()
        else:
            self.rows.move_cursor(row)

    def action_leaf(self) -> None:
        if self.outline is not None:
            self.go_to(self.outline.leaf)

    def action_order(self) -> None:
        self._order = Order.TIME if self._order is Order.PI else Order.PI
        self._change_rows(lambda outline: outline.set_order(self._order))
        self._tell()

    def action_archived(self) -> None:
        self._shows_archived = not self._shows_archived
        self._change_rows(self._apply_archive)
        self._tell()

    def action_label_times(self) -> None:
        self.rows.label_times = not self.rows.label_times
        self.rows.redraw()
        self._tell()

    def action_choose(self) -> None:
        self.rows.action_choose()

    def action_copy(self) -> None:
        if self.entry_index >= 0:
            self.post_message(self.CopyRequested(self, self.entry_index))
