"""The process that makes blocks of a session file: `python -m pitree.session.scanner DESCRIPTOR SIZE`.

It is told ranges of the file on its standard input and answers with blocks on its standard output, until the
input ends or nobody reads the output.
"""

from __future__ import annotations

import sys

from pitree.session.answering import answer, asked, read_at, serve
from pitree.session.block import RANGE, Block, to_bytes
from pitree.session.block_scan import Odd, scan
from pitree.session.lines import LONGEST_LINE

_MORE = 16 * 1024
"""Bytes read behind a range, where most often its last line ends."""
_MUCH_MORE = 256 * 1024


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
    before = start - 1  # whether a line starts at the start of the range, is told by the byte before
    data = read_at(descriptor, before, min(size, stop + _MORE) - before)
    first = data.find(b"\n", 0, stop - start) + 1
    if not first:
        return b"", start
    end = data.find(b"\n", stop - start) + 1
    if end:
        return data[first:end], before + first
    parts = [data]
    at = before + len(data)
    while at < size and not end:
        data = read_at(descriptor, at, min(_MUCH_MORE, size - at))
        if not data or at - stop > LONGEST_LINE:
            raise Odd
        at += len(data)
        end = data.find(b"\n") + 1
        parts.append(data[:end] if end else data)
    whole = b"".join(parts)
    return whole[first : whole.rfind(b"\n") + 1], before + first


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
    while len(question := asked(RANGE.size)) == RANGE.size:
        start, stop = RANGE.unpack(question)
        block = block_in(descriptor, start, stop, size)
        answer(b"" if block is None else to_bytes(block))


if __name__ == "__main__":
    serve(main)
