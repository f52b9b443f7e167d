"""Several processes read a large session file at once, while this one stays free for keys.

Where they cannot be started, or end, the file is read by this process alone, as smaller ones are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from pitree.session.reading.column_block import RANGE, ColumnBlock, from_bytes
from pitree.session.storage.byte_source import FileSource
from pitree.workers.pool import Workers

RANGE_BYTES = 2_000_000
"""Bytes of a file that are read at a time: some ten milliseconds of work for this process."""

Range = tuple[int, int]


class Scanners(Workers):
    """Processes that make blocks of a file. A context manager: at its end they are gone.

    Args:
        source: the file.
        size: bytes of it that count.
    """

    def __init__(self, source: FileSource, size: int) -> None:
        descriptor = source.descriptor
        super().__init__("pitree.session.reading.block_worker", (str(descriptor), str(size)), (descriptor,))

    def blocks(
        self, ranges: Sequence[Range], order: Sequence[int], cancelled: Callable[[], bool] | None
    ) -> Iterator[tuple[int, ColumnBlock | None]]:
        """The blocks of ranges as they come, each with the place of its range.

        Args:
            ranges: ranges of the file.
            order: in which order to have them read, by their places.
            cancelled: asked now and then.

        Yields:
            Place and block; None where the range is to be read otherwise.

        Raises:
            Cancelled: `cancelled` said so.
        """
        left = dict.fromkeys(order)
        for number, answer in self.answers((RANGE.pack(*ranges[place]) for place in order), cancelled):
            left.pop(order[number])
            yield order[number], _block(answer)
        yield from ((place, None) for place in left)


def _block(answer: bytes) -> ColumnBlock | None:
    """The block of an answer; None for none, or from a program that was exchanged under this one's feet."""
    try:
        return from_bytes(answer) if answer else None
    except (EOFError, TypeError, ValueError):
        return None


def ranges_of(start: int, size: int) -> list[Range]:
    """The ranges that a file is read in, from a place on."""
    return [(at, min(size, at + RANGE_BYTES)) for at in range(start, size, RANGE_BYTES)]
