"""Which stretches of a long text show, and what is left out between them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from pitree.entry.parts import Body, Preview, Syntax
from pitree.text.figures import counted

STYLED = 32 * 1024
"""Characters up to which a text is styled as a whole; a millisecond for a hundred of them, in a thread."""
_WORTH_LINES = 8
_WORTH_CHARS = 400
"""Less than this is shown rather than left out."""


class Fold(Enum):
    """How much of a part shows."""

    CLOSED = "closed"
    """Its title only."""
    PREVIEW = "preview"
    """Of long text, head and tail."""
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Stretches:
    """Where a text's head and tail are.

    Attributes:
        head: start and end of the head; all there is if nothing is left out.
        tail: start and end of the tail; None if nothing is left out.
        left_out: what is left out, in words; empty if nothing is.
    """

    head: tuple[int, int]
    tail: tuple[int, int] | None = None
    left_out: str = ""


def stretches(body: Body, preview: Preview, fold: Fold) -> Stretches:
    """What shows of a body. Line breaks at its end never do."""
    text = body.text
    end = len(text)
    while end and text[end - 1] in "\n\r \t":
        end -= 1
    whole = Stretches((0, end))
    if fold is Fold.OPEN or (body.syntax is Syntax.MARKDOWN and end <= STYLED):
        return whole
    head = _head(text, preview.head, min(end, preview.head_chars), end)
    tail = _tail(text, preview.tail, max(0, end - preview.tail_chars), end)
    if tail - head < _WORTH_CHARS and text.count("\n", head, max(head, tail)) <= _WORTH_LINES:
        return whole
    lines = text.count("\n", head, tail)
    if lines <= 1 and tail - head >= _WORTH_CHARS:
        left_out = counted(tail - head, "character")
    else:
        left_out = counted(lines, "line")
    return Stretches((0, head), (tail, end), left_out)


def is_long(body: Body, preview: Preview) -> bool:
    """Whether part of the text would be left out at first."""
    return stretches(body, preview, Fold.PREVIEW).tail is not None


def _head(text: str, lines: int, limit: int, end: int) -> int:
    """Where the head ends: after some lines, or at the limit within a line too long to be left out whole."""
    at = 0
    for _ in range(lines):
        found = text.find("\n", at, limit)
        if found < 0:
            return limit if at < limit // 2 or limit == end else at
        at = found + 1
    return at


def _tail(text: str, lines: int, limit: int, end: int) -> int:
    """Where the tail starts."""
    at = end
    for _ in range(lines):
        found = text.rfind("\n", limit, at)
        if found < 0:
            return limit if end - at < (end - limit) // 2 or limit == 0 else at + 1
        at = found
    return at + 1
