"""Events of the file system for a set of folders, by way of watchfiles, which is loaded when first needed.

This uses the class below watchfiles' public `watch()`; a test holds it to what is needed of it. `watch()`
sets its step and its timeout once: a wait until something is due, or at half the cost after a quiet while,
would need a new generator each time, and the events between two generators are lost.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Collection, Sequence, Set
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from watchfiles._rust_notify import RustNotify

STEP = 10
"""Milliseconds between two looks for events while they come; they are told after one or two of these."""
IDLE_STEP = 20
"""The same after a while without any, at half the cost."""
IDLE_AFTER = 60.0
"""Seconds without events that make such a while."""
GATHER = 40
"""Milliseconds that events are gathered at most."""
LATE = 0.5
"""Seconds after which an event counts as lost."""
LOST_AT_MOST = 2
"""Lost events from which on events are not relied on."""


class EventsMissing(Exception):
    """The system gives no events; the text says why."""


class FolderEvents:
    """What happens in some folders, not in those below them.

    Each folder is watched for itself, since what watches a whole tree misses the first files of new folders,
    and continues to watch folders that were removed and made again.

    Attributes:
        folders: the folders watched now.
    """

    def __init__(self) -> None:
        self.folders: frozenset[str] = frozenset()
        self._notify: RustNotify | None = None
        self._last = 0.0

    def watch(self, folders: Sequence[str]) -> None:
        """Watch these folders from now on; what happened in between may go untold.

        Raises:
            EventsMissing: the system refuses; nothing is watched then.
        """
        self.close()
        if not folders:
            return
        try:
            self._notify = open_events(list(folders))
        except Exception as error:  # of the system's or watchfiles' own kind
            raise EventsMissing(str(error)) from error
        self.folders = frozenset(folders)
        self._last = time.monotonic()

    def wait(self, seconds: float, stop: threading.Event) -> set[str]:
        """Wait for events; return the paths they name, none if there were none or `stop` was set.

        Args:
            seconds: how long to wait at most.
            stop: ends the wait.
        """
        if self._notify is None:
            stop.wait(seconds)
            return set()
        idle = time.monotonic() - self._last > IDLE_AFTER
        found = self._notify.watch(GATHER, IDLE_STEP if idle else STEP, max(1, int(seconds * 1000)), stop)
        if isinstance(found, str):
            return set()
        self._last = time.monotonic()
        return {path for _, path in found}

    def close(self) -> None:
        """Watch nothing any more."""
        notify, self._notify = self._notify, None
        self.folders = frozenset()
        if notify is not None:
            notify.close()


def open_events(folders: list[str]) -> RustNotify:
    """Ask the system for events of folders.

    Raises:
        Exception: it has none, or not for so many.
    """
    from watchfiles._rust_notify import RustNotify

    return RustNotify(folders, False, False, 0, False, False)


class EventTrust:
    """Whether changes are announced by events, judged by changes that were found otherwise.

    A change may be found a moment before its event is, so it only counts as lost after a while.

    Attributes:
        lost: whether events are not to be relied on.
    """

    def __init__(self) -> None:
        self.lost = False
        self._heard: set[str] = set()
        self._suspects: set[str] = set()
        self._since = 0.0
        self._count = 0

    def note_event(self, paths: Collection[str]) -> None:
        """Take note that these were announced."""
        if not paths:
            return
        self._heard.update(paths)
        if not self._suspects.isdisjoint(paths):
            self._suspects.clear()
        self.lost, self._count = False, 0

    def unheard(self, changed: Set[str]) -> set[str]:
        """Those of the changed ones that were not announced since this was last asked."""
        heard, self._heard = self._heard, set()
        return set(changed - heard)

    def suspect(self, paths: Set[str], now: float) -> None:
        """Take note that these have changed, and were not announced yet."""
        if paths and not self._suspects:
            self._suspects, self._since = set(paths), now

    def settle(self, now: float) -> bool:
        """See whether what was suspected is lost by now; return whether that ends the trust in events."""
        if not self._suspects or now - self._since < LATE:
            return False
        self._suspects = set()
        self._count += 1
        before, self.lost = self.lost, self._count >= LOST_AT_MOST
        return self.lost and not before
