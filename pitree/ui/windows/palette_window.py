"""The command palette: every action with its key, sessions, labels, found by typing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.segment import Segment
from textual.binding import BindingType
from textual.content import Content
from textual.strip import Strip

from pitree.text.cells import cell_len, cut, pad
from pitree.ui.toolkit import keys
from pitree.ui.toolkit.line_list import LineList
from pitree.ui.toolkit.list_window import SearchedWindow
from pitree.ui.windows.command_ranking import PaletteItem, best_first, ranked

LOOK_AGAIN = 0.4
"""Seconds after which it is looked for more."""

_KIND = 11
_ROOM_FOR_KIND = 56
"""Cells of a row from which on it says of what kind it is."""


class PaletteList(LineList):
    """One offer a row: its words, its kind, its key."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"palette--sign", "palette--kind", "palette--note"}

    def __init__(self) -> None:
        super().__init__()
        self.offers: Sequence[PaletteItem] = ()

    def row_count(self) -> int:
        return len(self.offers)

    def empty_text(self) -> str:
        close = keys.key_label(self, "dialog.close")
        return f"No action, session or label matches. {close} clears the search."

    def render_row(self, row: int, width: int, selected: bool, focused: bool) -> Strip:
        offer = self.offers[row]
        room = max(0, width - 3)
        kind = pad(cut(offer.kind, _KIND), _KIND) if room >= _ROOM_FOR_KIND else ""
        note = cut(offer.note, room // 3)
        text = max(0, room - cell_len(kind) - (cell_len(note) + 2 if note else 0))
        return Strip(
            [
                Segment("› " if selected else "  ", self.style_of("palette--sign")),
                Segment(kind, self.style_of("palette--kind")),
                Segment(pad(cut(offer.text, text), text)),
                Segment(f"  {note}" if note else "", self.style_of("palette--note")),
            ]
        )


class PaletteWindow(SearchedWindow[PaletteItem]):
    """Offers to choose from. Enter gives one, Esc clears the search and then gives None.

    Args:
        offers: what is there at once; `add` brings more.
        look: called time and again, to look for more.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings(keys.KeyContext.PALETTE)]
    PLACES = (keys.KeyContext.PALETTE,)

    def __init__(self, offers: Sequence[PaletteItem], look: Callable[[], None]) -> None:
        self.rows = PaletteList()
        super().__init__("an action, a session, a label", self.rows)
        self._offers = list(offers)
        self._found: list[tuple[int, PaletteItem]] = []
        self._look = look

    def on_mount(self) -> None:
        self.query_one("#window").border_title = Content("Palette")
        self.edited()
        self._look()
        self.set_interval(LOOK_AGAIN, self._look)

    def add(self, offers: Sequence[PaletteItem]) -> None:
        """More is there to choose from; the row under the cursor stays."""
        self._offers += offers
        found = ranked(offers, self.box.text)
        if self.is_open:
            here = self.rows.offers[self.rows.cursor] if self.rows.cursor >= 0 else None
            self._found = best_first([*self._found, *found])
            self._show(here)

    def _show(self, stay_on: PaletteItem | None = None) -> None:
        shown = self.rows.offers = [offer for _, offer in self._found]
        row = next((row for row, offer in enumerate(shown) if offer is stay_on), 0)
        self.rows.rows_changed(row, keep_screen_row=stay_on is not None)
        self.tell_keys()

    def before_keys(self) -> str:
        return f"{len(self.rows.offers):,} of {len(self._offers):,}"

    def edited(self) -> None:
        self._found = best_first(ranked(self._offers, self.box.text))
        self._show()

    def choose(self, row: int) -> None:
        if 0 <= row < len(self.rows.offers):
            self.dismiss(self.rows.offers[row])
