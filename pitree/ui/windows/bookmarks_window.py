"""The bookmarks window: labels of this session or of all, newest first, searched by typing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.binding import BindingType
from textual.content import Content
from textual.strip import Strip

from pitree.catalog.bookmarks import Bookmark, newest_first
from pitree.outline.row_words import label_time
from pitree.query.language.query import Query
from pitree.text.cells import cell_len, cut, pad
from pitree.text.sanitize import visible
from pitree.ui.toolkit import keys
from pitree.ui.toolkit.line_list import LineList
from pitree.ui.toolkit.list_window import SearchedWindow

_LABEL_WIDTH = 24
_TIME_WIDTH = len("12/31 23:59")
_SESSION_FROM = 45
"""Beside the label there have to be more cells than this for a column of sessions."""


class BookmarkList(LineList):
    """One bookmark a row: label, what it is on, session, time."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"bookmark--label", "bookmark--dim"}

    def __init__(self) -> None:
        super().__init__()
        self.bookmarks: list[Bookmark] = []
        self.with_sessions = False
        self.empty = ""

    def row_count(self) -> int:
        return len(self.bookmarks)

    def empty_text(self) -> str:
        return self.empty

    def render_row(self, row: int, width: int, selected: bool, focused: bool) -> Strip:
        mark = self.bookmarks[row]
        when = label_time(mark.time) or ""
        label_width = min(_LABEL_WIDTH, max(8, width // 2))
        label = pad(cut(f"[{visible(mark.label)}]", label_width), label_width)
        session = ""
        if self.with_sessions and width - label_width > _SESSION_FROM:
            when = when.rjust(_TIME_WIDTH)
            session_width = (width - label_width) // 4
            session = "  " + pad(cut(visible(mark.session), session_width), session_width)
        rest = max(0, width - label_width - cell_len(when) - cell_len(session) - 4)
        body = pad(cut(visible(mark.text), rest), rest) + session
        dim = self.style_of("bookmark--dim")
        return Strip(
            [
                Segment("› " if selected else "  ", Style()),
                Segment(label, self.style_of("bookmark--label")),
                Segment(f" {body} "),
                Segment(when, dim),
            ]
        )


class BookmarksWindow(SearchedWindow[Bookmark], inherit_bindings=False):
    """Bookmarks to jump to. Enter gives one, Esc clears the search and then gives None.

    Args:
        here: bookmarks of the session on screen.
        load_all: starts looking through all sessions; called once, with what takes each list found and
            what is called at the end, both on the app's loop.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        *keys.bindings(keys.KeyContext.BOOKMARKS, keys.KeyContext.DIALOG)
    ]
    PLACES = (keys.KeyContext.BOOKMARKS,)

    def __init__(
        self,
        here: Sequence[Bookmark],
        load_all: Callable[[Callable[[list[Bookmark]], None], Callable[[], None]], None],
    ) -> None:
        self.rows = BookmarkList()
        super().__init__("type to search", self.rows)
        self._here = list(here)
        self._all: list[Bookmark] = []
        self._load_all = load_all
        self._loading = False
        self._loaded = False

    def on_mount(self) -> None:
        if not self._here:
            self._switch(True)
        self._show()

    def action_scope(self) -> None:
        self._switch(not self.rows.with_sessions)
        self._show()

    def _switch(self, everywhere: bool) -> None:
        self.rows.with_sessions = everywhere
        if everywhere and not self._loading and not self._loaded:
            self._loading = True
            self._load_all(self._found, self._done)

    def _found(self, bookmarks: list[Bookmark]) -> None:
        self._all = newest_first([*self._all, *bookmarks])
        if self.is_open and self.rows.with_sessions:
            self._show()

    def _done(self) -> None:
        self._loading, self._loaded = False, True
        if self.is_open:
            self._show()

    def _show(self) -> None:
        everywhere = self.rows.with_sessions
        marks = self._all if everywhere else self._here
        query = Query.parse(self.box.text)
        # At the top one stays at the top, where newer bookmarks come in while files are read.
        here = self.rows.bookmarks[self.rows.cursor] if self.rows.cursor > 0 else None
        shown = [
            mark
            for mark in marks
            if query.empty or query.matches(f"{mark.label} {mark.text} {mark.session}".lower())
        ]
        self.rows.bookmarks = shown
        if query.error:
            self.rows.empty = query.error
        elif not query.empty:
            self.rows.empty = (
                f"No bookmark matches. {keys.key_label(self, 'dialog.close')} clears the search."
            )
        elif self._loading and everywhere:
            self.rows.empty = "Reading all sessions …"
        else:
            where = "any session" if everywhere else "this session"
            self.rows.empty = (
                f"No bookmarks in {where} yet. In the tree, {keys.key_label(self, 'tree.label')} sets one."
            )
        self.rows.rows_changed(shown.index(here) if here in shown else 0)
        window = self.query_one("#window")
        scope = "all sessions" if everywhere else "this session"
        window.border_title = Content(f"Bookmarks · {scope}")
        self.tell_keys()

    def before_keys(self) -> str:
        everywhere = self.rows.with_sessions
        state = " · looking …" if self._loading and everywhere else ""
        return f"{len(self.rows.bookmarks)} of {len(self._all if everywhere else self._here)}{state}"

    def words_of_keys(self) -> Mapping[str, str]:
        return {"bookmarks.scope": "this session" if self.rows.with_sessions else "all sessions"}

    def edited(self) -> None:
        self._show()

    def choose(self, row: int) -> None:
        if 0 <= row < len(self.rows.bookmarks):
            self.dismiss(self.rows.bookmarks[row])
