"""What a reader types to find something: words, "phrases" and `re:patterns`, as in Pi's `/resume`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from pitree.query.language.text_forms import (
    SPACE,
    fold,
    joined,
    phrase_pattern,
    with_places,
    without_case,
)

if TYPE_CHECKING:
    from pitree.query.language.pattern import Pattern

PREFIX: Final = "re:"

_SPACES = re.compile(f"[{SPACE}]+")
_EDGES = re.compile(f"^[{SPACE}]+|[{SPACE}]+$")


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
