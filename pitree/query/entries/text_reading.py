"""Reads the searchable texts of entries: in this process, or by others while this one stays free."""

from __future__ import annotations

import marshal
from array import array
from bisect import bisect_left
from collections.abc import Callable, Generator, Iterator, Sequence
from itertools import compress
from typing import Any, Protocol

from pitree.query.entries.text_parts import PartMaker, TextPart
from pitree.query.entries.text_worker import from_bytes
from pitree.session.format.entry_type import Kind
from pitree.session.reading.entry_table import EntryTable
from pitree.workers import Cancelled
from pitree.workers.framing import LENGTH
from pitree.workers.pool import Workers

FROM = 16 * 1024 * 1024
"""Bytes of lines from which on processes are worth their start."""

_MOST_ENTRIES = 4096
_AHEAD = 96
"""Parts read before one that is still missing, so that memory stays bounded where that one takes long."""

_RESULTS = bytes(code == Kind.TOOL_RESULT for code in range(256))

Range = tuple[int, int]
"""The first of some entries, and the one behind the last."""


class Records(Protocol):
    """Gives the records of entries; a session's `RecordStore` does."""

    @property
    def descriptor(self) -> int:
        """The opened file in which the lines stand as `lines` gives them; -1 for none."""

    def read(self, index: int) -> dict[str, Any]:
        """The record of an entry, in version 3 form."""

    def lines(self, first: int, end: int) -> list[bytes] | None:
        """The lines of entries that follow one another; None where records are to be read one by one."""


def ranges_of(table: EntryTable, first: int, count: int, size: int) -> Iterator[Range]:
    """The entries from one on to a count, cut into ranges of about so many bytes of lines."""
    while first < count:
        end = bisect_left(table.offsets, table.offsets[first] + size, first + 1, count)
        end = min(end, first + _MOST_ENTRIES)
        yield first, end
        first = end


def part_of(table: EntryTable, records: Records, entries: Range) -> TextPart:
    """The texts of entries, read by this process."""
    first, end = entries
    lines = records.lines(first, end)
    if lines is not None:
        maker = PartMaker()
        rows = [row.decode("utf-8", "replace") for row in _rows(table, entries)]
        try:
            maker.take_lines(lines, bytes(table.kinds[first:end]), rows)
            return maker.made()
        except ValueError:
            pass
    maker = PartMaker()
    for index in range(first, end):
        row = table.texts[index].decode("utf-8", "replace")
        maker.take(records.read(index), Kind(table.kinds[index]), row)
    return maker.made()


def _rows(table: EntryTable, entries: Range) -> list[bytes]:
    """What the rows of the tool results among entries show."""
    first, end = entries
    places = compress(range(first, end), table.kinds[first:end].translate(_RESULTS))
    return [table.texts[index] for index in places]


def parts_by_processes(
    table: EntryTable, descriptor: int, ranges: Sequence[Range], cancelled: Callable[[], bool]
) -> Generator[tuple[Range, TextPart | None], None, None]:
    """The texts of entries, read by several processes; nothing where these cannot be started.

    Args:
        table: the entries.
        descriptor: the opened file that holds their lines, as of version 3.
        ranges: the entries, in order.
        cancelled: asked now and then; once it says so, no more is read.

    Yields:
        In order, the ranges and their texts; None for those that are to be read otherwise.
    """
    taken = asked = 0
    waiting: dict[int, TextPart | None] = {}

    def questions() -> Iterator[bytes]:
        nonlocal asked
        while asked < len(ranges) and asked - taken < _AHEAD:
            asked += 1
            yield _question(table, ranges[asked - 1])

    try:
        with Workers("pitree.query.entries.text_worker", (str(descriptor),), (descriptor,)) as workers:
            while workers and taken < len(ranges):
                base = asked
                for number, answer in workers.answers(questions(), cancelled):
                    waiting[base + number] = _part(answer)
                    while taken in waiting:
                        yield ranges[taken], waiting.pop(taken)
                        taken += 1
    except Cancelled:
        return


def _question(table: EntryTable, entries: Range) -> bytes:
    first, end = entries
    offsets, lengths = table.offsets[first:end], table.lengths[first:end]
    start = offsets[0]
    starts = array("q", map((-start).__add__, offsets))
    question = (
        start,
        starts[-1] + lengths[-1],
        starts.tobytes(),
        lengths.tobytes(),
        bytes(table.kinds[first:end]),
        _rows(table, entries),
    )
    data = marshal.dumps(question)
    return LENGTH.pack(len(data)) + data


def _part(answer: bytes) -> TextPart | None:
    """The part of an answer; None for none, or from a program that was exchanged under this one's feet."""
    try:
        return from_bytes(answer) if answer else None
    except (EOFError, TypeError, ValueError):
        return None
