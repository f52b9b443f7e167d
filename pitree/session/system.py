"""System messages of a transcript replayed into one, as a compaction stores it."""

from __future__ import annotations

from typing import Any

from pitree.session.context import Message
from pitree.session.summary import text_of


def current_system_message(messages: list[Message]) -> Message | None:
    """Prompt and tools in force after all system messages, as one leading system message; None without any.

    Contents are joined, sections are patched by name (null removes), tools are added and removed in order,
    by Pi's rules.
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
        for name, value in (message.get("sections") or {}).items():
            if value is None:
                sections.pop(name, None)
            else:
                sections[name] = value
        for tool in message.get("toolsRemoved") or []:
            tools.pop(tool.get("name"), None)
        for tool in message.get("toolsAdded") or []:
            tools[tool.get("name")] = tool
    if timestamp is None and not tools:
        return None
    made: Message = {"role": "system", "content": "\n\n".join(contents)}
    if sections:
        made["sections"] = sections
    if tools:
        made["toolsAdded"] = list(tools.values())
    made["timestamp"] = timestamp if timestamp is not None else 0
    return made
