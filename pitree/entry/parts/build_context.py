"""What a builder of parts gets to see: the session, the entry, the tables of builders; and small helpers."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson

from pitree.entry.parts.model import Body, Part, PartKind, Syntax, Tone
from pitree.session.format.entry_summary import short_path
from pitree.session.format.jsonl import raw_json
from pitree.session.manager.manager import SessionManager
from pitree.session.reading.entry import Entry
from pitree.text import figures
from pitree.text.sanitize import visible

LINE = 2_000
"""Characters of raw text that go into a title, subject or fact; what is longer is in a body too."""


@dataclass(frozen=True, slots=True)
class BranchContext:
    """What belongs to an entry on a branch that is read as a whole, found beforehand.

    Attributes:
        results: the results of its calls on that branch: call id → index and message.
        call: for a result, the index of the assistant message and the call that it answers.
        edits: the `context_edit` that counts at the end of the branch for each entry that has one: index of
            the entry → index and record of the edit.
    """

    results: Mapping[str, tuple[int, dict[str, Any]]]
    call: tuple[int, dict[str, Any]] | None = None
    edits: Mapping[int, tuple[int, dict[str, Any]]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BuildContext:
    """An entry to be taken apart, and where it stands."""

    session: SessionManager
    entry: Entry
    record: dict[str, Any]
    """The entry's record, read once: reading a large one again costs."""
    now_ms: float
    blocks: Mapping[str, BlockBuilder]
    around: BranchContext | None = None
    """None where the entry is read alone: what belongs to it is then looked for."""

    @property
    def message(self) -> dict[str, Any]:
        """The entry's message; empty when there is none."""
        return mapping(self.record.get("message"))


EntryBuilder = Callable[[BuildContext], list[Part]]
"""Takes an entry apart; the facts every entry has are added by the caller."""
RoleBuilder = Callable[[BuildContext, dict[str, Any]], list[Part]]
"""Takes the message of an entry apart."""
BlockBuilder = Callable[[BuildContext, dict[str, Any], str], list[Part]]
"""Takes one content block apart; the string is the key its parts shall have, or start with."""


def mapping(value: Any) -> dict[str, Any]:
    """The value if it is a JSON object, else an empty one."""
    return value if isinstance(value, dict) else {}


def text(value: Any) -> str:
    """The value if it is a string, else nothing."""
    return value if isinstance(value, str) else ""


def line(value: Any) -> str:
    """Any JSON value as one safe line: strings as they are, others as JSON, None as nothing."""
    if value is None:
        return ""
    raw = value if isinstance(value, str) else pretty(value, indent=False)
    return visible(raw[:LINE].strip()) + ("…" if len(raw) > LINE else "")


def path_line(value: Any) -> str:
    """A path as one safe line, the home folder as `~`."""
    return line(short_path(value)) if isinstance(value, str) else line(value)


def pretty(value: Any, *, indent: bool = True) -> str:
    """JSON text of a value, whatever it is: lone surrogates, huge numbers and deep nesting included."""
    try:
        return orjson.dumps(value, raw_json, orjson.OPT_INDENT_2 if indent else 0).decode()
    except TypeError:
        return json.dumps(value, ensure_ascii=False, indent=2 if indent else None, default=str)


def notice(key: str, words: str, tone: Tone = Tone.DIM, target: int | None = None) -> Part:
    """A line said about the entry."""
    return Part(PartKind.NOTICE, key, title=words, tone=tone, target=target)


def words(key: str, said: str, target: int | None = None) -> Part:
    """A bookkeeping entry told in a line."""
    return Part(PartKind.WORDS, key, title=said, target=target)


def data(key: str, value: Any, title: str = "", *, folded: bool = False) -> Part:
    """A JSON value laid out; one that is folded away is by the way."""
    body = Body(pretty(value), Syntax.JSON)
    tone = Tone.DIM if folded else Tone.NORMAL
    return Part(PartKind.DATA, key, title=title, body=body, folded=folded, tone=tone)


def name_entry(scene: BuildContext, index: int) -> str:
    """An entry in a few words, for a line that refers to it: `user "Use TypeScript…"`."""
    entry = scene.session.entry(index)
    role = entry.role or entry.type.replace("_", " ")
    said = visible(entry.text.strip())
    if len(said) > 60:
        said = said[:59].rstrip() + "…"
    return (
        f"{_ROLE_WORDS.get(role, visible(role))} “{said}”" if said else _ROLE_WORDS.get(role, visible(role))
    )


def find_entry(scene: BuildContext, entry_id: Any) -> int | None:
    """Index of the entry with an id; None if there is none."""
    return scene.session.table.by_id.get(entry_id) if isinstance(entry_id, str) else None


def chars(value: str) -> str:
    """Length of a text in words: `1,240 characters`."""
    return figures.counted(len(value), "character")


_ROLE_WORDS = {"toolResult": "tool result", "bashExecution": "bash"}


def role_words(role: str) -> str:
    """A message role as people say it."""
    return _ROLE_WORDS.get(role, role)
