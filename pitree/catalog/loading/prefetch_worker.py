"""The program of the process that reads the first sessions of a list (see `ahead`)."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from pitree.catalog.info.cwd_matcher import CwdMatcher
from pitree.catalog.info.info_cache import InfoCache
from pitree.catalog.info.info_codec import encoded
from pitree.catalog.info.session_info import NoSessionFile, NotRequested, SessionInfo, read_info
from pitree.catalog.loading.parallel_reader import BIG_FILE
from pitree.catalog.loading.prefetch import ALL, KNOWN, READ, TOTAL
from pitree.pi.places import Places, SessionFile, session_files, session_folders
from pitree.session.storage.line_reader import ReadCancelled
from pitree.workers.failures import record
from pitree.workers.framing import receive, send

NICE = 5
"""How far the process steps back for the one that loads the screen, where they have to share a core."""

AT_ONCE = 60
"""Files first looked up in the cache: what a screen shows."""


def sessions_ahead(
    places: Places, everything: bool, cache: Path | None, stopped: Callable[[], bool]
) -> Iterator[bytes]:
    """The messages about the sessions of a list, the newest files first.

    Files that take long, that have grown since they were read, or that are not sessions are left out; then
    the sessions are not said to be all. So it is in the list of one working directory, whose sessions may be
    in other folders, too.

    Args:
        places, everything, cache: as for `Ahead`.
        stopped: whether to give up.

    Raises:
        Stopped: `stopped()` said so.
    """
    here = None if everything else CwdMatcher(places)
    if here is not None:
        folders = here.folders()
    elif places.session_dir is not None:
        folders = [places.everything]
    else:
        folders = session_folders(places.everything)
    files, strangers = session_files(folders)
    files.sort(key=lambda file: -file.mtime)
    yield TOTAL + b"%d" % len(files)
    kept = InfoCache(cache) if cache is not None else None
    whole = not strangers and (here is None or here.chosen)

    def wanted(cwd: str, file: SessionFile) -> bool:
        return here is None or here.has(cwd, os.path.dirname(file.path))

    def read(file: SessionFile) -> SessionInfo | None:
        try:
            return read_info(file, stopped=stopped, wanted=lambda cwd: wanted(cwd, file), quickly=True)
        except NotRequested:
            return None

    start = 0
    for end in (AT_ONCE, len(files)):
        some, start = files[start:end], end
        known = kept.find(some) if kept is not None and some else {}
        for file in some:
            if stopped():
                raise ReadCancelled
            info = known.get(file.path)
            try:
                if info is not None and info.file.stamp == file.stamp:
                    if wanted(info.cwd, file):
                        yield _message(KNOWN, info)
                elif info is None and file.size <= BIG_FILE:
                    if (found := read(file)) is not None:
                        yield _message(READ, found)
                else:
                    whole = False
            except (NoSessionFile, OSError, ValueError):
                whole = False
    if whole:
        yield ALL


def _message(kind: bytes, info: SessionInfo) -> bytes:
    """The message about a session.

    Raises:
        ValueError: it cannot be put in one.
    """
    facts = encoded(info)
    if facts is None:
        raise ValueError("it cannot be read any further")
    return kind + os.fsencode(info.path) + b"\0%d\0" % info.file.stamp[0] + facts


def serve() -> None:
    """Send what is asked for, then end; also when whoever asked is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who started this.
    gc.disable()  # nothing that is made for one file refers to itself
    if sys.platform != "win32":
        with suppress(OSError):
            os.nice(NICE)
    parent = os.getppid()
    try:
        asked = receive(sys.stdin.buffer)
        if asked is not None:
            everything, *places = asked.split(b"\0")
            cwd, agent, chosen, cache = map(os.fsdecode, places)
            for message in sessions_ahead(
                Places(cwd, agent, chosen or None),
                bool(everything),
                Path(cache) if cache else None,
                lambda: os.getppid() != parent,
            ):
                send(sys.stdout.buffer, message)
    except (OSError, ReadCancelled):
        pass
    except Exception as error:
        record("read the first sessions of the list", error)
    # Not the long way round through Python's own end, which would have something to say of a closed pipe.
    os._exit(0)
