"""Counts work, so that a test can say how it grows; a clock would tell how busy the machine is."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pitree

_PROGRAM = str(Path(pitree.__file__).parent)


def lines_run(deed: Callable[[], object]) -> int:
    """How many lines of the program are run while something is done."""
    count = 0

    def line(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal count
        count += event == "line"
        return line

    def call(frame: FrameType, event: str, argument: object) -> Any:
        return line if frame.f_code.co_filename.startswith(_PROGRAM) else None

    before = sys.gettrace()
    sys.settrace(call)
    try:
        deed()
    finally:
        sys.settrace(before)
    return count


@contextmanager
def computing_at_most(seconds: float) -> Iterator[None]:
    """Make sure that a thread computes for a time at most, however long it waits for a processor.

    For work inside of compiled code, which `lines_run` does not see. The limit lies far above what linear
    work takes and far below what quadratic work would.

    Raises:
        AssertionError: it computed for longer.
    """
    start = time.thread_time()
    yield
    took = time.thread_time() - start
    if took > seconds:
        raise AssertionError(f"{took:.1f} s of computing, {seconds} at most were expected")
