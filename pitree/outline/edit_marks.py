"""Marks of what the model does not see as one may expect: edited entries, compactions that keep nothing."""

from __future__ import annotations

from collections.abc import Callable

from pitree.outline.row_model import SessionView
from pitree.session.context.projection import first_kept
from pitree.session.format.entry_type import Flag, Kind
from pitree.session.reading.entry_table import EntryTable

OMITTED = "omitted from context"
EDITED = "edited for context"
KEEPS_NOTHING = "first kept entry is not on its branch"


class EditMarks:
    """Marks for targets of `context_edit` entries; of several with one target the last on the path counts.

    Args:
        table: the entries; may grow.
    """

    def __init__(self, table: EntryTable) -> None:
        self._table = table
        self._edits: list[int] = []
        self._looked_at = 0
        self._marks: dict[str, str] = {}

    def update(self, count: int, is_on_path: Callable[[int], bool]) -> None:
        """Take entries up to an index, and the path as it is now."""
        kinds = self._table.kinds
        found = kinds.find(Kind.CONTEXT_EDIT, self._looked_at, count)
        while found >= 0:
            self._edits.append(found)
            found = kinds.find(Kind.CONTEXT_EDIT, found + 1, count)
        self._looked_at = count
        self._marks = {}
        for index in self._edits:
            if is_on_path(index):
                target = self._table.texts[index].decode("utf-8", "replace")
                self._marks[target] = OMITTED if self._table.flags[index] & Flag.OMIT else EDITED

    def of(self, entry_id: str) -> tuple[str, ...]:
        """The mark of an entry on the path, if it has one."""
        mark = self._marks.get(entry_id)
        return () if mark is None else (mark,)


class KeptMarks:
    """Marks for compactions that name a first kept entry, but keep nothing.

    Each compaction is looked at once, when its row is drawn first, and again when parents have changed.

    Args:
        session: the session.
    """

    def __init__(self, session: SessionView) -> None:
        self._session = session
        self._marks: dict[int, tuple[str, ...]] = {}
        self._structure = session.table.structure

    def of(self, index: int) -> tuple[str, ...]:
        """The mark of an entry: of a compaction that loses something, no other has one."""
        table = self._session.table
        if table.kinds[index] != Kind.COMPACTION or self._session.partial:
            return ()
        if table.structure != self._structure:
            self._structure = table.structure
            self._marks.clear()
        if index not in self._marks:
            entry = self._session.entry(index)
            nothing = entry.record.get("firstKeptEntryId") in (entry.id, None)
            self._marks[index] = () if nothing or first_kept(table, entry) >= 0 else (KEEPS_NOTHING,)
        return self._marks[index]
