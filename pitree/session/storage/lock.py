"""One pitree at a time writes to a session: an advisory lock in the state folder, not beside the session."""

from __future__ import annotations

import errno
import hashlib
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pitree.resources import state_folder
from pitree.session.format.errors import WriteError

_WAIT = 5.0
_STEP = 0.01
_HELD = frozenset({errno.EACCES, errno.EAGAIN, errno.EWOULDBLOCK, errno.EDEADLK})


if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

else:
    try:
        import fcntl
    except ImportError:  # no locks here; writing goes on without

        def _lock(descriptor: int) -> None:
            pass

    else:

        def _lock(descriptor: int) -> None:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def session_lock(path: Path, wait: float = _WAIT) -> Iterator[None]:
    """Hold the lock of a session file; the system lets go of it when the process ends, however it ends.

    The lock's own file stays: to remove it would let two processes hold a lock each. Where the state folder
    cannot be written to or knows no locks, there is none, and writing continues without.

    Args:
        path: the session file; a symlink and its target have one lock.
        wait: seconds to wait for another pitree to finish.

    Raises:
        WriteError: another pitree still holds the lock.
    """
    descriptor = _open(path)
    try:
        if descriptor >= 0 and not take_lock(descriptor, wait):
            raise WriteError(path, "nothing was written: another pitree is writing to it")
        yield
    finally:
        if descriptor >= 0:
            os.close(descriptor)


def _open(path: Path) -> int:
    folder = state_folder() / "locks"
    name = hashlib.sha256(os.fsencode(os.path.realpath(path))).hexdigest()[:32]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return os.open(folder / name, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
    except (OSError, RuntimeError):  # RuntimeError: there is no home folder
        return -1


def take_lock(descriptor: int, wait: float) -> bool:
    """Take the lock of an opened file; False if another process still has it after so many seconds.

    Where there are no locks it counts as taken.
    """
    deadline = time.monotonic() + wait
    while True:
        try:
            _lock(descriptor)
        except OSError as error:
            if error.errno not in _HELD:
                return True
        else:
            return True
        if time.monotonic() > deadline:
            return False
        time.sleep(_STEP)
