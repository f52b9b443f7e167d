"""What a record in a session file is, by the look of it."""

from __future__ import annotations

from typing import Any

from pitree.session.format.entry_type import ENTRY_TYPES

_SHOWN = 80
"""Characters of a record's text in a notice."""


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


def model_name(record: dict[str, Any]) -> Any:
    """What a `model_change` gives as its model: a name, or whatever stands there; None for nothing.

    Pi writes it as `modelId`; files of other programs have it as `model`. Pi takes no model from those: what
    counts for the context is `session.context.projection`.
    """
    named = record.get("modelId")
    return record.get("model") if named is None or named == "" else named


def described(record: dict[str, Any]) -> str:
    """A record that is not an entry, in a few words: its type, and the text that it carries, if any.

    Returns:
        e.g. `of type title: "My session"`, not yet made harmless for a terminal; empty without a type.
    """
    kind = record.get("type")
    if not isinstance(kind, str) or not kind:
        return ""
    carried = (record.get(field) for field in (kind, "title", "name", "text", "value"))
    text = next((one for one in carried if isinstance(one, str) and one.strip()), "")
    words = " ".join(text.split())
    shown = f'"{words[:_SHOWN]}{"…" * (len(words) > _SHOWN)}"'
    return f"of type {kind[:_SHOWN]}" + (f": {shown}" if words else "")
