"""Fuzzy matching of names: all characters of the query in order, with gaps. Scores as Pi's `fuzzyMatch`."""

from __future__ import annotations

import re
from typing import Final

_BOUNDARY: Final = r"[\t\n\v\f\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff\-_./:]"
_AT_BOUNDARY = re.compile(_BOUNDARY)
_LETTERS_DIGITS = re.compile("([a-z]+)([0-9]+)|([0-9]+)([a-z]+)")

_EXACT: Final = -100
_RUN: Final = -5
_GAP: Final = 2
_WORD_START: Final = -10
_LATE: Final = 0.1
_SWAPPED: Final = 5


def fuzzy_score(query: str, text: str) -> float | None:
    """How well a text matches a query, ignoring case.

    Characters that follow each other or start a word make it better, gaps and late places worse. If "abc12"
    is not to be found, "12abc" is looked for, and the other way round.

    Returns:
        A score, lower is better (0 for an empty query), or None if it does not match.
    """
    query, text = _units(query.lower()), _units(text.lower())
    score = _score(query, text)
    if score is not None:
        return score
    swapped = _LETTERS_DIGITS.fullmatch(query)
    if swapped is None:
        return None
    letters, digits, first_digits, last_letters = swapped.groups()
    score = _score(digits + letters if letters else last_letters + first_digits, text)
    return None if score is None else score + _SWAPPED


def _units(text: str) -> str:
    """A text with one character for each UTF-16 code unit, since Pi counts in those."""
    if text.isascii() or max(text, default="") <= "\uffff":
        return text
    data = text.encode("utf-16-be", "surrogatepass")
    return "".join(chr(high << 8 | low) for high, low in zip(data[::2], data[1::2], strict=True))


def _score(query: str, text: str) -> float | None:
    """The better of two alignments: each character as early as it comes, and the query in one piece."""
    if not query:
        return 0
    if len(query) > len(text):
        return None
    places: list[int] = []
    place = -1
    for character in query:
        place = text.find(character, place + 1)
        if place < 0:
            return None
        places.append(place)
    score = _score_places(text, places)
    for start in _best_starts(query, text):
        score = min(score, _score_places(text, range(start, start + len(query))))
    return score + _EXACT if query == text else score


def _best_starts(query: str, text: str) -> list[int]:
    """Where the query in one piece may score best: its first place, and its first place at a word's start.

    Any other scores like one of them, only later.
    """
    first = text.find(query)
    if first < 0:
        return []
    at_word = re.compile(f"(?<={_BOUNDARY}){re.escape(query)}").search(text, first)
    return [first] if at_word is None else [first, at_word.start()]


def _score_places(text: str, places: list[int] | range) -> float:
    score: float = 0
    last = -1
    run = 0
    for place in places:
        if place == last + 1:
            run += 1
            score += run * _RUN
        else:
            run = 0
            if last >= 0:
                score += (place - last - 1) * _GAP
        if place == 0 or _AT_BOUNDARY.match(text, place - 1):
            score += _WORD_START
        score += place * _LATE
        last = place
    return score
