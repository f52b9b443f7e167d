"""The reading half of the main screen: exports, what the model sees, what it cost; searching all sessions."""

from __future__ import annotations

from pitree.ui.main.inspect.column_actions import ColumnActions
from pitree.ui.main.inspect.compare_actions import CompareActions
from pitree.ui.main.inspect.context_actions import ContextActions
from pitree.ui.main.inspect.cost_actions import MoneyActions
from pitree.ui.main.inspect.export_actions import ExportActions
from pitree.ui.main.inspect.search_all_actions import EverywhereActions


class ReadingScreen(
    ExportActions, ContextActions, MoneyActions, ColumnActions, CompareActions, EverywhereActions
):
    """All reading actions; the browsing half implements what `ReadingBase` leaves open."""
