"""How the panes are arranged for a size of the terminal."""

from __future__ import annotations

from enum import StrEnum

from textual.geometry import Size

WIDE_COLUMNS = 120
"""Columns from which all three panes stand side by side."""

SMALL_COLUMNS = 60
SMALL_ROWS = 18
"""Below either, two panes at a time are too narrow or too low to read."""


class Arrangement(StrEnum):
    """An arrangement; the value is also the style class of the screen."""

    WIDE = "-wide"
    """Sessions, tree and entry side by side."""
    STACKED = "-stacked"
    """Tree above, entry below; the sessions are a drawer over both."""
    PAGED = "-paged"
    """One pane at a time."""


def arrangement_for(size: Size) -> Arrangement:
    """The arrangement for a terminal of this size, in cells."""
    if size.width < SMALL_COLUMNS or size.height < SMALL_ROWS:
        return Arrangement.PAGED
    return Arrangement.WIDE if size.width >= WIDE_COLUMNS else Arrangement.STACKED


class Page(StrEnum):
    """A pane; the value is also the style class of the screen while the pane is in front."""

    SESSIONS = "-sessions"
    TREE = "-tree"
    DETAIL = "-detail"
