"""Puts an export where it was asked for: whole or not at all, and never over a session."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO
from uuid import uuid4

from pitree.session.format.jsonl import BOM, parse

_LOOKED_AT = 1 << 20


class ExportError(Exception):
    """The export could not be written; the text says why, on one line."""


def refusal(path: Path) -> str:
    """Why nothing may be exported to a path; empty if it may."""
    try:
        there = os.stat(path)
    except FileNotFoundError:
        return "" if path.parent.is_dir() else f"no folder {path.parent}"
    except (OSError, ValueError) as error:
        return getattr(error, "strerror", None) or str(error)
    if stat.S_ISDIR(there.st_mode):
        return "it is a folder"
    if stat.S_ISREG(there.st_mode) and is_session(path):
        return "it is a session, and sessions are never overwritten"
    return ""


def is_session(path: Path) -> bool:
    """Whether a file is a session by Pi's rule: its first readable JSON object is a session header.

    One that cannot be read counts as one.
    """
    try:
        with path.open("rb") as file:
            lines = file.read(_LOOKED_AT).removeprefix(BOM).split(b"\n")
    except OSError:
        return True
    for line in lines:
        try:
            found = parse(line)
        except ValueError:
            continue
        if isinstance(found, dict):
            return found.get("type") == "session"
    return False


def save(path: Path, pieces: Iterable[bytes]) -> int:
    """Write an export to a file; return its size in bytes.

    A new file takes the place of an old one in one step, when all of it is on the disk. What is no regular
    file (a pipe, a terminal) is written to as it is.

    Raises:
        ExportError: it may not or cannot be written; what was there is still there.
    """
    reason = refusal(path)
    if reason:
        raise ExportError(f"{path}: nothing was written: {reason}")
    size = 0
    try:
        with _target(path) as file:
            for piece in pieces:
                size += file.write(piece)
    except OSError as error:
        raise ExportError(f"{path}: nothing was written: {error.strerror or error}") from error
    return size


@contextmanager
def _target(path: Path) -> Iterator[BinaryIO]:
    if path.exists() and not path.is_file():
        with path.open("wb") as file:
            yield file
        return
    path = Path(os.path.realpath(path))
    made = path.with_name(f".pitree-{uuid4().hex}.tmp")
    descriptor = os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        with open(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            os.chmod(made, stat.S_IMODE(path.stat().st_mode))
        os.replace(made, path)
    finally:
        made.unlink(missing_ok=True)
