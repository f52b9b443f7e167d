"""The bookmarks of this session and of all: listed, read in the background, gone to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual.worker import get_current_worker

from pitree.pi.places import session_files, session_folders
from pitree.ui.main.host import Controller, Host
from pitree.ui.toolkit.background import in_thread, show_failure
from pitree.workers.failures import Failure

if TYPE_CHECKING:
    from pitree.catalog.bookmarks import Bookmark, KnownBookmarks


class Bookmarks(Controller):
    """`b`.

    Args:
        host: the screen.
        choose: opens a session as the reader's choice, at an entry if given.
    """

    def __init__(self, host: Host, choose: Callable[[Path, str | None], None]) -> None:
        super().__init__(host)
        self._choose = choose
        self._known_bookmarks: KnownBookmarks | None = None

    def action_bookmarks(self) -> None:
        from pitree.catalog.bookmarks import bookmarks_of
        from pitree.ui.windows.bookmarks_window import BookmarksWindow

        here = bookmarks_of(self.opened.session) if self.opened is not None else []
        self.app.push_screen(BookmarksWindow(here, self._load_bookmarks), self.go_to)

    def _load_bookmarks(self, found: Callable[[list[Bookmark]], Any], done: Callable[[], Any]) -> None:
        def work() -> None:
            worker = get_current_worker()
            for marks in self.everywhere(lambda: worker.is_cancelled):
                self.app.call_from_thread(found, marks)
            if not worker.is_cancelled:
                self.app.call_from_thread(done)

        def failed(failure: Failure) -> None:
            done()
            show_failure(self.host, failure)

        in_thread(self.host, "read all labels", work, group="bookmarks", exclusive=True, failed=failed)

    def everywhere(self, cancelled: Callable[[], bool]) -> Iterator[list[Bookmark]]:
        """The bookmarks of all sessions, those talked in last first; reads files, so for a thread."""
        from pitree.catalog.bookmarks import KnownBookmarks

        if self._known_bookmarks is None:
            self._known_bookmarks = KnownBookmarks()
        everything = self.host.places.everything
        folders = [everything] if self.host.places.session_dir is not None else session_folders(everything)
        files, _ = session_files(folders)
        newest = sorted(files, key=lambda file: file.mtime, reverse=True)
        return self._known_bookmarks.of(newest, cancelled)

    def go_to(self, bookmark: Bookmark | None) -> None:
        """Go to a bookmark, in whichever session it is."""
        if bookmark is None:
            return
        opened = self.opened
        if opened is not None and (bookmark.path is None or bookmark.path == opened.path):
            index = opened.session.table.by_id.get(bookmark.entry_id)
            if index is not None:
                self.host.go_to_entry(index)
        elif bookmark.path is not None:
            self._choose(bookmark.path, bookmark.entry_id)
