"""An entry taken apart for reading: what the detail pane, the plain commands and exports show of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pitree.entry.parts.model import Body, Fact, Part, PartKind, Preview, Syntax, Tone

if TYPE_CHECKING:
    from pitree.entry.parts.copying import copy_text
    from pitree.entry.parts.registry import parts_of

__all__ = [
    "Body",
    "Fact",
    "Part",
    "PartKind",
    "Preview",
    "Syntax",
    "Tone",
    "copy_text",
    "parts_of",
]


def __getattr__(name: str) -> Any:
    """Load what takes entries apart when it is asked for: the first frame needs the types alone."""
    if name == "parts_of":
        from pitree.entry.parts.registry import parts_of

        return parts_of
    if name == "copy_text":
        from pitree.entry.parts.copying import copy_text

        return copy_text
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
