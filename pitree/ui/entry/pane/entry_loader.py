"""Reading an entry for the entry pane: when, and in a thread what."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from time import monotonic

from textual.timer import Timer

from pitree.entry.parts import Part, PartKind, Tone, copy_text, parts_of
from pitree.entry.parts.build_context import pretty
from pitree.session.manager.manager import SessionManager
from pitree.text import cells
from pitree.ui.entry.document.document import StyleRequest
from pitree.ui.entry.document.fold import Fold
from pitree.ui.entry.document.lines import Row
from pitree.ui.entry.document.sections import LayoutStyle, lay_out
from pitree.ui.entry.styling.style_cache import fulfil
from pitree.ui.entry.styling.style_names import Palette

STYLED_AT_ONCE = 3_000
"""Characters of text styled before an entry shows at all: some 30 ms. The rest is plain first."""
PAUSE = 0.05
"""Seconds an entry has to stay wanted before it is read, while they change quickly."""
PATIENCE = 0.3
"""Seconds after which a reader sees that an entry is still being read."""

SetTimer = Callable[[float, Callable[[], object]], Timer]


class LoadTimer:
    """When to read: at once, or while requests follow each other quickly, only for the last of them.

    Args:
        set_timer: calls something once, some seconds from now.
    """

    def __init__(self, set_timer: SetTimer) -> None:
        self._set_timer = set_timer
        self._requested = 0.0
        self._pause: Timer | None = None
        self._late: Timer | None = None

    def request(self, load: Callable[[], object]) -> None:
        """Have something read, in place of what was requested before."""
        self.cancel()
        before, self._requested = self._requested, monotonic()
        if self._requested - before < 2 * PAUSE:
            self._pause = self._set_timer(PAUSE, load)
        else:
            load()

    def cancel(self) -> None:
        """Nothing is to be read any more."""
        if self._pause is not None:
            self._pause.stop()

    def started(self, on_late: Callable[[], object]) -> None:
        """It is being read; this is called if it takes long."""
        self.ended()
        self._late = self._set_timer(PATIENCE, on_late)

    def ended(self) -> None:
        """It was read, or could not be."""
        if self._late is not None:
            self._late.stop()


@dataclass(frozen=True, slots=True)
class ViewOptions:
    """How the entry will be looked at, as far as reading needs to know.

    Attributes:
        look: width and colors.
        rows: rows of the window.
        folds: what is folded and unfolded of the entry.
    """

    look: LayoutStyle
    rows: int
    folds: Mapping[str, Fold] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LoadedEntry:
    """An entry, ready to be shown.

    Attributes:
        title: what names it: role, model and time; safe.
        parts: its parts.
        styled: texts of its first screen that are styled already.
        palette: the colors they are styled with.
    """

    session: SessionManager
    index: int
    raw: bool
    title: tuple[str, str, str]
    parts: list[Part]
    styled: Sequence[tuple[StyleRequest, list[Row] | None]]
    palette: Palette

    def title_within(self, width: int) -> str:
        """The title; where there is little room, its model or tool gives way first."""
        title, subject, note = self.title
        room = width - cells.cell_len(" · ".join(filter(None, (title, note)))) - 3
        subject = cells.cut(subject, room) if room >= 4 else ""
        return " · ".join(filter(None, (title, subject, note)))

    def same_as(self, other: LoadedEntry | None) -> bool:
        """Whether the other shows the same entry in the same way."""
        mine = (self.session, self.index, self.raw)
        return other is not None and mine == (other.session, other.index, other.raw)


def load(
    session: SessionManager,
    index: int,
    view: ViewOptions,
    *,
    raw: bool,
    cancelled: Callable[[], bool] = lambda: False,
) -> LoadedEntry:
    """Read an entry, take it apart, and style as much as can be styled without keeping anybody waiting.

    An entry nobody foresaw must not end the program: what goes wrong is shown in the entry's place.
    """
    from pitree.entry.parts.json_parts import folding, json_part

    try:
        parts = parts_of(session, index)
        title = (parts[0].title, parts[0].subject, parts[0].note)
        parts = [json_part(session.entry(index).record, "raw")] if raw else folding(parts)
        styled = [] if cancelled() else _style_some(parts, view, cancelled)
    except Exception as error:
        text = f"This entry cannot be shown: {type(error).__name__}. "
        text += f"{view.look.signs.record} may show its record."
        title = ("entry", f"{index + 1:,}", "")
        parts = [Part(PartKind.NOTICE, "failed", title=text, tone=Tone.ERROR)]
        styled = []
    return LoadedEntry(session, index, raw, title, parts, styled, view.look.palette)


def _style_some(
    parts: list[Part], view: ViewOptions, cancelled: Callable[[], bool]
) -> list[tuple[StyleRequest, list[Row] | None]]:
    if "pitree.ui.entry.styling.markdown" not in sys.modules:
        return []  # importing it takes longer than anybody should wait for the first entry
    room = STYLED_AT_ONCE
    styled = []
    document = lay_out(parts, view.folds, view.look, lambda wish: None)
    for _, wish in document.wishes(0, view.rows):
        room -= wish.end - wish.start
        if room < 0 or cancelled():
            break
        styled.append((wish, fulfil(wish, view.look.palette)))
    return styled


def text_to_copy(session: SessionManager, index: int, raw: bool, cancelled: Callable[[], bool]) -> str:
    """The text of an entry, or its record as JSON. For a thread."""
    return pretty(session.entry(index).record) if raw else copy_text(session, index)
