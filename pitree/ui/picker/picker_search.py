"""The search box of the picker; where keys are as in Pi, it has the focus, and the list obeys its keys."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.binding import BindingType

from pitree.ui.toolkit import keys
from pitree.ui.toolkit.search_box import SearchBox
from pitree.ui.toolkit.type_to_search import Typing

PI_EDITING = {
    "ctrl+b": "cursor_left",
    "ctrl+f": "cursor_right",
    "alt+b": "cursor_left_word",
    "alt+left": "cursor_left_word",
    "alt+f": "cursor_right_word",
    "alt+right": "cursor_right_word",
    "alt+d": "delete_right_word",
    "alt+delete": "delete_right_word",
    "alt+backspace": "delete_left_word",
}
"""Keys that edit a line in Pi, and Textual's fields take otherwise."""


class PickerSearch(SearchBox, inherit_bindings=False):
    """The search box of the picker: Enter opens what the cursor is on, as in Pi."""

    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings(keys.KeyContext.PICKER_SEARCH)]

    @property
    def KEY_PLACES(self) -> tuple[keys.KeyContext, ...]:
        """The places whose keys apply while typing."""
        if keys.table_of(self).typing:
            return (keys.KeyContext.PICKER_SEARCH, keys.KeyContext.PICKER)
        return (keys.KeyContext.PICKER_SEARCH,)

    async def on_key(self, event: events.Key) -> None:
        """Where keys are as in Pi, those of the list come before those that edit the query."""
        table = keys.table_of(self)
        if not table.typing:
            return
        if isinstance(self.parent, Typing):  # the list obeys what was typed before, as in Pi
            self.parent.look_for(self.text)
        search, rows = keys.KeyContext.PICKER_SEARCH, keys.KeyContext.PICKER
        for place, node in ((search, self), (search, self.parent), (rows, self.parent)):
            action = table.action_for(event.key, place)
            if action is not None and await self.app.run_action(action.action, node):
                event.stop()
                event.prevent_default()
                return
        if editing := PI_EDITING.get(event.key):
            event.stop()
            event.prevent_default()
            await self.app.run_action(editing, self.field)

    def action_cancel(self) -> None:
        """Clear the query, else leave the box; in Pi, do both."""
        if not keys.table_of(self).typing:
            super().action_cancel()
            return
        self.text = ""
        self.call_later(self.screen.run_action, "back")
