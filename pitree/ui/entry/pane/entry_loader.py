"""Reading an entry for the detail pane; meant for a thread."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from textual.message import Message

from pitree.entry.parts import Part, PartKind, Tone
from pitree.session.manager.manager import SessionManager
from pitree.ui.entry.document.document import StyleRequest
from pitree.ui.entry.document.fold import Fold
from pitree.ui.entry.document.lines import Row
from pitree.ui.entry.document.sections import LayoutStyle, lay_out
from pitree.ui.entry.styling.style_cache import fulfil
from pitree.ui.entry.styling.style_names import Palette

STYLED_AT_ONCE = 3_000
"""Characters of text styled before an entry shows at all: some 30 ms. The rest is plain first."""


@dataclass(frozen=True, slots=True)
class ViewOptions:
    """How the entry will be looked at, as far as reading needs to know.

    Attributes:
        look: width and colours.
        rows: rows of the window.
        folds: what is folded and unfolded of the entry.
    """

    look: LayoutStyle
    rows: int
    folds: Mapping[str, Fold] = field(default_factory=dict)


class LoadedEntry(Message):
    """An entry, ready to be shown.

    Attributes:
        title: what names it: role, model and time; safe.
        parts: its parts.
        styled: texts of its first screen that are styled already.
        palette: the colours they are styled with.
    """

    def __init__(
        self,
        session: SessionManager,
        index: int,
        raw: bool,
        title: tuple[str, str, str],
        parts: list[Part],
        styled: Sequence[tuple[StyleRequest, list[Row] | None]],
        palette: Palette,
    ) -> None:
        super().__init__()
        self.session = session
        self.index = index
        self.raw = raw
        self.title = title
        self.parts = parts
        self.styled = styled
        self.palette = palette

    def can_replace(self, message: Message) -> bool:
        """Only the newest counts."""
        return isinstance(message, LoadedEntry)


def load(
    session: SessionManager,
    index: int,
    view: ViewOptions,
    *,
    raw: bool,
    cancelled: Callable[[], bool] = lambda: False,
) -> LoadedEntry:
    """Read an entry, take it apart, and style as much as can be styled without keeping anybody waiting.

    An entry nobody foresaw must not end the program: what goes wrong is told in the entry's place.
    """
    from pitree.entry.parts import parts_of
    from pitree.entry.parts.json_parts import folding, json_part

    try:
        parts = parts_of(session, index)
        title = (parts[0].title, parts[0].subject, parts[0].note)
        parts = [json_part(session.entry(index).record, "raw")] if raw else folding(parts)
        styled = [] if cancelled() else _style_some(parts, view, cancelled)
    except Exception as error:
        words = f"This entry cannot be shown: {type(error).__name__}. "
        words += f"{view.look.signs.record} may show its record."
        title = ("entry", f"{index + 1:,}", "")
        parts = [Part(PartKind.NOTICE, "failed", title=words, tone=Tone.ERROR)]
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
