"""The main screen beside whoever writes: what comes to the open session is shown as it comes."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Any

from textual import on
from textual.message import Message
from textual.timer import Timer

from pitree.catalog.watch.watcher import Watcher
from pitree.config import table
from pitree.session.format.entry_type import Flag, Kind
from pitree.session.live.branch_tips import Tips
from pitree.session.live.follower import FileCheck, Finding
from pitree.session.manager.newest_message import left_behind, newest_message
from pitree.session.reading.entry_table import EntryTable
from pitree.ui.main.arrangement import Page
from pitree.ui.main.browse import BrowseScreen
from pitree.ui.main.follow.live_reading import SessionFollower
from pitree.ui.main.follow.live_state import LiveState, OpenFileCheck
from pitree.ui.main.follow.live_words import words_of
from pitree.ui.toolkit import keys
from pitree.ui.toolkit.background import in_thread, on_loop, show_failure
from pitree.workers.failures import Failure

if TYPE_CHECKING:
    from pitree.session.manager.manager import SessionManager
    from pitree.ui.main.session_loading import OpenedSession
    from pitree.ui.toolkit.choice_window import ChoiceResult

DRAW_EVERY = 0.08
"""Seconds between two redraws while entries stream in; the first of them is shown at once."""

WATCH_AFTER = 0.5
"""Seconds after which watching begins: loading what it needs is not to hold up the first session and list."""


class FilesChanged(Message):
    """Files may have changed."""


class FollowingScreen(BrowseScreen):
    """Follows the open session, and has the list told what to look at."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._watcher = Watcher(
            self.places, self._wake, poll=self._options.config[table.POLL], beside=self.shelf.path
        )
        self._watch_notice = ""
        self._state = LiveState(self, self._show_state)
        self._followed: OpenedSession | None = None
        self._follower: SessionFollower | None = None
        self._table: EntryTable | None = None
        self._tips: Tips | None = None
        self._finding = Finding.SAME
        self._drawn_at = 0.0
        self._drawing: Timer | None = None

    def on_mount(self) -> None:
        self.set_timer(WATCH_AFTER, self._watcher.start)

    def on_unmount(self) -> None:
        self._unfollow()
        self._watcher.stop()

    # -- watching -------------------------------------------------------------------------------------

    def _wake(self) -> None:
        try:
            self.post_message(FilesChanged())
        except RuntimeError:  # the event loop has ended
            pass

    def look(self) -> None:
        """Look at the file of the session that is shown."""
        if self._follower is not None:
            self._follower.stir()

    @on(FilesChanged)
    def _watched(self) -> None:
        changes = self._watcher.take()
        if changes.followed:
            self.look()
        if changes.beside:
            in_thread(self, "read stars and archive", self._look_at_shelf, group="shelf", exclusive=True)
        paths = set(changes.files)
        if changes.everything:
            paths.add(self.places.everything)
        if paths:
            self.sessions_changed(frozenset(paths))
        notice = self._watcher.notice
        if notice != self._watch_notice:
            self._watch_notice = notice
            if notice:
                self.app.report(notice, warning=True)

    def _look_at_shelf(self) -> None:
        """Have what another pitree starred or archived shown; in a thread."""
        self.shelf.refresh()
        self.app.call_from_thread(self.show_shelf)

    def show_shelf(self) -> None:
        """Show what is starred and archived by now."""

    def sessions_changed(self, paths: frozenset[str]) -> None:
        """These session files, or files in these folders, may have changed."""

    # -- the open session -------------------------------------------------------------------------------

    def session_shown(self) -> None:
        """Follow the session that is shown now, once all of it is."""
        opened = self.opened
        self._unfollow()
        if opened is None or opened.provisional:
            return
        session = opened.session
        self._followed, self._table = opened, session.table
        self._tips = Tips(session.table, session.leaf_index)
        self._follower = SessionFollower(session, partial(self._looked, opened))
        self.tree_pane.watch_session(session, self._tips)
        self._warn()
        self._state.watch(opened.path, session)
        on_loop(
            self,
            "follow the session",
            self._follower.run,
            group="follow",
            exclusive=True,
            failed=self._not_followed,
        )
        self._watcher.follow(opened.path)

    def _not_followed(self, failure: Failure) -> None:
        """Say that what comes is not shown any more."""
        self._state.trouble("⚠ no longer following")
        show_failure(self, failure)

    def _unfollow(self) -> None:
        if self._follower is not None:
            self._follower.end()
        if self._drawing is not None:
            self._drawing.stop()
        self._follower = self._followed = self._table = self._tips = self._drawing = None
        self._finding = Finding.SAME
        self._state.stop()

    def _looked(self, opened: OpenedSession, look: FileCheck) -> None:
        if opened is not self._followed:
            return
        before, found = self._finding, look.finding
        self._finding = Finding.SAME if found is Finding.GREW else found
        if found in (Finding.REPLACED, Finding.TOUCHED):
            self.file_changed(opened, look)
        elif found in (Finding.GONE, Finding.UNREADABLE):
            if found is not before:
                self.file_lost(opened, look)
        else:
            if before in (Finding.GONE, Finding.UNREADABLE):
                self.app.report("The file is back")
                self._state.trouble("")
            if look.came:
                self._draw_soon()

    def file_changed(self, opened: OpenedSession, look: FileCheck) -> None:
        """The file is another one by now, or may hold something else."""

    def file_lost(self, opened: OpenedSession, look: FileCheck) -> None:
        """The file is gone, or cannot be read any more."""

    def _draw_soon(self) -> None:
        """Show what came: at once, or as soon as what was shown last has stood for a moment."""
        if self._drawing is not None:
            return
        wait = self._drawn_at + DRAW_EVERY - time.monotonic()
        if wait > 0:
            self._drawing = self.set_timer(wait, self.session_grew)
        else:
            self.session_grew()

    def session_grew(self) -> None:
        """Show what was added to the session shown: rows, header, and the entry where it is told of."""
        if self._drawing is not None:
            self._drawing.stop()
            self._drawing = None
        opened, outline = self._followed, self.tree_pane.outline
        if opened is None or outline is None or self._tips is None:
            return
        session = opened.session
        first, leaf, entry = outline.entry_count, outline.leaf, self.entry_index
        if session.table is not self._table:  # it was brought to another version of the format
            self.file_changed(opened, FileCheck(Finding.REPLACED, first))
            return
        self._drawn_at = time.monotonic()
        growing = len(self._tips.growing)
        by_turns = self._tips.by_turns
        moved = self.tree_pane.take_growth(
            first, reading=self.page is Page.DETAIL, notices=len(session.notices)
        )
        self.header.facts = opened.facts
        self._state.grew()
        self._tell_of_ends(session, growing, by_turns)
        self._warn()
        if not moved and entry >= 0 and _tells_of(session, entry, leaf, first):
            self.detail_pane.show_entry(session, entry)
        self.rows_grew(session, entry)

    def rows_grew(self, session: SessionManager, before: int) -> None:
        """What came is shown now; the cursor was on this entry before."""

    def _show_state(self, words: str) -> None:
        followed = self._followed
        if followed is not None and self._wanted in (None, followed.path):  # else another one is being opened
            self.header.state = words

    def nothing_opens(self) -> None:
        super().nothing_opens()
        self._state.tell()

    @on(OpenFileCheck)
    def _in_use(self, event: OpenFileCheck) -> None:
        self._state.take(event)

    # -- ends and leaf ----------------------------------------------------------------------------------

    def _tell_of_ends(self, session: SessionManager, before: int, by_turns: bool) -> None:
        assert self._tips is not None
        growing = self._tips.growing
        if self._tips.by_turns and not by_turns:
            self.app.report(
                f"This file has {len(growing)} growing branches: two programs write to it in turn. "
                f"{keys.key_label(self, 'ends')} shows them",
                warning=True,
            )
        elif len(growing) > max(1, before):
            begun = words_of(session, growing[0].index)
            shows = f"{keys.key_label(self, 'ends')} shows the {len(growing)} growing branches"
            self.app.report(f"Another branch grows: “{begun[:60]}”. {shows}")

    def _warn(self) -> None:
        """Say in the border of the tree what does not pass."""
        session = self._followed.session if self._followed is not None else None
        if session is None or self._tips is None:
            self.tree_pane.warn()
            return
        ends = len(self._tips.growing)
        words = [f"{ends} growing branches · {keys.key_label(self, 'ends')}"] if ends > 1 else []
        if left_behind(session.table, session.leaf_index) >= 0:
            words.append(f"leaf is an old bookkeeping entry · {keys.key_label(self, 'tree.newest')} newest")
        self.tree_pane.warn(*words)

    def action_ends(self) -> None:
        """Go to an end that grows: to the only one, or to one of those listed."""
        opened, tips = self._followed, self._tips
        growing = tips.growing if tips is not None else []
        if opened is None or tips is None or not growing:
            self.app.report("No branch has grown since this session was opened")
        elif len(growing) == 1:
            self._go_to(growing[0].index)
        else:
            from pitree.ui.main.follow.tips_window import ends_window

            session = opened.session

            def chosen(choice: ChoiceResult | None) -> None:
                if choice is not None and self._followed is not None and self._followed.session is session:
                    self._go_to(int(choice.id))

            self.app.push_screen(ends_window(session, tips, time.time() * 1000), chosen)

    def action_newest(self) -> None:
        """Go to the newest message, wherever the leaf is."""
        newest = newest_message(self.opened.session.table) if self.opened is not None else -1
        if newest >= 0:
            self._go_to(newest)
        else:
            self.app.report("No messages yet" if self.opened else "No session is open")

    def _go_to(self, index: int) -> None:
        self.show_page(Page.TREE)
        if not self.tree_pane.go_to(index):
            every = keys.key_label(self, "tree.filter.all")
            self.app.report(
                f"The filter {self.tree_pane.filter_mode.value} hides it; {every} shows all entries"
            )

    def action_follow(self) -> None:
        """Have the cursor go along with the leaf, wherever the reader is."""
        self.tree_pane.action_follow()


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
