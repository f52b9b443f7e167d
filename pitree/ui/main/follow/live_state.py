"""What stands at the right end of the header while nothing is loading: what the open session is doing."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from textual.timer import Timer

from pitree.session.manager.activity import LastMessage
from pitree.session.manager.manager import SessionManager
from pitree.session.storage.open_files import files_in_use
from pitree.ui.main.follow.live_words import state_of
from pitree.ui.main.host import Host
from pitree.ui.picker.activity_marks import IN_PI
from pitree.ui.toolkit.background import in_thread

IN_USE_EVERY = 30.0
"""Seconds between two looks at who has the open file open for writing, while it grows or is open so."""

IN_USE_AFTER = 1.0
"""Seconds after a session is shown before that is asked: who only goes through the list asks nothing."""


class LiveState:
    """Keeps the words for what a session is doing; they age by a timer that runs no oftener than they change.

    Args:
        host: whose timers and workers are used.
        show: shows the words.
        clock: tells the time now, in seconds since 1970.
    """

    def __init__(
        self, host: Host, show: Callable[[str], object], clock: Callable[[], float] = time.time
    ) -> None:
        self._host = host
        self._show = show
        self._clock = clock
        self._path: Path | None = None
        self._last: LastMessage | None = None
        self._timer: Timer | None = None
        self._asked_at = 0.0
        self._asking: Timer | None = None
        self._in_use = False
        self._trouble = ""

    def watch(self, path: Path, session: SessionManager) -> None:
        """Tell of this session from now on."""
        self.stop()
        self._path, self._last = path, LastMessage(session)
        self._asking = self._host.set_timer(IN_USE_AFTER, self._ask_who_writes)
        self.tell()

    def stop(self) -> None:
        """Tell of no session any more."""
        for timer in (self._timer, self._asking):
            if timer is not None:
                timer.stop()
        self._timer = self._asking = self._last = self._path = None
        self._in_use, self._trouble, self._asked_at = False, "", 0.0

    def grew(self) -> None:
        """Take what came."""
        if self._last is not None:
            self._last.update()
            if self._asked_at:
                self._ask_who_writes()
            self.tell()

    def trouble(self, words: str) -> None:
        """Say this in place of all else, until it is empty."""
        self._trouble = words
        self.tell()

    def take(self, path: Path, in_use: bool) -> None:
        """Take the answer to whether another process has the file open for writing."""
        if path == self._path:
            self._in_use = in_use
            if in_use:
                self._asking = self._host.set_timer(IN_USE_EVERY, self._ask_who_writes)
            self.tell()

    def tell(self) -> None:
        """Show the words, and look at them again when they change."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        if self._last is None:
            return
        if self._trouble:
            self._show(self._trouble)
            return
        now = self._clock() * 1000
        state = state_of(self._last.activity, self._last.time, now, open_in_pi=self._in_use)
        if state.holds < 86_400:
            self._timer = self._host.set_timer(state.holds, self.tell)
        self._show(" · ".join(filter(None, [state.words, IN_PI if self._in_use else ""])))

    def _ask_who_writes(self) -> None:
        now = time.monotonic()
        if self._path is None or (self._asked_at and now - self._asked_at < IN_USE_EVERY):
            return
        self._asked_at = now
        in_thread(
            self._host,
            "see who writes to the session",
            partial(self._see_who_writes, self._path),
            group="in use",
            exclusive=True,
        )

    def _see_who_writes(self, path: Path) -> None:
        try:
            status = os.stat(path)
        except OSError:
            return
        in_use = (status.st_dev, status.st_ino) in files_in_use()
        self._host.call_later(self.take, path, in_use)
