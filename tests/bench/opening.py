"""Opening a large session, moving in it, filtering, searching: python -m tests.bench.opening [FILE]

The times are those of a clock, and a key's is short: on a machine that does something else, too, it doubles.
The load is printed with them; `tests.bench.reading` gives a key's processor time.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

from tests.bench import programs
from tests.bench.figures import Table, median_of
from tests.bench.sessions import temporary, write_session
from tests.interop.real_pi import RealPi
from tests.support.pty_app import PtyApp, ScreenTimeoutError

HERE = Path(__file__).parent
ROWS_DRAWN = re.compile(r"user: |assistant: |\[(read|bash|edit)")
KEYS_PRESSED = 20
PI_AT_MOST = 600.0
"""Seconds given to Pi's functions; a million entries take minutes."""
QUERY = "resen"
"""Each letter of it leaves fewer hits in a session of `tests.bench.sessions`."""

FIGURES = [
    ("start to first tree", "ms"),
    ("whole tree", "ms"),
    ("key to frame", "ms"),
    ("slowest of 20 keys", "ms"),
    ("filter switch", "ms"),
    ("search keystroke", "ms"),
    ("peak memory", "MB"),
]


def entries_in(path: Path) -> int:
    """Lines less the header."""
    with path.open("rb") as lines:
        return sum(1 for line in lines if line.strip()) - 1


def keys(app: PtyApp) -> dict[str, float]:
    """Press the up key some times, each when the screen is at rest."""
    taken = []
    for _ in range(KEYS_PRESSED):
        taken.append(app.time_key("up"))
        app.settle()
    return {"key to frame": statistics.median(taken), "slowest of 20 keys": max(taken)}


def pitree_on(path: Path, entries: int, scratch: Path) -> dict[str, float]:
    """pitree through a terminal; the search counts until the number of hits is on the screen."""
    with programs.pitree(scratch, path) as app:
        figures = {"start to first tree": app.time_until(ROWS_DRAWN)}
        figures["whole tree"] = app.time_until(f"of {entries:,}")
        app.settle(1.0)
        figures |= keys(app)
        switches = {"ctrl-u": "user-only", "ctrl-l": "labeled-only", "ctrl-a": "all", "ctrl-d": "default"}
        taken = []
        for key, name in switches.items():
            taken.append(app.time_key(key, until=f"Tree · {name}"))
            app.settle()
        figures["filter switch"] = statistics.median(taken)
        app.send("/")
        app.settle(1.0)
        taken = []
        for letter in QUERY:
            taken.append(app.time_key(letter, until=other_hits(app.text)))
            app.settle(0.5)
        figures["search keystroke"] = statistics.median(taken)
        figures["peak memory"] = app.peak_mb
    return figures


def other_hits(before: str) -> Callable[[str], bool]:
    """Whether a screen tells a number of hits, and another one than before."""
    hits = re.compile(r"[\d,]+ match")
    old = hits.search(before)

    def holds(text: str) -> bool:
        found = hits.search(text)
        return found is not None and (old is None or found[0] != old[0])

    return holds


def pi_in_terminal(found: RealPi, path: Path, scratch: Path) -> dict[str, float]:
    """Pi through a terminal: its start on the session, and /tree, less the time to type that."""
    copy = scratch / "session-for-pi.jsonl"
    header, rest = path.read_bytes().split(b"\n", 1)
    (scratch / "pi-cwd").mkdir(parents=True, exist_ok=True)
    copy.write_bytes(
        json.dumps(json.loads(header) | {"cwd": str(scratch / "pi-cwd")}).encode() + b"\n" + rest
    )
    with programs.pi(found, scratch, copy) as app:
        figures = {}
        ready = app.time_until(programs.MODEL, timeout=180)
        app.settle(1.0)
        app.send("/tree")
        app.wait_for("/tree")
        app.settle(1.0)
        figures["start to first tree"] = ready + app.time_key("enter", until="Session Tree", timeout=60)
        figures["whole tree"] = figures["start to first tree"]
        app.settle(1.0)
        figures |= keys(app)
        taken = []
        for key, name in {"ctrl-u": "[user]", "ctrl-l": "[labeled]", "ctrl-a": "[all]"}.items():
            taken.append(app.time_key(key, until=name))
            app.settle()
        figures["filter switch"] = statistics.median(taken)
        app.send("ctrl-d")
        app.settle(1.0)
        taken = []
        for end in range(1, len(QUERY) + 1):
            taken.append(app.time_key(QUERY[end - 1], until=f"search: {QUERY[:end]}"))
            app.settle(0.5)
        figures["search keystroke"] = statistics.median(taken)
        figures["peak memory"] = app.peak_mb
    return figures


def pi_inside(found: RealPi, path: Path, what: str = "open") -> dict[str, float]:
    """Pi's functions alone: open, tree, rows, one render; the program around them is not counted.

    Without what it did not get to in the time it has.
    """
    try:
        told = found.run(HERE / "pi_inside.mjs", what, path, seconds=PI_AT_MOST).encode()
    except subprocess.TimeoutExpired as late:
        print(f"Pi's functions were stopped after {PI_AT_MOST:,.0f} s", flush=True)
        told = late.stdout or b""
    lines = told[: told.rfind(b"\n") + 1].splitlines()
    return dict(json.loads(lines[-1])) if lines else {}


def measure(path: Path, runs: int) -> None:
    """Print the table for a file."""
    entries, before = entries_in(path), os.getloadavg()[0]
    scratch = Path(tempfile.mkdtemp(prefix="pitree-bench-"))
    try:
        ours = median_of(runs, lambda: pitree_on(path, entries, scratch))
        columns, names = [ours], ["pitree"]
        if found := programs.pi_or_none():
            columns.append(median_of(runs, lambda: pi_inside(found, path)))
            names.append("Pi, functions")
            try:
                columns.append(median_of(1, lambda: pi_in_terminal(found, path, scratch)))
                names.append("Pi, terminal")
            except ScreenTimeoutError as error:
                print(f"Pi in the terminal was too slow: {str(error).splitlines()[0]}")
        size = path.stat().st_size / 1e6
        table = Table(
            f"{entries:,} entries, {size:,.0f} MB, median of {runs} runs (Pi in the terminal: 1), "
            f"load {before:.1f} to {os.getloadavg()[0]:.1f}",
            tuple(names),
        )
        table.add_all(FIGURES, *columns)
        table.show()
    finally:
        shutil.rmtree(scratch)


def main() -> None:
    """Measure on the file named, or on one written for it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path, nargs="?")
    parser.add_argument("--entries", type=int, default=100_000)
    parser.add_argument("--branches", type=int, default=50)
    parser.add_argument("--runs", type=int, default=3)
    asked = parser.parse_args()
    path = asked.file or temporary() / f"{asked.entries}-{asked.branches}.jsonl"
    if not path.exists():
        write_session(path, entries=asked.entries, branches=asked.branches)
    measure(path, asked.runs)


if __name__ == "__main__":
    main()
