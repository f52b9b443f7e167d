"""What a document is stacked from: rows drawn beforehand, and long text drawn as it comes into view."""

from __future__ import annotations

import unicodedata
from abc import ABC, abstractmethod
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple

from pitree.outline.fenwick import RowCounts
from pitree.query.language.query import Query
from pitree.text import cells
from pitree.ui.entry.document.lines import Gutter, Row, WrappedLines, lay_lines
from pitree.ui.entry.styling.block_styles import BlockStyle, safe_lines

BLOCK = 16_384
"""Characters of a long text that are broken into rows together: a millisecond or so of work."""
KEPT_BLOCKS = 64
"""Blocks kept drawn: a megabyte of text."""

_LONGEST_GRAPHEME = 64
_LONGEST_HIT = 200
"""Characters that a match may reach from one block into the next within a line."""

Mark = tuple[int, int, int]
"""A place in a view that outlives a change of its heights; only the view that made it can read it."""


class TextHit(NamedTuple):
    """A place where a text has what is looked for, in the order of the text.

    Attributes:
        block: which block of the text it begins in.
        start, end: where, in the lines of the block joined by line breaks.
    """

    block: int
    start: int
    end: int


class View(ABC):
    """Rows one below the other."""

    @property
    @abstractmethod
    def height(self) -> int:
        """Rows; of text that was not in view yet, estimated."""

    @abstractmethod
    def row(self, at: int) -> Row:
        """A row, drawn."""

    def settle(self, first: int, last: int) -> int:
        """Make the rows from `first` up to `last` exact; return by how much the height grew."""
        return 0

    def mark(self, at: int) -> Mark:
        """Remember the place of a row."""
        return at, 0, 0

    def find(self, mark: Mark) -> int:
        """The row at a remembered place, as heights are now."""
        return min(mark[0], max(0, self.height - 1))

    @abstractmethod
    def hits(self, query: Query) -> Iterator[TextHit]:
        """Where the text has what is looked for. Changes nothing, so a thread may ask."""

    @abstractmethod
    def row_of(self, hit: TextHit) -> int:
        """The row where a match begins."""

    @abstractmethod
    def place_of(self, at: int) -> TextHit:
        """Where in the text a row starts, to be compared with matches."""

    @abstractmethod
    def lit(self, at: int, query: Query) -> list[tuple[int, int, TextHit]]:
        """Hits in a row: start and end in the row's text, and the match."""


def _lit(laid: WrappedLines, place: int, gutter: int, hits: list[TextHit]) -> list[tuple[int, int, TextHit]]:
    """What of some matches lies in a row."""
    start = laid.starts[place]
    end = start + sum(len(segment.text) for segment in laid.rows[place]) - gutter
    return [
        (max(hit.start, start) - start + gutter, min(hit.end, end) - start + gutter, hit)
        for hit in hits
        if hit.start < end and hit.end > start
    ]


class Rows(View):
    """Rows drawn beforehand.

    Args:
        rows: the rows.
        gutter: characters at the start of each that are no text.
    """

    def __init__(self, rows: list[Row], gutter: int = 0) -> None:
        self._rows = rows
        self._gutter = gutter
        self._found: tuple[Query, WrappedLines, list[TextHit]] | None = None

    @property
    def height(self) -> int:
        return len(self._rows)

    def row(self, at: int) -> Row:
        return self._rows[at]

    def _texts(self) -> list[str]:
        return ["".join(segment.text for segment in row)[self._gutter :] for row in self._rows]

    def hits(self, query: Query) -> Iterator[TextHit]:
        text = "\n".join(self._texts())
        for start, end in cells.snap(text, query.spans(text)):
            yield TextHit(0, start, end)

    def _looked(self, query: Query) -> tuple[WrappedLines, list[TextHit]]:
        if self._found is None or self._found[0] is not query:
            starts = [0, *accumulate(len(text) + 1 for text in self._texts())]
            self._found = query, WrappedLines(self._rows, starts), list(self.hits(query))
        return self._found[1], self._found[2]

    def row_of(self, hit: TextHit) -> int:
        starts = [0, *accumulate(len(text) + 1 for text in self._texts())]
        return max(0, min(bisect_right(starts, hit.start), len(self._rows)) - 1)

    def place_of(self, at: int) -> TextHit:
        start = sum(len(text) + 1 for text in self._texts()[:at])
        return TextHit(0, start, start)

    def lit(self, at: int, query: Query) -> list[tuple[int, int, TextHit]]:
        laid, hits = self._looked(query)
        return _lit(laid, at, self._gutter, hits) if hits else []


class LazyText(View):
    """A stretch of text, cut into blocks that are made safe and broken into rows when they come into view.

    Until then a block's height is estimated from its line breaks and its length.

    Args:
        text: raw text; only the stretch is ever looked at.
        start: where the stretch starts.
        end: where it ends.
        width: cells a row may take.
        words: whether rows break between words.
        style: styles a block of lines.
        gutter: line numbers; its first is that of the line at `start`.
    """

    def __init__(
        self,
        text: str,
        start: int,
        end: int,
        *,
        width: int,
        words: bool,
        style: BlockStyle,
        gutter: Gutter | None = None,
    ) -> None:
        self.length = end - start
        """Characters of the stretch."""
        self._text = text
        self._width = max(1, width)
        self._words = words
        self._style = style
        self._gutter = gutter
        room = max(1, self._width - gutter.width) if gutter is not None else self._width
        self._bounds = _blocks(text, start, end, room)
        blocks = list(zip(self._bounds, self._bounds[1:], strict=False))
        self._heights = [_estimate(text, first, last, room) for first, last in blocks]
        self._counts = RowCounts(self._heights)
        self._exact = bytearray(len(self._heights))
        self._drawn: OrderedDict[int, WrappedLines] = OrderedDict()
        self._numbers = (
            [*accumulate((text.count("\n", *block) for block in blocks), initial=gutter.first)]
            if gutter is not None
            else []
        )
        self._query: Query | None = None
        self._found: dict[int, list[TextHit]] = {}

    @property
    def height(self) -> int:
        return self._counts.total

    def row(self, at: int) -> Row:
        block, place = self._counts.find(at)
        rows = self._laid(block).rows
        return rows[place] if place < len(rows) else []

    def settle(self, first: int, last: int) -> int:
        before = self._counts.total
        at = max(0, first)
        while at < min(last, self._counts.total):
            block, place = self._counts.find(at)
            if not self._exact[block]:
                self._laid(block)
            at += self._heights[block] - min(place, self._heights[block] - 1)
        return self._counts.total - before

    def mark(self, at: int) -> Mark:
        block, place = self._counts.find(min(at, self._counts.total - 1))
        return block, place, self._heights[block]

    def find(self, mark: Mark) -> int:
        block, place, height = mark
        # Places in the lower half of a block are counted from its end, so that going up is as steady as down.
        moved = place if place * 2 < height else self._heights[block] - (height - place)
        return self._counts.before(block) + min(max(0, moved), self._heights[block] - 1)

    def _laid(self, block: int) -> WrappedLines:
        laid = self._drawn.get(block)
        if laid is not None:
            self._drawn.move_to_end(block)
            return laid
        laid = self._draw(block)
        self._drawn[block] = laid
        if len(self._drawn) > KEPT_BLOCKS:
            self._drawn.popitem(last=False)
        if not self._exact[block]:
            self._exact[block] = 1
            self._counts.add(block, len(laid.rows) - self._heights[block])
            self._heights[block] = len(laid.rows)
        return laid

    def _draw(self, block: int) -> WrappedLines:
        first, last = self._bounds[block], self._bounds[block + 1]
        return lay_lines(
            self._style.lines(self._text, first, last),
            self._width,
            words=self._words,
            gutter=self._gutter,
            number=self._numbers[block] if self._numbers else 0,
            within=self._is_within(block),
        )

    def _is_within(self, block: int) -> bool:
        """Whether a block begins in the middle of a line."""
        return block > 0 and self._text[self._bounds[block] - 1] != "\n"

    # -- looking for something ------------------------------------------------------------------

    def hits(self, query: Query) -> Iterator[TextHit]:
        for block in range(len(self._heights)):
            for hit in self._look(block, query):
                if hit.start >= 0:
                    yield hit

    def row_of(self, hit: TextHit) -> int:
        starts = self._laid(hit.block).starts
        return self._counts.before(hit.block) + max(0, bisect_right(starts, hit.start) - 1)

    def place_of(self, at: int) -> TextHit:
        block, place = self._counts.find(at)
        starts = self._laid(block).starts
        start = starts[min(place, len(starts) - 1)]
        return TextHit(block, start, start)

    def lit(self, at: int, query: Query) -> list[tuple[int, int, TextHit]]:
        if query is not self._query:
            self._query = query
            self._found.clear()
        block, place = self._counts.find(at)
        hits = self._found.get(block)
        if hits is None:
            hits = self._found[block] = self._look(block, query)
            if len(self._found) > KEPT_BLOCKS:
                self._found.pop(next(iter(self._found)))
        if not hits:
            return []
        laid = self._laid(block)
        if place >= len(laid.rows):
            return []
        return _lit(laid, place, self._gutter.width if self._gutter is not None else 0, hits)

    def _look(self, block: int, query: Query) -> list[TextHit]:
        """Hits in a block. One that began in the block before has a negative start."""
        text = self._shown(block)
        before, after = "", ""
        if self._is_within(block):
            first = self._bounds[block]
            before = "\n".join(safe_lines(self._text, max(0, first - _LONGEST_HIT), first))
        if block + 1 < len(self._heights) and self._is_within(block + 1):
            last = self._bounds[block + 1]
            after = "\n".join(safe_lines(self._text, last, last + _LONGEST_HIT))
        around = before + text + after
        spans = query.spans(around)
        if not spans:
            return []
        return [
            TextHit(block, start - len(before), end - len(before))
            for start, end in cells.snap(around, spans)
            if end > len(before) and start < len(before) + len(text)
        ]

    def _shown(self, block: int) -> str:
        """The lines of a block as they are drawn, joined by line breaks."""
        first, last = self._bounds[block], self._bounds[block + 1]
        if self._style.rearranges or self._text.find("\x1b[", first, last) >= 0:
            lines = self._style.lines(self._text, first, last)
            return "\n".join("".join(text for text, _ in line) for line in lines)
        return "\n".join(safe_lines(self._text, first, last))


def _blocks(text: str, start: int, end: int, width: int) -> list[int]:
    """Where the blocks of a stretch of text begin, and its end: at line breaks, else after whole rows."""
    bounds = [start]
    while end - start > BLOCK:
        after = text.rfind("\n", start, start + BLOCK) + 1
        if not after:
            after = start + BLOCK // width * width if width < BLOCK else start + BLOCK
            after = _grapheme_end(text, after, end)
        bounds.append(after)
        start = after
    bounds.append(end)
    return bounds


def _grapheme_end(text: str, at: int, end: int) -> int:
    """The next place from `at` on where cutting tears no character from its marks and joiners."""
    for place in range(at, min(at + _LONGEST_GRAPHEME, end)):
        if not _joins(text[place]) and text[place - 1] != "\u200d":
            return place
    return at


def _joins(character: str) -> bool:
    return character in "\u200d\n" or unicodedata.category(character) in ("Mn", "Me", "Mc", "Sk", "Cs")


def _estimate(text: str, first: int, last: int, width: int) -> int:
    lines = text.count("\n", first, last) + (0 if text.endswith("\n", first, last) else 1)
    return max(1, lines, -(-(last - first) // width))
