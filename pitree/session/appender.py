"""The one writer: reads what has come since, appends whole lines in one write, never touches old bytes."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from pitree.session.jsonl import dump
from pitree.session.lock import session_lock
from pitree.session.migrate import CURRENT_VERSION
from pitree.session.notices import NeedsUpgrade, WriteError
from pitree.session.reader import NoSession, SessionReader
from pitree.session.source import CHUNK, FileSource

_UNFINISHED_WAIT = 0.5
_STEP = 0.01

Make = Callable[[], Sequence[dict[str, Any]]]
"""Makes the records to append from the state of the session as it is at that moment; may raise to refuse."""


class Appender:
    """Appends records to an existing session file, beside whoever else does.

    Args:
        path: the session file.
        source: the same file, opened for reading.
        reader: what has been read of it.
    """

    def __init__(self, path: Path, source: FileSource, reader: SessionReader) -> None:
        self._path = path
        self._source = source
        self._reader = reader

    def append(self, make: Make) -> list[dict[str, Any]]:
        """Read on to the end of the file, make the records, append them in one write, read them back.

        Returns:
            The records written.

        Raises:
            WriteError: nothing was written; the message says why.
            NeedsUpgrade: the file is of an older version.
        """
        if self._reader.data.version < CURRENT_VERSION:
            raise NeedsUpgrade(
                self._path,
                f"it is of format version {self._reader.data.version}; the first write brings it to version "
                f"{CURRENT_VERSION}",
            )
        with session_lock(self._path):
            self._check_same_file()
            self.catch_up()
            self._wait_for_whole_line()
            records = list(make())
            if records:
                self._write(b"".join(dump(record) + b"\n" for record in records))
                self.catch_up()
                self._check_arrived(records)
            return records

    def _check_arrived(self, records: list[dict[str, Any]]) -> None:
        table = self._reader.data.table
        if any(record["id"] not in table.by_id for record in records):
            raise WriteError(self._path, "what was written cannot be found again; read the file anew")

    def catch_up(self) -> int:
        """Read what was added to the file since; return the number of entries that came.

        Raises:
            WriteError: it can no longer be read, or is no longer a session.
        """
        came = 0
        try:
            while data := self._source.read(self._reader.end, CHUNK):
                came += self._reader.feed(data)
            return came + self._reader.settle_tail()
        except NoSession as error:
            raise WriteError(self._path, f"it is no longer a session: {error}") from error
        except OSError as error:
            raise WriteError(self._path, error.strerror or str(error)) from error

    def _check_same_file(self) -> None:
        try:
            there = os.stat(self._path)
        except FileNotFoundError:
            raise WriteError(self._path, "nothing was written: the file is gone") from None
        except OSError as error:
            raise WriteError(self._path, f"nothing was written: {error.strerror or error}") from error
        known = self._source.stat()
        if (there.st_dev, there.st_ino) != (known.st_dev, known.st_ino):
            raise WriteError(
                self._path, "nothing was written: another file has taken its place; read it again"
            )
        if not self._reader.fits(self._source):
            raise WriteError(self._path, "nothing was written: the file was rewritten; read it again")

    def _wait_for_whole_line(self) -> None:
        deadline = time.monotonic() + _UNFINISHED_WAIT
        while self._reader.waiting and not self._reader.tail_taken:
            if time.monotonic() > deadline:
                raise WriteError(
                    self._path,
                    "nothing was written: its last line is unfinished, as if somebody were just writing it",
                )
            time.sleep(_STEP)
            self.catch_up()

    def _write(self, lines: bytes) -> None:
        if self._reader.waiting:
            lines = b"\n" + lines
        flags = os.O_RDWR | os.O_APPEND | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
        try:
            descriptor = os.open(self._path, flags)
        except OSError as error:
            raise WriteError(self._path, f"nothing was written: {error.strerror or error}") from error
        try:
            known = self._source.stat()
            opened = os.fstat(descriptor)
            if (opened.st_dev, opened.st_ino) != (known.st_dev, known.st_ino):
                raise WriteError(self._path, "nothing was written: another file has taken its place")
            before = opened.st_size
            try:
                written = os.write(descriptor, lines)
            except OSError as error:
                raise WriteError(self._path, f"nothing was written: {_words(error)}") from error
            if written < len(lines):
                _take_back(descriptor, before, lines[:written])
                raise WriteError(self._path, "nothing was written: the disk is full")
        finally:
            os.close(descriptor)


def _take_back(descriptor: int, before: int, torn: bytes) -> None:
    """Remove the torn end of a short write, or, where others have written after it, end its line."""
    try:
        size = os.fstat(descriptor).st_size
        os.lseek(descriptor, size - len(torn), os.SEEK_SET)
        if size == before + len(torn) and os.read(descriptor, len(torn)) == torn:
            os.ftruncate(descriptor, before)
        else:
            os.write(descriptor, b"\n")
    except OSError:
        pass  # the torn line stays; every reader passes over it, and the next writer ends it


def _words(error: OSError) -> str:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "the disk is full"
    return error.strerror or str(error)
