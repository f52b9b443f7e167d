"""Gathers what a list shows of a session several times as fast, without its text: for stores of gigabytes.

Most of a session is output of tools, thinking and usage, of which a list shows nothing. Here such parts are
checked, as they have to be (a line that is no JSON counts for nothing), but no objects are made of them. The
rules are those of `Gathered`, which also takes every line that is out of the ordinary.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from types import GenericAlias
from typing import Any

from pitree.session.activity import activity_of
from pitree.session.gathering import (
    FIRST_MESSAGE_KEPT,
    LATEST_TIME,
    PREVIEW_KEPT,
    Gathered,
    listed_text,
    time_of,
)
from pitree.session.jsonl import parse
from pitree.session.lines import Reached
from pitree.session.reader import time_ms

Said = tuple[bool, Any]
"""Whether a user said it, and the content of the message as it stands in the file."""

HELD = 64
"""Messages held back until it is known which of them are the last."""
HELD_BYTES = 1 << 20


@cache
def _decoders() -> tuple[Callable[[bytes], Any], Callable[[Any], Any]] | None:
    """What reads a line, and the content of a message; None where the library for it is missing."""
    try:
        import msgspec
    except ImportError:
        return None
    message = msgspec.defstruct(
        "Message", [("role", str, ""), ("timestamp", Any, None), ("content", msgspec.Raw, None)], gc=False
    )
    line = msgspec.defstruct(
        "Line",
        [("type", str, ""), ("timestamp", Any, None), ("name", Any, None), ("message", message | None, None)],
        gc=False,
    )
    block = msgspec.defstruct("Block", [("type", str, ""), ("text", Any, None)], gc=False)
    content = str | GenericAlias(list, (block,))
    return msgspec.json.Decoder(line).decode, msgspec.json.Decoder(content).decode


def go_on_quickly(gathered: Gathered, lines: Iterable[bytes], reached: Reached) -> None:
    """Take more lines, as `Gathered.go_on` does, but keep none of their text for searching."""
    decoders = _decoders()
    if decoders is None:
        gathered.go_on(lines, 0, reached)
        return
    decode = decoders[0]
    count, talked = gathered.count, gathered.talked
    held: list[Said] = []
    held_bytes = 0
    last: bytes | None = None
    # As in `go_on`: every line passes here, so one loop, and no calls that can be avoided.
    for line in lines:
        if b'"message"' not in line and b"session_info" not in line and b"\\u" not in line:
            continue
        try:
            # What is not plain bytes is marked as something special.
            record = decode(line) if type(line) is bytes else None
        except Exception:
            record = None
        if record is None:
            gathered.count, gathered.talked = count, talked
            _settle(gathered, held, last)
            held, held_bytes, last = [], 0, None
            gathered.go_on((line,), 0, reached)
            count, talked = gathered.count, gathered.talked
            continue
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
            last = line
            continue
        if (role != "user" and role != "assistant") or message.content is None:
            continue
        last = line
        time = message.timestamp
        if type(time) is not int and type(time) is not float:
            time = time_ms(record.timestamp)
        if talked < time <= LATEST_TIME:
            talked = time
        held.append((role == "user", message.content))
        held_bytes += len(line)
        if len(held) >= HELD or held_bytes >= HELD_BYTES or not gathered.first_answer:
            _settle(gathered, held, None)
            held, held_bytes = [], 0
    gathered.count, gathered.talked = count, talked
    _settle(gathered, held, last)


def said_in(line: bytes) -> tuple[str, str] | None:
    """Role and text of the user or assistant message that a line is; None if it is none, or has no text."""
    decoders = _decoders()
    try:
        record = decoders[0](line) if decoders is not None and type(line) is bytes else None
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


def _settle(gathered: Gathered, held: list[Said], last: bytes | None) -> None:
    """Take what was said into the first and the last exchange, and the last message that tells of the state.

    Of the messages held back only those are read that may be one of these.
    """
    if not gathered.first_answer:
        for by_user, content in held:
            if by_user and not gathered.first_message:
                text = _text(content)
                gathered.first_message = text[:FIRST_MESSAGE_KEPT]
                gathered.first_message_whole = len(text) <= FIRST_MESSAGE_KEPT
            elif not by_user and gathered.first_message and not gathered.first_answer:
                gathered.first_answer = _text(content)[:PREVIEW_KEPT]
    answered = ""
    for by_user, content in reversed(held):
        if by_user:
            if asked := _text(content):
                gathered.asked, gathered.answered = asked[:PREVIEW_KEPT], answered[:PREVIEW_KEPT]
                break
        elif not answered:
            answered = _text(content)
    else:
        if answered:
            gathered.answered = answered[:PREVIEW_KEPT]
    if last is not None:
        record = parse(last)
        gathered.activity = activity_of(record["message"])
        time = time_of(record, record["message"])
        gathered.active = time if 0 < time <= LATEST_TIME else 0.0


def _text(content: Any) -> str:
    """The text of a message, as `listed_text` gives it, from its content as it stands in the file."""
    decoders = _decoders()
    assert decoders is not None
    try:
        value = decoders[1](content)
    except Exception:
        return listed_text(parse(bytes(content)))
    if isinstance(value, str):
        return value
    texts = [block.text for block in value if block.type == "text"]
    return " ".join(text if isinstance(text, str) else "" for text in texts)
