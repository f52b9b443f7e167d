"""Entries built in short notation, and looking through the parts they are taken into."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pitree.entry.parts import Part, PartKind, parts_of
from pitree.session.manager.manager import SessionManager

NOON = 1_772_712_000_000.0
"""2026-03-05 12:00 UTC in ms; entries get a time a second later each."""
CWD = "/home/sam/src/app"
USAGE = {
    "input": 12_345,
    "output": 823,
    "cacheRead": 90_100,
    "cacheWrite": 0,
    "reasoning": 100,
    "totalTokens": 103_268,
    "cost": {"input": 0.01, "output": 0.012, "cacheRead": 0.009, "cacheWrite": 0, "total": 0.031},
}


class Story:
    """Entries in file order; each hangs on the one before unless told otherwise."""

    def __init__(self) -> None:
        self.entries: list[dict[str, Any]] = []

    def add(self, entry_id: str, kind: str, parent: str | None = "", /, **fields: Any) -> Story:
        """Add an entry of a type; `parent` "" means the entry before."""
        before = self.entries[-1]["id"] if self.entries else None
        self.entries.append(
            {
                "type": kind,
                "id": entry_id,
                "parentId": before if parent == "" else parent,
                "timestamp": f"2026-03-05T12:00:{len(self.entries):02d}.000Z",
                **fields,
            }
        )
        return self

    def say(
        self, entry_id: str, role: str, content: Any = None, parent: str | None = "", **fields: Any
    ) -> Story:
        return self.add(entry_id, "message", parent, message={"role": role, "content": content, **fields})

    def session(self) -> SessionManager:
        return SessionManager.in_memory(CWD, self.entries)

    def parts(self, entry_id: str) -> list[Part]:
        session = self.session()
        return parts_of(session, session.table.by_id[entry_id], now_ms=NOON + 3_600_000)


def text(value: str) -> dict[str, Any]:
    """A `text` block."""
    return {"type": "text", "text": value}


def call(call_id: str, name: str = "bash", **arguments: Any) -> dict[str, Any]:
    """A `toolCall` block."""
    return {"type": "toolCall", "id": call_id, "name": name, "arguments": arguments}


def walk(parts: Sequence[Part]) -> Iterator[Part]:
    """All parts, children after their parent."""
    for part in parts:
        yield part
        yield from walk(part.children)


def of_kind(parts: Sequence[Part], kind: PartKind) -> list[Part]:
    """The parts of a kind, children included."""
    return [part for part in walk(parts) if part.kind is kind]


def one(parts: Sequence[Part], kind: PartKind) -> Part:
    """The only part of a kind."""
    (found,) = of_kind(parts, kind)
    return found


def bodies(parts: Sequence[Part]) -> list[str]:
    """The texts of all parts."""
    return [part.body.text for part in walk(parts) if part.body is not None]


def titles(parts: Sequence[Part]) -> list[str]:
    """The titles of all parts that have one."""
    return [part.title for part in walk(parts) if part.title]
