"""The main screen beside whoever writes: what comes to the open session is shown as it comes."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from textual.timer import Timer

from pitree.catalog.watch.watcher import Watcher
from pitree.config import table
from pitree.session.format.entry_type import Flag, Kind
from pitree.session.live.branch_tips import Tips
from pitree.session.live.follower import FileCheck, Finding
from pitree.session.manager.manager import SessionManager
from pitree.session.reading.entry_table import EntryTable
from pitree.state.stars_and_archive import Shelf
from pitree.ui.main.arrangement import Page
from pitree.ui.main.follow.branch_ends import BranchEnds
from pitree.ui.main.follow.live_reading import SessionFollower
from pitree.ui.main.follow.live_state import LiveState
from pitree.ui.main.host import Controller, Host
from pitree.ui.main.opening import Opening
from pitree.ui.main.session_loading import OpenedSession
from pitree.ui.toolkit.background import in_thread, on_loop, show_failure
from pitree.workers.failures import Failure

DRAW_EVERY = 0.08
"""Seconds between two redraws while entries stream in; the first of them is shown at once."""

WATCH_AFTER = 0.5
"""Seconds after which watching begins: loading what it needs is not to hold up the first session and list."""


class SessionFollowing(Controller):
    """Follows the open session, and has the list look at files that may have changed.

    Args:
        host: the screen.
        opening: the session shown.
        shelf: what is starred and archived.

    Attributes:
        followed: the session that is followed; None for none.
        changed: called with it when its file is another one, or may hold something else.
        lost: called with it when its file is gone, or cannot be read any more.
        before_grown: called before what came is shown.
        after_grown: called after it, with the session and the entry on which the cursor was.
        woken: called when the file may have changed, before anybody looks at it.
    """

    def __init__(self, host: Host, opening: Opening, shelf: Shelf) -> None:
        super().__init__(host)
        self._opening = opening
        self._shelf = shelf
        self.changed: Callable[[OpenedSession, FileCheck], None] | None = None
        self.lost: Callable[[OpenedSession, FileCheck], None] | None = None
        self.before_grown: list[Callable[[], None]] = []
        self.after_grown: list[Callable[[SessionManager, int], None]] = []
        self.woken: list[Callable[[], None]] = []
        self.watcher = Watcher(
            host.places, self._wake, poll=self.app.options.config[table.POLL], beside=shelf.path
        )
        self._watch_notice = ""
        self.state = LiveState(host, self._show_state)
        self.followed: OpenedSession | None = None
        self.ends = BranchEnds(host, self._tips_followed)
        self._follower: SessionFollower | None = None
        self._table: EntryTable | None = None
        self._tips: Tips | None = None
        self._finding = Finding.SAME
        self._drawn_at = 0.0
        self._drawing: Timer | None = None
        opening.after_shown.append(self.session_shown)
        opening.given_up.append(lambda path: self.state.tell())

    def start(self) -> None:
        """Begin to watch, a little later."""
        self.host.set_timer(WATCH_AFTER, self.watcher.start)

    def stop(self) -> None:
        """End with the screen."""
        self.unfollow()
        self.watcher.stop()

    def _tips_followed(self) -> tuple[OpenedSession, Tips] | None:
        return (self.followed, self._tips) if self.followed is not None and self._tips is not None else None

    # -- watching -------------------------------------------------------------------------------------

    def _wake(self) -> None:
        try:
            self.host.call_later(self._watched)
        except RuntimeError:  # the event loop has ended
            pass

    def look(self) -> None:
        """Look at the file of the session that is shown."""
        for notify in self.woken:
            notify()
        if self._follower is not None:
            self._follower.stir()

    def _watched(self) -> None:
        changes = self.watcher.take()
        if changes.followed:
            self.look()
        if changes.beside:
            in_thread(self.host, "read stars and archive", self._look_at_shelf, group="shelf", exclusive=True)
        paths = set(changes.files)
        if changes.everything:
            paths.add(self.host.places.everything)
        if paths:
            self.panes.picker.files_changed(paths)
        notice = self.watcher.notice
        if notice != self._watch_notice:
            self._watch_notice = notice
            if notice:
                self.app.report(notice, warning=True)

    def _look_at_shelf(self) -> None:
        """Have what another pitree starred or archived shown; in a thread."""
        self._shelf.refresh()
        self.app.call_from_thread(self.show_shelf)

    def show_shelf(self) -> None:
        """Show what is starred and archived by now."""
        self.panes.picker.shelf_changed()
        if self.opened is not None:
            self.panes.tree.set_archived(self._opening.archived_in(self.opened))

    def refresh_listed(self, path: Path) -> None:
        """Have the list look at one file."""
        self.panes.picker.files_changed({str(path)})

    # -- the open session -------------------------------------------------------------------------------

    def session_shown(self) -> None:
        """Follow the session that is shown now, once all of it is."""
        opened = self.opened
        self.unfollow()
        if opened is None or opened.provisional:
            return
        session = opened.session
        self.followed, self._table = opened, session.table
        self._tips = Tips(session.table, session.leaf_index)
        self._follower = SessionFollower(session, partial(self._looked, opened))
        self.panes.tree.watch_session(session, self._tips)
        self.ends.warn()
        self.state.watch(opened.path, session)
        on_loop(
            self.host,
            "follow the session",
            self._follower.run,
            group="follow",
            exclusive=True,
            failed=self._not_followed,
        )
        self.watcher.follow(opened.path)

    def _not_followed(self, failure: Failure) -> None:
        """Say that what comes is not shown any more."""
        self.state.trouble("⚠ no longer following")
        show_failure(self.host, failure)

    def unfollow(self) -> None:
        if self._follower is not None:
            self._follower.end()
        self._stop_drawing()
        self._follower = self.followed = self._table = self._tips = None
        self._finding = Finding.SAME
        self.state.stop()

    def _looked(self, opened: OpenedSession, look: FileCheck) -> None:
        if opened is not self.followed:
            return
        before, found = self._finding, look.finding
        self._finding = Finding.SAME if found is Finding.GREW else found
        if found in (Finding.REPLACED, Finding.TOUCHED):
            self._report(self.changed, opened, look)
        elif found in (Finding.GONE, Finding.UNREADABLE):
            if found is not before:
                self._report(self.lost, opened, look)
        else:
            if before in (Finding.GONE, Finding.UNREADABLE):
                self.app.report("The file is back")
                self.state.trouble("")
            if look.came:
                self._draw_soon()

    def _report(
        self, to: Callable[[OpenedSession, FileCheck], None] | None, opened: OpenedSession, look: FileCheck
    ) -> None:
        if to is not None:
            to(opened, look)

    def _draw_soon(self) -> None:
        """Show what came: at once, or as soon as what was shown last has stood for a moment."""
        if self._drawing is not None:
            return
        wait = self._drawn_at + DRAW_EVERY - time.monotonic()
        if wait > 0:
            self._drawing = self.host.set_timer(wait, self.session_grew)
        else:
            self.session_grew()

    def _stop_drawing(self) -> None:
        if self._drawing is not None:
            self._drawing.stop()
            self._drawing = None

    def session_grew(self) -> None:
        """Show what was added to the session shown: rows, header, and the entry where it is told of."""
        self._stop_drawing()
        opened, outline = self.followed, self.panes.tree.outline
        if opened is None or outline is None or self._tips is None:
            return
        for notify in self.before_grown:
            notify()
        session = opened.session
        first, leaf, entry = outline.entry_count, outline.leaf, self.entry_index
        if session.table is not self._table:  # it was brought to another version of the format
            self._report(self.changed, opened, FileCheck(Finding.REPLACED, first))
            return
        self._drawn_at = time.monotonic()
        growing = len(self._tips.growing)
        by_turns = self._tips.by_turns
        moved = self.panes.tree.take_growth(
            first, reading=self.host.page is Page.DETAIL, notices=len(session.notices)
        )
        self.panes.header.facts = opened.facts
        self.state.grew()
        self.ends.report_growth(session, self._tips, growing, by_turns)
        self.ends.warn()
        if not moved and entry >= 0 and _tells_of(session, entry, leaf, first):
            self.panes.detail.show_entry(session, entry)
        for shown in self.after_grown:
            shown(session, entry)

    def _show_state(self, words: str) -> None:
        followed = self.followed
        if followed is not None and self._opening.wanted in (
            None,
            followed.path,
        ):  # else another one is being opened
            self.panes.header.state = words


def _tells_of(session: SessionManager, entry: int, leaf: int, first: int) -> bool:
    """Whether entries from `first` on say something that an entry is shown with.

    Args:
        session: the session.
        entry: the entry shown.
        leaf: the leaf before they came.
        first: the first of them.
    """
    table = session.table
    news = table.kinds[first:]
    return (
        (entry == leaf and leaf != session.leaf_index)
        or Kind.LABEL in news
        or Kind.CONTEXT_EDIT in news
        or (Kind.TOOL_RESULT in news and bool(table.flags[entry] & Flag.CALLS))
    )
