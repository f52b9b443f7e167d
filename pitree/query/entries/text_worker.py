"""The process that makes searchable texts of lines: `python -m pitree.query.entries.text_worker DESCRIPTOR`.

It is told entries on its standard input, and answers with their texts on its standard output, until the input
ends or nobody reads the output.
"""

from __future__ import annotations

import marshal
import sys
from array import array

from pitree.query.entries.text_parts import PartMaker, TextPart
from pitree.workers.child import answer, asked, read_at, serve
from pitree.workers.framing import LENGTH

Asked = tuple[int, int, bytes, bytes, bytes, list[bytes]]
"""A question: where the lines are in the file and how many bytes; for each its start there and its length (as
arrays of "q"), its kind; and for each result of a tool what its row shows."""


def part_in(descriptor: int, question: Asked) -> TextPart | None:
    """The texts asked for; None if the lines are to be read otherwise."""
    start, size, starts, lengths, kinds, rows = question
    try:
        data = read_at(descriptor, start, size)
        if len(data) < size:
            return None
        maker = PartMaker()
        lines = (
            data[at : at + length]
            for at, length in zip(memoryview(starts).cast("q"), memoryview(lengths).cast("q"), strict=True)
        )
        maker.take_lines(lines, kinds, [row.decode("utf-8", "replace") for row in rows])
        return maker.made()
    except (OSError, ValueError):
        return None


def to_bytes(part: TextPart) -> bytes:
    """A part as bytes, for another process on this machine that runs the same program."""
    return marshal.dumps((part.blob, part.starts.tobytes(), part.answered, part.calls, list(part.made)))


def from_bytes(data: bytes) -> TextPart:
    """The part that `to_bytes` was given.

    Raises:
        EOFError, TypeError, ValueError: it was given none.
    """
    blob, column, answered, calls, made = marshal.loads(data)
    starts = array("I")
    starts.frombytes(column)
    return TextPart(blob, starts, answered, calls, set(made))


def main() -> None:
    """Answer until nobody asks."""
    descriptor = int(sys.argv[1])
    while len(head := asked(LENGTH.size)) == LENGTH.size:
        (length,) = LENGTH.unpack(head)
        part = part_in(descriptor, marshal.loads(asked(length)))
        answer(b"" if part is None else to_bytes(part))


if __name__ == "__main__":
    serve(main)
