"""What the model would see at an entry, as rows of a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

from pitree.outline.row_words import row_line
from pitree.session.manager.context_view import ContextLine, ContextView, Fate
from pitree.session.manager.manager import SessionManager
from pitree.text.figures import counted, tokens
from pitree.text.sanitize import visible
from pitree.ui.windows.table_window import TableRow

_TONES = {
    Fate.EDITED: "warning",
    Fate.OMITTED: "warning",
    Fate.SUMMARIZED: "dim",
    Fate.EXCLUDED: "dim",
    Fate.BOOKKEEPING: "dim",
}
_SHOWN_FATES = (Fate.WHOLE, Fate.EDITED, Fate.SUMMARIZED, Fate.OMITTED, Fate.EXCLUDED)


class ContextRows(Sequence[TableRow]):
    """A row for each entry of the branch that could be in the context, made when it is looked at."""

    def __init__(self, session: SessionManager, lines: Sequence[ContextLine]) -> None:
        self._session = session
        self._lines = [line for line in lines if line.fate is not Fate.BOOKKEEPING]
        self.mark_width = max((len(line.fate) for line in self._lines), default=0)

    def __len__(self) -> int:
        return len(self._lines)

    @overload
    def __getitem__(self, place: int) -> TableRow: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[TableRow]: ...
    def __getitem__(self, place: int | slice) -> TableRow | Sequence[TableRow]:
        if isinstance(place, slice):
            return [self[number] for number in range(*place.indices(len(self)))]
        line = self._lines[place]
        size = f"{line.original:,}"
        if line.fate is Fate.EDITED:
            size = f"{line.tokens:,}"
        elif line.fate is not Fate.WHOLE:
            size = f"({size})"
        return TableRow(
            row_line(self._session.table, line.index),
            (size,),
            line.index,
            _TONES.get(line.fate, ""),
            line.fate.value,
        )


def told(view: ContextView) -> list[str]:
    """The lines above the table: how large the context is, and what makes it up."""
    size = view.size
    facts = [counted(view.messages, "message"), f"{tokens(size.tokens)} tokens"]
    if size.reporter is not None:
        since = f", {tokens(size.estimated)} estimated since" if size.estimated else ""
        facts[1] += f" ({tokens(size.reported)} reported by the last answer{since})"
    else:
        facts[1] += " (estimated: no answer has reported it since the last change)"
    parts = [
        f"{view.count(fate):,} {fate.value}"
        + (f" ({tokens(view.tokens(fate))})" if fate is not Fate.WHOLE else "")
        for fate in _SHOWN_FATES
        if view.count(fate)
    ]
    model = [visible(view.model) or "no model", f"thinking {visible(view.thinking_level)}"]
    return [" · ".join(facts), " · ".join(parts), " · ".join(model), ""]
