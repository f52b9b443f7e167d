"""A session of a million entries, and how figures grow up to it: python -m tests.bench.large [FILE]

Opening beside Pi's own functions on the same file; keys while the file is read and afterwards, memory of all
processes together, filters and search; then opening, searching and one append at three sizes.
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tests.bench import live, programs
from tests.bench.figures import Table, median_of
from tests.bench.opening import ROWS_DRAWN, entries_in, other_hits, pi_inside
from tests.bench.sessions import temporary, write_session
from tests.support.pty_app import PtyApp

SIZES = (10_000, 100_000, 1_000_000)
KEY_EVERY = 0.05
"""Seconds between two keys."""
SPAN = 15
"""Rows the cursor goes up, and down again."""
KEYS_AFTERWARDS = 150
APPENDS = 20
SEARCHED = ("r", "e", "n")
"""What is typed; each letter leaves fewer hits."""
SEARCHED_WHOLE = ("l", "o", "g")
"""What is typed to see how long it takes until all hits are there, not only those near the cursor."""
LONG = 240.0
"""Seconds that a slow program may take."""

FIGURES = [
    ("start to first tree", "ms"),
    ("whole tree", "ms"),
    ("whole tree, keys pressed", "ms"),
    ("start to first key answered", "ms"),
    ("key while reading, median", "ms"),
    ("key while reading, 99th percentile", "ms"),
    ("the same, once one is answered", "ms"),
    ("keys pressed while reading", ""),
    ("key to frame", "ms"),
    ("key to frame, 99th percentile", "ms"),
    ("filter switch", "ms"),
    ("all texts read for searches", "ms"),
    ("search keystroke", "ms"),
    ("slowest search keystroke", "ms"),
    ("search keystroke, all hits", "ms"),
    ("peak memory, all processes", "MB"),
]


def place_after(keys: int) -> int:
    """How many rows the cursor is above its first one after so many keys."""
    place = keys % (2 * SPAN)
    return place if place <= SPAN else 2 * SPAN - place


class Presser:
    """Presses keys at an even pace, and looks afterwards when each of them was answered."""

    def __init__(self, app: PtyApp) -> None:
        self._app = app
        self._sent: list[float] = []
        self._first = cursor_row(app.text)
        self.peak_mb = 0.0

    def press(self, ended: Callable[[], bool]) -> None:
        """Press keys until something has happened; note how much memory there is in use."""
        while not ended():
            count = len(self._sent)
            self._sent.append(time.perf_counter())
            self._app.send("up" if place_after(count + 1) > place_after(count) else "down")
            self._app.idle(KEY_EVERY)
            if not count % 4:
                self.peak_mb = max(self.peak_mb, memory_of_all(self._app.pid))

    def answers(self, until: Callable[[str], bool] | None = None) -> tuple[list[tuple[float, float]], float]:
        """When each key was pressed and how long it took, in seconds; and when a frame first was as wanted.

        Keys pressed after that frame do not count. The row with the cursor says which key a frame answers.
        """
        self._app.idle(1.0)
        taken: list[tuple[float, float]] = []
        met = 0.0
        for stamp, text in self._app.replay():
            row = cursor_row(text)
            if row < 0:
                continue
            pressed = sum(sent < stamp for sent in self._sent)
            at = len(taken)
            to = next((n for n in range(at + 1, pressed + 1) if place_after(n) == self._first - row), at)
            taken += [(sent, stamp - sent) for sent in self._sent[at:to]]
            if until is not None and not met and until(text):
                met = stamp
        counted = len(taken) if not met else sum(sent < met for sent in self._sent[: len(taken)])
        if len(taken) < len(self._sent) - 1:
            raise AssertionError(
                f"{len(self._sent) - len(taken)} keys went unanswered\n{self._app.picture()}"
            )
        return taken[:counted], met


def median_of_keys(answered: list[tuple[float, float]]) -> float:
    """How long a key took, in the median."""
    return statistics.median(seconds for _, seconds in answered)


def slowest_of_keys(answered: list[tuple[float, float]]) -> float:
    """How long a key took, at the 99th percentile."""
    return live.percentile(sorted(seconds for _, seconds in answered), 99)


def cursor_row(text: str) -> int:
    """The line of the screen with the cursor of the tree; -1 while there is none."""
    return next((row for row, line in enumerate(text.split("\n")) if "│› " in line), -1)


def memory_of_all(pid: int) -> float:
    """Resident memory of a process and those it has started, in MB."""
    total = 0
    for one in (pid, *children_of(pid)):
        try:
            found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{one}/status").read_text())
        except OSError:
            continue
        total += int(found[1]) if found else 0
    return total / 1024


def children_of(pid: int) -> list[int]:
    """Processes that a process has started and that still run."""
    found = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        try:
            found += [int(child) for child in (task / "children").read_text().split()]
        except OSError:
            continue
    return found


def pitree_on(path: Path, entries: int, scratch: Path) -> dict[str, float]:
    """pitree through a terminal: left alone while it reads the file, then with keys pressed all the time."""
    whole = f"{entries:,} entr"
    with programs.pitree(scratch, path) as app:
        figures = {"start to first tree": app.time_until(ROWS_DRAWN, LONG)}
        figures["whole tree"] = app.time_until(whole, LONG)
    with programs.pitree(scratch, path) as app:
        app.wait_for(lambda text: cursor_row(text) >= 0 and not app.in_frame, LONG)
        presser = Presser(app)
        presser.press(lambda: app.has_written(whole.encode()) or time.perf_counter() > app.started + LONG)
        answered, stamp = presser.answers(lambda text: whole in text)
        figures["whole tree, keys pressed"] = stamp - app.started
        if answered:
            first = sum(answered[0])
            figures["start to first key answered"] = first - app.started
            figures["key while reading, median"] = median_of_keys(answered)
            figures["key while reading, 99th percentile"] = slowest_of_keys(answered)
            later = [key for key in answered if key[0] >= first]
            figures["the same, once one is answered"] = slowest_of_keys(later)
        figures["keys pressed while reading"] = len(answered)
        app.settle(1.0)
        calm = Presser(app)
        ends = time.perf_counter() + KEYS_AFTERWARDS * KEY_EVERY
        calm.press(lambda: time.perf_counter() > ends)
        answered, _ = calm.answers()
        figures["key to frame"] = median_of_keys(answered)
        figures["key to frame, 99th percentile"] = slowest_of_keys(answered)
        figures["filter switch"] = filter_switch(app)
        figures |= searching(app)
        figures["peak memory, all processes"] = max(presser.peak_mb, memory_of_all(app.pid), app.peak_mb)
    return figures


def filter_switch(app: PtyApp) -> float:
    """Seconds that it takes to switch to another filter, in the median."""
    taken = []
    switches = {"ctrl-u": "user-only", "ctrl-l": "labeled-only", "ctrl-a": "all", "ctrl-d": "default"}
    for key, name in switches.items():
        taken.append(app.time_key(key, until=f"Tree · {name}", timeout=LONG))
        app.settle()
    return statistics.median(taken)


def searching(app: PtyApp) -> dict[str, float]:
    """Seconds until all texts are read, and then for each letter typed."""
    app.send("/")
    app.settle()
    start = time.perf_counter()
    app.send("zzzz")
    app.wait_for(re.compile(r"no match(?! · )"), LONG)
    figures = {"all texts read for searches": time.perf_counter() - start}
    app.send(*["backspace"] * 4)
    app.settle(1.0)
    taken = []
    for letter in SEARCHED:
        taken.append(app.time_key(letter, until=other_hits(app.text), timeout=LONG))
        app.settle(0.5)
    figures["search keystroke"] = statistics.median(taken)
    figures["slowest search keystroke"] = max(taken)
    app.send(*["backspace"] * len(SEARCHED))
    app.settle(1.0)
    taken = []
    for letter in SEARCHED_WHOLE:
        taken.append(app.time_key(letter, until=all_other_hits(app.text), timeout=LONG))
        app.settle(0.5)
    figures["search keystroke, all hits"] = statistics.median(taken)
    return figures


def all_other_hits(before: str) -> Callable[[str], bool]:
    """Whether a screen tells the number of all hits, and another one than before."""
    others = other_hits(before)
    return lambda text: others(text) and "so far" not in text


def beside_pi(path: Path, runs: int, scratch: Path) -> None:
    """Print the table for a file."""
    entries = entries_in(path)
    columns, names = [median_of(runs, lambda: pitree_on(path, entries, scratch))], ["pitree"]
    if found := programs.pi_or_none():
        theirs = pi_inside(found, path, "once")
        if "peak memory" in theirs:
            theirs["peak memory, all processes"] = theirs["peak memory"]
        columns.append(theirs)
        names.append("Pi, functions")
    size = path.stat().st_size / 1e6
    load = ", ".join(f"{one:.1f}" for one in os.getloadavg())
    table = Table(f"{entries:,} entries, {size:,.0f} MB, {runs} runs; load {load}", tuple(names))
    table.add_all(FIGURES, *columns)
    table.show()


def measure_growth() -> None:
    """Print how opening, searching and one append grow with the size of a session."""
    table = Table("growth", tuple(f"{size:,}" for size in SIZES))
    with tempfile.TemporaryDirectory(prefix="pitree-bench-") as scratch:
        columns = [at_size(size, Path(scratch)) for size in SIZES]
    for name in ("open, first tree", "open, all rows", "search keystroke", "one append, to the drawn row"):
        table.add(name, "ms", *(column[name] for column in columns))
    table.show()


def at_size(entries: int, scratch: Path) -> dict[str, float]:
    """Opening, searching and appending at one size."""
    path = live.copy_of(scratch, entries)
    count = entries_in(path)
    growing = live.Growing(path)
    with programs.pitree(scratch, path) as app:
        figures = {"open, first tree": app.time_until(ROWS_DRAWN, LONG)}
        figures["open, all rows"] = app.time_until(f"{count:,} entr", LONG)
        live.shown(app, path)
        appends = []
        for number in range(APPENDS):
            mark = f"mark {number:06d}"
            appends.append(app.time_of(partial(growing.append, mark), f": {mark}", LONG))
        figures["one append, to the drawn row"] = statistics.median(appends)
        figures["search keystroke"] = searching(app)["search keystroke"]
    path.unlink()
    return figures


def measure(file: Path | None, runs: int, *, grown: bool = True) -> None:
    """Print the tables, for a file, or for one that is written for it.

    Args:
        file: the file.
        runs: how often to measure pitree on it.
        grown: whether to tell how figures grow with the size, too.
    """
    path = file or temporary() / f"{SIZES[-1]}-50.jsonl"
    if not path.exists():
        write_session(path, entries=SIZES[-1], branches=50)
    with tempfile.TemporaryDirectory(prefix="pitree-bench-") as scratch:
        beside_pi(path, runs, Path(scratch))
    if grown:
        measure_growth()


def main() -> None:
    """Measure on the file named, or on one written for it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path, nargs="?")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--no-growth", action="store_true", help="only the one file")
    asked = parser.parse_args()
    measure(asked.file, asked.runs, grown=not asked.no_growth)


if __name__ == "__main__":
    main()
