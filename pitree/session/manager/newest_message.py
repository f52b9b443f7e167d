"""The newest message of a session, and whether bookkeeping has put the leaf on another branch than it."""

from __future__ import annotations

from pitree.session.format.entry_type import MESSAGE_KINDS, TYPE_OF_KIND, Kind
from pitree.session.format.errors import Notice
from pitree.session.manager.appends import LEAF_TYPE
from pitree.session.reading.entry_table import EntryTable

TALK = MESSAGE_KINDS | {Kind.CUSTOM_MESSAGE, Kind.COMPACTION, Kind.BRANCH_SUMMARY}
"""Kinds of entries that say something; the others are bookkeeping."""

_MOVED = LEAF_TYPE.encode()


def said_at(table: EntryTable, index: int) -> int:
    """The nearest entry that says something, from one up to its root; -1 if none does."""
    while index >= 0 and table.kinds[index] not in TALK:
        index = table.parents[index]
    return index


def newest_message(table: EntryTable) -> int:
    """Index of the last entry that says something, -1 if none does."""
    return next((i for i in range(len(table) - 1, -1, -1) if table.kinds[i] in TALK), -1)


def left_behind(table: EntryTable, leaf: int) -> int:
    """The newest message, if bookkeeping has put the leaf on another branch than it; else -1.

    So it is when a name or a label was written by a program that had not seen the newest entries: Pi would go
    on from the older place. A leaf that was moved there on purpose (`appends.LEAF_TYPE`) is none of these.
    """
    if leaf < 0 or table.kinds[leaf] in TALK:
        return -1
    newest = newest_message(table)
    index = leaf
    while index > newest:
        if table.kinds[index] == Kind.CUSTOM and table.texts[index] == _MOVED:
            return -1
        index = table.parents[index]
    return newest if index != newest else -1


def left_behind_notices(table: EntryTable) -> list[Notice]:
    """What to say of a file whose last line puts the leaf on a branch without its newest message.

    That line is bookkeeping, as `left_behind` has it, or repeats an earlier line.
    """
    leaf = table.last
    repeated = leaf < len(table) - 1
    newest = newest_message(table) if repeated else left_behind(table, leaf)
    if newest in (-1, leaf) or (repeated and table.is_above(newest, leaf)):
        return []
    kind = TYPE_OF_KIND.get(Kind(table.kinds[leaf]), "entry").replace("_", " ")
    above = said_at(table, leaf)
    where = f"after {table.ids[above]}" if above >= 0 else "before any message"
    words = (
        f"the newest message, {table.ids[newest]}, is not on the leaf's branch: "
        f"the last line, {kind} {table.ids[leaf]}, puts the leaf {where}"
    )
    return [Notice("left-behind", table.repeats[-1] if repeated else table.lines[leaf], words)]
