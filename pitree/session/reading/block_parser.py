"""Makes the block of a stretch of a session file: see `block`."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate, compress, count
from operator import ge, sub
from typing import Any

from pitree.session.format.entry_summary import (
    TEXT_KEPT,
    Summarizer,
    assistant_row,
    call_text,
    home_folder,
    result_row,
    tool_calls,
    user_row,
    utf8,
)
from pitree.session.format.entry_type import Flag, Kind
from pitree.session.format.jsonl import parse
from pitree.session.format.schemas import (
    AssistantMessage,
    ContentBlock,
    Cost,
    Record,
    Result,
    ResultBlock,
    Spent,
    User,
    decode,
)
from pitree.session.format.times import Times
from pitree.session.format.tool_call_index import ToolCallIndex, pack
from pitree.session.reading.column_block import KNOWN, ColumnBlock
from pitree.session.reading.column_block import Spent as Tokens
from pitree.session.reading.usage import TOOLS_AND_SUMMARIES, model_key, usage_of

# Plain numbers: looked up in an enumeration, they cost more than a record takes to be read.
_CALLS, _ERROR, _IMAGE = int(Flag.CALLS), int(Flag.ERROR), int(Flag.IMAGE)
_USER, _RESULT = int(Kind.USER), int(Kind.TOOL_RESULT)
_EFFECTS = (Kind.LABEL, Kind.SESSION_INFO)

_SPACE = 0x20
"""No byte beyond this one is white space in a line."""

_TIMES = Times()


class Odd(Exception):
    """The lines hold something that is left to the reader."""


def scan(data: bytes | bytearray, start: int, first: int = 0, end: int | None = None) -> ColumnBlock:
    """Make a block of whole lines.

    Args:
        data: holds the lines, each with its LF.
        start: where in the file the lines start.
        first, end: where in `data` they start and end.

    Raises:
        Odd: they hold something that is left to the reader.
    """
    end = len(data) if end is None else end
    ends = _line_ends(data, first, end)
    starts = [first, *map((1).__add__, ends)]
    starts.pop()
    line_count = len(ends)
    numbers = array("I", range(1, line_count + 1))
    view = memoryview(data)
    lines = [view[begin:stop] for begin, stop in zip(starts, ends, strict=True)]
    if blanks := _blanks(lines):
        for place in reversed(blanks):
            for column in (lines, starts, ends, numbers):
                del column[place]
    records = _records(lines)
    ids = [record.id for record in records]
    parents, above = _parents(ids, records)
    rows = _Rows()
    rows.take(records, lines)
    models, tokens, payers, costs = rows.ledger.sums()
    return ColumnBlock(
        start=start,
        end=start + end - first,
        line_count=line_count,
        known=bytes(data[max(first, end - KNOWN) : end]),
        ids=ids,
        parents=parents,
        above=above,
        kinds=bytes(rows.kinds),
        flags=array("H", rows.flags),
        times=array("d", _TIMES.all_ms([record.timestamp for record in records])),
        offsets=array("q", map((start - first).__add__, starts)),
        lengths=array("q", map(sub, ends, starts)),
        lines=numbers,
        texts=b"".join(rows.texts),
        text_ends=array("I", accumulate(map(len, rows.texts))),
        unnamed=rows.unnamed,
        calls=pack(rows.calls.made),
        messages=rows.ledger.roles,
        tool_calls=rows.ledger.tool_calls,
        models=models,
        tokens=tokens,
        payers=payers,
        costs=costs,
        effects=rows.effects,
    )


def _line_ends(data: bytes | bytearray, first: int, end: int) -> list[int]:
    """Where the LFs are."""
    ends = []
    find, at = data.find, first - 1
    while (at := find(b"\n", at + 1, end)) >= 0:
        ends.append(at)
    return ends


def _blanks(lines: list[memoryview]) -> list[int]:
    """Which lines hold nothing; nearly always none, which is told by their first byte."""
    return [place for place, line in enumerate(lines) if not line or (line[0] <= _SPACE and _is_blank(line))]


def _is_blank(line: memoryview) -> bool:
    return bytes(line).isspace()


def _records(lines: list[memoryview]) -> list[Record]:
    """The record of each line."""
    try:
        return [decode(line) for line in lines]
    except Exception:
        return [_record(line) for line in lines]


def _record(line: memoryview) -> Record:
    """The record of a line, without its message if that is out of the ordinary."""
    try:
        return decode(line)
    except Exception:
        record = _value(bytes(line))
    try:
        entry_type, entry_id, parent_id = record["type"], record["id"], record["parentId"]
    except (KeyError, TypeError):
        raise Odd from None
    if type(entry_id) is not str or not (parent_id is None or type(parent_id) is str):
        raise Odd
    return Record(entry_type, entry_id, parent_id, record.get("timestamp"))


def _value(data: bytes) -> Any:
    """A JSON value as it is."""
    try:
        return parse(data)
    except ValueError:
        raise Odd from None


def _parents(ids: list[str], records: list[Record]) -> tuple[array[int], list[tuple[int, str | None]]]:
    """Places of parents, and what is above the block: see `ColumnBlock`."""
    by_id = dict(zip(ids, count()))
    if len(by_id) != len(ids):
        raise Odd
    named = [record.parentId for record in records]
    find: Callable[[str | None, int], int] = by_id.get  # type: ignore[assignment]  # None is found nowhere
    parents = [find(parent_id, -1) for parent_id in named]
    if any(map(ge, parents, count())):
        if any(parent == place for place, parent in enumerate(parents)):
            raise Odd  # its own parent
        parents = [-1 if parent > place else parent for place, parent in enumerate(parents)]
    above, place = [], -1
    for _ in range(parents.count(-1)):
        place = parents.index(-1, place + 1)
        above.append((place, named[place]))
    return array("i", parents), above


class _CallsOfBlock(ToolCallIndex):
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


class _Rows:
    """What rows show of records, and what they add to the session. For its attributes see `ColumnBlock`."""

    def __init__(self) -> None:
        self.kinds: list[int] = []
        self.flags: list[int] = []
        self.texts: list[bytes] = []
        self.unnamed: list[tuple[int, str]] = []
        self.effects: list[tuple[int, dict[str, Any]]] = []
        self.calls = _CallsOfBlock()
        self.ledger = _Ledger()
        self._home = home_folder()
        self._summarizer = Summarizer(self.calls)

    def take(self, records: list[Record], lines: list[memoryview]) -> None:
        """Take records in file order, with the lines that they are on."""
        add_kind, add_flags, add_text = self.kinds.append, self.flags.append, self.texts.append
        made = self.calls.made
        ledger = self.ledger
        users = results = 0
        for place, record in enumerate(records):
            message = record.message
            if message is None or record.type != "message":
                kind, flags, text = self._other(place, record, lines[place])
                body = utf8(text[:TEXT_KEPT])
            elif isinstance(message, AssistantMessage):
                kind, flags, text = self._answer(message)
                body = text.encode()  # short, and well-formed, since it was decoded
            elif isinstance(message, Result):
                results += 1
                kind = _RESULT
                flags = _ERROR if message.isError is True else 0
                if isinstance(message.content, list) and _has_image(message.content):
                    flags |= _IMAGE
                call_id = message.toolCallId
                call = None
                if type(call_id) is str and (call := made.get(call_id)) is None:
                    self.unnamed.append((place, call_id))
                body = utf8((result_row(message.toolName) if call is None else call)[:TEXT_KEPT])
                if message.usage is not None:
                    ledger.spend(TOOLS_AND_SUMMARIES, message.usage)
            else:
                users += 1
                kind = _USER
                flags, text = _said(message)
                body = text.encode()
            add_kind(kind)
            add_flags(flags)
            add_text(body)
        ledger.count_role("assistant", ledger.answers)
        ledger.count_role("user", users)
        ledger.count_role("toolResult", results)

    def _answer(self, message: AssistantMessage) -> tuple[int, int, str]:
        """Kind, flags and row body of an answer."""
        ledger, made = self.ledger, self.calls.made
        ledger.answers += 1
        content, flags, whole = message.content, 0, ""
        if isinstance(content, str):
            whole = content
        else:
            for part in content:
                if part.type == "text":
                    if isinstance(part.text, str):
                        whole += part.text
                elif part.type == "toolCall":
                    flags = _CALLS
                    ledger.tool_calls += 1
                    if type(part.id) is str:
                        given = _value(bytes(part.arguments)) if part.arguments else None
                        made[part.id] = call_text(part.name, given, self._home)
        if (usage := message.usage) is not None:
            model = message.responseModel
            ledger.spend(model_key(message.provider, message.model if model is None else model), usage)
        return assistant_row(flags, whole, message.stopReason, message.errorMessage)

    def _other(self, place: int, record: Record, line: memoryview) -> tuple[int, int, str]:
        """The same of a record that is no ordinary message."""
        whole = _value(bytes(line))
        if type(whole) is not dict or record.type == "session":
            raise Odd
        kind, flags, text = self._summarizer.summarize(whole)
        if self.calls.missed is not None:
            self.unnamed.append((place, self.calls.missed))
            self.calls.missed = None
        self.ledger.add(whole)
        if kind in _EFFECTS:
            self.effects.append((int(kind), _what_counts(whole)))
        return kind, flags, text


def _said(message: User) -> tuple[int, str]:
    """Flags and row body of what the user said."""
    content = message.content
    if isinstance(content, str):
        return 0, user_row(content)
    if len(content) == 1 and content[0].type == "text" and type(content[0].text) is str:
        return 0, user_row(content[0].text)
    text = "".join([part.text for part in content if part.type == "text" and isinstance(part.text, str)])
    return _IMAGE if _has_image(content) else 0, user_row(text)


def _has_image(content: Iterable[ContentBlock | ResultBlock]) -> bool:
    return "image" in [part.type for part in content]


def _what_counts(record: dict[str, Any]) -> dict[str, Any]:
    """What of a label or a name changes the session."""
    names = ("targetId", "label", "timestamp", "name")
    return {name: record[name] for name in names if isinstance(record.get(name), str)}


class _Ledger:
    """Counts messages and usage as `SessionStats` does, but keeps each cost by itself."""

    def __init__(self) -> None:
        self.roles: dict[str, int] = {}
        self.answers = 0
        self.tool_calls = 0
        self._payers: list[str] = []
        self._spent: list[Spent] = []

    def count_role(self, role: str, times: int) -> None:
        """Count messages of a role."""
        if times:
            self.roles[role] = self.roles.get(role, 0) + times

    def spend(self, payer: str, usage: Spent) -> None:
        """Count usage."""
        self._payers.append(payer)
        self._spent.append(usage)

    def add(self, record: dict[str, Any]) -> None:
        """Count an entry as it is in the file."""
        message = record.get("message")
        if record["type"] == "message" and type(message) is dict:
            role = message.get("role")
            self.count_role(role if type(role) is str else "?", 1)
            if role == "assistant":
                self.tool_calls += len(tool_calls(message.get("content")))
        payer, usage = usage_of(record)
        if usage is None:
            return
        try:
            cost, tokens = (
                usage["cost"]["total"],
                [usage[name] for name in ("input", "output", "cacheRead", "cacheWrite")],
            )
        except (KeyError, TypeError):
            raise Odd from None
        if type(cost) not in (int, float) or any(type(one) is not int for one in tokens):
            raise Odd
        given, got, read, written = tokens
        self.spend(payer, Spent(given, got, read, written, Cost(cost)))

    def sums(self) -> tuple[list[str], list[Tokens], array[int], array[float]]:
        """Models, tokens, payers and costs, as in `ColumnBlock`."""
        spent = self._spent
        places = {model: place for place, model in enumerate(dict.fromkeys(self._payers))}
        payers = array("H", map(places.__getitem__, self._payers))
        tokens = (
            [one.input for one in spent],
            [one.output for one in spent],
            [one.cacheRead for one in spent],
            [one.cacheWrite for one in spent],
        )
        sums: list[Tokens] = []
        for place in range(len(places)):
            mine: Sequence[Iterable[int]] = tokens
            if len(places) > 1:
                mine = [compress(column, map(place.__eq__, payers)) for column in tokens]
            given, got, read, written = map(sum, mine)
            sums.append((given, got, read, written))
        return list(places), sums, payers, array("d", [one.cost.total for one in spent])
