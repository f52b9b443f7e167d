"""Messages between this process and its helpers: a length, as eight bytes, then that many bytes."""

from __future__ import annotations

import struct
from typing import IO

LENGTH = struct.Struct("<q")
"""What is before each message: its length in bytes."""


LONGEST = 1 << 31
"""No message is longer; what claims to be was written by another program."""


def send(out: IO[bytes], message: bytes) -> None:
    """Send a message.

    Raises:
        OSError: nobody is at the other end.
    """
    out.write(LENGTH.pack(len(message)) + message)
    out.flush()


def receive(given: IO[bytes]) -> bytes | None:
    """The next message; None when no more come, or what comes is no message."""
    head = given.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    size = LENGTH.unpack(head)[0]
    if not 0 <= size <= LONGEST:
        return None
    message = given.read(size)
    return message if len(message) == size else None
