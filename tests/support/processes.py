"""Waiting for other processes without fixed pauses."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

SLOW = 60.0
"""Seconds that a busy machine may take."""


def holds(true: Callable[[], bool]) -> bool:
    """Whether something comes to hold."""
    deadline = time.monotonic() + SLOW
    while not true():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def ended(process: int) -> bool:
    """Whether a process is gone, or only waits for its parent to ask how it ended."""

    def gone() -> bool:
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return True
        state = Path(f"/proc/{process}/stat")
        return state.exists() and state.read_text().rpartition(")")[2].split()[0] == "Z"

    return holds(gone)
