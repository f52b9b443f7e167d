"""Whether other processes have ended."""

from __future__ import annotations

import os
from pathlib import Path

from tests.support.waiting import holds


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
