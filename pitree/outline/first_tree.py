"""Reads the session that a start shows first, in a thread, while the code of the screen is being loaded."""

from __future__ import annotations

import stat
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pitree.outline.filters import FilterMode
from pitree.workers.failures import start_thread

if TYPE_CHECKING:
    from pitree.outline.outline import Outline
    from pitree.query.entries.text_store import TextStore
    from pitree.session.manager.manager import SessionManager

LARGE = 4_000_000
"""Bytes from which the end of a file is shown before all of it is read (some 30 ms of reading)."""

TAIL = 600_000
"""Bytes of that end."""


@dataclass(frozen=True, slots=True)
class FirstRead:
    """What was read: a session, or the end of a large one, and its rows."""

    session: SessionManager
    texts: TextStore
    outline: Outline


class FirstTree:
    """A session that is being read. What goes wrong is not told: whoever reads it again tells.

    Args:
        path: the session file.
        mode: the filter its rows start with.
    """

    def __init__(self, path: Path, mode: FilterMode) -> None:
        self.path = path
        self.mode = mode
        self._read: FirstRead | None = None
        self._thread = start_thread("pitree-first", "read the session while the screen loads", self._work)

    def wait(self, seconds: float) -> FirstRead | None:
        """What was read, waited for so long at most; None if it is not there."""
        self._thread.join(seconds)
        return self._read

    def _work(self) -> None:
        from pitree.outline.outline import Outline
        from pitree.query.entries.text_store import TextStore
        from pitree.session.format.errors import SessionError
        from pitree.session.manager.manager import SessionManager

        try:
            status = self.path.stat()
            if not stat.S_ISREG(status.st_mode):
                return
            if status.st_size >= LARGE:
                session = SessionManager.open_tail(self.path, TAIL)
            else:
                session = SessionManager.open(self.path)
        except (SessionError, OSError):
            return
        if session is not None:
            texts = TextStore(session)
            self._read = FirstRead(session, texts, Outline(session, self.mode, texts=texts))
