"""One entry of a session: a light view on the columns, its record read back when asked for."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from threading import Lock
from typing import Any, overload

from pitree.session.format.entry_type import ROLE_OF_KIND, TYPE_OF_KIND, Flag, Kind
from pitree.session.format.jsonl import dump, parse
from pitree.session.format.migrate import CURRENT_VERSION, to_current
from pitree.session.reading.reader import SessionData
from pitree.session.storage.byte_source import FileSource, Source

_CACHE_BYTES = 16 * 1024 * 1024


class RecordStore:
    """Reads records back from where they lie, through a cache bounded by the size of their lines.

    Safe to use from several threads.
    """

    def __init__(self, data: SessionData, source: Source) -> None:
        self.data = data
        self.source = source
        self._cache: OrderedDict[int, dict[str, Any]] = OrderedDict()
        self._cached_bytes = 0
        self._lock = Lock()

    def record(self, index: int) -> dict[str, Any]:
        """The record of an entry, in version 3 form. It is shared: do not change it.

        A record whose bytes are no longer there (the file was rewritten in place, or is gone) comes back as
        `{"type": …, "id": …, "parentId": …, "pitree": "unreadable"}`.
        """
        with self._lock:
            record = self._cache.get(index)
            if record is not None:
                self._cache.move_to_end(index)
                return record
        record = self.read(index)
        length = self.data.table.lengths[index]
        if length <= _CACHE_BYTES // 4:
            with self._lock:
                if index not in self._cache:
                    self._cache[index] = record
                    self._cached_bytes += length
                while self._cached_bytes > _CACHE_BYTES:
                    old, _ = self._cache.popitem(last=False)
                    self._cached_bytes -= self.data.table.lengths[old]
        return record

    def read(self, index: int) -> dict[str, Any]:
        """The record of an entry as `record` gives it, past the cache; yours to change."""
        try:
            return self.load(index)
        except (ValueError, OSError):
            table = self.data.table
            kind = TYPE_OF_KIND.get(Kind(table.kinds[index]), "unknown")
            return {
                "type": kind,
                "id": table.ids[index],
                "parentId": table.parent_id(index),
                "pitree": "unreadable",
            }

    def load(self, index: int) -> dict[str, Any]:
        """The record of an entry in version 3 form, past the cache; yours to change.

        Raises:
            ValueError: other bytes lie where it lay.
            OSError: the file cannot be read.
        """
        data = self.data
        value = parse(self._bytes(index))
        if not isinstance(value, dict):
            raise ValueError("no record")
        return (
            to_current(value, data.version, index, data.headers) if data.version < CURRENT_VERSION else value
        )

    def line(self, index: int) -> bytes:
        """An entry as a line of a version 3 file, without LF: as it stands, if its file is of version 3.

        Raises:
            ValueError, OSError: as for `load`.
        """
        return dump(self.load(index)) if self.data.version < CURRENT_VERSION else self._bytes(index)

    def lines(self, first: int, end: int) -> list[bytes] | None:
        """The lines of entries that follow one another, as they are in a file of version 3, read in one go.

        Returns:
            The lines, without LF; None where entries are to be loaded one by one: the file is of an older
            version, or its bytes are not all there.
        """
        if self.data.version < CURRENT_VERSION or first >= end:
            return None
        table = self.data.table
        offsets, lengths = table.offsets[first:end], table.lengths[first:end]
        start = offsets[0]
        size = offsets[-1] + lengths[-1] - start
        try:
            found = self.source.read(start, size)
        except OSError:
            return None
        if len(found) < size:
            return None
        return [
            found[offset - start : offset - start + length]
            for offset, length in zip(offsets, lengths, strict=True)
        ]

    @property
    def descriptor(self) -> int:
        """The opened file in which the lines of entries stand as `lines` gives them; -1 for none."""
        if self.data.version < CURRENT_VERSION or not isinstance(self.source, FileSource):
            return -1
        return self.source.descriptor

    def _bytes(self, index: int) -> bytes:
        table = self.data.table
        found = self.source.read(table.offsets[index], table.lengths[index])
        if len(found) < table.lengths[index]:
            raise ValueError("the file ends before the record does")
        return found


class Entry:
    """An entry of a session.

    Attributes:
        index: place among the file's entries, from 0; the header is not counted.
    """

    __slots__ = ("_records", "index")

    def __init__(self, records: RecordStore, index: int) -> None:
        self._records = records
        self.index = index

    @property
    def id(self) -> str:
        """Entry id."""
        return self._records.data.table.ids[self.index]

    @property
    def parent_id(self) -> str | None:
        """Parent id as the record names it, resolvable or not; None for a root."""
        return self._records.data.table.parent_id(self.index)

    @property
    def kind(self) -> Kind:
        """Kind, by type and role."""
        return Kind(self._records.data.table.kinds[self.index])

    @property
    def flags(self) -> Flag:
        """Marks."""
        return Flag(self._records.data.table.flags[self.index])

    @property
    def type(self) -> str:
        """Entry type, e.g. `message`, `label`; of an unknown one the name it goes by in the file."""
        known = TYPE_OF_KIND.get(self.kind)
        return known if known is not None else str(self.record.get("type") or "?")

    @property
    def role(self) -> str | None:
        """Message role; None for an entry that is no message."""
        kind = self.kind
        if kind is Kind.OTHER_ROLE:
            message = self.record.get("message")
            return str(message.get("role")) if isinstance(message, dict) else None
        return ROLE_OF_KIND.get(kind)

    @property
    def timestamp(self) -> str:
        """ISO time as it is in the file; empty when there is none."""
        time = self.record.get("timestamp")
        return time if isinstance(time, str) else ""

    @property
    def time_ms(self) -> float:
        """Entry time in ms since 1970; nan when it cannot be read."""
        return self._records.data.table.times[self.index]

    @property
    def text(self) -> str:
        """Body of the entry's row, raw text of the file."""
        return self._records.data.table.texts[self.index].decode("utf-8", "replace")

    @property
    def line(self) -> int:
        """Line number in the file, from 1."""
        return self._records.data.table.lines[self.index]

    @property
    def record(self) -> dict[str, Any]:
        """The whole JSON object, in version 3 form. It is shared: do not change it."""
        return self._records.record(self.index)

    def __repr__(self) -> str:
        return f"Entry(index={self.index}, id={self.id!r}, kind={self.kind.name})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Entry) and other.index == self.index and other._records is self._records

    def __hash__(self) -> int:
        return hash((id(self._records), self.index))


class EntryList(Sequence[Entry]):
    """All entries of a session in file order, made when asked for."""

    def __init__(self, records: RecordStore) -> None:
        self._records = records

    def __len__(self) -> int:
        return len(self._records.data.table)

    @overload
    def __getitem__(self, place: int) -> Entry: ...
    @overload
    def __getitem__(self, place: slice) -> list[Entry]: ...
    def __getitem__(self, place: int | slice) -> Entry | list[Entry]:
        if isinstance(place, slice):
            return [Entry(self._records, index) for index in range(*place.indices(len(self)))]
        if place < 0:
            place += len(self)
        if not 0 <= place < len(self):
            raise IndexError(place)
        return Entry(self._records, place)

    def __iter__(self) -> Iterator[Entry]:
        return (Entry(self._records, index) for index in range(len(self)))
