"""What a document is stacked from: rows drawn beforehand, and long text drawn as it comes into view."""

from __future__ import annotations

import re
import unicodedata
from abc import ABC, abstractmethod
from collections import OrderedDict

from pitree.outline.counts import RowCounts
from pitree.outline.safe import visible
from pitree.ui.detail.lines import LineStyler, Row, rows_of

BLOCK = 16_384
"""Characters of a long text that are broken into rows together: a millisecond or so of work."""
KEPT_BLOCKS = 64
"""Blocks kept drawn: a megabyte of text."""

_SGR = re.compile(r"\x1b\[[0-9;:]*m")
_LONGEST_GRAPHEME = 64

Mark = tuple[int, int, int]
"""A place in a view that outlives a change of its heights; only the view that made it can read it."""


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


class Rows(View):
    """Rows drawn beforehand."""

    def __init__(self, rows: list[Row]) -> None:
        self._rows = rows

    @property
    def height(self) -> int:
        return len(self._rows)

    def row(self, at: int) -> Row:
        return self._rows[at]


class LazyText(View):
    """A stretch of text, cut into blocks that are made safe and broken into rows when they come into view.

    Until then a block's height is estimated from its line breaks and its length.

    Args:
        text: raw text; only the stretch is ever looked at.
        start: where the stretch starts.
        end: where it ends.
        width: cells a row may take.
        words: whether rows break between words.
        style: styles a line.
        colours: whether the text may hold colour sequences, which are taken out.
    """

    def __init__(
        self,
        text: str,
        start: int,
        end: int,
        *,
        width: int,
        words: bool,
        style: LineStyler,
        colours: bool = False,
    ) -> None:
        self._text = text
        self._width = max(1, width)
        self._words = words
        self._style = style
        self._colours = colours
        self._bounds = _blocks(text, start, end, self._width)
        self._heights = [
            _estimate(text, first, last, self._width)
            for first, last in zip(self._bounds, self._bounds[1:], strict=False)
        ]
        self._counts = RowCounts(self._heights)
        self._exact = bytearray(len(self._heights))
        self._drawn: OrderedDict[int, list[Row]] = OrderedDict()

    @property
    def height(self) -> int:
        return self._counts.total

    def row(self, at: int) -> Row:
        block, place = self._counts.find(at)
        rows = self._rows(block)
        return rows[place] if place < len(rows) else []

    def settle(self, first: int, last: int) -> int:
        before = self._counts.total
        at = max(0, first)
        while at < min(last, self._counts.total):
            block, place = self._counts.find(at)
            if not self._exact[block]:
                self._rows(block)
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

    def _rows(self, block: int) -> list[Row]:
        rows = self._drawn.get(block)
        if rows is not None:
            self._drawn.move_to_end(block)
            return rows
        rows = self._draw(self._text[self._bounds[block] : self._bounds[block + 1]])
        self._drawn[block] = rows
        if len(self._drawn) > KEPT_BLOCKS:
            self._drawn.popitem(last=False)
        if not self._exact[block]:
            self._exact[block] = 1
            self._counts.add(block, len(rows) - self._heights[block])
            self._heights[block] = len(rows)
        return rows

    def _draw(self, chunk: str) -> list[Row]:
        if self._colours and "\x1b" in chunk:
            chunk = _SGR.sub("", chunk)
        lines = visible(chunk.removesuffix("\n"), keep_newlines=True).split("\n")
        width, words, style = self._width, self._words, self._style
        rows: list[Row] = []
        for line in lines:
            rows += rows_of(style(line), width, words=words)
        return rows


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
