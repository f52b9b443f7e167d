"""Cutting long texts into pieces that can be styled by themselves: paragraphs of Markdown, lines of code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from pitree.entry.parts import Body, Syntax

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
    text = body.text
    cut: tuple[int, int] | None = None
    for language, first, last in _borders(text, start, end):
        if language is not None:
            if text[start:first].strip():
                yield body, start, first
            yield from _lines(replace(body, syntax=Syntax.CODE, language=language), first, last, _CODE)
            start, cut = last, None
            continue
        if cut is not None and first - start > _MARKDOWN:
            yield body, start, cut[0]
            start = cut[1]
        cut = first, last
    if cut is not None and end - start > _MARKDOWN:
        yield body, start, cut[0]
        start = cut[1]
    if text[start:end].strip():
        yield body, start, end


def _borders(text: str, start: int, end: int) -> Iterator[tuple[str | None, int, int]]:
    """Where Markdown may be cut, what lies between; and very long code, with its language."""
    for language, first, last in _sections(text, start, end):
        if language is None:
            yield from _paragraphs(text, first, last)
        elif last - first > 2 * _CODE:
            yield language, first, last
        elif text.startswith("\n", last):
            yield None, last, last + 1


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


def _paragraphs(text: str, start: int, end: int) -> Iterator[tuple[None, int, int]]:
    """The blank lines in a stretch; where there are none for long, ends of lines."""
    for found in _PARAGRAPHS.finditer(text, start, end):
        yield from _line_ends(text, start, found.start())
        yield None, found.start(), found.end()
        start = found.end()
    yield from _line_ends(text, start, end)


def _line_ends(text: str, start: int, end: int) -> Iterator[tuple[None, int, int]]:
    while end - start > 2 * _MARKDOWN:
        line = text.find("\n", start + _MARKDOWN, end)
        if line < 0:
            return
        yield None, line, line + 1
        start = line + 1


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
