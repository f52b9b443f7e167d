"""The lines of a session file one after the other, in bounded memory, for lists and searches."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import AbstractContextManager
from typing import Any

from pitree.session.jsonl import BOM

CHUNK = 256 * 1024
"""Bytes read at a time."""
LONGEST_LINE = 32 * 1024 * 1024
"""Longer lines are not held; of them there is only a `Beginning`."""
BEGINNING = 4096

Turn = AbstractContextManager[Any]
"""A lock, or what stands for one."""


class Stopped(Exception):
    """Reading was called off."""


def never() -> bool:
    """For a reader that is not to be stopped."""
    return False


class Beginning(bytes):
    """The first bytes of a line too long to be held."""


def _beginning(parts: list[bytes]) -> Beginning:
    head = b""
    for part in parts:
        head += part[: BEGINNING - len(head)]
    return Beginning(head)


def lines_of(
    path: str, stopped: Callable[[], bool], turn: AbstractContextManager[Any]
) -> Generator[bytes, None, None]:
    """The lines of a file without their LF; of one above `LONGEST_LINE` a `Beginning`.

    `turn` is held while lines are given out, and free while the disk is waited for.
    """
    parts: list[bytes] = []
    waiting = 0
    with open(path, "rb", buffering=0) as file:
        first = True
        while data := file.read(CHUNK):
            if stopped():
                raise Stopped
            if first:
                first = False
                data = data.removeprefix(BOM)
            if b"\n" not in data:
                if waiting <= LONGEST_LINE:
                    parts.append(data)
                    if waiting + len(data) > LONGEST_LINE:
                        parts = [_beginning(parts)]
                waiting += len(data)
                continue
            with turn:
                if waiting > LONGEST_LINE:
                    yield parts[0]
                    data = data[data.index(b"\n") + 1 :]
                elif parts:
                    parts.append(data)
                    data = b"".join(parts)
                lines = data.split(b"\n")
                rest = lines.pop()
                parts = [rest] if rest else []
                waiting = len(rest)
                yield from lines
    if parts:
        with turn:
            yield parts[0] if len(parts) == 1 else b"".join(parts)
