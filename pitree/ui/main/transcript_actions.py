"""What the main screen does for the transcript: it and the tree's cursor move together."""

from __future__ import annotations

from textual import on

from pitree.ui.entry import DetailPane
from pitree.ui.main.browse import BrowseScreen


class TranscriptScreen(BrowseScreen):
    """`t`."""

    def action_transcript(self) -> None:
        self.detail_pane.action_transcript()

    @on(DetailPane.EntryReached)
    def _entry_reached(self, event: DetailPane.EntryReached) -> None:
        """The reader scrolled on: the tree's cursor goes along, or to the nearest row that is shown."""
        if self._opened is not None and event.session is self._opened.session:
            self.tree_pane.go_to(event.index)
