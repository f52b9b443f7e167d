"""Which entries match the query: whole texts from a text store, labels from the session."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from pitree.query.language.query import Query
from pitree.query.language.text_forms import fold
from pitree.session.reading.entry_table import EntryTable
from pitree.session.reading.reader import Label


class TextSearch(Protocol):
    """Where the searchable text of entries is kept, labels not included. `textstore.TextStore` is one.

    It may still be filling: entries from `covered` on do not match until it gets to them.
    """

    @property
    def covered(self) -> int:
        """Entries whose text is at hand: those with an index below this."""

    def cover(self, count: int) -> None:
        """Take the texts of entries up to an index, however long it takes."""

    def matching(self, query: Query, first: int = 0) -> bytes:
        """One byte for each entry from `first` to `covered`: 1 if its text matches, else 0."""

    def text(self, index: int) -> str:
        """An entry's searchable text as it is kept: folded (see `query.fold`)."""


class Hits:
    """The entries that match a query, kept up as the session and the text store grow.

    Args:
        query: what to look for; a faulty one matches nothing.
        texts: the texts.
        so_far: what a search that still continues has found, one byte for each entry: then these are the
            matches, as long as nobody asks again.

    Attributes:
        mask: one byte for each entry seen so far, 1 for a match.
    """

    def __init__(self, query: Query, texts: TextSearch, so_far: bytes | None = None) -> None:
        self.query = query
        self.mask = bytearray()
        self.so_far = so_far
        self._texts = texts
        self._searched = 0

    def restart(self) -> None:
        """Forget what was found, since labels or entries are others now."""
        self.mask.clear()
        self._searched = 0

    def extend(self, table: EntryTable, labels: Mapping[str, Label], count: int) -> list[int]:
        """Take entries up to an index, and texts that the store has got since the last time.

        Returns:
            Hits among the entries that were taken earlier, before their texts were there.
        """
        known = len(self.mask)
        if self.so_far is not None:
            self.mask.extend(self.so_far[known:count].ljust(count - known, b"\0"))
            return []
        self.mask.extend(bytes(max(0, count - known)))
        covered = min(self._texts.covered, count)
        if self.query.error is not None or covered <= self._searched:
            return []
        first, self._searched = self._searched, covered
        self.mask[first:covered] = self._texts.matching(self.query, first)[: covered - first]
        self._add_labelled(table, labels, first, covered)
        late = []
        found = self.mask.find(1, first, known)
        while found >= 0:
            late.append(found)
            found = self.mask.find(1, found + 1, known)
        return late

    def _add_labelled(self, table: EntryTable, labels: Mapping[str, Label], first: int, covered: int) -> None:
        """Search label and text of labeled entries as one, since a word may be in either."""
        terms = self.query.terms
        apart = bool(terms) and not any(" " in term for term in terms)
        for index in labelled(table, labels, first, covered):
            if not self.mask[index]:
                label = fold(labels[table.ids[index]].text)
                if apart and not any(term in label for term in terms):
                    continue  # so the text would have to have them all
                self.mask[index] = self.query.matches(f"{label} {self._texts.text(index)}")


def labelled(table: EntryTable, labels: Mapping[str, Label], first: int, count: int) -> list[int]:
    """The entries from `first` up to `count` that carry a label: all that have its target's id."""
    ids = table.ids
    if table.repeated or count - first < len(labels):
        return [index for index in range(first, count) if ids[index] in labels]
    found = (table.by_id.get(entry_id, -1) for entry_id in labels)
    return [index for index in found if first <= index < count]


def both(one: bytes | bytearray, other: bytes | bytearray) -> bytearray:
    """The entries in both of two masks. One may be shorter; what it lacks counts as no.

    Done as one operation on two big numbers, which is some twenty times faster than byte for byte.
    """
    length = max(len(one), len(other))
    common = int.from_bytes(one, "little") & int.from_bytes(other, "little")
    return bytearray(common.to_bytes(length, "little"))
