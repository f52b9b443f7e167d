"""What a process that answers questions does with its ends: see `workers`."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable
from contextlib import suppress

from pitree.workers.framing import LENGTH

_NICE = 4
"""So much less important is this than the process that waits for keys."""


def serve(answer_all: Callable[[], None]) -> None:
    """Answer until nobody asks, or nobody reads the answers.

    Args:
        answer_all: reads questions by `asked`, and calls `answer` for each.
    """
    gc.disable()  # no answer leaves anything that refers to itself
    if sys.platform != "win32":
        with suppress(OSError):
            os.nice(_NICE)
    try:
        answer_all()
    except (OSError, KeyboardInterrupt):
        pass
    except Exception as error:  # what was asked goes unanswered, and whoever asked does the work
        from pitree.workers.failures import record  # not before something fails

        record("answer questions", error)


def asked(length: int) -> bytes:
    """The next bytes of the questions; fewer when nobody asks any more."""
    data = b""
    while len(data) < length and (part := os.read(0, length - len(data))):
        data = data + part if data else part
    return data


def answer(data: bytes) -> None:
    """Answer a question; with nothing, if it is left to the asker.

    Raises:
        OSError: nobody reads it.
    """
    for piece in (LENGTH.pack(len(data)), data):
        view = memoryview(piece)
        while view:
            view = view[os.write(1, view) :]


def read_at(descriptor: int, offset: int, length: int) -> bytes:
    """Bytes of an opened file; fewer at its end."""
    if sys.platform == "win32":
        raise OSError("open files are not passed on")
    data = os.pread(descriptor, length, offset)
    while len(data) < length and (part := os.pread(descriptor, length - len(data), offset + len(data))):
        data += part
    return data


def read_into(descriptor: int, offset: int, view: memoryview) -> int:
    """Fill memory with bytes of an opened file; return how many, fewer at its end."""
    if sys.platform == "win32":
        raise OSError("open files are not passed on")
    length = 0
    while length < len(view) and (got := os.preadv(descriptor, [view[length:]], offset + length)):
        length += got
    return length
