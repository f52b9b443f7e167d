"""Values nested so deep that neither orjson nor the standard library reads or writes them in one go.

V8 reads and Pi keeps values of any depth. Here a value is read down to `DEEPEST` levels; what lies deeper is
checked, and kept as the JSON text that it is. So no code that walks a record has to fear for its stack, and
what is written out again loses nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

DEEPEST = 100
"""Levels of lists and objects that are read; orjson writes 254, the standard library a few hundred."""

_STRING = r'"(?:[^"\\]++|\\.)*+"'
_TOKEN = re.compile(rf"{_STRING}|[\[{{\]}}]", re.DOTALL)
_WORD = re.compile(rf"{_STRING}|-?\d[\d.eE+-]*", re.DOTALL)

ReadInteger = Callable[[str], int | float]
"""Makes an integer of its digits."""


class Deep:
    """A list or an object that lies too deep to be read.

    Attributes:
        text: its JSON text, as it is in the file.
    """

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Deep({len(self.text):,} characters)"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Deep) and other.text == self.text

    def __hash__(self) -> int:
        return hash(self.text)

    def words(self) -> Iterator[str]:
        """The keys, strings and numbers within, in order."""
        for found in _WORD.finditer(self.text):
            word = found[0]
            yield json.loads(word) if word.startswith('"') else word


def is_deep(line: bytes, value: Any) -> bool:
    """Whether a value goes deeper than `DEEPEST` levels.

    Args:
        line: its JSON text, by which nearly all values are told to be shallow at once.
        value: the value.
    """
    if len(line) <= 2 * DEEPEST or line.count(b"[") + line.count(b"{") <= DEEPEST:
        return False
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(DEEPEST):
        level = [
            member
            for one in level
            for member in (one.values() if isinstance(one, dict) else one)
            if isinstance(member, dict | list)
        ]
        if not level:
            return False
    return True


def read_nested(text: str, parse_int: ReadInteger) -> Any:
    """The value of a JSON text of any depth; from `DEEPEST` levels on lists and objects are `Deep`.

    Args:
        text: the text, without white space around it.
        parse_int: what makes integers.

    Raises:
        ValueError: it is not JSON text.
    """
    if text.count("[") + text.count("{") <= DEEPEST:
        return _decode(text, [], parse_int)
    opened = [_Stretch(0)]
    depth = 0
    for found in _TOKEN.finditer(text):
        token = found[0]
        if token in ("[", "{"):
            if depth and depth % DEEPEST == 0:
                opened[-1].stop(text, found.start())
                opened.append(_Stretch(found.start()))
            depth += 1
        elif token in ("]", "}"):
            depth -= 1
            if depth < 0:
                raise ValueError(f"no list or object is open at character {found.start() + 1}")
            if depth and depth % DEEPEST == 0:
                ended = opened.pop()
                ended.stop(text, found.end())
                _decode("".join(ended.pieces), ended.within, parse_int)
                opened[-1].go_on(
                    found.end(), Deep(text[ended.start : found.end()]) if depth == DEEPEST else None
                )
    if depth:
        raise ValueError("the text ends within a list or an object")
    whole = opened[0]
    whole.stop(text, len(text))
    return _decode("".join(whole.pieces), whole.within, parse_int)


def end_of_value(text: str, start: int) -> int:
    """Where the list or object that starts at a place of a text ends; -1 if it does not."""
    depth = 0
    for found in _TOKEN.finditer(text, start):
        token = found[0]
        depth += (token in ("[", "{")) - (token in ("]", "}"))
        if depth == 0:
            return found.end()
    return -1


_STAND_IN = "NaN"
"""Stands in a text where a deep value was taken out. JSON has no such word, but the decoder reports it."""


class _Stretch:
    """A list or object without the deeper ones that were taken out of it.

    Attributes:
        start: where it starts in the text.
        pieces: its text, a stand-in for each that was taken out.
        within: what the stand-ins stand for.
    """

    def __init__(self, start: int) -> None:
        self.start = start
        self.pieces: list[str] = []
        self.within: list[Deep | None] = []
        self._from = start

    def stop(self, text: str, at: int) -> None:
        self.pieces.append(text[self._from : at])

    def go_on(self, at: int, taken_out: Deep | None) -> None:
        self.pieces.append(_STAND_IN)
        self.within.append(taken_out)
        self._from = at


def _decode(text: str, within: list[Deep | None], parse_int: ReadInteger) -> Any:
    """The value of a text; the stand-ins in it, and nothing else, are the values given, in order."""
    left = iter(within)

    def stand_in(name: str) -> Deep | None:
        if name == _STAND_IN:
            for value in left:
                return value
        raise ValueError(f"{name} is not JSON")

    value, end = json.JSONDecoder(parse_constant=stand_in, parse_int=parse_int).raw_decode(text)
    if end != len(text):
        raise ValueError(f"extra data after the value at character {end + 1}")
    return value
