"""A stretch of a session file as columns: another process makes it, the reader takes it in as one.

Only what is ordinary is made a block. Whatever is not (damage, a second header, an id given twice, tokens
that are no whole numbers) is left to the reader, which has the one code for that.
"""

from __future__ import annotations

import marshal
from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, compress, count
from operator import add
from typing import Any

import orjson

from pitree.session.calls import Calls, pack
from pitree.session.jsonl import parse
from pitree.session.kinds import Flag, Kind
from pitree.session.summary import TEXT_KEPT, Summarizer, tool_calls, utf8
from pitree.session.times import Times
from pitree.session.totals import TOOLS_AND_SUMMARIES, model_key, usage_of

KNOWN = 64
"""Bytes at the end that tell whether a file is still the one that was read."""

_CALLS = int(Flag.CALLS)
_TIMES = Times()
_COSTS = {int, float}
_EFFECTS = (Kind.LABEL, Kind.SESSION_INFO)

Spent = tuple[int, int, int, int]
"""Tokens: input, output, cache read, cache write."""


class Odd(Exception):
    """The lines hold something that is left to the reader."""


@dataclass(slots=True)
class Block:
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


def to_bytes(block: Block) -> bytes:
    """A block as bytes, for another process on this machine that runs the same program."""
    values = [getattr(block, name) for name in Block.__slots__]
    return marshal.dumps([value.tobytes() if isinstance(value, array) else value for value in values])


def from_bytes(data: bytes) -> Block:
    """The block that `to_bytes` was given."""
    values = marshal.loads(data)
    for place, name in enumerate(Block.__slots__):
        if name in _ARRAYS:
            column = array(_ARRAYS[name])
            column.frombytes(values[place])
            values[place] = column
    return Block(*values)


class _CallsOfBlock(Calls):
    """The calls of a block, which notes a call that was asked for and is not in it."""

    def __init__(self) -> None:
        self.made: dict[str, str] = {}
        self.missed: str | None = None

    def set(self, call_id: str, text: str) -> None:
        self.made[call_id] = text

    def get(self, call_id: str) -> str | None:
        found = self.made.get(call_id)
        if found is None:
            self.missed = call_id
        return found


def scan(data: bytes, start: int) -> Block:
    """Make a block of whole lines.

    Args:
        data: the lines, each with its LF.
        start: where they start in the file.

    Raises:
        Odd: they hold something that is left to the reader.
    """
    calls = _CallsOfBlock()
    summarize = Summarizer(calls).summarize
    loads, ms = orjson.loads, _TIMES.ms
    by_id: dict[str, int] = {}
    find = by_id.get
    parents: list[int] = []
    kinds = bytearray()
    flags: list[int] = []
    times: list[float] = []
    texts: list[bytes] = []
    above: list[tuple[int, str | None]] = []
    unnamed: list[tuple[int, str]] = []
    effects: list[tuple[int, dict[str, Any]]] = []
    blanks: list[int] = []
    ledger = _Ledger()
    place = 0
    lines = data.split(b"\n")
    lines.pop()
    for line in lines:
        try:
            record = loads(line)
        except orjson.JSONDecodeError:
            if not line or line.isspace():
                blanks.append(place + len(blanks))
                continue
            record = _otherwise(line)
        try:
            entry_id, parent_id, entry_type = record["id"], record["parentId"], record["type"]
        except (KeyError, TypeError):
            raise Odd from None
        if type(entry_id) is not str or entry_type == "session" or entry_id == parent_id:
            raise Odd
        parent = find(parent_id, -1)
        if parent < 0:
            if parent_id is not None and type(parent_id) is not str:
                raise Odd
            above.append((place, parent_id))
        by_id[entry_id] = place
        kind, marks, text = summarize(record)
        if calls.missed is not None:
            unnamed.append((place, calls.missed))
            calls.missed = None
        parents.append(parent)
        kinds.append(kind)
        flags.append(marks)
        times.append(ms(record.get("timestamp")))
        texts.append(text.encode() if len(text) <= TEXT_KEPT and text.isascii() else utf8(text[:TEXT_KEPT]))
        if entry_type == "message":
            message = record.get("message")
            if type(message) is dict:
                ledger.message(message, marks)
        else:
            ledger.other(record)
            if kind in _EFFECTS:
                effects.append((int(kind), _what_counts(record)))
        place += 1
    if len(by_id) != place:
        raise Odd
    offsets, lengths, numbers = _places(lines, start, blanks)
    models, tokens, payers, costs = ledger.sums()
    return Block(
        start=start,
        end=start + len(data),
        line_count=len(lines),
        known=data[-KNOWN:],
        ids=list(by_id),
        parents=array("i", parents),
        above=above,
        kinds=bytes(kinds),
        flags=array("H", flags),
        times=array("d", times),
        offsets=offsets,
        lengths=lengths,
        lines=numbers,
        texts=b"".join(texts),
        text_ends=array("I", accumulate(map(len, texts))),
        unnamed=unnamed,
        calls=pack(calls.made),
        messages=dict(Counter(ledger.roles)),
        tool_calls=ledger.tool_calls,
        models=models,
        tokens=tokens,
        payers=payers,
        costs=costs,
        effects=effects,
    )


def _places(lines: list[bytes], start: int, blanks: list[int]) -> tuple[array[int], array[int], array[int]]:
    """Where the lines that are not blank start, how long they are, and which they are."""
    lengths = array("q", map(len, lines))
    offsets = array("q", map(add, accumulate(lengths, initial=start), count()))
    numbers = array("I", range(1, len(lines) + 1))
    offsets.pop()
    for blank in reversed(blanks):
        for column in (offsets, lengths, numbers):
            del column[blank]
    return offsets, lengths, numbers


def _otherwise(line: bytes) -> Any:
    """What the standard library makes of a line that orjson refuses."""
    try:
        return parse(line)
    except ValueError:
        raise Odd from None


def _what_counts(record: dict[str, Any]) -> dict[str, Any]:
    """What of a label or a name changes the session."""
    names = ("targetId", "label", "timestamp", "name")
    return {name: record[name] for name in names if isinstance(record.get(name), str)}


class _Ledger:
    """Counts messages and usage as `SessionStats` does, but keeps each cost by itself."""

    def __init__(self) -> None:
        self.roles: list[str] = []
        self.tool_calls = 0
        self._payers: list[str] = []
        self._spent: list[Any] = []

    def message(self, message: dict[str, Any], marks: int) -> None:
        """Count a message."""
        role = message.get("role")
        self.roles.append(role if type(role) is str else "?")
        if role == "assistant":
            if marks & _CALLS:
                self.tool_calls += len(tool_calls(message["content"]))
            model = message.get("responseModel")
            if (usage := message.get("usage")) is not None:
                model = message.get("model") if model is None else model
                self._spend(model_key(message.get("provider"), model), usage)
        elif role == "toolResult" and (usage := message.get("usage")) is not None:
            self._spend(TOOLS_AND_SUMMARIES, usage)

    def other(self, record: dict[str, Any]) -> None:
        """Count an entry that is no message, and has usage perhaps."""
        payer, usage = usage_of(record)
        if usage is not None:
            self._spend(payer, usage)

    def _spend(self, payer: str, usage: Any) -> None:
        try:
            cost = usage["cost"]["total"]
            self._spent.append(
                (cost, usage["input"], usage["output"], usage["cacheRead"], usage["cacheWrite"])
            )
        except (KeyError, TypeError):
            raise Odd from None
        self._payers.append(payer)

    def sums(self) -> tuple[list[str], list[Spent], array[int], array[float]]:
        """Models, tokens, payers and costs, as in `Block`.

        Raises:
            Odd: there are tokens that are no whole numbers, or costs that are none.
        """
        if not self._spent:
            return [], [], array("H"), array("d")
        tokens: list[Any]
        costs, *tokens = zip(*self._spent, strict=True)
        if any(set(map(type, column)) != {int} for column in tokens) or not set(map(type, costs)) <= _COSTS:
            raise Odd
        places = {model: place for place, model in enumerate(dict.fromkeys(self._payers))}
        payers = array("H", map(places.__getitem__, self._payers))
        sums: list[Spent] = []
        for place in range(len(places)):
            mine: Sequence[Iterable[int]] = tokens
            if len(places) > 1:
                mine = [compress(column, map(place.__eq__, payers)) for column in tokens]
            given, got, read, written = map(sum, mine)
            sums.append((given, got, read, written))
        return list(places), sums, payers, array("d", costs)
