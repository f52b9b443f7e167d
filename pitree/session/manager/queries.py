"""The read side of a session: Pi's lookups, walks and context, and what to tell about the file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import RLock
from typing import Any

from pitree.session.context.projection import SessionContext, SessionProjection, context_entries, project
from pitree.session.format.entry_type import Flag, Kind
from pitree.session.format.errors import Notice, SessionError
from pitree.session.manager.newest_message import left_behind_notices
from pitree.session.manager.tree import TreeNode, build_tree
from pitree.session.reading.entry import Entry, EntryList, RecordStore
from pitree.session.reading.entry_table import EntryTable
from pitree.session.reading.reader import Label, NoSession, SessionData, SessionReader
from pitree.session.reading.usage import SessionStats
from pitree.session.storage.byte_source import FileSource, Source


@dataclass(frozen=True, slots=True)
class ReadAhead:
    """Bytes of a session file that were read but not taken yet.

    Attributes:
        start: where they start in the file.
        data: the bytes.
        why_not: what happened to the file, in words, if it is not the one that was read; then no bytes.
    """

    start: int
    data: bytes
    why_not: str = ""


class ReadOperations:
    """Looking at a session. Nothing here changes a byte on disk.

    Args:
        source: where its bytes are.
        reader: what has been read of them.
        path: the session file; None for one without a file.
        session_dir: folder that new sessions go to.
    """

    def __init__(
        self, source: Source, reader: SessionReader, path: Path | None, session_dir: Path | None
    ) -> None:
        self._source = source
        self._reader = reader
        self._records = RecordStore(reader.data, source)
        self._path = path
        self._session_dir = session_dir
        self._leaf: int | None = None  # None: the last entry, as the file says
        self._turn = RLock()  # who reads on or writes
        self.partial = False
        """Whether only the end of the file was read."""

    def close(self) -> None:
        """Let go of the file. Rows stay; records can no longer be read."""
        self._source.close()

    # What the session is

    @property
    def table(self) -> EntryTable:
        """The entries as columns."""
        return self._reader.data.table

    @property
    def data(self) -> SessionData:
        """All that reading yielded."""
        return self._reader.data

    @property
    def records(self) -> RecordStore:
        """Where records are read back from."""
        return self._records

    @property
    def path(self) -> Path | None:
        """The session file; None in memory."""
        return self._path

    @property
    def version(self) -> int:
        """Format version of the file."""
        return self.data.version

    @property
    def size(self) -> int:
        """Bytes read so far."""
        return self._reader.end

    @property
    def notices(self) -> list[Notice]:
        """Everything to be told about the file, by line: damage, odd structure, migration."""
        found = self.data.notices + structure_notices(self.table)
        if not self._reader.end:
            found.append(Notice("empty", None, "an empty file: a session with no entries yet"))
        elif not self.partial:
            found += left_behind_notices(self.table)
        if self._reader.unfinished and not self.partial:
            waiting = f"the last line is not finished: {self._reader.waiting:,} bytes wait"
            found.append(Notice("unfinished-line", None, waiting))
        found += [
            Notice(kind, None, f"{count:,} more of the kind {kind}")
            for kind, count in self.data.hidden_notices.items()
        ]
        return sorted(found, key=lambda notice: (notice.line is None, notice.line or 0))

    def fits(self) -> bool:
        """Whether the file still holds, where it was read, what was read.

        Raises:
            OSError: it cannot be read, or was closed.
        """
        return self._reader.fits(self._source)

    def get_header(self) -> dict[str, Any]:
        """The header record as it is in the file; empty for an empty file."""
        return self.data.header

    def get_session_id(self) -> str:
        """Session id; empty when the header has none."""
        return _text(self.data.header.get("id"))

    def get_cwd(self) -> str:
        """Working directory by the header; empty when it states none. It need not exist."""
        header = self.data.header
        return _text(header.get("cwd")) or _text(header.get("workingDirectory"))

    def get_session_file(self) -> Path | None:
        """The session file; None in memory."""
        return self._path

    def get_session_dir(self) -> Path | None:
        """The folder new sessions of this manager go to."""
        return self._session_dir

    def get_parent_session(self) -> str | None:
        """Path of the session this one was forked from, by the header (older ones: `branchedFrom`)."""
        header = self.data.header
        return _text(header.get("parentSession")) or _text(header.get("branchedFrom")) or None

    def get_session_name(self) -> str | None:
        """Name by the last `session_info`; None when there is none or the last one is empty."""
        return self.data.name

    def first_user_text(self) -> str:
        """The beginning of the first thing the user said, by which Pi lists a session; empty without any."""
        table = self.table
        place = table.kinds.find(Kind.USER)
        while place >= 0:
            if said := table.texts[place].decode("utf-8", "replace").strip():
                return said
            place = table.kinds.find(Kind.USER, place + 1)
        return ""

    def stats(self) -> SessionStats:
        """Totals over the whole file, by the rules of Pi's own statistics."""
        return self.data.stats

    # What comes later

    def look_ahead(self, there: os.stat_result, most: int) -> ReadAhead | None:
        """Read what was added to the file since, without taking it yet; for any thread.

        Args:
            there: what the system says of the file that bears the name now.
            most: bytes to read at most.

        Returns:
            What was read; None while another thread reads or writes.

        Raises:
            SessionError: it cannot be read.
        """
        if not self._turn.acquire(blocking=False):
            return None
        try:
            start, source = self._reader.end, self._source
            words = self._reader.why_not_same(source, there) if isinstance(source, FileSource) else ""
            return ReadAhead(start, b"" if words else source.read(start, most), words)
        except OSError as error:
            raise SessionError(self._path, error.strerror or str(error)) from error
        finally:
            self._turn.release()

    def take(self, ahead: ReadAhead, *, last: bool) -> bool:
        """Take what was read ahead; False if another thread reads or writes, or has continued meanwhile.

        Args:
            ahead: what was read.
            last: whether it reaches to the end of the file, where a line without LF counts once it is whole.

        Raises:
            SessionError: with this the file is not a session.
        """
        if not self._turn.acquire(blocking=False):
            return False
        try:
            if ahead.start != self._reader.end:
                return False
            self._reader.feed(ahead.data)
            if last:
                self._reader.settle_tail()
            return True
        except NoSession as error:
            raise SessionError(self._path, f"it is no longer a session: {error}") from error
        finally:
            self._turn.release()

    @property
    def when_opened(self) -> os.stat_result | None:
        """What the system knew of the file when it was opened; None in memory."""
        return self._source.when_opened if isinstance(self._source, FileSource) else None

    def moved_to(self) -> Path | None:
        """Where the opened file lies, if not where it was; None if it is gone or the system does not tell."""
        where = self._source.where() if isinstance(self._source, FileSource) else None
        return where if where is not None and where != self._path else None

    # Entries

    def entry(self, index: int) -> Entry:
        """The entry at a place of the file, from 0."""
        return Entry(self._records, index)

    def get_entries(self) -> Sequence[Entry]:
        """All entries in file order, header not counted."""
        return EntryList(self._records)

    def get_entry_count(self) -> int:
        """Number of entries."""
        return len(self.table)

    def get_entry(self, entry_id: str) -> Entry | None:
        """The last entry with an id; None if there is none."""
        index = self.table.by_id.get(entry_id)
        return None if index is None else self.entry(index)

    def get_children(self, parent_id: str | None) -> list[Entry]:
        """Direct children of an entry in file order; of None, the roots whose record names no parent."""
        table = self.table
        if parent_id is None:
            return [
                self.entry(index)
                for index, parent in enumerate(table.parents)
                if parent < 0 and index not in table.unresolved
            ]
        wanted = table.by_id.get(parent_id, -1)
        if wanted < 0:
            return [self.entry(index) for index, name in table.unresolved.items() if name == parent_id]
        return [self.entry(index) for index, parent in enumerate(table.parents) if parent == wanted]

    # Leaf and labels

    @property
    def leaf_index(self) -> int:
        """Index of the leaf, -1 for none: the file's last entry unless `branch` or `reset_leaf` moved it."""
        return self.table.last if self._leaf is None else self._leaf

    def get_leaf_id(self) -> str | None:
        """Id of the leaf; None before any entry."""
        index = self.leaf_index
        return self.table.ids[index] if index >= 0 else None

    def get_leaf_entry(self) -> Entry | None:
        """The leaf; None before any entry."""
        index = self.leaf_index
        return self.entry(index) if index >= 0 else None

    def branch(self, from_id: str) -> None:
        """Move the leaf to an entry, in memory only, as in Pi.

        Raises:
            KeyError: no entry has this id.
        """
        if from_id not in self.table.by_id:
            raise KeyError(f"Entry {from_id} not found")
        self._leaf = self.table.by_id[from_id]

    def reset_leaf(self) -> None:
        """Move the leaf before any entry, in memory only."""
        self._leaf = -1

    def leaf_of_file(self) -> None:
        """Let the leaf be again where the file has it: at its last entry."""
        self._leaf = None

    @property
    def labels(self) -> dict[str, Label]:
        """Entry id → label."""
        return self.data.labels

    def get_label(self, entry_id: str) -> str | None:
        """The label of an entry; None if it has none."""
        label = self.data.labels.get(entry_id)
        return label.text if label is not None else None

    # Walks

    def branch_indexes(self, index: int) -> list[int]:
        """Indexes from the root to an entry, both included; empty for -1."""
        return self.table.path(index)

    def get_branch(self, from_id: str | None = None) -> list[Entry]:
        """Entries from the root to one (the leaf by default), both included; empty if there is none."""
        index = self.leaf_index if from_id is None else self.table.by_id.get(from_id, -1)
        return [self.entry(place) for place in self.table.path(index)]

    def get_tree(self) -> list[TreeNode]:
        """The session as nodes: roots in file order, children by time."""
        return build_tree(self.table, self.labels, self.entry)

    # Context

    def build_context_entries(self, leaf_id: str | None = None) -> list[Entry]:
        """The entries the context is made from, at the leaf or at another entry."""
        return context_entries(self.get_branch(leaf_id))

    def build_session_projection(self, leaf_id: str | None = None) -> SessionProjection:
        """The context entry by entry, at the leaf or at another entry."""
        return project(self.get_branch(leaf_id))

    def build_session_context(self, leaf_id: str | None = None) -> SessionContext:
        """What is sent to the model, at the leaf or at another entry."""
        projection = self.build_session_projection(leaf_id)
        return SessionContext(projection.messages, projection.thinking_level, projection.model)


def structure_notices(table: EntryTable, most: int = 200) -> list[Notice]:
    """What is odd about who hangs on whom: missing parents, chains without end, repeated ids.

    Args:
        table: the entries.
        most: notices of a kind before the rest is only counted.
    """
    missing = [index for index in table.unresolved if table.flags[index] & Flag.MISSING_PARENT]
    broken = [index for index in table.unresolved if table.flags[index] & Flag.BROKEN_CHAIN]
    found = repeat_notices(table)
    for kind, indexes, words in (
        ("missing-parent", missing, "entry {id}: its parent {parent} is not in the file; shown as a root"),
        ("broken-chain", broken, "entry {id}: its parents form a loop; cut here, shown as a root"),
        ("repeated-id", table.repeated, "entry {id}: an earlier entry has the same id; Pi uses the last one"),
    ):
        found += [
            Notice(
                kind,
                table.lines[index],
                words.format(id=table.ids[index], parent=table.unresolved.get(index, "")),
            )
            for index in indexes[:most]
        ]
        if len(indexes) > most:
            found.append(Notice(kind, None, f"{len(indexes) - most:,} more of the kind {kind}"))
    return found


def repeat_notices(table: EntryTable) -> list[Notice]:
    """That lines of a file repeat earlier ones, said once."""
    count = len(table.repeats)
    if not count:
        return []
    lines = "this line repeats" if count == 1 else f"this line and {count - 1:,} more repeat"
    words = f"{lines} earlier ones byte for byte; shown once, but counted in the totals, as in Pi's"
    return [Notice("repeated-line", table.repeats[0], words)]


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
