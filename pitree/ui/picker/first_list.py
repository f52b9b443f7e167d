"""The list of sessions as it looks in the first frame, while the code of the picker is still being loaded."""

from __future__ import annotations

import time
from collections.abc import Callable

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from pitree.catalog.loading.lister import SessionList, newest_first
from pitree.catalog.loading.prefetch import Prefetch
from pitree.config import table
from pitree.config.config import Config
from pitree.state.memory import Memory
from pitree.state.stars_and_archive import Shelf
from pitree.ui.picker.activity_marks import state_words
from pitree.ui.picker.list_loader import Folders, ListScope, rows_for
from pitree.ui.picker.picker_state import ListOptions, SessionLists, summary
from pitree.ui.picker.session_preview import ROOM_FOR_PREVIEW, SessionPreview
from pitree.ui.picker.session_rows import PickerRows, RowExtras
from pitree.ui.toolkit import keys


class FirstSessions(Vertical):
    """Shows the sessions that are read ahead, as the picker will; nothing in it takes a key.

    Args:
        ahead: what is read ahead.
        config, memory, shelf: as for the picker.
        clock: tells the time now, in seconds since 1970.
    """

    def __init__(
        self,
        ahead: Prefetch,
        config: Config,
        memory: Memory,
        shelf: Shelf,
        clock: Callable[[], float] = time.time,
    ) -> None:
        super().__init__(id="sessions", classes="frame -front")
        self._ahead = ahead
        self._wishes = ListOptions.at_first(config, memory, shelf)
        self.rows = PickerRows(clock=clock, date_style=config[table.DATE_STYLE])
        self.rows.can_focus = False
        self._preview = SessionPreview()

    def compose(self) -> ComposeResult:
        yield Static(Content.assemble(("/ ", "$accent"), ("search", "$foreground-muted")), id="first-search")
        yield self.rows
        yield self._preview

    def on_mount(self) -> None:
        # It looks as if it had the focus, as it will have; keys are kept for the picker.
        self.rows.set_reactive(PickerRows.has_focus, not keys.table_of(self).typing)
        self.border_title = Content(self._wishes.title())
        self._ahead.look()
        self.show()

    def on_resize(self) -> None:
        self._place_preview(self.size.height)

    def _place_preview(self, height: int) -> None:
        self._preview.display = height >= ROOM_FOR_PREVIEW and self.rows.selected is not None

    def look(self) -> None:
        """Show what has been read since the last look, unless that is only more than there is room for."""
        full = self.rows.row_count() >= self.size.height > 0
        if self._ahead.look() and (self._ahead.whole or not full):
            self.show()

    def show(self) -> None:
        """Show what is there."""
        ahead, lists, scope = self._ahead, SessionLists(), self._wishes.scope
        lists.sessions[scope] = SessionList(newest_first(ahead.sessions))
        if not ahead.whole:
            lists.reading[scope] = (len(ahead.sessions), ahead.total)
        arranged = next(rows_for(self._wishes.request(lists), Folders(), lambda: False))
        shown = RowExtras(folders=scope is ListScope.ALL, gone=arranged.gone)
        self.rows.show(arranged.rows, shown, 0)
        selected, now = self.rows.selected, self.rows.now
        if selected is not None:
            state = state_words(selected, now, shown.in_use)
            self._preview.show(selected, gone=selected.cwd in shown.gone, state=state)
        self.border_subtitle = Content(
            summary(lists, self._wishes, arranged.rows, self.rows.cursor, ahead.places)
        )
        # Before the first frame nothing has a size yet; above and below there is a line, and a border.
        self._place_preview(self.size.height or self.app.size.height - 4)
