"""Reads a session file: whole, with progress, or only its end, to show something at once."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from pitree.session.format.entry_type import Flag
from pitree.session.format.errors import SessionError
from pitree.session.format.migrate import CURRENT_VERSION
from pitree.session.reading.reader import NoSession, SessionData, SessionReader
from pitree.session.storage.byte_source import CHUNK, FileSource, Source
from pitree.workers import Cancelled as Cancelled

if TYPE_CHECKING:
    from pitree.session.reading.block_pool import Range
    from pitree.session.reading.column_block import ColumnBlock

FROM = 16_000_000
"""Bytes of a file from which processes of their own read it."""

_HEADER_BYTES = 256 * 1024

_BACKWARDS = 6
"""The last sixth of a large file is read from its end on, the rest from the start on."""

_TIMES_MORE = 4
"""So many times as much as was shown of the end of a file is read before more of it is shown."""

Progress = Callable[[int, int], None]
"""Called with bytes read and bytes in all."""


def open_source(path: Path) -> FileSource:
    """A file, opened for reading.

    Raises:
        SessionError: there is none, or it cannot be read.
    """
    try:
        if path.exists() and not path.is_file():
            raise SessionError(path, "is not a file" if not path.is_dir() else "is a folder")
        return FileSource(path)
    except OSError as error:
        raise SessionError(path, error.strerror or str(error)) from error


def refusal_of(path: Path) -> str:
    """Why Pi refuses a session file, as `SessionData.refusal` has it; empty if it opens it.

    Reads up to the header only.

    Raises:
        SessionError: it cannot be read, or holds no session.
    """
    with closing(open_source(path)) as source:
        reader = SessionReader()
        try:
            while not reader.data.header and (data := source.read(reader.end, _HEADER_BYTES)):
                reader.feed(data)
            if not reader.data.header:
                reader.finish()
        except NoSession as error:
            raise SessionError(path, f"not a session: {error}") from error
        except OSError as error:
            raise SessionError(path, error.strerror or str(error)) from error
    return reader.data.refusal


def read_whole(
    path: Path | None,
    source: Source,
    reader: SessionReader,
    on_progress: Progress | None = None,
    cancelled: Callable[[], bool] | None = None,
    on_end: Callable[[SessionReader], object] | None = None,
) -> None:
    """Read a session to its end.

    Args:
        path: the file, for errors.
        source: its bytes.
        reader: what takes them.
        on_progress: called now and then.
        cancelled: asked now and then.
        on_end: called with more and more of the end of a large file, as `read_end` gives it.

    Raises:
        SessionError: it cannot be read, or is none.
        Cancelled: `cancelled` said so.
    """
    reader.data.table.reread = source.read
    try:
        size = source.size()
        if isinstance(source, FileSource) and size >= FROM:
            with _without_collecting():
                _read_large(source, size, reader, on_progress, cancelled, on_end)
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


@contextmanager
def _without_collecting() -> Iterator[None]:
    """Look for no garbage meanwhile: among a million entries that takes long, and finds nothing."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


def _read_large(
    source: FileSource,
    size: int,
    reader: SessionReader,
    on_progress: Progress | None,
    cancelled: Callable[[], bool] | None,
    on_end: Callable[[SessionReader], object] | None,
) -> None:
    """Have processes of their own read a file, as far as they get with it."""
    from pitree.session.reading import block_pool

    head = _head(source)
    if head is None:
        return
    reader.feed(head)
    if not _is_plain(reader.data):
        return
    ranges = block_pool.ranges_of(len(head), size)
    last = len(ranges) - len(ranges) // _BACKWARDS if on_end is not None else len(ranges)
    order = [*range(len(ranges) - 1, last - 1, -1), *range(last)]
    read: dict[int, ColumnBlock | None] = {}
    taken, done = 0, len(head)
    ends = _Ends(source, size, head, ranges, first=block_pool.RANGE_BYTES)
    with block_pool.Scanners(source, size) as scanners:
        if not scanners:
            return
        for place, block in scanners.blocks(ranges, order, cancelled):
            read[place] = block
            done += ranges[place][1] - ranges[place][0]
            if on_progress is not None:
                on_progress(done, size)
            if on_end is not None and place >= last and (end := ends.more(read)) is not None:
                on_end(end)
            while taken in read:
                _take(source, reader, read.pop(taken))
                taken += 1


class _Ends:
    """Makes sessions of more and more of the end of a file."""

    def __init__(self, source: FileSource, size: int, head: bytes, ranges: list[Range], first: int) -> None:
        self._source = source
        self._size = size
        self._head = head
        self._ranges = ranges
        self._from = len(ranges)
        self._wanted = first

    def more(self, read: dict[int, ColumnBlock | None]) -> SessionReader | None:
        """A session of the end, if much more of it was read by now than the last time."""
        while self._from - 1 in read:
            self._from -= 1
        read_of_it = self._size - self._ranges[self._from][0] if self._from < len(self._ranges) else 0
        if self._from == 0 or read_of_it < self._wanted:
            return None
        self._wanted = _TIMES_MORE * read_of_it
        blocks = [block for place in range(self._from, len(self._ranges)) if (block := read[place])]
        if not blocks:
            return None
        reader = _headless(self._source, self._head, blocks[0].start)
        for block in blocks:
            _take(self._source, reader, block)
        while data := self._source.read(reader.end, CHUNK):
            reader.feed(data)
        return _as_end(reader)


def _take(source: Source, reader: SessionReader, block: ColumnBlock | None) -> None:
    """Take a block, and what lies between the last one and it; what cannot be taken is read with the next."""
    if block is None:
        return
    while reader.end < block.start and (
        data := source.read(reader.end, min(CHUNK, block.start - reader.end))
    ):
        reader.feed(data)
    reader.take(block)


def _head(source: Source) -> bytes | None:
    """The first line of a file; None if it is longer than a header has any reason to be."""
    start = source.read(0, _HEADER_BYTES)
    end = start.find(b"\n") + 1
    return start[:end] if end else None


def _is_plain(data: SessionData) -> bool:
    """Whether a file's first line was a header of the kind that Pi writes today."""
    return data.header.get("type") == "session" and data.version == CURRENT_VERSION


def _headless(source: Source, head: bytes, offset: int) -> SessionReader:
    """What takes the bytes of a file from a place on, with its header known."""
    reader = SessionReader()
    reader.data.table.reread = source.read
    reader.feed(head)
    return SessionReader(reader.data, headless=True, offset=offset)


def read_end(source: Source, max_bytes: int) -> SessionReader | None:
    """Read the header and the last bytes of a session.

    Returns:
        What was read; None if the file is no larger than that, is of version 1, or has no whole line there.

    Raises:
        NoSession: it is none.
        OSError: it cannot be read.
    """
    size = source.size()
    head = _head(source) if size > max_bytes else None
    if head is None:
        return None
    tail = source.read(size - max_bytes, max_bytes)
    first = tail.find(b"\n") + 1
    if not first or size - max_bytes + first < len(head):
        return None
    reader = _headless(source, head, size - max_bytes + first)
    if not reader.data.header or reader.data.version < 2:
        return None
    reader.feed(tail[first:])
    return _as_end(reader) if len(reader.data.table) or reader.waiting else None


def _as_end(reader: SessionReader) -> SessionReader | None:
    """Take what was read as the end of a session: entries whose parents lie further up stand as roots."""
    reader.settle_tail()
    data = reader.data
    table = data.table
    for index in table.unresolved:
        table.flags[index] &= ~Flag.MISSING_PARENT
    table.unresolved.clear()
    data.notices.clear()
    return reader if len(table) else None
