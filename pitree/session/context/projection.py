"""What the model sees of a branch: compaction and edits applied, by Pi's rules."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from pitree.session.format.entry_type import ASSISTANT_KINDS, Kind
from pitree.session.format.times import time_ms
from pitree.session.reading.entry import Entry
from pitree.session.reading.entry_table import EntryTable

Message = dict[str, Any]
Messages = list[Message]

_EDITABLE_ROLES = frozenset({"user", "assistant", "toolResult", "custom"})


@dataclass(frozen=True, slots=True)
class ProjectedEntry:
    """An entry the context is made from, and the messages it gives: none for bookkeeping and omitted ones."""

    entry: Entry
    messages: list[Message]


@dataclass(frozen=True, slots=True)
class SessionProjection:
    """The context with its provenance.

    Attributes:
        entries: in the order of the context; the newest compaction, if any, comes first.
        thinking_level: the last one set on the whole path, else `off`.
        model: `{"provider", "modelId"}` of the last model change or assistant message on the path, or None.
    """

    entries: list[ProjectedEntry]
    thinking_level: Any
    model: dict[str, Any] | None

    @property
    def messages(self) -> list[Message]:
        """All messages, in order."""
        return [message for projected in self.entries for message in projected.messages]


@dataclass(frozen=True, slots=True)
class SessionContext:
    """The finished context: messages, thinking level and model as in `SessionProjection`."""

    messages: list[Message]
    thinking_level: Any
    model: dict[str, Any] | None


def first_kept(table: EntryTable, compaction: Entry) -> int:
    """Index of the first entry that a compaction keeps in the context; -1 if it keeps nothing.

    Its `firstKeptEntryId` counts only if that entry is on the branch before the compaction.
    """
    kept = compaction.record.get("firstKeptEntryId")
    index = table.by_id.get(kept, -1) if isinstance(kept, str) else -1
    return index if index >= 0 and table.is_above(index, compaction.index) else -1


def context_entries(path: list[Entry]) -> list[Entry]:
    """The entries of a path (root first) that the context is made from.

    If the path holds compactions, the last one comes first, then the entries kept by it (from its
    `firstKeptEntryId` on, system messages dropped), then those after it. A kept id that is not on the path
    before it keeps nothing.
    """
    place = next((i for i in reversed(range(len(path))) if path[i].kind is Kind.COMPACTION), -1)
    if place < 0:
        return list(path)
    compaction = path[place]
    first_kept = compaction.record.get("firstKeptEntryId")
    start = next((i for i in range(place) if path[i].id == first_kept), place)
    kept = (entry for entry in path[start:place] if entry.kind is not Kind.SYSTEM)
    return [compaction, *kept, *path[place + 1 :]]


def project(path: list[Entry]) -> SessionProjection:
    """The context of a path (root first), entry by entry."""
    return SessionProjection(list(projected_entries(path)), *settings_of(path))


def projected_entries(path: list[Entry]) -> Iterator[ProjectedEntry]:
    """The entries of the context of a path (root first) with their messages, one at a time."""
    selected = context_entries(path)
    edits: dict[str, dict[str, Any]] = {}
    for entry in selected:
        if entry.kind is Kind.CONTEXT_EDIT and isinstance(entry.record.get("targetId"), str):
            edits[entry.record["targetId"]] = entry.record
    for place, entry in enumerate(selected):
        older = entry.kind is Kind.COMPACTION and place
        yield ProjectedEntry(entry, [] if older else edited_messages(entry, edits.get(entry.id)))


def edited_messages(entry: Entry, edit: dict[str, Any] | None) -> list[Message]:
    """The messages an entry gives under its latest `context_edit`.

    A null replacement omits it; `{content}` replaces the content of user, assistant, tool result and custom
    messages, a string becoming one text block for assistant and tool result. An edit without a readable
    replacement (where Pi fails) changes nothing.
    """
    messages = messages_of(entry.record)
    if edit is None or "replacement" not in edit:
        return messages
    replacement = edit["replacement"]
    if replacement is None:
        return []
    if not isinstance(replacement, dict):
        return messages
    content = replacement.get("content")
    changed = []
    for message in messages:
        role = message.get("role")
        if role not in _EDITABLE_ROLES:
            changed.append(message)
        elif role in ("assistant", "toolResult") and isinstance(content, str):
            changed.append({**message, "content": [{"type": "text", "text": content}]})
        else:
            changed.append({**message, "content": content})
    return changed


def messages_of(record: dict[str, Any]) -> list[Message]:
    """The context messages of one record, unedited."""
    maker = _MAKERS.get(record.get("type", ""))
    return maker(record) if maker is not None else []


def _message(record: dict[str, Any]) -> list[Message]:
    message = record.get("message")
    if not isinstance(message, dict):
        return []
    if message.get("content") is None:
        role = message.get("role")
        if role == "system":
            return [{**message, "content": ""}]
        if role in ("user", "assistant", "toolResult"):
            return [{**message, "content": []}]
    return [message]


def _made(record: dict[str, Any], role: str, fields: Iterable[str]) -> Message:
    """A message made of an entry's fields; absent ones stay absent, its time is the entry's in ms."""
    message: Message = {"role": role}
    message.update({name: record[name] for name in fields if name in record})
    time = time_ms(record.get("timestamp"))
    message["timestamp"] = None if math.isnan(time) else int(time)
    return message


def _custom_message(record: dict[str, Any]) -> list[Message]:
    message = _made(record, "custom", ("customType", "content", "display", "details"))
    if message.get("content") is None:
        message["content"] = []
    return [message]


def _branch_summary(record: dict[str, Any]) -> list[Message]:
    return [_made(record, "branchSummary", ("summary", "fromId"))] if record.get("summary") else []


def _compaction(record: dict[str, Any]) -> list[Message]:
    summary = _made(record, "compactionSummary", ("summary", "tokensBefore"))
    system = record.get("systemMessage")
    return [system, summary] if isinstance(system, dict) else [summary]


_MAKERS: dict[str, Callable[[dict[str, Any]], list[Message]]] = {
    "message": _message,
    "custom_message": _custom_message,
    "branch_summary": _branch_summary,
    "compaction": _compaction,
}
"""Entry type → what makes its context messages; the types that are missing give none."""


def settings_of(path: list[Entry]) -> tuple[Any, dict[str, Any] | None]:
    """Thinking level and model at the end of a path."""
    level: Any = "off"
    for entry in reversed(path):
        if entry.kind is Kind.THINKING_LEVEL_CHANGE:
            level = entry.record.get("thinkingLevel")
            break
    model = None
    for entry in reversed(path):
        kind = entry.kind
        if kind is Kind.MODEL_CHANGE:
            source, names = entry.record, (("provider", "provider"), ("modelId", "modelId"))
        elif kind in ASSISTANT_KINDS:
            source, names = entry.record.get("message", {}), (("provider", "provider"), ("modelId", "model"))
        else:
            continue
        model = {name: source[field] for name, field in names if field in source}
        break
    return level, model
