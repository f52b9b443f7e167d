"""Which editor to open a file in, and how it is told the line."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Mapping
from pathlib import PurePath

_FALLBACKS = ("nano", "vim", "vi")
_PLUS = frozenset(
    {"vi", "vim", "nvim", "view", "nano", "pico", "micro", "emacs", "emacsclient", "kak", "joe", "ne"}
)
"""Editors that take the line as `+12` before the file."""
_COLON = frozenset({"hx", "helix", "subl", "zed"})
"""Editors that take it as `file:12`."""
_GOTO = frozenset({"code", "codium", "cursor"})
"""Editors that take it as `--goto file:12`."""


def editor(env: Mapping[str, str] | None = None) -> list[str] | None:
    """The editor's command: what VISUAL or EDITOR says, else a usual one; None if there is none."""
    env = os.environ if env is None else env
    for name in ("VISUAL", "EDITOR"):
        try:
            words = shlex.split(env.get(name, ""))
        except ValueError:
            continue
        if words:
            return words
    return next(([name] for name in _FALLBACKS if shutil.which(name, path=env.get("PATH"))), None)


def command(words: list[str], path: str, line: int) -> list[str]:
    """The whole command.

    Args:
        words: the editor's command.
        path: the file, absolute: a name that starts with `-` would be an option.
        line: the line to go to, from 1; 0 for none.
    """
    name = PurePath(words[0]).name.removesuffix(".exe")
    if line > 0 and name in _PLUS:
        return [*words, f"+{line}", path]
    if line > 0 and name in _COLON:
        return [*words, f"{path}:{line}"]
    if line > 0 and name in _GOTO:
        return [*words, "--goto", f"{path}:{line}"]
    return [*words, path]
