"""What the command palette finds: actions, sessions, labels, by the words of a query, the best first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pitree.query.language.text_forms import without_case

LOOKED_THROUGH = 300
"""Characters of a text in which words are looked for."""


@dataclass(frozen=True, slots=True)
class PaletteItem:
    """One thing to choose.

    Attributes:
        kind: what it is, in a word or two.
        text: its words, harmless.
        note: what stands at the right end: a key, an age.
        meant: what it stands for; the palette does not look at it.
        more: further words by which it is found.
    """

    kind: str
    text: str
    note: str
    meant: Any
    more: str = ""
    _text: str = field(init=False, repr=False, compare=False, default="")
    _rest: str = field(init=False, repr=False, compare=False, default="")

    def __post_init__(self) -> None:
        object.__setattr__(self, "_text", without_case(self.text[:LOOKED_THROUGH]))
        rest = f"{self.kind} {self.more[:LOOKED_THROUGH]} {self.note}"
        object.__setattr__(self, "_rest", without_case(rest))

    def rank(self, words: Sequence[str]) -> int | None:
        """How well it matches words without case, the less the better; None if one does not occur.

        A word at the beginning of the text is best, then at the beginning of a word of it, then anywhere in
        it, then in the further words.
        """
        rank = 0
        for word in words:
            place = self._text.find(word)
            if place == 0:
                continue
            if place > 0:
                starts = f" {word}" in self._text or not self._text[place - 1].isalnum()
                rank += 1 if starts else 2
            elif word in self._rest:
                rank += 3
            else:
                return None
        return rank


def ranked(offers: Iterable[PaletteItem], query: str) -> list[tuple[int, PaletteItem]]:
    """The offers that match a query with their ranks, in their given order; all are equal without a query."""
    words = without_case(query).split()
    return [(rank, offer) for offer in offers if (rank := offer.rank(words)) is not None]


def best_first(found: Iterable[tuple[int, PaletteItem]]) -> list[tuple[int, PaletteItem]]:
    """Offers by rank; of equals, the first first."""
    return sorted(found, key=lambda pair: pair[0])
