"""What the terminal says of itself: if its ground is light, its name; asked without waiting for the answer.

The question goes out as the screen is taken over. The answer comes among the keys, if it comes at all, and is
taken out of them before they are read as such.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping

from textual.driver import Driver
from textual.message import Message

ASK_GROUND = "\x1b]11;?\x1b\\"
"""Asks for the colour of the ground (OSC 11)."""

ASK_NAME = "\x1b[>0q"
"""Asks for the name and version of the program (XTVERSION)."""
NAMED_TERMS = frozenset({"xterm-kitty", "xterm-ghostty"})
"""Terminals that are asked for their name, since it tells whether they show images."""

_NAME = re.compile(r"\x1bP>\|([^\x07\x1b]{0,100})\x1b\\")
_NAME_BEGUN = re.compile(r"\x1bP(?:>(?:\|[^\x07\x1b]{0,100}\x1b?)?)?\Z")
_ANSWER = re.compile(
    r"\x1b\]11;(?:rgba?:([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})[^\x07\x1b]*|[^\x07\x1b]*)"
    r"(?:\x07|\x1b\\)"
)
_BEGUN = re.compile(r"\x1b\](?:1(?:1(?:;[^\x07\x1b]{0,40}\x1b?)?)?)?\Z")
"""The beginning of an answer at the end of what was read; a lone Escape is none, but a key."""

_SILENT_TERMS = frozenset({"dumb", "linux", "vt100", "vt102", "vt220"})
"""Terminals that are not asked: some of them show the question."""


class TerminalGround(Message):
    """The terminal has told the colour of its ground."""

    def __init__(self, light: bool) -> None:
        super().__init__()
        self.light = light


class TerminalName(Message):
    """The terminal has told its name and version."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name


def answers(env: Mapping[str, str]) -> bool:
    """Whether a terminal may be asked."""
    return env.get("TERM", "") not in _SILENT_TERMS and sys.platform != "win32"


def is_light(red: str, green: str, blue: str) -> bool:
    """Whether a colour is light; its parts are given in one to four hexadecimal digits."""
    weights = ((red, 0.299), (green, 0.587), (blue, 0.114))
    return sum(weight * int(part, 16) / ((1 << 4 * len(part)) - 1) for part, weight in weights) > 0.5


class Answers:
    """Takes the answers out of what is read from the terminal, piece by piece."""

    def __init__(self) -> None:
        self._kept = ""
        self.names: list[str] = []
        """Names that were told, for the caller to take away."""

    def take(self, data: str) -> tuple[str, list[bool]]:
        """Split what was read into what else there is and the answers in it.

        Args:
            data: what was read; the beginning of an answer at its end is kept for the next time. Nothing
                means that nothing more comes, and gives back what was kept.

        Returns:
            The rest, to be read as keys, and for each answer whether the ground is light.
        """
        whole, self._kept = self._kept + data, ""
        if "\x1bP" in whole:
            self.names += _NAME.findall(whole)
            whole = _NAME.sub("", whole)
            if data and (begun := _NAME_BEGUN.search(whole)):
                whole, self._kept = whole[: begun.start()], begun[0]
        if "\x1b]" not in whole:
            return whole, []
        found = [is_light(*match.groups()) for match in _ANSWER.finditer(whole) if match[1]]
        rest = _ANSWER.sub("", whole)
        if data and (begun := _BEGUN.search(rest)):
            rest, self._kept = rest[: begun.start()], begun[0] + self._kept
        return rest, found


def asking_driver() -> type[Driver] | None:
    """A driver that asks, where there is one; None for the one that Textual picks."""
    import os

    from textual import constants

    if constants.DRIVER is not None or not answers(os.environ):
        return None
    from textual._xterm_parser import XTermParser
    from textual.drivers import linux_driver

    class AskingParser(XTermParser):
        """Reads keys, answers left out."""

        def __init__(self, debug: bool = False) -> None:
            self._answers = Answers()
            super().__init__(debug)

        def feed(self, data: str) -> Iterable[Message]:
            rest, found = self._answers.take(data)
            for light in found:
                yield TerminalGround(light)
            while self._answers.names:
                yield TerminalName(self._answers.names.pop(0))
            if rest or not data:
                yield from super().feed(rest)

    class AskingDriver(linux_driver.LinuxDriver):
        """Asks as it takes the screen over."""

        def start_application_mode(self) -> None:
            super().start_application_mode()  # type: ignore[no-untyped-call]
            if self.input_tty:
                self.write(ASK_GROUND)
                if os.environ.get("TERM") in NAMED_TERMS:
                    self.write(ASK_NAME)
                self.flush()

        def run_input_thread(self) -> None:
            # The driver makes its parser itself, from this name.
            vars(linux_driver)["XTermParser"] = AskingParser
            super().run_input_thread()

    return AskingDriver
