"""What of an entry a search looks at: all its text. To make more of an entry searchable, add it here.

What is added for messages has to be added to `textparts` too, which reads it from their lines.
"""

from __future__ import annotations

from typing import Any

from pitree.session.format.entry_summary import text_of, tool_calls
from pitree.session.format.entry_type import MESSAGE_KINDS, Kind
from pitree.session.format.nesting import Deep
from pitree.session.format.record_check import model_name
from pitree.text.terminal_output import printed_words


def searchable_text(record: dict[str, Any], kind: Kind) -> str:
    """All that is said in an entry: whole texts, thinking, tool calls, output, summaries, names.

    Not in it: image data, signatures, data that extensions keep for themselves, and the entry's label, which
    belongs to the session. The words that Pi adds in its own search (a message's role, "compaction", "title")
    are in it.

    Args:
        record: the entry's record, in version 3 form; any part may be missing or of another type.
        kind: its kind.
    """
    if kind in MESSAGE_KINDS:
        message = record.get("message")
        parts = _message_parts(message) if isinstance(message, dict) else []
    else:
        parts = _parts(record, kind)
    return " ".join([part for part in parts if isinstance(part, str)])


def _parts(record: dict[str, Any], kind: Kind) -> list[Any]:
    """The parts of the text of an entry that is not a message; what is not a string is skipped."""
    match kind:
        case Kind.CUSTOM_MESSAGE:
            return [record.get("customType"), text_of(record.get("content"))]
        case Kind.COMPACTION:
            return ["compaction", record.get("summary")]
        case Kind.BRANCH_SUMMARY:
            return ["branch summary", record.get("summary")]
        case Kind.MODEL_CHANGE:
            return ["model", model_name(record)]
        case Kind.THINKING_LEVEL_CHANGE:
            return ["thinking", record.get("thinkingLevel")]
        case Kind.CUSTOM:
            return ["custom", record.get("customType")]
        case Kind.CONTEXT_EDIT:
            replacement = record.get("replacement", "")
            content = replacement.get("content") if isinstance(replacement, dict) else None
            act = "omit" if replacement is None else "replace"
            return ["context edit", act, record.get("targetId"), text_of(content)]
        case Kind.LABEL:
            return ["label", record.get("label")]
        case Kind.SESSION_INFO:
            return ["title", record.get("name")]
        case Kind.USAGE:
            return ["usage", record.get("note")]
        case _:
            return _strings(record)


_MESSAGE_FIELDS = ("role", "toolName", "customType", "command", "output", "errorMessage", "summary")


def _message_parts(message: dict[str, Any]) -> list[Any]:
    parts = [said_by(field, message[field]) for field in _MESSAGE_FIELDS if field in message]
    content = message.get("content")
    role = message.get("role")
    if isinstance(content, list):
        # Text blocks are joined as rows join them, so that a word that runs across two of them is found.
        parts.append(said_by(role, text_of(content)))
        for block in content:
            if isinstance(block, dict):
                if block.get("type") == "thinking":
                    parts.append(block.get("thinking"))
                elif block.get("type") == "toolCall":
                    parts.append(call_words(block))
    else:
        parts.append(said_by(role, content))
    if "sections" in message:
        parts += _strings(message["sections"])
    return parts


def said_by(source: Any, said: Any) -> Any:
    """What is searched of a message's content or field; of a program's output, only its words.

    Args:
        source: the message's role, for its content, or the name of the field.
        said: the content as one text, or the field's value; what is not a string comes back as it is.
    """
    return printed_words(said) if isinstance(said, str) and source in ("toolResult", "output") else said


def call_words(call: dict[str, Any]) -> str:
    """The words of a tool call: its name, then the keys and values of its arguments."""
    name = call.get("name")
    return " ".join([name if isinstance(name, str) else "", *_strings(call.get("arguments"))])


def words_of_calls(record: dict[str, Any]) -> dict[str, str]:
    """The words of an assistant message's tool calls, by call id."""
    message = record.get("message")
    calls = tool_calls(message.get("content")) if isinstance(message, dict) else []
    return {call["id"]: call_words(call) for call in calls if isinstance(call.get("id"), str)}


def call_answered(record: dict[str, Any]) -> str:
    """The id of the call that a tool result answers; "" if it names none."""
    message = record.get("message")
    call_id = message.get("toolCallId") if isinstance(message, dict) else None
    return call_id if isinstance(call_id, str) else ""


_SIGNATURES = frozenset({"thinkingSignature", "textSignature", "thoughtSignature"})


def _strings(value: Any) -> list[str]:
    """The keys, strings and numbers within a JSON value, in order, however deep; no images, no signatures."""
    found = []
    stack = [value]
    while stack:
        value = stack.pop()
        if isinstance(value, str):
            found.append(value)
        elif isinstance(value, dict):
            for key, inner in reversed(value.items()):
                if key not in _SIGNATURES and not (key == "data" and "mimeType" in value):
                    stack += (inner, key)
        elif isinstance(value, list):
            stack.extend(reversed(value))
        elif isinstance(value, int | float) and not isinstance(value, bool):
            found.append(str(value))
        elif isinstance(value, Deep):
            found += value.words()
    return found
