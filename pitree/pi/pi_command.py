"""Handing a session to Pi: the command that continues it, to be run or to be copied."""

from __future__ import annotations

import os
import re
import shutil
import sys
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pitree.pi.places import AGENT_DIR_VARIABLE, SESSION_DIR_VARIABLE
from pitree.workers.programs import unpassable


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
        """The command as one line for a shell, every part quoted.

        Raises:
            UnquotableError: a name in it cannot be quoted.
        """
        if sys.platform == "win32":
            variables = "".join(f'set "{name}={_cmd_safe(value)}" && ' for name, value in self.environment)
            line = variables + " ".join(map(cmd_quote, self.arguments))
            return f"cd /d {cmd_quote(self.cwd)} && {line}" if self.cwd else line
        variables = "".join(f"{name}={quote(value)} " for name, value in self.environment)
        line = variables + " ".join(map(quote, self.arguments))
        # A relative name could mean another folder to `cd`: the last one (`-`), or one below CDPATH.
        return f"cd {quote(os.path.join(os.getcwd(), self.cwd))} && {line}" if self.cwd else line


class UnquotableError(Exception):
    """A name holds a character that no quoting makes harmless. The text says which, and in what name."""


def quote(text: str) -> str:
    """A word that means a text to every POSIX shell, and to csh and fish.

    Single quotes keep everything as it is, but csh and fish read `!` and backslashes in them: these stand
    outside, each behind a backslash.

    Raises:
        UnquotableError: it holds a control character, which a terminal obeys when the command is shown or
            pasted, or one that turns text around, so that something else is read than what runs.
    """
    _refuse_control(text)
    if _PLAIN.fullmatch(text):
        return text
    pieces = re.findall(r"[\\'!]|[^\\'!]+", text)
    return "".join(f"\\{piece}" if piece in "\\'!" else f"'{piece}'" for piece in pieces) or "''"


def cmd_quote(text: str) -> str:
    """A word that means a text to cmd.exe, and to a program that it starts.

    Raises:
        UnquotableError: it holds a control character, a double quote or a percent sign, which cmd.exe reads
            within quotes, too.
    """
    _cmd_safe(text)
    backslashes = text[len(text.rstrip("\\")) :]
    return text if _CMD_PLAIN.fullmatch(text) else f'"{text}{backslashes}"'


def _cmd_safe(text: str) -> str:
    _refuse_control(text)
    if bad := re.search(r'["%]', text):
        raise UnquotableError(f"{bad[0]} in {text}")
    return text


_PLAIN = re.compile(r"[A-Za-z0-9_./:,@+-]+")
_CMD_PLAIN = re.compile(r"[A-Za-z0-9_./:\\-]+")


_CONTROL = frozenset({"Cc", "Zl", "Zp"})
_TURNING = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})


def _refuse_control(text: str) -> None:
    bad = next((one for one in text if _is_control(one)), None)
    if bad is not None:
        raise UnquotableError(f"the control character U+{ord(bad):04X} in {text}")


def _is_control(character: str) -> bool:
    return unicodedata.category(character) in _CONTROL or unicodedata.bidirectional(character) in _TURNING


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
        message: the first message to send; see `why_not_first_message`.
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


def why_not_first_message(text: str) -> str:
    """Why Pi cannot be given a text as its first message, as the rest of a sentence; empty if it can.

    An argument is the only way in while Pi has the terminal: what is piped to it ends its full screen, and a
    file comes wrapped in a tag. Of an argument behind `--`, Pi reads a leading `@` as the name of a file to
    send, and a leading `/` as a template, a skill or a command. A leading `-` or `!` arrives as it is.
    """
    if text.startswith("@"):
        return "starts with @: Pi would send the file of that name instead"
    if text.startswith("/"):
        return "starts with /: Pi could run it as a command"
    if text == "--offline":  # of all options, Pi looks for this one behind `--`, too
        return "is an option of Pi"
    try:
        text.encode()
    except UnicodeEncodeError:
        return "contains bytes that are not UTF-8, which Pi would replace"
    return unpassable(text)


def _from_anywhere(folder: str) -> str:
    """A folder as it is to be named in another working directory; `~` and URLs are the same everywhere."""
    return folder if folder.startswith(("~", "file://")) else os.path.abspath(folder)


def find_pi() -> str | None:
    """The `pi` program, None if it is not on the PATH."""
    return shutil.which("pi")
