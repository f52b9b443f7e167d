"""Brings a file of format version 1 or 2 to version 3, keeping the old one beside it."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pitree.session.jsonl import dump
from pitree.session.migrate import CURRENT_VERSION
from pitree.session.notices import WriteError


def upgrade_file(
    path: Path,
    version: int,
    header: dict[str, Any],
    records: Iterable[dict[str, Any]],
    expected: os.stat_result,
) -> Path:
    """Replace a session file by its version 3 form, atomically.

    Args:
        path: the file.
        version: its format version, which names the copy that stays: `<name>.v1.bak` or `.v2.bak`.
        header: its header.
        records: its entries in version 3 form, in file order.
        expected: what the file was when it was read; if it has changed since, nothing happens.

    Returns:
        Path of the copy of the old file.

    Raises:
        WriteError: nothing was changed; the message says why.
    """
    backup = path.with_name(f"{path.name}.v{version}.bak")
    target = Path(os.path.realpath(path))
    made: Path | None = None
    try:
        descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=target.parent)
        made = Path(name)
        with open(descriptor, "wb") as file:
            file.write(dump({**header, "version": CURRENT_VERSION}) + b"\n")
            for record in records:
                file.write(dump(record) + b"\n")
            file.flush()
            os.fsync(file.fileno())
        shutil.copymode(target, made)
        now = os.stat(target)
        if (now.st_size, now.st_mtime_ns, now.st_ino) != (
            expected.st_size,
            expected.st_mtime_ns,
            expected.st_ino,
        ):
            raise WriteError(path, "nothing was changed: the file has changed meanwhile; read it again")
        if not backup.exists():
            shutil.copy2(target, backup)
        os.replace(made, target)
        made = None
    except OSError as error:
        raise WriteError(path, f"nothing was changed: {error.strerror or error}") from error
    finally:
        if made is not None:
            made.unlink(missing_ok=True)
    return backup
