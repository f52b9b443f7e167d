"""No test pauses for a time chosen beforehand, and none judges the machine's speed."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
HELPERS = {"support/waiting.py", "support/work.py", "support/pty_app.py"}
"""Where pauses and clocks belong, under `tests`; what is in `bench` measures."""
CLOCKS = {"monotonic", "perf_counter", "process_time", "thread_time"}
CLOCKS |= {f"{name}_ns" for name in CLOCKS}
PAUSES = {"sleep", "pause", "idle"}
"""Names of what pauses for the seconds that it is given: `time.sleep`, `pilot.pause`, `PtyApp.idle`…"""


def name_of(node: ast.expr) -> str:
    """The last part of a name; "" for what is no name."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def pauses(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Fixed pauses: the line and what stands there; `asyncio.sleep(0)` and `pilot.pause()` are none."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and name_of(node.func) in PAUSES:
            seconds = [*node.args, *(keyword.value for keyword in node.keywords)]
            if any(not (isinstance(one, ast.Constant) and not one.value) for one in seconds):
                yield node.lineno, ast.unparse(node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and pauses_in(node.value):
            yield node.lineno, repr(node.value)


def pauses_in(text: str) -> bool:
    """Whether a text is a program that pauses, or the key by which Pilot does."""
    return "time.sleep(" in text or text.startswith("wait:")


def of_clock(node: ast.AST, timed: set[str]) -> bool:
    """Whether a clock, or a name in which its time is, stands in an expression."""
    return any(
        (isinstance(one, ast.Call) and name_of(one.func) in CLOCKS)
        or (isinstance(one, ast.Name) and one.id in timed)
        for one in ast.walk(node)
    )


def of_difference(node: ast.AST) -> bool:
    """Whether something is taken from `time.time()`, or that from something."""
    return any(
        isinstance(one, ast.BinOp)
        and isinstance(one.op, ast.Sub)
        and any(ast.unparse(side).startswith("time.time") for side in (one.left, one.right))
        for one in ast.walk(node)
    )


def timed_names(function: ast.AST) -> set[str]:
    """Names that hold times of a clock, or what was computed from them."""
    timed: set[str] = set()
    while True:
        before = len(timed)
        for node in ast.walk(function):
            if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.NamedExpr):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                value = node.value
            elif (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in ("append", "add", "extend")
            ):
                targets, value = [node.func.value], ast.Tuple(node.args)
            else:
                continue
            if value is not None and (of_clock(value, timed) or of_difference(value)):
                parts = (part for target in targets for part in ast.walk(target))
                timed |= {part.id for part in parts if isinstance(part, ast.Name)}
        if len(timed) == before:
            return timed


def judged_times(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Asserts on times of a clock."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            timed = timed_names(function)
            for node in ast.walk(function):
                if isinstance(node, ast.Assert) and (of_clock(node.test, timed) or of_difference(node.test)):
                    yield node.lineno, ast.unparse(node.test)


def faults(source: str) -> list[tuple[int, str]]:
    """The lines with a fixed pause, or an assert on a time."""
    tree = ast.parse(source)
    return sorted({*pauses(tree), *judged_times(tree)})


FILES = [
    name
    for path in sorted(TESTS.rglob("*.py"))
    if not (name := path.relative_to(TESTS).as_posix()).startswith("bench/")
    and path != Path(__file__)
    and name not in HELPERS
]


@pytest.mark.parametrize("name", FILES)
def test_no_pause_is_fixed_and_no_time_is_judged(name: str) -> None:
    found = faults((TESTS / name).read_text(encoding="utf-8"))
    assert not found, "wait with tests.support.waiting, count with tests.support.work"


@pytest.mark.parametrize(
    "planted",
    [
        "time.sleep(0.5)",
        "sleep(seconds)",
        "await asyncio.sleep(0.1)",
        "await pilot.pause(0.02)",
        "await pilot.pause(delay=1)",
        "app.idle(2)",
        "await pilot.press('wait:300')",
        "run('import time; time.sleep(600)')",
        "start = time.monotonic()\n    assert time.monotonic() - start < 1",
        "start = perf_counter()\n    took = perf_counter() - start\n    assert max(took, 0) < 2",
        "looks = []\n    looks.append(time.monotonic())\n    assert looks[0] < 5",
        "assert time.time() - start < 1",
        "took = time.time() - start\n    assert took < 1",
    ],
)
def test_a_planted_fault_is_found(planted: str) -> None:
    assert faults(f"async def test() -> None:\n    {planted}\n")


@pytest.mark.parametrize(
    "allowed",
    [
        "await asyncio.sleep(0)",
        "await pilot.pause()",
        "until(lambda: done, 60)",
        "ends = time.monotonic() + 60\n    assert done",
        "now = int(time.time() * 1000)\n    assert found == now",
    ],
)
def test_what_waits_for_something_is_none(allowed: str) -> None:
    assert not faults(f"async def test() -> None:\n    {allowed}\n")
