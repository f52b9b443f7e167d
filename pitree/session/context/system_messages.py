"""System messages of a transcript replayed into one, as a compaction stores it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pitree.session.context.projection import Message
from pitree.session.format.entry_summary import text_of


def current_system_message(messages: Sequence[Message]) -> Message | None:
    """Prompt and tools in force after all system messages, as one leading system message; None without any.

    Contents are joined, sections are patched by name (null removes), tools are added and removed in order,
    by Pi's rules. Parts of a form that Pi fails on count as absent.
    """
    contents: list[str] = []
    sections: dict[str, Any] = {}
    tools: dict[str, Any] = {}
    timestamp: Any = None
    for message in messages:
        if message.get("role") != "system":
            continue
        if timestamp is None:
            timestamp = message.get("timestamp")
        if text := text_of(message.get("content"), "\n"):
            contents.append(text)
        for name, value in _mapping(message.get("sections")).items():
            if value is None:
                sections.pop(name, None)
            else:
                sections[name] = value
        for tool in _listed(message.get("toolsRemoved")):
            tools.pop(str(_mapping(tool).get("name")), None)
        for tool in _listed(message.get("toolsAdded")):
            tools[str(_mapping(tool).get("name"))] = tool
    if timestamp is None and not tools:
        return None
    made: Message = {"role": "system", "content": "\n\n".join(contents)}
    if sections:
        made["sections"] = sections
    if tools:
        made["toolsAdded"] = list(tools.values())
    made["timestamp"] = timestamp if timestamp is not None else 0
    return made


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
