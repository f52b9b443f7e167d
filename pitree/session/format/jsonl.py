"""Bytes to lines to JSON values: LF only, fed in pieces, damage recovered where it can be."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NoReturn

import orjson

from pitree.session.format.nesting import Deep, end_of_value, is_deep, read_nested

BOM = b"\xef\xbb\xbf"
_SURROGATE = re.compile("[\ud800-\udfff]")
_OBJECT_START = re.compile(r'\{\s*"')
_RECOVERY_BUDGET = 256 * 1024 * 1024
_SLOWLY = 32
"""So many times as long as a character otherwise takes one of an object too deep for the standard library."""


class LineSplitter:
    """Cuts a growing stream of bytes into lines at LF and nowhere else.

    A line that is not ended yet waits, in pieces, so that one of many megabytes costs what it is long.
    """

    def __init__(self, offset: int = 0) -> None:
        self._parts: list[bytes] = []
        self._waiting = 0
        self.offset = offset
        """Where the waiting line starts in the file, in bytes."""

    def feed(self, data: bytes) -> list[bytes]:
        """Take the next bytes; return the lines they complete, without their LF.

        The first returned line starts at `offset` as it was before the call; each next one follows its LF.
        """
        if b"\n" not in data:
            if data:
                self._parts.append(data)
                self._waiting += len(data)
            return []
        if self._parts:
            self._parts.append(data)
            data = b"".join(self._parts)
        lines = data.split(b"\n")
        rest = lines.pop()
        self.offset += len(data) - len(rest)
        self._parts = [rest] if rest else []
        self._waiting = len(rest)
        return lines

    @property
    def waiting(self) -> int:
        """Length in bytes of the line that is not ended yet."""
        return self._waiting

    def rest(self) -> bytes:
        """The bytes of the line that is not ended yet; they stay waiting."""
        if len(self._parts) > 1:
            self._parts = [b"".join(self._parts)]
        return self._parts[0] if self._parts else b""


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _integer(digits: str) -> int | float:
    """An integer; as orjson and JavaScript have it, a fraction or infinity where 64 bits are too few."""
    return int(digits) if len(digits) < _DIGITS else float(digits)


_DIGITS = 20
"""Integers of so many characters may be beyond 64 bits."""

_STRICT = json.JSONDecoder(parse_constant=_no_constant, parse_int=_integer)


def parse(line: bytes) -> Any:
    """The JSON value of a line. Lists and objects that lie more than `DEEPEST` levels deep are `Deep`.

    orjson reads it; what orjson refuses but Node's `JSON.parse` takes (invalid UTF-8 read as U+FFFD, lone
    surrogates, numbers beyond 64 bits, any depth) goes through the standard library.

    Raises:
        ValueError: the line is not JSON value.
    """
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError:
        pass
    else:
        if not is_deep(line, value):
            return value
    return read_nested(line.decode("utf-8", "replace").strip(" \t\r\n"), _integer)


def objects_within(line: bytes) -> Iterator[tuple[int, int, dict[str, Any]]]:
    """Complete JSON objects inside a line that is not JSON value as a whole.

    Yields `(start, end, object)`, byte positions in the line, in order and not overlapping. Work is bounded:
    once 256 MB were looked through in vain, the rest of the line is given up.
    """
    budget = _RECOVERY_BUDGET
    # Latin-1 keeps one character a byte, so positions stay byte positions; the slice is parsed as UTF-8.
    text = line.decode("latin-1")
    position = 0
    while budget > 0 and (found := _OBJECT_START.search(text, position)):
        start = found.start()
        try:
            value = parse(line[start : (end := _end_of_object(text, start))])
        except ValueError as error:
            # An unterminated string is known only at the end of the line, wherever the error points.
            if isinstance(error, json.JSONDecodeError) and not error.msg.startswith("Unterminated"):
                budget -= max(1, error.pos - start)
            else:
                budget -= (len(text) - start) * (1 if isinstance(error, json.JSONDecodeError) else _SLOWLY)
            position = start + 1
            continue
        if isinstance(value, dict):
            yield start, end, value
        position = end


def _end_of_object(text: str, start: int) -> int:
    """Where the JSON object that starts at a place of a text ends.

    Raises:
        ValueError: there is none.
    """
    try:
        return _STRICT.raw_decode(text, start)[1]
    except RecursionError:
        pass
    end = end_of_value(text, start)
    if end < 0:
        raise ValueError("the text ends within an object")
    return end


def dump(value: Any) -> bytes:
    """JSON text of a value in UTF-8, texts as Node's `JSON.stringify` writes them, without spaces between.

    Lone surrogates become escapes, and numbers that are none (infinite, nan) null. Any depth is written;
    what `parse` left as `Deep` comes out as it stood in the file.

    Raises:
        TypeError: it is not JSON value.
    """
    try:
        return orjson.dumps(value, default=raw_json)
    except TypeError:
        pass
    text = "".join(_pieces(value))
    return _SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", text).encode()


def raw_json(value: Any) -> orjson.Fragment:
    """How orjson writes what is no plain value: a `Deep` as it stands; to be given as its `default`.

    Raises:
        TypeError: it is anything else.
    """
    if isinstance(value, Deep):
        return orjson.Fragment(value.text)
    raise TypeError(f"a {type(value).__name__} is not a JSON value")


class _Raw(str):
    """JSON text between values."""


def _pieces(value: Any) -> Iterator[str]:
    """The JSON text of a value in pieces, without recursion; a lone surrogate stays as it is."""
    left = [value]
    while left:
        value = left.pop()
        if isinstance(value, _Raw):
            yield value
        elif isinstance(value, dict):
            left.append(_Raw("}"))
            for place, (name, member) in reversed([*enumerate(value.items())]):
                left += (member, _Raw(f"{',' if place else ''}{_scalar(str(name))}:"))
            left.append(_Raw("{"))
        elif isinstance(value, list | tuple):
            left.append(_Raw("]"))
            for place, member in reversed([*enumerate(value)]):
                left += (member, _Raw("," if place else ""))
            left.append(_Raw("["))
        else:
            yield value.text if isinstance(value, Deep) else _scalar(value)


def _scalar(value: Any) -> str:
    if isinstance(value, float) and value - value != 0:
        return "null"
    return json.dumps(value, ensure_ascii=False)
