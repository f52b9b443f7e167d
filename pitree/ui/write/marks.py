"""The bookmarks of this session and of all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual.worker import get_current_worker

from pitree.ui.write.base import WritingBase

if TYPE_CHECKING:
    from pitree.session.bookmarks import Bookmark


class BookmarkActions(WritingBase):
    """`b`."""

    def action_bookmarks(self) -> None:
        from pitree.session.bookmarks import bookmarks_of
        from pitree.ui.dialogs.bookmarks import BookmarksWindow

        here = bookmarks_of(self.opened.session) if self.opened is not None else []
        self.app.push_screen(BookmarksWindow(here, self._load_bookmarks), self._jump)

    def _load_bookmarks(self, found: Callable[[list[Bookmark]], Any], done: Callable[[], Any]) -> None:
        from pitree.session.bookmarks import bookmarks_in

        def work() -> None:
            from pitree.session.places import session_files, session_folders

            worker = get_current_worker()
            everything = self.places.everything
            folders = [everything] if self.places.session_dir is not None else session_folders(everything)
            files, _ = session_files(folders)
            newest = sorted(files, key=lambda file: file.mtime, reverse=True)
            for marks in bookmarks_in((Path(file.path) for file in newest), lambda: worker.is_cancelled):
                self.app.call_from_thread(found, marks)
            if not worker.is_cancelled:
                self.app.call_from_thread(done)

        self.run_worker(work, thread=True, exclusive=True, group="bookmarks")

    def _jump(self, bookmark: Bookmark | None) -> None:
        if bookmark is None:
            return
        opened = self.opened
        if opened is not None and (bookmark.path is None or bookmark.path == opened.path):
            index = opened.session.table.by_id.get(bookmark.entry_id)
            if index is not None:
                self.go_to_entry(index)
        elif bookmark.path is not None:
            self.open_path(bookmark.path, bookmark.entry_id)
