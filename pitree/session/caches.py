"""Where pitree keeps what it can make again from the sessions: a folder and files that nobody else reads."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder() -> Path:
    """The folder: `PITREE_CACHE_DIR`, else the user's cache folder. It need not exist."""
    chosen = os.environ.get("PITREE_CACHE_DIR")
    if chosen:
        return Path(chosen)
    from platformdirs import user_cache_path

    return user_cache_path("pitree", appauthor=False)


def make_private_file(path: Path) -> None:
    """Make an empty file that only its owner may read, and its folder; make one that is there private.

    Raises:
        OSError: that cannot be done.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
    try:
        if hasattr(os, "fchmod") and os.fstat(descriptor).st_mode & 0o077:
            os.fchmod(descriptor, 0o600)
    finally:
        os.close(descriptor)
