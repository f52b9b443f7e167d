"""A branch as one long text: which branch goes through an entry, and the parts of a stretch of it."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, replace

from pitree.entry.branch_parts import Branch
from pitree.entry.parts.json_parts import folding
from pitree.entry.parts.model import Part, PartKind, Tone
from pitree.session.manager.manager import SessionManager

STRETCH_ENTRIES = 60
"""Entries read before and after the one asked for, if they are not large."""
STRETCH_BYTES = 200_000
"""Bytes of records read before and after it."""
_LEAST = 6
"""Entries read before and after it, however large."""


def branch_end(session: SessionManager, index: int) -> int:
    """The end of the branch through an entry: the leaf if it lies below, else the newest way down.

    Takes time in proportion to the session.
    """
    table = session.table
    if index < 0:
        return -1
    leaf_path = session.branch_indexes(session.leaf_index)
    if index in leaf_path:
        return session.leaf_index
    newest = array("i", [-1]) * len(table)
    for child, parent in enumerate(table.parents[: len(newest)]):
        if parent >= 0:
            newest[parent] = child
    steps = len(newest)
    while newest[index] >= 0 and steps:
        index = newest[index]
        steps -= 1
    return index


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of a branch, taken apart.

    Attributes:
        first: place on the branch of its first entry.
        last: place of its last one.
        parts: the parts of its entries in order, each entry under a title; keys start with `entry_key`.
    """

    first: int
    last: int
    parts: list[Part]


def entry_key(index: int) -> str:
    """How the keys of an entry's parts begin."""
    return f"e{index}."


def title_key(key: str) -> str:
    """The key of the title of an entry, from what its keys start with."""
    return f"{key}title"


def entry_of(part: Part) -> int:
    """Index of the entry a part of a stretch belongs to."""
    return int(part.key[1 : part.key.index(".")])


def stretch_around(branch: Branch, place: int) -> tuple[int, int]:
    """First and last place of the stretch that is read around a place."""
    lengths, path = branch.session.table.lengths, branch.path
    ends = []
    for step in (-1, 1):
        at, count, size = place, 0, 0
        while 0 <= at + step < len(path):
            size += lengths[path[at + step]]
            if count >= STRETCH_ENTRIES or (count >= _LEAST and size > STRETCH_BYTES):
                break
            at += step
            count += 1
        ends.append(at)
    return ends[0], ends[1]


def read_stretch(branch: Branch, place: int) -> Stretch:
    """Read the stretch around a place."""
    first, last = stretch_around(branch, place)
    parts: list[Part] = []
    for at in range(first, last + 1):
        parts += read_entry(branch, at)
    return Stretch(first, last, parts)


def read_entry(branch: Branch, place: int) -> list[Part]:
    """The parts of the entry at a place below its title; none if its call shows it."""
    parts = branch.parts(place)
    return folding(_titled(parts, entry_key(branch.path[place]))) if parts else []


def _titled(parts: list[Part], key: str) -> list[Part]:
    """An entry's parts below a title of its own, which is in its text instead of around it.

    What is told in a line, as a label is, is its own title.
    """
    heading = parts[0]
    shown = [_keyed(part, key) for part in parts[1:]]
    if shown and shown[0].kind is PartKind.WORDS:
        return [replace(shown[0], key=title_key(key), note=heading.note, tone=Tone.DIM), *shown[1:]]
    title = Part(
        PartKind.SECTION,
        title_key(key),
        title=heading.title or "entry",
        subject=heading.subject,
        note=heading.note,
    )
    return [title, *shown]


def _keyed(part: Part, key: str) -> Part:
    return replace(
        part, key=f"{key}{part.key}", children=tuple(_keyed(child, key) for child in part.children)
    )
