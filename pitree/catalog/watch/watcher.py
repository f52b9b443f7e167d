"""Watches the folders of sessions, in a thread of its own, and says which files may have changed.

What it says only means "look": events of the system are quick, but some are lost, and some file systems send
none. The truth is a timer that asks for size and time of what is open, and more rarely of everything.
"""

from __future__ import annotations

import math
import os
import threading
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass

from pitree.catalog.watch.fs_events import EventsMissing, EventTrust, FolderEvents
from pitree.pi.places import SUFFIX, Places, session_folders
from pitree.workers.failures import Failure, start_thread

FOLLOW_EVERY = 1.0
"""Seconds between two looks at the open file where events come."""
FOLLOW_POLLING = 0.15
"""The same where they do not."""
SCAN_EVERY = 10.0
"""Seconds between two looks at all files where events come."""
SCAN_POLLING = 1.0
"""The same where they do not."""
FOLDERS_EVERY = 4.0
"""Seconds between two looks at which folders there are, where events come."""
MOST_LOOKING = 1 / 300
"""Share of the time that may go into looking at all files, and at all folders."""

REST = 4
"""A look that took long by the clock, on a slow disk or a busy machine, is followed by so many times as long
without one."""
BESIDE_EVERY = 1.0
"""Seconds between two looks at the file beside the sessions."""
OTHERS_EVERY = 0.2
"""Seconds that changes of files which are not open are gathered."""
RETRY_EVENTS = 60.0
"""Seconds after which events are asked for again where the system refused."""

Stamp = tuple[int, int, int, int]
"""Device, inode, size and time of change (ns) of a file."""


@dataclass(frozen=True, slots=True)
class Changes:
    """What may have changed since the last time.

    Attributes:
        files: session files that came, changed or went, as paths below the watched folders.
        everything: whether folders came or went, or watching began, so that all has to be looked through.
        followed: whether it may be the followed file.
        beside: whether it is the file beside the sessions.
    """

    files: frozenset[str] = frozenset()
    everything: bool = False
    followed: bool = False
    beside: bool = False


class Watcher:
    """Watches where sessions lie, and one open file wherever it lies.

    Args:
        places: where the sessions lie.
        wake: called, in the watcher's thread, when there is something to `take`; once until it is taken.
        poll: ask for no events, look at files more often instead.
        beside: a small file that is not a session, which other programs change; None for none.
    """

    def __init__(
        self,
        places: Places,
        wake: Callable[[], object],
        *,
        poll: bool = False,
        beside: str | os.PathLike[str] | None = None,
    ) -> None:
        self._root = places.everything
        self._flat = places.session_dir is not None
        self._wake = wake
        self._poll = poll
        self._thread: threading.Thread | None = None
        self._stir = threading.Event()
        self._ended = False
        self._lock = threading.Lock()
        self._changes = Changes()
        self._woken = False
        self._events = FolderEvents()
        self._refused = self._failure = ""
        self._retry_at = 0.0
        self._trust = EventTrust()
        self._folders: dict[str, tuple[int, int]] | None = None
        self._folders_at = 0.0
        self._known: dict[str, Stamp] = {}
        self._scan_at = 0.0
        self._held: set[str] = set()
        self._others_at = 0.0
        self._followed: _Followed | None = None
        self._beside = os.fspath(beside) if beside is not None else ""
        self._beside_stamp = stamp_of(self._beside)
        self._beside_at = 0.0 if self._beside else math.inf

    # -- for others ---------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin to watch."""
        self._thread = start_thread("pitree-watch", "watch the session files", self._run, self._failed)

    def stop(self, wait: float = 1.0) -> None:
        """End watching; wait at most so many seconds for it."""
        self._ended = True
        self._stir.set()
        if self._thread is not None:
            self._thread.join(wait)

    def follow(self, path: str | os.PathLike[str] | None) -> None:
        """Look most often at this file from now on, and at once; None for none."""
        self._followed = _Followed(os.fspath(path)) if path is not None else None
        self._stir.set()

    def take(self) -> Changes:
        """What may have changed since it was last asked."""
        with self._lock:
            changes, self._changes = self._changes, Changes()
            self._woken = False
        return changes

    @property
    def notice(self) -> str:
        """Why files are looked at often though nobody asked for it, or no more; empty if they are not."""
        if self._failure:
            return f"{self._failure} To see changes by other programs, reload"
        if self._refused:
            return f"No file events ({self._refused}); polling files instead"
        followed = self._followed
        if self._trust.lost or (followed is not None and followed.trust.lost):
            return "File events do not arrive here; polling files instead"
        return ""

    # -- the thread ---------------------------------------------------------------------------------

    def _failed(self, failure: Failure) -> None:
        self._failure = failure.words
        self._tell(everything=True)

    def _run(self) -> None:
        try:
            while not self._ended:
                self._stir.clear()
                followed = self._followed
                now = time.monotonic()
                if now >= self._folders_at or (followed is not None and not followed.folders):
                    self._look_at_folders(followed, now)
                if now >= self._scan_at:
                    self._look_at_all(now)
                if followed is not None and now >= followed.look_at:
                    self._look_at(followed, now)
                if now >= self._beside_at:
                    self._look_beside(now)
                if self._held and now >= self._others_at:
                    self._others_at = now + OTHERS_EVERY
                    self._tell(files=self._held)
                    self._held = set()
                self._wait(followed)
        finally:
            self._events.close()

    def _wait(self, followed: _Followed | None) -> None:
        """Wait for events, for something to be due, or for somebody to stir."""
        until = min(self._scan_at, self._folders_at, self._beside_at)
        if followed is not None:
            until = min(until, followed.look_at)
        if self._held:
            until = min(until, self._others_at)
        paths = self._events.wait(max(0.001, until - time.monotonic()), self._stir)
        if not paths:
            return
        now = time.monotonic()
        files = {path for path in paths if path.endswith(SUFFIX)}
        if followed is not None and followed.names & paths:
            followed.trust.note_event((followed.path,))
            files -= followed.names
            self._tell(files={followed.path}, followed=True)
        self._trust.note_event(files)
        self._held |= files
        if not paths.isdisjoint(self._folders or ()):
            self._folders = None  # made again it may well look the same, but its events do not come
        if any(not path.endswith(SUFFIX) for path in paths):
            self._folders_at = min(self._folders_at, now + OTHERS_EVERY / 2)

    def _tell(
        self,
        files: Collection[str] = (),
        *,
        everything: bool = False,
        followed: bool = False,
        beside: bool = False,
    ) -> None:
        with self._lock:
            before = self._changes
            self._changes = Changes(
                before.files | set(files),
                before.everything or everything,
                before.followed or followed,
                before.beside or beside,
            )
            wake, self._woken = not self._woken, True
        if wake:
            self._wake()

    # -- looking --------------------------------------------------------------------------------------

    @property
    def _looks_often(self) -> bool:
        return self._poll or bool(self._refused) or self._trust.lost

    def _look_at_folders(self, followed: _Followed | None, now: float) -> None:
        """See which folders there are; if they are others than before, watch those."""
        look = _Stopwatch()
        wanted = [self._root] if self._flat else [self._root, *session_folders(self._root)]
        if followed is not None:
            followed.find_out()
            wanted += followed.folders
        there = {}
        for folder in wanted:
            try:
                status = os.stat(folder)
            except OSError:
                continue
            if os.access(folder, os.R_OK | os.X_OK):
                there[folder] = (status.st_dev, status.st_ino)
        often = self._looks_often or self._root not in there
        self._folders_at = now + max(SCAN_POLLING if often else FOLDERS_EVERY, look.pause)
        if there != self._folders or (self._refused and now >= self._retry_at):
            self._folders = there
            self._watch(now)
            self._known = stamps(there)
            if followed is not None:
                followed.look_at = 0.0
            self._tell(everything=True)

    def _watch(self, now: float) -> None:
        self._refused = ""
        if self._poll or not self._folders:
            self._events.close()
            return
        try:
            self._events.watch(list(self._folders))
        except EventsMissing as error:
            self._refused = str(error)
            self._retry_at = now + RETRY_EVENTS

    def _look_at_all(self, now: float) -> None:
        """Look at all files; tell of those that have changed."""
        look = _Stopwatch()
        before, self._known = self._known, stamps(self._folders or ())
        unlike = {path for path, _ in before.items() ^ self._known.items()}
        if self._followed is not None:
            unlike -= self._followed.names
        changed = self._trust.unheard(unlike)
        if changed:
            self._tell(files=changed)
        if not self._poll and not self._refused:
            self._trust.suspect({path for path in changed if not os.path.islink(path)}, now)
        if self._trust.settle(now):
            self._tell(everything=True)
        self._scan_at = now + max(SCAN_POLLING if self._looks_often else SCAN_EVERY, look.pause)

    def _look_beside(self, now: float) -> None:
        before, self._beside_stamp = self._beside_stamp, stamp_of(self._beside)
        self._beside_at = now + BESIDE_EVERY
        if before != self._beside_stamp:
            self._tell(beside=True)

    def _look_at(self, followed: _Followed, now: float) -> None:
        """Look at the open file."""
        first = followed.stamp is None
        before, followed.stamp = followed.stamp, stamp_of(followed.path)
        if before != followed.stamp:
            self._tell(files={followed.path}, followed=True)
            if not first and not self._poll and not self._refused:
                followed.trust.suspect(followed.trust.unheard({followed.path}), now)
        if followed.trust.settle(now):
            self._tell(followed=True)
        often = self._poll or bool(self._refused) or followed.trust.lost
        followed.look_at = now + (FOLLOW_POLLING if often else FOLLOW_EVERY)


class _Stopwatch:
    """What a look has cost so far: its computing, which a busy machine does not make more, and its time."""

    def __init__(self) -> None:
        self._computed, self._began = time.thread_time(), time.monotonic()

    @property
    def pause(self) -> float:
        """Seconds from the look's start to the next one, at least."""
        computed = time.thread_time() - self._computed
        took = time.monotonic() - self._began
        return max(computed / MOST_LOOKING, took * (1 + REST))


class _Followed:
    """The open file: the names it goes by, and what is known of it."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.names: set[str] = {path}
        self.folders: list[str] = []
        self.look_at = 0.0
        self.stamp: Stamp | None = None
        self.trust = EventTrust()

    def find_out(self) -> None:
        """Learn the file's names and the folders these are in; a symlink may point elsewhere by now."""
        real = os.path.realpath(self.path)
        self.names = {self.path, real}
        self.folders = list(dict.fromkeys((os.path.dirname(self.path), os.path.dirname(real))))


NOWHERE: Stamp = (0, 0, 0, 0)
"""The stamp of a file that is not there."""


def stamp_of(path: str) -> Stamp:
    """What tells one state of a file from another."""
    try:
        status = os.stat(path)
    except OSError:
        return NOWHERE
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def stamps(folders: Collection[str]) -> dict[str, Stamp]:
    """The stamps of all session files in folders."""
    found = {}
    for folder in folders:
        try:
            with os.scandir(folder) as entries:
                names = [entry.path for entry in entries if entry.name.endswith(SUFFIX)]
        except OSError:
            continue
        for path in names:
            stamp = stamp_of(path)
            if stamp is not NOWHERE:
                found[path] = stamp
    return found
