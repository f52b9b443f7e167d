"""Makes a file appear whole or not at all, so that nothing half written is ever taken for a session."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

from pitree.session.format.errors import WriteError
from pitree.session.format.jsonl import dump

NO_LINKS = frozenset({errno.EPERM, errno.EACCES, errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP})
"""What a system answers that has no hard links, or forbids them."""


@contextmanager
def written_beside(path: Path, lines: Iterable[bytes], mode: int = 0o666) -> Iterator[Path]:
    """A file with these lines, whole and safe on the disk, beside a path and under a name no session bears.

    At the end it is removed, unless it was given another name.

    Args:
        path: the file it is to stand in for.
        lines: its lines, without LF.
        mode: its permissions, less those the process masks.

    Raises:
        OSError: it cannot be written.
    """
    made = path.with_name(f".pitree-{uuid4().hex}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    descriptor = os.open(made, flags, mode)
    try:
        with open(descriptor, "wb") as file:
            for line in lines:
                file.write(line)
                file.write(b"\n")
            file.flush()
            os.fsync(file.fileno())
        yield made
    finally:
        try:
            made.unlink(missing_ok=True)
        except OSError:
            pass


def name_it(made: Path, path: Path) -> None:
    """Give a file the name it was made for, in one step, if nothing bears that name.

    Raises:
        FileExistsError: something does.
        OSError: it cannot be done.
    """
    link_or(made, path, lambda: os.replace(made, path))


def link_or(file: Path, name: Path, put: Callable[[], object]) -> None:
    """Give a file a further name, if nothing bears that name.

    Args:
        file: the file.
        name: its further name.
        put: what is in where there are no hard links: the name is taken by an empty file first, and this
            puts the whole one in its place.

    Raises:
        FileExistsError: something bears the name.
        OSError: it cannot be done; the name is free as before.
    """
    try:
        os.link(file, name)
    except OSError as error:
        if error.errno not in NO_LINKS:
            raise
        os.close(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
        try:
            put()
        except OSError:
            name.unlink(missing_ok=True)
            raise


def write_new_file(path: Path, records: Iterable[dict[str, Any] | bytes]) -> None:
    """Write a new session file, whole or not at all.

    Args:
        path: the file; its folder is made where it is missing.
        records: header and entries; one that is bytes is a line as it is in another file.

    Raises:
        WriteError: a file of this name exists, or it cannot be written; nothing is left behind.
    """
    lines = (record if isinstance(record, bytes) else dump(record) for record in records)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with written_beside(path, lines) as made:
            name_it(made, path)
    except FileExistsError:
        raise WriteError(path, "nothing was written: a file with this name already exists") from None
    except (OSError, ValueError) as error:
        raise WriteError(path, f"nothing was written: {reason(error)}") from error


def reason(error: Exception) -> str:
    """Why the system or the encoder refused, in words."""
    number = getattr(error, "errno", None)
    if number == errno.ENOSPC:
        return "the disk is full"
    if number == getattr(errno, "EDQUOT", None) and number is not None:
        return "the disk quota is exceeded"
    return getattr(error, "strerror", None) or str(error)
