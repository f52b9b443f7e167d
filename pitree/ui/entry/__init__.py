"""The detail pane: one entry in full."""

from __future__ import annotations

from pitree.ui.entry.pane.entry_pane import DetailPane
from pitree.ui.entry.pane.parts_view import PartsView

__all__ = ["DetailPane", "PartsView"]
