"""Makes blocks of a session file: `python -m pitree.session.reading.block_worker DESCRIPTOR SIZE`.

It is told ranges of the file on its standard input and answers with blocks on its standard output, until the
input ends or nobody reads the output.
"""

from __future__ import annotations

import sys

from pitree.session.reading.block_parser import Odd, scan
from pitree.session.reading.column_block import RANGE, ColumnBlock, to_bytes
from pitree.session.storage.line_reader import LONGEST_LINE
from pitree.workers.child import answer, asked, read_into, serve

_MORE = 16 * 1024
"""Bytes read behind a range, where most often its last line ends."""
_MUCH_MORE = 256 * 1024


class Lines:
    """Reads the lines of a file that start in a range, into memory that is used again and again.

    Args:
        descriptor: the file.
        size: it counts as so large.

    Attributes:
        data: what was read last.
    """

    def __init__(self, descriptor: int, size: int) -> None:
        self.data = bytearray()
        self._descriptor = descriptor
        self._size = size

    def read(self, start: int, stop: int) -> tuple[int, int, int]:
        """Read whole lines.

        Args:
            start, stop: the range; there is something before it.

        Returns:
            Where in the file they start, and where in `data` they start and end.

        Raises:
            Odd: a line is too long to be held.
            OSError: the file cannot be read.
        """
        before = start - 1  # whether a line starts at the start of the range, is told by the byte before
        length = self._read(before, 0, min(self._size, stop + _MORE) - before)
        first = self.data.find(b"\n", 0, min(length, stop - start)) + 1
        if not first:
            return start, 0, 0
        end = self.data.find(b"\n", stop - start, length) + 1
        while not end and before + length < self._size:
            more = self._read(before + length, length, min(_MUCH_MORE, self._size - before - length))
            if not more or before + length - stop > LONGEST_LINE:
                raise Odd
            end = self.data.find(b"\n", length, length + more) + 1
            length += more
        return before + first, first, end or self.data.rfind(b"\n", 0, length) + 1

    def _read(self, offset: int, at: int, length: int) -> int:
        """Read so many bytes of the file into `data`, from a place on; return how many there were."""
        if len(self.data) < at + length:
            self.data = self.data[:at] + bytes(max(length, at))
        with memoryview(self.data) as view:
            return read_into(self._descriptor, offset, view[at : at + length])


def block_in(lines: Lines, start: int, stop: int) -> ColumnBlock | None:
    """The block of the lines that start in a range; None for none, or if they are to be read otherwise."""
    try:
        place, first, end = lines.read(start, stop)
        return scan(lines.data, place, first, end) if end > first else None
    except (Odd, OSError, ValueError, OverflowError):
        return None


def main() -> None:
    """Answer until nobody asks."""
    lines = Lines(int(sys.argv[1]), int(sys.argv[2]))
    while len(question := asked(RANGE.size)) == RANGE.size:
        start, stop = RANGE.unpack(question)
        block = block_in(lines, start, stop)
        answer(b"" if block is None else to_bytes(block))


if __name__ == "__main__":
    serve(main)
