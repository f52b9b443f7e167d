"""Handing a session to Pi: the command that continues it, to be run or to be copied."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pitree.pi.places import AGENT_DIR_VARIABLE, SESSION_DIR_VARIABLE


@dataclass(frozen=True, slots=True)
class PiCommand:
    """Pi on one session.

    Attributes:
        cwd: the folder it runs in: the session's own.
        arguments: program and arguments.
        environment: variables to set, beyond those that are set anyway.
    """

    cwd: str
    arguments: tuple[str, ...]
    environment: tuple[tuple[str, str], ...]

    @property
    def cwd_exists(self) -> bool:
        """Whether the session's folder is still there; Pi refuses to start elsewhere."""
        return not self.cwd or os.path.isdir(self.cwd)

    def shell(self) -> str:
        """The command as one line to paste into a shell, every part quoted where it needs to be."""
        if sys.platform == "win32":
            line = subprocess.list2cmdline(self.arguments)
            variables = "".join(f'set "{name}={value}" && ' for name, value in self.environment)
            return f"{variables}cd /d {subprocess.list2cmdline([self.cwd])} && {line}" if self.cwd else line
        variables = "".join(f"{name}={quote(value)} " for name, value in self.environment)
        line = variables + " ".join(map(quote, self.arguments))
        return f"cd {quote(self.cwd)} && {line}" if self.cwd else line


def quote(text: str) -> str:
    """A word of a shell command that means a text, on one line and harmless to print.

    A text with characters that cannot be seen (they come from a session's header) is written as `$'…'`, which
    POSIX has since 2024 and bash, zsh and ksh much longer.
    """
    if text.isprintable():
        return shlex.quote(text)
    return "$'" + "".join(map(_spelled, text)) + "'"


def _spelled(character: str) -> str:
    if character in "\\'":
        return "\\" + character
    if character.isprintable():
        return character
    raw = "\udc80" <= character <= "\udcff"  # a byte of a path that is no UTF-8
    encoded = character.encode("utf-8", "surrogateescape" if raw else "surrogatepass")
    return "".join(f"\\{byte:03o}" for byte in encoded)


def pi_command(
    path: Path,
    cwd: str,
    session_dir: str | None = None,
    message: str | None = None,
    environ: Mapping[str, str] | None = None,
) -> PiCommand:
    """The command that continues a session in Pi.

    The session goes by its path: an id can be ambiguous, and makes Pi ask when it belongs to another folder.

    Args:
        path: the session file.
        cwd: its working directory; empty if its header names none.
        session_dir: a session folder chosen with `--session-dir`, which Pi must be told as well.
        message: the first message to send.
        environ: the environment; the process's by default. Pi's own folders named in it come along.
    """
    environ = os.environ if environ is None else environ
    arguments = ["pi"]
    if session_dir:
        arguments += ["--session-dir", session_dir]
    arguments += ["--session", str(path)]
    if message:
        arguments += ["--", message]
    variables = [
        (name, _from_anywhere(value))
        for name in (AGENT_DIR_VARIABLE, SESSION_DIR_VARIABLE)
        if (value := environ.get(name))
    ]
    return PiCommand(cwd, tuple(arguments), tuple(variables))


def _from_anywhere(folder: str) -> str:
    """A folder as it is to be named in another working directory; `~` and URLs are the same everywhere."""
    return folder if folder.startswith(("~", "file://")) else os.path.abspath(folder)


def find_pi() -> str | None:
    """The `pi` program, None if it is not on the PATH."""
    return shutil.which("pi")
