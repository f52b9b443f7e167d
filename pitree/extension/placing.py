"""Puts the extension into an agent folder, tells how the copy there stands, takes it out again."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from enum import Enum
from pathlib import Path

from pitree.session.format.errors import WriteError
from pitree.session.storage.atomic_file import reason, written_beside

FILE = Path(__file__).with_name("pitree.ts")
"""The extension as it comes with pitree."""

_OURS = re.compile(r"\A/\*\*\n \* pitree inside Pi, version (\S+)\n")
_INSTALLED_BY = re.compile(r"^const INSTALLED_BY: string\[\] = \[.*\];$", re.MULTILINE)


class Copy(Enum):
    """How the file stands that bears the extension's name in an agent folder."""

    NONE = "none"
    CURRENT = "current"
    OUTDATED = "outdated"
    STRANGE = "strange"
    """It is not pitree's."""


def place_in(agent: str | os.PathLike[str]) -> Path:
    """Where the extension belongs in an agent folder; Pi loads what lies there."""
    return Path(agent) / "extensions" / FILE.name


def copy_at(place: Path) -> Copy:
    """How the file stands at a place.

    Raises:
        WriteError: it is there and cannot be read.
    """
    try:
        there = place.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return Copy.NONE
    except OSError as error:
        raise WriteError(place, reason(error)) from error
    if not _OURS.match(there):
        return Copy.STRANGE
    return Copy.CURRENT if _plain(there) == _plain(_shipped()) else Copy.OUTDATED


def install(place: Path) -> Copy:
    """Put the extension at a place, with the name of this pitree in it; return how the file there stood.

    Raises:
        WriteError: the file there is not pitree's, or nothing can be written.
    """
    before = copy_at(place)
    if before is Copy.STRANGE:
        raise WriteError(place, "nothing was written: that file is not pitree's")
    named = f"const INSTALLED_BY: string[] = {json.dumps(this_pitree())};"
    text = _INSTALLED_BY.sub(lambda _: named, _shipped())
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with written_beside(place, [text.rstrip("\n").encode()]) as made:
            os.replace(made, place)
    except OSError as error:
        raise WriteError(place, f"nothing was written: {reason(error)}") from error
    return before


def remove(place: Path) -> bool:
    """Take the extension out of a place; False if it is not there.

    Raises:
        WriteError: the file there is not pitree's, or cannot be removed.
    """
    before = copy_at(place)
    if before is Copy.STRANGE:
        raise WriteError(place, "nothing was removed: that file is not pitree's")
    try:
        place.unlink(missing_ok=True)
    except OSError as error:
        raise WriteError(place, f"nothing was removed: {reason(error)}") from error
    return before is not Copy.NONE


def this_pitree() -> list[str]:
    """The command that runs the pitree that is running, from anywhere."""
    name = "pitree.exe" if os.name == "nt" else "pitree"
    for program in (Path(sys.executable).with_name(name), Path(sys.argv[0]).absolute()):
        if program.name == name and os.access(program, os.X_OK):
            return [str(program)]
    return [sys.executable, "-P", "-m", "pitree"]


def on_the_path() -> bool:
    """Whether `pitree` is a command of the shell."""
    return shutil.which("pitree") is not None


def _shipped() -> str:
    return FILE.read_text(encoding="utf-8")


def _plain(text: str) -> str:
    """The extension without the name of the pitree that installed it."""
    return _INSTALLED_BY.sub("", text)
