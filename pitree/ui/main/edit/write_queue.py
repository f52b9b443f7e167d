"""What is written from the main screen, one job after the other in a thread, in the order of the keys."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pitree.session.manager.manager import SessionManager
    from pitree.session.manager.undoable_edits import Change

Job = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Writing:
    """A change to be written, with all that belongs to it, so that it can be tried again as a whole.

    Attributes:
        session: what it is written to.
        change: writes it.
        undoes: the earlier change that it undoes; None for none.
        then: what to do once it is written.
    """

    session: SessionManager
    change: Callable[..., Change]
    undoes: Change | None = None
    then: Callable[[Change], None] | None = None


class WriteQueue:
    """Runs jobs one at a time, in the order in which they were added.

    Two changes that a reader makes quickly, one after the other, would race in threads of their own: each
    reads what is in the file before it writes.

    Args:
        start: runs a function in a thread.
    """

    def __init__(self, start: Callable[[Job], object]) -> None:
        self._start = start
        self._jobs: deque[Job] = deque()
        self._lock = Lock()
        self._busy = False
        self._next = 0
        self._inside = False

    def add(self, job: Job) -> None:
        """Run a job after those that were added before it; within `inside`, before those that wait."""
        with self._lock:
            if self._inside:
                self._jobs.insert(self._next, job)
                self._next += 1
            else:
                self._jobs.append(job)
            start, self._busy = not self._busy, True
        if start:
            self._start(self._run)

    @contextmanager
    def inside(self) -> Iterator[None]:
        """Meanwhile jobs are part of the one that is running: they come before those that wait."""
        with self._lock:
            self._inside, self._next = True, 0
        try:
            yield
        finally:
            with self._lock:
                self._inside = False

    def _run(self) -> None:
        """Run jobs until none is left; in the thread."""
        while True:
            with self._lock:
                if not self._jobs:
                    self._busy = False
                    return
                job = self._jobs.popleft()
            try:
                job()
            except BaseException:
                with self._lock:
                    self._busy = False
                raise
