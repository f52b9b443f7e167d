"""Where pitree keeps what it can make again from the sessions: a folder and files that nobody else reads."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path


def cache_folder() -> Path:
    """The folder: `PITREE_CACHE_DIR`, else the user's cache folder. It need not exist."""
    chosen = os.environ.get("PITREE_CACHE_DIR")
    if chosen:
        return Path(chosen)
    from platformdirs import user_cache_path

    return user_cache_path("pitree", appauthor=False)


def list_file() -> Path:
    """Where lists of sessions are kept."""
    return cache_folder() / "sessions.sqlite3"


def make_private_file(path: Path) -> None:
    """Make an empty file that only its owner may read, and its folder; make one that is there private.

    One that is there is not opened: to close it would give up the locks that this process holds on it.

    Raises:
        OSError: that cannot be done, or it is not a file.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode):
            raise OSError(errno.EINVAL, "not a regular file", str(path)) from None
        if mode & 0o077:
            path.chmod(0o600)
