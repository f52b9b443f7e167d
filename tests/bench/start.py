"""First frame of `pitree --demo` beside the smallest Textual app: python -m tests.bench.start"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from tests.bench import programs
from tests.bench.figures import Table, median_of
from tests.bench.opening import ROWS_DRAWN
from tests.support.pty_app import PtyApp


def demo(scratch: Path) -> dict[str, float]:
    """The demo: anything drawn, then rows of a tree."""
    with programs.pitree(scratch, "--demo") as app:
        return {
            "first frame": app.time_until(lambda text: bool(text.strip())),
            "first tree": app.time_until(ROWS_DRAWN),
            "peak memory": app.peak_mb,
        }


def smallest() -> dict[str, float]:
    """The smallest app: its three panes."""
    command = [sys.executable, "-m", "tests.bench.smallest"]
    with PtyApp(command, columns=programs.COLUMNS, rows=programs.ROWS) as app:
        first = app.time_until("right")
        return {"first frame": first, "first tree": first, "peak memory": app.peak_mb}


def measure(runs: int) -> None:
    """Print the table; runs of the two take turns, so that both meet the same machine."""
    scratch = Path(tempfile.mkdtemp(prefix="pitree-bench-"))

    def both() -> dict[str, float]:
        ours, least = demo(scratch), smallest()
        return {f"pitree {name}": figure for name, figure in ours.items()} | least

    try:
        figures = median_of(runs, both)
    finally:
        shutil.rmtree(scratch)
    table = Table(f"start, median of {runs} runs", ("pitree --demo", "smallest app"))
    for name, unit in (("first frame", "ms"), ("first tree", "ms"), ("peak memory", "MB")):
        table.add(name, unit, figures[f"pitree {name}"], figures[name])
    table.show()


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=7)
    measure(parser.parse_args().runs)


if __name__ == "__main__":
    main()
