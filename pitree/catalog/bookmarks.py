"""Bookmarks: the labels of one session, or of many, with what they are on."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pitree.catalog.info.session_info import NO_MESSAGES
from pitree.pi.places import SessionFile
from pitree.session.format.errors import SessionError
from pitree.session.format.times import time_ms
from pitree.session.manager.manager import SessionManager
from pitree.session.storage.byte_source import CHUNK

_SIGN = b'"label"'
_LABEL = re.compile(rb'"type"\s*:\s*"label"')
"""Stands in each label's line, and in no text: there the quotes are escaped."""
_LONGEST = 64
"""Bytes that it takes at most."""


@dataclass(frozen=True, slots=True)
class Bookmark:
    """A label on an entry.

    Attributes:
        path: the session file; None for a session without one.
        session: name of the session, else the beginning of its first user message.
        entry_id: the labeled entry.
        label: the label.
        time: ISO time at which it was set, as it is in the file.
        text: body of the entry's row, raw text of the file.
    """

    path: Path | None
    session: str
    entry_id: str
    label: str
    time: str
    text: str


def bookmarks_of(session: SessionManager) -> list[Bookmark]:
    """The labels of a session whose entries exist, newest first."""
    title = session.get_session_name() or session.first_user_text() or NO_MESSAGES
    table = session.table
    found = [
        Bookmark(
            session.path,
            title,
            entry_id,
            label.text,
            label.time,
            session.entry(table.by_id[entry_id]).text,
        )
        for entry_id, label in session.labels.items()
        if entry_id in table.by_id
    ]
    return newest_first(found)


def newest_first(bookmarks: Iterable[Bookmark]) -> list[Bookmark]:
    """Bookmarks by the time they were set, the newest first; those without a time last."""

    def moment(mark: Bookmark) -> float:
        time = time_ms(mark.time)
        return -math.inf if math.isnan(time) else time

    return sorted(bookmarks, key=moment, reverse=True)


class KnownBookmarks:
    """The bookmarks of session files. A file is read once, and again when its content is another."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[tuple[int, ...], list[Bookmark]]] = {}

    def of(
        self, files: Iterable[SessionFile], cancelled: Callable[[], bool] = lambda: False
    ) -> Iterator[list[Bookmark]]:
        """One list a file that has any, newest first; files that cannot be read have none."""
        for file in files:
            if cancelled():
                return
            state = (*file.stamp, file.changed)
            known = self._known.get(file.path)
            if known is None or known[0] != state:
                found = _bookmarks_in(Path(file.path), cancelled)
                if cancelled():
                    return
                known = self._known[file.path] = state, found
            if known[1]:
                yield known[1]


def _bookmarks_in(path: Path, cancelled: Callable[[], bool]) -> list[Bookmark]:
    """The bookmarks of a file, which is read as a session only if it has labels."""
    try:
        if not _has_labels(path, cancelled):
            return []
        session = SessionManager.open(path, cancelled=cancelled)
    except (SessionError, OSError):
        return []
    try:
        return bookmarks_of(session)
    finally:
        session.close()


def _has_labels(path: Path, cancelled: Callable[[], bool]) -> bool:
    with path.open("rb") as file:
        end = b""
        while not cancelled() and (chunk := file.read(CHUNK)):
            chunk = end + chunk
            if _SIGN in chunk and _LABEL.search(chunk):
                return True
            end = chunk[-_LONGEST:]
    return False
