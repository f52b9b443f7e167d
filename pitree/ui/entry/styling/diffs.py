"""Diffs in colors, the words that differ marked: in Pi's form, `+12 text`, or without numbers, `+ text`."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from rich.style import Style

from pitree.ui.entry.document.lines import Spans
from pitree.ui.entry.styling.style_names import Palette

_START = re.compile(r"[-+ ] *\d+ |[-+ ] ?")
_WORD = re.compile(r"\w+|\s+|[^\w\s]")
_LONGEST = 600
"""Characters of a line up to which its words are compared."""
_MOST_PAIRS = 150
"""Pairs of lines compared in one block of text: a few ms."""
_MOST_WORDS = 60
_LEAST_COMMON = 0.3
"""Words that two lines must share for each that differs, or they are not the same line changed."""

Range = tuple[int, int]


class DiffStyles:
    """The styles of a diff."""

    def __init__(self, palette: Palette, base: Style) -> None:
        self.base = base
        self.number = base + palette["gutter"]
        self.hunk = base + palette["hunk"]
        self.lines = {"+": base + palette["added"], "-": base + palette["removed"]}
        self.words = {
            sign: self.lines[sign] + palette[name]
            for sign, name in (("+", "added-word"), ("-", "removed-word"))
        }


def diff_lines(lines: list[str], styles: DiffStyles) -> list[Spans]:
    """Lines of a diff, made safe before, in colors."""
    marks = _marks(lines)
    return [_spans(line, marks.get(at, ()), styles) for at, line in enumerate(lines)]


def _spans(line: str, marks: list[Range] | tuple[()], styles: DiffStyles) -> Spans:
    sign = line[:1]
    if sign in "@⋯" and sign:
        return [(line, styles.hunk)]
    style = styles.lines.get(sign, styles.base)
    start = _start(line)
    if sign not in styles.lines:
        return [(line[:start], styles.number), (line[start:], style)] if start > 2 else [(line, style)]
    spans: Spans = [(line[:start], style)]
    at = start
    for first, last in marks:
        spans += [(line[at:first], style), (line[first:last], styles.words[sign])]
        at = last
    spans.append((line[at:], style))
    return [(text, style) for text, style in spans if text] or [("", style)]


def _start(line: str) -> int:
    found = _START.match(line)
    return found.end() if found else 0


def _marks(lines: list[str]) -> dict[int, list[Range]]:
    """Where in which lines words differ: each line that went is compared with the one that came for it."""
    marks: dict[int, list[Range]] = {}
    at, pairs = 0, 0
    while at < len(lines) and pairs < _MOST_PAIRS:
        if lines[at][:1] != "-":
            at += 1
            continue
        came = at
        while came < len(lines) and lines[came][:1] == "-":
            came += 1
        end = came
        while end < len(lines) and lines[end][:1] == "+":
            end += 1
        for gone in range(at, min(came, at + end - came, at + _MOST_PAIRS - pairs)):
            pairs += 1
            found = differences(lines[gone], lines[gone + came - at])
            if found is not None:
                marks[gone], marks[gone + came - at] = found
        at = max(end, at + 1)
    return marks


def differences(old: str, new: str) -> tuple[list[Range], list[Range]] | None:
    """Which stretches of two lines of a diff differ; None if the lines have too little in common."""
    if len(old) > _LONGEST or len(new) > _LONGEST:
        return None
    old_start, new_start = _start(old), _start(new)
    before, after = _WORD.findall(old[old_start:]), _WORD.findall(new[new_start:])
    if not before or not after or before == after:
        return None
    head = 0
    while head < min(len(before), len(after)) and before[head] == after[head]:
        head += 1
    tail = 0
    while tail < min(len(before), len(after)) - head and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    changed = [(head, len(before) - tail, head, len(after) - tail)]
    if max(len(before), len(after)) - head - tail <= _MOST_WORDS:
        middle = SequenceMatcher(
            None, before[head : len(before) - tail], after[head : len(after) - tail], autojunk=False
        )
        changed = [
            (head + first, head + last, head + new_first, head + new_last)
            for what, first, last, new_first, new_last in middle.get_opcodes()
            if what != "equal"
        ]
    gone = sum(_count(before[first:last]) for first, last, _, _ in changed)
    came = sum(_count(after[first:last]) for _, _, first, last in changed)
    if _count(before) - gone < _LEAST_COMMON * max(gone, came):
        return None
    return (
        _ranges(before, [(first, last) for first, last, _, _ in changed], old_start),
        _ranges(after, [(first, last) for _, _, first, last in changed], new_start),
    )


def _count(words: list[str]) -> int:
    return sum(not word.isspace() for word in words)


def _ranges(words: list[str], changed: list[Range], start: int) -> list[Range]:
    places = [start]
    for word in words:
        places.append(places[-1] + len(word))
    return [(places[first], places[last]) for first, last in changed if first < last]
