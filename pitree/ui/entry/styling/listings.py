"""What searching tools found, laid out: lines under the file they are in, paths, names in columns."""

from __future__ import annotations

import re

from rich.style import Style

from pitree.text import cells
from pitree.ui.entry.document.lines import Spans
from pitree.ui.entry.styling.style_names import Palette

_FOUND = re.compile(r"(?P<path>.+?)(?P<sign>[:-])(?P<number>\d{1,9})(?P=sign) ?(?P<said>.*)")
_LONGEST = 1_000
_BETWEEN = 2
_PATIENCE = 0.01
"""Seconds that looking for the pattern in a line may take: it is in the file and may be made to hurt."""


class Matches:
    """Lines that grep found, each file named once, numbers aligned, what was looked for marked.

    Args:
        pattern: what was looked for; not marked if it is not a pattern.
    """

    def __init__(self, pattern: str, palette: Palette, base: Style) -> None:
        self._base = base
        self._path, self._number, self._dim = (base + palette[name] for name in ("link", "gutter", "dim"))
        self._found = base + palette["strong"] + palette["string"]
        from pitree.query.language.pattern import Pattern, PatternError  # slow to load, seldom asked for

        self._pattern: Pattern | None
        try:
            self._pattern = Pattern(pattern, seconds=_PATIENCE) if 0 < len(pattern) <= _LONGEST else None
        except PatternError:
            self._pattern = None

    def lines(self, lines: list[str]) -> list[Spans]:
        """Lines made safe before, laid out."""
        parsed = [_FOUND.fullmatch(line) if len(line) < 10 * _LONGEST else None for line in lines]
        digits = max((len(found["number"]) for found in parsed if found), default=0)
        shown: list[Spans] = []
        path = ""
        for line, found in zip(lines, parsed, strict=True):
            if found is None:
                shown.append([(line, self._base)])
                path = ""
                continue
            if found["path"] != path:
                path = found["path"]
                shown.append([(path, self._path)])
            number = f"{found['number']:>{digits + 2}}  "
            said = self._marked(found["said"]) if found["sign"] == ":" else [(found["said"], self._dim)]
            shown.append([(number, self._number), *said])
        return shown

    def _marked(self, said: str) -> Spans:
        if self._pattern is None or self._pattern.too_slow or len(said) > _LONGEST:
            return [(said, self._base)]
        spans: Spans = []
        at = 0
        for start, end in cells.snap(said, self._pattern.spans(said)):
            spans += [(said[at:start], self._base), (said[start:end], self._found)]
            at = end
        spans.append((said[at:], self._base))
        return [(text, style) for text, style in spans if text]


def path_lines(lines: list[str], palette: Palette, base: Style) -> list[Spans]:
    """Paths with their folders in the background."""
    folder, name = base + palette["dim"], base
    return [_path(line, folder, name) for line in lines]


def _path(line: str, folder: Style, name: Style) -> Spans:
    at = line.rstrip("/").rfind("/") + 1
    return [(line[:at], folder), (line[at:], name)] if at else [(line, name)]


def name_columns(lines: list[str], width: int, palette: Palette, base: Style) -> list[Spans]:
    """Names in columns that are read from top to bottom, as many as there is room for."""
    folder = base + palette["name"]
    widest = max((cells.cell_len(line) for line in lines), default=0) + _BETWEEN
    columns = max(1, min(len(lines), (width + _BETWEEN) // widest))
    height = -(-len(lines) // columns)
    shown: list[Spans] = []
    for row in range(height):
        spans: Spans = []
        for at in range(row, len(lines), height):
            if spans:
                before = lines[at - height]
                spans.append((" " * (widest - cells.cell_len(before)), base))
            spans.append((lines[at], folder if lines[at].endswith("/") else base))
        shown.append(spans)
    return shown
