"""The tree as it looks in the first frame, while the code of its pane is still being loaded."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.strip import Strip

from pitree.outline.first_tree import FirstTree
from pitree.outline.outline import Order
from pitree.state.stars_and_archive import Shelf
from pitree.ui.main.header import Header
from pitree.ui.main.session_loading import prepared
from pitree.ui.toolkit import keys
from pitree.ui.tree import tree_captions
from pitree.ui.tree.tree_rows import TreeRows

PATIENCE = 0.1
"""Seconds for which the first frame waits for a session; one that takes longer is shown when it is there."""


class FirstRows(TreeRows):
    """Rows around the leaf; nothing in them takes a key.

    Scrolling has to wait for a size, and the first frame does not: it is drawn as if it had been scrolled.
    """

    _scrolled = False

    def render_line(self, y: int) -> Strip:
        height, rows = self.scrollable_content_region.height, self.row_count()
        top = 0 if self._scrolled else min(max(0, self.cursor - height // 2), max(0, rows - height))
        return super().render_line(y + top)

    def on_resize(self) -> None:
        self._scrolled = True
        self.scroll_to_cursor(center=True, always=True)


class FirstTreePane(Vertical):
    """Shows a session as far as it was read meanwhile.

    Args:
        first: the session that is being read.
        shelf: what is archived.
    """

    def __init__(self, first: FirstTree, shelf: Shelf) -> None:
        super().__init__(id="tree", classes="frame -front")
        self._first = first
        self._shelf = shelf
        self.rows = FirstRows()
        self.rows.can_focus = False

    def compose(self) -> ComposeResult:
        yield self.rows

    def on_mount(self) -> None:
        self.border_title = Content("Tree")
        read = self._first.wait(PATIENCE)
        if read is None:
            return
        outline, rows = read.outline, self.rows
        self._shelf.refresh()
        kept = self._shelf.of(read.session.get_session_id(), str(self._first.path))
        outline.set_archived(kept.branches, show=False)
        rows.set_reactive(TreeRows.has_focus, not keys.table_of(self).typing)  # as it will have
        rows.outline = outline
        rows.words_when_empty = ""
        rows.rows_changed(outline.nearest_row(outline.leaf))
        header = self.screen.query_one(Header)
        header.facts = prepared(self._first.path, read).facts
        header.state = "loading" if read.session.partial else ""
        self.border_title = Content(tree_captions.title(self._first.mode, Order.PI, False))
        self.border_subtitle = Content(tree_captions.facts(outline, len(read.session.notices), 0))
