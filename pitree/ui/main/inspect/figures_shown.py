"""Figures beside the tree and in windows: what the model sees, what it cost, columns of the rows."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from textual.worker import get_current_worker

from pitree.config import table
from pitree.ui.main.host import Controller
from pitree.ui.toolkit.background import in_thread

if TYPE_CHECKING:
    from pitree.session.manager.costs import Ledger
    from pitree.session.manager.manager import SessionManager
    from pitree.ui.windows.table_window import TableWindow


class FiguresShown(Controller):
    """`x`, `$` and `i`."""

    _ledger: Ledger | None = None

    def action_context(self) -> None:
        """Show what the model would see at the entry, entry by entry."""
        from pitree.ui.windows.table_window import TableWindow

        if (opened := self.loaded()) is None:
            return
        window = TableWindow("What the model sees here")
        self.app.push_screen(window, self._go_to_row)
        in_thread(
            self.host,
            "read the context",
            partial(self._read_context, window, opened.session, self.entry_index),
            group="context",
            exclusive=True,
            failed=window.failed,
        )

    def _go_to_row(self, target: int | None) -> None:
        if target is not None:
            self.host.go_to_entry(target)

    def _read_context(self, window: TableWindow, session: SessionManager, index: int) -> None:
        from pitree.session.manager.context_view import context_view
        from pitree.ui.windows.context_rows import ContextRows, told

        worker = get_current_worker()
        view = context_view(session, index)
        rows = ContextRows(session, view.lines)
        if not worker.is_cancelled:
            self.app.call_from_thread(
                partial(window.fill, mark_width=rows.mark_width, cursor=len(rows) - 1), told(view), rows, (8,)
            )

    def action_money(self) -> None:
        """Show what the entry, its branch and the whole session cost."""
        from pitree.session.manager.costs import Ledger
        from pitree.ui.windows.table_window import TableWindow

        if (opened := self.loaded()) is None:
            return
        window = TableWindow("Cost and tokens")
        self.app.push_screen(window, self._go_to_row)
        if self._ledger is None or self._ledger.session is not opened.session:
            self._ledger = Ledger(opened.session)
        in_thread(
            self.host,
            "add up cost and tokens",
            partial(self._read_money, window, opened.session, self._ledger, self.entry_index),
            group="money",
            exclusive=True,
            failed=window.failed,
        )

    def _read_money(self, window: TableWindow, session: SessionManager, ledger: Ledger, index: int) -> None:
        from pitree.ui.windows.cost_rows import COLUMNS, money_rows

        worker = get_current_worker()
        if ledger.fill(lambda: worker.is_cancelled):
            rows = money_rows(session, ledger, index)
            widths = tuple(
                max(len(row.figures[place]) for row in rows if row.figures) for place in range(len(COLUMNS))
            )
            self.app.call_from_thread(window.fill, [], rows, widths)

    def action_columns(self) -> None:
        """Show the columns beside the tree's rows, or none."""
        from pitree.ui.tree.tree_columns import TreeColumns

        rows, wanted = self.panes.tree.rows, self.app.options.config[table.COLUMNS]
        if rows.columns is None:
            rows.show_columns(
                TreeColumns(lambda: self.opened.session if self.opened is not None else None, wanted)
            )
        else:
            rows.show_columns(None)
