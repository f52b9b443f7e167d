"""The ends at which a session grows: two of them mean two writers, or a leaf that was moved."""

from __future__ import annotations

from dataclasses import dataclass

from pitree.session.manager.newest_message import TALK, said_at
from pitree.session.reading.entry_table import EntryTable


@dataclass(frozen=True, slots=True)
class Tip:
    """An end of a branch to which something was said.

    Attributes:
        index: its newest entry that says something.
        grown: how many entries came to it while it was watched.
    """

    index: int
    grown: int


class Tips:
    """Keeps the ends that have grown since watching began, in constant time an entry.

    Bookkeeping (labels, names, settings) neither begins an end nor is one: a program that continues from its
    own leaf beside another's label continues the same branch, as does one that continues below that label.

    Args:
        table: the entries.
        leaf: index of the leaf when watching begins, an end that may grow; -1 for none.

    Attributes:
        by_turns: whether an end has grown again after another one did: two programs write to the file.
    """

    def __init__(self, table: EntryTable, leaf: int = -1) -> None:
        self.by_turns = False
        self._table = table
        self._seen = len(table)
        end = said_at(table, leaf)
        self._grown: dict[int, int] = {end: 0} if end >= 0 else {}
        self._below: dict[int, int] = {}
        """Bookkeeping that came → the entry above it that says something."""
        self._last = -1

    def update(self) -> bool:
        """Take the entries that came since; return whether another branch began to grow."""
        table, grown = self._table, self._grown
        began = False
        for index in range(self._seen, len(table)):
            parent = table.parents[index]
            above = self._below[parent] if parent in self._below else said_at(table, parent)
            if table.kinds[index] not in TALK:
                self._below[index] = above
                continue
            if above in grown:
                self.by_turns = self.by_turns or (grown[above] > 0 and self._last not in (-1, above))
                grown[index] = grown.pop(above) + 1
            else:
                began = began or any(grown.values())
                grown[index] = 1
            self._last = index
        self._seen = len(table)
        return began

    @property
    def ends(self) -> list[int]:
        """The newest entries of all ends that have grown, and of the one that was the leaf at first; no
        bookkeeping among them."""
        return list(self._grown)

    @property
    def growing(self) -> list[Tip]:
        """The ends that have grown, the one that grew last first."""
        return [Tip(index, grown) for index, grown in sorted(self._grown.items(), reverse=True) if grown]


def heir(table: EntryTable, end: int, first: int) -> int:
    """The newest of the entries that continue from an end, each the child of the one before; or the end.

    From bookkeeping the branch may also continue beside it, from the entry above that says something.

    Args:
        table: the entries.
        end: an entry.
        first: index of the first entry to look at.
    """
    for start in (end, said_at(table, end)):
        last = start
        for index in range(first, len(table)):
            if table.parents[index] == last:
                last = index
        if last != start:
            return last
    return end
