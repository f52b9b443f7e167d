"""The reading half of the main screen: exports, what the model sees, what it cost; searching all sessions."""

from __future__ import annotations

from pitree.ui.read.columns import ColumnActions
from pitree.ui.read.compare import CompareActions
from pitree.ui.read.contexts import ContextActions
from pitree.ui.read.everywhere import EverywhereActions
from pitree.ui.read.exports import ExportActions
from pitree.ui.read.money import MoneyActions


class ReadingScreen(
    ExportActions, ContextActions, MoneyActions, ColumnActions, CompareActions, EverywhereActions
):
    """All reading actions; the browsing half implements what `ReadingBase` leaves open."""
