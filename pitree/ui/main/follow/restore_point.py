"""Where the reader is in a session, in terms that hold when its file is read again: entry ids."""

from __future__ import annotations

from dataclasses import dataclass

from pitree.session.manager.manager import SessionManager

ANCESTORS = 5_000
"""Ids remembered of the way up to the root; whoever takes more away has left nothing to stand on."""


@dataclass(frozen=True, slots=True)
class RestorePoint:
    """A place in a session.

    Attributes:
        ids: the entry under the cursor and those above it, the nearest first; empty for none.
        at_leaf: whether the cursor goes along with the leaf.
        folded: entries that are folded.
    """

    ids: tuple[str, ...] = ()
    at_leaf: bool = False
    folded: tuple[str, ...] = ()

    def find(self, session: SessionManager) -> int:
        """The index of the entry, or of the nearest one above it that is there; -1 if there is none."""
        if self.at_leaf:
            return session.leaf_index
        by_id = session.table.by_id
        return next((by_id[one] for one in self.ids if one in by_id), -1)

    def is_in(self, session: SessionManager) -> bool:
        """Whether the entry itself is there."""
        return not self.ids or self.at_leaf or self.ids[0] in session.table.by_id


def place_in(session: SessionManager, index: int, *, at_leaf: bool, folded: list[int]) -> RestorePoint:
    """The place that an entry is."""
    table = session.table
    ids: list[str] = []
    at = index
    while at >= 0 and len(ids) < ANCESTORS:
        ids.append(table.ids[at])
        at = table.parents[at]
    return RestorePoint(tuple(ids), at_leaf, tuple(table.ids[one] for one in folded))
