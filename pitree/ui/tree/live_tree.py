"""The tree of a session that grows: the cursor stays on its entry, or goes along with its branch's end."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from textual import on

from pitree.outline.filters import FilterMode
from pitree.outline.outline import Outline
from pitree.session.live.branch_tips import Tips, heir
from pitree.session.manager.manager import SessionManager
from pitree.session.manager.newest_message import TALK, said_at
from pitree.ui.toolkit import keys
from pitree.ui.toolkit.line_list import LineList
from pitree.ui.tree.tree_pane import TreePane
from pitree.ui.tree.tree_query import SEARCH_AT_ONCE


class LiveTree(TreePane):
    """A tree pane whose session may grow at any time: tell it by `take_growth`.

    The cursor goes along with the leaf while it is on it. F has it do so even while the reader is in
    another pane, or not at all; moving it up ends either.
    """

    def __init__(self, mode: FilterMode = FilterMode.DEFAULT, *, id: str | None = None) -> None:
        super().__init__(mode, id=id)
        self.following = False
        """Whether F has the cursor go along."""
        self.follows_first = False
        """Whether it does so from the start, where a session opens with the cursor on the leaf."""
        self._held = False
        self._came = 0
        self._session: SessionManager | None = None
        self._tips: Tips | None = None
        self._warnings: tuple[str, ...] = ()

    def watch_session(self, session: SessionManager, tips: Tips) -> None:
        """The session whose rows are shown by now, and the ends that grow in it."""
        self._session, self._tips = session, tips
        self.following, self._held = self.follows_first and self.goes_along, False
        self._came = 0
        self._tell()

    def show(self, outline: Outline, *arguments: Any, **options: Any) -> None:
        self._session = self._tips = None
        super().show(outline, *arguments, **options)
        if outline.entry_count <= SEARCH_AT_ONCE and keys.table_of(self).typing:
            self.search.read_texts()  # a letter may be typed any time

    def warn(self, *words: str) -> None:
        """Have these words are in the border."""
        if words != self._warnings:
            self._warnings = words
            self._tell()

    @property
    def goes_along(self) -> bool:
        """Whether the cursor is on the leaf and goes along with it."""
        return self.outline is not None and not self._held and self._stands_on() == self.outline.leaf >= 0

    def fold_entries(self, indexes: Iterable[int]) -> None:
        """Fold the rows of entries, the deepest first; the cursor stays where it is, or above."""
        outline = self.outline
        rows = [outline.row_of(index) for index in indexes] if outline is not None else []
        if outline is not None and rows:
            for row in sorted((row for row in rows if row is not None), reverse=True):
                outline.fold(row)
            self._change_rows(lambda outline: None)

    # -- growing ------------------------------------------------------------------------------------

    def take_growth(self, first: int, *, reading: bool = False, notices: int = 0) -> bool:
        """Show what came; scroll and fold nothing.

        Args:
            first: index of the first entry that came.
            reading: whether the reader is in another pane, with the entry under the cursor.
            notices: how many things are wrong with the file now.

        Returns:
            Whether the cursor is on another entry than before.
        """
        outline, session, tips = self.outline, self._session, self._tips
        if outline is None or session is None or tips is None:
            return False
        stood_on = self._stands_on()
        seen = not self.rows.size.height or self.rows.cursor in self.rows.visible_rows
        self.following = self.following and seen
        follows = stood_on >= 0 and seen and not self._held and (self.following or not reading)
        known = set(tips.ends)
        tips.update()
        self._notices = notices
        if follows:
            moved = self._go_along(outline, session, known, stood_on, first)
        else:
            self._stay(outline)
            moved = False
        kinds = session.table.kinds
        if follows and self._stands_on() == outline.leaf:
            self._came = 0
        else:
            self._came += sum(kinds[index] in TALK for index in range(first, len(kinds)))
        if self.searching:
            self.search.read_more()
        self._tell()
        return moved

    def _stay(self, outline: Outline) -> None:
        """Take what came; cursor and scroll stay on their entries."""
        rows = self.rows
        cursor, top = rows.cursor, rows.scroll_offset.y
        if cursor < 0 or (self.searching and self.search.reading):
            self._change_rows(Outline.refresh)
            return
        in_view = cursor in rows.visible_rows
        entry = outline.index_at(cursor)
        top_entry = outline.index_at(min(top, len(outline) - 1))
        first = outline.refresh()
        if first > max(cursor, top):
            rows.rows_grew(first, cursor, top)
            return
        now = outline.nearest_row(entry)
        rows.rows_grew(first, now, top + now - cursor if in_view else outline.nearest_row(top_entry))

    def _go_along(
        self,
        outline: Outline,
        session: SessionManager,
        known: set[int],
        stood_on: int,
        first: int,
    ) -> bool:
        """Take what came; the cursor stays at the end of its branch, or goes to a new one's end."""
        rows = self.rows
        before = self.entry_index
        top = rows.scroll_offset.y
        target = heir(session.table, stood_on, first)
        leaf = session.leaf_index
        if target == stood_on and leaf != stood_on and self._is_new_end(session, known, first):
            target = leaf
        changed = outline.refresh()
        cursor = outline.nearest_row(target)
        old = outline.row_of(before)
        rows.rows_grew(min(changed, cursor if old is None else old), cursor, top)
        rows.scroll_to_cursor()
        if cursor < 0 or self.entry_index == before:
            return False
        self._entry = self._placed = self.entry_index
        self.post_message(self.EntryHighlighted(self, self.entry_index))
        return True

    def _is_new_end(self, session: SessionManager, known: set[int], first: int) -> bool:
        """Whether the leaf is the end of a branch that began just now, by something said."""
        table = session.table
        index = leaf = session.leaf_index
        while index >= first:
            index = table.parents[index]
        growing = self._tips.growing if self._tips is not None else []
        return index not in known and any(tip.index == said_at(table, leaf) for tip in growing)

    def _stands_on(self) -> int:
        """The end that the cursor is on: the leaf, or another that grows; -1 if it is on none."""
        outline, tips, cursor = self.outline, self._tips, self.rows.cursor
        if outline is None or tips is None or cursor < 0:
            return -1
        ends: Iterable[int] = (outline.leaf, *reversed(tips.ends))
        return next((end for end in ends if end >= 0 and outline.nearest_row(end) == cursor), -1)

    def refresh_rows(self) -> None:
        outline = self.outline
        if outline is None or self._session is None:
            super().refresh_rows()
        else:
            self._stay(outline)
            self._tell()

    # -- following ------------------------------------------------------------------------------------

    @on(LineList.Highlighted)
    def _cursor_moved(self) -> None:
        outline = self.outline
        if outline is None or self._tips is None:
            return
        end = self._stands_on()
        if end < 0:
            self.following = self._held = False
        elif end == outline.leaf:
            self._came = 0
        self._tell()

    def action_follow(self) -> None:
        """Go along with the leaf, or no more."""
        if self.following:
            self.following, self._held = False, True
        else:
            self.following, self._held = True, False
            self.action_leaf()
        self._tell()

    def action_leaf(self) -> None:
        self._held = False
        self._came = 0
        super().action_leaf()
        self._tell()

    def _tell(self) -> None:
        leaf = keys.key_label(self, "tree.leaf")
        news = [f"{self._came:,} new · {leaf} leaf"] if self._came else []
        if self.following:
            news.append("following")
        elif self._held:
            news.append("not following")
        self.news = " · ".join([*news, *self._warnings])
        super()._tell()
