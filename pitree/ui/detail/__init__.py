"""The detail pane: one entry in full."""

from __future__ import annotations

from pitree.ui.detail.pane import DetailPane
from pitree.ui.detail.parts_view import PartsView

__all__ = ["DetailPane", "PartsView"]
