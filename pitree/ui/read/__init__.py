"""The reading half of the main screen: exports, what the model sees, what it cost."""

from __future__ import annotations

from pitree.ui.read.exports import ExportActions


class ReadingScreen(ExportActions):
    """All reading actions; the browsing half implements what `ReadingBase` leaves open."""
