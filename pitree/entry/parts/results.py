"""Reading the text of a tool's result: what of it is the thing asked for, and what the tool says about it.

Pi's tools put a remark in brackets, or a line on how a command ended, behind what they found
(`dist/core/tools/*.js`); the model sees both as one text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pitree.entry.parts.model import Body, Syntax, output_body
from pitree.text import figures

_TAIL = 2_000
"""Characters at the end that are looked through for a remark."""
_REMARK = re.compile(r"(?:^|\n\n)\[([^\n]{1,1000})\]\s*\Z")
_ENDING = re.compile(
    r"(?:^|\n\n)(Command (?:exited with code -?\d+|aborted|timed out after [^\n]{1,400}"
    r"|terminated without an exit code))\s*\Z"
)
_NOTHING = frozenset(
    {"No matches found", "No files found matching pattern", "(empty directory)", "(no output)"}
)
_IMAGE = "Read image file ["


@dataclass(frozen=True, slots=True)
class ResultText:
    """A result's text, read.

    Attributes:
        body: the thing asked for, as it is in the file; None when there is none.
        remarks: what the tool says about it, raw.
    """

    body: Body | None
    remarks: tuple[str, ...] = ()


ReadResult = Callable[[str], ResultText]
"""Reads the text of a result."""


def output(found: str) -> ResultText:
    """What a program printed, then how it ended if not well."""
    found, remarks = _parted(found, _ENDING)
    found, cut = _parted(found, _REMARK)
    return ResultText(output_body(found) if found else None, cut + remarks)


def file_text(path: str, offset: Any = None) -> ReadResult:
    """Lines of a file, from line `offset` on (the first by default), and which others there are."""
    asked = figures.number(offset)
    first = int(asked) if asked is not None and 0 < asked < 10**9 else 1

    def read(found: str) -> ResultText:
        if found.startswith(_IMAGE):
            return ResultText(None, tuple(filter(None, found.split("\n", 20))))
        found, remarks = _parted(found, _REMARK)
        return ResultText(Body(found, Syntax.CODE, path, first) if found else None, remarks)

    return read


def matches(pattern: str) -> ReadResult:
    """Lines found in files."""

    def read(found: str) -> ResultText:
        return _listed(found, Syntax.MATCHES, pattern)

    return read


def paths(found: str) -> ResultText:
    """Paths, one a line."""
    return _listed(found, Syntax.PATHS)


def names(found: str) -> ResultText:
    """Names in a folder, one a line."""
    return _listed(found, Syntax.NAMES)


def _listed(found: str, syntax: Syntax, language: str = "") -> ResultText:
    found, remarks = _parted(found, _REMARK)
    if found.strip() in _NOTHING:
        return ResultText(None, (found.strip(), *remarks))
    return ResultText(Body(found, syntax, language) if found else None, remarks)


def _parted(found: str, ending: re.Pattern[str]) -> tuple[str, tuple[str, ...]]:
    at = max(0, len(found) - _TAIL)
    remark = ending.search(found, at)
    # A "^" that matched in the middle of the text would be none.
    if remark is None or (remark.start() and found[remark.start()] != "\n"):
        return found, ()
    return found[: remark.start()], (remark[1],)
