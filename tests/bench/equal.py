"""Whether the index answers as a plain scan of a large store does: python -m tests.bench.equal [AGENT_FOLDER]

The recorded sessions, and some of words that are hard to tell apart, are put beside the store's. Queries are
of all kinds, half of them cut out of what is there. The scan reads each file once, for all queries.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pitree.catalog.info.session_info import NoSessionFile
from pitree.pi.places import SessionFile
from pitree.query.entries.searchable import searchable_text
from pitree.query.index.finder import NO_LIMITS, Limits, search
from pitree.query.index.hits import Matcher, models_of, tools_of
from pitree.query.index.record_reader import RecordReader
from pitree.query.index.scope import SearchScope, all_files
from pitree.query.index.session_facts import SessionFacts
from pitree.query.language.query_parser import SearchQuery
from pitree.query.language.text_forms import without_case
from pitree.query.language.tokenizer import Term
from pitree.session.format.entry_type import Kind
from pitree.session.reading.reader import time_ms
from tests.bench import listing
from tests.bench.searching import Indexed, kinds_of_queries
from tests.support.search_store import random_query, write_store

DATA = Path(__file__).parents[1] / "data"
QUERIES = 200
WHOLE_UP_TO = 5_000
"""Hits up to which all are compared; of more only those that a window shows."""
WINDOW = Limits(hits=2_000, of_session=200)

Key = tuple[str, int]


class Said:
    """An entry, as far as queries look at it; what they share is found out once."""

    def __init__(self, record: dict[str, Any], kind: Kind) -> None:
        self.kind = kind
        self.time = time_ms(record.get("timestamp"))
        self._plain = without_case(searchable_text(record, kind))
        self._tools = [without_case(name) for name in tools_of(record, kind)]
        self._models = [without_case(name) for name in models_of(record, kind)]
        self._found: dict[Term, bool] = {}

    def _has(self, term: Term) -> bool:
        found = self._found.get(term)
        if found is None:
            found = self._found[term] = term.place(self._plain) >= 0
        return found

    def is_hit(self, asked: SearchQuery) -> bool:
        """Whether the entry is what was asked for, by all that can be told from it alone."""
        return (
            (asked.roles is None or self.kind in asked.roles)
            and all(map(self._has, asked.terms))
            and not any(map(self._has, asked.without))
            and (asked.after is None or self.time >= asked.after)
            and (asked.before is None or self.time < asked.before)
            and all(any(term.place(name) >= 0 for name in self._tools) for term in asked.tools)
            and all(any(term.place(name) >= 0 for name in self._models) for term in asked.models)
        )


@dataclass
class Expected:
    """What the scan finds for a query.

    Attributes:
        count: all hits.
        sessions: those talked in last that fill a window: when, path, the last places with hits in it.
        places: all hits, while they are few enough.
    """

    count: int = 0
    sessions: list[tuple[float, str, list[int]]] = field(default_factory=list)
    places: set[Key] | None = field(default_factory=set)

    def add(self, facts: SessionFacts, places: list[int]) -> None:
        """Take the hits of a session."""
        self.count += len(places)
        if self.places is not None:
            self.places |= {(facts.path, place) for place in places}
            if self.count > WHOLE_UP_TO:
                self.places = None
        self.sessions.append((-facts.talked, facts.path, places[-(WINDOW.of_session or 0) :]))
        self.sessions.sort()
        while len(self.sessions) > 1 and sum(len(one[2]) for one in self.sessions[:-1]) >= (WINDOW.hits or 0):
            self.sessions.pop()

    def answer(self) -> set[Key]:
        """The hits that the index must find, with the limits that are meant."""
        if self.places is not None:
            return self.places
        ordered = [(path, place) for _, path, places in self.sessions for place in reversed(places)]
        return set(ordered[: WINDOW.hits])

    @property
    def limits(self) -> Limits:
        """The limits to ask the index with."""
        return NO_LIMITS if self.places is not None else WINDOW


def scan(files: Sequence[SessionFile], queries: Sequence[str]) -> dict[str, Expected]:
    """What each query finds, every file read once."""
    asked = {query: SearchQuery.parse(query) for query in queries}
    matchers = {query: Matcher(one) for query, one in asked.items()}
    expected = {query: Expected() for query in queries}
    for file in files:
        reader = RecordReader(file.path)
        found: dict[str, list[tuple[int, str]]] = {query: [] for query in queries}
        try:
            for at, record, kind in reader:
                said = Said(record, kind)
                entry_id = record.get("id")
                for query, one in asked.items():
                    if said.is_hit(one):
                        found[query].append((at, entry_id if isinstance(entry_id, str) else ""))
        except (NoSessionFile, OSError):
            continue
        facts = reader.facts
        for query, places in found.items():
            if places and matchers[query].session(facts):
                wanted = asked[query].labels
                kept = [
                    at
                    for at, entry_id in places
                    if all(label in without_case(facts.labels.get(entry_id, "")) for label in wanted)
                ]
                if kept:
                    expected[query].add(facts, kept)
    return expected


def cuttings(files: Sequence[SessionFile], chance: random.Random) -> Iterator[str]:
    """Queries cut out of entries: words, parts of words and phrases just as they stand there."""
    while True:
        reader = RecordReader(chance.choice(files).path)
        try:
            some = [searchable_text(record, kind) for _, record, kind in reader]
        except (NoSessionFile, OSError):
            continue
        words = chance.choice(some).split() if some else []
        if not words:
            continue
        at = chance.randrange(len(words))
        cut = " ".join(words[at : at + chance.choice((1, 1, 2, 3, 5))])[:80].replace('"', "")
        form = chance.randrange(4)
        if form == 0:
            yield cut + " "
        elif form == 1:
            yield cut[: chance.randrange(1, len(cut) + 1)]
        else:
            yield f'"{cut}"'


def queries_of_all_kinds(files: Sequence[SessionFile], chance: random.Random, count: int) -> list[str]:
    """Different queries: half cut out of the sessions, others of words hard to tell apart, or common ones."""
    cut = cuttings(files, chance)
    kinds = list(kinds_of_queries(chance).values())
    found: dict[str, None] = {}
    while len(found) < count:
        which = len(found) % 4
        if which < 2:
            query = next(cut)
        elif which == 2:
            query = random_query(chance)
        else:
            query = chance.choice(chance.choice(kinds))
        if query.strip():
            found[query] = None
    return list(found)


def found_by_index(made: Indexed, query: str, limits: Limits) -> set[Key]:
    """What the index finds."""
    last = None
    for found in search(SearchQuery.parse(query), SearchScope(made.places, True), made.index, limits):
        last = found
    return {(hit.path, hit.offset) for group in (last.groups if last else ()) for hit in group.hits}


def gathered(agent: Path, scratch: Path, seed: int, sessions: int | None) -> Path:
    """An agent folder with sessions of another one, the recorded ones and those hard to tell apart."""
    whole = scratch / "agent"
    write_store(whole, seed, sessions=40, entries=60)
    beside = whole / "sessions" / "--home-dev-app-0--"
    for path in DATA.glob("*.jsonl"):
        shutil.copy(path, beside / path.name)
    for path in sorted(agent.glob("sessions/*/*.jsonl"), key=lambda path: path.name)[:sessions]:
        folder = whole / "sessions" / path.parent.name
        folder.mkdir(parents=True, exist_ok=True)
        os.symlink(path, folder / path.name)
    return whole


def compare(agent: Path, seed: int, count: int = QUERIES, sessions: int | None = None) -> int:
    """Print how the answers to random queries compare; how many are unlike.

    Args:
        agent: the agent folder with the store.
        seed: for the queries, and for the sessions beside the store.
        count: queries.
        sessions: how many sessions of the store; all by default.
    """
    with tempfile.TemporaryDirectory(prefix="pitree-bench-") as folder:
        scratch = Path(folder)
        made = Indexed(gathered(agent, scratch, seed, sessions), scratch)
        files = all_files(made.places)
        size = sum(file.size for file in files) / 1e6
        queries = queries_of_all_kinds(files, random.Random(seed), count)
        print(
            f"\n{len(queries)} random queries over {len(files):,} files, {size:,.0f} MB, seed {seed}",
            flush=True,
        )
        start = time.perf_counter()
        expected = scan(files, queries)
        print(f"  the scan took {time.perf_counter() - start:,.0f} s", flush=True)
        start = time.perf_counter()
        hits = compared = unlike = nothing = 0
        for query in queries:
            right = expected[query]
            found = found_by_index(made, query, right.limits)
            wanted = right.answer()
            hits, compared = hits + right.count, compared + len(wanted)
            nothing += not right.count
            if found != wanted:
                unlike += 1
                lacking, more = sorted(wanted - found)[:1], sorted(found - wanted)[:1]
                print(f"  UNLIKE: {query!r}: {len(found)}, not {len(wanted)}; lacks {lacking}, has {more}")
        print(f"  the index took {time.perf_counter() - start:,.0f} s")
        print(f"  {hits:,} hits, {compared:,} of them compared; {nothing} queries without any")
        print(f"  {unlike} answers unlike those of the plain scan", flush=True)
    return unlike


def main() -> int:
    """Compare over the agent folder named, or over one written for it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("agent", type=Path, nargs="?")
    parser.add_argument("--queries", type=int, default=QUERIES)
    parser.add_argument("--sessions", type=int, help="only so many sessions of the store")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    return int(compare(asked.agent or listing.store(), asked.seed, asked.queries, asked.sessions) > 0)


if __name__ == "__main__":
    raise SystemExit(main())
