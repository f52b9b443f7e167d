"""Texts of many entries in large pieces of bytes, in memory or in a temporary file; finding words in them."""

from __future__ import annotations

import tempfile
from array import array
from bisect import bisect_right
from collections.abc import Sequence
from itertools import compress
from threading import Lock
from typing import IO

from pitree.query.entries.entry_matches import both
from pitree.query.language.folding import SEPARATOR


class TextChunk:
    """The texts of some entries that follow one another in the file.

    Attributes:
        first: index of the first entry.
        starts: where each text starts; at the end, where one more would.
        blob: the texts, each with its separator, so that no match runs from one into the next; None when they
            are in the temporary file.
        offset: where they are in it.
    """

    __slots__ = ("blob", "first", "offset", "starts")

    def __init__(self, first: int, starts: array[int], blob: bytes) -> None:
        self.first = first
        self.starts = starts
        self.blob: bytes | None = blob
        self.offset = 0

    def extended(self, blob: bytes, starts: array[int]) -> TextChunk:
        """A chunk in memory with more texts at its end; this one stays as it is.

        Args:
            blob: the texts, each with its separator.
            starts: where they start in that; at the end, where one more would.
        """
        size = self.size
        more = self.starts[:]
        more.extend(array("I", map(size.__add__, starts[1:])))
        return TextChunk(self.first, more, (self.blob or b"") + blob)

    @property
    def end(self) -> int:
        """Index behind the last entry."""
        return self.first + len(self.starts) - 1

    @property
    def size(self) -> int:
        """Bytes of all texts."""
        return self.starts[-1]

    def mark(self, blob: bytes, words: Sequence[bytes], mask: bytearray, first: int) -> None:
        """Set the mask of the entries from `first` on whose text has all the words.

        Each text is searched for the first word up to its first occurrence, then for the others: rare words
        are best put first.

        Args:
            blob: the chunk's bytes.
            words: at least one.
            mask: one byte for each entry of the session.
        """
        starts, base = self.starts, self.first
        word, *others = words
        find = blob.find
        place = max(0, first - base)
        found = find(word, starts[place])
        while found >= 0:
            end = starts[place + 1]
            if found >= end:  # not in the very next text, so look where
                place = bisect_right(starts, found, place + 1) - 1
                end = starts[place + 1]
            for other in others:
                if find(other, starts[place], end) < 0:
                    break
            else:
                mask[base + place] = 1
            place += 1
            found = find(word, end)

    def mark_again(self, blob: bytes, words: Sequence[bytes], before: bytearray, mask: bytearray) -> None:
        """As `mark`, among the entries that are set in another mask, which may be shorter."""
        starts, base = self.starts, self.first
        among = before[base : self.end]
        candidates = among.count(1)
        if candidates * 3 > len(self.starts) and words:
            self.mark(blob, words, mask, base)
            mask[base : self.end] = both(mask[base : self.end], among)
            return
        find = blob.find
        for place in compress(range(len(among)), among) if candidates else ():
            for word in words:
                if find(word, starts[place], starts[place + 1]) < 0:
                    break
            else:
                mask[base + place] = 1

    def texts(self, blob: bytes) -> list[str]:
        """All texts, decoded."""
        return blob.decode("utf-8", "surrogatepass").split(SEPARATOR.decode())[:-1]


class Spill:
    """Keeps chunks within a limit of memory: what is more goes to a temporary file that has no name.

    Args:
        limit: bytes to keep in memory.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._kept = 0  # chunks from this place on are in memory
        self._file: IO[bytes] | None = None
        self._in_memory = 0
        self._full = False
        self._lock = Lock()

    def keep_within(self, chunks: Sequence[TextChunk], added: int) -> None:
        """Write out chunks, the oldest first and the newest never, until the rest is within the limit.

        Args:
            chunks: all chunks.
            added: bytes that were added to them since the last time.
        """
        self._in_memory += added
        while self._in_memory > self._limit and self._kept < len(chunks) - 1 and not self._full:
            chunk = chunks[self._kept]
            if not self._write(chunk):
                break
            self._in_memory -= chunk.size
            self._kept += 1

    def _write(self, chunk: TextChunk) -> bool:
        assert chunk.blob is not None
        try:
            with self._lock:
                if self._file is None:
                    self._file = tempfile.TemporaryFile(prefix="pitree-", buffering=0)  # noqa: SIM115
                chunk.offset = self._file.seek(0, 2)
                view = memoryview(chunk.blob)
                while view:
                    view = view[self._file.write(view) :]
        except OSError:
            self._full = True  # no room: the texts stay in memory
            return False
        chunk.blob = None
        return True

    def read(self, chunk: TextChunk) -> bytes:
        """A chunk's bytes, from wherever they are; none if the file cannot be read any more."""
        blob = chunk.blob
        if blob is not None:
            return blob
        return self._read(chunk.offset, chunk.size)

    def read_text(self, chunk: TextChunk, index: int) -> bytes:
        """The text of one entry of a chunk."""
        start, end = chunk.starts[index - chunk.first], chunk.starts[index - chunk.first + 1] - 1
        blob = chunk.blob
        if blob is not None:
            return blob[start:end]
        return self._read(chunk.offset + start, end - start)

    def _read(self, offset: int, size: int) -> bytes:
        with self._lock:
            if self._file is None:
                return b""
            self._file.seek(offset)
            parts = []
            while size > 0 and (part := self._file.read(size)):
                parts.append(part)
                size -= len(part)
            return b"".join(parts)

    def close(self) -> None:
        """Give the temporary file up."""
        with self._lock:
            if self._file is not None:
                self._file.close()
                self._file = None
            self._kept = self._in_memory = 0
