"""The driver between Textual and a terminal: what the terminal sends is read by `TerminalReader`.

Textual's own reader ends the program at bytes that are not UTF-8 and at some forms of the kitty keyboard
protocol, and takes the late rest of a sequence for letters.
"""

from __future__ import annotations

import os
import selectors
import time

from textual import constants
from textual.driver import Driver
from textual.message import Message

from pitree.ui.app.terminal_answers import questions

ASK_BASE_KEYS = "\x1b[=4;2u"
"""Has the terminal say, of a key of another alphabet, which Latin one has its place (kitty protocol)."""

LOOK_UP = 0.1
"""Seconds within which the thread that reads notices that it has to end."""
PIECE = 1 << 16
"""Bytes read at once."""


class TerminalGone(Message):
    """Nothing more will come from the terminal."""


def terminal_driver() -> type[Driver] | None:
    """The driver, where it works; None for the one that Textual picks."""
    if constants.DRIVER is not None or os.name == "nt":
        return None
    from textual.drivers.linux_driver import LinuxDriver

    from pitree.ui.app.input_events import TerminalReader

    class TerminalDriver(LinuxDriver):
        """Asks the terminal as it takes the screen over, and reads what it sends."""

        def start_application_mode(self) -> None:
            super().start_application_mode()  # type: ignore[no-untyped-call]
            if self.input_tty and (asked := questions(os.environ)):
                self.write(asked if constants.DISABLE_KITTY_KEY else ASK_BASE_KEYS + asked)
                self.flush()

        def run_input_thread(self) -> None:
            reader = TerminalReader()
            with selectors.SelectSelector() as selector:
                selector.register(self.fileno, selectors.EVENT_READ)
                while not self.exit_event.is_set():
                    self._read(reader, selector)

        def _read(self, reader: TerminalReader, selector: selectors.BaseSelector) -> None:
            """Pass on what is there, or what is given up waiting for if nothing is."""
            wait = LOOK_UP if reader.deadline is None else reader.deadline - time.monotonic()
            if not selector.select(max(0.0, min(wait, LOOK_UP))):
                messages = reader.tick(time.monotonic())
            elif data := self._data():
                messages = reader.feed(data, time.monotonic())
            else:
                self.process_message(TerminalGone())
                self.exit_event.wait()
                return
            for message in messages:
                self.process_message(message)

        def _data(self) -> bytes:
            """What is there to be read; empty if the terminal is gone."""
            try:
                return os.read(self.fileno, PIECE)
            except OSError:
                return b""

    return TerminalDriver
