"""Brings a file of format version 1 or 2 to version 3, keeping the old one beside it.

A running Pi need not be told: it brings a file to version 3 itself as soon as it opens it, so one still of
version 1 or 2 is open in none; and it appends by name, never to a file it holds open.
"""

from __future__ import annotations

import filecmp
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from pitree.session.format.errors import WriteError
from pitree.session.format.jsonl import dump
from pitree.session.format.migrate import CURRENT_VERSION
from pitree.session.storage.atomic_file import link_or, reason, written_beside


def upgrade_file(
    path: Path, version: int, header: dict[str, Any], entries: Iterable[bytes], expected: os.stat_result
) -> Path:
    """Replace a session file by its version 3 form, atomically. Whoever calls holds the session's lock.

    Args:
        path: the file; a symlink stays one.
        version: its format version, which names the copy that stays: `<name>.v1.bak` or `.v2.bak`, with a
            number before `.bak` where another file has that name.
        header: its header.
        entries: its entries as lines in version 3 form, in file order.
        expected: what the file was once all of it was read; if it has changed since, nothing happens.

    Returns:
        Path of the old file under its new name.

    Raises:
        WriteError: nothing was changed; the message says why.
    """
    target = Path(os.path.realpath(path))
    try:
        with written_beside(target, _lines(header, entries), 0o600) as made:
            there = os.stat(target)
            if _stamp(there) != _stamp(expected):
                raise WriteError(path, "nothing was changed: the file has changed meanwhile; reload it")
            _give_same_rights(made, there)
            with _kept(target, version) as backup:
                os.replace(made, target)
    except (OSError, ValueError) as error:
        raise WriteError(path, f"nothing was changed: {reason(error)}") from error
    return backup


def _lines(header: dict[str, Any], entries: Iterable[bytes]) -> Iterator[bytes]:
    yield dump({**header, "version": CURRENT_VERSION})
    yield from entries


def _stamp(status: os.stat_result) -> tuple[int, int, int, int]:
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def _give_same_rights(made: Path, there: os.stat_result) -> None:
    own = os.stat(made)
    if hasattr(os, "chown") and (own.st_uid, own.st_gid) != (there.st_uid, there.st_gid):
        try:
            os.chown(made, there.st_uid, there.st_gid)
        except PermissionError:
            pass  # only its owner's and root's files can be given back
    os.chmod(made, there.st_mode & 0o7777)


@contextmanager
def _kept(target: Path, version: int) -> Iterator[Path]:
    """A second name of a file, which stays unless what is done meanwhile fails."""
    for number in count(1):
        backup = target.with_name(f"{target.name}.v{version}{f'.{number}' if number > 1 else ''}.bak")
        try:
            link_or(target, backup, partial(shutil.copy2, target, backup))
        except FileExistsError:
            if not filecmp.cmp(backup, target, shallow=False):
                continue
            yield backup
            return
        try:
            yield backup
        except BaseException:
            backup.unlink(missing_ok=True)
            raise
        return
