"""The ends at which a session grows: two of them mean two writers, or a leaf that was moved."""

from __future__ import annotations

from dataclasses import dataclass

from pitree.session.kinds import MESSAGE_KINDS, Kind
from pitree.session.table import EntryTable

_TALK = MESSAGE_KINDS | {Kind.CUSTOM_MESSAGE, Kind.COMPACTION, Kind.BRANCH_SUMMARY}


@dataclass(frozen=True, slots=True)
class Tip:
    """An end of a branch to which something was said.

    Attributes:
        index: the newest entry of it.
        grown: how many entries came to it while it was watched.
    """

    index: int
    grown: int


class Tips:
    """Keeps the ends that have grown since watching began, in constant time an entry.

    Bookkeeping (labels, names, settings) moves an end on, but begins none.
    """

    def __init__(self, table: EntryTable) -> None:
        self._table = table
        self._seen = len(table)
        self._grown: dict[int, int] = {}

    def update(self) -> bool:
        """Take the entries that came since; return whether another branch began to grow."""
        table = self._table
        began = False
        for index in range(self._seen, len(table)):
            parent = table.parents[index]
            talk = table.kinds[index] in _TALK
            if parent in self._grown:
                self._grown[index] = self._grown.pop(parent) + talk
            elif talk:
                began = began or bool(self._grown)
                self._grown[index] = 1
        self._seen = len(table)
        return began

    @property
    def growing(self) -> list[Tip]:
        """The ends that have grown, the one that grew last first."""
        return [Tip(index, grown) for index, grown in sorted(self._grown.items(), reverse=True)]


def newest_message(table: EntryTable) -> int:
    """Index of the last entry that says something, -1 if none does."""
    return next((i for i in range(len(table) - 1, -1, -1) if table.kinds[i] in _TALK), -1)


def left_behind(table: EntryTable, leaf: int) -> int:
    """The newest message, if bookkeeping has put the leaf on another branch than it; else -1.

    So it is when a name or a label was written by a program that had not seen the newest entries: Pi would go
    on from the older place.
    """
    if leaf < 0 or table.kinds[leaf] in _TALK:
        return -1
    newest = newest_message(table)
    index = leaf
    while index > newest:
        index = table.parents[index]
    return newest if index != newest else -1
