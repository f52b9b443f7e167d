"""How many tokens messages take, by the rule of thumb of Pi's `core/compaction/compaction.js`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pitree.session.context.projection import Message
from pitree.session.context.system_messages import current_system_message
from pitree.session.format.entry_type import Kind
from pitree.session.format.jsonl import dump
from pitree.session.reading.entry import Entry

IMAGE_CHARACTERS = 4_800
"""What an image counts for."""


@dataclass(frozen=True, slots=True)
class ContextSize:
    """The size of a context.

    Attributes:
        tokens: all of it: what was reported, and an estimate of what came since.
        reported: what the provider reported with the last answer that tells; 0 if none does.
        estimated: the estimate of the rest, or of all where nothing was reported.
        reporter: index of the entry with that answer; None if there is none.
    """

    tokens: float
    reported: float
    estimated: int
    reporter: int | None


def estimate_tokens(message: Message) -> int:
    """About how many tokens a message takes; 0 for a role that Pi does not know.

    Characters are UTF-16 units, as Pi counts them. Content of a form that Pi fails on counts as nothing.
    """
    role = message.get("role")
    if role == "assistant":
        content = message.get("content")
        count = sum(map(_assistant_block, content)) if isinstance(content, list) else 0
    elif role in ("user", "custom", "toolResult"):
        count = _content(message.get("content"))
    elif role == "system":
        count = _system(message)
    elif role == "bashExecution":
        count = _units(message.get("command")) + _units(message.get("output"))
    elif role in ("branchSummary", "compactionSummary"):
        count = _units(message.get("summary"))
    else:
        return 0
    return math.ceil(count / 4)


@dataclass(frozen=True, slots=True)
class SizedMessage:
    """What the size of a context needs of a message.

    Attributes:
        source: index of the entry it comes from.
        tokens: the estimate.
        reported: what it reports, as `reported_tokens` says.
        system: the message itself, if it is a system message.
    """

    source: int
    tokens: int
    reported: float
    system: Message | None

    @classmethod
    def of(cls, source: int, message: Message) -> SizedMessage:
        """A message measured."""
        system = message if message.get("role") == "system" else None
        return cls(source, estimate_tokens(message), reported_tokens(message), system)


def context_size(messages: Sequence[SizedMessage], path: Sequence[Entry]) -> ContextSize:
    """The size of a context by Pi's rule: the last usage reported counts if no edit or compaction follows it.

    Args:
        messages: the messages of the context.
        path: the branch it was made of, root first.
    """
    at = next((i for i in reversed(range(len(messages))) if messages[i].reported), -1)
    if at >= 0:
        reporter = messages[at].source
        place = next((i for i, entry in enumerate(path) if entry.index == reporter), -1)
        if place > max((i for i, entry in enumerate(path) if entry.kind in _CHANGING), default=-1):
            after = sum(message.tokens for message in messages[at + 1 :])
            return ContextSize(messages[at].reported + after, messages[at].reported, after, reporter)
    system = current_system_message([message.system for message in messages if message.system is not None])
    total = estimate_tokens(system) if system is not None else 0
    total += sum(message.tokens for message in messages if message.system is None)
    return ContextSize(total, 0, total, None)


_CHANGING = frozenset({Kind.CONTEXT_EDIT, Kind.COMPACTION})


def reported_tokens(message: Message) -> float:
    """The size of the context that an answer reports, itself included; 0 if it reports none to rely on."""
    if message.get("role") != "assistant" or message.get("stopReason") in ("aborted", "error"):
        return 0
    usage = message.get("usage")
    if not isinstance(usage, dict):
        return 0
    total = _number(usage.get("totalTokens"))
    if not total:
        total = sum(_number(usage.get(name)) for name in ("input", "output", "cacheRead", "cacheWrite"))
    return max(total, 0)


def _assistant_block(block: Any) -> int:
    kind = block.get("type") if isinstance(block, dict) else None
    if kind == "text":
        return _units(block.get("text"))
    if kind == "thinking":
        return _units(block.get("thinking"))
    if kind == "toolCall":
        return _units(block.get("name")) + (_json(block["arguments"]) if "arguments" in block else 0)
    return 0


def _system(message: Message) -> int:
    count = _content(message.get("content"))
    count += sum(map(_units, _mapping(message.get("sections")).values()))
    tools = message.get("toolsAdded")
    return count + (_json(tools) if tools is not None else 0)


def _content(content: Any) -> int:
    if isinstance(content, str):
        return _units(content)
    count = 0
    for block in _listed(content):
        kind = block.get("type") if isinstance(block, dict) else None
        if kind == "text":
            count += _units(block.get("text"))
        elif kind == "image":
            count += IMAGE_CHARACTERS
    return count


def _units(text: Any) -> int:
    """UTF-16 units of a text; 0 for anything else."""
    if not isinstance(text, str):
        return 0
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def _json(value: Any) -> int:
    """Length of a value's JSON text as JavaScript writes it."""
    return _units(dump(value).decode())


def _number(value: Any) -> float:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else 0


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
