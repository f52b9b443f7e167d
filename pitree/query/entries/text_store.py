"""The searchable texts of a session's entries, ready to be searched at every keystroke."""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from threading import Lock
from time import monotonic, sleep
from typing import TYPE_CHECKING, Protocol

from pitree.query.entries.text_chunks import Spill, TextChunk
from pitree.query.language.query import Query
from pitree.session.reading.entry_table import EntryTable

if TYPE_CHECKING:
    from pitree.query.entries.text_parts import TextPart
    from pitree.query.entries.text_reading import Records

MEMORY_LIMIT = 96 * 1024 * 1024
"""Bytes of text kept in memory; what is more goes to a temporary file without a name."""

_SLICE_BYTES = 256 * 1024
"""Bytes of lines that are read at a time."""
_MOMENT = 0.03
"""Seconds of a search after which it tells what it has found so far."""
_RESULTS_KEPT = 8
_CALLS_KEPT = 4 * 1024 * 1024


_Wanted = tuple[tuple[bytes, ...], tuple[str, ...]]
"""What a query asks for: words, the longest first, and patterns."""


class _Cancelled(Exception):
    """The search was given up."""


class RecordedSession(Protocol):
    """What the store needs of a session; `SessionManager` has it."""

    @property
    def table(self) -> EntryTable:
        """The entries."""

    @property
    def records(self) -> Records:
        """Where their records and lines are read."""


class TextStore:
    """Texts of entries (`searchable_text`), folded (`query.fold`), as UTF-8.

    It fills while it is used: `step` takes a slice, in any thread. Searching sees what was taken so far. A
    tool result counts the words of its call as its own, since that is what its row shows, while the message
    that made the call seldom has a row.

    Args:
        session: the session; it may grow.
        memory_limit: bytes of text to keep in memory.
    """

    def __init__(self, session: RecordedSession, memory_limit: int = MEMORY_LIMIT) -> None:
        self._session = session
        self._spill = Spill(memory_limit)
        self._chunks: list[TextChunk] = []
        self._covered = 0
        self._calls: OrderedDict[str, str] = OrderedDict()
        self._calls_size = 0
        self._results: OrderedDict[_Wanted, bytearray] = OrderedDict()
        self._lock = Lock()  # for what is kept
        self._filling = Lock()  # for taking more

    # Filling

    @property
    def covered(self) -> int:
        """Entries taken so far, from the first on."""
        return self._covered

    @property
    def complete(self) -> bool:
        """Whether all entries the session has now are taken."""
        return self._covered >= len(self._session.table.texts)

    def step(self, seconds: float = 0.05) -> bool:
        """Take texts for about so long; return whether more are left."""
        until = monotonic() + seconds
        count = len(self._session.table.texts)
        while self._covered < count and monotonic() < until:
            self._take(count)
        return self._covered < count

    def fill(self, cancelled: Callable[[], bool]) -> None:
        """Take all texts in a thread that leaves the others room; `cancelled` ends it.

        Of a large session other processes read them, if they can be started.
        """
        self._fill_by_processes(cancelled)
        while not cancelled() and self.step(0.02):
            sleep(0.002)

    def _fill_by_processes(self, cancelled: Callable[[], bool]) -> None:
        table, descriptor = self._session.table, self._session.records.descriptor
        first, count = self._covered, len(table.texts)
        if first >= count or descriptor < 0:
            return
        from pitree.query.entries import text_reading

        if table.offsets[count - 1] - table.offsets[first] < text_reading.FROM:
            return
        ranges = [*text_reading.ranges_of(table, first, count, _SLICE_BYTES)]
        with closing(text_reading.parts_by_processes(table, descriptor, ranges, cancelled)) as parts:
            for entries, part in parts:
                with self._filling:
                    if cancelled() or self._covered != entries[0]:  # or somebody else went on
                        return
                    if part is None:
                        part = text_reading.part_of(table, self._session.records, entries)
                    self._add(entries[0], part)

    def cover(self, count: int) -> None:
        """Take the texts of entries up to an index, however long it takes."""
        count = min(count, len(self._session.table.texts))
        while self._covered < count:
            self._take(count)

    def close(self) -> None:
        """Let go of all texts, and of the temporary file. Who fills it is to be cancelled before."""
        with self._filling, self._lock:
            self._chunks.clear()
            self._results.clear()
            self._covered = 0
        self._spill.close()

    def _take(self, count: int) -> None:
        """Take one slice of entries."""
        from pitree.query.entries import text_reading  # not needed before somebody searches

        session = self._session
        with self._filling:
            first = self._covered
            if first < count:
                entries = next(text_reading.ranges_of(session.table, first, count, _SLICE_BYTES))
                self._add(first, text_reading.part_of(session.table, session.records, entries))

    def _add(self, first: int, part: TextPart) -> None:
        """Add the texts of the entries that come next."""
        self._answer(part)
        blob, starts = part.blob, part.starts
        with self._lock:
            last = self._chunks[-1] if self._chunks else None
            if last is not None and last.blob is not None and last.size + len(blob) <= _SLICE_BYTES:
                self._chunks[-1] = last.extended(blob, starts)
            else:
                self._chunks.append(TextChunk(first, starts, blob))
            self._covered = first + len(starts) - 1
            self._spill.keep_within(self._chunks, len(blob))

    def _answer(self, part: TextPart) -> None:
        """Give tool results the words of their calls, which may be in another part."""
        calls = self._calls
        found = []
        for place, call_id in part.answered:
            if words := calls.pop(call_id, ""):
                found.append((place, words))
                self._calls_size -= len(words)
        if found:
            part.add_words(found)
        for call_id in part.made & calls.keys():
            self._calls_size -= len(calls.pop(call_id))
        calls.update(part.calls)
        self._calls_size += sum(map(len, part.calls.values()))
        while self._calls_size > _CALLS_KEPT and calls:
            self._calls_size -= len(calls.popitem(last=False)[1])

    # Searching

    def text(self, index: int) -> str:
        """An entry's text as it is kept; "" if it is not taken yet."""
        with self._lock:
            chunks = self._chunks[:]
        place = _chunk_with(chunks, index)
        if place < 0 or index >= chunks[place].end:
            return ""
        return self._spill.read_text(chunks[place], index).decode("utf-8", "surrogatepass")

    def matching(self, query: Query, first: int = 0) -> bytes:
        """One byte for each entry from `first` to `covered`: 1 if its text matches, else 0.

        A query that was asked lately, or one that continues from it, is answered from the earlier answer.
        """
        return bytes(self._result(query, None)[first:])

    def prepare(
        self,
        query: Query,
        cancelled: Callable[[], bool],
        near: int = 0,
        tell: Callable[[bytes], object] | None = None,
    ) -> bool:
        """Search ahead, from any thread, so that `matching` has its answer at once.

        Args:
            query: what to look for.
            cancelled: asked often.
            near: an entry; those around it are searched first.
            tell: called once if the search takes longer than a moment, with what it has found by then: one
                byte for each entry, as `matching` gives them.

        Returns:
            Whether it got to the end before `cancelled` said so.
        """
        try:
            self._result(query, cancelled, near, tell)
        except _Cancelled:
            return False
        return True

    def _result(
        self,
        query: Query,
        cancelled: Callable[[], bool] | None,
        near: int = 0,
        tell: Callable[[bytes], object] | None = None,
    ) -> bytearray:
        """One byte for each entry taken by now: whether it matches. Not to be changed."""
        wanted = _wanted(query)
        with self._lock:
            chunks, covered = self._chunks[:], self._covered
            known = self._results.get(wanted)
            if known is not None:
                self._results.move_to_end(wanted)
            before, new_words = self._narrower(wanted) if known is None else (None, ())
        if query.error is not None:
            return bytearray(covered)
        if query.empty:
            return bytearray(b"\1" * covered)
        if known is not None and len(known) >= covered:
            return known
        mask = bytearray(covered)
        done = 0
        if known is not None:
            done = len(known)
            mask[:done] = known
        elif before is not None:
            done = min(len(before), covered)
        until = monotonic() + _MOMENT
        for place in _outwards(_chunk_with(chunks, near), len(chunks)):
            chunk = chunks[place]
            if cancelled is not None and cancelled():
                raise _Cancelled
            if before is not None and chunk.first < done:
                chunk.mark_again(self._spill.read(chunk), new_words, before, mask)
            if chunk.end > done:
                self._search(chunk, query, wanted, mask, done)
            if tell is not None and monotonic() > until and 1 in mask:
                tell(bytes(mask))
                tell = None
        if query.error is not None:  # a pattern was too slow
            return bytearray(covered)
        with self._lock:
            self._results[wanted] = mask
            while len(self._results) > _RESULTS_KEPT:
                self._results.popitem(last=False)
        return mask

    def _search(self, chunk: TextChunk, query: Query, wanted: _Wanted, mask: bytearray, first: int) -> None:
        """Search a chunk's entries from `first` on."""
        words, patterns = wanted
        blob = self._spill.read(chunk)
        if words:
            chunk.mark(blob, words, mask, first)
        if patterns:  # there are no words then
            for index, text in enumerate(chunk.texts(blob), chunk.first):
                if index >= first:
                    mask[index] = query.matches(text)

    def _narrower(self, wanted: _Wanted) -> tuple[bytearray | None, tuple[bytes, ...]]:
        """The smallest earlier answer that surely holds all that matches now, and the words yet to check."""
        words, patterns = wanted
        if patterns:
            return None, ()
        fitting = [
            (mask.count(1), earlier, mask)
            for (earlier, earlier_patterns), mask in self._results.items()
            if not earlier_patterns and all(any(part in word for word in words) for part in earlier)
        ]
        if not fitting:
            return None, ()
        _, earlier, mask = min(fitting, key=lambda found: found[0])
        return mask, tuple(word for word in words if word not in earlier)


def _wanted(query: Query) -> _Wanted:
    return tuple(sorted(set(query.needles), key=lambda word: (-len(word), word))), query.patterns


def _chunk_with(chunks: Sequence[TextChunk], index: int) -> int:
    """The place of the chunk that holds an entry, or would hold it; -1 if it is before all."""
    return bisect_right(chunks, index, key=lambda chunk: chunk.first) - 1


def _outwards(place: int, count: int) -> Iterator[int]:
    """The numbers up to a count, those nearest to one of them first."""
    above, below = min(place, count - 1), max(0, place + 1)
    while above >= 0 or below < count:
        if above >= 0:
            yield above
        if below < count:
            yield below
        above, below = above - 1, below + 1
