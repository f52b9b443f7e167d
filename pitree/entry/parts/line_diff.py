"""The difference of two short texts, line by line, in the form Pi stores diffs in, without line numbers."""

from __future__ import annotations

from difflib import SequenceMatcher

_MOST_COMPARED = 600
"""Lines, between what both begin and end with, up to which they are compared one by one."""
_AROUND = 4
"""Unchanged lines kept around a change, as Pi does."""


def line_diff(old: str, new: str) -> str:
    """Lines beginning with `- ` (gone), `+ ` (come) or two spaces (in both); `⋯` for those left out.

    Takes linear time but for a bounded number of lines.
    """
    before = old.split("\n") if old else []
    after = new.split("\n") if new else []
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    end = 0
    while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
        end += 1
    lines = _unchanged(before[:start], first=True)
    lines += _changes(before[start : len(before) - end], after[start : len(after) - end])
    lines += _unchanged(before[len(before) - end :], last=True)
    return "\n".join(lines)


def _changes(before: list[str], after: list[str]) -> list[str]:
    if len(before) + len(after) > _MOST_COMPARED:
        return _signed("-", before) + _signed("+", after)
    lines = []
    for what, first, last, new_first, new_last in SequenceMatcher(None, before, after).get_opcodes():
        if what == "equal":
            lines += _unchanged(before[first:last])
        else:
            lines += _signed("-", before[first:last]) + _signed("+", after[new_first:new_last])
    return lines


def _signed(sign: str, lines: list[str]) -> list[str]:
    return [f"{sign} {line}" for line in lines]


def _unchanged(lines: list[str], *, first: bool = False, last: bool = False) -> list[str]:
    head = 0 if first else _AROUND
    tail = 0 if last else _AROUND
    if len(lines) <= head + tail + 1:
        return _signed(" ", lines)
    return [*_signed(" ", lines[:head]), "⋯", *_signed(" ", lines[len(lines) - tail :])]
