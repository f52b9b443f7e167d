"""What it takes to follow a session as it grows: python -m tests.bench.live

Delay from a write to the drawn row in a small and a large session; keys while entries stream in, and whether
all of them arrive; memory over many appends.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from tests.bench import programs
from tests.bench.figures import Table
from tests.bench.sessions import temporary, write_session
from tests.support.pty_app import PtyApp

APPENDS = 500
SIZES = (1_000, 100_000)
FLOOD = 20_000
FLOODS = 3
A_SECOND = 20
"""Entries appended in a second while memory is measured over minutes."""
KEY_EVERY = 0.04
"""Seconds between two keys."""
ROWS = 30
"""Rows the cursor goes down and up."""
FIRST_ROW = 2
"""Line of the terminal on which the tree's first row stands."""


def entry(number: int, parent: str | None, text: str, role: str = "user") -> bytes:
    """A message of now, as a line."""
    now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    message: dict[str, Any] = {"role": role, "content": [{"type": "text", "text": text}]}
    if role == "assistant":
        message["stopReason"] = "stop"
    record = {"type": "message", "id": f"z{number:07x}", "parentId": parent, "timestamp": now}
    return json.dumps({**record, "message": message}).encode() + b"\n"


def last_id(path: Path) -> str | None:
    """The id of a session's last entry."""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - 1_000_000))
        found = json.loads(file.read().splitlines()[-1]).get("id")
    return found if isinstance(found, str) else None


class Growing:
    """A session that is appended to as Pi does: the file is opened, one line written in one call, closed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.count = 0
        self._last = last_id(path)

    def append(self, text: str) -> None:
        """Append a message."""
        line = entry(self.count, self._last, text, "assistant" if self.count % 2 else "user")
        self._last = f"z{self.count:07x}"
        self.count += 1
        descriptor = os.open(self.path, os.O_WRONLY | os.O_APPEND)
        os.write(descriptor, line)
        os.close(descriptor)


def shown(app: PtyApp, path: Path) -> None:
    """Wait until a session is shown whole."""
    app.wait_for(lambda text: "waiting" in text or "stale" in text or "working" in text, 60)
    app.settle()


@dataclass(frozen=True, slots=True)
class Delays:
    """What was measured of some appends.

    Attributes:
        seconds: from each write until the row was on screen, sorted.
        computing: seconds of computing an append, on all cores together.
    """

    seconds: list[float]
    computing: float


def delays(scratch: Path, entries: int, appends: int, *options: str) -> Delays:
    """Append one entry after the other to a session of a size, each once the one before is on screen."""
    path = copy_of(scratch, entries)
    growing = Growing(path)
    with programs.pitree(scratch, *options, path) as app:
        shown(app, path)
        found = []
        before = app.cpu_seconds
        for number in range(appends):
            mark = f"mark {number:06d}"
            found.append(app.time_of(partial(growing.append, mark), f": {mark}"))
        return Delays(sorted(found), (app.cpu_seconds - before) / appends)


def percentile(figures: list[float], percent: int) -> float:
    """Of sorted figures the one that so many percent do not exceed."""
    return figures[min(len(figures) - 1, len(figures) * percent // 100)]


def copy_of(scratch: Path, entries: int) -> Path:
    """A session of so many entries, to be written to."""
    made = temporary() / f"{entries}-50.jsonl"
    if not made.exists():
        write_session(made, entries=entries, branches=50)
    folder = scratch / "agent" / "sessions" / "--live--"
    folder.mkdir(parents=True, exist_ok=True)
    return Path(shutil.copy(made, folder / f"{entries}.jsonl"))


def flood(scratch: Path) -> Flood:
    """Keys while many entries come as fast as a program can write them; and how long it takes to show all."""
    path = copy_of(scratch, SIZES[0])
    with programs.pitree(scratch, path) as app:
        shown(app, path)
        app.send("g")
        app.settle()
        wanted = f"{entries_in(path) + FLOOD:,} entries"
        start = time.perf_counter()
        writer = subprocess.Popen(_flood_command(path))
        sent: list[float] = []
        ended = 0.0
        while not ended or time.perf_counter() < ended + 2:
            if not ended and writer.poll() is not None:
                ended = time.perf_counter()
            sent.append(time.perf_counter())
            app.send("down" if at_key(len(sent)) > at_key(len(sent) - 1) else "up")
            app.idle(KEY_EVERY)
        keys, all_there, at = [], 0.0, 0
        for stamp, text in app.replay():
            if wanted in text and not all_there:
                all_there = stamp - start
            row = next((row for row, line in enumerate(text.split("\n")) if "│› " in line), 0) - FIRST_ROW
            pressed = sum(before < stamp for before in sent)
            answered = next((count for count in range(at + 1, pressed + 1) if at_key(count) == row), at)
            keys += [stamp - before for before in sent[at:answered]]
            at = answered
        if at < len(sent) or not all_there:
            raise AssertionError(f"{len(sent) - at} keys went unanswered\n{app.picture()}")
        app.send(".")
        app.wait_for(f": flood {FLOOD - 1}")
    during = [seconds for seconds, stamp in zip(keys, sent, strict=True) if stamp < ended]
    return Flood(during, ended - start, all_there)


@dataclass(frozen=True, slots=True)
class Flood:
    """What was measured in a flood: seconds for each key, for the writing, and until all was shown."""

    keys: list[float]
    writing: float
    all_there: float


def at_key(count: int) -> int:
    """The row the cursor is on after so many keys: down to the last row of a screenful, and up again."""
    place = count % (2 * ROWS)
    return place if place <= ROWS else 2 * ROWS - place


def entries_in(path: Path) -> int:
    """How many entries a session has."""
    with path.open("rb") as file:
        return sum(1 for _ in file) - 1


def _flood_command(path: Path) -> Sequence[str | Path]:
    """Pi's own SessionManager, if Pi is here; else a program that writes as it does."""
    pi = programs.pi_or_none()
    if pi is None:
        return [sys.executable, "-m", "tests.bench.live", "--flood", path]
    script = Path(__file__).with_name("flood.mjs")
    return [pi.node, script, pi.package, path, str(FLOOD)]


def memory(scratch: Path, appends: int, a_second: float = math.inf) -> dict[str, float]:
    """Resident memory before and after many appends, in MB, and what the same entries take when opened.

    The cursor follows the leaf, so that each entry is read in full as it comes.

    Args:
        scratch: a folder for the session and for what pitree keeps.
        appends: how many entries to append.
        a_second: how many of them in a second, at most.
    """
    path = copy_of(scratch, SIZES[0])
    growing = Growing(path)
    with programs.pitree(scratch, path) as app:
        shown(app, path)
        for number in range(200):
            growing.append(f"first {number} " + "word " * 20)
            app.wait_for(f": first {number}")
        before = resident(app)
        halfway = 0.0
        start = time.monotonic()
        for number in range(appends):
            app.idle(start + number / a_second - time.monotonic())
            growing.append(f"mark {number:06d} " + "word " * 20)
            if number % 200 == 199:
                app.wait_for(f": mark {number:06d}")
            if number == appends // 2:
                halfway = resident(app)
        app.settle()
        after = resident(app)
    with programs.pitree(scratch, path) as app:
        shown(app, path)
        opened = resident(app)
    return {"before": before, "half of it": halfway, "after": after, "opened anew": opened}


def resident(app: PtyApp) -> float:
    """Resident memory of a program, in MB."""
    status = Path(f"/proc/{app.pid}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+)", status)
    return int(found[1]) / 1024 if found else 0.0


def measure(appends: int = APPENDS) -> None:
    """Print the tables."""
    scratch = Path(tempfile.mkdtemp(prefix="pitree-bench-"))
    try:
        sizes = ("1,000", "100,000", "1,000 --poll")
        table = Table(f"from a write to the drawn row, {appends} appends", sizes)
        measured = [
            delays(scratch, SIZES[0], appends),
            delays(scratch, SIZES[1], appends),
            delays(scratch, SIZES[0], appends // 5, "--poll"),
        ]
        table.add("median", "ms", *(statistics.median(found.seconds) for found in measured))
        table.add("95th percentile", "ms", *(percentile(found.seconds, 95) for found in measured))
        table.add("computing for one", "ms", *(found.computing for found in measured))
        table.show()
        table = Table(f"{FLOOD:,} entries as fast as Pi's SessionManager writes them", ("pitree",))
        floods = [flood(scratch) for _ in range(FLOODS)]
        keys = sorted(seconds for one in floods for seconds in one.keys)
        table.add("key, median", "ms", statistics.median(keys))
        table.add("key, 95th percentile", "ms", percentile(keys, 95))
        table.add("key, worst", "ms", keys[-1])
        table.add("keys pressed", "", len(keys))
        table.add("writing took", "s", statistics.median(one.writing for one in floods))
        table.add("all shown after", "s", statistics.median(one.all_there for one in floods))
        table.show()
        show_memory(memory(scratch, 10_000), "memory over 10,000 appends")
    finally:
        shutil.rmtree(scratch)


def show_memory(figures: dict[str, float], title: str) -> None:
    """Print what `memory` measured."""
    table = Table(title, ("pitree",))
    for name, figure in figures.items():
        table.add(name, "MB", figure)
    table.show()


def measure_long(minutes: float) -> None:
    """Print the table of memory over some minutes of appends."""
    with tempfile.TemporaryDirectory(prefix="pitree-bench-") as scratch:
        appends = int(minutes * 60 * A_SECOND)
        figures = memory(Path(scratch), appends, A_SECOND)
        show_memory(figures, f"memory over {minutes:g} minutes, {appends:,} appends")


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--appends", type=int, default=APPENDS)
    parser.add_argument("--minutes", type=float, help="measure memory alone, over so many minutes of appends")
    parser.add_argument("--flood", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.flood is not None:
        growing = Growing(arguments.flood)
        for number in range(FLOOD):
            growing.append(f"flood {number}")
    elif arguments.minutes is not None:
        measure_long(arguments.minutes)
    else:
        measure(arguments.appends)


if __name__ == "__main__":
    main()
