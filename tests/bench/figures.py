"""Medians, and tables that show pitree and Pi side by side."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field


def median_of(runs: int, measure: Callable[[], dict[str, float]]) -> dict[str, float]:
    """Measure several times; return the median of each figure."""
    taken = [measure() for _ in range(runs)]
    return {name: statistics.median(run[name] for run in taken if name in run) for name in taken[0]}


@dataclass
class Table:
    """Figures of several programs, one line a figure.

    Args:
        title: what was measured, on what.
        programs: names of the programs, pitree's first; the last column is the first over the second.
    """

    title: str
    programs: tuple[str, ...]
    lines: list[tuple[str, str, list[float | None]]] = field(default_factory=list)

    def add(self, name: str, unit: str, *figures: float | None) -> None:
        """Add a line; None where a program has no such figure."""
        self.lines.append((name, unit, list(figures)))

    def add_all(self, names: Iterable[tuple[str, str]], *measured: dict[str, float]) -> None:
        """Add a line for each `(figure, unit)`, looked up in what was measured of each program."""
        for name, unit in names:
            self.add(name, unit, *(figures.get(name) for figures in measured))

    def show(self) -> None:
        """Print the table."""
        width = max(len(name) for name, _, _ in self.lines)
        print(f"\n{self.title}")
        print(f"  {'':{width}}  " + "".join(f"{name:>16}" for name in self.programs) + f"{'':>10}")
        for name, unit, figures in self.lines:
            cells = "".join(f"{_shown(figure, unit):>16}" for figure in figures)
            print(f"  {name:{width}}  {cells}{_ratio(figures):>10}", flush=True)


def _shown(figure: float | None, unit: str) -> str:
    if figure is None:
        return "–"
    if unit == "ms":
        figure *= 1000
    return f"{figure:,.1f} {unit}" if figure < 100 else f"{figure:,.0f} {unit}"


def _ratio(figures: list[float | None]) -> str:
    if len(figures) < 2 or not figures[0] or not figures[1]:
        return ""
    return f"× {figures[0] / figures[1]:.2f}"
