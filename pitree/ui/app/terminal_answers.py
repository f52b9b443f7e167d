"""What the terminal says of itself: if its ground is light, its name; asked without waiting for the answer.

The question goes out as the screen is taken over. The answer comes among the keys, if it comes at all.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from textual.message import Message

ASK_GROUND = "\x1b]11;?\x1b\\"
"""Asks for the color of the ground (OSC 11)."""
ASK_NAME = "\x1b[>0q"
"""Asks for the name and version of the program (XTVERSION)."""

NAMED_TERMS = frozenset({"xterm-kitty", "xterm-ghostty"})
"""Terminals that are asked for their name, since it tells whether they show images."""
_SILENT_TERMS = frozenset({"dumb", "linux", "vt100", "vt102", "vt220"})
"""Terminals that are not asked: some of them show the question."""

_NAME = re.compile(r"\x1bP>\|([^\x00-\x1f]{0,100})\x1b\\")
_GROUND = re.compile(
    r"\x1b\]11;rgba?:([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})[^\x00-\x1f]*(?:\x07|\x1b\\)"
)


class TerminalGround(Message):
    """The terminal says which color its ground has."""

    def __init__(self, light: bool) -> None:
        super().__init__()
        self.light = light


class TerminalName(Message):
    """The terminal says its name and version."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name


def questions(env: Mapping[str, str]) -> str:
    """What to ask a terminal; empty for one that may not be asked."""
    term = env.get("TERM", "")
    if term in _SILENT_TERMS:
        return ""
    return ASK_GROUND + (ASK_NAME if term in NAMED_TERMS else "")


def answer_in(sequence: str) -> Message | None:
    """The answer that a whole sequence gives, if it is one."""
    if found := _NAME.fullmatch(sequence):
        return TerminalName(found[1])
    if found := _GROUND.fullmatch(sequence):
        return TerminalGround(is_light(*found.groups()))
    return None


def is_light(red: str, green: str, blue: str) -> bool:
    """Whether a color is light; its parts are given in one to four hexadecimal digits."""
    weights = ((red, 0.299), (green, 0.587), (blue, 0.114))
    return sum(weight * int(part, 16) / ((1 << 4 * len(part)) - 1) for part, weight in weights) > 0.5
