"""Follows a session file as others write it: what came since, and whether it still is the same file."""

from __future__ import annotations

import os
from dataclasses import dataclass
from enum import StrEnum

from pitree.session.manager import SessionManager
from pitree.session.notices import SessionError

SLICE = 256 * 1024
"""Bytes read at a time: some milliseconds of work, so that keys are answered in between."""


class Finding(StrEnum):
    """What a look at the file found."""

    SAME = "same"
    GREW = "grew"
    REPLACED = "replaced"
    GONE = "gone"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Look:
    """One look at a followed file.

    Attributes:
        finding: what was found. REPLACED means: open it anew, nothing read so far can be relied on.
        first: index of the first entry that came; the number of entries if none did.
        came: how many entries came.
        more: whether there is more to read at once.
        words: for REPLACED, GONE and UNREADABLE what happened, in words.
    """

    finding: Finding
    first: int
    came: int = 0
    more: bool = False
    words: str = ""


class Follower:
    """Watches the file of an opened session. `look` costs one `stat` when nothing happened.

    Args:
        session: a session on a file, read to its end.
    """

    def __init__(self, session: SessionManager) -> None:
        self.session = session
        self._known: tuple[int, int, int, int] | None = None

    def look(self) -> Look:
        """Look at the file, and read on, at most `SLICE` bytes of it.

        The file counts as the same as long as it is the same inode, no shorter than what was read, and its
        bytes just before that place are still the same: Pi's own migration rewrites a file in place, and it
        grows by that.
        """
        session = self.session
        count = session.get_entry_count()
        if session.path is None:
            return Look(Finding.SAME, count)
        try:
            status = os.stat(session.path)
        except FileNotFoundError:
            self._known = None
            return Look(Finding.GONE, count, words="the file is gone")
        except OSError as error:
            self._known = None
            return Look(Finding.UNREADABLE, count, words=error.strerror or str(error))
        mark = (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)
        if mark == self._known:
            return Look(Finding.SAME, count)
        try:
            if words := session.why_not_same_file(status):
                self._known = None
                return Look(Finding.REPLACED, count, words=words)
            came = session.read_more(SLICE) if status.st_size > session.size else 0
        except SessionError as error:
            self._known = None
            return Look(Finding.UNREADABLE, count, words=error.reason)
        more = session.size < status.st_size
        self._known = None if more else mark
        return Look(Finding.GREW if came else Finding.SAME, count, came, more)
