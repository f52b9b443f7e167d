"""Keys first: what a key changes is drawn at once, and long work in threads stands back meanwhile."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Protocol

ANSWERED_IN = 0.03
"""Seconds that a key has for itself."""

WORK_AT_LEAST = 0.01
"""Seconds of work between two such pauses, so that it ends though a key is held down."""


class InputPriority:
    """Tells long work when to pause: of one interpreter, it and the key would each get half."""

    def __init__(self) -> None:
        self._until = 0.0

    def pressed(self) -> None:
        """Say that there is a key, or the mouse, to answer."""
        self._until = time.monotonic() + ANSWERED_IN

    @property
    def answering(self) -> bool:
        """Whether a key is being answered."""
        return time.monotonic() < self._until

    def while_asked(self, cancelled: Callable[[], bool]) -> Callable[[], bool]:
        """What a thread may ask now and then instead of whether it is cancelled.

        Args:
            cancelled: whether it is.

        Returns:
            Answers the same, after a pause where one is due.
        """
        resumed = 0.0

        def asked() -> bool:
            nonlocal resumed
            now = time.monotonic()
            if now < self._until and now > resumed + WORK_AT_LEAST and not cancelled():
                time.sleep(self._until - now)
                resumed = time.monotonic()
            return cancelled()

        return asked


class DrawnScreen(Protocol):
    """What of Textual's screens is used here."""

    @property
    def app(self) -> Any: ...
    def _on_timer_update(self) -> None: ...


def redraw_after_key(screen: DrawnScreen) -> None:
    """Draw what a key has changed once it is handled; for a screen's `on_idle`.

    Textual draws sixty times a second at most, by a timer that was set when something else was drawn: a key
    would wait for up to two of its turns, some thirty milliseconds.
    """
    if (keys := getattr(screen.app, "input_priority", None)) is not None and keys.answering:
        screen._on_timer_update()
