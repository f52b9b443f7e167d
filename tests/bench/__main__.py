"""All benchmarks, one after the other: python -m tests.bench"""

from __future__ import annotations

from tests.bench import large, listing, live, opening, searching, start, watching_list
from tests.bench.sessions import temporary, write_session

RUNS = 3


def main() -> None:
    """Write what is missing of the sessions to measure on, and measure."""
    session = temporary() / "100000-50.jsonl"
    if not session.exists():
        write_session(session, entries=100_000, branches=50)
    start.measure(RUNS)
    opening.measure(session, RUNS)
    listing.measure(listing.store(), RUNS)
    listing.measure_giant(listing.giant_store(), RUNS)
    listing.measure_growth(RUNS, listing.SIZES)
    searching.measure(listing.store())
    searching.compare(listing.store(), seed=1)
    searching.measure_growth(listing.SIZES)
    watching_list.measure(seconds=30)
    live.measure(appends=100)
    large.measure(None, 1)


if __name__ == "__main__":
    main()
