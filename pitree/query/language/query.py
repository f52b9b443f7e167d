"""What a reader types to find something: words, "phrases" and `re:patterns`, as in Pi's `/resume`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final
from unicodedata import category, is_normalized, normalize

if TYPE_CHECKING:
    from pitree.query.language.pattern import Pattern

PREFIX: Final = "re:"
IOTA_BELOW: Final = "\u0345"
"""The one mark that becomes a letter without case: marks have to be in order before."""
_SAMPLE: Final = 10_000

# White space as ECMAScript has it, and as Python's `split` has it.
_SPACE = "\t\n\v\f\r\x1c-\x1f \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_SPACES = re.compile(f"[{_SPACE}]+")
_EDGES = re.compile(f"^[{_SPACE}]+|[{_SPACE}]+$")


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


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed query. Two are equal if they find the same, however they were typed.

    Attributes:
        words: each must occur somewhere, in any order; folded.
        phrases: each must occur as it is, its white space standing for any; folded.
        patterns: the pattern of a `re:` query, as written; there are neither words nor phrases then.
        fault: what is wrong with the pattern, if it cannot be used.
    """

    words: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    fault: str | None = None
    _pattern: Pattern | None = field(default=None, compare=False, repr=False)

    @classmethod
    def parse(cls, text: str) -> Query:
        """The query a text stands for. Any text is one; a bad pattern gives one with an `error`.

        A quote without its partner makes all quotes part of the words, as in Pi.
        """
        text = _EDGES.sub("", text)
        if text.startswith(PREFIX):
            return cls._of_pattern(_EDGES.sub("", text[len(PREFIX) :]))
        quoted = text.split('"')
        if len(quoted) % 2 == 0:
            return cls(words=_words(text))
        words = tuple(word for part in quoted[::2] for word in _words(part))
        phrases = (fold(_SPACES.sub(" ", part)) for part in quoted[1::2])
        return cls(words=words, phrases=tuple(phrase for phrase in phrases if phrase))

    @classmethod
    def _of_pattern(cls, text: str) -> Query:
        from pitree.query.language.pattern import Pattern, PatternError  # slow to load, seldom asked for

        try:
            return cls(patterns=(text,), _pattern=Pattern(text))
        except PatternError as error:
            return cls(patterns=(text,), fault=str(error))

    @property
    def empty(self) -> bool:
        """Does it ask for nothing, so that everything matches?"""
        return not (self.words or self.phrases or self.patterns)

    @property
    def error(self) -> str | None:
        """What is wrong with the pattern, so that nothing matches: a fault, or a search had to be stopped."""
        if self._pattern is not None and self._pattern.too_slow:
            return "it takes too long on this text"
        return self.fault

    @property
    def terms(self) -> tuple[str, ...]:
        """Words and phrases: what must occur in a folded text."""
        return self.words + self.phrases

    @property
    def needles(self) -> tuple[bytes, ...]:
        """The terms in UTF-8, to look for in a store of folded texts."""
        return tuple(term.encode(errors="surrogatepass") for term in self.terms)

    def matches(self, text: str) -> bool:
        """Does the query match a text? Words and phrases see it folded, patterns see it composed (NFC)."""
        if self._pattern is not None:
            return self._pattern.found_in(text)
        if self.fault is not None:
            return False
        terms = self.terms
        if not terms:
            return True
        folded = fold(text)
        return all(term in folded for term in terms)

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Where a text has what the query asks for, in order and apart: start and end of each stretch.

        Words that are found are given whether or not the whole query matches.
        """
        if self._pattern is not None:
            return self._pattern.spans(text)
        found: list[tuple[int, int]] = []
        if not self.terms:
            return found
        plain, places = with_places(text)
        for word in self.words:
            start = plain.find(word)
            while start >= 0:
                found.append((start, start + len(word)))
                start = plain.find(word, start + len(word))
        for phrase in self.phrases:
            found += (match.span() for match in phrase_pattern(phrase).finditer(plain))
        if places is not None:
            found = [places.span(start, end) for start, end in found]
        return joined(found)


def _words(text: str) -> tuple[str, ...]:
    return tuple(without_case(word) for word in _SPACES.split(text) if word)


def phrase_pattern(phrase: str) -> re.Pattern[str]:
    """Finds a folded phrase in a text without case, whatever white space stands between its words."""
    return re.compile(rf"[{_SPACE}]+".join(map(re.escape, phrase.split(" "))))


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
