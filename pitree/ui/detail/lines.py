"""Styling one line at a time, without knowing its neighbours: diffs, JSON, and text in one style.

Cheap enough to be done while scrolling, so it works for texts of any length.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from rich.segment import Segment
from rich.style import Style

from pitree.outline.parts import Syntax
from pitree.outline.widths import WIDTHS, ZWJ
from pitree.ui.detail.palette import Palette
from pitree.ui.detail.wrap import wrap

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
    """What styles the lines of a text; `base` is the style of all that has none of its own."""
    if syntax is Syntax.DIFF:
        added, removed, hunk = (base + palette[name] for name in ("added", "removed", "hunk"))
        signs = {"+": added, "-": removed, "@": hunk, "⋯": hunk}
        return lambda line: [(line, signs.get(line[:1], base))]
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
    if len(spans) == 1:
        text, style = spans[0]
        return [[Segment(text[start:end], style)] for start, end in wrap(text, width, words=words)]
    spans = whole(spans)
    line = "".join(text for text, _ in spans)
    rows: list[Row] = []
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
        rows.append(row)
    return rows
