"""All benchmarks, one after the other: python -m tests.bench"""

from __future__ import annotations

from tests.bench import listing, live, opening, start, watching_list
from tests.bench.sessions import temporary, write_session, write_store

RUNS = 3


def main() -> None:
    """Write what is missing of the sessions to measure on, and measure."""
    session = temporary() / "100000-50.jsonl"
    if not session.exists():
        write_session(session, entries=100_000, branches=50)
    agent = temporary() / "store-1000"
    if not agent.exists():
        write_store(agent, sessions=1000)
    start.measure(RUNS)
    opening.measure(session, RUNS)
    listing.measure(agent, RUNS)
    watching_list.measure(seconds=30)
    live.measure(appends=100)


if __name__ == "__main__":
    main()
