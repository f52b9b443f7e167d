"""The lines of a session file one after the other, in bounded memory, for lists and searches."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass
from typing import Any

from pitree.session.format.jsonl import BOM

CHUNK = 256 * 1024
"""Bytes read at a time."""
LONGEST_LINE = 32 * 1024 * 1024
"""Longer lines are not held; of them there is only a `LineHead`."""
BEGINNING = 4096
FINGERPRINT = 64
HEAD = 128
"""Bytes before a known place, and at the start, that tell whether a file is still the one that was read."""
SETTLED_AFTER = 2_000_000_000
"""Nanoseconds within which two writes may leave the same time on a file; some file systems count in steps of
two seconds."""

Turn = AbstractContextManager[Any]
"""A lock, or what stands for one."""


class ReadCancelled(Exception):
    """Reading was called off."""


class FileReplaced(Exception):
    """A file is not the one that was read before, with more at its end; the text says why."""


def never() -> bool:
    """For a reader that is not to be stopped."""
    return False


class LineHead(bytes):
    """The first bytes of a line too long to be held."""


@dataclass(frozen=True, slots=True)
class LineChunk:
    """Whole lines: the first `end` bytes of `data`, the last of which is an LF."""

    data: bytes
    end: int

    def lines(self) -> list[bytes]:
        """The lines without their LF."""
        lines = self.data.split(b"\n")
        lines.pop()
        return lines


class UnterminatedLine(bytes):
    """The last line of a file, which lacks its LF: its writer may be in the middle of it."""


@dataclass(slots=True)
class ReadPosition:
    """How far a file was read.

    Attributes:
        end: the place behind what was read: behind the last LF, or behind a whole last line without one.
        known: the bytes just before it, at most `FINGERPRINT` of them.
        head: the first bytes of the file, at most `HEAD` of them; a session's id stands there.
        open_line: whether the line that ends there lacks its LF.
        stamp: device, inode, size and time of writing (ns) of the file when its end was met.
        changed: when the file, or what its folder says of it, was changed last by then, in ns.
        settled: whether that was long before it was read, so that any later write shows in these times.
    """

    end: int = 0
    known: bytes = b""
    head: bytes = b""
    open_line: bool = False
    stamp: tuple[int, int, int, int] = (0, 0, 0, 0)
    changed: int = 0
    settled: bool = False

    def take(self, rest: bytes) -> None:
        """Count a last line without LF as read."""
        self.end += len(rest)
        self.known = (self.known + rest)[-FINGERPRINT:]
        self.open_line = True


def _beginning(parts: list[bytes]) -> LineHead:
    head = b""
    for part in parts:
        head += part[: BEGINNING - len(head)]
    return LineHead(head)


def lines_of(
    path: str,
    stopped: Callable[[], bool],
    turn: AbstractContextManager[Any],
    reached: ReadPosition | None = None,
) -> Generator[bytes, None, None]:
    """The lines of a file without their LF; of one above `LONGEST_LINE` a `LineHead`.

    A last line without LF comes as `UnterminatedLine`. `turn` is held while lines are given out, and free
    while the disk is waited for. For arguments and errors see `chunks_of`.
    """
    with closing(chunks_of(path, stopped, turn, reached)) as chunks:
        for chunk in chunks:
            if isinstance(chunk, LineChunk):
                yield from chunk.lines()
            else:
                yield chunk


def chunks_of(
    path: str,
    stopped: Callable[[], bool],
    turn: AbstractContextManager[Any],
    reached: ReadPosition | None = None,
    first_bytes: int = CHUNK,
) -> Generator[LineChunk | LineHead | UnterminatedLine, None, None]:
    """The lines of a file, many at a time, else as `lines_of` gives them.

    Args:
        path: the file.
        stopped: asked once a chunk whether to give up.
        turn: held while something is given out.
        reached: where to read on, from an earlier call; brought up to date, and right once everything was
            given out. A `UnterminatedLine` counts as not read.
        first_bytes: how much to read at first.

    Raises:
        Rewritten: the file is not the one of the earlier call.
        Stopped: `stopped()` said so.
        OSError: the file cannot be read.
    """
    reached = reached if reached is not None else ReadPosition()
    parts: list[bytes] = []
    waiting = 0
    begun = time.time_ns()
    with open(path, "rb", buffering=0) as file:
        size = os.fstat(file.fileno()).st_size
        at = reached.end
        if at:
            _check(file.fileno(), reached)
            file.seek(at)
        wanted = first_bytes
        # One byte more than there is, to meet the end at once; and no large buffer for a few new bytes.
        while data := file.read(min(wanted, max(BEGINNING, size - at + 1))):
            if stopped():
                raise ReadCancelled
            wanted = CHUNK
            first = not at
            at += len(data)
            if first:
                reached.head = data[:HEAD]
                data = data.removeprefix(BOM)
            if b"\n" not in data:
                if waiting <= LONGEST_LINE:
                    parts.append(data)
                    if waiting + len(data) > LONGEST_LINE:
                        parts = [_beginning(parts)]
                waiting += len(data)
                continue
            with turn:
                if waiting > LONGEST_LINE:
                    yield LineHead(parts[0])
                    data = data[data.index(b"\n") + 1 :]
                elif parts:
                    parts.append(data)
                    data = b"".join(parts)
                whole = data.rfind(b"\n") + 1
                rest = data[whole:]
                parts = [rest] if rest else []
                waiting = len(rest)
                reached.end = at - len(rest)
                reached.known = (reached.known + data[max(0, whole - FINGERPRINT) : whole])[-FINGERPRINT:]
                yield LineChunk(data, whole)
        status = os.fstat(file.fileno())
        # Of the size that was read, which may be less than there is by now: then it is no stamp of any file.
        reached.stamp = (status.st_dev, status.st_ino, at, status.st_mtime_ns)
        reached.changed = status.st_ctime_ns
        reached.settled = begun - max(status.st_mtime_ns, status.st_ctime_ns) > SETTLED_AFTER
    if parts:
        with turn:
            yield UnterminatedLine(parts[0] if len(parts) == 1 else b"".join(parts))


def _check(descriptor: int, reached: ReadPosition) -> None:
    """Whether an opened file still is the one that was read so far."""
    status = os.fstat(descriptor)
    if (status.st_dev, status.st_ino) != reached.stamp[:2]:
        raise FileReplaced("another file has its name now")
    if status.st_size < reached.end:
        raise FileReplaced("it is shorter than it was")
    for place, known in ((0, reached.head), (reached.end - len(reached.known), reached.known)):
        os.lseek(descriptor, place, os.SEEK_SET)
        if os.read(descriptor, len(known)) != known:
            raise FileReplaced("it was rewritten")
