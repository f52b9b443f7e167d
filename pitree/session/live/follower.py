"""Follows a session file as others write it: what came since, and whether it still is the same file."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from enum import StrEnum

from pitree.session.format.errors import SessionError
from pitree.session.manager.manager import SessionManager
from pitree.session.manager.queries import ReadAhead

SLICE = 64 * 1024
"""Bytes read at a time: some milliseconds of work, so that keys are answered in between."""

SETTLED = 0.1
"""Seconds for which a file that is another one must stay the same before that is told: who rewrites a file
empties it first."""

RESTLESS = 1.0
"""Seconds after which it is told though the file does not stay the same."""

SOON = 0.05
"""Seconds after which to look again at what was unsettled."""

_BLANK = b" \t\r\n"

_Mark = tuple[int, int, int, int]
"""Device, inode, size and time of change (ns) of a file."""


class Finding(StrEnum):
    """What a look at the file found."""

    SAME = "same"
    GREW = "grew"
    TOUCHED = "touched"
    REPLACED = "replaced"
    GONE = "gone"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class FileCheck:
    """One look at a followed file.

    Attributes:
        finding: what was found. REPLACED means: open it again, nothing read so far can be relied on. TOUCHED:
            its time is another, though nothing was added; only reading it again can tell what has changed.
        first: index of the first entry that came; the number of entries if none did.
        came: how many entries came; one that is there already and came again counts, as it moves the leaf.
        again: seconds after which to look again though nothing may be told of it, 0 for at once; else None.
        words: for REPLACED, GONE and UNREADABLE what happened, in words.
    """

    finding: Finding
    first: int
    came: int = 0
    again: float | None = None
    words: str = ""


@dataclass(frozen=True, slots=True)
class Probe:
    """What the disk says, not yet taken.

    Attributes:
        finding: what was found.
        words: what happened, in words.
        ahead: bytes to take; None for none.
        mark: what is known of the file once these are taken, if they reach to its end; else None.
        again: as in `FileCheck`.
    """

    finding: Finding
    words: str = ""
    ahead: ReadAhead | None = None
    mark: _Mark | None = None
    again: float | None = None


class Follower:
    """Watches the file of an opened session. A look costs one `stat` when nothing happened.

    Args:
        session: a session on a file, read to its end.
        settled: seconds for which a file that is another one must stay the same before that is told.
    """

    def __init__(self, session: SessionManager, settled: float = SETTLED) -> None:
        self.session = session
        self._settled = settled
        before = session.when_opened
        whole = before is not None and before.st_size == session.size
        self._known: _Mark | None = _mark(before) if before is not None and whole else None
        self._unsettled: tuple[_Mark, float, float] | None = None

    def look(self) -> FileCheck:
        """Look at the file, and read on, at most `SLICE` bytes of it: `probe` and `take` in one."""
        return self.take(self.probe())

    def probe(self) -> Probe:
        """See what the disk says; for any thread, but one at a time. Changes nothing in the session.

        The file counts as the same as long as it is the same inode, no shorter than what was read, and its
        bytes just before that place are still the same: Pi's own migration rewrites a file in place, and it
        grows by that.
        """
        session = self.session
        if session.path is None:
            return Probe(Finding.SAME)
        try:
            status = os.stat(session.path)
        except FileNotFoundError:
            return Probe(Finding.GONE, "the file is gone")
        except OSError as error:
            return Probe(Finding.UNREADABLE, error.strerror or str(error))
        mark = _mark(status)
        if mark == self._known:
            return Probe(Finding.SAME, mark=mark)
        try:
            ahead = session.look_ahead(status, SLICE)
        except SessionError as error:
            return Probe(Finding.UNREADABLE, error.reason)
        if ahead is None:
            return Probe(Finding.SAME, again=SOON)
        if ahead.why_not:
            return self._once_settled(mark, Probe(Finding.REPLACED, ahead.why_not))
        if not ahead.data and self._known is not None and mark[:3] == self._known[:3]:
            return self._once_settled(mark, Probe(Finding.TOUCHED, mark=mark))
        self._unsettled = None
        data = without_blanks_at_end(ahead.data) if len(ahead.data) < SLICE else ahead.data
        whole = len(ahead.data) < SLICE
        return Probe(
            Finding.GREW,
            ahead=ReadAhead(ahead.start, data),
            mark=mark if whole else None,
            again=None if whole else 0.0,
        )

    def take(self, probe: Probe) -> FileCheck:
        """Take what a probe found into the session; for the thread that uses it."""
        count, taken = self.session.get_entry_count(), self.session.table.taken
        self._known = probe.mark
        if probe.ahead is None:
            return FileCheck(probe.finding, count, again=probe.again, words=probe.words)
        try:
            if not self.session.take(probe.ahead, last=probe.mark is not None):
                self._known = None
                return FileCheck(Finding.SAME, count, again=SOON)
        except SessionError as error:
            return FileCheck(Finding.REPLACED, count, words=error.reason)
        came = self.session.table.taken - taken
        return FileCheck(Finding.GREW if came else Finding.SAME, count, came, probe.again)

    def _once_settled(self, mark: _Mark, found: Probe) -> Probe:
        """What was found, if the file has stayed so for a while; else that it is to be looked at again."""
        now = time.monotonic()
        if self._unsettled is None:
            self._unsettled = (mark, now, now)
        before, since, first = self._unsettled
        if before != mark:
            since = now
            self._unsettled = (mark, since, first)
        if now - since >= self._settled or now - first >= RESTLESS:
            self._unsettled = None
            return found
        return Probe(Finding.SAME, mark=self._known, again=SOON)


def _mark(status: os.stat_result) -> _Mark:
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def without_blanks_at_end(data: bytes) -> bytes:
    """The bytes without a last line of blanks: another pitree may be about to put its lines in that place.

    See `appender`: what reaches over several pages of memory is first held free by blanks.
    """
    text = len(data.rstrip(_BLANK))
    line = data.find(b"\n", text) + 1 if text else 0
    blank = data.find(b" ", line) if line or not text else -1
    return data if blank < 0 else data[:blank]
