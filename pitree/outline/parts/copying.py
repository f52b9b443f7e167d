"""What copying an entry yields: the text somebody would want to paste."""

from __future__ import annotations

from typing import Any

from pitree.outline.parts.scene import mapping, pretty, text
from pitree.session.manager import SessionManager
from pitree.session.summary import call_text, text_of, tool_calls


def copy_text(session: SessionManager, index: int) -> str:
    """The text of an entry, raw; never empty.

    As Pi copies it: the text blocks of a message, the command of a bash entry, the error of an assistant
    message without text, a summary. Where Pi has nothing, the next best: the calls of an assistant message,
    its thinking, the value of a bookkeeping entry, at last the record.
    """
    record = session.entry(index).record
    for said in _candidates(record):
        if said.strip():
            return said
    return pretty(record)


def _candidates(record: dict[str, Any]) -> list[str]:
    kind = record.get("type")
    if kind == "message":
        return _of_message(mapping(record.get("message")))
    if kind == "custom_message":
        return [text_of(record.get("content"))]
    if kind in ("compaction", "branch_summary"):
        return [text(record.get("summary"))]
    if kind == "context_edit":
        return [text_of(mapping(record.get("replacement")).get("content")), text(record.get("targetId"))]
    if kind == "model_change":
        return ["/".join(filter(None, (text(record.get("provider")), text(record.get("modelId")))))]
    field = _FIELDS.get(kind) if isinstance(kind, str) else None
    return [text(record.get(field))] if field is not None else []


_FIELDS = {"thinking_level_change": "thinkingLevel", "label": "label", "session_info": "name"}
"""Entry type → the field that is all there is to copy of it."""


def _of_message(message: dict[str, Any]) -> list[str]:
    if message.get("role") == "bashExecution":
        return [text(message.get("command"))]
    content = message.get("content")
    calls = "\n".join(call_text(call.get("name"), call.get("arguments")) for call in tool_calls(content))
    blocks = content if isinstance(content, list) else []
    thinking = "\n\n".join(text(mapping(block).get("thinking")) for block in blocks).strip()
    return [
        text_of(content),
        text(message.get("errorMessage")),
        calls,
        thinking,
        text(message.get("summary")),
    ]
