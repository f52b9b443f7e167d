"""What the entry under the cursor, its branch and the whole session cost."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from textual.worker import get_current_worker

from pitree.ui.main.inspect.inspect_base import ReadingBase
from pitree.ui.toolkit.background import in_thread

if TYPE_CHECKING:
    from pitree.session.manager.costs import Ledger
    from pitree.session.manager.manager import SessionManager
    from pitree.ui.windows.table_window import TableWindow


class MoneyActions(ReadingBase):
    """`$`."""

    _ledger: Ledger | None = None

    def action_money(self) -> None:
        from pitree.session.manager.costs import Ledger
        from pitree.ui.windows.table_window import TableWindow

        opened = self.ready()
        if opened is None:
            return
        window = TableWindow("Cost and tokens")
        self.app.push_screen(window, self._went_where_it_was_spent)
        if self._ledger is None or self._ledger.session is not opened.session:
            self._ledger = Ledger(opened.session)
        in_thread(
            self,
            "add up cost and tokens",
            partial(self._read_money, window, opened.session, self._ledger, self.entry_index),
            group="money",
            exclusive=True,
            failed=window.failed,
        )

    def _went_where_it_was_spent(self, target: int | None) -> None:
        if target is not None:
            self.go_to_entry(target)

    def _read_money(self, window: TableWindow, session: SessionManager, ledger: Ledger, index: int) -> None:
        from pitree.ui.windows.cost_rows import COLUMNS, money_rows

        worker = get_current_worker()
        if ledger.fill(lambda: worker.is_cancelled):
            rows = money_rows(session, ledger, index)
            widths = tuple(
                max(len(row.figures[place]) for row in rows if row.figures) for place in range(len(COLUMNS))
            )
            self.app.call_from_thread(window.fill, [], rows, widths)
