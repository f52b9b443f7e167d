"""A pane that searches for what is typed: in its search box, or in its rows, where keys are as in Pi."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from textual import events, on
from textual.widget import Widget

from pitree.ui.toolkit import keys
from pitree.ui.toolkit.search_box import SearchBox


class Typing(Widget):
    """A pane with rows and a search box; the focus stays where it is while typing."""

    ROW_PLACES: ClassVar[tuple[keys.KeyContext, ...]] = ()
    search_box: SearchBox

    @property
    @abstractmethod
    def focus_target(self) -> Widget:
        """What takes the focus when the pane is gone to."""

    @property
    def KEY_PLACES(self) -> tuple[keys.KeyContext, ...]:
        """The places whose keys apply in the rows."""
        return self.ROW_PLACES

    @abstractmethod
    def look_for(self, query: str) -> None:
        """Search for a query, which may be the one searched for already."""

    @on(SearchBox.Edited)
    def _search_edited(self, event: SearchBox.Edited) -> None:
        event.stop()
        if event.query == self.search_box.text:  # else more was typed since
            self.look_for(event.query)

    def on_key(self, event: events.Key) -> None:
        """What is typed searches, but for keys of the table."""
        if not self.focus_target.has_focus or not keys.types(self, event, *self.KEY_PLACES):
            return
        event.stop()
        event.prevent_default()
        self._type(event.character or "")

    def on_paste(self, event: events.Paste) -> None:
        if self.focus_target.has_focus and keys.table_of(self).typing:
            event.stop()
            self._type(" ".join(event.text.split()))

    def _type(self, text: str) -> None:
        """Take what was typed; as in Pi, each letter moves the cursor to what is found then."""
        self.search_box.type(text)
        self.look_for(self.search_box.text)

    def action_erase(self) -> None:
        """Take the last letter off the search."""
        self.search_box.erase()
        self.look_for(self.search_box.text)
        if not self.search_box.text:
            self.search_box.close()
