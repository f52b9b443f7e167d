"""The session that was written to last, by which Pi continues."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from pitree.catalog.info.session_info import NoSessionFile, cwd_of, read_header
from pitree.pi.places import SUFFIX, absolute


def newest_first(directory: Path, cwd: str | None) -> Iterator[Path]:
    """The sessions of a folder, the file that changed last first.

    Args:
        directory: the folder; one that does not exist holds nothing.
        cwd: only those whose header names this absolute working directory; None for all.
    """
    found = []
    try:
        names = [name for name in os.listdir(directory) if name.endswith(SUFFIX)]
    except OSError:
        return
    for name in names:
        path = directory / name
        try:
            found.append((path.stat().st_mtime_ns, path))
        except OSError:
            continue
    for _, path in sorted(found, reverse=True):
        try:
            named = cwd_of(read_header(str(path)))
        except (NoSessionFile, OSError):
            continue
        if cwd is None or (named and absolute(named, os.getcwd()) == cwd):
            yield path
