"""Every wait of the tests: until something holds, looking again and again up to a deadline.

A pause whose length is chosen beforehand is too short on a busy machine and too long on every other. Where
something must not happen, wait for the deed after which it would have happened.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import time
from collections.abc import Awaitable, Callable
from typing import NoReturn

PATIENCE = 60.0
"""Seconds after which a wait fails, by default; much longer than anything takes."""
STEP = 0.005
"""Seconds between two looks."""

Holds = Callable[[], object]


def _nothing() -> str:
    return ""


def until(true: Holds, seconds: float = PATIENCE, shown: Callable[[], str] = _nothing) -> None:
    """Wait until something holds.

    Args:
        true: whether it does.
        seconds: how long to wait at most.
        shown: what the failure shows beside.

    Raises:
        AssertionError: it did not come about in time.
    """
    if not holds(true, seconds):
        _fail(seconds, shown)


def holds(true: Holds, seconds: float = PATIENCE) -> bool:
    """Whether something comes to hold within some seconds."""
    ends = time.monotonic() + seconds
    while not true():
        if time.monotonic() > ends:
            return False
        time.sleep(STEP)
    return True


async def until_async(
    true: Holds,
    seconds: float = PATIENCE,
    shown: Callable[[], str] = _nothing,
    pause: Callable[[float], Awaitable[object]] = asyncio.sleep,
) -> None:
    """Wait until something holds, letting others of the event loop go on; `pause` is how.

    Raises:
        AssertionError: it did not come about in time.
    """
    ends = time.monotonic() + seconds
    while not true():
        if time.monotonic() > ends:
            _fail(seconds, shown)
        await pause(STEP)


def _fail(seconds: float, shown: Callable[[], str]) -> NoReturn:
    raise AssertionError("\n".join(filter(None, [f"it did not come about within {seconds} s", shown()])))


def kill_at_any_moment(child: int, chance: random.Random, mean: float) -> int:
    """Kill a child process after a time that chance chooses, `mean` seconds on average; return its status."""
    time.sleep(chance.expovariate(1 / mean))
    os.kill(child, signal.SIGKILL)
    return os.waitpid(child, 0)[1]
