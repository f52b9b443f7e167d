"""What a record in a session file is, by the look of it."""

from __future__ import annotations

from typing import Any

from pitree.session.format.entry_type import ENTRY_TYPES


def is_header(record: dict[str, Any]) -> bool:
    """Whether a record is a session header: type `session` with an id, or the documented `header` form."""
    kind = record.get("type")
    if kind == "session":
        return isinstance(record.get("id"), str)
    return kind == "header" and ("workingDirectory" in record or "version" in record)


def looks_like_entry(record: dict[str, Any]) -> bool:
    """Whether a record is an entry of a session: a known type, or a type with an id and a parent id."""
    kind = record.get("type")
    if not isinstance(kind, str):
        return False
    return ("id" in record and "parentId" in record) or (kind in ENTRY_TYPES and "timestamp" in record)
