"""Numbers and times as people read them: one rule for each kind, and one place that knows it."""

from __future__ import annotations

import ast
import re
from datetime import datetime
from itertools import pairwise
from pathlib import Path

import pytest

import pitree
from pitree.text import figures
from pitree.text.figures import DAY, HOUR, MINUTE

ROOT = Path(pitree.__file__).parent
NOW = 1_800_000_000_000.0


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0, "0"),
        (823, "823"),
        (1000, "1k"),
        (12_345, "12.3k"),
        (50_000, "50k"),
        (99_960, "100k"),
        (123_456, "123.5k"),
        (999_949, "999.9k"),
        (999_960, "1M"),
        (4_100_000, "4.1M"),
    ],
)
def test_fault_16_tokens(value: float, words: str) -> None:
    assert figures.tokens(value) == words


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0, "$0"),
        (0.000001, "<$0.00001"),
        (0.00045, "$0.00045"),
        (0.003, "$0.003"),
        (0.0312, "$0.031"),
        (0.25, "$0.25"),
        (0.3, "$0.30"),
        (0.999, "$1.00"),
        (4.1, "$4.10"),
        (1234.5, "$1,234.50"),
    ],
)
def test_fault_16_costs(value: float, words: str) -> None:
    assert figures.money(value) == words


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0, "0 B"),
        (1023, "1023 B"),
        (1024, "1 KB"),
        (1_500_000, "1.4 MB"),
        (786_432, "768 KB"),
        (1024**2 - 1, "1 MB"),
        (2_800_000_000, "2.6 GB"),
    ],
)
def test_fault_16_sizes(value: int, words: str) -> None:
    assert figures.size(value) == words


@pytest.mark.parametrize(
    ("seconds", "short", "long"),
    [
        (-5, "now", "0 s"),
        (59.999, "now", "59 s"),
        (MINUTE, "1m", "1 min"),
        (HOUR - 1, "59m", "59 min"),
        (HOUR, "1h", "1 h"),
        (DAY - 1, "23h", "23 h"),
        (DAY, "1d", "1 d"),
        (7 * DAY - 1, "6d", "6 d"),
        (7 * DAY, "1w", "1 w"),
        (30 * DAY - 1, "4w", "4 w"),
        (30 * DAY, "1mo", "1 mo"),
        (364 * DAY, "12mo", "12 mo"),
        (365 * DAY, "1y", "1 y"),
        (800 * DAY, "2y", "2 y"),
    ],
)
def test_fault_16_ages(seconds: float, short: str, long: str) -> None:
    then = NOW - 1_000 * seconds
    assert figures.age(then, NOW) == short
    assert figures.span(seconds) == long
    assert figures.ago(then, NOW) == (f"{long} ago" if seconds > 5 else "just now")


def test_an_age_holds_until_it_is_another() -> None:
    at = 0.0
    for _ in range(200):
        words, holds = figures.span(at), figures.span_holds(at)
        assert figures.span(at + holds * 0.999) == words
        at += holds
        assert figures.span(at) != words


def test_times() -> None:
    then = datetime(2026, 3, 4, 14, 2, 11).timestamp() * 1000
    late, year = then + 3_600_000, then + 320 * 86_400_000
    assert figures.clock(then, late) == "14:02:11"
    assert figures.clock(then, year) == "2026-03-04 14:02:11"
    assert figures.short_moment(then, late) == "14:02"
    assert figures.short_moment(then, then + 40 * 86_400_000) == "03-04 14:02"
    assert figures.short_moment(then, year) == "2026-03-04"
    assert figures.moment(then) == "2026-03-04 14:02"
    assert [figures.moment_or_age(then, late, style) for style in figures.DATE_STYLES] == [
        "1h",
        "03-04 14:02",
        "2026-03-04 14:02",
    ]
    for time in (float("nan"), float("inf"), 1e300):
        assert figures.clock(time, NOW) == figures.moment(time) == figures.short_moment(time, NOW) == ""
        assert figures.moment_or_age(time, NOW, "date") == "now"


def test_shares() -> None:
    assert [figures.percent(*pair) for pair in ((0, 3), (1, 3), (2.99, 3), (3, 3), (0, 0))] == [
        "0%",
        "33%",
        "99%",
        "100%",
        "100%",
    ]


ELSEWHERE = {
    "session/format/new_records.py": "the time as it is written into files",
    "ui/app/crash.py": "a time in the name of a file",
    "outline/row_words.py": "the time of a label, as Pi's rows have it",
    "entry/parts/tools.py": "a timeout in seconds, as the call has it",
}
"""Modules that may format a time by themselves → why."""
_UNIT = re.compile(r"^ ?(?:B|KB|MB|GB|TB)\b|^ (?:[smhdwy]|min|mo)\b")


def formats(node: ast.AST) -> str:
    """What a piece of code formats that `figures` is for; empty if nothing."""
    if isinstance(node, ast.Attribute) and node.attr in ("strftime", "localtime"):
        return node.attr
    if isinstance(node, ast.FormattedValue) and isinstance(node.format_spec, ast.JoinedStr):
        spec = ast.unparse(node.format_spec)
        if re.search(r"\.\d+[fe%]|%[A-Za-z]", spec):
            return spec
    if isinstance(node, ast.JoinedStr):
        for before, after in pairwise(node.values):
            code, text = (before, after) if isinstance(before, ast.FormattedValue) else (after, before)
            if isinstance(code, ast.FormattedValue) and isinstance(text, ast.Constant):
                said = str(text.value)
                if said.endswith("$") if code is after else _UNIT.match(said):
                    return f"a figure beside {said!r}"
    return ""


def test_fault_16_nothing_else_formats_sizes_costs_ages_and_times() -> None:
    found = []
    for path in ROOT.rglob("*.py"):
        name = path.relative_to(ROOT).as_posix()
        if name == "text/figures.py" or name.startswith("demo/") or name in ELSEWHERE:
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if what := formats(node):
                found.append(f"{name}:{getattr(node, 'lineno', 0)}: {what}; pitree.text.figures has the rule")
    assert found == []
