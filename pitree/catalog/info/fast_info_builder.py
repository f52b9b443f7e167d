"""Gathers what a list shows of a session several times as fast, without its text: for stores of gigabytes.

Most of a session is output of tools, thinking and usage, of which a list shows nothing. Here such parts are
checked, as they have to be (a line that is not JSON counts for nothing), but no objects are made of them. The
rules are those of `InfoBuilder`, which also takes every line that is out of the ordinary.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from types import GenericAlias
from typing import Any, NamedTuple

from pitree.catalog.info.info_builder import (
    FIRST_MESSAGE_KEPT,
    LATEST_TIME,
    PREVIEW_KEPT,
    InfoBuilder,
    listed_text,
    time_of,
)
from pitree.session.format.jsonl import parse
from pitree.session.format.times import time_ms
from pitree.session.manager.activity import activity_of
from pitree.session.storage.line_reader import LineChunk, ReadPosition

Piece = bytes | LineChunk


class _Decoders(NamedTuple):
    """What reads a line, many lines, and the content of a message."""

    line: Callable[[bytes], Any]
    lines: Callable[[memoryview], list[Any]]
    content: Callable[[Any], Any]


@cache
def _decoders() -> _Decoders | None:
    """The decoders; None where the library for it is missing."""
    try:
        import msgspec
    except ImportError:
        return None
    message = msgspec.defstruct(
        "Message",
        [
            ("role", str, ""),
            ("timestamp", Any, None),
            ("stopReason", Any, None),
            ("content", msgspec.Raw, None),
        ],
        gc=False,
    )
    line = msgspec.defstruct(
        "Line",
        [("type", str, ""), ("timestamp", Any, None), ("name", Any, None), ("message", message | None, None)],
        gc=False,
    )
    block = msgspec.defstruct("Block", [("type", str, ""), ("text", Any, None)], gc=False)
    decoder = msgspec.json.Decoder(line)
    content = str | GenericAlias(list, (block,))
    return _Decoders(decoder.decode, decoder.decode_lines, msgspec.json.Decoder(content).decode)


def go_on_quickly(gathered: InfoBuilder, pieces: Iterable[Piece], reached: ReadPosition) -> None:
    """Take more lines, as `Gathered.go_on` does, but keep none of their text for searching.

    Args:
        gathered: brought up to date.
        pieces: lines, one or many at a time, as `chunks_of` gives them.
        reached: told when a last line without LF was whole, and so was taken.
    """
    decoders = _decoders()
    for piece in pieces:
        records = _records(piece, decoders) if decoders is not None and type(piece) is LineChunk else None
        if records is not None:
            _take(gathered, records)
            continue
        records = []
        for line in piece.lines() if isinstance(piece, LineChunk) else (piece,):
            try:
                # What is not plain bytes is marked as something special.
                records.append(decoders.line(line) if decoders is not None and type(line) is bytes else None)
            except Exception:
                records.append(None)
            if records[-1] is None:
                _take(gathered, records[:-1])
                records = []
                gathered.add_lines((line,), 0, reached)
        _take(gathered, records)


def _records(chunk: LineChunk, decoders: _Decoders) -> list[Any] | None:
    """The records of lines, one of each; None if any line is out of the ordinary.

    What reads many lines at once takes two records on one line, or one on two lines, for no fault. So every
    line has to begin an object and to end one: then no record continues in the next line, for what may follow
    the end of an object inside another one is not a beginning of one. With as many records as lines,
    each line has one.
    """
    data, end = chunk.data, chunk.end
    if data[:1] != b"{" or data[end - 2 : end] != b"}\n":
        return None
    find, lines, at = data.find, 1, -1
    while (at := find(b"\n", at + 1, end - 1)) >= 0:
        if data[at - 1 : at + 2] != b"}\n{":
            return None
        lines += 1
    try:
        records = decoders.lines(memoryview(data)[:end])
    except Exception:
        return None
    return records if len(records) == lines else None


def _take(gathered: InfoBuilder, records: Sequence[Any]) -> None:
    """Take records that were read."""
    count, talked = gathered.count, gathered.talked
    said: list[Any] = []
    last = None
    # As in `go_on`: every line passes here, so one loop, and no calls that can be avoided.
    for record in records:
        kind = record.type
        if kind == "session_info":
            name = record.name
            gathered.name = (name.strip() or None) if isinstance(name, str) else None
        if kind != "message":
            continue
        count += 1
        message = record.message
        if message is None:
            continue
        role = message.role
        if role == "toolResult":
            last = record
            continue
        if (role != "user" and role != "assistant") or message.content is None:
            continue
        last = record
        time = message.timestamp
        if type(time) is not int and type(time) is not float:
            time = time_ms(record.timestamp)
        if talked < time <= LATEST_TIME:
            talked = time
        said.append(message)
    gathered.count, gathered.talked = count, talked
    _take_said(gathered, said)
    if last is not None:
        _take_last(gathered, last)


def _take_said(gathered: InfoBuilder, said: Sequence[Any]) -> None:
    """Take messages into the first and the last exchange; only those are read that may be part of these."""
    if not gathered.first_answer:
        for message in said:
            if message.role == "user":
                if not gathered.first_message:
                    text = _text(message.content)
                    gathered.first_message = text[:FIRST_MESSAGE_KEPT]
                    gathered.first_message_whole = len(text) <= FIRST_MESSAGE_KEPT
            elif gathered.first_message and (text := _text(message.content)):
                gathered.first_answer = text[:PREVIEW_KEPT]
                break
    answered = ""
    for message in reversed(said):
        if message.role == "user":
            if asked := _text(message.content):
                gathered.asked, gathered.answered = asked[:PREVIEW_KEPT], answered[:PREVIEW_KEPT]
                return
        elif not answered:
            answered = _text(message.content)
    if answered:
        gathered.answered = answered[:PREVIEW_KEPT]


def _take_last(gathered: InfoBuilder, record: Any) -> None:
    """Take the state that the last message leaves the session in."""
    message = record.message
    content = (
        None if message.content is None or message.role == "toolResult" else parse(bytes(message.content))
    )
    gathered.activity = activity_of(
        {"role": message.role, "stopReason": message.stopReason, "content": content}
    )
    time = time_of({"timestamp": record.timestamp}, {"timestamp": message.timestamp})
    gathered.active = time if 0 < time <= LATEST_TIME else 0.0


def said_in(line: bytes) -> tuple[str, str] | None:
    """Role and text of the user or assistant message that a line is; None if it is none, or has no text."""
    decoders = _decoders()
    try:
        record = decoders.line(line) if decoders is not None and type(line) is bytes else None
    except Exception:
        record = None
    if record is None:
        return _said_in_odd(line)
    message = record.message
    if record.type != "message" or message is None or message.content is None:
        return None
    role = message.role
    if role != "user" and role != "assistant":
        return None
    text = _text(message.content)
    return (role, text) if text else None


def _said_in_odd(line: bytes) -> tuple[str, str] | None:
    try:
        record = parse(line)
    except ValueError:
        return None
    if not isinstance(record, dict) or record.get("type") != "message":
        return None
    message = record.get("message")
    if isinstance(message, dict) and (role := message.get("role")) in ("user", "assistant"):
        text = listed_text(message.get("content"))
        return (role, text) if text else None
    return None


def _text(content: Any) -> str:
    """The text of a message, as `listed_text` gives it, from its content as it is in the file."""
    decoders = _decoders()
    assert decoders is not None
    try:
        value = decoders.content(content)
    except Exception:
        return listed_text(parse(bytes(content)))
    if isinstance(value, str):
        return value
    texts = [block.text for block in value if block.type == "text"]
    return " ".join(text if isinstance(text, str) else "" for text in texts)
