"""What a list shows of each session, kept from one start to the next, so that unchanged files are not read.

It is no more than a help: whatever is wrong with it, sessions are read as if it were not there, and nobody is
told. A row is taken only if its file is, by all the system tells, the one that was read.
"""

from __future__ import annotations

import errno
import os
import threading
import time
import zlib
from collections.abc import Collection, Iterable, Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from pitree import __version__
from pitree.catalog.info.info_codec import CODE, decoded, encoded
from pitree.catalog.info.session_info import SessionInfo
from pitree.pi.places import SessionFile
from pitree.state.cache_folder import make_private_file
from pitree.workers.failures import Failure, start_thread

if TYPE_CHECKING:
    from sqlite3 import Connection

FORMAT = zlib.crc32(f"{CODE} of pitree {__version__}".encode()) & 0x7FFFFFFF
"""What the file is marked with. One with another mark was written by another pitree, and is made again."""
AT_ONCE = 500
"""Sessions asked for, or written, in one go."""
QUIET = 3.0
"""Seconds without news after which news is written."""
LONGEST_WAIT = 30.0
"""Seconds after which it is written anyway."""
WAIT_TO_READ = 0.1
WAIT_TO_WRITE = 2.0
"""Seconds for which another process may keep the file to itself."""
TRIES = 3

_TABLE = "CREATE TABLE sessions (path BLOB PRIMARY KEY NOT NULL, sum INTEGER NOT NULL, facts BLOB NOT NULL)"
_BROKEN = frozenset({1, 11, 17, 20, 24, 26})
"""Primary result codes of SQLite for a file that is not a cache, or is damaged: ERROR, CORRUPT, SCHEMA,
MISMATCH, FORMAT, NOTADB."""
_BUSY = frozenset({5, 6})


class _OtherFormat(Exception):
    """The file was written by another pitree."""


class InfoCache:
    """Sessions as they were read before, in a file that any number of pitrees share. Safe in any thread.

    Args:
        path: the file; it is made when there is something to be written.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._usable = True
        self._news: dict[str, SessionInfo | None] = {}
        self._listed: set[str] | None = None
        self._first = self._last = 0.0
        self._hurry = False
        self._tries = 0
        self._writing = False
        self._change = threading.Condition()
        self._writer: threading.Thread | None = None

    # -- reading --------------------------------------------------------------------------------------

    def find(self, files: Collection[SessionFile]) -> dict[str, SessionInfo]:
        """What is known of files, by path.

        Of a file that is the same as then, it is all there is to know. One that has grown can be read on from
        where its reading ended. Of any other file nothing is known.
        """
        found: dict[str, SessionInfo] = {}
        if not self._usable:
            return found
        by_name = {os.fsencode(file.path): file for file in files}
        try:
            with closing(self._open(WAIT_TO_READ)) as connection:
                for path, total, facts in _rows(connection, by_name):
                    file = by_name.get(path)
                    if file is None or total != _sum(path, facts):
                        continue
                    info = _known(file, facts)
                    if info is not None:
                        found[file.path] = info
        except FileNotFoundError:
            pass
        except Exception as error:  # Whatever a damaged file leads to, it is no reason not to list sessions.
            self._failed(error)
        return found

    # -- writing --------------------------------------------------------------------------------------

    def keep(self, infos: Iterable[SessionInfo]) -> None:
        """Have sessions written down at a quiet moment, by a thread."""
        self._take((info.path, info) for info in infos if info.resume is not None)

    def forget(self, paths: Iterable[str]) -> None:
        """Have files forgotten that are gone."""
        self._take((path, None) for path in paths)

    def tidy(self, listed: Iterable[str]) -> None:
        """Write down what there is to be written, and forget files that do not exist any more.

        Args:
            listed: paths of files that do exist, which need not be looked for.
        """
        with self._change:
            self._listed = set(listed)
        self.hurry()

    def hurry(self) -> None:
        """Write what there is to be written without waiting for a quiet moment."""
        with self._change:
            self._hurry = True
            self._start()

    def finish(self, wait: float) -> None:
        """Wait until all is written, but not for longer than this many seconds."""
        self.hurry()
        with self._change:
            self._change.wait_for(lambda: not (self._undone and self._usable), wait)

    def _take(self, news: Iterable[tuple[str, SessionInfo | None]]) -> None:
        with self._change:
            before = len(self._news)
            self._news.update(news)
            if self._news and self._usable:
                self._last = time.monotonic()
                self._first = self._first if before else self._last
                self._start()

    @property
    def _undone(self) -> bool:
        return bool(self._news) or self._listed is not None or self._writing

    def _start(self) -> None:
        """Have a thread see to what is to be written. The lock is held."""
        if not self._usable:
            self._news, self._listed = {}, None
        elif self._writer is None and self._undone:
            self._writer = start_thread("pitree-cache", "keep what was listed", self._write_on, self._stopped)
        self._change.notify_all()

    def _wait(self) -> float:
        """Seconds until it is time to write. The lock is held."""
        if self._hurry or len(self._news) >= AT_ONCE:
            return 0.0
        return min(self._last + QUIET, self._first + LONGEST_WAIT) - time.monotonic()

    def _write_on(self) -> None:
        while True:
            with self._change:
                self._writing = False
                self._change.notify_all()
                while self._undone and self._usable and (wait := self._wait()) > 0:
                    self._change.wait(wait)
                if not (self._undone and self._usable):
                    self._hurry, self._writer = False, None
                    return
                news = dict(islice(self._news.items(), AT_ONCE))
                for path in news:
                    del self._news[path]
                listed = None
                if not self._news:
                    listed, self._listed = self._listed, None
                self._writing = True
            try:
                self._write(news, listed)
                self._tries = 0
            except Exception as error:
                self._failed(error, news)

    def _stopped(self, failure: Failure) -> None:
        """Do without the file: nobody has to wait for what is not written any more."""
        with self._change:
            self._usable = self._writing = False
            self._news, self._listed, self._writer = {}, None, None
            self._change.notify_all()

    def _write(self, news: dict[str, SessionInfo | None], listed: set[str] | None) -> None:
        rows, gone = [], []
        for path, info in news.items():
            name = os.fsencode(path)
            facts = encoded(info) if info is not None else None
            if facts is None:
                gone.append(name)
            else:
                rows.append((name, _sum(name, facts), facts))
        if not self._path.exists() and not rows:
            return
        with closing(self._open_or_make()) as connection:
            if listed is not None:
                kept = connection.execute("SELECT path FROM sessions").fetchall()
                gone += [path for (path,) in kept if _is_gone(path, listed)]
            if not rows and not gone:
                return
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany("INSERT OR REPLACE INTO sessions VALUES (?, ?, ?)", rows)
            connection.executemany("DELETE FROM sessions WHERE path = ?", ((path,) for path in gone))
            connection.execute("COMMIT")

    # -- the file -------------------------------------------------------------------------------------

    def _open(self, wait: float) -> Connection:
        """Open the file.

        Raises:
            FileNotFoundError: there is none.
            OSError: it is none, or cannot be looked at.
            _OtherFormat: it is another pitree's, or new.
            sqlite3.Error: it cannot be used.
        """
        if not self._path.exists():
            raise FileNotFoundError(self._path)
        if not self._path.is_file():
            raise OSError(errno.EINVAL, "not a regular file", str(self._path))
        connection = self._connect(wait)
        try:
            if _format_of(connection) != FORMAT:
                raise _OtherFormat
        except BaseException:
            connection.close()
            raise
        return connection

    def _connect(self, wait: float) -> Connection:
        import sqlite3  # Here, since not every start needs it, and in a thread, as whoever calls this is.

        connection = sqlite3.connect(
            f"{self._path.absolute().as_uri()}?mode=rw", timeout=wait, isolation_level=None, uri=True
        )
        # A crash of the system may damage the file; that is noticed, and it is made anew.
        for setting in (
            "synchronous = OFF", "trusted_schema = OFF", "cell_size_check = ON", "secure_delete = ON",
        ):  # fmt: skip
            connection.execute(f"PRAGMA {setting}")
        return connection

    def _open_or_make(self) -> Connection:
        make_private_file(self._path)
        try:
            return self._open(WAIT_TO_WRITE)
        except _OtherFormat:
            return self._make()

    def _make(self) -> Connection:
        """Make an empty cache of what is there, unless another process has just done so."""
        connection = self._connect(WAIT_TO_WRITE)
        try:
            connection.execute("BEGIN EXCLUSIVE")
            if _format_of(connection) != FORMAT:
                connection.execute("DROP TABLE IF EXISTS sessions")
                connection.execute(_TABLE)
                connection.execute(f"PRAGMA user_version = {FORMAT}")
            connection.execute("COMMIT")
        except BaseException:
            connection.close()
            raise
        return connection

    def _remove(self) -> None:
        for ending in ("", "-journal", "-wal", "-shm"):
            self._path.with_name(self._path.name + ending).unlink(missing_ok=True)

    def _failed(self, error: Exception, news: dict[str, SessionInfo | None] | None = None) -> None:
        """Reading or writing did not work: make the file again, try again later, or do without it."""
        if isinstance(error, _OtherFormat):
            return  # What is written next makes it anew.
        code = getattr(error, "sqlite_errorcode", None)
        primary = code & 0xFF if isinstance(code, int) else None
        if primary in _BUSY and news is None:
            return
        with self._change:
            self._tries += 1
            again = self._tries < TRIES and (primary in _BUSY or primary in _BROKEN)
            if again and primary in _BROKEN:
                try:
                    self._remove()
                except OSError:
                    again = False
            if not again:
                self._usable = False
                self._news, self._listed = {}, None
            elif news is not None:
                self._news = news | self._news
                self._hurry = True


def _format_of(connection: Connection) -> object:
    return connection.execute("PRAGMA user_version").fetchone()[0]


def _rows(connection: Connection, names: Collection[bytes]) -> Iterator[tuple[bytes, int, bytes]]:
    asked = iter(names)
    while some := list(islice(asked, AT_ONCE)):
        marks = ",".join("?" * len(some))
        yield from connection.execute(f"SELECT path, sum, facts FROM sessions WHERE path IN ({marks})", some)


def _sum(path: bytes, facts: bytes) -> int:
    """What tells a row that was damaged: SQLite notices only damage to what holds rows together."""
    return zlib.crc32(facts, zlib.crc32(path + b"\0"))


def _known(file: SessionFile, facts: bytes) -> SessionInfo | None:
    """What is known of a file, None if that is not true of it any more."""
    info = decoded(facts, file.path, file.stamp[0])
    reached = info.resume.reached if info.resume is not None else None
    if reached is None or not file.stamp[1] or info.file.stamp[1] != file.stamp[1]:
        return None
    if info.file.stamp == file.stamp:
        return info if reached.settled and info.file.changed == file.changed else None
    return info if file.size > info.file.size else None


def _is_gone(path: bytes, listed: set[str]) -> bool:
    name = os.fsdecode(path)
    return name not in listed and not os.path.lexists(name)
