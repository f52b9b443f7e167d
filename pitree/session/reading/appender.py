"""The one writer: reads what has come since, appends whole lines in one write, never touches old bytes.

A killed process can leave half of a write behind if that reaches over several pages of memory; half a line at
the end of the file would spoil the line that a running Pi appends next. So such a write appends blanks first,
and the lines then take their place: blanks before a record, and blank lines, are skipped by all.

Nothing is forced to the disk, as in Pi: a power failure may cost the last lines, but none that stood before.
On Windows the C library moves to the end before it writes, so there another program's line can come between.
"""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from mmap import PAGESIZE
from pathlib import Path
from typing import Any

from pitree.session.format.entry_type import Flag
from pitree.session.format.errors import NeedsUpgrade, WriteError
from pitree.session.format.jsonl import dump
from pitree.session.format.migrate import CURRENT_VERSION
from pitree.session.reading.reader import NoSession, SessionReader
from pitree.session.storage.atomic_file import reason
from pitree.session.storage.byte_source import CHUNK, FileSource
from pitree.session.storage.lock import session_lock

_UNFINISHED_WAIT = 0.5
_STEP = 0.01
_ABANDONED = 60.0
_LOOKS = 20

Make = Callable[[], Sequence[dict[str, Any]]]
"""Makes the records to append from the state of the session as it is at that moment; may raise to refuse.

Called again when the file has grown in the meantime.
"""


class _Refused(Exception):
    """Why nothing can be written, or read."""


class Appender:
    """Appends records to an existing session file, beside whoever else does.

    Args:
        path: the session file.
        source: the same file, opened for reading.
        reader: what has been read of it.
        new_header: makes the header of an empty file, which goes before its first entry.
    """

    def __init__(
        self, path: Path, source: FileSource, reader: SessionReader, new_header: Callable[[], dict[str, Any]]
    ) -> None:
        self._path = path
        self._source = source
        self._reader = reader
        self._new_header = new_header

    def append(self, make: Make) -> list[dict[str, Any]]:
        """Read on to the end of the file, make the records, append them in one write, read them back.

        Returns:
            The records written.

        Raises:
            WriteError: nothing was written, or not so that it counts; the message says which, and why.
            NeedsUpgrade: the file is of an older version.
        """
        if self._reader.data.version < CURRENT_VERSION:
            raise NeedsUpgrade(
                self._path,
                f"it has format version {self._reader.data.version}; the first write upgrades it "
                f"to version {CURRENT_VERSION}",
            )
        with session_lock(self._path):
            with self._refusing("nothing was written: "), self._opened() as files:
                records = self._records(make, files)
                if records:
                    lines = b"".join(dump(record) + b"\n" for record in records)
                    self._write(files, self._before_first() + lines)
            if records:
                self._read_back(records)
            return records

    def catch_up(self) -> int:
        """Read what was added to the file since; return the number of entries that came.

        Raises:
            WriteError: the file is gone, another one, rewritten, or no longer readable.
        """
        with self._refusing(""):
            return self._look()

    def catch_up_whole(self) -> os.stat_result:
        """Read the file to its end, where its last line must be whole; return what the file was then.

        Raises:
            WriteError: as for `catch_up`; nothing was changed.
        """
        with self._refusing("nothing was changed: "):
            while True:
                there = self._source.stat()
                self._wait_for_whole_line()
                if self._reader.end == there.st_size:
                    return there

    @contextmanager
    def _refusing(self, before: str) -> Iterator[None]:
        try:
            yield
        except _Refused as error:
            raise WriteError(self._path, f"{before}{error}") from error.__cause__

    # Reading on

    def _look(self) -> int:
        self._check_same_file()
        return self._read_on()

    def _check_same_file(self) -> None:
        try:
            if words := self._reader.why_not_same(self._source, os.stat(self._path)):
                raise _Refused(f"{words}; reload it")
        except FileNotFoundError:
            raise _Refused("the file is gone") from None
        except OSError as error:
            raise _Refused(reason(error)) from error

    def _read_on(self) -> int:
        came = 0
        try:
            while data := self._source.read(self._reader.end, CHUNK):
                came += self._reader.feed(data)
            return came + self._reader.settle_tail()
        except NoSession as error:
            raise _Refused(f"it is no longer a session: {error}") from error
        except OSError as error:
            raise _Refused(reason(error)) from error

    def _wait_for_whole_line(self) -> None:
        """Read to the end of the file until its last line is whole, or was left unfinished long ago."""
        deadline = time.monotonic() + _UNFINISHED_WAIT
        self._look()
        while self._reader.unfinished and time.time() - self._source.stat().st_mtime < _ABANDONED:
            if time.monotonic() > deadline:
                raise _Refused("its last line is incomplete, as if another program were still writing it")
            time.sleep(_STEP)
            self._look()

    # Writing

    @contextmanager
    def _opened(self) -> Iterator[_Files]:
        """The file, opened before the last look at it, so that little can come between look and write."""
        self._check_same_file()
        opened: list[int] = []
        try:
            try:
                opened.append(self._open(os.O_APPEND))
                with suppress(PermissionError):  # some files may be appended to and nothing else
                    opened.append(self._open(0))
            except OSError as error:
                raise _Refused(reason(error)) from error
            yield _Files(*opened)
        finally:
            for descriptor in opened:
                os.close(descriptor)

    def _open(self, flags: int) -> int:
        flags |= os.O_RDWR | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
        descriptor = os.open(self._path, flags)
        if os.path.samestat(os.fstat(descriptor), self._source.stat()):
            return descriptor
        os.close(descriptor)
        raise _Refused("another file has taken its place; reload it")

    def _records(self, make: Make, files: _Files) -> list[dict[str, Any]]:
        """Records made from all that the file holds, or, if it never rests, from nearly all."""
        records: list[dict[str, Any]] = []
        for _ in range(_LOOKS):
            self._wait_for_whole_line()
            records = list(make())
            if not records or files.size() == self._reader.end:
                break
        return records

    def _before_first(self) -> bytes:
        if not self._reader.end:
            return dump(self._new_header()) + b"\n"
        return b"\n" if self._reader.waiting else b""

    def _write(self, files: _Files, lines: bytes) -> None:
        try:
            if files.inside < 0 or files.size() % PAGESIZE + len(lines) <= PAGESIZE:
                self._append(files, lines)
            else:
                self._append_over_pages(files, lines)
        except OSError as error:
            raise _Refused(reason(error)) from error

    def _append_over_pages(self, files: _Files, lines: bytes) -> None:
        room = _blanks(len(lines), lines.startswith(b"\n"))
        start = self._append(files, room)
        try:
            files.replace(start, room, lines)
        except OSError:
            _take_back(files, start, room)
            raise

    def _append(self, files: _Files, data: bytes) -> int:
        """Append bytes in one write, all or none; return where they start."""
        written = os.write(files.end, data)
        start = os.lseek(files.end, 0, os.SEEK_CUR) - written
        if written < len(data):
            left = "" if _take_back(files, start, data[:written]) else ", and its last line is now incomplete"
            raise _Refused(f"the disk is full{left}")
        return start

    def _read_back(self, records: list[dict[str, Any]]) -> None:
        try:
            self._read_on()
        except _Refused as error:
            raise WriteError(self._path, f"it was written, but cannot be read back: {error}") from error
        table = self._reader.data.table
        places = [table.by_id.get(record["id"]) for record in records]
        if None in places:
            raise WriteError(self._path, "what was written cannot be found in the file; reload it")
        if any(table.flags[place] & Flag.RECOVERED for place in places if place is not None):
            raise WriteError(
                self._path,
                "it was written on the same line as an unfinished record, where Pi skips it; try again",
            )


@dataclass(frozen=True, slots=True)
class _Files:
    """The session file, opened twice.

    Attributes:
        end: every write goes to the end of the file as it is then.
        inside: for the bytes this process has put there; -1 where that is not allowed.
    """

    end: int
    inside: int = -1

    def size(self) -> int:
        return os.fstat(self.end).st_size

    def replace(self, start: int, old: bytes, new: bytes) -> None:
        """Put bytes in the place of as many that this process has written.

        Raises:
            OSError: it cannot be done, or others stand there.
        """
        os.lseek(self.inside, start, os.SEEK_SET)
        if os.read(self.inside, len(old)) != old:
            raise OSError(errno.EIO, "the appended text is somewhere else in the file")
        os.lseek(self.inside, start, os.SEEK_SET)
        while new:
            new = new[os.write(self.inside, new) :]


def _blanks(length: int, after_lf: bool) -> bytes:
    """An empty line of so many bytes; where the line before it lacks its LF, that LF and an empty line."""
    return b"\n" * after_lf + b" " * (length - 1 - after_lf) + b"\n"


def _take_back(files: _Files, start: int, torn: bytes) -> bool:
    """Remove what was appended, or make it an empty line where others have appended after it."""
    try:
        if files.size() == start + len(torn):
            os.ftruncate(files.end, start)
        else:
            files.replace(start, torn, _blanks(len(torn), False))
    except OSError:
        return False
    return True
