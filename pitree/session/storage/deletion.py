"""Deleting a session file: to the trash where there is one, permanently only when asked a second time."""

from __future__ import annotations

import shutil
from contextlib import suppress
from enum import Enum
from pathlib import Path

from pitree.session.format.errors import WriteError
from pitree.session.storage.open_files import writers_of
from pitree.workers.programs import ProgramError, run

_PATIENCE = 20.0


class Trash(Enum):
    """Where a deleted session can go."""

    COMMAND = "the trash (by the trash command)"
    SYSTEM = "the trash"
    NONE = "nowhere: it would be deleted permanently"


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
    """Move a session file to the trash. Whether it went is seen from the file, whatever the trash says.

    Returns:
        Where it went; `Trash.NONE` if no trash would take it, and then the file is where it was.

    Raises:
        WriteError: the file is gone already, or another process has it open for writing.
    """
    refuse_if_in_use(path)
    before = _identity(path)
    if shutil.which("trash"):
        target = f"./{path.name}" if path.name.startswith("-") else str(path)
        with suppress(ProgramError):
            run(["trash", target], cwd=str(path.parent), seconds=_PATIENCE)
        if _identity(path) != before:
            return Trash.COMMAND
    try:
        from send2trash import send2trash
    except ImportError:
        return Trash.NONE
    with suppress(Exception):  # whatever keeps it from the trash, the file is still there and the caller asks
        send2trash(str(path))
    return Trash.SYSTEM if _identity(path) != before else Trash.NONE


def _identity(path: Path) -> tuple[int, int] | None:
    """Which file stands at a path; None if there is none. Pi may have begun a new one meanwhile.

    Raises:
        WriteError: that cannot be seen.
    """
    try:
        status = path.lstat()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise WriteError(path, f"cannot be read: {error.strerror or error}") from error
    return status.st_dev, status.st_ino


def remove_session(path: Path) -> None:
    """Remove a session file permanently.

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
        raise WriteError(path, "not deleted: the file is already gone")
    if writers := writers_of(path):
        raise WriteError(path, f"not deleted: process {writers[0]} has it open for writing")
