"""Signals that end the program from outside: it leaves the terminal as it found it, and then ends."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

WITHIN = 5
"""Seconds in which it has to end; whatever holds it up longer is ended by the system."""


def _ending() -> list[signal.Signals]:
    """Those that end it, without those that whoever started it wants ignored (as `nohup` does)."""
    if sys.platform == "win32":
        return [signal.SIGINT]
    wanted = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    return [one for one in wanted if signal.getsignal(one) is not signal.SIG_IGN]


@contextmanager
def ended_by_signals(end: Callable[[int], None]) -> Iterator[Callable[[asyncio.AbstractEventLoop], None]]:
    """Have signals end the program.

    They do not go through the loop alone, since that may be waiting for another program, such as an editor.

    Args:
        end: called in the loop with the exit status, which is that of a shell: 128 and the signal's number.

    Yields:
        To be called with the loop, once it runs and before the terminal is changed. Until then signals do
        what they do by default.
    """
    before = {}

    def start(loop: asyncio.AbstractEventLoop) -> None:
        def ended(number: int, frame: FrameType | None) -> None:
            if sys.platform != "win32":
                signal.alarm(WITHIN)
            if not loop.is_closed():
                loop.call_soon_threadsafe(end, 128 + number)

        for one in _ending():
            before[one] = signal.signal(one, ended)

    try:
        yield start
    finally:
        for one, handler in before.items():
            signal.signal(one, handler if handler is not None else signal.SIG_DFL)
        if before and sys.platform != "win32":
            signal.alarm(0)
