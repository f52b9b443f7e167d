"""The main screen, whole: browsing, writing to what is shown, reading it in other ways."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from textual import on

from pitree.catalog.info.session_info import SessionInfo
from pitree.config import table
from pitree.ui.main.arrangement import Page
from pitree.ui.main.demo_actions import DemoScreen
from pitree.ui.main.edit import WritingScreen
from pitree.ui.main.edit.edit_words import read_only_reason
from pitree.ui.main.entry_actions import EntryScreen
from pitree.ui.main.follow.live_screen import LiveScreen
from pitree.ui.main.inspect import ReadingScreen
from pitree.ui.main.palette_actions import PaletteScreen
from pitree.ui.main.session_loading import SessionOpened
from pitree.ui.main.theme_actions import ThemesScreen
from pitree.ui.main.transcript_actions import TranscriptScreen
from pitree.ui.picker.picker import SessionPicker
from pitree.ui.toolkit import keys
from pitree.ui.tree.tree_pane import TreePane
from pitree.ui.tree.tree_rows import TreeRows

if TYPE_CHECKING:
    from pitree.ui.app.app import PitreeApp


class MainScreen(
    PaletteScreen,
    DemoScreen,
    ThemesScreen,
    TranscriptScreen,
    EntryScreen,
    LiveScreen,
    WritingScreen,
    ReadingScreen,
):
    """Tells the other halves which session and entry are meant, and shows what was written."""

    app: PitreeApp

    @property
    def listed_session(self) -> SessionInfo | None:
        """The session under the cursor of the list, if the list has the focus."""
        return self.picker.selected if self.page is Page.SESSIONS else None

    @property
    def tree_rows(self) -> TreeRows:
        """The rows of the tree."""
        return self.tree_pane.rows

    def go_to_entry(self, index: int) -> None:
        """Put the cursor on an entry, or tell that the filter hides it."""
        self.show_page(Page.TREE)
        if not self.tree_pane.go_to(index):
            every = keys.key_label(self, "tree.filter.all")
            self.app.report(
                f"The filter {self.tree_pane.filter_mode.value} hides it; {every} shows all entries"
            )

    def find_in_tree(self, text: str) -> None:
        """Light a text in rows and entry, as if it had been searched for there; all rows stay."""
        self.tree_pane.search_for(text)

    def go_to_tree(self) -> None:
        """Bring the tree to the front, and have the session count as chosen from the list."""
        self._chosen = True
        self.show_page(Page.TREE)

    def sessions_changed(self, paths: frozenset[str]) -> None:
        """Have the list look at files, or folders, that may have changed."""
        self.picker.files_changed(set(paths))

    def refresh_listed_session(self, path: Path) -> None:
        """Have the list look at one file."""
        self.picker.files_changed({str(path)})

    def show_shelf(self) -> None:
        """Have list and tree show what is starred and archived now."""
        self.picker.shelf_changed()
        if self.opened is not None:
            self.tree_pane.set_archived(self.archived_in(self.opened))

    @on(SessionPicker.Troubled)
    def _picker_troubled(self, event: SessionPicker.Troubled) -> None:
        if event.words:
            self.app.report(event.words, warning=True)

    def session_gone(self, path: Path) -> None:
        """Read the list again, without the session that is gone."""
        self.picker.reload()

    @on(SessionOpened)
    def _tell_read_only(self, event: SessionOpened) -> None:
        """A session that cannot be written to is told at once, not when somebody tries."""
        if event.opened is self.opened or event.opened.path == self._wanted:
            reason = read_only_reason(event.opened.path, self.app.options.config[table.READ_ONLY])
            self.header.locked = bool(reason)

    @on(TreePane.EntryChosen)
    def _entry_chosen(self) -> None:
        self.action_continue()
