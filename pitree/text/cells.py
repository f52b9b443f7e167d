"""Measure, cut, fill, pan and wrap text in terminal cells, never through the middle of a character.

A character here is what a reader takes for one: a letter with its marks, a joined emoji, a flag, a keycap, an
Indic conjunct. Widths are those Rich (and so Textual) paints by. Terminals may see it differently: where they
do not know joined emoji, skin tones or the emoji style (U+FE0F) they take more or fewer cells, and many give
the spacing marks of Indic scripts a cell of their own. Rich lets a zero width joiner swallow whatever follows
it, letters too. `safe.visible` removes most of these cases beforehand; the lengths of what it leaves are sure
for all but joined emoji, skin tones and Indic text.

Text is expected to have gone through `safe.visible`. Control characters are zero cells wide here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from pitree.text.widths import COMBINING, EMOJI_STYLE, WIDENED, WIDTHS, ZWJ

# Vowels that have a cell and yet belong to the letter before them: Thai and Lao am.
_SPACING: Final = frozenset("\u0e33\u0eb3")

_COMBINES = re.compile(f"[\x00-\x1f\x7f-\x9f{''.join(_SPACING)}{COMBINING}]")
_JOINED = re.compile(f"{ZWJ}.?", re.DOTALL)
_SPACES = re.compile(" *")

# Viramas that tie the next consonant to the one before (Unicode's Indic_Conjunct_Break=Linker).
_LINKERS: Final = frozenset(
    "\u094d\u09cd\u0acd\u0b4d\u0c4d\u0d4d\u1039\u17d2\u1a60\u1b44\u1bab\ua9c0\uaaf6"
    "\U00010a3f\U00011133\U000113d0\U0001193e\U00011a47\U00011a99\U00011f42"
)
_MAX_CONJUNCT: Final = 4
"""Cells after which a chain of consonants is one no longer, so that no chain outgrows a line."""
_WIDEST: Final = _MAX_CONJUNCT + 1
"""Cells of the widest character there can be: a conjunct whose end the emoji style widens."""

_MEMO: Final = 4096
_MEMO_LENGTH: Final = 512


def cell_len(text: str) -> int:
    """Cells that a text takes on one line."""
    if text.isascii() and text.isprintable():
        return len(text)
    return _remembered_len(text) if len(text) < _MEMO_LENGTH else _measure(text)


def _measure(text: str) -> int:
    if ZWJ in text:
        text = _JOINED.sub("", text)
    width = sum(map(WIDTHS.__getitem__, map(ord, text)))
    if EMOJI_STYLE in text:
        *pieces, _ = text.split(EMOJI_STYLE)
        width += sum(_ends_widened(piece) for piece in pieces)
    return width


_remembered_len = lru_cache(_MEMO)(_measure)


def _ends_widened(text: str) -> bool:
    """Is the last character with a width one that the emoji style makes wider?"""
    for character in reversed(text):
        if WIDTHS[ord(character)]:
            return character in WIDENED
    return False


def clusters(text: str, start: int = 0) -> Iterator[tuple[int, int, int]]:
    """The characters a reader sees, one after the other, without gaps.

    Returns:
        Start and end in `text`, and cells: 0 (only for combining characters at the start), 1, 2, or more for
        a conjunct. The sum is what `cell_len` gives for the whole.
    """
    length = len(text)
    while start < length:
        end, width = _cluster(text, start)
        yield start, end, width
        start = end


def _cluster(text: str, start: int) -> tuple[int, int]:
    """End and width of the character that begins at `start`."""
    length = len(text)
    first = text[start]
    width = WIDTHS[ord(first)]
    end = min(start + 2, length) if first == ZWJ else start + 1
    if width and end < length and _is_indicator(first) and _is_indicator(text[end]):
        width += 1
        end += 1
    last: str | None = first if width else None
    linked = False
    while end < length:
        character = text[end]
        if character == ZWJ:
            end = min(end + 2, length)
            linked = False
            continue
        own = WIDTHS[ord(character)]
        if own == 0:
            if character == EMOJI_STYLE:
                width += last in WIDENED
                last = None
            linked = character in _LINKERS or (linked and character != "\u200c")
        elif width + own <= _MAX_CONJUNCT and (character in _SPACING or (linked and _is_letter(character))):
            width += own
            last = character
            linked = False
        else:
            break
        end += 1
    return end, width


def _is_letter(character: str) -> bool:
    return character.isalpha() and not character.isascii()


def _is_indicator(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _fit(text: str, start: int, width: int) -> tuple[int, int]:
    """How much of a text from `start` on goes into `width` cells.

    Returns:
        The end, on the border of a character, and the cells taken. The text's end only if all of it fits.
    """
    if width <= 0:
        return start, 0
    window = text[start : start + width + 1]
    if window.isascii() and window.isprintable():
        taken = min(len(window), width)
        return start + taken, taken
    used = 0
    if _COMBINES.search(window) is None:
        # Each character is one by itself, and the one after the end (if any) is known not to combine.
        for place, own in enumerate(map(WIDTHS.__getitem__, map(ord, window)), start):
            used += own
            if used > width:
                return place, used - own
        return start + len(window), used
    end = start
    for _, cluster_end, own in clusters(text, start):
        if used + own > width:
            break
        end = cluster_end
        used += own
    return end, used


def cut(text: str, width: int, ellipsis: str = "…") -> str:
    """A text shortened to at most `width` cells.

    Looks at no more of the text than it keeps.

    Args:
        ellipsis: put at the end where something was cut off, itself cut if there is no room for it.
    """
    if len(text) <= width and text.isascii():
        return text
    end, _ = _fit(text, 0, width)
    if end == len(text):
        return text
    room = width - cell_len(ellipsis)
    if room < 0:
        return ellipsis[: _fit(ellipsis, 0, width)[0]]
    return text[: _fit(text, 0, room)[0]] + ellipsis


def pad(text: str, width: int, ellipsis: str = "…", *, right: bool = False) -> str:
    """A text of exactly `width` cells: cut if longer, filled with spaces if shorter.

    Args:
        right: fill before the text, which aligns it to the right.
    """
    text = cut(text, width, ellipsis)
    space = " " * (width - cell_len(text))
    return space + text if right else text + space


def crop(text: str, start: int, width: int) -> str:
    """The part of a text that a window shows which begins `start` cells in and is `width` cells wide.

    Of a character that lies across an edge, the half inside shows as spaces. Nothing is added beyond the end
    of the text.
    """
    if width <= 0:
        return ""
    if start <= 0:
        begin, left = 0, 0
    else:
        begin, used = _fit(text, 0, start)
        left = 0
        if used < start and begin < len(text):
            begin, own = _cluster(text, begin)
            left = min(used + own - start, width)
    end, used = _fit(text, begin, width - left)
    right = width - left - used if end < len(text) else 0
    return " " * left + text[begin:end] + " " * right


def wrap(text: str, width: int) -> list[str]:
    """One line of text as lines of at most `width` cells; see `wrap_iter`."""
    return list(wrap_iter(text, width))


def wrap_iter(text: str, width: int) -> Iterator[str]:
    """One line of text, piece by piece, as lines of at most `width` cells.

    Breaks after spaces, which are not shown at the break, or within a word that is longer than a line. Spaces
    elsewhere stay as they are. Takes time for each piece only as it is asked for, and linear time in all.

    Args:
        text: a line; at least one piece comes of it, an empty one if it is empty.
        width: cells, taken as 1 if less. A character that is wider than a whole line shows as "…".
    """
    width = max(width, 1)
    for start, end in wrap_spans(text, width):
        piece = text[start:end]
        yield piece if width >= _WIDEST or cell_len(piece) <= width else "…"


def wrap_spans(text: str, width: int) -> Iterator[tuple[int, int]]:
    """Where the pieces of `wrap_iter` start and end in the text."""
    width = max(width, 1)
    length = len(text)
    start = 0
    while True:
        end, _ = _fit(text, start, width)
        if end == length:
            yield start, end
            return
        if end == start:
            end, _ = _cluster(text, start)
        following = end
        if text[end : end + 1] == " ":
            following = _skip_spaces(text, end)
            end = _strip_spaces(text, start, end)
        elif (space := _last_break(text, start, end)) > start:
            following = space + 1
            end = _strip_spaces(text, start, space)
        yield start, end
        if following == length:
            return
        start = following


def _last_break(text: str, start: int, end: int) -> int:
    """The last space to break a piece at that has something but spaces before it; -1 if there is none."""
    space = text.rfind(" ", start, end)
    while space > start and WIDTHS[ord(text[space + 1])] == 0:
        space = text.rfind(" ", start, space)
    return space if space > start and not text[start:space].isspace() else -1


def _skip_spaces(text: str, start: int) -> int:
    """Past the spaces at `start`, but not past one that carries a mark."""
    found = _SPACES.match(text, start)
    end = found.end() if found else start
    return end - 1 if start < end < len(text) and WIDTHS[ord(text[end])] == 0 else end


def _strip_spaces(text: str, start: int, end: int) -> int:
    while end > start and text[end - 1] == " ":
        end -= 1
    return end


def snap(text: str, spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans of a text widened to whole characters, so that a style put on them tears none apart.

    Args:
        spans: starts and ends in the text, in order and apart, as `query.Query.spans` gives them.
    """
    spans = list(spans)
    if not spans or text.isascii() or _COMBINES.search(text) is None:
        return spans
    whole: list[tuple[int, int]] = []
    borders = clusters(text)
    first, last, _ = next(borders, (0, 0, 0))
    for start, end in spans:
        while last <= start < len(text):
            first, last, _ = next(borders)
        begin = first
        while last < end:
            _, last, _ = next(borders)
        if whole and begin < whole[-1][1]:
            whole[-1] = (whole[-1][0], max(whole[-1][1], last))
        else:
            whole.append((begin, last))
    return whole
