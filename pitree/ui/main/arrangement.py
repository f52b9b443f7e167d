"""How the panes are arranged: by the size of the terminal, and as the reader has chosen."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from textual.geometry import Size
from textual.screen import Screen
from textual.widget import Widget

from pitree.config import table
from pitree.config.config import Config

WIDE_COLUMNS = 120
"""Columns from which all three panes stand side by side."""

NARROW_COLUMNS = 80
"""Columns below which they do not, even if that is chosen."""

SMALL_COLUMNS = 60
SMALL_ROWS = 18
"""Below either, two panes at a time are too narrow or too low to read."""

LEAST_SESSIONS = 24
"""Columns that the list keeps beside the other panes, and what is left to these is twice that at least."""


class Arrangement(StrEnum):
    """An arrangement; the value is also the style class of the screen."""

    WIDE = "-wide"
    """Sessions, tree and entry side by side."""
    STACKED = "-stacked"
    """Tree above, entry below; the sessions are a drawer over both."""
    PAGED = "-paged"
    """One pane at a time."""


class PaneLayout(StrEnum):
    """What the reader has chosen; the value is that of the setting."""

    AUTO = "auto"
    WIDE = "wide"
    STACKED = "stacked"
    SINGLE = "single"

    @property
    def words(self) -> str:
        """What it does, in words."""
        return _WORDS[self]


_WORDS = {
    PaneLayout.AUTO: "automatic",
    PaneLayout.WIDE: "side by side",
    PaneLayout.STACKED: "tree above entry",
    PaneLayout.SINGLE: "one pane at a time",
}


@dataclass(frozen=True, slots=True)
class PaneShares:
    """The room of the panes.

    Attributes:
        tree: percent, for the tree, of the room of tree and entry.
        sessions: percent of a wide terminal for the list of sessions.
        layout: how the panes stand.
    """

    tree: int = table.TREE_SHARE.default
    sessions: int = table.SESSIONS_SHARE.default
    layout: PaneLayout = PaneLayout.AUTO

    @classmethod
    def of(cls, config: Config) -> PaneShares:
        """The room that the settings give."""
        layout = PaneLayout(config[table.LAYOUT])
        return cls(config[table.TREE_SHARE], config[table.SESSIONS_SHARE], layout)


def arrangement_for(size: Size, layout: PaneLayout = PaneLayout.AUTO) -> Arrangement:
    """The arrangement for a terminal of this size, in cells; what is chosen holds where it can be read."""
    if layout is PaneLayout.SINGLE or size.width < SMALL_COLUMNS or size.height < SMALL_ROWS:
        return Arrangement.PAGED
    wide_from = {PaneLayout.AUTO: WIDE_COLUMNS, PaneLayout.WIDE: NARROW_COLUMNS}.get(layout)
    return Arrangement.WIDE if wide_from is not None and size.width >= wide_from else Arrangement.STACKED


def sessions_columns(width: int, share: int) -> int:
    """Columns of the list of sessions beside the other panes.

    Args:
        width: columns of the terminal.
        share: percent of them for the list.
    """
    return max(LEAST_SESSIONS, min(round(width * share / 100), width - 2 * LEAST_SESSIONS))


class Page(StrEnum):
    """A pane; the value is also the class of the screen while the pane is in front, where it matters."""

    SESSIONS = "-sessions"
    TREE = "-tree"
    DETAIL = "-detail"


def arrange(
    screen: Screen[None],
    page: Page,
    panes: tuple[Widget, Widget, Widget],
    *,
    shares: PaneShares,
    empty: bool = False,
    alone: bool = False,
) -> Arrangement:
    """Arrange a screen with panes for the size it has; the style sheet does what the classes say.

    Args:
        screen: the screen.
        page: the pane in front.
        panes: the list of sessions, the tree, the entry.
        shares: the room of the panes.
        empty: whether no session is shown, so that the list may take all the room.
        alone: whether the other panes have the room of the list, too.
    """
    size = screen.app.size
    chosen = arrangement_for(size, shares.layout)
    wide = chosen is Arrangement.WIDE
    # All at once, and nothing where all stays: each change of classes styles every widget anew.
    classes = {arrangement.value: arrangement is chosen for arrangement in Arrangement}
    classes |= {other.value: other is page and not wide for other in Page}
    screen.update_classes({**classes, "-empty": empty and not wide, "-alone": alone and wide})
    sessions, tree, detail = panes
    sessions.styles.width = sessions_columns(size.width, shares.sessions) if wide else None
    for pane, part in ((tree, shares.tree), (detail, 100 - shares.tree)):
        pane.styles.width = f"{part}fr" if wide else "100%"
        pane.styles.height = f"{part}fr" if chosen is Arrangement.STACKED else "100%"
    return chosen
