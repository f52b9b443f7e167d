"""Texts as they are compared: without case, letters whole, white space even, and where they come from."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final
from unicodedata import category, is_normalized, normalize

IOTA_BELOW: Final = "\u0345"
"""The one mark that becomes a letter without case: marks have to be in order before."""
_SAMPLE: Final = 10_000

SPACE: Final = "\t\n\v\f\r\x1c-\x1f \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
"""White space as ECMAScript has it, and as Python's `split` has it; for a class of a pattern."""


def fold(text: str) -> str:
    """A text as it is searched: without case, each stretch of white space one space, none at the ends.

    Case goes as in Pi (`toLowerCase`), then further, so that "STRASSE" finds "Straße": what the lower-cased
    texts have in common these have too. `fold(fold(text)) == fold(text)`.
    """
    text = without_case(text).replace("\ufeff", " ")
    if text[:_SAMPLE].count("  ") * 200 <= min(len(text), _SAMPLE):
        # Prose, it seems: for that, this is several times faster than to split and join.
        spaced = text.replace("\n", " ").replace("\t", " ").replace("\r", " ")
        if spaced.isprintable():  # no white space is but the space
            while "  " in spaced:
                spaced = spaced.replace("  ", " ")
            return spaced.strip(" ")
    return " ".join(text.split())


def without_case(text: str) -> str:
    """A text without regard to case: what two texts share here, a reader takes for the same letters.

    Letters with marks are one character each where Unicode has one (NFC): macOS writes `é` and Korean names
    in parts, keyboards do not, and either finds the other.
    """
    if text.isascii():
        return text.lower()
    # Folding case goes further than small letters do, which need not be made first.
    plain = text.casefold()
    if IOTA_BELOW not in text and is_normalized("NFC", plain):
        return plain
    return composed(composed(text).casefold())


def composed(text: str) -> str:
    """A text with each letter and its marks as one character where there is one (Unicode's NFC)."""
    return text if text.isascii() or is_normalized("NFC", text) else normalize("NFC", text)


def phrase_pattern(phrase: str) -> re.Pattern[str]:
    """Finds a folded phrase in a text without case, whatever white space stands between its words."""
    return re.compile(rf"[{SPACE}]+".join(map(re.escape, phrase.split(" "))))


@dataclass(frozen=True, slots=True)
class Origins:
    """Where in a text each character of its other form comes from.

    Attributes:
        starts, ends: for each character, the stretch of the text.
    """

    starts: list[int]
    ends: list[int]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The stretch of the text from which one of the other form comes."""
        return self.starts[start], self.ends[end - 1]


def keeps_places(text: str, plain: str) -> bool:
    """Whether each character of a text without case comes from the one at the same place.

    Args:
        text: the text.
        plain: `without_case(text)`.
    """
    # Folding case makes texts longer or leaves the places; composing may make up for the length.
    return plain == text or (len(plain) == len(text) and (text.isascii() or plain == text.casefold()))


def with_places(text: str, change: Callable[[str], str] = without_case) -> tuple[str, Origins | None]:
    """A text without case, and where in the text each of its characters comes from.

    None for the places if each comes from the one at the same place.

    Args:
        text: the text.
        change: what makes the other form; `without_case` or `composed`.
    """
    plain = change(text)
    if plain == text or (change is without_case and keeps_places(text, plain)):
        return plain, None
    parts: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    one_by_one = change is without_case and text.casefold() == plain
    single = ((at, at + 1) for at in range(len(text)))
    for start, end in single if one_by_one else _changed_apart(text, change):
        part = change(text[start:end])
        parts.append(part)
        starts += [start] * len(part)
        ends += [end] * len(part)
    if "".join(parts) != plain:  # what Unicode leaves open: light all of it
        return plain, Origins([0] * len(plain), [len(text)] * len(plain))
    return plain, Origins(starts, ends)


def _changed_apart(text: str, change: Callable[[str], str]) -> Iterator[tuple[int, int]]:
    """The stretches of a text that can be changed each for itself: characters, letters with their marks."""
    start = 0
    for end in range(1, len(text) + 1):
        if end < len(text) and joins(text[end]):
            continue
        stretch = text[start:end]
        if end - start > 1 and change(stretch) == "".join(map(change, stretch)):
            yield from ((at, at + 1) for at in range(start, end))
        else:
            yield start, end
        start = end


def joins(character: str) -> bool:
    """Whether a character may become one with those before it: a mark, or a later part of Korean."""
    return character > "\u02ff" and (category(character)[0] == "M" or "\u1160" <= character <= "\u11ff")


def joined(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans in order, those that overlap made one."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged
