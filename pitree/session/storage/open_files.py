"""Which session files other processes have open for writing, where the system tells."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

from pitree.pi.places import SUFFIX
from pitree.workers.failures import start_thread

FileId = tuple[int, int]
"""Device and inode of a file."""

_ACCESS_MODE = os.O_RDONLY | os.O_WRONLY | os.O_RDWR
_PROCESSES = "/proc"
_SECONDS = 2.0
"""How long a look may take: a file on a dead mount keeps whoever looks at it waiting for ever."""


class _Look:
    """One look at what is open, in a thread of its own, which can be left behind if it hangs."""

    def __init__(self, wanted: FileId | None) -> None:
        self.found: dict[FileId, int] = {}
        self._wanted = wanted
        self._thread = start_thread("pitree-open", "see which files are open", self._look)

    def take(self) -> dict[FileId, int]:
        """What was found within the time there is: file → a process that writes to it."""
        self._thread.join(_SECONDS)
        return self.found.copy()

    @property
    def hangs(self) -> bool:
        """Whether it is still under way."""
        return self._thread.is_alive()

    def _look(self) -> None:
        for process in _processes():
            for descriptor in _listed(f"{_PROCESSES}/{process}/fd"):
                try:
                    file = _written(process, descriptor, self._wanted)
                except OSError:  # either is gone, or may not be looked at
                    continue
                if file is not None:
                    self.found.setdefault(file, int(process))


_last_look: _Look | None = None


def files_in_use() -> frozenset[FileId]:
    """The session files that other processes have open for writing.

    One look at `/proc` (Linux) tells all, of those processes that this user may look at; elsewhere nothing is
    known. Pi opens a session only to append to it, so with Pi itself this is a matter of luck, and not with
    programs that keep it open. It takes no longer than a few seconds: of a look that hangs, what it has found
    so far counts, and no other one is begun meanwhile.
    """
    global _last_look
    if sys.platform != "linux":
        return frozenset()
    if _last_look is None or not _last_look.hangs:
        _last_look = _Look(None)
    return frozenset(_last_look.take())


def writers_of(path: str | os.PathLike[str]) -> list[int]:
    """The id of another process that has a file open for writing, as far as `files_in_use` can tell."""
    if sys.platform != "linux":
        return []
    try:
        status = os.stat(path)
    except OSError:
        return []
    wanted = status.st_dev, status.st_ino
    found = _Look(wanted).take()
    return [found[wanted]] if wanted in found else []


def _processes() -> Iterator[str]:
    own = str(os.getpid())
    return (name for name in _listed(_PROCESSES) if name.isdigit() and name != own)


def _listed(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _written(process: str, descriptor: str, wanted: FileId | None) -> FileId | None:
    """The file behind a descriptor, if it is open for writing and may be the one that is wanted.

    What the system knows without a look at the file itself is asked first: how it was opened, and its name,
    or its inode where it goes by another name than a session's.

    Raises:
        OSError: the process or the descriptor is gone, or may not be looked at.
    """
    path = f"{_PROCESSES}/{process}/fd/{descriptor}"
    named = os.readlink(path).endswith(SUFFIX)
    if not named and wanted is None:
        return None
    info = _info(process, descriptor)
    if int(info.get("flags", "0"), 8) & _ACCESS_MODE == os.O_RDONLY:
        return None
    if not named and wanted is not None and info.get("ino") != str(wanted[1]):
        return None
    status = os.stat(path)
    file = status.st_dev, status.st_ino
    return file if wanted in (None, file) else None


def _info(process: str, descriptor: str) -> dict[str, str]:
    """What the system says of a descriptor: `flags` in octal, and from Linux 5.14 on `ino`."""
    with open(f"{_PROCESSES}/{process}/fdinfo/{descriptor}") as lines:
        parts = (line.split(":", 1) for line in lines if ":" in line)
        return {name: value.strip() for name, value in parts}
