"""The preview of a match: the entry's text around the place where the words stand."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from itertools import islice
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip
from textual.widget import Widget

from pitree.query.entries.searchable import searchable_text
from pitree.query.index.hits import Hit, text_behind_head
from pitree.query.index.record_reader import open_file, record_at
from pitree.query.language.tokenizer import Term, spans
from pitree.text.cells import wrap_spans
from pitree.text.sanitize import visible
from pitree.ui.toolkit.drawn import line_by_line

BEFORE, AFTER = 2_000, 12_000
"""Characters of the text kept before the place and after it."""
LINES_ABOVE = 4
"""Lines shown above the first one with a match."""
_MOST_LINES = 400

STYLES = ("dim", "hit", "text")


@dataclass(frozen=True, slots=True)
class PreviewContent:
    """What a preview shows.

    Attributes:
        lines: the text as lines, made safe.
        first: the line with the first match.
        terms: what to light.
        cut: whether the text begins before the first line.
    """

    lines: tuple[str, ...] = ()
    first: int = 0
    terms: tuple[Term, ...] = field(default=())
    cut: bool = False


def read(hit: Hit, terms: tuple[Term, ...]) -> PreviewContent:
    """Read what a preview shows; for a thread."""
    try:
        descriptor = open_file(hit.path)
    except OSError as error:
        return PreviewContent((f"The file cannot be read: {error.strerror or error}",))
    try:
        record = record_at(descriptor, hit.offset)
    except OSError:
        record = None
    finally:
        os.close(descriptor)
    if record is None:
        return PreviewContent(("The entry no longer exists.",))
    text = text_behind_head(searchable_text(record, hit.kind), record)
    start = text.find(hit.line[:80]) if "\n" not in hit.line else -1
    start = max(0, start)
    begin = max(0, start - BEFORE)
    begin = text.rfind("\n", 0, begin) + 1 if begin else 0
    begin = max(begin, start - 2 * BEFORE)
    lines = [visible(line) for line in text[begin : start + AFTER].split("\n")]
    first = text.count("\n", begin, start)
    return PreviewContent(tuple(lines), first, terms, begin > 0)


class HitPreview(Widget):
    """Some of an entry's text; give it with `show`."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"hit-preview--{name}" for name in STYLES}
    ALLOW_SELECT: ClassVar[bool] = False

    def __init__(self) -> None:
        super().__init__(id="preview")
        self._shown = PreviewContent()
        self._strips: list[Strip] | None = None

    def show(self, shown: PreviewContent) -> None:
        """Show a text."""
        if shown != self._shown:
            self._shown, self._strips = shown, None
            self.refresh()

    def on_resize(self) -> None:
        self._strips = None

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._strips = None

    @line_by_line
    def render_line(self, y: int) -> Strip:
        if self._strips is None:
            self._strips = self._laid_out()
        width = self.content_size.width
        if y < len(self._strips):
            return self._strips[y].crop_extend(0, width, self.rich_style)
        return Strip.blank(width, self.rich_style)

    def _laid_out(self) -> list[Strip]:
        """The lines wrapped, from a little above the first match on."""
        width, shown = max(1, self.content_size.width), self._shown
        rows: list[Strip] = []
        first = 0
        for number, line in enumerate(shown.lines):
            if number == shown.first:
                first = len(rows)
            lit = spans(shown.terms, line)
            for start, end in islice(wrap_spans(line, width), _MOST_LINES) if line else [(0, 0)]:
                if lit and number == shown.first and start <= lit[0][0] < end:
                    first = len(rows)
                rows.append(self._strip(line, start, end, lit))
            if len(rows) > first + _MOST_LINES:
                break
        above = max(0, first - LINES_ABOVE)
        # Where all of the text has room, all of it is shown.
        return rows if len(rows) <= self.content_size.height else rows[above:]

    def _strip(self, line: str, start: int, end: int, lit: list[tuple[int, int]]) -> Strip:
        text, hit = self._style("text"), self._style("hit")
        segments = []
        at = start
        for first, last in lit:
            first, last = max(first, start), min(last, end)
            if first < last:
                segments += [Segment(line[at:first], text), Segment(line[first:last], hit)]
                at = last
        segments.append(Segment(line[at:end], text))
        return Strip(segments)

    def _style(self, name: str) -> Style:
        style = self.get_component_rich_style(f"hit-preview--{name}")
        return style if name == "hit" else Style(color=style.color) + self.rich_style.background_style
