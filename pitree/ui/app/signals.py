"""Signals that end the program from outside: it leaves the terminal as it found it, and then ends."""

from __future__ import annotations

import asyncio
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

WITHIN = 5
"""Seconds in which it has to end; after these it is ended from a thread, which no handler can hold up."""


def _ending() -> list[signal.Signals]:
    """Those that end it, without those that whoever started it wants ignored (as `nohup` does)."""
    if sys.platform == "win32":
        return [signal.SIGINT]
    wanted = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    return [one for one in wanted if signal.getsignal(one) is not signal.SIG_IGN]


def end_late(force: Callable[[int], None], status: int) -> threading.Timer:
    """Have the program ended with a status after `WITHIN` seconds, unless the timer is cancelled."""
    timer = threading.Timer(WITHIN, force, (status,))
    timer.daemon = True
    timer.start()
    return timer


@contextmanager
def ended_by_signals(
    end: Callable[[int], None], force: Callable[[int], None]
) -> Iterator[Callable[[asyncio.AbstractEventLoop], None]]:
    """Have signals end the program.

    They do not go through the loop alone, since that may be waiting for another program, such as an editor.

    Args:
        end: called in the loop with the exit status, which is that of a shell: 128 and the signal's number.
        force: called with it in a thread if the program still runs after `WITHIN` seconds.

    Yields:
        To be called with the loop, once it runs and before the terminal is changed. Until then signals do
        what they do by default.
    """
    before = {}
    late: list[threading.Timer] = []

    def start(loop: asyncio.AbstractEventLoop) -> None:
        def ended(number: int, frame: FrameType | None) -> None:
            if sys.platform != "win32":
                signal.alarm(WITHIN + 2)  # the system's own end, should all else fail
            late.append(end_late(force, 128 + number))
            if not loop.is_closed():
                loop.call_soon_threadsafe(end, 128 + number)

        for one in _ending():
            before[one] = signal.signal(one, ended)

    try:
        yield start
    finally:
        for timer in late:
            timer.cancel()
        for one, handler in before.items():
            signal.signal(one, handler if handler is not None else signal.SIG_DFL)
        if before and sys.platform != "win32":
            signal.alarm(0)
