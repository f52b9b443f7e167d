"""Colours in what programs printed: SGR sequences as styles that can be read on the theme's ground.

The sixteen named colors become the theme's own; others keep their hue and are made lighter or darker until
they stand out. Text that was to be hidden or to blink does neither. Other sequences are gone by then
(`outline.printed`); what is left of them `visible` makes harmless.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from rich.color import Color
from rich.color_triplet import ColorTriplet
from rich.style import Style

from pitree.text import cells
from pitree.text.sanitize import TAB, visible
from pitree.text.terminal_output import SGR
from pitree.ui.entry.document.lines import Spans
from pitree.ui.entry.styling.style_names import Palette

_LOOK_BACK = 65_536
"""Characters before a block that are looked through for the colors it starts with."""
_LONGEST = 200
"""Characters of parameters that are read; nobody writes as many."""
_READABLE = 3.0
"""Contrast with the ground, as WCAG reckons it, from which coloured text can be read."""

_LOOKS = ("bold", "dim", "italic", "underline", "reverse", "strike")
_NAMED = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
_ON = {1: "bold", 2: "dim", 3: "italic", 4: "underline", 7: "reverse", 9: "strike", 21: "underline"}
_OFF = {22: ("bold", "dim"), 23: ("italic",), 24: ("underline",), 27: ("reverse",), 29: ("strike",)}

Colour = int | tuple[int, int, int]
"""A number of the 256 colors, or red, green and blue."""


class Pen(NamedTuple):
    """How text is written from here on."""

    ink: Colour | None = None
    paper: Colour | None = None
    looks: frozenset[str] = frozenset()


PLAIN = Pen()


@lru_cache(maxsize=1_024)
def applied(pen: Pen, parameters: str) -> Pen:
    """The pen after an SGR sequence with these parameters; what is not understood changes nothing."""
    ink, paper, looks = pen
    waiting = parameters[:_LONGEST].split(";")
    while waiting:
        code, *more = waiting.pop(0).split(":")
        number = int(code) if code else 0
        if number == 0:
            ink, paper, looks = PLAIN
        elif number in (38, 48, 58):
            colour = _colour(more) if more else _taken(waiting)
            if colour is not None:
                ink, paper = (
                    (colour, paper) if number == 38 else (ink, colour) if number == 48 else (ink, paper)
                )
        elif number == 4 and more[:1] == ["0"]:
            looks -= {"underline"}
        elif number in _ON:
            looks |= {_ON[number]}
        elif number in _OFF:
            looks -= set(_OFF[number])
        elif 30 <= number <= 37 or 90 <= number <= 97:
            ink = number - 30 if number < 90 else number - 82
        elif 40 <= number <= 47 or 100 <= number <= 107:
            paper = number - 40 if number < 100 else number - 92
        elif number == 39:
            ink = None
        elif number == 49:
            paper = None
    return Pen(ink, paper, looks)


def _taken(waiting: list[str]) -> Colour | None:
    """A color in the parameters that follow, which are taken away."""
    form = waiting.pop(0) if waiting else ""
    count = {"5": 1, "2": 3}.get(form, 0)
    values, waiting[:count] = waiting[:count], []
    return _colour([form, *values])


def _colour(parameters: list[str]) -> Colour | None:
    form, *values = parameters
    if form == "2" and len(values) > 3:
        values = values[1:4]  # after the colon form's colour space
    if any(not value.isdecimal() or int(value) > 255 for value in values):
        return None
    numbers = [int(value) for value in values]
    if form == "5" and len(numbers) == 1:
        return numbers[0]
    if form == "2" and len(numbers) == 3:
        return numbers[0], numbers[1], numbers[2]
    return None


def pen_before(text: str, first: int) -> Pen:
    """How text is written at a place: what the sequences in the text before it add up to."""
    start = max(0, first - _LOOK_BACK)
    if text.rfind("\x1b[", start, first) < 0:
        return PLAIN
    start = max(start, text.rfind("\x1b[0m", start, first), text.rfind("\x1b[m", start, first))
    pen = PLAIN
    for found in SGR.finditer(text, start, first):
        pen = applied(pen, found[1])
    return pen


class PenStyles:
    """The styles of pens with a palette.

    Args:
        palette: the theme's colors.
        base: style of text without colors of its own.
    """

    def __init__(self, palette: Palette, base: Style) -> None:
        self._palette = palette
        self._base = base
        self._styles: dict[Pen, Style] = {PLAIN: base}

    def style(self, pen: Pen) -> Style:
        """The style of a pen."""
        style = self._styles.get(pen)
        if style is None:
            style = self._styles[pen] = self._base + self._made(pen)
        return style

    def _made(self, pen: Pen) -> Style:
        bold, dim, italic, underline, reverse, strike = (look in pen.looks or None for look in _LOOKS)
        looks = Style(bold=bold, dim=dim, italic=italic, underline=underline, reverse=reverse, strike=strike)
        ground = _triplet(self._palette["ground"].bgcolor)
        if ground is None:
            # The terminal's own colours: nobody knows which these are, so papers are inks reversed.
            ink = pen.ink if pen.paper is None else pen.paper
            style = looks + (self._named(_nearest(ink)) if ink is not None else Style.null())
            return style + Style(reverse=not style.reverse) if pen.paper is not None else style
        paper = self._rgb(pen.paper) if pen.paper is not None else None
        ink_rgb = self._rgb(pen.ink) if pen.ink is not None else None
        if ink_rgb is None and paper is not None:
            ink_rgb = _triplet(self._base.color) or _triplet(self._palette["ansi-white"].color)
        elif isinstance(pen.ink, int) and pen.ink < 16 and paper is None:
            return looks + self._named(pen.ink)
        under = paper or ground
        return looks + Style(
            color=Color.from_triplet(_readable(ink_rgb, under)) if ink_rgb is not None else None,
            bgcolor=Color.from_triplet(paper) if paper is not None else None,
        )

    def _named(self, number: int) -> Style:
        return self._palette[f"ansi-{_NAMED[number % 8]}" if number != 8 else "ansi-black"]

    def _rgb(self, colour: Colour) -> ColorTriplet:
        if isinstance(colour, tuple):
            return ColorTriplet(*colour)
        named = _triplet(self._named(colour).color) if colour < 16 else None
        return named or _of_256(colour)


def _triplet(color: Color | None) -> ColorTriplet | None:
    return color.triplet if color is not None else None


def _of_256(number: int) -> ColorTriplet:
    if number < 16:
        bright = 255 if number > 7 else 170
        return ColorTriplet(*(bright if number >> bit & 1 else 0 for bit in range(3)))
    if number > 231:
        return ColorTriplet(*(8 + 10 * (number - 232),) * 3)
    steps = (0, 95, 135, 175, 215, 255)
    number -= 16
    return ColorTriplet(steps[number // 36], steps[number // 6 % 6], steps[number % 6])


def _nearest(colour: Colour) -> int:
    """The one of the eight named colors that a color is most like."""
    if isinstance(colour, int) and colour < 16:
        return colour
    red, green, blue = colour if isinstance(colour, tuple) else _of_256(colour)
    high, low = max(red, green, blue), min(red, green, blue)
    if high - low < 40:
        return 7 if high > 127 else 0
    middle = (high + low) / 2
    return (red > middle) + 2 * (green > middle) + 4 * (blue > middle)


def _luminance(colour: ColorTriplet) -> float:
    red, green, blue = (
        value / 12.92 if value <= 0.03928 else ((value + 0.055) / 1.055) ** 2.4 for value in colour.normalized
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: ColorTriplet, other: ColorTriplet) -> float:
    """How much two colors stand out from each other, from 1 to 21."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


@lru_cache(maxsize=4_096)
def _readable(ink: ColorTriplet, ground: ColorTriplet) -> ColorTriplet:
    """The ink, made lighter or darker until it can be read on the ground."""
    black, white = ColorTriplet(0, 0, 0), ColorTriplet(255, 255, 255)
    towards = white if contrast(white, ground) > contrast(black, ground) else black
    for step in range(11):
        mixed = ColorTriplet(
            *(round(own + (far - own) * step / 10) for own, far in zip(ink, towards, strict=True))
        )
        if contrast(mixed, ground) >= _READABLE:
            return mixed
    return towards


def coloured_lines(chunk: str, pen: Pen, inks: PenStyles) -> list[Spans]:
    """Text with SGR sequences as lines of pieces in their colors, made safe.

    Args:
        chunk: raw text.
        pen: how it begins.
        inks: the styles.
    """
    lines: list[Spans] = [[]]
    column = 0
    pieces = SGR.split(chunk)
    for at in range(0, len(pieces), 2):
        style = inks.style(pen)
        # Each piece is made safe by itself: taken out, a sequence must not let what is around it become one.
        for tab, words in enumerate(pieces[at].split("\t")):
            if tab:
                blank = " " * (TAB - column % TAB)
                lines[-1].append((blank, style))
                column += len(blank)
            for number, said in enumerate(visible(words, keep_newlines=True).split("\n")):
                if number:
                    lines.append([])
                    column = 0
                if said:
                    lines[-1].append((said, style))
                    column += cells.cell_len(said)
        if at + 1 < len(pieces):
            pen = applied(pen, pieces[at + 1])
    none = inks.style(PLAIN)
    return [line or [("", none)] for line in lines]
