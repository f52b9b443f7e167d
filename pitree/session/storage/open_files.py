"""Which session files other processes have open for writing, where the system tells."""

from __future__ import annotations

import os
import sys

from pitree.pi.places import SUFFIX

FileId = tuple[int, int]
"""Device and inode of a file."""

_PROCESSES = "/proc"


def files_in_use() -> frozenset[FileId]:
    """The session files that other processes have open for writing.

    One look at `/proc` (Linux) tells all, of those processes that this user may look at; elsewhere nothing is
    told. Pi opens a session only to append to it, so with Pi itself this is a matter of luck, and not with
    programs that keep it open.
    """
    if sys.platform != "linux":
        return frozenset()
    try:
        processes = [name for name in os.listdir(_PROCESSES) if name.isdigit() and int(name) != os.getpid()]
    except OSError:
        return frozenset()
    found: set[FileId] = set()
    for process in processes:
        folder = f"{_PROCESSES}/{process}/fd"
        try:
            descriptors = os.listdir(folder)
        except OSError:
            continue
        for descriptor in descriptors:
            path = f"{folder}/{descriptor}"
            try:
                # The name is asked first: to ask for the file itself can take forever on a lost network.
                if os.readlink(path).endswith(SUFFIX) and opened_for_writing(process, descriptor):
                    status = os.stat(path)
                    found.add((status.st_dev, status.st_ino))
            except OSError:
                continue
    return frozenset(found)


def opened_for_writing(process: str, descriptor: str) -> bool:
    """Whether a process opened a descriptor for writing.

    Raises:
        OSError: either is gone, or may not be looked at.
    """
    if sys.platform == "win32":
        return False
    with open(f"{_PROCESSES}/{process}/fdinfo/{descriptor}") as info:
        for line in info:
            if line.startswith("flags:"):
                return int(line.split()[1], 8) & os.O_ACCMODE != os.O_RDONLY
    return False
