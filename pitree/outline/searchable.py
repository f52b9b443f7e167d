"""What of an entry a search looks at: all its text. To make more of an entry searchable, add it here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pitree.session.kinds import Kind
from pitree.session.summary import text_of, tool_calls


def searchable_text(record: dict[str, Any], kind: Kind) -> str:
    """All that is said in an entry: whole texts, thinking, tool calls, output, summaries, names.

    Not in it: image data, signatures, data that extensions keep for themselves, and the entry's label, which
    belongs to the session. The words that Pi adds in its own search (a message's role, "compaction", "title")
    are in it.

    Args:
        record: the entry's record, in version 3 form; any part may be missing or of another type.
        kind: its kind.
    """
    return " ".join(part for part in _parts(record, kind) if isinstance(part, str))


def _parts(record: dict[str, Any], kind: Kind) -> Iterator[Any]:
    """The parts of the text; what is no string among them counts for nothing."""
    match kind:
        case (
            Kind.USER
            | Kind.ASSISTANT
            | Kind.ASSISTANT_SILENT
            | Kind.TOOL_RESULT
            | Kind.BASH
            | Kind.SYSTEM
            | Kind.OTHER_ROLE
        ):
            message = record.get("message")
            if isinstance(message, dict):
                yield from _message_parts(message)
        case Kind.CUSTOM_MESSAGE:
            yield record.get("customType")
            yield text_of(record.get("content"))
        case Kind.COMPACTION:
            yield "compaction"
            yield record.get("summary")
        case Kind.BRANCH_SUMMARY:
            yield "branch summary"
            yield record.get("summary")
        case Kind.MODEL_CHANGE:
            yield "model"
            yield record.get("modelId")
        case Kind.THINKING_LEVEL_CHANGE:
            yield "thinking"
            yield record.get("thinkingLevel")
        case Kind.CUSTOM:
            yield "custom"
            yield record.get("customType")
        case Kind.CONTEXT_EDIT:
            replacement = record.get("replacement", "")
            yield "context edit"
            yield "omit" if replacement is None else "replace"
            yield record.get("targetId")
            if isinstance(replacement, dict):
                yield text_of(replacement.get("content"))
        case Kind.LABEL:
            yield "label"
            yield record.get("label")
        case Kind.SESSION_INFO:
            yield "title"
            yield record.get("name")
        case Kind.USAGE:
            yield "usage"
            yield record.get("note")
        case Kind.UNKNOWN:
            yield from _strings(record)


_MESSAGE_FIELDS = ("toolName", "customType", "command", "output", "errorMessage", "summary")


def _message_parts(message: dict[str, Any]) -> Iterator[Any]:
    yield message.get("role")
    for field in _MESSAGE_FIELDS:
        yield message.get(field)
    content = message.get("content")
    if isinstance(content, list):
        # Text blocks are joined as rows join them, so that a word that runs across two of them is found.
        yield text_of(content)
        for block in content:
            if isinstance(block, dict) and block.get("type") == "thinking":
                yield block.get("thinking")
        for call in tool_calls(content):
            yield call_words(call)
    else:
        yield content
    sections = message.get("sections")
    if isinstance(sections, dict):
        yield from _strings(sections)


def call_words(call: dict[str, Any]) -> str:
    """The words of a tool call: its name, then the keys and values of its arguments."""
    name = call.get("name")
    return " ".join((name if isinstance(name, str) else "", *_strings(call.get("arguments"))))


_SIGNATURES = frozenset({"thinkingSignature", "textSignature", "thoughtSignature"})


def _strings(value: Any) -> Iterator[str]:
    """The keys, strings and numbers within a JSON value, in order, however deep; no images, no signatures."""
    stack = [value]
    while stack:
        value = stack.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            for key, inner in reversed(value.items()):
                if key in _SIGNATURES or (key == "data" and "mimeType" in value):
                    continue
                stack += (inner, key)
        elif isinstance(value, list):
            stack.extend(reversed(value))
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield str(value)
