"""How many cells each character takes: Rich's tables, in a form that is quick to look up.

Textual paints with Rich, so a line that is measured by these tables is as wide as the painted one, also where
`UNICODE_VERSION` names an older version. `rich.cells` is the one module of Rich below the screen: it is small
and loads nothing else. Its functions measure a whole text; cutting, wrapping and sanitizing need the width of
each character, and a set for regular expressions, so the tables are unpacked once.
"""

from __future__ import annotations

import re
from typing import Final

from rich.cells import load_cell_table  # type: ignore[attr-defined]  # Rich imports it there.

_TABLE = load_cell_table("auto")

_CONTROLS = ((0x00, 0x1F), (0x7F, 0x9F))
"""Code points that Rich makes zero cells wide by rule, not by its table."""


def _width_table() -> bytes:
    table = bytearray(b"\x01") * 0x110000
    ranges = [*_TABLE.widths, *((first, last, 0) for first, last in _CONTROLS)]
    for first, last, width in ranges:
        table[first : last + 1] = bytes((width,)) * (last + 1 - first)
    return bytes(table)


def _combining_class() -> str:
    """The inside of a regex set for what takes no cell of its own, and regional indicators.

    Exact in the Basic Multilingual Plane; above it a few generous ranges, since a regex set is slow with
    hundreds of ranges. Whoever finds a character by it asks WIDTHS to be sure.
    """
    zero = [(first, last) for first, last, width in _TABLE.widths if width == 0]
    low = [(first, last) for first, last in zero if first > 0x9F and last <= 0xFFFF]
    middle = [(first, last) for first, last in zero if 0xFFFF < first < 0x1F000]
    parts = [*low, (middle[0][0], middle[-1][1]), (0x1F1E6, 0x1F1FF), (0x1F3FB, 0x1F3FF), (0xE0000, 0xE0FFF)]
    return "".join(f"{re.escape(chr(first))}-{re.escape(chr(last))}" for first, last in parts)


WIDTHS: Final[bytes] = _width_table()
"""Cells of each code point by its number: 0, 1 or 2. Control characters are 0, as Rich has it."""

WIDENED: Final[frozenset[str]] = _TABLE.narrow_to_wide
"""One-cell characters that a following U+FE0F (emoji presentation) makes two cells wide."""

COMBINING: Final[str] = _combining_class()
"""Inside of a regex set: every character above U+009F that may join the one before it, and some more."""

ZWNJ: Final = "\u200c"
ZWJ: Final = "\u200d"
EMOJI_STYLE: Final = "\ufe0f"
"""Variation selector 16, which asks for the emoji form of the character before it."""
