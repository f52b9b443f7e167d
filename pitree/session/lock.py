"""One pitree at a time writes to a session: an advisory lock in the state folder, not beside the session."""

from __future__ import annotations

import hashlib
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from platformdirs import user_state_path

from pitree.session.notices import WriteError

_WAIT = 5.0
_STEP = 0.01


def state_folder() -> Path:
    """Where pitree keeps what it remembers: `PITREE_STATE_DIR`, else the user's state folder."""
    chosen = os.environ.get("PITREE_STATE_DIR")
    return Path(chosen) if chosen else user_state_path("pitree", appauthor=False)


if sys.platform == "win32":
    import msvcrt

    def _try_lock(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try_lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True


@contextmanager
def session_lock(path: Path, wait: float = _WAIT) -> Iterator[None]:
    """Hold the lock of a session file; the system lets go of it when the process ends, however it ends.

    Where no state folder can be written to, there is no lock, and writing goes on without.

    Args:
        path: the session file.
        wait: seconds to wait for another pitree to finish.

    Raises:
        WriteError: another pitree still holds the lock.
    """
    folder = state_folder() / "locks"
    name = hashlib.sha256(os.fsencode(os.path.realpath(path))).hexdigest()[:32]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(folder / name, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
    except OSError:
        yield
        return
    try:
        deadline = time.monotonic() + wait
        while not _try_lock(descriptor):
            if time.monotonic() > deadline:
                raise WriteError(path, "another pitree is writing to it")
            time.sleep(_STEP)
        yield
    finally:
        os.close(descriptor)
