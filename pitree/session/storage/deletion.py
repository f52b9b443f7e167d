"""Deleting a session file: to the trash where there is one, for good only when asked a second time."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from enum import Enum
from pathlib import Path

from pitree.session.format.errors import WriteError
from pitree.session.storage.open_files import opened_for_writing

_PATIENCE = 20.0


class Trash(Enum):
    """Where a deleted session can go."""

    COMMAND = "the trash (by the trash command)"
    SYSTEM = "the trash"
    NONE = "nowhere: it would be gone for good"


def trash_at_hand() -> Trash:
    """What stands ready to take a deleted session: the `trash` command first, as in Pi."""
    if shutil.which("trash"):
        return Trash.COMMAND
    try:
        import send2trash  # noqa: F401 - asked only whether it is there
    except ImportError:
        return Trash.NONE
    return Trash.SYSTEM


def trash_session(path: Path) -> Trash:
    """Move a session file to the trash.

    Returns:
        Where it went; `Trash.NONE` if no trash would take it, and then the file is where it was.

    Raises:
        WriteError: the file is gone already, or another process has it open for writing.
    """
    refuse_if_in_use(path)
    if shutil.which("trash"):
        target = f"./{path.name}" if path.name.startswith("-") else str(path)
        try:
            done = subprocess.run(
                ["trash", target], cwd=path.parent, capture_output=True, timeout=_PATIENCE, check=False
            )
        except (OSError, subprocess.TimeoutExpired):
            done = None
        if (done is not None and done.returncode == 0) or not path.exists():
            return Trash.COMMAND
    try:
        from send2trash import send2trash
    except ImportError:
        return Trash.NONE
    try:
        send2trash(str(path))
    except Exception:  # whatever keeps it from the trash, the file is still there and the caller asks again
        return Trash.NONE if path.exists() else Trash.SYSTEM
    return Trash.SYSTEM


def remove_session(path: Path) -> None:
    """Remove a session file for good.

    Raises:
        WriteError: it cannot be removed, or another process has it open for writing.
    """
    refuse_if_in_use(path)
    try:
        path.unlink()
    except OSError as error:
        raise WriteError(path, f"not deleted: {error.strerror or error}") from error


def refuse_if_in_use(path: Path) -> None:
    """Refuse to delete a session that another process has open for writing.

    Raises:
        WriteError: one has, or the file is gone already.
    """
    if not path.exists():
        raise WriteError(path, "not deleted: the file is gone already")
    if writers := writers_of(path):
        raise WriteError(path, f"not deleted: process {writers[0]} has it open for writing")


def writers_of(path: Path) -> list[int]:
    """Ids of other processes that have a file open for writing, where the system tells (`/proc`)."""
    if sys.platform != "linux":
        return []
    found = []
    try:
        wanted = os.stat(path)
        processes = [name for name in os.listdir("/proc") if name.isdigit() and int(name) != os.getpid()]
    except OSError:
        return []
    for process in processes:
        folder = f"/proc/{process}/fd"
        try:
            descriptors = os.listdir(folder)
        except OSError:
            continue
        for descriptor in descriptors:
            try:
                there = os.stat(f"{folder}/{descriptor}")
                same = (there.st_dev, there.st_ino) == (wanted.st_dev, wanted.st_ino)
                if same and opened_for_writing(process, descriptor):
                    found.append(int(process))
                    break
            except OSError:
                continue
    return found
