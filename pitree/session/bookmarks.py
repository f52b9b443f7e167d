"""Bookmarks: the labels of one session, or of many, with what they stand on."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pitree.session.info import NO_MESSAGES
from pitree.session.manager import SessionManager
from pitree.session.notices import SessionError
from pitree.session.source import CHUNK
from pitree.session.times import time_ms

_SIGN = b'"label"'


@dataclass(frozen=True, slots=True)
class Bookmark:
    """A label on an entry.

    Attributes:
        path: the session file; None for a session without one.
        session: name of the session, else the beginning of its first user message.
        entry_id: the labelled entry.
        label: the label.
        time: ISO time at which it was set, as it stands in the file.
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


def bookmarks_in(
    paths: Iterable[Path], cancelled: Callable[[], bool] = lambda: False
) -> Iterator[list[Bookmark]]:
    """The bookmarks of session files, one list a file that has any; files that cannot be read have none.

    Only files in which the word occurs are read as sessions.
    """
    for path in paths:
        if cancelled():
            return
        try:
            if not _mentions_labels(path):
                continue
            session = SessionManager.open(path, cancelled=cancelled)
        except (SessionError, OSError):
            continue
        try:
            if found := bookmarks_of(session):
                yield found
        finally:
            session.close()


def _mentions_labels(path: Path) -> bool:
    with path.open("rb") as file:
        end = b""
        while chunk := file.read(CHUNK):
            if _SIGN in end + chunk:
                return True
            end = chunk[-len(_SIGN) :]
    return False
