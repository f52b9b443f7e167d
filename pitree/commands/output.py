"""Where plain commands write: text made safe and perhaps coloured, JSON lines, errors."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, TextIO

from pitree.session.format.jsonl import dump
from pitree.text.sanitize import visible

UNCUT = 1_000_000
"""The width where lines are not cut: in a pipe or a file."""


class UsageError(Exception):
    """What is on the command line cannot be meant; the text says why. The exit status is `USAGE`."""


USAGE = 2
"""Exit status after an error in what was typed on the command line, as argparse has it."""


class Style(StrEnum):
    """Styles of plain text, by their SGR code."""

    PLAIN = ""
    DIM = "2"
    BOLD = "1"
    USER = "36"
    ASSISTANT = "32"
    TOOL = "33"
    LABEL = "35"
    WARNING = "33;1"
    ERROR = "31"


_RESET = "\x1b[0m"


def wants_colour(stream: TextIO, environ: Mapping[str, str]) -> bool:
    """Whether to color: on a terminal, unless `NO_COLOR` is set; `FORCE_COLOR` colors in a pipe, too."""
    if environ.get("NO_COLOR"):
        return False
    force = environ.get("FORCE_COLOR")
    if force:
        return force != "0"
    return environ.get("TERM") != "dumb" and _is_terminal(stream)


def _is_terminal(stream: TextIO) -> bool:
    try:
        return stream.isatty()
    except (AttributeError, ValueError):
        return False


class Output:
    """The streams of a command, and the status it will end with."""

    def __init__(
        self,
        stdout: TextIO | None = None,
        stderr: TextIO | None = None,
        environ: Mapping[str, str] | None = None,
    ) -> None:
        environ = os.environ if environ is None else environ
        self._out = stdout or sys.stdout or open(os.devnull, "w")  # noqa: SIM115  # closed with the process
        self._err = stderr or sys.stderr or self._out
        for stream in (self._out, self._err):
            reconfigure = getattr(stream, "reconfigure", None)
            if reconfigure is not None:
                reconfigure(errors="replace")
        self._coloured = wants_colour(self._out, environ)
        self.width = shutil.get_terminal_size().columns if _is_terminal(self._out) else UNCUT
        """Cells a line may take."""
        self.status = 0
        """Exit status: 1 once anything went wrong, `USAGE` for a usage error."""

    def style(self, text: str, style: Style) -> str:
        """`text` in a style, if colors are wanted."""
        return f"\x1b[{style.value}m{text}{_RESET}" if self._coloured and style and text else text

    def line(self, text: str = "") -> None:
        """Write a line. What of it comes from a file must have been made safe."""
        self._out.write(text + "\n")

    def json(self, value: Any) -> None:
        """Write a value as one line of JSON in UTF-8."""
        self.raw(dump(value) + b"\n")

    def raw(self, data: bytes) -> None:
        """Write the bytes of a file as they are."""
        buffer = getattr(self._out, "buffer", None)
        if buffer is None:
            self._out.write(data.decode("utf-8", "replace"))
            return
        self._out.flush()
        buffer.write(data)

    def error(self, message: object, status: int = 1) -> None:
        """Say on stderr what went wrong, and set the exit status."""
        self.status = status
        self.warn(message)

    def warn(self, message: object) -> None:
        """Say something on stderr."""
        self._out.flush()
        self._err.write(f"pitree: {visible(str(message))}\n")
        self._err.flush()

    def ask(self, question: str) -> bool | None:
        """Ask a question on the terminal, of which no is the default; None where there is no terminal."""
        if sys.stdin is None or not _is_terminal(sys.stdin) or not _is_terminal(self._err):
            return None
        self._out.flush()
        self._err.write(f"{visible(question)} [y/N] ")
        self._err.flush()
        return sys.stdin.readline().strip().lower() in ("y", "yes")

    def flush(self) -> None:
        """Write what waits. Raises OSError if it cannot be written."""
        self._out.flush()

    def give_up(self) -> None:
        """Stop writing: whoever read the output is gone, and nothing must be tried at exit."""
        try:
            devnull = os.open(os.devnull, os.O_WRONLY)
            os.dup2(devnull, self._out.fileno())
            os.close(devnull)
        except (OSError, ValueError):
            pass
