"""Each append operation and its line, on a session of two questions and two answers."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from pitree.session.manager.manager import SessionManager
from tests.support.records import HEADER, encode, message

Deed = Callable[[SessionManager], str]

TALK = encode(
    HEADER,
    message("u1", None, "one"),
    message("a1", "u1", "two", "assistant"),
    message("u2", "a1", "three"),
    message("a2", "u2", "four", "assistant"),
)
"""Two questions, two answers, in one chain; `a2` is the leaf."""


def added(session: SessionManager, before: bytes = TALK) -> list[dict[str, Any]]:
    """The records that were appended; what stood before is still there."""
    assert session.path is not None
    data = session.path.read_bytes()
    assert data.startswith(before)
    assert data.endswith(b"\n")
    return [json.loads(line) for line in data[len(before) :].splitlines()]


def unchanged(session: SessionManager, before: bytes = TALK) -> bool:
    assert session.path is not None
    return session.path.read_bytes() == before


USAGE = {"input": 1, "output": 2, "cost": {"total": 0.25}}
OPERATIONS: dict[str, tuple[Deed, str]] = {
    "message": (
        lambda s: s.append_message({"role": "user", "content": "hi “é”", "timestamp": 1}),
        '{"type":"message",*,"message":{"role":"user","content":"hi “é”","timestamp":1}}',
    ),
    "model": (
        lambda s: s.append_model_change("anthropic", "opus"),
        '{"type":"model_change",*,"provider":"anthropic","modelId":"opus"}',
    ),
    "thinking": (
        lambda s: s.append_thinking_level_change("high"),
        '{"type":"thinking_level_change",*,"thinkingLevel":"high"}',
    ),
    "usage": (
        lambda s: s.append_usage("cache_warm", "p", "m", USAGE, "why"),
        '{"type":"usage",*,"kind":"cache_warm","provider":"p","model":"m",'
        '"usage":{"input":1,"output":2,"cost":{"total":0.25}},"note":"why"}',
    ),
    "usage without a note": (
        lambda s: s.append_usage("k", "p", "m", {}, ""),
        '{"type":"usage",*,"kind":"k","provider":"p","model":"m","usage":{}}',
    ),
    "custom": (
        lambda s: s.append_custom_entry("state", {"n": [1, None]}),
        '{"type":"custom","customType":"state","data":{"n":[1,null]},*}',
    ),
    "custom with null": (
        lambda s: s.append_custom_entry("state", None),
        '{"type":"custom","customType":"state","data":null,*}',
    ),
    "custom without data": (
        lambda s: s.append_custom_entry("state"),
        '{"type":"custom","customType":"state",*}',
    ),
    "custom message": (
        lambda s: s.append_custom_message_entry("note", "text", True, {"d": 1}),
        '{"type":"custom_message","customType":"note","content":"text","display":true,"details":{"d":1},*}',
    ),
    "hidden custom message": (
        lambda s: s.append_custom_message_entry("note", [{"type": "text", "text": "t"}], False),
        '{"type":"custom_message","customType":"note","content":[{"type":"text","text":"t"}],"display":false,*}',
    ),
    "name": (
        lambda s: s.append_session_info("  a\r\n\nb "),
        '{"type":"session_info",*,"name":"a b"}',
    ),
    "label": (
        lambda s: s.append_label_change("u1", "重要"),
        '{"type":"label",*,"targetId":"u1","label":"重要"}',
    ),
    "label cleared": (
        lambda s: s.append_label_change("u1", None),
        '{"type":"label",*,"targetId":"u1"}',
    ),
    "label emptied": (
        lambda s: s.append_label_change("u1", ""),
        '{"type":"label",*,"targetId":"u1","label":""}',
    ),
    "compaction": (
        lambda s: s.append_compaction("sum", "u2", 50_000, {"readFiles": []}, True, USAGE),
        '{"type":"compaction",*,"summary":"sum","firstKeptEntryId":"u2","tokensBefore":50000,'
        '"details":{"readFiles":[]},"usage":{"input":1,"output":2,"cost":{"total":0.25}},"fromHook":true}',
    ),
    "compaction without extras": (
        lambda s: s.append_compaction("sum", "u2", 5),
        '{"type":"compaction",*,"summary":"sum","firstKeptEntryId":"u2","tokensBefore":5}',
    ),
    "edit": (
        lambda s: s.append_context_edit("u1", {"content": "other"}),
        '{"type":"context_edit",*,"targetId":"u1","replacement":{"content":"other"}}',
    ),
    "edit that omits": (
        lambda s: s.append_context_edit("a1", None),
        '{"type":"context_edit",*,"targetId":"a1","replacement":null}',
    ),
    "edit of an answer": (
        lambda s: s.append_context_edit("a1", {"content": "other"}),
        '{"type":"context_edit",*,"targetId":"a1","replacement":{"content":[{"type":"text","text":"other"}]}}',
    ),
}
