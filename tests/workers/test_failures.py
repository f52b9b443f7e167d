"""The log of failures: whatever was raised, it is written, briefly, and never raises anything itself."""

from __future__ import annotations

import stat
import sys
from pathlib import Path

import pytest

from pitree.session.format.errors import SessionError
from pitree.workers import failures as log
from tests.support.failing import WordlessError, deep, recursion


def raised(error: BaseException) -> BaseException:
    """An error with a traceback."""
    try:
        raise error
    except BaseException as caught:
        return caught


def test_fault_01_the_log_has_the_calls_and_no_values(state: Path, failures: list[str]) -> None:
    held = deep()
    failure = log.record("read the entry", raised(ValueError("no number")))
    assert held is not None
    assert failure.words.startswith("Could not read the entry: ValueError: no number. Details: ")
    assert failure.log == state / "log/failures.log"
    text = failure.log.read_text()
    assert "could not read the entry\n" in text
    assert "test_failures.py" in text
    assert "raise error" in text
    assert stat.S_IMODE(failure.log.stat().st_mode) == 0o600
    assert stat.S_IMODE(failure.log.parent.stat().st_mode) == 0o700


def test_fault_01_deep_stacks_and_long_chains_are_cut(failures: list[str]) -> None:
    before = sys.getrecursionlimit()
    try:
        sys.setrecursionlimit(50_000)
        try:
            recursion()
        except RecursionError as error:
            deepest: BaseException = error
    finally:
        sys.setrecursionlimit(before)
    for number in range(1000):
        one = ValueError(number)
        one.__cause__ = deepest
        deepest = one
    text = log.traceback_text(deepest)
    assert text.count("which came from") == log.CHAIN - 1
    one = ValueError("x" * 10_000_000)
    one.__context__ = one.__cause__ = raised(RecursionError())
    assert len(log.traceback_text(one)) < log.ENTRY_BYTES
    failure = log.record("go on", one)
    assert failure.log is not None
    assert failure.log.stat().st_size < 2 * log.ENTRY_BYTES
    assert len(failure.words) < 2 * log.REASON


def test_fault_01_a_chain_in_a_circle_ends(failures: list[str]) -> None:
    one, other = ValueError("one"), ValueError("other")
    one.__cause__, other.__cause__ = other, one
    assert log.traceback_text(one).count("ValueError") == 2


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (WordlessError(), "WordlessError: (its text is not available: ValueError)"),
        (RecursionError("maximum depth"), "something is nested too deep"),
        (MemoryError(), "there is not enough memory"),
        (SessionError("s.jsonl", "it is gone"), "s.jsonl: it is gone"),
        (OSError(13, "Permission denied", "/x/y"), "/x/y: Permission denied"),
        (KeyError("a\nb"), r"KeyError: 'a\nb'"),
        (SystemExit(), "SystemExit"),
    ],
)
def test_fault_01_the_reason_is_a_line(error: BaseException, reason: str) -> None:
    assert log.reason_of(raised(error)) == reason


def test_fault_01_the_log_keeps_its_size(state: Path, failures: list[str]) -> None:
    for _ in range(200):
        log.record("go on", raised(ValueError("x" * 5000)))
    sizes = {path.name: path.stat().st_size for path in (state / "log").iterdir()}
    assert sizes.keys() == {"failures.log", "failures.log.1"}
    assert max(sizes.values()) < log.LOG_BYTES + 2 * log.ENTRY_BYTES


def test_fault_01_without_a_log_the_reason_is_said_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("PITREE_STATE_DIR", str(tmp_path / "file"))
    failure = log.record("read the entry", raised(ValueError("no")))
    assert failure.words == "Could not read the entry: ValueError: no. The log could not be written."


@pytest.mark.parametrize("error", [ValueError("no"), SystemExit(3), WordlessError()])
def test_fault_01_a_thread_hands_over_what_it_raised(error: BaseException, failures: list[str]) -> None:
    def work() -> None:
        raise error

    found: list[log.Failure] = []
    log.start_thread("test", "run", work, found.append).join(60)
    assert [one.error for one in found] == [error]
