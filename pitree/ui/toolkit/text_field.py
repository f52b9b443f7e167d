"""A field of several lines to type in, as `fields` has one of one; apart, since it takes longer to load."""

from __future__ import annotations

from textual import events
from textual.widgets import TextArea

from pitree.ui.toolkit.fields import goes_on


class TextField(TextArea):
    """A `TextArea` that may take the focus before it has its place on the screen."""

    takes_back = True
    """Whether ctrl+z undoes what was typed."""

    def _on_key(self, event: events.Key) -> None:  # type: ignore[override]
        if goes_on(event):
            event.prevent_default()

    def on_resize(self) -> None:
        if self.has_focus:
            self.app.cursor_position = self.cursor_screen_offset
