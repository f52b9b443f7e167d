"""Listing many sessions, beside Pi: python -m tests.bench.listing [--runs N] [--small]

A store of a thousand sessions, without a cache and with one: the list alone, `pitree list --all`, the picker
in a terminal. Then a file of a gigabyte among fifty. Then sessions of 10,000, 100,000 and a million entries.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.bench import programs
from tests.bench.figures import Table, median_of
from tests.bench.live import entry
from tests.bench.memory import PeakMemory
from tests.bench.sessions import temporary, write_session, write_store
from tests.interop.real_pi import RealPi

HERE = Path(__file__).parent
SESSIONS, ENTRIES = 1000, 240
"""The store: sessions, and entries of the smallest; the largest has five times as many. 560 MB."""
AMONG = 50
GIANT_MB = 1000
SIZES = (10_000, 100_000, 1_000_000)

FIRST, OTHERS, ALL = "first sessions", "all but the largest", "all sessions"
MEMORY, COMPUTING = "peak memory, all processes", "computing, with start, all cores"
LISTED = [(FIRST, "ms"), (ALL, "ms"), (COMPUTING, "ms"), (MEMORY, "MB")]


def list_here(agent: Path, cache: Path | None) -> dict[str, float]:
    """List in this process, as the picker does."""
    from pitree.catalog.info.info_cache import InfoCache
    from pitree.catalog.loading.lister import SessionList, list_all_sessions

    os.environ["PI_CODING_AGENT_DIR"] = str(agent)
    figures: dict[str, float] = {}
    kept = InfoCache(cache) if cache is not None else None
    start = time.perf_counter()

    def progress(_loaded: int, total: int, partial: SessionList | None) -> None:
        if partial:
            figures.setdefault(FIRST, time.perf_counter() - start)
            if len(partial) >= total - 1:
                figures.setdefault(OTHERS, time.perf_counter() - start)

    async def listing() -> None:
        figures["sessions"] = len(await list_all_sessions(on_progress=progress, cache=kept))
        figures[ALL] = time.perf_counter() - start

    asyncio.run(listing())
    if kept is not None:
        kept.finish(60)
    return figures


def list_ours(agent: Path, cache: Path | None) -> dict[str, float]:
    """List in a fresh process, so that its memory is its own."""
    command = [
        sys.executable,
        "-m",
        "tests.bench.listing",
        "--here",
        str(agent),
        *([str(cache)] if cache else []),
    ]
    return _run(command)


def list_pi(found: RealPi, agent: Path) -> dict[str, float]:
    """Pi's `SessionManager.listAll`."""
    return _run(
        [str(found.node), str(HERE / "pi_inside.mjs"), "list", str(agent)], {"PI_PACKAGE": str(found.package)}
    )


def _run(command: list[str], env: dict[str, str] | None = None) -> dict[str, float]:
    with (
        subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, env={**os.environ, **(env or {})}
        ) as running,
        PeakMemory(running.pid) as memory,
    ):
        before = _computed()
        out, _ = running.communicate()
    if running.returncode:
        raise SystemExit(f"{' '.join(command)} failed")
    return dict(json.loads(out.splitlines()[-1])) | {MEMORY: memory.mb, COMPUTING: _computed() - before}


def _computed() -> float:
    """Seconds of computing, on all cores, of the processes that have ended below this one."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def command(agent: Path, cache: Path) -> dict[str, float]:
    """`pitree list --all`, from the program's start to its end."""
    start = time.perf_counter()
    env = {**os.environ, "PI_CODING_AGENT_DIR": str(agent), "PITREE_CACHE_DIR": str(cache)}
    words = [sys.executable, "-m", "pitree", "list", "--all"]
    subprocess.run(words, env=env, check=True, stdout=subprocess.DEVNULL)
    return {"pitree list --all": time.perf_counter() - start}


def on_screen(agent: Path, sessions: int, scratch: Path, cache: Path) -> dict[str, float]:
    """The picker through a terminal, from the program's start."""
    os.environ["PITREE_CACHE_DIR"] = str(cache)
    try:
        with programs.pitree(scratch, "--all", agent=agent) as app, PeakMemory(app.pid) as memory:
            figures = {
                "picker: first rows drawn": app.time_until(
                    re.compile(r"Sessions(?s:.)*\n.*\b(run|retry|render|read|token|parse)\b")
                ),
                "picker: all rows there": app.time_until(
                    lambda text: f"1 of {sessions:,} " in text and "reading" not in text
                ),
            }
            app.settle(1.0)
        return figures | {"picker: peak memory, all processes": memory.mb}
    finally:
        del os.environ["PITREE_CACHE_DIR"]


SCREEN = [
    ("picker: first rows drawn", "ms"),
    ("picker: all rows there", "ms"),
    ("picker: peak memory, all processes", "MB"),
    ("pitree list --all", "ms"),
]


def measure(agent: Path, runs: int) -> None:
    """Print the table for an agent folder."""
    sessions, size = _sizes(agent)
    found = programs.pi_or_none()
    scratch = Path(tempfile.mkdtemp(prefix="pitree-bench-"))

    def cold() -> dict[str, float]:
        shutil.rmtree(scratch / "cold", ignore_errors=True)
        screen = on_screen(agent, sessions, scratch, scratch / "cold")
        shutil.rmtree(scratch / "cold", ignore_errors=True)
        return list_ours(agent, None) | screen | command(agent, scratch / "cold")

    def cached() -> dict[str, float]:
        kept = scratch / "warm"
        figures = list_ours(agent, kept / "sessions.sqlite3")
        return figures | on_screen(agent, sessions, scratch, kept) | command(agent, kept)

    try:
        list_ours(agent, scratch / "warm" / "sessions.sqlite3")
        ways: list[Callable[[], dict[str, float]]] = [cold, cached]
        names = ["pitree", "with its cache"]
        if found:
            ways.insert(1, lambda: list_pi(found, agent))
            names.insert(1, "Pi")
        _show(f"{sessions:,} sessions, {size:,.0f} MB", tuple(names), ways, [*LISTED, *SCREEN], runs)
    finally:
        shutil.rmtree(scratch)


def measure_giant(agent: Path, runs: int) -> None:
    """Print the table for a store with one huge file."""
    sessions, size = _sizes(agent)
    found = programs.pi_or_none()
    ways: list[Callable[[], dict[str, float]]] = [lambda: list_ours(agent, None)]
    if found:
        ways.append(lambda: list_pi(found, agent))
    title = f"one file of {GIANT_MB:,} MB among {sessions:,} sessions, {size:,.0f} MB"
    figures = [(FIRST, "ms"), (OTHERS, "ms"), (ALL, "ms"), (COMPUTING, "ms"), (MEMORY, "MB")]
    _show(title, ("pitree", "Pi")[: len(ways)], ways, figures, runs)


def measure_growth(runs: int, sizes: tuple[int, ...]) -> None:
    """Print the table for single sessions of growing size: read from the start, from the cache, and grown."""
    found = programs.pi_or_none()
    names = tuple(f"{size:,} entries" for size in sizes)
    table = Table(f"list of one session, median of {runs} runs, load {_load()}", names)
    columns = []
    for size in sizes:
        scratch = Path(tempfile.mkdtemp(prefix="pitree-bench-"))
        try:
            columns.append(_growth(size, scratch, runs, found))
        finally:
            shutil.rmtree(scratch)
    lines = ["from the start", "Pi", "with the cache", "grown by one entry", "memory, from the start"]
    for line in lines:
        figures = [column.get(line) for column in columns]
        table.add(line, "MB" if "memory" in line else "ms", *figures)
    table.show()


def _growth(size: int, scratch: Path, runs: int, found: RealPi | None) -> dict[str, float]:
    made = temporary() / f"{size}-50.jsonl"
    if not made.exists():
        write_session(made, entries=size, branches=50)
    agent, cache = scratch / "agent", scratch / "cache" / "sessions.sqlite3"
    folder = agent / "sessions" / "--bench--"
    folder.mkdir(parents=True)
    session = Path(shutil.copy(made, folder / "one.jsonl"))
    time.sleep(2.5)  # a file written a moment ago is not trusted to be what the cache says
    cold = median_of(runs, lambda: list_ours(agent, None))
    figures = {"from the start": cold[ALL], "memory, from the start": cold[MEMORY]}
    if found:
        figures["Pi"] = median_of(runs, lambda: list_pi(found, agent))[ALL]
    list_ours(agent, cache)
    figures["with the cache"] = median_of(runs, lambda: list_ours(agent, cache))[ALL]

    def grown() -> dict[str, float]:
        with session.open("ab") as file:
            file.write(entry(1, None, "one more"))
        return list_ours(agent, cache)

    figures["grown by one entry"] = median_of(runs, grown)[ALL]
    return figures


def _show(
    title: str,
    names: tuple[str, ...],
    ways: list[Callable[[], dict[str, float]]],
    figures: list[tuple[str, str]],
    runs: int,
) -> None:
    """Measure each way by turns, so that all meet the same machine, and print the table."""
    before = _load()
    taken = [[way() for way in ways] for _ in range(runs)]
    columns = [median_of(runs, iter([run[place] for run in taken]).__next__) for place in range(len(ways))]
    table = Table(f"{title}; median of {runs} runs, load {before} to {_load()}", names)
    table.add_all(figures, *columns)
    table.show()


def _load() -> str:
    return f"{os.getloadavg()[0]:.1f}"


def _sizes(agent: Path) -> tuple[int, float]:
    files = list(agent.glob("sessions/*/*.jsonl"))
    return len(files), sum(path.stat().st_size for path in files) / 1e6


def store() -> Path:
    """The store of a thousand sessions, written if it is not there."""
    agent = temporary() / "store-1000-560"
    if not agent.exists():
        write_store(agent, sessions=SESSIONS, entries=ENTRIES)
    return agent


def giant_store() -> Path:
    """Fifty sessions, one of them huge: the same turns again and again."""
    agent = temporary() / "store-giant"
    if not agent.exists():
        write_store(agent, sessions=AMONG - 1, entries=ENTRIES, projects=5)
        made = temporary() / "10000-50.jsonl"
        if not made.exists():
            write_session(made, entries=10_000, branches=50)
        header, turns = made.read_bytes().split(b"\n", 1)
        with (agent / "sessions" / "--home-dev-project-0--" / "giant.jsonl").open("wb") as file:
            file.write(header + b"\n")
            while file.tell() < GIANT_MB * 1_000_000:
                file.write(turns)
    return agent


def main() -> None:
    """Measure on stores written for it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--small", action="store_true", help="leave out what takes minutes")
    parser.add_argument("--here", nargs="+", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.here:
        print(json.dumps(list_here(asked.here[0], asked.here[1] if asked.here[1:] else None)))
        return
    measure(store(), asked.runs)
    measure_giant(giant_store(), asked.runs)
    measure_growth(asked.runs, SIZES[:2] if asked.small else SIZES)


if __name__ == "__main__":
    main()
