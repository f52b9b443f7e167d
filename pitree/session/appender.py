"""The one writer: reads what has come since, appends whole lines in one write, never touches old bytes.

Nothing is forced to the disk, as in Pi: a power failure may cost the last lines, but none that stood before.
On Windows the C library moves to the end before it writes, so there another program's line can come between.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pitree.session.jsonl import dump
from pitree.session.kinds import Flag
from pitree.session.lock import session_lock
from pitree.session.migrate import CURRENT_VERSION
from pitree.session.newfile import reason
from pitree.session.notices import NeedsUpgrade, WriteError
from pitree.session.reader import NoSession, SessionReader
from pitree.session.source import CHUNK, FileSource

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
                f"it is of format version {self._reader.data.version}; the first write brings it to version "
                f"{CURRENT_VERSION}",
            )
        with session_lock(self._path):
            with self._refusing("nothing was written: "), self._opened() as descriptor:
                records = self._records(make, descriptor)
                if records:
                    lines = b"".join(dump(record) + b"\n" for record in records)
                    self._write(descriptor, self._before_first() + lines)
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
            there, known = os.stat(self._path), self._source.stat()
            if not os.path.samestat(there, known):
                raise _Refused("another file has taken its place; read it again")
            if not self._reader.fits(self._source):
                raise _Refused("the file was rewritten; read it again")
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
        while self._unfinished() and time.time() - self._source.stat().st_mtime < _ABANDONED:
            if time.monotonic() > deadline:
                raise _Refused("its last line is unfinished, as if somebody were just writing it")
            time.sleep(_STEP)
            self._look()

    def _unfinished(self) -> bool:
        return bool(self._reader.waiting) and not self._reader.tail_taken

    # Writing

    @contextmanager
    def _opened(self) -> Iterator[int]:
        """The file, opened before the last look at it, so that little can come between look and write."""
        self._check_same_file()
        flags = os.O_RDWR | os.O_APPEND | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
        try:
            descriptor = os.open(self._path, flags)
        except OSError as error:
            raise _Refused(reason(error)) from error
        try:
            if not os.path.samestat(os.fstat(descriptor), self._source.stat()):
                raise _Refused("another file has taken its place; read it again")
            yield descriptor
        finally:
            os.close(descriptor)

    def _records(self, make: Make, descriptor: int) -> list[dict[str, Any]]:
        """Records made from all that the file holds, or, if it never rests, from nearly all."""
        records: list[dict[str, Any]] = []
        for _ in range(_LOOKS):
            self._wait_for_whole_line()
            records = list(make())
            if not records or os.fstat(descriptor).st_size == self._reader.end:
                break
        return records

    def _before_first(self) -> bytes:
        if not self._reader.end:
            return dump(self._new_header()) + b"\n"
        return b"\n" if self._reader.waiting else b""

    def _write(self, descriptor: int, lines: bytes) -> None:
        try:
            written = os.write(descriptor, lines)
        except OSError as error:
            raise _Refused(reason(error)) from error
        if written < len(lines):
            left = "" if self._take_back(descriptor, lines[:written]) else ", and its last line is torn now"
            raise _Refused(f"the disk is full{left}")

    def _take_back(self, descriptor: int, torn: bytes) -> bool:
        """Remove the beginning of a line that did not fit; what others appended after it stays as it is."""
        try:
            end = os.lseek(descriptor, 0, os.SEEK_CUR)
            start = end - len(torn)
            if self._source.read(start, len(torn)) != torn:
                return False
            if os.fstat(descriptor).st_size == end:
                os.ftruncate(descriptor, start)
                return True
            return self._blank(start, len(torn))
        except OSError:
            return False

    def _blank(self, start: int, length: int) -> bool:
        """Make bytes of our own an empty line, so that the line glued to them can be read."""
        descriptor = os.open(self._path, os.O_RDWR | getattr(os, "O_BINARY", 0))
        try:
            if not os.path.samestat(os.fstat(descriptor), self._source.stat()):
                return False
            os.lseek(descriptor, start, os.SEEK_SET)
            return os.write(descriptor, b" " * (length - 1) + b"\n") == length
        finally:
            os.close(descriptor)

    def _read_back(self, records: list[dict[str, Any]]) -> None:
        try:
            self._read_on()
        except _Refused as error:
            raise WriteError(self._path, f"it was written, but cannot be read back: {error}") from error
        table = self._reader.data.table
        places = [table.by_id.get(record["id"]) for record in records]
        if None in places:
            raise WriteError(self._path, "what was written cannot be found again; read the file anew")
        if any(table.flags[place] & Flag.RECOVERED for place in places if place is not None):
            raise WriteError(
                self._path,
                "it came to stand on one line with something unfinished, where Pi passes over it; try again",
            )
