"""Answers a query: matches grouped by session, the first ones at once, by the index or by reading all."""

from __future__ import annotations

import math
import os
import time
from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pitree.catalog.info.session_info import NoSessionFile
from pitree.pi.places import SessionFile
from pitree.query.index.fts_expression import narrowing
from pitree.query.index.hits import Hit, Matcher, without_repeats
from pitree.query.index.index import Coverage, Index
from pitree.query.index.record_reader import RecordReader, current, open_file, record_at
from pitree.query.index.scope import SearchScope
from pitree.query.index.session_facts import SessionFacts, kind_of
from pitree.query.index.shard import OFFSET_BITS, OFFSETS, DamagedShard, Shard
from pitree.query.language.query_parser import SearchQuery
from pitree.session.storage.line_reader import FileReplaced, ReadCancelled, never

FIRST_HITS = 20
"""Of many matches in one session so many are given at once."""
_TELL_EVERY = 0.1


@dataclass(frozen=True, slots=True)
class Group:
    """The matches of one session.

    Attributes:
        facts: what is known of the session.
        matches: the newest first, that is the last in the file.
        more: whether it has more than these.
        also: offset of a match → the other session files in which the entry stands, too (`copies.each_once`).
    """

    facts: SessionFacts
    hits: tuple[Hit, ...]
    more: bool = False
    also: Mapping[int, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SearchProgress:
    """What a search has found so far.

    Attributes:
        groups: sessions with matches, the one talked in last first.
        done: whether this is all.
        cut: whether the search ended because there were enough matches.
        searched, sessions: how many sessions were looked through, of how many.
        unread: sessions, or ends of sessions, that the index does not have and that were left out.
    """

    groups: tuple[Group, ...] = ()
    done: bool = False
    cut: bool = False
    searched: int = 0
    sessions: int = 0
    unread: int = 0

    @property
    def hits(self) -> int:
        """Hits in all groups."""
        return sum(len(group.hits) for group in self.groups)


@dataclass(frozen=True, slots=True)
class Limits:
    """When to stop: matches in all, and of each session; None for no limit."""

    hits: int | None = None
    of_session: int | None = None


NO_LIMITS = Limits()


def search(
    asked: SearchQuery,
    scope: SearchScope,
    index: Index | None,
    limits: Limits = NO_LIMITS,
    *,
    all_read: bool = True,
    files: Sequence[SessionFile] | None = None,
    stopped: Callable[[], bool] = never,
) -> Iterator[SearchProgress]:
    """Look for what is asked for, in a thread.

    With an index it narrows the search; without one every file is read. Both give the same matches. What is
    found is given now and then, and at the end.

    Args:
        asked: the query; of an empty one every entry is a match.
        scope: whose sessions.
        index: the index; None to do without.
        limits: how many matches are enough.
        all_read: whether files that the index lacks are read, rather than counted.
        files: the files of the scope, if they are known.
        stopped: asked often whether to give up; the iterator then ends.
    """
    try:
        files = scope.files() if files is None else files
        if asked.contradicts_itself:  # else it would take looking at all that has the word to find nothing
            yield SearchProgress(done=True, searched=len(files), sessions=len(files))
            return
        if index is None:
            yield from _Scan(asked, scope, limits, stopped).run(files)
        else:
            with index.lock:
                yield from _Lookup(asked, scope, limits, stopped, index, all_read).run(files)
    except ReadCancelled:
        return


class _Search:
    """What both ways of searching share: gathering groups within the limits, telling of them in time."""

    def __init__(
        self, asked: SearchQuery, scope: SearchScope, limits: Limits, stopped: Callable[[], bool]
    ) -> None:
        self.asked = asked
        self.matcher = Matcher(asked)
        self.scope = scope
        self.limits = limits
        self.stopped = stopped
        self.groups: list[Group] = []
        self._told = 0.0
        self._hits_told = 0

    @property
    def enough(self) -> bool:
        """Whether there are as many matches as are wanted."""
        most = self.limits.hits
        return most is not None and sum(len(group.hits) for group in self.groups) >= most

    def check(self) -> None:
        """Raises Stopped if the search was given up."""
        if self.stopped():
            raise ReadCancelled

    def add(self, facts: SessionFacts, hits: Sequence[Hit], more: bool) -> None:
        """Take the matches of a session, the newest first."""
        hits = without_repeats(hits)
        of_session = self.limits.of_session
        if of_session is not None and len(hits) > of_session:
            hits, more = hits[:of_session], True
        most = self.limits.hits
        if most is not None:
            room = most - sum(len(group.hits) for group in self.groups)
            hits, more = hits[:room], more or len(hits) > room
        if hits:
            self.groups.append(Group(facts, tuple(hits), more))

    def tell(
        self, searched: int, sessions: int, unread: int = 0, *, done: bool = False
    ) -> Iterator[SearchProgress]:
        """Say what was found so far, if it is time to."""
        now = time.monotonic()
        hits = sum(len(group.hits) for group in self.groups)
        if done or (hits and hits >= self._hits_told and now - self._told >= _TELL_EVERY):
            self._told, self._hits_told = now, hits
            groups = tuple(sorted(self.groups, key=_newest_first))
            yield SearchProgress(
                groups,
                done,
                self.enough and (searched < sessions or any(g.more for g in groups)),
                searched,
                sessions,
                unread,
            )

    def scanned(self, reader: RecordReader) -> tuple[list[Hit], bool] | None:
        """The matches in what a reader reads, newest first, and whether there are more; None: no session."""
        # What labels leave out is known at the end only, so it must not push out what counts.
        most = None if self.asked.labels else self.limits.of_session
        kept: deque[Hit] = deque(maxlen=most)
        count = 0
        matcher, path, facts = self.matcher, reader.path, reader.facts
        looked = False
        try:
            for at, record, kind in reader:
                if not looked:
                    looked = True
                    if not self.scope.has(facts.cwd, path):
                        return None
                hit = matcher.hit(path, at, record, kind)
                if hit is not None:
                    if facts.version < 2:
                        hit = replace(hit, entry_id="")
                    kept.append(hit)
                    count += 1
        except (NoSessionFile, FileReplaced, OSError):
            return None
        return list(reversed(kept)), most is not None and count > most


class _Scan(_Search):
    """Reads every file."""

    def run(self, files: Sequence[SessionFile]) -> Iterator[SearchProgress]:
        ordered = sorted(files, key=lambda file: (-file.mtime, file.path))
        searched = 0
        for file in ordered:
            self.check()
            self.read(file)
            searched += 1
            if self.enough:
                break
            yield from self.tell(searched, len(ordered))
        yield from self.tell(searched, len(ordered), done=True)

    def read(self, file: SessionFile) -> None:
        """Look through one file."""
        reader = RecordReader(file.path, stopped=self.stopped)
        scanned = self.scanned(reader)
        if scanned is not None and self.matcher.session(reader.facts):
            hits, more = scanned
            kept = [hit for hit in hits if self.matcher.labelled(reader.facts, hit)]
            self.add(reader.facts, kept, more)


@dataclass(slots=True)
class _Session:
    """A session to be looked through: what is known of it, and its candidates by place in the file."""

    facts: SessionFacts
    covered: Coverage | None
    offsets: list[int]
    tail: list[Hit]
    more: bool = False


class _Lookup(_Search):
    """Asks the index, and looks at the entries it names."""

    def __init__(
        self,
        asked: SearchQuery,
        scope: SearchScope,
        limits: Limits,
        stopped: Callable[[], bool],
        index: Index,
        all_read: bool,
    ) -> None:
        super().__init__(asked, scope, limits, stopped)
        self._index = index
        self._all_read = all_read
        self._expression = narrowing(asked)
        self._asked_shards: set[int] = set()

    def run(self, files: Sequence[SessionFile]) -> Iterator[SearchProgress]:
        """The search, once more from the start whenever a shard turns out to be damaged."""
        while True:
            try:
                yield from self._run(files)
                return
            except _Damaged:
                self.groups = []

    def _run(self, files: Sequence[SessionFile]) -> Iterator[SearchProgress]:
        sessions, strangers = self._sessions(files)
        self._asked_shards = set()
        if self._all_read:
            self._read_strangers(strangers, sessions)
        unread = 0 if self._all_read else len(strangers)
        ordered = sorted(
            (session for session in sessions.values() if self.matcher.session(session.facts)),
            key=lambda session: (-session.facts.talked, session.facts.path),
        )
        self.groups = []
        for searched, session in enumerate(ordered):
            if self.enough:
                yield from self.tell(searched, len(ordered), unread, done=True)
                return
            self.check()
            if self._expression is not None:
                self._gather(session, sessions)
                if not self.groups and len(session.offsets) > FIRST_HITS:
                    session.offsets.sort()
                    some = without_repeats(self._verified(session.facts, session.offsets[-FIRST_HITS:]))
                    if some:
                        yield SearchProgress(
                            (Group(session.facts, tuple(some), True),), sessions=len(ordered)
                        )
            hits, more = self._hits(session)
            self.add(session.facts, hits, more)
            yield from self.tell(searched + 1, len(ordered), unread)
        yield from self.tell(len(ordered), len(ordered), unread, done=True)

    def _sessions(self, files: Sequence[SessionFile]) -> tuple[dict[str, _Session], list[SessionFile]]:
        """The sessions of the scope that the index knows, and files that it lacks or has as they were."""
        sessions: dict[str, _Session] = {}
        strangers: list[SessionFile] = []
        for file in files:
            covered = self._index.files.get(file.path)
            if covered is None:
                strangers.append(file)
                continue
            current = covered.is_all_of(file)
            if not current:
                strangers.append(file)
            facts = covered.facts
            if facts is None or not (current or covered.goes_on(file)):
                continue
            if self.scope.has(facts.cwd, file.path):
                sessions[file.path] = _Session(facts, covered, [], [])
        return sessions, strangers

    def _gather(self, session: _Session, sessions: dict[str, _Session]) -> None:
        """Ask for candidates where the index has something of a session; others profit from it."""
        for number, _ in session.covered.parts if session.covered is not None else ():
            if number not in self._asked_shards:
                self._asked_shards.add(number)
                self._ask(self._index.shards[number], sessions)

    def _ask(self, shard: Shard, sessions: dict[str, _Session]) -> None:
        index = self._index
        try:
            for rows in shard.candidates(self._expression or ""):
                self.check()
                at = 0
                while at < len(rows):
                    part = rows[at] >> OFFSET_BITS
                    end = bisect_left(rows, (part + 1) << OFFSET_BITS, at)
                    session = sessions.get(index.path_of(shard, part))
                    if session is not None:
                        session.offsets += [row & OFFSETS for row in rows[at:end]]
                    at = end
        except DamagedShard as error:
            index.drop(shard)
            raise _Damaged from error

    def _read_strangers(self, files: Sequence[SessionFile], sessions: dict[str, _Session]) -> None:
        """Read what the index does not have."""
        for file in files:
            self.check()
            session = sessions.get(file.path)
            covered = session.covered if session is not None else None
            if session is not None and covered is not None:
                reader = RecordReader(file.path, covered.mark, session.facts.copy(), stopped=self.stopped)
                scanned = self.scanned(reader)
                if scanned is not None:
                    session.tail, session.more = scanned
                    session.facts = reader.facts
                    continue
                del sessions[file.path]
            reader = RecordReader(file.path, stopped=self.stopped)
            scanned = self.scanned(reader)
            if scanned is not None:
                sessions[file.path] = _Session(reader.facts, None, [], *scanned)

    def _hits(self, session: _Session) -> tuple[list[Hit], bool]:
        """The matches of a session, the newest first, and whether there are more."""
        most = self.limits.of_session
        facts = session.facts
        hits = [hit for hit in session.tail if self.matcher.labelled(facts, hit)]
        if session.covered is None or session.more:
            return hits, session.more
        wanted = None if most is None else most - len(hits)
        if self._expression is None:
            mark = session.covered.mark
            reader = RecordReader(facts.path, stopped=self.stopped, until=mark.end if mark else None)
            scanned = self.scanned(reader)
            others, more = scanned if scanned is not None else ([], False)
            others = [hit for hit in others if self.matcher.labelled(facts, hit)]
        else:
            session.offsets.sort()
            others = self._verified(facts, session.offsets, None if wanted is None else wanted + 1)
            more = False
        if wanted is not None and len(others) > wanted:
            others, more = others[:wanted], True
        return hits + others, more

    def _verified(self, facts: SessionFacts, offsets: Sequence[int], most: int | None = None) -> list[Hit]:
        """The matches among the entries at these places, the last ones first."""
        hits: list[Hit] = []
        if not offsets:
            return hits
        try:
            descriptor = open_file(facts.path)
        except OSError:
            return hits
        try:
            for number, offset in enumerate(reversed(offsets)):
                if number % 64 == 63:
                    self.check()
                hit = self._at(descriptor, facts, offset)
                if hit is not None:
                    hits.append(hit)
                    if most is not None and len(hits) >= most:
                        break
        except OSError:
            pass
        finally:
            os.close(descriptor)
        return hits

    def _at(self, descriptor: int, facts: SessionFacts, offset: int) -> Hit | None:
        record = record_at(descriptor, offset)
        if record is None:
            return None
        record = current(record, facts.version, 0)
        hit = self.matcher.hit(facts.path, offset, record, kind_of(record))
        if hit is None:
            return None
        if facts.version < 2:
            hit = replace(hit, entry_id="")
        return hit if self.matcher.labelled(facts, hit) else None


class _Damaged(Exception):
    """A shard turned out to be damaged, and is not used any more."""


def _newest_first(group: Group) -> tuple[float, str]:
    return -group.facts.talked, group.facts.path


def best_first(groups: Sequence[Group]) -> list[Group]:
    """The groups by how well they match: what a name, a label or the user said counts most, then how often.

    So do the matches within each group; of those that are as good the newest come first.
    """

    def score(group: Group) -> float:
        return max(hit.weight for hit in group.hits) + math.log2(1 + len(group.hits)) / 2

    ordered = [
        replace(group, hits=tuple(sorted(group.hits, key=lambda hit: -hit.weight))) for group in groups
    ]
    return sorted(ordered, key=score, reverse=True)
