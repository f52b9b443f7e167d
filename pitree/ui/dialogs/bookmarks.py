"""The bookmarks window: labels of this session or of all, newest first, searched by typing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.strip import Strip

from pitree.outline.cells import cell_len, cut, pad
from pitree.outline.query import Query
from pitree.outline.row import label_time
from pitree.outline.safe import visible
from pitree.session.bookmarks import Bookmark, newest_first
from pitree.ui import keys
from pitree.ui.line_list import LineList
from pitree.ui.search_box import SearchBox

_LABEL_WIDTH = 24


class BookmarkList(LineList):
    """One bookmark a row: label, what it stands on, session, time."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "choose", show=False)]
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
        label_width = min(_LABEL_WIDTH, max(8, width // 3))
        label = pad(cut(f"[{visible(mark.label)}]", label_width), label_width)
        rest = max(0, width - label_width - cell_len(when) - 4)
        text = visible(mark.text)
        session = ""
        if self.with_sessions and rest > 30:
            session = "  " + cut(visible(mark.session), rest // 3)
        body = pad(cut(text, rest - cell_len(session)), rest - cell_len(session)) + session
        dim = self.style_of("bookmark--dim")
        return Strip(
            [
                Segment("› " if selected else "  ", Style()),
                Segment(label, self.style_of("bookmark--label")),
                Segment(f" {body} "),
                Segment(when, dim),
            ]
        )


class BookmarksWindow(ModalScreen[Bookmark]):
    """Bookmarks to jump to. Enter gives one, Esc clears the search and then gives None.

    Args:
        here: bookmarks of the session on screen.
        load_all: starts looking through all sessions; called once, with what takes each list found and
            what is called at the end, both on the app's loop.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", show=False, priority=True),  # in the box it would count as Enter
        Binding("tab", "scope", show=False, priority=True),
    ]

    def __init__(
        self,
        here: Sequence[Bookmark],
        load_all: Callable[[Callable[[list[Bookmark]], None], Callable[[], None]], None],
    ) -> None:
        super().__init__()
        self._here = list(here)
        self._all: list[Bookmark] = []
        self._load_all = load_all
        self._loading = False
        self._loaded = False
        self._box = SearchBox("type to search")
        self._list = BookmarkList()

    def compose(self) -> ComposeResult:
        with Vertical(id="window"):
            yield self._box
            yield self._list

    def on_mount(self) -> None:
        self._box.open()
        if not self._here:
            self._switch(True)
        self._show()

    def action_scope(self) -> None:
        self._switch(not self._list.with_sessions)
        self._show()

    def action_leave(self) -> None:
        if self._box.text:
            self._box.text = ""
        else:
            self.dismiss(None)

    def _switch(self, everywhere: bool) -> None:
        self._list.with_sessions = everywhere
        if everywhere and not self._loading and not self._loaded:
            self._loading = True
            self._load_all(self._found, self._done)

    def _found(self, bookmarks: list[Bookmark]) -> None:
        self._all = newest_first([*self._all, *bookmarks])
        if self.is_mounted and self._list.with_sessions:
            self._show()

    def _done(self) -> None:
        self._loading, self._loaded = False, True
        if self.is_mounted:
            self._show()

    def _show(self) -> None:
        everywhere = self._list.with_sessions
        marks = self._all if everywhere else self._here
        query = Query.parse(self._box.text)
        # At the top one stays at the top, where newer bookmarks come in while files are read.
        here = self._list.bookmarks[self._list.cursor] if self._list.cursor > 0 else None
        shown = [
            mark
            for mark in marks
            if query.empty or query.matches(f"{mark.label} {mark.text} {mark.session}".lower())
        ]
        self._list.bookmarks = shown
        if query.error:
            self._list.empty = query.error
        elif not query.empty:
            self._list.empty = "No bookmark says that. Esc clears the search."
        elif self._loading and everywhere:
            self._list.empty = "Looking through all sessions …"
        else:
            where = "any session" if everywhere else "this session"
            self._list.empty = f"No bookmarks in {where} yet. In the tree, l sets one."
        self._list.rows_changed(shown.index(here) if here in shown else 0)
        window = self.query_one("#window")
        scope = "all sessions" if everywhere else "this session"
        window.border_title = Content(f"Bookmarks · {scope}")
        state = " · looking …" if self._loading and everywhere else ""
        other = "this session" if everywhere else "all sessions"
        hint = keys.hint_words(f"⏎ go   ⇥ {other}   Esc back")
        window.border_subtitle = Content(f"{len(shown)} of {len(marks)}{state}   {hint}")

    @on(SearchBox.Edited)
    def _edited(self) -> None:
        self._show()

    @on(SearchBox.Stepped)
    def _stepped(self, event: SearchBox.Stepped) -> None:
        self._list.step(event.step)

    @on(SearchBox.Left)
    def _left(self) -> None:
        self._choose(self._list.cursor)

    @on(LineList.Chosen)
    def _row_chosen(self, event: LineList.Chosen) -> None:
        event.stop()
        self._choose(event.row)

    def _choose(self, row: int) -> None:
        if 0 <= row < len(self._list.bookmarks):
            self.dismiss(self._list.bookmarks[row])
