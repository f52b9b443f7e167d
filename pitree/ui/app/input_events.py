"""What comes from a terminal as Textual's messages: keys, the mouse, pastes, and what the terminal says.

Whatever a terminal sends, nothing here fails: what is malformed means nothing.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping

from textual import constants, events
from textual.message import Message
from textual.messages import InBandWindowResize, TerminalSupportsSynchronizedOutput

from pitree.ui.app.input_keys import Press, press_of_character, press_of_sequence, press_with_alt
from pitree.ui.app.input_sequences import SequenceReader, Token, TokenKind, Waits
from pitree.ui.app.terminal_answers import answer_in

_MOUSE = re.compile(r"\x1b\[<(\d{1,5});(\d{1,6});(\d{1,6})([Mm])")
_RESIZE = re.compile(r"\x1b\[48;" + r"(\d{1,6})(?::[\d:]{0,20})?;" * 3 + r"(\d{1,6})(?::[\d:]{0,20})?t")
_MODE = re.compile(r"\x1b\[\?(2026|2048);(\d)\$y")
_FOCUS: dict[str, type[Message]] = {"\x1b[I": events.AppFocus, "\x1b[O": events.AppBlur}

_SCROLLS = (events.MouseScrollUp, events.MouseScrollDown, events.MouseScrollLeft, events.MouseScrollRight)
_MOVE, _SCROLL = 32, 64
_SHIFT, _META, _CTRL = 4, 8, 16

LARGEST = 1000, 2000
"""Rows and columns of the largest terminal that is believed."""


class TerminalReader:
    """Reads what a terminal sends, from bytes to messages; times as in `SequenceReader`."""

    def __init__(self, env: Mapping[str, str] = os.environ) -> None:
        self._sequences = SequenceReader(Waits.of(env, constants.ESCAPE_DELAY))
        self._is_iterm = env.get("LC_TERMINAL") == "iTerm2" or env.get("TERM_PROGRAM") == "iTerm.app"
        self._at = (0.0, 0.0)
        self._cell: tuple[float, float] | None = None
        """Width and height of a cell in the units in which the mouse is reported; None if it is cells."""

    @property
    def deadline(self) -> float | None:
        """When to call `tick` if nothing was read until then; None if there is no need."""
        return self._sequences.deadline

    def feed(self, data: bytes, now: float) -> Iterator[Message]:
        """The messages of what was read at a time."""
        for token in self._sequences.feed(data, now):
            yield from self._messages(token)

    def tick(self, now: float) -> Iterator[Message]:
        """The messages of what is given up waiting for."""
        for token in self._sequences.tick(now):
            yield from self._messages(token)

    def _messages(self, token: Token) -> Iterator[Message]:
        text = token.text
        if token.kind is TokenKind.TEXT:
            yield from map(_key, map(press_of_character, text))
        elif token.kind is TokenKind.ESCAPE:
            yield events.Key("escape", text)
        elif token.kind is TokenKind.META:
            yield _key(press_with_alt(text))
        elif token.kind is TokenKind.PASTE:
            if pasted := text.replace("\x00", ""):
                yield events.Paste(pasted)
        elif (message := self._message(text)) is not None:
            yield message

    def _message(self, sequence: str) -> Message | None:
        if sequence in _FOCUS:
            return _FOCUS[sequence]()
        if found := _MOUSE.fullmatch(sequence):
            return self._mouse(*map(int, found.group(1, 2, 3)), pressed=found[4] == "M")
        if found := _RESIZE.fullmatch(sequence):
            return self._resize(*map(int, found.groups()))
        if found := _MODE.fullmatch(sequence):
            return self._mode(found[1], int(found[2]))
        if (press := press_of_sequence(sequence)) is not None:
            return _key(press)
        return answer_in(sequence)

    def _mode(self, mode: str, setting: int) -> Message | None:
        """The terminal's answer on whether it has a mode, and whether that is on."""
        if mode == "2026":
            return TerminalSupportsSynchronizedOutput() if setting else None
        if constants.SMOOTH_SCROLL and not self._is_iterm:  # Textual found that of iTerm wrong
            return InBandWindowResize.from_setting_parameter(setting)
        return None

    def _resize(self, rows: int, columns: int, height: int, width: int) -> Message | None:
        """The terminal has another size; from now on it reports the mouse in pixels."""
        if not (0 < rows <= LARGEST[0] and 0 < columns <= LARGEST[1]):
            return None
        self._cell = (width / columns, height / rows) if width and height else None
        return events.Resize.from_dimensions((columns, rows), (width, height))

    def _mouse(self, buttons: int, column: int, row: int, *, pressed: bool) -> Message | None:
        if not column or not row:
            return None
        wide, high = self._cell or (1.0, 1.0)
        x, y = (column - 1) / wide, (row - 1) / high
        (last_x, last_y), self._at = self._at, (x, y)
        button = 0 if buttons & _SCROLL else (buttons + 1) & 3
        return _kind_of_mouse(buttons, button, pressed)(
            None,
            x,
            y,
            int(x) - int(last_x),
            int(y) - int(last_y),
            button,
            bool(buttons & _SHIFT),
            bool(buttons & _META),
            bool(buttons & _CTRL),
            screen_x=x,
            screen_y=y,
        )


def _kind_of_mouse(buttons: int, button: int, pressed: bool) -> type[events.MouseEvent]:
    if buttons & _SCROLL:
        return _SCROLLS[buttons & 3]
    if buttons & _MOVE or not button:
        return events.MouseMove
    return events.MouseDown if pressed else events.MouseUp


def _key(press: Press) -> events.Key:
    return events.Key(press.key, press.character)
