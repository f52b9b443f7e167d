"""Lines of styled pieces, and breaking them into rows; styling JSON a line at a time."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from rich.segment import Segment
from rich.style import Style

from pitree.entry.parts import Syntax
from pitree.text.widths import WIDTHS, ZWJ
from pitree.text.wrap import wrap
from pitree.ui.entry.styling.style_names import Palette

Spans = list[tuple[str, Style]]
"""Text in pieces, each with its style."""
LineStyler = Callable[[str], Spans]
"""Gives the pieces of a line made safe before."""
Row = list[Segment]
"""One row as drawn."""

_JSON = re.compile(
    r'(?P<string>"(?:[^"\\]|\\.)*+"?)(?P<colon>\s*:)?'
    r"|(?P<number>-?\d[\d.eE+-]*)|(?P<word>true|false|null)|(?P<other>[^\"\dtfn-]+|.)"
)
_COLOURED = 4_000
"""Characters up to which a line of JSON is coloured; beyond, it is mostly one string."""


def line_styler(syntax: Syntax, palette: Palette, base: Style) -> LineStyler:
    """What styles a line by itself; `base` is the style of all that has none of its own."""
    if syntax is Syntax.JSON:
        name, string, number, keyword, operator = (
            base + palette[style] for style in ("name", "string", "number", "keyword", "operator")
        )
        return lambda line: _json_spans(line, base, name, string, number, keyword, operator)
    return lambda line: [(line, base)]


def _json_spans(
    line: str, base: Style, name: Style, string: Style, number: Style, keyword: Style, operator: Style
) -> Spans:
    if len(line) > _COLOURED:
        return [(line, base)]
    spans: Spans = []
    for found in _JSON.finditer(line):
        if found["string"] is not None:
            spans.append((found["string"], name if found["colon"] is not None else string))
            if found["colon"] is not None:
                spans.append((found["colon"], operator))
        elif found["number"] is not None:
            spans.append((found["number"], number))
        elif found["word"] is not None:
            spans.append((found["word"], keyword))
        else:
            spans.append((found["other"], operator))
    return spans


def whole(spans: Spans) -> Spans:
    """The pieces put together where one would begin in the middle of a character: a mark, a joined emoji.

    A screen measures piece by piece, so a torn character would take more cells than it does.
    """
    kept: Spans = []
    for text, style in spans:
        if kept and text and not text.isascii() and _continues(kept[-1][0], text):
            kept[-1] = (kept[-1][0] + text, kept[-1][1])
        elif text:
            kept.append((text, style))
    return kept


def _continues(before: str, text: str) -> bool:
    if before[-1] == ZWJ or WIDTHS[ord(text[0])] == 0:
        return True
    return "\U0001f1e6" <= before[-1] <= "\U0001f1ff" and "\U0001f1e6" <= text[0] <= "\U0001f1ff"


def rows_of(spans: Spans, width: int, *, words: bool) -> list[Row]:
    """Break the pieces of a line into rows of at most `width` cells."""
    return [row for _, row in _broken(spans, width, words)]


def _broken(spans: Spans, width: int, words: bool) -> list[tuple[int, Row]]:
    """The rows of a line, each with the place in the line where it starts."""
    if len(spans) == 1:
        text, style = spans[0]
        return [(start, [Segment(text[start:end], style)]) for start, end in wrap(text, width, words=words)]
    spans = whole(spans)
    line = "".join(text for text, _ in spans)
    rows: list[tuple[int, Row]] = []
    piece, offset = 0, 0
    for start, end in wrap(line, width, words=words):
        row: Row = []
        while piece < len(spans):
            text, style = spans[piece]
            first, last = max(start, offset), min(end, offset + len(text))
            if first < last:
                row.append(Segment(text[first - offset : last - offset], style))
            if offset + len(text) > end:
                break
            offset += len(text)
            piece += 1
        rows.append((start, row))
    return rows


@dataclass(frozen=True, slots=True)
class Gutter:
    """Line numbers at the left of a text.

    Attributes:
        first: number of its first line.
        digits: cells a number takes.
        style: how numbers look.
    """

    first: int
    digits: int
    style: Style

    @property
    def width(self) -> int:
        """Cells the gutter takes; as many characters stand at the start of each row."""
        return self.digits + 2

    def rows(self, rows: list[Row], number: int) -> list[Row]:
        """The rows of a line with its number before the first; 0 for none."""
        sign = f"{number or '':>{self.digits}}  "
        blank = " " * self.width
        return [[Segment(blank if at else sign, self.style), *row] for at, row in enumerate(rows)]


@dataclass(slots=True)
class WrappedLines:
    """Lines broken into rows.

    Attributes:
        rows: the rows.
        starts: for each row, where it starts in the lines joined by line breaks.
    """

    rows: list[Row]
    starts: list[int]


def lay_lines(
    lines: list[Spans],
    width: int,
    *,
    words: bool,
    gutter: Gutter | None = None,
    number: int = 0,
    within: bool = False,
) -> WrappedLines:
    """Break lines into rows.

    Args:
        lines: the lines.
        width: cells a row may take, the gutter among them.
        words: whether rows break between words.
        gutter: line numbers.
        number: number of the first line.
        within: the first line begins elsewhere, so that its number does not stand here.
    """
    room = max(1, width - gutter.width) if gutter is not None else width
    rows: list[Row] = []
    starts: list[int] = []
    offset = 0
    for at, spans in enumerate(lines):
        broken = _broken(spans, room, words)
        starts += [offset + start for start, _ in broken]
        own = [row for _, row in broken]
        rows += own if gutter is None else gutter.rows(own, 0 if within and not at else number + at)
        offset += sum(len(text) for text, _ in spans) + 1
    return WrappedLines(rows, starts)


def lit_row(row: Row, marks: list[tuple[int, int, Style]]) -> Row:
    """A row with styles put on stretches of its text.

    Args:
        row: the row.
        marks: start and end in the row's text, in order and apart, and the style.
    """
    lit: Row = []
    offset = 0
    waiting = list(reversed(marks))
    for text, style, _ in row:
        at = 0
        while waiting and waiting[-1][0] < offset + len(text):
            start, end, mark = waiting[-1]
            first, last = max(start - offset, at), min(end - offset, len(text))
            if first > at:
                lit.append(Segment(text[at:first], style))
            if last > first:
                lit.append(Segment(text[first:last], style + mark if style else mark))
            at = last
            if end > offset + len(text):
                break
            waiting.pop()
        if at < len(text):
            lit.append(Segment(text[at:], style))
        offset += len(text)
    return lit
