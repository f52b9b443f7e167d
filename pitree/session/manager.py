"""SessionManager: one session in memory, with the operations of Pi's class of the same name."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pitree.session.appender import Appender
from pitree.session.context import Messages
from pitree.session.fork import branch_records, write_new_file
from pitree.session.jsonl import dump
from pitree.session.kinds import Flag
from pitree.session.make import checked_session_id, file_name, header, new_session_id, now
from pitree.session.migrate import CURRENT_VERSION
from pitree.session.notices import SessionError, WriteError
from pitree.session.places import find_places
from pitree.session.reader import NoSession, SessionData, SessionReader
from pitree.session.reads import ReadOperations
from pitree.session.source import CHUNK, FileSource, MemorySource
from pitree.session.upgrade import upgrade_file
from pitree.session.writes import WriteOperations

if TYPE_CHECKING:
    from pitree.session.listing import OnProgress, SessionList

_HEADER_BYTES = 256 * 1024

Progress = Callable[[int, int], None]
"""Called with bytes read and bytes in all."""

PathLike = str | os.PathLike[str]


Records = list[dict[str, Any]]
"""Records in file order."""


class Cancelled(Exception):
    """Opening was given up because the caller asked so."""


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
    ) -> SessionManager:
        """Read a session file, whole.

        Args:
            path: the file.
            session_dir: the session folder for new sessions; the file's own folder by default.
            on_progress: called after each megabyte.
            cancelled: asked after each megabyte; True ends the reading.

        Raises:
            SessionError: no such file, not readable, or not a session.
            Cancelled: `cancelled` said so.
        """
        manager = cls._on_file(_absolute(path), session_dir)
        try:
            manager._read_on(on_progress, cancelled)
        except BaseException:
            manager.close()
            raise
        return manager

    @classmethod
    def open_tail(cls, path: PathLike, max_bytes: int = CHUNK) -> SessionManager | None:
        """The end of a large session: its header and the entries of its last bytes, to show at once.

        Returns:
            A session with `partial` set, whose first entries stand as roots though their parents lie further
            up in the file; None if the file is no larger than `max_bytes`, is of version 1, or cannot be read
            this way. Use `open` then.
        """
        try:
            manager = cls._on_file(_absolute(path), None)
        except SessionError:
            return None
        try:
            if manager._read_tail(max_bytes):
                return manager
        except (NoSession, OSError):
            pass
        manager.close()
        return None

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
            header: the header record, if another than a new one of the current version is wanted.
        """
        made = _new_header(_working_directory(cwd)) if header is None else header
        return cls._on_records([made, *entries], None, None)

    @classmethod
    def create(
        cls,
        cwd: PathLike,
        session_dir: PathLike | None = None,
        *,
        session_id: str | None = None,
        parent_session: PathLike | None = None,
    ) -> SessionManager:
        """A new session. Its file is written once it holds a user or assistant message.

        Raises:
            ValueError: the session id is none Pi takes.
        """
        where = _working_directory(cwd)
        made = _new_header(where, session_id, parent_session)
        directory = _absolute(session_dir) if session_dir else _default_dir(where)
        path = directory / file_name(made["timestamp"], made["id"])
        return cls._on_records([made], path, directory)

    @classmethod
    def continue_recent(cls, cwd: PathLike, session_dir: PathLike | None = None) -> SessionManager:
        """The session of a working directory whose file changed last, or a new one if there is none.

        In a session folder of one's own, which holds the sessions of many directories, the header's working
        directory decides.
        """
        where = _working_directory(cwd)
        default = _default_dir(where)
        directory = _absolute(session_dir) if session_dir else default
        for path in _newest_first(directory):
            try:
                manager = cls.open(path, directory)
            except SessionError:
                continue
            if directory == default or _absolute(manager.get_cwd() or os.sep) == Path(where):
                return manager
            manager.close()
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
            SessionError: the source is no session, or has no entries to take.
            WriteError: the new file cannot be written.
            ValueError: the session id is none Pi takes.
        """
        with_source = cls.open(source)
        try:
            if not with_source.get_header():
                raise SessionError(source, "an empty file cannot be forked")
            where = _working_directory(cwd)
            made = _new_header(where, session_id, with_source.path)
            directory = _absolute(session_dir) if session_dir else _default_dir(where)
            path = directory / file_name(made["timestamp"], made["id"])
            records = with_source.records
            write_new_file(path, (made, *(records.read(i) for i in range(len(with_source.table)))))
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
        from pitree.session.listing import list_sessions

        return await list_sessions(cwd, session_dir, on_progress)

    @staticmethod
    async def list_all(
        session_dir: PathLike | None = None, on_progress: OnProgress | None = None
    ) -> SessionList:
        """The sessions of all working directories; see `listing.list_all_sessions`."""
        from pitree.session.listing import list_all_sessions

        return await list_all_sessions(session_dir, on_progress)

    # Writing

    def create_branched_session(self, leaf_id: str) -> Path | None:
        """Turn this manager to a new session that holds the path to an entry only, as in Pi.

        Labels on the path come along. The new file lies in the session folder, names this session's file as
        its parent, and is written at once if the path holds a user or assistant message, else once one comes.

        Returns:
            Path of the new session; None for a session without a file.

        Raises:
            KeyError: no entry has this id.
            WriteError: the new file cannot be written; the manager stays where it was.
        """
        if leaf_id not in self.table.by_id:
            raise KeyError(f"Entry {leaf_id} not found")
        path_records = [entry.record for entry in self.get_branch(leaf_id)]
        made = _new_header(self.get_cwd(), None, self._path)
        records = [made, *branch_records(path_records, self.labels)]
        path = None
        if self._path is not None:
            path = (self._session_dir or self._path.parent) / file_name(made["timestamp"], made["id"])
        forked = SessionManager._on_records(records, path, self._session_dir)
        forked._write_if_due()
        self.close()
        self._become(forked)
        return path

    def upgrade(self) -> Path | None:
        """Bring the file to version 3, keeping the old one; return the old one's new path, None if not due.

        Raises:
            WriteError: nothing was changed.
        """
        if self.version >= CURRENT_VERSION or not isinstance(self._source, FileSource) or self._path is None:
            return None
        self._refuse_if_read_only()
        records = (self.records.read(index) for index in range(len(self.table)))
        backup = upgrade_file(self._path, self.version, self.get_header(), records, self._source.stat())
        upgraded = SessionManager.open(self._path, self._session_dir)
        self.close()
        leaf = self._leaf
        self._become(upgraded)
        self._leaf = leaf
        return backup

    def catch_up(self) -> int:
        """Read what was added to the file since; return how many entries came.

        Raises:
            WriteError: the file can no longer be read.
        """
        return self._appender().catch_up() if isinstance(self._source, FileSource) else 0

    def _append(self, make: Callable[[], Records]) -> Records:
        self._refuse_if_read_only()
        if isinstance(self._source, FileSource):
            records = self._appender().append(make)
        else:
            records = make()
            before = self._source.size()
            self._source.append(b"".join(dump(record) + b"\n" for record in records))
            self._reader.feed(self._source.read(before, self._source.size() - before))
            try:
                self._write_if_due()
            except WriteError:
                self._forget(before)
                raise
        self._leaf = None
        return records

    def _refuse_if_read_only(self) -> None:
        if self.read_only:
            raise WriteError(self._path or "the session", "nothing was written: it is opened read-only")

    def _appender(self) -> Appender:
        assert isinstance(self._source, FileSource)
        assert self._path is not None
        return Appender(self._path, self._source, self._reader)

    def _write_if_due(self) -> None:
        """Put a new session on the disk once there is a conversation in it."""
        counts = self.stats().messages
        if self._path is None or not (counts.get("user") or counts.get("assistant")):
            return
        records = [self.get_header(), *(entry.record for entry in self.get_entries())]
        write_new_file(self._path, records)
        self._become(SessionManager.open(self._path, self._session_dir))

    def _forget(self, end: int) -> None:
        """Go back to what an unwritten session held in its first bytes."""
        kept = self._source.read(0, end)
        fresh = SessionManager._on_bytes(kept, self._path, self._session_dir)
        leaf = self._leaf
        self._become(fresh)
        self._leaf = leaf

    def _become(self, other: SessionManager) -> None:
        self.__dict__.update(other.__dict__)

    def _context_messages(self) -> Messages:
        leaf = self.get_leaf_id()
        return self.build_session_context(leaf).messages if leaf is not None else []

    # Reading

    @classmethod
    def _on_file(cls, path: Path, session_dir: PathLike | None) -> SessionManager:
        try:
            if path.exists() and not path.is_file():
                raise SessionError(path, "is no file" if not path.is_dir() else "is a folder")
            source = FileSource(path)
        except OSError as error:
            raise SessionError(path, error.strerror or str(error)) from error
        directory = _absolute(session_dir) if session_dir else path.parent
        return cls(source, SessionReader(), path, directory)

    @classmethod
    def _on_records(
        cls, records: Iterable[dict[str, Any]], path: Path | None, session_dir: Path | None
    ) -> SessionManager:
        return cls._on_bytes(b"".join(dump(record) + b"\n" for record in records), path, session_dir)

    @classmethod
    def _on_bytes(cls, data: bytes, path: Path | None, session_dir: Path | None) -> SessionManager:
        reader = SessionReader(SessionData())
        reader.feed(data)
        reader.finish()
        return cls(MemorySource(data), reader, path, session_dir)

    def _read_on(self, on_progress: Progress | None, cancelled: Callable[[], bool] | None) -> None:
        reader = self._reader
        try:
            size = self._source.size()
            while data := self._source.read(reader.end, CHUNK):
                reader.feed(data)
                if on_progress is not None:
                    on_progress(reader.end, max(size, reader.end))
                if cancelled is not None and cancelled():
                    raise Cancelled
            reader.finish()
        except NoSession as error:
            raise SessionError(self._path, f"not a session: {error}") from error
        except OSError as error:
            raise SessionError(self._path, error.strerror or str(error)) from error
        if not reader.end:
            reader.data.tell("empty", None, "an empty file: a session with no entries yet")
        elif reader.waiting and not reader.tail_taken:
            reader.data.tell(
                "unfinished-line", None, f"the last line is not finished: {reader.waiting:,} bytes wait"
            )

    def _read_tail(self, max_bytes: int) -> bool:
        size = self._source.size()
        if size <= max_bytes:
            return False
        start = self._source.read(0, _HEADER_BYTES)
        end_of_header = start.find(b"\n")
        if end_of_header < 0:
            return False
        self._reader.feed(start[: end_of_header + 1])
        data = self._reader.data
        if not data.header or data.version < 2:
            return False
        tail = self._source.read(size - max_bytes, max_bytes)
        first = tail.find(b"\n") + 1
        if not first or size - max_bytes + first < end_of_header + 1:
            return False
        self._reader = SessionReader(data, headless=True, offset=size - max_bytes + first)
        self._reader.feed(tail[first:])
        self._reader.settle_tail()
        table = data.table
        for index in table.unresolved:
            table.flags[index] &= ~Flag.MISSING_PARENT
        table.unresolved.clear()
        data.notices.clear()
        self.partial = True
        return len(table) > 0


def _absolute(path: PathLike) -> Path:
    return Path(os.path.abspath(os.path.expanduser(path)))


def _working_directory(cwd: PathLike | None) -> str:
    return str(_absolute(cwd)) if cwd is not None else os.getcwd()


def _default_dir(cwd: str) -> Path:
    return Path(find_places(cwd).default_folder)


def _new_header(
    cwd: str, session_id: str | None = None, parent_session: PathLike | None = None
) -> dict[str, Any]:
    chosen = checked_session_id(session_id) if session_id is not None else new_session_id()
    return header(chosen, now(), cwd, os.fspath(parent_session) if parent_session else None)


def _newest_first(directory: Path) -> list[Path]:
    found = []
    try:
        for path in directory.glob("*.jsonl"):
            found.append((path.stat().st_mtime, path))
    except OSError:
        pass
    return [path for _, path in sorted(found, reverse=True)]
