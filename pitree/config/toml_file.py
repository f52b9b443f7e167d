"""Reads a TOML file statement by statement: each value has its line, and one mistake spoils one statement.

`tomllib` tells no lines and gives up at the first mistake. Here it parses each statement alone, and at the
end the whole file once more, for rules that concern several statements.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

MOST_LINES = 400
"""Lines that one statement may have."""

_BEGINS = re.compile(r"\s*(\[|[\w.\"' \t-]+=)")
_OPENS = re.compile(r"[\[{]|\"\"\"|'''")
_WHERE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")


@dataclass(frozen=True, slots=True)
class TomlValue:
    """A value, and the line its statement begins in, from 1."""

    value: object
    line: int


@dataclass(slots=True)
class TomlFile:
    """What a file says.

    Attributes:
        entries: dotted name → value. Tables are taken apart; names in quotes may hold dots themselves.
        mistakes: line (None if it is not known) and what is wrong there.
    """

    entries: dict[str, TomlValue] = field(default_factory=dict)
    mistakes: list[tuple[int | None, str]] = field(default_factory=list)


def parse(text: str) -> TomlFile:
    """Take a file apart."""
    found = TomlFile()
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    header: list[str] | None = []
    at, lost = 0, False
    while at < len(lines):
        if lines[at].strip() == "" or lines[at].lstrip().startswith("#"):
            at += 1
            continue
        begins = bool(_BEGINS.match(lines[at]))
        count, parsed, reason = _statement(lines, at)
        if parsed is None:
            if begins or not lost:  # else the rest of a statement that was told of before
                found.mistakes.append((at + 1, reason))
            lost = True
        elif lines[at].lstrip().startswith("[["):
            found.mistakes.append((at + 1, "an array of tables is not a setting"))
            header = None
        elif lines[at].lstrip().startswith("["):
            header, lost = _only_path(parsed), False
        elif header is not None:
            lost = False
            for path, value in _flat(parsed, header):
                name = ".".join(path)
                if name in found.entries:
                    before = found.entries[name].line
                    found.mistakes.append((at + 1, f"{name} is already set in line {before}"))
                else:
                    found.entries[name] = TomlValue(value, at + 1)
        at += count
    if not found.mistakes:
        _check_whole(text, found)
    return found


def _statement(lines: list[str], at: int) -> tuple[int, dict[str, Any] | None, str]:
    """The statement that begins in a line: how many lines it has, and what it says, or what is wrong."""
    reason = ""
    most = MOST_LINES if _OPENS.search(lines[at]) else 1
    for count in range(1, min(most, len(lines) - at) + 1):
        try:
            return count, tomllib.loads("\n".join(lines[at : at + count])), ""
        except tomllib.TOMLDecodeError as error:
            reason = reason or _WHERE.sub("", str(error))
        except RecursionError:
            return 1, None, "nested too deep"
    return 1, None, reason[:1].lower() + reason[1:]


def _only_path(parsed: dict[str, Any]) -> list[str]:
    """The names of the one table that a header says."""
    path: list[str] = []
    inner: object = parsed
    while isinstance(inner, dict) and inner:
        ((name, inner),) = inner.items()
        path.append(name)
    return path


def _flat(parsed: dict[str, Any], header: list[str]) -> Iterator[tuple[list[str], object]]:
    for name, value in parsed.items():
        path = [*header, name]
        if isinstance(value, dict):
            yield from _flat(value, path)
        else:
            yield path, value


def _check_whole(text: str, found: TomlFile) -> None:
    try:
        tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError as error:
        where = _WHERE.search(str(error))
        line = int(where[1]) if where and where[1] else None
        reason = _WHERE.sub("", str(error))
        found.mistakes.append((line, reason[:1].lower() + reason[1:]))
