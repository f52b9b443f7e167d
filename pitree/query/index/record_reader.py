"""Reads the records of a session file with their places, from the start or from where a reading ended."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import orjson

from pitree.catalog.info.session_info import HEADER_SEARCH, NoSessionFile
from pitree.query.index.session_facts import SessionFacts, kind_of
from pitree.session.format.entry_type import Kind
from pitree.session.format.jsonl import BOM, objects_within, parse
from pitree.session.format.migrate import CURRENT_VERSION, to_current
from pitree.session.format.record_check import is_header, looks_like_entry
from pitree.session.storage.line_reader import (
    FINGERPRINT,
    HEAD,
    LONGEST_LINE,
    FileReplaced,
    ReadCancelled,
    never,
)

CHUNK = 1024 * 1024
_PIECE = 64 * 1024

if hasattr(os, "pread"):
    read_at = os.pread
else:  # Windows

    def read_at(descriptor: int, length: int, at: int) -> bytes:
        """Bytes of an opened file from a place on, as `os.pread` gives them."""
        os.lseek(descriptor, at, os.SEEK_SET)
        return os.read(descriptor, length)


def open_file(path: str) -> int:
    """A descriptor to read a file with.

    Raises:
        OSError: it cannot be read.
    """
    return os.open(path, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0))


Placed = tuple[int, dict[str, Any], Kind]
"""Where a record starts in its file, the record in version 3 form, its kind."""


@dataclass(frozen=True, slots=True)
class RecordPosition:
    """Where the reading of a file ended, and how to tell whether it still is that file.

    Attributes:
        device, inode: the file.
        end: the place behind the last line that was read.
        known: the bytes just before it.
        head: the first bytes of the file.
    """

    device: int
    inode: int
    end: int
    known: bytes
    head: bytes

    def check(self, descriptor: int) -> None:
        """See that an opened file is the one that was read.

        Raises:
            Rewritten: it is not.
        """
        status = os.fstat(descriptor)
        if (status.st_dev, status.st_ino) != (self.device, self.inode):
            raise FileReplaced("another file has its name now")
        if status.st_size < self.end:
            raise FileReplaced("it is shorter than it was")
        for place, bytes_there in ((0, self.head), (self.end - len(self.known), self.known)):
            if read_at(descriptor, len(bytes_there), place) != bytes_there:
                raise FileReplaced("it was rewritten")


class RecordReader:
    """The records of one session file in file order; `facts` and `mark` follow.

    A line above 32 MB is skipped. A last line without its LF counts if it is whole.

    Args:
        path: the file.
        mark: where an earlier reading ended; None for the start.
        facts: what was known then.
        most: bytes after which to stop, at the end of a line.
        until: the end of a line up to which to read, whatever follows.
        anyway: do not see whether the file is the one that was read earlier.
        stopped: asked once a chunk whether to give up.
    """

    def __init__(
        self,
        path: str,
        mark: RecordPosition | None = None,
        facts: SessionFacts | None = None,
        *,
        most: int | None = None,
        until: int | None = None,
        anyway: bool = False,
        stopped: Callable[[], bool] = never,
    ) -> None:
        self.path = path
        self.facts = facts if facts is not None else SessionFacts(path)
        self.mark = mark
        self.stamp = (0, 0, 0, 0)
        """Device, inode, size and time of writing (ns) of the file as it was read."""
        self.more = False
        """Whether it stopped at `most`."""
        self._most, self._until, self._anyway = most, until, anyway
        self._stopped = stopped
        self._found_header = mark is not None
        self._searched = 0

    def __iter__(self) -> Iterator[Placed]:
        """The records.

        Raises:
            NoSessionFile: the file is not a session.
            Rewritten: it is not the one that was read before.
            OSError: it cannot be read.
            Stopped: `stopped()` said so.
        """
        descriptor = open_file(self.path)
        try:
            status = os.fstat(descriptor)
            self.stamp = (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)
            if self.mark is not None and not self._anyway:
                self.mark.check(descriptor)
            head = read_at(descriptor, HEAD, 0)
            start = self.mark.end if self.mark is not None else 0
            end = start
            size = status.st_size if self._until is None else min(status.st_size, self._until)
            facts, loads = self.facts, orjson.loads
            for line, at, end in self._lines(descriptor, start, size):  # noqa: B007
                if self._found_header and facts.version == CURRENT_VERSION:
                    try:
                        record = loads(line)
                        if record["type"] != "session":
                            kind = kind_of(record)
                            facts.take(record, kind)
                            yield at, record, kind
                        continue
                    except (ValueError, KeyError, TypeError):
                        pass  # anything out of the ordinary takes the long way below
                yield from self._records(line, at)
            self.facts.settle()
            if not self._found_header:
                raise NoSessionFile("it has no session header" if end else "it is empty")
            known = read_at(descriptor, min(end, FINGERPRINT), max(0, end - FINGERPRINT))
            self.mark = RecordPosition(status.st_dev, status.st_ino, end, known, head[: min(HEAD, end)])
        finally:
            os.close(descriptor)

    def _lines(self, descriptor: int, start: int, size: int) -> Iterator[tuple[bytes, int, int]]:
        """The lines of a file from a place to its size: line, where it starts, where the next one does.

        A last line without LF comes only if it is a whole record.
        """
        most = self._most
        at = read = start
        parts: list[bytes] = []
        waiting = 0
        while read < size and (data := read_at(descriptor, min(CHUNK, size - read), read)):
            if self._stopped():
                raise ReadCancelled
            read += len(data)
            if b"\n" not in data:
                waiting += len(data)
                parts = [*parts, data] if waiting <= LONGEST_LINE else []
                continue
            if waiting > LONGEST_LINE:
                after = data.index(b"\n") + 1
                at += waiting + after
                data = data[after:]
            elif parts:
                data = b"".join((*parts, data))
            lines = data.split(b"\n")
            rest = lines.pop()
            for line in lines:
                begin = at
                at += len(line) + 1
                if begin == 0 and line.startswith(BOM):
                    yield line[len(BOM) :], len(BOM), at
                elif line:
                    yield line, begin, at
            parts, waiting = ([rest], len(rest)) if rest else ([], 0)
            if most is not None and at - start >= most and read < size:
                self.more = True
                return
        if parts:
            rest = b"".join(parts)
            try:
                whole = isinstance(parse(rest.removeprefix(BOM) if at == 0 else rest), dict)
            except ValueError:
                whole = False
            if whole:
                begin, rest = (len(BOM), rest[len(BOM) :]) if at == 0 and rest.startswith(BOM) else (at, rest)
                yield rest, begin, begin + len(rest)

    def _records(self, line: bytes, at: int) -> Iterator[Placed]:
        if not self._found_header:
            self._header(line)
            return
        try:
            record = parse(line)
        except ValueError:
            for start, _, found in objects_within(line):
                if looks_like_entry(found):
                    yield self._entry(found, at + start)
            return
        if isinstance(record, dict) and record.get("type") != "session":
            yield self._entry(record, at)

    def _entry(self, record: dict[str, Any], at: int) -> Placed:
        facts = self.facts
        record = current(record, facts.version, facts.entries)
        kind = kind_of(record)
        facts.take(record, kind)
        return at, record, kind

    def _header(self, line: bytes) -> None:
        self._searched += len(line)
        if line.strip():
            try:
                record = parse(line)
            except ValueError:
                record = next((value for _, _, value in objects_within(line) if is_header(value)), None)
            if isinstance(record, dict):
                if is_header(record):
                    self._found_header = True
                    self.facts.take_header(record)
                elif record.get("type") == "session":
                    raise NoSessionFile("its header has no id")
                elif looks_like_entry(record):
                    raise NoSessionFile("an entry comes before the session header")
        if self._searched > HEADER_SEARCH:
            raise NoSessionFile("it has no session header")


def current(record: dict[str, Any], version: int, index: int) -> dict[str, Any]:
    """A record in version 3 form."""
    return to_current(record, version, index, []) if version < CURRENT_VERSION else record


def record_at(descriptor: int, at: int) -> dict[str, Any] | None:
    """The record that starts at a place of an opened file, as it stands there; None if there is none."""
    parts: list[bytes] = []
    size = 0
    while data := read_at(descriptor, _PIECE, at + size):
        size += len(data)
        parts.append(data)
        if b"\n" in data or size > LONGEST_LINE:
            break
    line = b"".join(parts).split(b"\n", 1)[0]
    try:
        value = parse(line)
    except ValueError:
        value = next((found for start, _, found in objects_within(line) if start == 0), None)
    return value if isinstance(value, dict) else None
