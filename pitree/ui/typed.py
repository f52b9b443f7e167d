"""What is typed in the rows of a pane goes into its search at once, where keys are as in Pi."""

from __future__ import annotations

from textual import events
from textual.widget import Widget

from pitree.ui import keys
from pitree.ui.search_box import SearchBox
from pitree.ui.tree_rows import TreeRows


class Typing(Widget):
    """A pane with rows and a search box; the focus stays in the rows."""

    rows: TreeRows
    search_box: SearchBox

    @property
    def KEY_PLACES(self) -> tuple[keys.Place, ...]:
        """The places whose keys apply in the rows."""
        raise NotImplementedError

    def on_key(self, event: events.Key) -> None:
        """What is typed searches, but for keys of the table."""
        if not self.rows.has_focus or not keys.types(self, event, *self.KEY_PLACES):
            return
        event.stop()
        event.prevent_default()
        self.search_box.type(event.character or "")

    def on_paste(self, event: events.Paste) -> None:
        if self.rows.has_focus and keys.table_of(self).typing:
            event.stop()
            self.search_box.type(" ".join(event.text.split()))

    def action_erase(self) -> None:
        """Take the last letter off the search."""
        self.search_box.erase()
        if not self.search_box.text:
            self.search_box.close()
