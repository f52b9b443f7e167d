"""How the panes are arranged for a size of the terminal."""

from __future__ import annotations

from enum import StrEnum

from textual.geometry import Size
from textual.screen import Screen
from textual.widget import Widget

TREE_SHARE = 54
"""Percent of the room of tree and entry that the tree has at first."""

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
    """A pane; the value is also the class of the screen while the pane is in front, where it matters."""

    SESSIONS = "-sessions"
    TREE = "-tree"
    DETAIL = "-detail"


def arrange(
    screen: Screen[None],
    page: Page,
    tree: Widget,
    detail: Widget,
    *,
    share: int = TREE_SHARE,
    empty: bool = False,
) -> Arrangement:
    """Arrange a screen with panes for the size it has; the style sheet does what the classes say.

    Args:
        screen: the screen.
        page: the pane in front.
        tree, detail: the two panes that share the room beside the list of sessions.
        share: percent of that room for the tree.
        empty: whether no session is shown, so that the list may take all the room.
    """
    chosen = arrangement_for(screen.app.size)
    wide = chosen is Arrangement.WIDE
    # All at once, and nothing where all stays: each change of classes styles every widget anew.
    classes = {arrangement.value: arrangement is chosen for arrangement in Arrangement}
    classes |= {other.value: other is page and not wide for other in Page}
    screen.update_classes({**classes, "-empty": empty and not wide})
    for pane, part in ((tree, share), (detail, 100 - share)):
        pane.styles.width = f"{part}fr" if wide else "100%"
        pane.styles.height = f"{part}fr" if chosen is Arrangement.STACKED else "100%"
    return chosen
