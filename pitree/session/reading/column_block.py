"""A stretch of a session file as columns: another process makes it, the reader takes it in as one.

Only what is ordinary is made a block. Whatever is not (damage, a second header, an id given twice, tokens
that are no whole numbers) is left to the reader, which has the one code for that.
"""

from __future__ import annotations

import marshal
import struct
from array import array
from dataclasses import dataclass
from typing import Any

KNOWN = 64
"""Bytes at the end that tell whether a file is still the one that was read."""

RANGE = struct.Struct("<qq")
"""A question: the range in which lines are to start."""

Spent = tuple[int, int, int, int]
"""Tokens: input, output, cache read, cache write."""


@dataclass(slots=True)
class ColumnBlock:
    """Whole lines of a session file of format version 3, none of them a header.

    Attributes:
        start, end: the bytes of the file that they are.
        line_count: physical lines among them.
        known: the last bytes.
        ids: entry ids, each one once.
        parents: place of the parent in the block, -1 if it is not there before the entry.
        above: those with -1: their place, and the id of their parent if they name one.
        kinds, flags, times, offsets, lengths: as in `EntryTable`.
        lines: number of the line in the block, from 1.
        texts, text_ends: bodies of rows, joined, and where each ends.
        unnamed: place → call id of tool results whose call is not in the block before them.
        calls: the block's own tool calls, packed.
        messages, tool_calls: as in `SessionStats`.
        models: whose usage is counted.
        tokens: for each of these the tokens used.
        payers, costs: for each usage in file order which of these it counts under, and what it cost in US
            dollars. (Sums of fractions depend on their order, so they are left to be added up.)
        effects: kind and what counts of the record, of entries that change the session as a whole.
    """

    start: int
    end: int
    line_count: int
    known: bytes
    ids: list[str]
    parents: array[int]
    above: list[tuple[int, str | None]]
    kinds: bytes
    flags: array[int]
    times: array[float]
    offsets: array[int]
    lengths: array[int]
    lines: array[int]
    texts: bytes
    text_ends: array[int]
    unnamed: list[tuple[int, str]]
    calls: bytes
    messages: dict[str, int]
    tool_calls: int
    models: list[str]
    tokens: list[Spent]
    payers: array[int]
    costs: array[float]
    effects: list[tuple[int, dict[str, Any]]]

    def __len__(self) -> int:
        return len(self.ids)


_ARRAYS = {
    "parents": "i",
    "flags": "H",
    "times": "d",
    "offsets": "q",
    "lengths": "q",
    "lines": "I",
    "text_ends": "I",
    "payers": "H",
    "costs": "d",
}


def to_bytes(block: ColumnBlock) -> bytes:
    """A block as bytes, for another process on this machine that runs the same program."""
    values = [getattr(block, name) for name in ColumnBlock.__slots__]
    return marshal.dumps([value.tobytes() if isinstance(value, array) else value for value in values])


def from_bytes(data: bytes) -> ColumnBlock:
    """The block that `to_bytes` was given."""
    values = marshal.loads(data)
    for place, name in enumerate(ColumnBlock.__slots__):
        if name in _ARRAYS:
            column = array(_ARRAYS[name])
            column.frombytes(values[place])
            values[place] = column
    return ColumnBlock(*values)
