"""SessionManager: one session in memory, with the operations of Pi's class of the same name."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pitree.catalog.info.lookup import newest_first
from pitree.pi.places import absolute, default_session_dir
from pitree.session.context.projection import Messages
from pitree.session.format.entry_type import ASSISTANT_KINDS, Kind
from pitree.session.format.errors import SessionError, WriteError
from pitree.session.format.jsonl import dump
from pitree.session.format.migrate import CURRENT_VERSION
from pitree.session.format.new_records import checked_session_id, file_name, header, new_session_id, now
from pitree.session.manager.appends import WriteOperations
from pitree.session.manager.fork import branch_records, whole_lines, whole_records
from pitree.session.manager.queries import ReadOperations
from pitree.session.reading.appender import Appender
from pitree.session.reading.file_reader import Cancelled, Progress, open_source, read_end, read_whole
from pitree.session.reading.reader import NoSession, SessionData, SessionReader
from pitree.session.storage.atomic_file import write_new_file
from pitree.session.storage.byte_source import CHUNK, FileSource, MemorySource
from pitree.session.storage.lock import session_lock
from pitree.session.storage.upgrade import upgrade_file

if TYPE_CHECKING:
    from pitree.catalog.loading.lister import OnProgress, SessionList

__all__ = ["Cancelled", "PathLike", "Progress", "SessionManager"]

PathLike = str | os.PathLike[str]

Records = list[dict[str, Any]]
"""Records in file order."""


class SessionManager(ReadOperations, WriteOperations):
    """A session: its entries, its tree and its leaf.

    Looking changes nothing on disk: opening repairs nothing, and older formats are brought to version 3 in
    memory only. Writing only appends; the first write to an older format needs `upgrade` before.
    """

    read_only = False
    """Whether every write is refused."""

    # Opening

    @classmethod
    def open(
        cls,
        path: PathLike,
        session_dir: PathLike | None = None,
        *,
        on_progress: Progress | None = None,
        cancelled: Callable[[], bool] | None = None,
        on_end: Callable[[SessionManager], object] | None = None,
    ) -> SessionManager:
        """Read a session file, whole; a large one by several processes, if they can be started.

        Args:
            path: the file.
            session_dir: the session folder for new sessions; the file's own folder by default.
            on_progress: called after each few megabytes.
            cancelled: asked again and again; True ends the reading.
            on_end: called, while the rest of a large file is read, with more and more of its end: sessions
                as `open_tail` gives them.

        Raises:
            SessionError: no such file, not readable, or not a session.
            Cancelled: `cancelled` said so.
        """
        file = _absolute(path)
        directory = _absolute(session_dir) if session_dir else file.parent
        source = open_source(file)
        manager = cls(source, SessionReader(), file, directory)

        def end_read(reader: SessionReader) -> None:
            if on_end is not None:
                on_end(cls._on_end(source.again(), reader, file))

        try:
            read_whole(
                file,
                source,
                manager._reader,
                on_progress,
                cancelled,
                None if on_end is None else end_read,
            )
        except BaseException:
            manager.close()
            raise
        return manager

    @classmethod
    def open_tail(cls, path: PathLike, max_bytes: int = CHUNK) -> SessionManager | None:
        """The end of a large session: its header and the entries of its last bytes, to show at once.

        Returns:
            A session with `partial` set, whose first entries stand as roots though their parents lie further
            up in the file, and which refuses to be written to; None if the file is no larger than
            `max_bytes`, is of version 1, or cannot be read this way. Use `open` then.
        """
        file = _absolute(path)
        try:
            source = open_source(file)
        except SessionError:
            return None
        try:
            reader = read_end(source, max_bytes)
        except (NoSession, OSError):
            reader = None
        if reader is None:
            source.close()
            return None
        return cls._on_end(source, reader, file)

    @classmethod
    def _on_end(cls, source: FileSource, reader: SessionReader, file: Path) -> SessionManager:
        manager = cls(source, reader, file, file.parent)
        manager.partial = True
        return manager

    @classmethod
    def in_memory(
        cls,
        cwd: PathLike | None = None,
        entries: Iterable[dict[str, Any]] = (),
        header: dict[str, Any] | None = None,
    ) -> SessionManager:
        """A session without a file.

        Args:
            cwd: its working directory; the process's own by default.
            entries: records in file order, without header.
            header: the header record, if another than a new one of the current version is wanted. Entries of
                an older version are brought to the current one.
        """
        made = _new_header(_working_directory(cwd)) if header is None else header
        manager = cls._on_records([made, *entries], None, None)
        if manager.version >= CURRENT_VERSION:
            return manager
        current = (manager.records.load(index) for index in range(len(manager.table)))
        return cls._on_records([{**made, "version": CURRENT_VERSION}, *current], None, None)

    @classmethod
    def create(
        cls,
        cwd: PathLike,
        session_dir: PathLike | None = None,
        *,
        session_id: str | None = None,
        parent_session: PathLike | None = None,
    ) -> SessionManager:
        """A new session. Its file is written once it holds a user or assistant message, or by `write_now`.

        Raises:
            ValueError: the session id is none Pi takes.
        """
        where = _working_directory(cwd)
        made = _new_header(where, session_id, parent_session)
        directory = _absolute(session_dir) if session_dir else default_session_dir(where)
        path = directory / file_name(made["timestamp"], made["id"])
        return cls._on_records([made], path, directory)

    @classmethod
    def continue_recent(cls, cwd: PathLike, session_dir: PathLike | None = None) -> SessionManager:
        """The session of a working directory whose file changed last, or a new one if there is none.

        In a session folder of one's own, which holds the sessions of many directories, the header's working
        directory decides.
        """
        where = _working_directory(cwd)
        default = default_session_dir(where)
        directory = _absolute(session_dir) if session_dir else default
        for path in newest_first(directory, where if directory != default else None):
            try:
                return cls.open(path, directory)
            except SessionError:
                continue
        return cls.create(where, directory)

    @classmethod
    def fork_from(
        cls,
        source: PathLike,
        cwd: PathLike,
        session_dir: PathLike | None = None,
        *,
        session_id: str | None = None,
    ) -> SessionManager:
        """A new session with all entries of another, in another working directory.

        Raises:
            SessionError: the source is not a session, or an empty file.
            WriteError: the new file cannot be written.
            ValueError: the session id is none Pi takes.
        """
        with_source = cls.open(source)
        try:
            if not with_source.get_header():
                raise SessionError(source, "an empty file cannot be forked")
            where = _working_directory(cwd)
            made = _new_header(where, session_id, with_source.path)
            directory = _absolute(session_dir) if session_dir else default_session_dir(where)
            path = directory / file_name(made["timestamp"], made["id"])
            write_new_file(path, chain([made], whole_lines(with_source)))
        finally:
            with_source.close()
        return cls.open(path, directory)

    # Listing

    @staticmethod
    async def list(
        cwd: PathLike | None = None,
        session_dir: PathLike | None = None,
        on_progress: OnProgress | None = None,
    ) -> SessionList:
        """The sessions of one working directory; see `listing.list_sessions`."""
        from pitree.catalog.loading.lister import list_sessions

        return await list_sessions(cwd, session_dir, on_progress)

    @staticmethod
    async def list_all(
        session_dir: PathLike | None = None, on_progress: OnProgress | None = None
    ) -> SessionList:
        """The sessions of all working directories; see `listing.list_all_sessions`."""
        from pitree.catalog.loading.lister import list_all_sessions

        return await list_all_sessions(session_dir, on_progress)

    # Writing

    def create_branched_session(self, leaf_id: str | None) -> Path | None:
        """Turn this manager to a new session that holds the path to an entry only, as in Pi.

        Labels on the path come along. The new file lies in the session folder, names this session's file as
        its parent, and is written at once if the path holds a user or assistant message, else once one comes
        or by `write_now`.

        Args:
            leaf_id: the entry; None for a session without entries, as when one continues before the first.

        Returns:
            Path of the new session; None for a session without a file.

        Raises:
            KeyError: no entry has this id.
            WriteError: the new file cannot be written; the manager stays where it was.
        """
        if self._path is not None:
            self._refuse_if_read_only()
        with self._turn:
            with suppress(WriteError):  # a session whose file is gone can still be forked
                self.catch_up()
            indexes = self.table.path(self.table.by_id[self._known(leaf_id)]) if leaf_id is not None else []
            made = _new_header(self.get_cwd() or os.getcwd(), None, self._path)
            records = chain([made], branch_records(whole_records(self, indexes), self.labels))
            path = None
            if self._path is not None:
                path = (self._session_dir or self._path.parent) / file_name(made["timestamp"], made["id"])
            if path is not None and any(self.table.kinds[index] in _CONVERSATION for index in indexes):
                write_new_file(path, records)
                forked = SessionManager.open(path, self._session_dir)
            else:
                forked = SessionManager._on_records(records, path, self._session_dir)
            self._become(forked)
            return path

    def write_now(self) -> Path | None:
        """Write a new session that holds no message yet, so that Pi can open it by its path.

        Returns:
            Its path; None for a session without a file. One that is written already is left alone.

        Raises:
            WriteError: it cannot be written.
        """
        with self._turn:
            if self._path is not None and not isinstance(self._source, FileSource):
                self._refuse_if_read_only()
                write_new_file(self._path, chain([self.get_header()], whole_lines(self)))
                leaf = self._leaf
                self._become(SessionManager.open(self._path, self._session_dir))
                self._leaf = leaf
            return self._path

    def upgrade(self) -> Path | None:
        """Bring the file to version 3, keeping the old one; return the old one's new path, None if not due.

        Raises:
            WriteError: nothing was changed.
        """
        if self.version >= CURRENT_VERSION or not isinstance(self._source, FileSource) or self._path is None:
            return None
        self._refuse_if_read_only()
        with self._turn, session_lock(self._path):
            there = self._appender().catch_up_whole()
            entries = whole_lines(self)
            backup = upgrade_file(self._path, self.version, self.get_header(), entries, there)
            upgraded = SessionManager.open(self._path, self._session_dir)
            leaf = self._leaf
            self._become(upgraded)
            self._leaf = leaf
            return backup

    def catch_up(self) -> int:
        """Read what was added to the file since; return how many entries came.

        Raises:
            WriteError: the file is gone, another one, rewritten, or can no longer be read.
        """
        with self._turn:
            return self._appender().catch_up() if isinstance(self._source, FileSource) else 0

    def _append(self, make: Callable[[], Records]) -> Records:
        self._refuse_if_read_only()
        with self._turn:
            if isinstance(self._source, FileSource):
                records = self._appender().append(make)
            else:
                records = make()
                self._append_in_memory(records)
            self._leaf = None
            return records

    def _append_in_memory(self, records: Records) -> None:
        before = self._source.size()
        assert isinstance(self._source, MemorySource)
        self._source.append(b"".join(dump(record) + b"\n" for record in records))
        self._reader.feed(self._source.read(before, self._source.size() - before))
        counts = self.stats().messages
        if counts.get("user") or counts.get("assistant"):
            leaf = self._leaf
            try:
                self.write_now()
            except WriteError:
                kept = self._source.read(0, before)
                self._become(SessionManager._on_bytes(kept, self._path, self._session_dir))
                self._leaf = leaf
                raise

    def _refuse_if_read_only(self) -> None:
        if self.read_only:
            raise WriteError(self._path or "the session", "nothing was written: it is open read-only")
        if self.partial:
            raise WriteError(self._path, "nothing was written: the session is still loading")

    def _appender(self) -> Appender:
        assert isinstance(self._source, FileSource)
        assert self._path is not None
        return Appender(self._path, self._source, self._reader, lambda: _new_header(os.getcwd()))

    def _become(self, other: SessionManager) -> None:
        # The former source stays open for as long as entries that were handed out are read from it.
        self.__dict__.update(other.__dict__ | {"_turn": self._turn})

    def _context_messages(self) -> Messages:
        leaf = self.get_leaf_id()
        return self.build_session_context(leaf).messages if leaf is not None else []

    # Making

    @classmethod
    def _on_records(
        cls, records: Iterable[dict[str, Any]], path: Path | None, session_dir: Path | None
    ) -> SessionManager:
        return cls._on_bytes(b"".join(dump(record) + b"\n" for record in records), path, session_dir)

    @classmethod
    def _on_bytes(cls, data: bytes, path: Path | None, session_dir: Path | None) -> SessionManager:
        reader = SessionReader(SessionData())
        source = MemorySource(data)
        reader.data.table.reread = source.read
        reader.feed(data)
        reader.finish()
        return cls(source, reader, path, session_dir)


_CONVERSATION = ASSISTANT_KINDS | {Kind.USER}


def _absolute(path: PathLike) -> Path:
    return Path(absolute(os.fspath(path), os.getcwd()))


def _working_directory(cwd: PathLike | None) -> str:
    return str(_absolute(cwd)) if cwd is not None else os.getcwd()


def _new_header(
    cwd: str, session_id: str | None = None, parent_session: PathLike | None = None
) -> dict[str, Any]:
    chosen = checked_session_id(session_id) if session_id is not None else new_session_id()
    return header(chosen, now(), cwd, os.fspath(parent_session) if parent_session else None)
