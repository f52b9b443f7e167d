"""Listing a store of many sessions: python -m tests.bench.listing [AGENT_FOLDER]"""

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
from pathlib import Path

from tests.bench import programs
from tests.bench.figures import Table, median_of
from tests.bench.sessions import temporary, write_store
from tests.interop.real_pi import RealPi

HERE = Path(__file__).parent
FIGURES = [("first sessions", "ms"), ("all sessions", "ms"), ("peak memory", "MB")]
SCREEN = [("first rows drawn", "ms"), ("all rows there", "ms"), ("peak memory", "MB")]


def list_here(agent: Path) -> dict[str, float]:
    """List in this process: `SessionManager.list_all`."""
    from pitree.session.manager import SessionManager

    os.environ["PI_CODING_AGENT_DIR"] = str(agent)
    figures: dict[str, float] = {}
    start = time.perf_counter()

    def progress(_loaded: int, _total: int, partial: object) -> None:
        if partial:
            figures.setdefault("first sessions", time.perf_counter() - start)

    found = asyncio.run(SessionManager.list_all(on_progress=progress))
    figures["all sessions"] = time.perf_counter() - start
    figures["sessions"] = len(found)
    figures["peak memory"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return figures


def list_ours(agent: Path) -> dict[str, float]:
    """List in a fresh process, so that its memory is its own."""
    command = [sys.executable, "-m", "tests.bench.listing", "--here", str(agent)]
    return dict(json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout))


def list_pi(found: RealPi, agent: Path) -> dict[str, float]:
    """Pi's `SessionManager.listAll`."""
    return dict(json.loads(found.run(HERE / "pi_inside.mjs", "list", agent)))


def on_screen(agent: Path, sessions: int, scratch: Path) -> dict[str, float]:
    """pitree's picker through a terminal, from the program's start."""
    with programs.pitree(scratch, "--all", agent=agent) as app:
        return {
            "first rows drawn": app.time_until(
                re.compile(r"Sessions(?s:.)*\n.*\b(run|retry|render|read|token|parse)\b")
            ),
            "all rows there": app.time_until(f"of {sessions:,}"),
            "peak memory": app.peak_mb,
        }


def measure(agent: Path, runs: int) -> None:
    """Print the tables for an agent folder."""
    sessions = sum(1 for _ in agent.glob("sessions/*/*.jsonl"))
    size = sum(path.stat().st_size for path in agent.glob("sessions/*/*.jsonl")) / 1e6
    found = programs.pi_or_none()
    columns = [median_of(runs, lambda: list_ours(agent))]
    if found:
        columns.append(median_of(runs, lambda: list_pi(found, agent)))
    names = ("pitree", "Pi")[: len(columns)]
    table = Table(f"list of {sessions:,} sessions, {size:,.0f} MB, median of {runs} runs", names)
    table.add_all(FIGURES, *columns)
    table.show()
    scratch = Path(tempfile.mkdtemp(prefix="pitree-bench-"))
    try:
        screen = Table("the same in pitree's picker, from the start of the program", ("pitree",))
        screen.add_all(SCREEN, median_of(runs, lambda: on_screen(agent, sessions, scratch)))
        screen.show()
    finally:
        shutil.rmtree(scratch)


def main() -> None:
    """Measure on the agent folder named, or on one written for it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("agent", type=Path, nargs="?")
    parser.add_argument("--sessions", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    agent = asked.agent or temporary() / f"store-{asked.sessions}"
    if asked.here:
        print(json.dumps(list_here(agent)))
        return
    if not agent.exists():
        write_store(agent, sessions=asked.sessions)
    measure(agent, asked.runs)


if __name__ == "__main__":
    main()
