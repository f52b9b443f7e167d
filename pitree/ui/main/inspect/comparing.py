"""Marking an entry and comparing another one's branch with its."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from textual.worker import get_current_worker

from pitree.outline.row_words import row_line
from pitree.session.format.errors import SessionError
from pitree.session.manager.manager import SessionManager
from pitree.ui.main.host import Controller
from pitree.ui.toolkit.background import in_thread

if TYPE_CHECKING:
    from pitree.entry.compare import Comparison
    from pitree.ui.windows.compare_window import CompareTarget


class Comparing(Controller):
    """`=`."""

    _marked: tuple[Path, str] | None = None

    def action_compare(self) -> None:
        """Mark the entry; with another one marked, compare them; on the marked one, take the mark away."""
        opened = self.loaded()
        if opened is None:
            return
        session, index = opened.session, self.entry_index
        here = opened.path, session.table.ids[index]
        if self._marked is None:
            self._marked = here
            words = row_line(session.table, index)[:60]
            self.app.report(
                f"Marked: {words}. Press = on another entry, here or in another session, to compare"
            )
        elif self._marked == here:
            self._marked = None
            self.app.report("Mark removed")
        else:
            in_thread(
                self.host,
                "compare the entries",
                partial(self._read_comparison, self._marked, session, index),
                group="compare",
                exclusive=True,
            )

    def _read_comparison(self, marked: tuple[Path, str], session: SessionManager, index: int) -> None:
        from pitree.entry.compare import compare

        worker = get_current_worker()
        path, entry_id = marked
        other = session
        try:
            if path != session.path:
                other = SessionManager.open(path)
            at = other.table.by_id.get(entry_id)
            if at is None:
                raise SessionError(path, "the marked entry no longer exists")
            found = compare(other, at, session, index)
        except SessionError as error:
            self.app.call_from_thread(self._mark_is_gone, str(error))
        else:
            if not worker.is_cancelled:
                self.app.call_from_thread(self._show_comparison, found)

    def _mark_is_gone(self, reason: str) -> None:
        self._marked = None
        self.app.report(reason, warning=True)

    def _show_comparison(self, found: Comparison) -> None:
        from pitree.ui.windows.compare_window import CompareWindow

        def went(goal: CompareTarget | None) -> None:
            opened = self.opened
            if found.left.session is not found.right.session:
                found.left.session.close()
            if goal is None or opened is None:
                return
            if goal.path == opened.path:
                self.host.go_to_entry(opened.session.table.by_id[goal.entry_id])
            elif goal.path is not None:
                self.host.open_path(goal.path, goal.entry_id)

        self.app.push_screen(CompareWindow(found), went)
