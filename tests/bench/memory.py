"""Memory of a program and of all processes it starts, summed, while it runs."""

from __future__ import annotations

import re
import threading
from pathlib import Path
from types import TracebackType

_EVERY = 0.01


class PeakMemory:
    """Looks again and again at what a process and its descendants hold; a context manager.

    Args:
        pid: the process.

    Attributes:
        mb: the most resident memory of all together at one time, in MB. What they share counts once for each.
    """

    def __init__(self, pid: int) -> None:
        self.mb = 0.0
        self._pid = pid
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> PeakMemory:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._over.wait(_EVERY):
            self.mb = max(self.mb, sum(map(_resident, _family(self._pid))) / 1024)


def _family(pid: int) -> list[int]:
    """A process and its descendants."""
    found = [pid]
    for one in found:
        for children in Path(f"/proc/{one}/task").glob("*/children"):
            try:
                found += map(int, children.read_text().split())
            except OSError:
                continue
    return found


def _resident(pid: int) -> int:
    """Resident memory of a process, in KB; 0 if it is gone."""
    try:
        found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    except OSError:
        return 0
    return int(found[1]) if found else 0
