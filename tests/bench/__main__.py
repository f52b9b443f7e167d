"""All benchmarks, one after the other, each within a limit of time: python -m tests.bench [PART ...]"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable
from functools import partial

from tests.bench import equal, large, listing, live, opening, searching, start, watching_list
from tests.bench.sessions import temporary, write_session

RUNS = 3
MINUTES = 15.0
"""Given to each part; the session of a million entries takes Pi minutes."""
_TO_END = 20.0
"""Seconds that a part has to put away its scratch folders once it is told to end."""


def _opening() -> None:
    session = temporary() / "100000-50.jsonl"
    if not session.exists():
        write_session(session, entries=100_000, branches=50)
    opening.measure(session, RUNS)


PARTS: dict[str, Callable[[], object]] = {
    "start": partial(start.measure, RUNS),
    "opening": _opening,
    "large": lambda: large.measure(None, 1, grown=False),
    "large-growth": large.measure_growth,
    "listing": lambda: listing.measure(listing.store(), RUNS),
    "listing-giant": lambda: listing.measure_giant(listing.giant_store(), RUNS),
    "listing-growth": lambda: listing.measure_growth(RUNS, listing.SIZES),
    "searching": lambda: searching.measure(listing.store()),
    "searching-growth": lambda: searching.measure_growth(listing.SIZES),
    "equal": lambda: equal.compare(listing.store(), seed=1),
    "watching": lambda: watching_list.measure(seconds=30),
    "live": lambda: live.measure(appends=100),
}
"""What is measured, in this order; each prints its tables as they are ready."""


def run(name: str, seconds: float) -> None:
    """Run a part in a process of its own, and end it with all it has started if it takes too long."""
    print(f"\n## {name}", flush=True)
    begun = time.monotonic()
    part = multiprocessing.get_context("fork").Process(target=_alone, args=(PARTS[name],))
    part.start()
    part.join(seconds)
    why = f"ended with {part.exitcode}" if part.exitcode else ""
    if part.is_alive():
        why = "was stopped; what is above is what there was"
        part.terminate()
        part.join(_TO_END)
    try:
        os.killpg(part.pid or 0, signal.SIGKILL)
    except OSError:
        pass
    part.join()
    print(f"\n{name}: {time.monotonic() - begun:.0f} s{', ' * bool(why)}{why}", flush=True)


def _alone(measure: Callable[[], object]) -> None:
    os.setsid()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    measure()


def main() -> None:
    """Write what is missing of the sessions to measure on, and measure all parts or those named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}; all by default")
    parser.add_argument("--minutes", type=float, default=MINUTES, help="given to each part (%(default)g)")
    asked = parser.parse_args()
    if unknown := set(asked.parts) - set(PARTS):
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    for name in asked.parts or PARTS:
        run(name, asked.minutes * 60)


if __name__ == "__main__":
    main()
