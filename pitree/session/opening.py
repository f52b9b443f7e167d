"""Reads a session file: whole, with progress, or only its end, to show something at once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pitree.session.kinds import Flag
from pitree.session.notices import SessionError
from pitree.session.reader import NoSession, SessionReader
from pitree.session.source import CHUNK, FileSource, Source

_HEADER_BYTES = 256 * 1024

Progress = Callable[[int, int], None]
"""Called with bytes read and bytes in all."""


class Cancelled(Exception):
    """Opening was given up because the caller asked so."""


def open_source(path: Path) -> FileSource:
    """A file, opened for reading.

    Raises:
        SessionError: there is none, or it cannot be read.
    """
    try:
        if path.exists() and not path.is_file():
            raise SessionError(path, "is no file" if not path.is_dir() else "is a folder")
        return FileSource(path)
    except OSError as error:
        raise SessionError(path, error.strerror or str(error)) from error


def read_whole(
    path: Path | None,
    source: Source,
    reader: SessionReader,
    on_progress: Progress | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> None:
    """Read a session to its end.

    Raises:
        SessionError: it cannot be read, or is none.
        Cancelled: `cancelled` said so.
    """
    try:
        size = source.size()
        while data := source.read(reader.end, CHUNK):
            reader.feed(data)
            if on_progress is not None:
                on_progress(reader.end, max(size, reader.end))
            if cancelled is not None and cancelled():
                raise Cancelled
        reader.finish()
    except NoSession as error:
        raise SessionError(path, f"not a session: {error}") from error
    except OSError as error:
        raise SessionError(path, error.strerror or str(error)) from error


def read_end(source: Source, max_bytes: int) -> SessionReader | None:
    """Read the header and the last bytes of a session.

    Returns:
        What was read; None if the file is no larger than that, is of version 1, or has no whole line there.

    Raises:
        NoSession: it is none.
        OSError: it cannot be read.
    """
    size = source.size()
    if size <= max_bytes:
        return None
    start = source.read(0, _HEADER_BYTES)
    end_of_header = start.find(b"\n")
    if end_of_header < 0:
        return None
    head = SessionReader()
    head.feed(start[: end_of_header + 1])
    data = head.data
    if not data.header or data.version < 2:
        return None
    tail = source.read(size - max_bytes, max_bytes)
    first = tail.find(b"\n") + 1
    if not first or size - max_bytes + first < end_of_header + 1:
        return None
    reader = SessionReader(data, headless=True, offset=size - max_bytes + first)
    reader.feed(tail[first:])
    reader.settle_tail()
    table = data.table
    for index in table.unresolved:
        table.flags[index] &= ~Flag.MISSING_PARENT
    table.unresolved.clear()
    data.notices.clear()
    return reader if len(table) else None
