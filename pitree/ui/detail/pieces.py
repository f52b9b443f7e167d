"""Cutting long texts into pieces that can be styled by themselves: paragraphs of Markdown, lines of code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from pitree.outline.parts import Body, Syntax

Piece = tuple[Body, int, int]
"""What to style a piece as, and where it starts and ends in the body's text."""

_MARKDOWN = 4_096
"""Characters of a piece of Markdown: some 40 ms in a thread."""
_CODE = 16_384
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})[ \t]*([^\s`]*)[^\n]*$", re.MULTILINE)
_PARAGRAPHS = re.compile(r"\n[ \t]*\n")


def pieces(body: Body, start: int, end: int) -> Iterator[Piece]:
    """Pieces of a stretch of text, in order; only blank lines between paragraphs are left out."""
    if body.syntax is not Syntax.MARKDOWN:
        yield from _lines(body, start, end, _CODE)
        return
    for fence, first, last in _sections(body.text, start, end):
        if fence is None:
            yield from _paragraphs(body, first, last)
        elif last - first <= 2 * _CODE:
            yield body, first, last
        else:
            yield from _lines(replace(body, syntax=Syntax.CODE, language=fence), first, last, _CODE)


def _sections(text: str, start: int, end: int) -> Iterator[tuple[str | None, int, int]]:
    """Stretches within and outside of fenced code, with the language of the code or None."""
    at = start
    opened: tuple[str, int, str] | None = None
    for found in _FENCE.finditer(text, start, end):
        if opened is None:
            if found.start() > at:
                yield None, at, found.start()
            opened = found[1], found.start(), found[2]
            at = found.start()
        elif found[1].startswith(opened[0]) and not found[2]:
            yield opened[2], at, found.end()
            at, opened = found.end(), None
    if at < end:
        yield (opened[2] if opened is not None else None), at, end


def _paragraphs(body: Body, start: int, end: int) -> Iterator[Piece]:
    text = body.text
    while end - start > _MARKDOWN:
        cut = last = None
        for found in _PARAGRAPHS.finditer(text, start + 1, min(end, start + 2 * _MARKDOWN)):
            if last is not None and found.start() > start + _MARKDOWN:
                break
            cut = last = found
        if cut is None:
            line = text.rfind("\n", start, start + 2 * _MARKDOWN)
            at = line if line > start else min(end, start + 2 * _MARKDOWN)
            yield body, start, at
            start = at + (line > start)
        else:
            yield body, start, cut.start()
            start = cut.end()
    if text[start:end].strip():
        yield body, start, end


def _lines(body: Body, start: int, end: int, most: int) -> Iterator[Piece]:
    text = body.text
    while end - start > most:
        line = text.rfind("\n", start, start + most)
        at = line if line >= start else text.find("\n", start, end)
        if at < 0:
            break
        yield body, start, at
        start = at + 1
    yield body, start, end
