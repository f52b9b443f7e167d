"""Lists sessions: many files read beside each other, newest first, in bounded memory, partial results."""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

from pitree.session.finding import find_session
from pitree.session.here import Here
from pitree.session.info import NoSessionFile, NotWanted, SessionInfo, read_info, read_on
from pitree.session.lines import Rewritten, Stopped
from pitree.session.places import (
    Places,
    SessionFile,
    Stranger,
    default_places,
    session_files,
    session_folders,
)

__all__ = ["SessionList", "find_session", "list_all_sessions", "list_sessions", "newest_first"]

READERS = 4
"""Files read at once. Waiting for the disk is what they do beside each other; see `_Readers`."""
BIG_READERS = 2
"""Of these, how many may hold a big file at a time, which bounds memory."""
BIG_FILE = 8 * 1024 * 1024
"""Files above this are read when the smaller ones are done, so that they hold nobody up."""
HUGE_FILE = 32 * BIG_FILE
"""Files above this come last of all."""
TEXT_KEPT = 48 * 1024 * 1024
"""Bytes of message text kept for searching, over all sessions of a list, for the first ones read.

Searching doubles it (`MessageText.folded`). Sessions beyond it are read again when somebody searches."""
TEXT_OF_ONE = 8 * 1024 * 1024
"""Of that, at most so much for one session."""
_PUBLISH_EVERY = 0.1
_BREATH = 0.02


class OnProgress(Protocol):
    """Told how a listing goes on, in the thread of the event loop.

    `partial` holds the sessions read so far, newest first, or is None when nothing new is worth a look. It is
    the caller's to keep.
    """

    def __call__(self, loaded: int, total: int, partial: SessionList | None, /) -> None: ...


class SessionList(list[SessionInfo]):
    """Sessions, the latest modified first, and what was passed over while they were looked for.

    Attributes:
        strangers: files that are no sessions, and folders that cannot be read.
    """

    def __init__(self, infos: Iterable[SessionInfo] = (), strangers: Iterable[Stranger] = ()) -> None:
        super().__init__(infos)
        self.strangers: list[Stranger] = list(strangers)


class _Readers:
    """Threads that read session files, in the order given.

    Parsing holds the interpreter's lock, so only one thread at a time parses: two would not be faster, and
    the thread of the screen would have to wait for its turn behind both. What threads do beside each other
    is wait for the disk, which is what matters on a slow or distant one.
    """

    def __init__(
        self,
        known: Mapping[str, SessionInfo],
        belongs: Callable[[str, str], bool] | None,
        wake: Callable[[], None],
    ) -> None:
        self.stopped = False
        self.total = 0
        self.loaded = 0
        self.infos: list[SessionInfo] = []
        self.strangers: list[Stranger] = []
        self._known = known
        self._belongs = belongs
        self._wake = wake
        self._small: deque[SessionFile] = deque()
        self._big: deque[SessionFile] = deque()
        self._busy_big = 0
        self._running = 0
        self._kept = 0
        self._lock = threading.Lock()
        self._parsing = threading.Lock()

    def add(self, files: Iterable[SessionFile]) -> None:
        """Read these too; the newest first, the big ones at the end."""
        given = sorted(files, key=lambda file: (file.size > HUGE_FILE, -file.mtime))
        with self._lock:
            self.total += len(given)
            self._small.extend(file for file in given if file.size <= BIG_FILE)
            self._big.extend(file for file in given if file.size > BIG_FILE)
            for _ in range(min(READERS, len(given)) - self._running):
                self._running += 1
                threading.Thread(target=self._run, name="pitree-list", daemon=True).start()

    @property
    def done(self) -> bool:
        """Whether every file added was read."""
        return self.loaded == self.total

    def stop(self) -> None:
        """Give up; threads end within a chunk of a file."""
        self.stopped = True

    def _next(self) -> SessionFile | None:
        if self._small:
            return self._small.popleft()
        if self._big and self._busy_big < BIG_READERS:
            self._busy_big += 1
            return self._big.popleft()
        return None

    def _run(self) -> None:
        while True:
            with self._lock:
                file = None if self.stopped else self._next()
                if file is None:
                    self._running -= 1
                    return
            try:
                self._read(file)
            except Stopped:
                with self._lock:
                    self._running -= 1
                return

    def _read(self, file: SessionFile) -> None:
        found: SessionInfo | Stranger | None
        try:
            found = self._info(file)
        except Stopped:
            raise
        except NotWanted:
            found = None
        except NoSessionFile as error:
            found = Stranger(file.path, str(error))
        except OSError as error:
            found = Stranger(file.path, error.strerror or str(error))
        except Exception as error:  # One file, whatever is in it, must not keep the others from being listed.
            found = Stranger(file.path, f"it cannot be read ({type(error).__name__}: {error})")
        with self._lock:
            if isinstance(found, Stranger):
                self.strangers.append(found)
            elif found is not None:
                self._kept += found.text.size if found.text else 0
                self.infos.append(found)
            self.loaded += 1
            self._busy_big -= file.size > BIG_FILE
        self._wake()

    def _info(self, file: SessionFile) -> SessionInfo:
        belongs, folder = self._belongs, os.path.dirname(file.path)
        known = self._known.get(file.path)
        if known is not None and known.file.stamp == file.stamp:
            if belongs is not None and not belongs(known.cwd, folder):
                raise NotWanted
            return known
        keep = room_for_text(known, self._kept)
        if known is not None and (belongs is None or belongs(known.cwd, folder)):
            try:
                return read_on(known, keep, stopped=lambda: self.stopped, turn=self._parsing)
            except Rewritten:
                pass
        return read_info(
            file,
            keep,
            stopped=lambda: self.stopped,
            wanted=None if belongs is None else lambda cwd: belongs(cwd, folder),
            turn=self._parsing,
        )

    def snapshot(self) -> SessionList:
        """What is there so far, newest first."""
        with self._lock:
            infos = list(self.infos)
            strangers = list(self.strangers)
        return SessionList(newest_first(infos), sorted(strangers, key=lambda stranger: stranger.path))


def room_for_text(known: SessionInfo | None, kept: int) -> int:
    """Characters of text that may be kept of a session beyond what is known of it.

    Args:
        known: the session as far as it was read; None when it is read from the start.
        kept: bytes kept of all sessions.
    """
    of_this = known.text.size if known is not None and known.text is not None else 0
    return max(0, min(TEXT_OF_ONE - of_this, TEXT_KEPT - kept))


def newest_first(infos: Iterable[SessionInfo]) -> list[SessionInfo]:
    """Sessions by time of their last message, latest first; those of one time by file name, last first."""
    return sorted(
        infos, key=lambda info: (info.modified, os.path.basename(info.path), info.path), reverse=True
    )


async def _list(
    files: Callable[[], tuple[list[SessionFile], list[Stranger]]],
    more: Callable[[], list[SessionFile]] | None,
    belongs: Callable[[str, str], bool] | None,
    on_progress: OnProgress | None,
    known: Mapping[str, SessionInfo] | None,
) -> SessionList:
    """Read what `files` gives, then what `more` gives; both are called in a thread, and so is `belongs`."""
    import asyncio  # Here, since it takes longer to load than what a plain command does.

    loop = asyncio.get_running_loop()
    news = asyncio.Event()

    def wake() -> None:
        try:
            loop.call_soon_threadsafe(news.set)
        except RuntimeError:  # The loop is closed: nobody waits any more.
            readers.stop()

    readers = _Readers(known or {}, belongs, wake)

    async def read(given: list[SessionFile]) -> None:
        readers.add(given)
        published = 0.0
        while True:
            news.clear()
            loaded, total = readers.loaded, readers.total
            wait = published + _PUBLISH_EVERY - time.monotonic()
            due = loaded == total or wait <= 0
            if on_progress is not None and due:
                on_progress(loaded, total, readers.snapshot() if readers.infos else None)
                published = time.monotonic() if readers.infos else 0.0
            if loaded == total:
                return
            try:
                # What was not told yet is told in time, even if the next file takes long.
                await asyncio.wait_for(news.wait(), None if due else wait)
            except TimeoutError:
                continue
            if loaded:
                await asyncio.sleep(_BREATH)

    try:
        found, strangers = await asyncio.to_thread(files)
        readers.strangers += strangers
        await read(found)
        if more is not None and (others := await asyncio.to_thread(more)):
            await read(others)
        return readers.snapshot()
    finally:
        readers.stop()


async def list_all_sessions(
    session_dir: str | os.PathLike[str] | None = None,
    on_progress: OnProgress | None = None,
    *,
    places: Places | None = None,
    known: Mapping[str, SessionInfo] | None = None,
) -> SessionList:
    """All sessions of a session directory, or of all folders under Pi's session root.

    Cancelling the task stops the reading threads within a chunk of a file.

    Args:
        session_dir: a flat session directory; without it, Pi's session root.
        on_progress: told how it goes on, some ten times a second.
        places: where to look instead, e.g. where `find_places` says.
        known: sessions read before, by path; those whose file has not changed are taken as they are.

    Returns:
        Sessions, the latest modified first. What is no session is in its `strangers`. A folder that does not
        exist holds none.
    """
    if places is None:
        places = default_places(None, session_dir)
    flat, everything = places.session_dir is not None, places.everything

    def files() -> tuple[list[SessionFile], list[Stranger]]:
        return session_files([everything] if flat else session_folders(everything))

    return await _list(files, None, None, on_progress, known)


async def list_sessions(
    cwd: str | os.PathLike[str] | None = None,
    session_dir: str | os.PathLike[str] | None = None,
    on_progress: OnProgress | None = None,
    *,
    places: Places | None = None,
    known: Mapping[str, SessionInfo] | None = None,
) -> SessionList:
    """The sessions of one working directory.

    In a flat session directory those whose header names it. Under Pi's session root all in its folder, save
    those whose header names another directory that only happens to have the same folder name; and those in
    other folders whose header names it by another spelling (a symlink, another case of a drive letter).

    Args:
        cwd: working directory; the process's by default.
        session_dir: a session directory; without it, the folder under Pi's session root.
        on_progress, places, known: as for `list_all_sessions`.
    """
    if places is None:
        places = default_places(cwd, session_dir)
    here = Here(places)
    found: set[str] = set()

    def files() -> tuple[list[SessionFile], list[Stranger]]:
        folders = here.folders()
        found.update(map(os.path.realpath, folders))
        return session_files(folders)

    def more() -> list[SessionFile]:
        return session_files(here.other_folders(found))[0]

    return await _list(files, None if here.chosen else more, here.has, on_progress, known)
