"""What a word is, in a query and in a text: the one rule that the index and the plain scan both go by.

Texts are compared without regard to case (`query.without_case`). Letters, digits and the marks on them make
words; everything else stands between words, the underscore and all punctuation too. In scripts that are
written without spaces (Chinese, Japanese, Thai and their neighbours), and in Korean, every character is a
word of its own, and so is every symbol beyond ASCII, such as an emoji.

A *term* is a word or a phrase as somebody typed it, punctuation included. It is found where its characters
stand just as they are, white space in it standing for any white space, and where its ends cut no word in
two: `foo` is found in `foo.bar()`, in `a_foo` and in `(Foo)`, but not in `foobar`. A term that is *begun* may
end in the middle of a word: `foo` then is found in `foobar`, too.

The index holds the words of each entry (`indexed`), in their order. It narrows a search to entries that have
the words of a term (`words_in`) next to one another; whether the term is there is then seen in the text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from pitree.query.language.text_forms import fold, joined, phrase_pattern, with_places, without_case

LONGEST = 32
"""Characters of a word that the index knows for sure; longer ones are looked up by their beginning."""

_WORD, _SINGLE, _BETWEEN = "w", "s", " "

_UNSPACED = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Burmese
    (0x1100, 0x11FF),  # Korean, in parts
    (0x1780, 0x17FF),  # Khmer
    (0x2E80, 0x31FF),  # Chinese radicals, Japanese syllables, Korean
    (0x3200, 0xA4CF),  # Chinese, Yi
    (0xA960, 0xA97F),
    (0xAC00, 0xD7FF),  # Korean
    (0xF900, 0xFAFF),
    (0xFF66, 0xFFDC),
    (0x1B000, 0x1B16F),
    (0x20000, 0x3FFFF),
)
_SELECTORS = ((0xFE00, 0xFE0F), (0xE0100, 0xE01EF))
_TO_CHANGE = re.compile("([^\x00-\x7f\xe0-\xf6\xf8-\xff\u03b1\u03b3-\u03c1\u03c3-\u03c9\u0430-\u045f]+)")
"""Characters that may go otherwise into the index than they stand; the others are small letters."""
_LONG = re.compile(f"([0-9A-Za-z\x80-\U0010ffff]{{{LONGEST}}})[0-9A-Za-z\x80-\U0010ffff]+")
_ASCII_BETWEEN = re.compile("[\x00-/:-@\\[-`{-\x7f]+")
_ASCII = bytes(range(128))
_FEW = 8
"""Characters up to which it is quicker to look for each than to look at each place of a text."""
_MEMO_RUN, _MEMO_SIZE = 12, 20_000


@lru_cache(maxsize=20_000)
def _class(character: str) -> str:
    """Part of a word, a word of its own, or between words."""
    code = ord(character)
    category = unicodedata.category(character)
    word = character.isalnum() or category[0] == "M"
    if any(first <= code <= last for first, last in _SELECTORS):
        return _BETWEEN
    if word:
        return _SINGLE if any(first <= code <= last for first, last in _UNSPACED) else _WORD
    return _SINGLE if code > 0x7F and category[0] == "S" else _BETWEEN


def cuts_word(text: str, place: int) -> bool:
    """Whether a cut before the character at a place would cut a word in two."""
    return 0 < place < len(text) and _class(text[place]) == _WORD == _class(text[place - 1])


class _Forms(dict[int, str]):
    """Character → what the index takes for it."""

    def __missing__(self, code: int) -> str:
        parts = []
        for character in without_case(chr(code)):
            kind = _class(character)
            parts.append(f" {character} " if kind == _SINGLE else character if kind == _WORD else " ")
        form = self[code] = "".join(parts)
        return form


class _Runs(dict[str, str]):
    """Stretch of characters beyond ASCII → what the index takes for it; short ones come again and again."""

    def __missing__(self, run: str) -> str:
        form = run.translate(_forms)
        if len(run) <= _MEMO_RUN:
            if len(self) >= _MEMO_SIZE:
                self.clear()
            self[run] = form
        return form


_forms = _Forms()
_runs = _Runs()


def _changed(text: str) -> str:
    """A text with what is beyond ASCII as the index takes it."""
    if text.isascii():
        return text
    text = without_case(text)
    beyond = text.encode("utf-8", "surrogatepass").translate(None, _ASCII).decode("utf-8", "surrogatepass")
    changing = [character for character in set(beyond) if _forms[ord(character)] != character]
    if len(changing) <= _FEW:
        for character in changing:
            text = text.replace(character, _forms[ord(character)])
        return text
    pieces = _TO_CHANGE.split(text)
    pieces[1::2] = map(_runs.__getitem__, pieces[1::2])
    return "".join(pieces)


def indexed(text: str) -> str:
    """A text as it goes into the index: words of other scripts apart and without case.

    Between words may stand any ASCII character but letters and digits; the index drops those, and the case of
    ASCII letters, by itself.
    """
    text = _changed(text)
    if len(text) > LONGEST and text.count(" ") * 16 < len(text):
        text = _LONG.sub(r"\1", text)
    return text


def words_in(text: str) -> list[str]:
    """The words of a text, in order, as the index has them; long ones whole."""
    return [word for word in _ASCII_BETWEEN.split(_changed(text).lower()) if word]


@dataclass(frozen=True)
class Term:
    """What must stand in a text; see the rules above.

    Attributes:
        text: folded (`query.fold`).
        begun: whether it may end in the middle of a word.
    """

    text: str
    begun: bool = False

    @classmethod
    def of(cls, typed: str, begun: bool = False) -> Term:
        """The term somebody typed."""
        return cls(fold(typed), begun)

    @cached_property
    def _phrase(self) -> re.Pattern[str] | None:
        return phrase_pattern(self.text) if " " in self.text else None

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Its words, as the index has them."""
        return tuple(words_in(self.text))

    @property
    def open_ended(self) -> bool:
        """Whether its last word may continue."""
        return self.begun and bool(self.text) and _class(self.text[-1]) == _WORD

    def places(self, plain: str) -> Iterator[tuple[int, int]]:
        """Where it is in a text without case: start and end of each stretch, from the first on."""
        phrase, text = self._phrase, self.text
        at = 0
        while True:
            if phrase is not None:
                match = phrase.search(plain, at)
                if match is None:
                    return
                start, end = match.span()
            else:
                start = plain.find(text, at)
                if start < 0:
                    return
                end = start + len(text)
            if cuts_word(plain, start) or (not self.begun and cuts_word(plain, end)):
                at = start + 1
            else:
                yield start, end
                at = end

    def place(self, plain: str) -> int:
        """Where it stands first in a text without case; -1 if it does not."""
        return next((start for start, _ in self.places(plain)), -1)

    def found_in(self, text: str) -> bool:
        """Whether it is in a text."""
        return self.place(without_case(text)) >= 0


def spans(terms: tuple[Term, ...], text: str) -> list[tuple[int, int]]:
    """Where a text has any of the terms: start and end of each stretch, in order and apart."""
    plain, places = with_places(text)
    found = [span for term in terms for span in term.places(plain)]
    if places is not None:
        found = [places.span(start, end) for start, end in found]
    return joined(found)
