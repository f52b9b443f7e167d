"""Lists sessions: many files read beside each other, newest first, in bounded memory, partial results."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Protocol

from pitree.catalog.info.cwd_matcher import CwdMatcher
from pitree.catalog.info.lookup import find_session
from pitree.catalog.info.session_info import SessionInfo
from pitree.pi.places import Places, SessionFile, SkippedFile, default_places, session_files, session_folders

if TYPE_CHECKING:
    from pitree.catalog.info.info_cache import InfoCache

__all__ = ["SessionList", "find_session", "list_all_sessions", "list_sessions", "newest_first"]

_PUBLISH_EVERY = 0.1
_BREATH = 0.02
_REMEMBERED_AT_ONCE = 1000


class OnProgress(Protocol):
    """Told how a listing continues, in the thread of the event loop.

    `partial` holds the sessions read so far, newest first, or is None when nothing new is worth a look. It is
    the caller's to keep.
    """

    def __call__(self, loaded: int, total: int, partial: SessionList | None, /) -> None: ...


class SessionList(list[SessionInfo]):
    """Sessions, the latest modified first, and what was skipped while they were looked for.

    Attributes:
        strangers: files that are not sessions, and folders that cannot be read.
    """

    def __init__(self, infos: Iterable[SessionInfo] = (), strangers: Iterable[SkippedFile] = ()) -> None:
        super().__init__(infos)
        self.strangers: list[SkippedFile] = list(strangers)

    def __repr__(self) -> str:
        # `asyncio.run` has a task described, with its result, only to throw the words away.
        return f"<{len(self):,} sessions, {len(self.strangers):,} strangers>"


def newest_first(infos: Iterable[SessionInfo]) -> list[SessionInfo]:
    """Sessions by time of their last message, latest first; those of one time by file name, last first."""
    return sorted(
        infos, key=lambda info: (info.modified, os.path.basename(info.path), info.path), reverse=True
    )


async def _list(
    files: Callable[[], tuple[list[SessionFile], list[SkippedFile]]],
    more: Callable[[], list[SessionFile]] | None,
    belongs: Callable[[str, str], bool] | None,
    on_progress: OnProgress | None,
    known: Mapping[str, SessionInfo] | None,
    cache: InfoCache | None,
) -> SessionList:
    """Read what `files` gives, then what `more` gives; both are called in a thread, and so is `belongs`."""
    import asyncio  # Here, since it takes longer to load than what a plain command does.

    from pitree.catalog.loading.parallel_reader import Readers

    loop = asyncio.get_running_loop()
    news = asyncio.Event()

    def wake() -> None:
        try:
            loop.call_soon_threadsafe(news.set)
        except RuntimeError:  # The loop is closed: nobody waits any more.
            readers.stop()

    remembered = dict(known or {})
    readers = Readers(remembered, belongs, wake, None if cache is None else lambda info: cache.keep((info,)))

    def snapshot() -> SessionList:
        infos, strangers = readers.snapshot()
        return SessionList(newest_first(infos), sorted(strangers, key=lambda stranger: stranger.path))

    def remember(given: list[SessionFile]) -> list[SessionFile]:
        """Take the files that are what they were; those that are not."""
        if cache is not None:
            remembered.update(cache.find([file for file in given if file.path not in remembered]))
        same, others = [], []
        for file in given:
            info = remembered.get(file.path)
            if info is not None and info.file.stamp == file.stamp:
                same.append((file, info))
            else:
                others.append(file)
        readers.take(same)
        return others

    async def read(given: list[SessionFile]) -> None:
        given.sort(key=lambda file: -file.mtime)
        others, total = [], readers.total + len(given)
        for start in range(0, max(1, len(given)), _REMEMBERED_AT_ONCE):
            others += await asyncio.to_thread(remember, given[start : start + _REMEMBERED_AT_ONCE])
            if on_progress is not None:
                on_progress(readers.loaded, total, snapshot() if readers.infos else None)
        if not others:
            return
        readers.add(others)
        published = time.monotonic() if readers.infos else 0.0
        while True:
            news.clear()
            if readers.error is not None:
                raise readers.error
            loaded, total = readers.loaded, readers.total
            wait = published + _PUBLISH_EVERY - time.monotonic()
            due = loaded == total or wait <= 0
            if on_progress is not None and due:
                on_progress(loaded, total, snapshot() if readers.infos else None)
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
        if cache is not None:
            cache.tidy(file.path for file in found)
        return snapshot()
    finally:
        readers.stop()


async def list_all_sessions(
    session_dir: str | os.PathLike[str] | None = None,
    on_progress: OnProgress | None = None,
    *,
    places: Places | None = None,
    known: Mapping[str, SessionInfo] | None = None,
    cache: InfoCache | None = None,
) -> SessionList:
    """All sessions of a session directory, or of all folders under Pi's session root.

    Cancelling the task stops the reading threads within a chunk of a file.

    Args:
        session_dir: a flat session directory; without it, Pi's session root.
        on_progress: told how it continues, some ten times a second.
        places: where to look instead, e.g. where `find_places` says.
        known: sessions read before, by path; those whose file has not changed are taken as they are.
        cache: sessions read at earlier starts; what is read now is added to it.

    Returns:
        Sessions, the latest modified first. What is not a session is in its `strangers`. A folder that does
        not exist holds none.
    """
    if places is None:
        places = default_places(None, session_dir)
    flat, everything = places.session_dir is not None, places.everything

    def files() -> tuple[list[SessionFile], list[SkippedFile]]:
        return session_files([everything] if flat else session_folders(everything))

    return await _list(files, None, None, on_progress, known, cache)


async def list_sessions(
    cwd: str | os.PathLike[str] | None = None,
    session_dir: str | os.PathLike[str] | None = None,
    on_progress: OnProgress | None = None,
    *,
    places: Places | None = None,
    known: Mapping[str, SessionInfo] | None = None,
    cache: InfoCache | None = None,
) -> SessionList:
    """The sessions of one working directory.

    In a flat session directory those whose header names it. Under Pi's session root all in its folder, save
    those whose header names another directory that only happens to have the same folder name; and those in
    other folders whose header names it by another spelling (a symlink, another case of a drive letter).

    Args:
        cwd: working directory; the process's by default.
        session_dir: a session directory; without it, the folder under Pi's session root.
        on_progress, places, known, cache: as for `list_all_sessions`.
    """
    if places is None:
        places = default_places(cwd, session_dir)
    here = CwdMatcher(places)
    found: set[str] = set()

    def files() -> tuple[list[SessionFile], list[SkippedFile]]:
        folders = here.folders()
        found.update(map(os.path.realpath, folders))
        return session_files(folders)

    def more() -> list[SessionFile]:
        return session_files(here.other_folders(found))[0]

    return await _list(files, None if here.chosen else more, here.has, on_progress, known, cache)
