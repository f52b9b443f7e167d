"""The table of what styles text a block of lines at a time, while it is scrolled: output, diffs, lists.

To give a syntax such a style: one function, and its name in `BLOCK_STYLES`. A block holds some 16,000
characters, and styling one must take no more than a few ms. Texts of the other syntaxes show in one style.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from rich.style import Style

from pitree.entry.parts import Body, Syntax
from pitree.text.sanitize import visible
from pitree.ui.entry.document.lines import Spans, line_styler
from pitree.ui.entry.styling import ansi, diffs, listings
from pitree.ui.entry.styling.style_names import Palette

Lines = Callable[[str, int, int], list[Spans]]
"""A text and where a block of it starts and ends → its lines, made safe, in pieces with their styles."""


@dataclass(frozen=True, slots=True)
class BlockStyle:
    """How the blocks of a text are styled.

    Attributes:
        lines: styles a block.
        rearranges: whether the lines say anything but what is in the text.
    """

    lines: Lines
    rearranges: bool = False


def safe_lines(text: str, start: int, end: int) -> list[str]:
    """The lines of a block, made safe."""
    return visible(text[start:end].removesuffix("\n"), keep_newlines=True).split("\n")


def _by_line(body: Body, width: int, palette: Palette, base: Style) -> BlockStyle:
    style = line_styler(body.syntax, palette, base)
    return BlockStyle(lambda text, start, end: [style(line) for line in safe_lines(text, start, end)])


def _output(body: Body, width: int, palette: Palette, base: Style) -> BlockStyle:
    inks = ansi.PenStyles(palette, base)

    def lines(text: str, start: int, end: int) -> list[Spans]:
        pen = ansi.pen_before(text, start)
        if text.find("\x1b", start, end) < 0:
            style = inks.style(pen)
            return [[(line, style)] for line in safe_lines(text, start, end)]
        return ansi.coloured_lines(text[start:end].removesuffix("\n"), pen, inks)

    return BlockStyle(lines)


def _diff(body: Body, width: int, palette: Palette, base: Style) -> BlockStyle:
    styles = diffs.DiffStyles(palette, base)
    return BlockStyle(lambda text, start, end: diffs.diff_lines(safe_lines(text, start, end), styles))


def _matches(body: Body, width: int, palette: Palette, base: Style) -> BlockStyle:
    found = listings.Matches(body.language, palette, base)
    return BlockStyle(lambda text, start, end: found.lines(safe_lines(text, start, end)), rearranges=True)


def _paths(body: Body, width: int, palette: Palette, base: Style) -> BlockStyle:
    return BlockStyle(
        lambda text, start, end: listings.path_lines(safe_lines(text, start, end), palette, base)
    )


def _names(body: Body, width: int, palette: Palette, base: Style) -> BlockStyle:
    return BlockStyle(
        lambda text, start, end: listings.name_columns(safe_lines(text, start, end), width, palette, base),
        rearranges=True,
    )


BLOCK_STYLES: Mapping[Syntax, Callable[[Body, int, Palette, Style], BlockStyle]] = {
    Syntax.OUTPUT: _output,
    Syntax.DIFF: _diff,
    Syntax.MATCHES: _matches,
    Syntax.PATHS: _paths,
    Syntax.NAMES: _names,
}
"""Syntax → style. Those missing are styled line by line (`lines.line_styler`)."""


def block_style(body: Body, width: int, palette: Palette, base: Style) -> BlockStyle:
    """What styles the blocks of a body whose rows take at most `width` cells."""
    return BLOCK_STYLES.get(body.syntax, _by_line)(body, width, palette, base)
