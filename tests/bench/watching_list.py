"""What it costs to watch sessions, at rest and while 50 grow: python -m tests.bench.watching_list"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.bench import programs
from tests.bench.figures import Table
from tests.bench.sessions import temporary, write_store
from tests.support.pty_app import PtyApp

SESSIONS = 1000
GROWING = 50
A_SECOND = 2
"""Entries that come to each growing session in a second."""
WAYS = (("with file events", ()), ("with --poll", ("--poll",)))


def record(kind: str, number: int, parent: str | None, **fields: Any) -> bytes:
    """An entry of now, as a line."""
    time_now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    entry = {"type": kind, "id": f"z{number:07x}", "parentId": parent, "timestamp": time_now, **fields}
    return json.dumps(entry).encode() + b"\n"


def grow(agent: Path, seconds: float) -> None:
    """Append to some sessions, by turns and evenly spread over the time, as Pi does: a line a write."""
    paths = random.Random(1).sample(sorted(agent.glob("sessions/*/*.jsonl")), GROWING)
    last: dict[Path, str] = {}
    start = time.monotonic()
    for number in range(int(seconds * GROWING * A_SECOND)):
        path = paths[number % GROWING]
        asked = (number // GROWING) % 3 == 0
        message = {
            "role": "user" if asked else "assistant",
            "content": [{"type": "text", "text": "word " * 60}],
            "timestamp": int(time.time() * 1000),
            **({} if asked else {"stopReason": "stop"}),
        }
        line = record("message", number, last.get(path), message=message)
        last[path] = f"z{number:07x}"
        with path.open("ab", buffering=0) as file:
            file.write(line)
        time.sleep(max(0.0, start + (number + 1) / (GROWING * A_SECOND) - time.monotonic()))


@contextmanager
def growing(agent: Path, seconds: float) -> Iterator[None]:
    """Another process that appends meanwhile; its computing is not counted."""
    command = [sys.executable, "-m", "tests.bench.watching_list", "--grow", str(seconds), str(agent)]
    writer = subprocess.Popen(command)
    try:
        yield
    finally:
        writer.terminate()
        writer.wait()


def share(app: PtyApp, seconds: float) -> float:
    """Percent of one core that the program takes."""
    before, start = app.cpu_seconds, time.monotonic()
    app.idle(seconds)
    return 100 * (app.cpu_seconds - before) / (time.monotonic() - start)


def delay(app: PtyApp, path: Path, times: int) -> float:
    """Seconds from the write of a session's name until it is on screen, in the median."""
    taken = []
    for number in range(times):
        name = f"q{random.randrange(10**5):05}"  # short, since its column is narrow
        app.idle(0.5)  # longer than changes are gathered
        line = record("session_info", number, None, name=name)
        start = time.perf_counter()
        with path.open("ab", buffering=0) as file:
            file.write(line)
        app.wait_for(name)
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


def measure_way(store: Path, arguments: tuple[str, ...], seconds: float) -> dict[str, float]:
    """The figures of one way to watch."""
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        agent = Path(shutil.copytree(store, scratch / "agent", copy_function=shutil.copy))
        with programs.pitree(scratch, "--all", *arguments, agent=agent) as app:
            app.wait_for(f"of {SESSIONS:,}", timeout=120)
            app.settle(1.0)
            app.idle(2)
            figures = {"idle": share(app, seconds)}
            # Not the newest, whose tree is on screen, which makes it watched most closely.
            second = sorted(agent.glob("sessions/*/*.jsonl"), key=lambda path: path.name)[-2]
            figures["from a write to its row"] = delay(app, second, 20)
            with growing(agent, seconds + 8):
                app.idle(4)
                frames = app.frames
                figures["50 sessions growing"] = share(app, seconds)
                figures["frames a second meanwhile"] = (app.frames - frames) / seconds
            figures["peak memory"] = app.peak_mb
    return figures


def measure(seconds: float) -> None:
    """Print the table."""
    store = temporary() / f"store-{SESSIONS}"
    if not store.exists():
        write_store(store, sessions=SESSIONS)
    columns = [measure_way(store, arguments, seconds) for _, arguments in WAYS]
    title = (
        f"list of {SESSIONS:,} sessions, {GROWING} of them growing by {A_SECOND} entries a second each, "
        f"over {seconds:g} s; percent of one core"
    )
    table = Table(title, tuple(name for name, _ in WAYS))
    table.add_all(
        [
            ("idle", "%"),
            ("50 sessions growing", "%"),
            ("frames a second meanwhile", ""),
            ("from a write to its row", "ms"),
            ("peak memory", "MB"),
        ],
        *columns,
    )
    table.show()


def main() -> None:
    """Measure, or be the process that writes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("agent", type=Path, nargs="?")
    parser.add_argument("--seconds", type=float, default=30.0, help="how long each figure is taken")
    parser.add_argument(
        "--grow", type=float, metavar="SECONDS", help="append to sessions of the agent folder"
    )
    asked = parser.parse_args()
    if asked.grow and asked.agent:
        grow(asked.agent, asked.grow)
    else:
        measure(asked.seconds)


if __name__ == "__main__":
    main()
