"""The process that makes blocks of a session file: `python -m pitree.session.scanner DESCRIPTOR SIZE`.

It is told ranges of the file on its standard input and answers with blocks on its standard output, until the
input ends or nobody reads the output.
"""

from __future__ import annotations

import gc
import os
import struct
import sys
from contextlib import suppress

from pitree.session.block import Block, Odd, scan, to_bytes
from pitree.session.lines import LONGEST_LINE

RANGE = struct.Struct("<qq")
"""A question: the range in which lines are to start."""

LENGTH = struct.Struct("<q")
"""Before each answer: its length; 0 for no block, which leaves the range to the asker."""

_MORE = 256 * 1024

_NICE = 4
"""So much less important is this than the process that waits for keys."""


def lines_in(descriptor: int, start: int, stop: int, size: int) -> tuple[bytes, int]:
    """The whole lines that start in a range of a file, and where they do.

    Args:
        descriptor: the file.
        start, stop: the range; there is something before it.
        size: the file counts as so large.

    Raises:
        Odd: a line is too long to be held.
        OSError: the file cannot be read.
    """
    data = _read(descriptor, start - 1, stop - start + 1)
    first = data.find(b"\n") + 1
    if not first:
        return b"", start
    parts = [data[first:]]
    at = start - 1 + len(data)
    more = data
    while at < size and not more.endswith(b"\n"):
        more = _read(descriptor, at, min(_MORE, size - at))
        if not more or at - stop > LONGEST_LINE:
            raise Odd
        at += len(more)
        if (end := more.find(b"\n") + 1) > 0:
            more = more[:end]
        parts.append(more)
    whole = b"".join(parts)
    return whole[: whole.rfind(b"\n") + 1], start - 1 + first


def block_in(descriptor: int, start: int, stop: int, size: int) -> Block | None:
    """The block of the lines that start in a range; None for none, or if they are to be read otherwise."""
    try:
        data, first = lines_in(descriptor, start, stop, size)
        return scan(data, first) if data else None
    except (Odd, OSError, ValueError, OverflowError, RecursionError):
        return None


def main() -> None:
    """Answer until nobody asks."""
    descriptor, size = int(sys.argv[1]), int(sys.argv[2])
    gc.disable()  # no block leaves anything that refers to itself
    with suppress(OSError):
        os.nice(_NICE)
    while len(question := _exactly(0, RANGE.size)) == RANGE.size:
        start, stop = RANGE.unpack(question)
        block = block_in(descriptor, start, stop, size)
        answer = b"" if block is None else to_bytes(block)
        _write(1, LENGTH.pack(len(answer)) + answer)


def _read(descriptor: int, offset: int, length: int) -> bytes:
    parts = []
    while length > 0 and (part := os.pread(descriptor, length, offset)):
        parts.append(part)
        offset += len(part)
        length -= len(part)
    return b"".join(parts)


def _exactly(descriptor: int, length: int) -> bytes:
    data = b""
    while len(data) < length and (part := os.read(descriptor, length - len(data))):
        data += part
    return data


def _write(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


if __name__ == "__main__":
    try:
        main()
    except (OSError, KeyboardInterrupt):
        pass  # whoever asked is gone
