"""Reaches the terminal while standard input or output is a file or a pipe."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_STREAMS = (0, 1, 2)


class NoTerminal(Exception):
    """No terminal can be reached."""


@contextmanager
def on_the_terminal() -> Iterator[None]:
    """Have all three standard streams be the terminal for a while, whatever they are.

    The descriptors are exchanged, not Python's objects, so that everything that asks one of them for its size
    or whether it is a terminal gets the terminal's answer.

    Raises:
        NoTerminal: this process has none.
    """
    others = [number for number in _STREAMS if not os.isatty(number)]
    if not others:
        yield
        return
    if sys.__stdin__ is None or sys.__stderr__ is None:
        raise NoTerminal
    if sys.platform == "win32":  # streams cannot be exchanged so there
        raise NoTerminal
    try:
        terminal = os.open(_name(), os.O_RDWR | os.O_NOCTTY)
    except OSError as error:
        raise NoTerminal from error
    kept = {number: os.dup(number) for number in others}
    try:
        for number in others:
            os.dup2(terminal, number)
        yield
    finally:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
        for number, copy in kept.items():
            os.dup2(copy, number)
            os.close(copy)
        os.close(terminal)


def _name() -> str:
    """The terminal one of the streams is; else the one that controls the process.

    The name of its own is better: on macOS what controls the process cannot be waited for.
    """
    if sys.platform != "win32":
        for number in _STREAMS:
            try:
                return os.ttyname(number)
            except OSError:
                continue
    return "/dev/tty"
