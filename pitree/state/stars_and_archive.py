"""What the reader starred and archived, sessions and branches: kept in the state folder."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pitree.resources import state_folder
from pitree.session.format.errors import WriteError
from pitree.session.storage.lock import session_lock

FORMAT = 1
"""Version of the file's format; one of a later version is read as far as it is understood, never written."""

_ASIDE = ".broken"


def shelf_file() -> Path:
    """The user's own file."""
    return state_folder() / "shelf.json"


@dataclass(frozen=True, slots=True)
class Marks:
    """What is kept of one session.

    Attributes:
        starred: whether it is starred.
        archived: whether it is archived, out of the lists.
        branches: ids of the entries at which branches start that are archived, out of the tree.
    """

    starred: bool = False
    archived: bool = False
    branches: frozenset[str] = frozenset()


NOTHING = Marks()


@dataclass(slots=True)
class _Record:
    """A session in the file: where it lay, and since when what is kept of it (ISO times)."""

    id: str
    path: str
    starred: str = ""
    archived: str = ""
    branches: dict[str, str] = field(default_factory=dict)

    @property
    def kept(self) -> Marks:
        return Marks(bool(self.starred), bool(self.archived), frozenset(self.branches))

    def as_json(self) -> dict[str, Any]:
        told: dict[str, Any] = {"id": self.id, "path": self.path}
        for name in ("starred", "archived", "branches"):
            if value := getattr(self, name):
                told[name] = value
        return told


_Records = dict[str, list[_Record]]
"""Session id → its records: one, unless a file was copied."""


class Shelf:
    """Stars, and what is archived, as one file tells them.

    Any number of programs may use the file at once: each change reads it again under a lock, and replaces it
    in one step. A session goes by its id and its file; one whose file lies elsewhere by now keeps what it
    had, and a copy beside the original has its own. All methods may be called from any thread.

    Args:
        path: the file; None keeps everything in this object alone.

    Attributes:
        trouble: what is wrong with the file, in words; empty if nothing is.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.trouble = ""
        self._path = path
        self._stamp: tuple[int, int, int] | None = None
        self._records: _Records = {}

    @property
    def path(self) -> Path | None:
        """The file."""
        return self._path

    def of(self, session_id: str, path: str) -> Marks:
        """What is kept of a session, by its id and its file, as of the last `refresh` or `change`."""
        record = _find(self._records, session_id, path)
        return record.kept if record is not None else NOTHING

    def __bool__(self) -> bool:
        return bool(self._records)

    def refresh(self) -> bool:
        """Read the file if it is another one than before; whether it is."""
        path = self._path
        if path is None or (stamp := _stamp(path)) == self._stamp:
            return False
        try:
            self._take(_read(path))
        except ValueError:
            # Only who holds the lock may move the file: another pitree may be putting a sound one there.
            with suppress(WriteError), session_lock(path):
                self._take(self._read_or_put_aside(path))
        self._stamp = stamp
        return True

    def change(
        self,
        session_id: str,
        path: str,
        *,
        starred: bool | None = None,
        archived: bool | None = None,
        archive_branches: Iterable[str] = (),
        restore_branches: Iterable[str] = (),
    ) -> Marks:
        """Change what is kept of a session; None leaves a thing as it is.

        Args:
            session_id: id of the session.
            path: its file.
            starred: whether it is starred.
            archived: whether it is archived.
            archive_branches: entries at which branches start that are archived.
            restore_branches: such entries whose branches are shown again.

        Returns:
            What is kept of it now.

        Raises:
            WriteError: nothing was changed.
        """
        now = datetime.now(UTC).isoformat(timespec="seconds")
        path = os.path.abspath(path)
        with self._changing() as records:
            record = _find(records, session_id, path)
            if record is None:
                record = _Record(session_id, path)
                records.setdefault(session_id, []).append(record)
            record.path = path
            if starred is not None:
                record.starred = (record.starred or now) if starred else ""
            if archived is not None:
                record.archived = (record.archived or now) if archived else ""
            for entry in archive_branches:
                record.branches.setdefault(entry, now)
            for entry in restore_branches:
                record.branches.pop(entry, None)
            kept = record.kept
            if kept == NOTHING:
                records[session_id].remove(record)
                if not records[session_id]:
                    del records[session_id]
        return kept

    @contextmanager
    def _changing(self) -> Iterator[_Records]:
        """The records as the file has them now; what is made of them is written at the end."""
        path = self._path
        if path is None:
            yield self._records
            return
        # Not loaded before the first frame, which needs neither.
        from pitree.session.format.jsonl import dump
        from pitree.session.storage.atomic_file import written_beside

        with session_lock(path):
            read = self._read_or_put_aside(path)
            self._take(read)
            if read.closed:
                raise WriteError(path, f"nothing was saved: {read.trouble}")
            yield read.records
            told = [record.as_json() for same in read.records.values() for record in same]
            try:
                path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                with written_beside(path, [dump({"version": FORMAT, "sessions": told})], 0o600) as made:
                    os.replace(made, path)
            except OSError as error:
                raise WriteError(path, f"nothing was saved: {error.strerror or error}") from error
            self._records, self._stamp = read.records, _stamp(path)

    def _take(self, read: _Read) -> None:
        self._records, self.trouble = read.records, read.trouble

    @staticmethod
    def _read_or_put_aside(path: Path) -> _Read:
        """What the file says; one that cannot be understood gets another name. The lock must be held."""
        try:
            return _read(path)
        except ValueError as error:
            reason = str(error)
        try:
            taken = set(os.listdir(path.parent))
            names = (f"{path.name}{_ASIDE}{number or ''}" for number in range(len(taken) + 1))
            aside = next(name for name in names if name not in taken)
            os.replace(path, path.with_name(aside))
        except OSError as error:
            why = error.strerror or str(error)
            return _Read({}, f"{path} cannot be read ({reason}), and cannot be moved: {why}", closed=True)
        return _Read({}, f"{path} cannot be read ({reason}): it was moved to {aside}")


@dataclass(frozen=True, slots=True)
class _Read:
    """What a file says.

    Attributes:
        records: the sessions.
        trouble: what is wrong with it, in words.
        closed: whether it must not be written.
    """

    records: _Records
    trouble: str = ""
    closed: bool = False


def _read(path: Path) -> _Read:
    """What a file says; nothing if it is not there.

    Raises:
        ValueError: it cannot be understood.
    """
    from pitree.session.format.jsonl import parse

    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return _Read({})
    except OSError as error:
        return _Read({}, f"{path} cannot be read: {error.strerror or error}", closed=True)
    whole = parse(data)
    version = whole.get("version") if isinstance(whole, dict) else None
    if isinstance(version, int) and version > FORMAT:
        return _Read({}, f"{path} was written by a newer pitree; it is not changed", closed=True)
    if not isinstance(whole, dict) or not isinstance(whole.get("sessions"), list):
        raise ValueError("it has no list of sessions")
    records: _Records = {}
    for told in whole["sessions"]:
        record = _record(told)
        records.setdefault(record.id, []).append(record)
    return _Read(records)


def _record(told: Any) -> _Record:
    if not isinstance(told, dict):
        raise ValueError("a session in it is not an object")
    session_id, path, branches = told.get("id"), told.get("path"), told.get("branches") or {}
    if not (isinstance(session_id, str) and isinstance(path, str) and isinstance(branches, dict)):
        raise ValueError("a session in it has no id, no path or no branches")
    starred, archived = (str(told.get(name) or "") for name in ("starred", "archived"))
    since = {str(entry): str(time) for entry, time in branches.items()}
    return _Record(session_id, path, starred, archived, since)


def _find(records: Mapping[str, list[_Record]], session_id: str, path: str) -> _Record | None:
    """The record of a session: that of its file, else one whose file lies there no more."""
    same = records.get(session_id, ())
    tests: tuple[Callable[[str], bool], ...] = (
        lambda other: other == path,
        lambda other: os.path.realpath(other) == os.path.realpath(path),
        lambda other: not os.path.exists(other),
    )
    return next((record for test in tests for record in same if test(record.path)), None)


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns
