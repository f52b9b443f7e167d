"""Fields to type in that place the terminal's cursor at once: input methods open their window there."""

from __future__ import annotations

from textual.widgets import Input, TextArea


class LineField(Input):
    """An `Input` that may take the focus before it has its place on the screen."""

    def on_resize(self) -> None:
        # Textual tells the terminal where the cursor is when the focus comes, which may be before any layout.
        if self.has_focus:
            self.app.cursor_position = self.cursor_screen_offset


class TextField(TextArea):
    """A `TextArea` that may take the focus before it has its place on the screen."""

    def on_resize(self) -> None:
        if self.has_focus:
            self.app.cursor_position = self.cursor_screen_offset
