"""What entries, branches and summaries of a session cost: usage as columns, and sums along branches."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from pitree.session.format.entry_type import ASSISTANT_KINDS, Kind
from pitree.session.manager.queries import ReadOperations
from pitree.session.reading.usage import Usage, usage_of

SPENDING_KINDS = frozenset(
    {*ASSISTANT_KINDS, Kind.TOOL_RESULT, Kind.USAGE, Kind.COMPACTION, Kind.BRANCH_SUMMARY}
)
"""Kinds of entries that may carry usage."""

_LOOKED_AT = 500
"""Entries between two questions whether to continue."""


@dataclass(frozen=True, slots=True)
class BranchSpending:
    """What an end of a session cost.

    Attributes:
        tip: index of its last entry.
        entries: entries from the root to it.
        cost: US dollars from the root to it.
        tokens: tokens from the root to it.
        own_cost: US dollars since the last branch point.
    """

    tip: int
    entries: int
    cost: float
    tokens: float
    own_cost: float


class Ledger:
    """The usage of each entry, read once; what came since is read by the next `fill`.

    Args:
        session: the session.
    """

    def __init__(self, session: ReadOperations) -> None:
        self.session = session
        self._columns = tuple(array("d") for _ in range(5))

    def __len__(self) -> int:
        """Entries read so far."""
        return len(self._columns[0])

    def fill(self, cancelled: Callable[[], bool] = lambda: False) -> bool:
        """Read the usage of entries that are new since the last time; False if `cancelled` ended it.

        Takes some 15 microseconds for an entry that can have usage, so it is for a thread.
        """
        table = self.session.table
        for index in range(len(self), len(table)):
            if not index % _LOOKED_AT and cancelled():
                return False
            usage = Usage()
            if table.kinds[index] in SPENDING_KINDS:
                usage.add(usage_of(self.session.records.read(index))[1])
            for column, value in zip(self._columns, _values(usage), strict=True):
                column.append(value)
        return True

    def of(self, index: int) -> Usage:
        """What one entry used."""
        return self.sum((index,))

    def sum(self, indexes: Iterable[int]) -> Usage:
        """What some entries used together."""
        totals = [0.0] * len(self._columns)
        known = len(self)
        for index in indexes:
            if index < known:
                for place, column in enumerate(self._columns):
                    totals[place] += column[index]
        given, got, read, written, cost = totals
        return Usage(given, got, read, written, cost)

    def of_kind(self, *kinds: Kind) -> Usage:
        """What all entries of some kinds used, on every branch."""
        table = self.session.table
        return self.sum(index for index in range(len(self)) if table.kinds[index] in kinds)

    def branches(self) -> list[BranchSpending]:
        """All ends of the session, the dearest first."""
        table, known = self.session.table, len(self)
        children = array("i", bytes(4 * known))
        for parent in table.parents[:known]:
            if 0 <= parent < known:
                children[parent] += 1
        depth = array("i", [-1]) * known
        cost, tokens, own = (array("d", bytes(8 * known)) for _ in range(3))
        for start in range(known):
            # Parents come first in the file as a rule; where they do not, they are seen to first here.
            waiting = []
            at = start
            while 0 <= at < known and depth[at] < 0:
                waiting.append(at)
                at = table.parents[at]
            for index in reversed(waiting):
                parent = table.parents[index]
                above = parent if 0 <= parent < known else -1
                given, got, read, written, spent = (column[index] for column in self._columns)
                depth[index] = depth[above] + 1 if above >= 0 else 0
                cost[index] = spent + (cost[above] if above >= 0 else 0.0)
                tokens[index] = given + got + read + written + (tokens[above] if above >= 0 else 0.0)
                own[index] = spent + (own[above] if above >= 0 and children[above] == 1 else 0.0)
        ends = [
            BranchSpending(index, depth[index] + 1, cost[index], tokens[index], own[index])
            for index in range(known)
            if not children[index]
        ]
        return sorted(ends, key=lambda end: (-end.cost, end.tip))


def _values(usage: Usage) -> tuple[float, float, float, float, float]:
    return usage.input, usage.output, usage.cache_read, usage.cache_write, usage.cost
