"""A line to type in that places the terminal's cursor at once: input methods open their window there.

What moves in a text and edits it is Textual's; every other key continues to the actions of the table.
"""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.widgets import Input


def goes_on(event: events.Key) -> bool:
    """Whether a key types nothing: a terminal sends a letter along with alt."""
    return event.key.startswith(("alt+", "ctrl+", "super+"))


def as_one_line(text: str) -> str:
    """A text with a blank for each line break and the space around it; a single line stays as it is."""
    lines = text.splitlines()
    return lines[0] if len(lines) == 1 else " ".join(filter(None, map(str.strip, lines)))


class LineField(Input, inherit_bindings=False):
    """An `Input` that may take the focus before it has its place on the screen. Enter is not its own."""

    BINDINGS: ClassVar[list[BindingType]] = [
        binding for binding in Binding.make_bindings(Input.BINDINGS) if binding.action != "submit"
    ]

    def _on_key(self, event: events.Key) -> None:  # type: ignore[override]
        if goes_on(event):
            event.prevent_default()

    def on_paste(self, event: events.Paste) -> None:
        """Put a text of several lines in as one: the breaks become blanks."""
        event.prevent_default()
        event.stop()
        self.replace(as_one_line(event.text), *self.selection)

    def on_resize(self) -> None:
        # Textual tells the terminal where the cursor is when the focus comes, which may be before any layout.
        if self.has_focus:
            self.app.cursor_position = self.cursor_screen_offset
