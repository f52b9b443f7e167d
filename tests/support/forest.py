"""Sessions for tests, from short notations, without a file."""

from __future__ import annotations

from collections.abc import Iterable
from math import nan

from pitree.query.language.query import Query
from pitree.query.language.text_forms import fold
from pitree.session.format.entry_type import Kind
from pitree.session.reading.entry import Entry
from pitree.session.reading.entry_table import EntryTable
from pitree.session.reading.reader import Label

LETTERS = {
    "u": Kind.USER,
    "a": Kind.ASSISTANT,
    "s": Kind.ASSISTANT_SILENT,
    "t": Kind.TOOL_RESULT,
    "b": Kind.BASH,
    "y": Kind.SYSTEM,
    "o": Kind.OTHER_ROLE,
    "p": Kind.CUSTOM_MESSAGE,
    "c": Kind.COMPACTION,
    "r": Kind.BRANCH_SUMMARY,
    "m": Kind.MODEL_CHANGE,
    "h": Kind.THINKING_LEVEL_CHANGE,
    "x": Kind.CUSTOM,
    "e": Kind.CONTEXT_EDIT,
    "l": Kind.LABEL,
    "i": Kind.SESSION_INFO,
    "g": Kind.USAGE,
    "?": Kind.UNKNOWN,
}
"""First letter of an entry's id in a notation → its kind."""


class FakeSession:
    """What the outline needs of a session, to be filled by a test. Its leaf is the last entry by default."""

    partial = True
    """There are no records to read."""

    def entry(self, index: int) -> Entry:
        raise AssertionError(f"entry {index} has no record")

    def __init__(self) -> None:
        self.table = EntryTable()
        self.labels: dict[str, Label] = {}
        self.moved_leaf: int | None = None

    @property
    def leaf_index(self) -> int:
        return len(self.table) - 1 if self.moved_leaf is None else self.moved_leaf

    def add(
        self,
        entry_id: str,
        parent_id: str | None,
        kind: Kind,
        time: float = nan,
        text: str = "",
        *,
        flags: int = 0,
        settle: bool = True,
    ) -> int:
        """Append an entry; return its index."""
        index = self.table.append(entry_id, parent_id, kind, flags, time, 0, 0, 1, text)
        if settle:
            self.table.settle()
        return index

    def label(self, entry_id: str, text: str, time: str = "2026-01-01T00:00:00.000Z") -> None:
        """Set a label without an entry for it."""
        self.labels[entry_id] = Label(text, time)


class FakeTexts:
    """Searches the row bodies of a table. Covers all of it, or as much as `limit` says."""

    def __init__(self, table: EntryTable, limit: int | None = None) -> None:
        self.table = table
        self.limit = limit

    @property
    def covered(self) -> int:
        return len(self.table) if self.limit is None else min(self.limit, len(self.table))

    def cover(self, count: int) -> None:
        self.limit = max(count, self.limit or 0)

    def text(self, index: int) -> str:
        return fold(self.table.texts[index].decode())

    def matching(self, query: Query, first: int = 0) -> bytes:
        return bytes(query.matches(self.text(index)) for index in range(first, self.covered))


def session(notation: str, leaf: str | None = None, labels: dict[str, str] | None = None) -> FakeSession:
    """A session from a notation such as `u1 a2 u3<a2 a4`.

    Each word is an id whose first letter tells the kind (`LETTERS`); `id<parent` hangs it on an entry, `id<`
    makes it a root, a bare id hangs it on the one before. Times are a second apart; `id@5` sets second 5. The
    text of an entry is its id.
    """
    made = FakeSession()
    before: str | None = None
    for second, word in enumerate(notation.split()):
        rest, at, time = word.partition("@")
        entry_id, arrow, parent = rest.partition("<")
        parent_id = (parent or None) if arrow else before
        seconds = float(time) if at else float(second)
        made.add(entry_id, parent_id, LETTERS[entry_id[0]], seconds * 1000, entry_id, settle=False)
        before = entry_id
    made.table.settle()
    if leaf is not None:
        made.moved_leaf = made.table.by_id[leaf]
    for entry_id, text in (labels or {}).items():
        made.label(entry_id, text)
    return made


def chain(count: int, kind: Kind = Kind.USER, on: FakeSession | None = None) -> FakeSession:
    """A session of one chain, or one more chain at the end of a session."""
    made = FakeSession() if on is None else on
    table = made.table
    parent = table.ids[-1] if table.ids else None
    for index in range(len(table), len(table) + count):
        table.append(f"n{index}", parent, kind, 0, float(index), 0, 0, index, "")
        parent = f"n{index}"
    return made


def children_of(made: FakeSession, parent: str | None, ids: Iterable[str], kind: Kind = Kind.USER) -> None:
    """Hang many entries on one."""
    for entry_id in ids:
        made.table.append(entry_id, parent, kind, 0, float(len(made.table)), 0, 0, 1, "")
