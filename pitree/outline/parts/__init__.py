"""An entry taken apart for reading: what the detail pane, the plain commands and exports show of it."""

from __future__ import annotations

from pitree.outline.parts.copying import copy_text
from pitree.outline.parts.model import Body, Fact, Part, PartKind, Preview, Syntax, Tone
from pitree.outline.parts.registry import parts_of

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
