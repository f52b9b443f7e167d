"""Opening sessions: the one the program starts with, the one under the cursor, the one that is chosen."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from textual.timer import Timer
from textual.worker import get_current_worker

from pitree.outline.filters import FilterMode
from pitree.state.stars_and_archive import Shelf
from pitree.text.sanitize import visible
from pitree.ui.main.arrangement import Page
from pitree.ui.main.header import HeaderFacts
from pitree.ui.main.host import Controller, Host
from pitree.ui.main.session_loading import (
    OpenedSession,
    SessionFailed,
    SessionOpened,
    SessionProgress,
    open_session,
    prepared,
)
from pitree.ui.toolkit.background import in_thread

PREVIEW_PAUSE = 0.15
"""Seconds the cursor rests on a session of the list before its tree is shown, until one is chosen."""


class Opening(Controller):
    """Opens sessions and shows them.

    Args:
        host: the screen.
        shelf: what is starred and archived.
        read_only_reason: why a session cannot be written to; empty where it can.

    Attributes:
        session: the session shown.
        wanted: the file that is being opened, or shown.
        chosen: whether the reader has chosen a session; before, the row of the list is shown.
        before_opening: called when another session is about to be opened.
        before_shown: called with a session before it is shown.
        after_shown: called when a session, or the end of one, is shown.
        given_up: called when nothing is being opened any more; with the file if it cannot be shown.
    """

    def __init__(self, host: Host, shelf: Shelf, read_only_reason: Callable[[Path], str]) -> None:
        super().__init__(host)
        self._shelf = shelf
        self._read_only_reason = read_only_reason
        self.session: OpenedSession | None = None
        self.wanted: Path | None = None
        self.chosen = self.app.options.path is not None
        self.before_opening: list[Callable[[], None]] = []
        self.before_shown: list[Callable[[OpenedSession], None]] = []
        self.after_shown: list[Callable[[], None]] = []
        self.given_up: list[Callable[[Path | None], None]] = []
        self._entry: str | None = None
        self._preview_pause: Timer | None = None

    @property
    def chosen_path(self) -> Path | None:
        """The session the reader has opened; None while what is shown is but a look at a row of the list."""
        return self.session.path if self.chosen and self.session is not None else None

    def clear_entry(self) -> None:
        """Show no entry."""
        self.panes.detail.clear("The entry under the cursor is shown here.")

    def open_first(self, path: Path) -> None:
        """Open the session with which the program was started, from what was read of it by now."""
        first = self.app.options.first_tree
        read = first.wait(0) if first is not None else None
        if read is None:
            self.open_path(path)
            return
        self._shelf.refresh()
        self.wanted, self.panes.header.state = path, "loading"
        self.host.post_message(SessionOpened(prepared(path, read)))
        if read.session.partial:
            self._start_opening(path, end_shown=True)

    def open_path(self, path: Path, entry_id: str | None = None) -> None:
        """Start opening a session file; what is shown changes when the first of it is there.

        Args:
            path: the file.
            entry_id: the entry to put the cursor on; where Pi would by default.
        """
        for notify in self.before_opening:
            notify()
        self.wanted, self._entry = path, entry_id
        self.panes.header.state = "loading"
        if self.session is None:
            self.panes.tree.clear(f"Loading {visible(path.name)}")
        self._start_opening(path)

    def _start_opening(self, path: Path, *, end_shown: bool = False) -> None:
        work = partial(self._open, path, self.panes.tree.filter_mode, end_shown)
        in_thread(
            self.host,
            "read the session",
            work,
            group="session",
            exclusive=True,
            failed=lambda failure: self.take_failure(SessionFailed(path, failure.words)),
        )

    def _open(self, path: Path, mode: FilterMode, end_shown: bool) -> None:
        worker = get_current_worker()
        self._shelf.refresh()
        cancelled = self.app.input_priority.while_asked(lambda: worker.is_cancelled)
        open_session(path, mode, self.host.post_message, cancelled, end_shown=end_shown)

    def take_opened(self, event: SessionOpened) -> None:
        """A session, or the end of one, is there."""
        opened, before = event.opened, self.session
        if opened.path != self.wanted:
            return
        by_id = opened.session.table.by_id
        wanted, stays = self._entry, False
        entry = by_id.get(wanted) if wanted is not None else None  # an id may be ""
        folded: list[str] = []
        if entry is not None:
            self._entry = None  # there by now; what is read of the file from now on moves no cursor
        elif before is not None and before.path == opened.path and self.entry_index >= 0:
            ids = before.session.table.ids
            entry, stays = by_id.get(ids[self.entry_index]), True
            folded = [ids[index] for index in before.outline.folded] if before.provisional else []
        self.show_session(opened, entry, stays=stays)
        self.panes.tree.fold_entries([by_id[one] for one in folded if one in by_id])

    def show_session(self, opened: OpenedSession, entry: int | None, *, stays: bool = False) -> None:
        """Show a session.

        Args:
            opened: the session.
            entry: index of the entry to go to; None for where Pi would start.
            stays: whether the cursor keeps its height on screen.
        """
        for notify in self.before_shown:
            notify(opened)
        self.session, self.wanted = opened, opened.path
        if self.chosen:
            self.panes.picker.mark_open(opened.path)
        self.panes.header.facts = opened.facts
        self.panes.header.state = "loading" if opened.provisional else ""
        self.panes.tree.show(
            opened.outline,
            opened.texts,
            notices=len(opened.session.notices),
            entry=entry,
            keep_screen_row=stays,
            archived=self.archived_in(opened),
        )
        self.host.arrange_panes()
        self._after_showing(opened)

    def archived_in(self, opened: OpenedSession) -> frozenset[str]:
        """Ids of the entries at which archived branches of a session start."""
        return self._shelf.of(opened.session.get_session_id(), str(opened.path)).branches

    def _after_showing(self, opened: OpenedSession) -> None:
        self.panes.header.locked = bool(self._read_only_reason(opened.path))
        for notify in self.after_shown:
            notify()

    def take_progress(self, event: SessionProgress) -> None:
        if event.path == self.wanted and (
            self.session is None or self.session.path != event.path or self.session.provisional
        ):
            self.panes.header.state = event.words

    def take_failure(self, event: SessionFailed) -> None:
        if event.path != self.wanted:
            return
        self.wanted = None
        self.panes.header.state = ""
        for notify in self.given_up:
            notify(None)
        self.app.report(event.reason, warning=True)
        if self.session is None or self.session.path == event.path:
            self.show_failure(event.reason)
            for notify in self.given_up:
                notify(event.path)

    def show_failure(self, reason: str) -> None:
        """Show no session, but why a file cannot be shown."""
        self.session = None
        self.panes.header.facts = HeaderFacts()
        self.panes.header.state = ""
        self.panes.tree.clear(f"This file cannot be shown: {visible(reason)}")
        self.clear_entry()

    def choose(self, path: Path, entry_id: str | None = None) -> None:
        """Open a session because the reader wants this one, and go to its tree, at an entry if given."""
        self.chosen = True
        self._stop_preview()
        if path == self.wanted and entry_id is None:
            self.panes.picker.mark_open(path)
        else:
            self.open_path(path, entry_id)
        self.host.show_page(Page.TREE)

    def preview(self, path: str) -> None:
        """Show the tree of a row of the list, unless a session was chosen; "" for no row."""
        self._stop_preview()
        if path and not self.chosen:
            self._preview_pause = self.host.set_timer(PREVIEW_PAUSE, lambda: self.open_path(Path(path)))

    def _stop_preview(self) -> None:
        if self._preview_pause is not None:
            self._preview_pause.stop()
            self._preview_pause = None
