"""Laying out facts: short ones in a row that wraps between them, named ones in two aligned columns."""

from __future__ import annotations

from collections.abc import Sequence

from rich.segment import Segment
from rich.style import Style

from pitree.entry.parts import Fact
from pitree.text import cells
from pitree.text.wrap import wrap
from pitree.ui.entry.document.lines import Row

_BETWEEN = " · "
_WIDEST_NAME = 18


def flow(words: Sequence[str], width: int, style: Style) -> list[Row]:
    """Facts in rows, ` · ` between those that share one; a row breaks between facts where it can."""
    rows: list[Row] = []
    line = ""
    for word in words:
        longer = f"{line}{_BETWEEN}{word}" if line else word
        if line and cells.cell_len(longer) > width:
            rows += _plain(line, width, style)
            line = word
        else:
            line = longer
    return rows + _plain(line, width, style) if line else rows


def table(facts: Sequence[Fact], width: int, name: Style, value: Style) -> list[Row]:
    """Names in a column, values beside them; in a narrow pane each value below its name."""
    column = min(_WIDEST_NAME, max((cells.cell_len(fact.name) for fact in facts), default=0))
    rows: list[Row] = []
    for fact in facts:
        room = width - column - 2
        if room < 12:
            rows += _plain(fact.name, width, name)
            rows += [[Segment("  "), *row] for row in _plain(fact.value, max(1, width - 2), value)]
            continue
        beside = _plain(fact.value, room, value)
        first = cells.pad(cells.cut(fact.name, column), column) + "  "
        rows.append([Segment(first, name), *beside[0]])
        rows += [[Segment(" " * (column + 2)), *row] for row in beside[1:]]
    return rows


def _plain(text: str, width: int, style: Style) -> list[Row]:
    return [[Segment(text[start:end], style)] for start, end in wrap(text, width, words=True)]
