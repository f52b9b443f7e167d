"""What happens to the file of the open session, other than growing: replaced, moved, gone and back."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from textual.worker import get_current_worker

from pitree.pi.places import SUFFIX, is_listed
from pitree.session.live.follower import FileCheck, Finding
from pitree.ui.main.follow.following import SessionFollowing
from pitree.ui.main.follow.live_reading import (
    ReloadFailed,
    ReloadRequest,
    SessionReloaded,
    read_again,
    same_entries,
)
from pitree.ui.main.follow.restore_point import RestorePoint, place_in
from pitree.ui.main.host import Controller, Host
from pitree.ui.main.opening import Opening
from pitree.ui.toolkit.background import in_thread

if TYPE_CHECKING:
    from pitree.session.manager.manager import SessionManager
    from pitree.ui.main.session_loading import OpenedSession

AGAIN_AFTER = 0.3
"""Seconds after which a file that could not be shown is tried again, once it has changed."""


class Reloading(Controller):
    """Reads a file again when it is another one, and keeps the reader's place.

    Args:
        host: the screen.
        opening: the session shown.
        following: what notices that the file is another one.
    """

    def __init__(self, host: Host, opening: Opening, following: SessionFollowing) -> None:
        super().__init__(host)
        self._opening = opening
        self._following = following
        self._again: ReloadRequest | None = None
        self._unread: Path | None = None
        self._place = RestorePoint()
        self._awaiting = False
        self._landed = -1
        following.changed, following.lost = self.file_changed, self.file_lost
        following.woken.append(self._look)
        following.after_grown.append(self._rows_grew)
        opening.after_shown.append(self._session_shown)
        opening.before_opening.append(self._forget)
        opening.given_up.append(self.session_failed)

    # -- what happens to the file -----------------------------------------------------------------------

    def file_changed(self, opened: OpenedSession, look: FileCheck) -> None:
        touched = look.finding is Finding.TOUCHED
        self.reload(ReloadRequest(opened.path, f"Reloaded: {look.words}" if look.words else "", touched))

    def file_lost(self, opened: OpenedSession, look: FileCheck) -> None:
        words = look.words
        self._following.state.trouble(f"⚠ {words}")
        moved = opened.session.moved_to() if look.finding is Finding.GONE else None
        if moved is None:
            self.app.report(f"{words[:1].upper()}{words[1:]}. What was loaded is still shown", warning=True)
        elif self._is_place_of_sessions(moved):
            self.reload(ReloadRequest(moved, f"The file was moved to {moved}"))
        else:
            self.app.report(f"The file was moved to {moved}. What was loaded is still shown", warning=True)

    def _session_shown(self) -> None:
        if self._following.followed is not None:
            self._unread = None

    def session_failed(self, path: Path | None) -> None:
        """Try again to show a file that cannot be shown once it has changed."""
        if path is not None:
            self._following.unfollow()
            self._unread = path
            self._following.watcher.follow(path)

    def _look(self) -> None:
        if self._unread is not None:
            self.host.set_timer(AGAIN_AFTER, partial(self._try_again, self._unread))

    def _rows_grew(self, session: SessionManager, before: int) -> None:
        """Go to the entry that was lost when the file was read again, once it is there again."""
        if not self._awaiting:
            return
        if before != self._landed:  # the reader has gone elsewhere
            self._awaiting = False
            return
        self.panes.tree.go_to(self._place.find(session))
        self._awaiting = not self._place.is_in(session)
        self._landed = self.entry_index

    def _is_place_of_sessions(self, path: Path) -> bool:
        beside = self._following.followed is not None and os.path.realpath(path.parent) == os.path.realpath(
            self._following.followed.path.parent
        )
        return path.suffix == SUFFIX and (beside or is_listed(path.parent, self.host.places))

    def _forget(self) -> None:
        """Another session is about to be opened."""
        self._again = self._unread = None
        self._place, self._awaiting = RestorePoint(), False

    def reload(self, wish: ReloadRequest) -> None:
        """Read a file again in place of the one shown; what is shown stays until that is done."""
        if self._again is not None or not self._is_wanted(wish.path):
            return
        self._again = wish
        self._keep_place()
        mode = self.panes.tree.filter_mode

        def work() -> None:
            worker = get_current_worker()
            cancelled = self.app.input_priority.while_asked(lambda: worker.is_cancelled)
            read_again(wish, mode, self.host.post_message, cancelled)

        in_thread(
            self.host,
            "read the session again",
            work,
            group="session",
            exclusive=True,
            failed=lambda failure: self.take_failure(ReloadFailed(wish, failure.words)),
        )

    def _is_wanted(self, path: Path) -> bool:
        """Whether no other session is being opened."""
        shown = self._following.followed.path if self._following.followed is not None else None
        return self._opening.wanted in (None, path, shown)

    def _try_again(self, path: Path) -> None:
        if path == self._unread:
            self.reload(ReloadRequest(path))

    def _keep_place(self) -> None:
        """Remember where the reader is, unless it is where a reading before this one has put them."""
        opened, outline = self._following.followed, self.panes.tree.outline
        if opened is None or outline is None or (self._awaiting and self.entry_index == self._landed):
            return
        session = opened.session
        self._place = place_in(
            session, self.entry_index, at_leaf=self.panes.tree.goes_along, folded=outline.folded
        )

    def take_reloaded(self, event: SessionReloaded) -> None:
        wish, opened, place = event.wish, event.opened, self._place
        if wish is not self._again:
            return
        self._again = None
        before = self._following.followed.session if self._following.followed is not None else None
        if wish.if_changed and before is not None and same_entries(before, opened.session):
            return
        if wish.words:
            self.app.report(wish.words)
        following = self.panes.tree.following
        index = place.find(opened.session)
        self._opening.show_session(opened, index if index >= 0 else None, stays=True)
        self.panes.tree.following = following and place.at_leaf
        by_id = opened.session.table.by_id
        self.panes.tree.fold_entries([by_id[one] for one in place.folded if one in by_id])
        self._awaiting, self._landed = not place.is_in(opened.session), self.entry_index

    def take_failure(self, event: ReloadFailed) -> None:
        if event.wish is not self._again:
            return
        self._again = None
        if self._unread is None:
            self.app.report(event.reason, warning=True)
        self._opening.show_failure(event.reason)
        self.session_failed(event.wish.path)
