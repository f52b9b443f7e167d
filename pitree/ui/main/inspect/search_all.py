"""Searching all sessions from the main screen: the window, the index it needs, and going to a match."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from pitree.config import table
from pitree.ui.main.host import Controller, Host
from pitree.ui.toolkit.background import in_thread

if TYPE_CHECKING:
    from pitree.ui.find.search_window import ChosenHit, SearchWindowState


class SearchAll(Controller):
    """`ctrl+f`.

    Args:
        host: the screen.
        choose: opens a session as the reader's choice, at an entry if given.
    """

    def __init__(self, host: Host, choose: Callable[[Path, str | None], None]) -> None:
        super().__init__(host)
        self._choose = choose
        self._everywhere: SearchWindowState | None = None

    def action_everywhere(self) -> None:
        from pitree.ui.find.search_window import SearchWindow

        kept = self._everywhere
        if kept is None:
            kept = self._everywhere = self._begin()
        if kept.keeper is not None:
            kept.keeper.start()
        self.app.push_screen(SearchWindow(self.host.places, kept), self._go_to_hit)

    def _begin(self) -> SearchWindowState:
        from pitree.query.index.index import Index, index_folder
        from pitree.ui.find.index_progress import IndexKeeper
        from pitree.ui.find.search_window import SearchWindowState

        options = self.app.options
        if options.demo or not options.config[table.INDEX]:
            return SearchWindowState()
        return SearchWindowState(
            index=Index(index_folder()), keeper=IndexKeeper(self.host.places, self._index_changed)
        )

    def _index_changed(self) -> None:
        """The index has continued; called in a thread."""
        try:
            self.app.call_from_thread(self._tell_window)
        except RuntimeError:  # the app has ended
            pass

    def _tell_window(self) -> None:
        from pitree.ui.find.search_window import SearchWindow

        window = self.host.app.screen
        if isinstance(window, SearchWindow):
            window.index_changed()

    def _go_to_hit(self, chosen: ChosenHit | None) -> None:
        if chosen is None:
            return

        def work() -> None:
            from pitree.query.index.hit_target import entry_of

            entry_id = entry_of(chosen.hit)
            self.app.call_from_thread(self._show_hit, Path(chosen.hit.path), entry_id, chosen.asked.find_text)

        in_thread(self.host, "go to the match", work, group="everywhere", exclusive=True)

    def _show_hit(self, path: Path, entry_id: str | None, find: str) -> None:
        self.panes.tree.search_for(find)
        opened = self.opened
        by_id = opened.session.table.by_id if opened is not None else {}
        index = by_id.get(entry_id) if entry_id is not None else None  # an id may be ""
        if opened is not None and opened.path == path and index is not None:
            self.host.go_to_entry(index)
        else:
            self._choose(path, entry_id)

    def stop(self) -> None:
        """End the making of the index."""
        if self._everywhere is not None and self._everywhere.keeper is not None:
            self._everywhere.keeper.stop()
