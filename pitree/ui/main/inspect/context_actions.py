"""What the model would see at the entry under the cursor, entry by entry."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from textual.worker import get_current_worker

from pitree.ui.main.inspect.inspect_base import ReadingBase
from pitree.ui.toolkit.background import in_thread

if TYPE_CHECKING:
    from pitree.session.manager.manager import SessionManager
    from pitree.ui.windows.table_window import TableWindow


class ContextActions(ReadingBase):
    """`x`."""

    def action_context(self) -> None:
        opened = self.ready()
        if opened is None:
            return
        from pitree.ui.windows.table_window import TableWindow

        window = TableWindow("What the model sees here")
        self.app.push_screen(window, self._went)
        in_thread(
            self,
            "read the context",
            partial(self._read_context, window, opened.session, self.entry_index),
            group="context",
            exclusive=True,
            failed=window.failed,
        )

    def _went(self, target: int | None) -> None:
        if target is not None:
            self.go_to_entry(target)

    def _read_context(self, window: TableWindow, session: SessionManager, index: int) -> None:
        from pitree.session.manager.context_view import context_view
        from pitree.ui.windows.context_rows import ContextRows, told

        worker = get_current_worker()
        view = context_view(session, index)
        rows = ContextRows(session, view.lines)
        if not worker.is_cancelled:
            self.app.call_from_thread(
                window.fill, told(view), rows, (8,), mark_width=rows.mark_width, cursor=len(rows) - 1
            )
