"""The index of a store, and searches in it: python -m tests.bench.searching [AGENT_FOLDER]"""

from __future__ import annotations

import argparse
import os
import random
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from pitree.pi.places import Places
from pitree.query.index.finder import Limits, search
from pitree.query.index.index import Index
from pitree.query.index.scope import SearchScope, all_files
from pitree.query.language.query_parser import SearchQuery
from tests.bench import listing, programs
from tests.bench.figures import Table
from tests.bench.live import copy_of
from tests.bench.memory import PeakMemory
from tests.bench.sessions import WORDS

HERE = Path(__file__).parents[2]
WINDOW = Limits(hits=2_000, of_session=200)
"""What the window of the screen asks for."""
QUERIES = 20


class Indexed:
    """The index of a store, made by `pitree index` in a folder of its own.

    Attributes:
        figures: how long that took, and what it came to.
    """

    def __init__(self, agent: Path, scratch: Path) -> None:
        self.places = Places("/home/dev/project-0", str(agent))
        cache = scratch / "cache" / "pitree"
        self._env = {**os.environ, "PI_CODING_AGENT_DIR": str(agent), "PITREE_CACHE_DIR": str(cache)}
        self.figures = self._make()
        size = sum(file.size for file in all_files(self.places))
        start = time.perf_counter()
        self.index = Index(cache / "search")
        self.index.refresh()
        self.figures |= {
            "opened": time.perf_counter() - start,
            "size": self.index.size / 1e6,
            "of the sessions' size": 100 * self.index.size / size,
            "sessions a second": size / 1e6 / self.figures["made"],
            "sessions a second of one core": size / 1e6 / self.figures["processor time"],
        }

    def _make(self) -> dict[str, float]:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, "-m", "pitree", "index"], env=self._env, cwd=HERE, stdout=subprocess.DEVNULL
        )
        with PeakMemory(process.pid) as memory:
            assert process.wait() == 0
        took = time.perf_counter() - start
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return {"made": took, "processor time": used, "peak memory": memory.mb}

    def update(self) -> float:
        """Bring it up to date once more; seconds."""
        start = time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "pitree", "index"],
            env=self._env,
            cwd=HERE,
            check=True,
            capture_output=True,
        )
        return time.perf_counter() - start


MADE = [
    ("sessions a second", "MB"),
    ("sessions a second of one core", "MB"),
    ("made", "s"),
    ("peak memory", "MB"),
    ("size", "MB"),
    ("of the sessions' size", "%"),
    ("opened", "ms"),
]


def kinds_of_queries(chance: random.Random) -> dict[str, list[str]]:
    """Queries by what they are."""

    def words(count: int) -> str:
        return " ".join(chance.choices(WORDS, k=count))

    filters = (
        "role:user",
        "role:assistant",
        "tool:bash",
        "tool:edit",
        "dir:project-7",
        "after:2026-01-15",
        "model:sonnet",
    )
    return {
        "a word": [f"{words(1)} " for _ in range(QUERIES)],
        "the beginning of a word": [words(1)[:3] for _ in range(QUERIES)],
        "a phrase of two words": [f'"{words(2)}"' for _ in range(QUERIES)],
        "a phrase of four words": [f'"{words(4)}"' for _ in range(QUERIES)],
        "a word with a filter": [f"{chance.choice(filters)} {words(1)} " for _ in range(QUERIES)],
        "words with one left out": [f"{words(2)} -{words(1)}" for _ in range(QUERIES)],
        "what there is none of": [f"{words(1)}x{number} " for number in range(QUERIES)],
    }


def first_hits(index: Index, places: Places, queries: Sequence[str]) -> dict[str, float]:
    """How long queries take to their first hits, and to all that the window shows."""
    scope = SearchScope(places, True)
    first, every = [], []
    for query in queries:
        start = time.perf_counter()
        took = 0.0
        for found in search(SearchQuery.parse(query), scope, index, WINDOW, all_read=False):
            if not took and (found.groups or found.done):
                took = time.perf_counter() - start
        first.append(took)
        every.append(time.perf_counter() - start)
    return {
        "first hits, median": statistics.median(first),
        "first hits, 95 of 100": sorted(first)[len(first) * 95 // 100],
        "all shown, median": statistics.median(every),
    }


def measure(agent: Path) -> None:
    """Print the tables for an agent folder."""
    scratch = Path(tempfile.mkdtemp(prefix="pitree-bench-"))
    try:
        sessions, size = listing._sizes(agent)
        made = Indexed(agent, scratch)
        table = Table(f"index of {sessions:,} sessions, {size:,.0f} MB; load {load()}", ("pitree",))
        table.add_all(MADE, made.figures)
        table.add("nothing new: brought up to date", "ms", made.update())
        table.show()
        for kind, queries in kinds_of_queries(random.Random(1)).items():
            table = Table(f"{kind}, {QUERIES} queries; load {load()}", ("pitree",))
            figures = first_hits(made.index, made.places, queries)
            table.add_all([(name, "ms") for name in figures], figures)
            table.show()
        on_screen = screen(agent, scratch)
        table = Table(f"in the window, from a query that is pasted; load {load()}", ("pitree",))
        table.add("first hits drawn", "ms", on_screen)
        table.show()
    finally:
        shutil.rmtree(scratch)


def load() -> str:
    """The load of the machine now."""
    return f"{os.getloadavg()[0]:.1f}"


def screen(agent: Path, scratch: Path) -> float:
    """Seconds from the last key of a query to its first hits on screen; the index is there already."""
    with programs.pitree(scratch, "--all", agent=agent) as app:
        app.time_until("1 of 1,000")
        app.send("\x06")
        app.time_until("Words match whole words")
        app.settle()
        return app.time_key("\x1b[200~retry cach\x1b[201~", until=re.compile("match(es)? in"))


def measure_growth(sizes: Sequence[int]) -> None:
    """Print how index and search grow with the entries of one session, an append included."""
    columns = []
    for entries in sizes:
        scratch = Path(tempfile.mkdtemp(prefix="pitree-bench-"))
        try:
            columns.append(_grown(entries, scratch))
        finally:
            shutil.rmtree(scratch)
    table = Table(
        f"one session of so many entries; load {load()}", tuple(f"{entries:,}" for entries in sizes)
    )
    names = [("made", "s"), ("peak memory", "MB"), ("size", "MB"), ("one entry more", "ms")]
    table.add_all(
        [*names, ("a word: first hits, median", "ms"), ("a phrase: first hits, median", "ms")], *columns
    )
    table.show()


def _grown(entries: int, scratch: Path) -> dict[str, float]:
    path = copy_of(scratch, entries)
    made = Indexed(scratch / "agent", scratch)
    figures = dict(made.figures)
    kinds = kinds_of_queries(random.Random(1))
    for name, kind in (("a word", "a word"), ("a phrase", "a phrase of four words")):
        found = first_hits(made.index, made.places, kinds[kind][:20])
        figures[f"{name}: first hits, median"] = found["first hits, median"]
    line = b'{"type":"message","id":"new","parentId":null,"message":{"role":"user","content":"zanzibar"}}\n'
    with path.open("ab") as file:
        file.write(line)
    figures["one entry more"] = made.update()
    made.index.refresh()
    *_, last = search(SearchQuery.parse("zanzibar"), SearchScope(made.places, True), made.index)
    assert last.hits == 1
    return figures


def main() -> None:
    """Measure on the agent folder named, or on one written for it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("agent", type=Path, nargs="?")
    parser.add_argument("--small", action="store_true", help="leave out the million entries")
    parser.add_argument("--only", choices=("index", "growth"), help="one table alone")
    asked = parser.parse_args()
    agent = asked.agent or listing.store()
    if asked.only in (None, "index"):
        measure(agent)
    if asked.only in (None, "growth"):
        measure_growth(listing.SIZES[:2] if asked.small else listing.SIZES)


if __name__ == "__main__":
    main()
