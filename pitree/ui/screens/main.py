"""The main screen, whole: browsing, writing to what is shown, reading it in other ways."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from textual import on

from pitree.session.info import SessionInfo
from pitree.ui.facts import facts_of
from pitree.ui.read import ReadingScreen
from pitree.ui.screens.arrangement import Page
from pitree.ui.screens.browse import BrowseScreen
from pitree.ui.tree_pane import TreePane
from pitree.ui.write import WritingScreen

if TYPE_CHECKING:
    from pitree.ui.app import PitreeApp


class MainScreen(BrowseScreen, WritingScreen, ReadingScreen):
    """Tells the other halves which session and entry are meant, and shows what was written."""

    app: PitreeApp

    @property
    def listed_session(self) -> SessionInfo | None:
        """The session under the cursor of the list, if the list has the focus."""
        return self.picker.selected if self.page is Page.SESSIONS else None

    def go_to_entry(self, index: int) -> None:
        """Put the cursor on an entry, or tell that the filter hides it."""
        self.show_page(Page.TREE)
        if not self.tree_pane.go_to(index):
            self.app.tell(f"The filter {self.tree_pane.filter_mode.value} hides it; ^a shows every entry")

    def session_grew(self) -> None:
        """Show what was added to the session shown: rows, header, the entry (its label may be new)."""
        opened = self.opened
        if opened is None:
            return
        self.tree_pane.refresh_rows()
        self.header.facts = facts_of(opened.session)
        if self.entry_index >= 0:
            self.detail_pane.show_entry(opened.session, self.entry_index)

    def session_listed_anew(self, path: Path) -> None:
        """Read the list again; files that have not changed are not read."""
        self.picker.reload()

    def session_gone(self, path: Path) -> None:
        """Read the list again, without the session that is gone."""
        self.picker.reload()

    @on(TreePane.EntryChosen)
    def _entry_chosen(self) -> None:
        self.action_continue()
