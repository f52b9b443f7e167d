"""The window that lists what was skipped while sessions were looked for."""

from __future__ import annotations

from collections.abc import Sequence

from pitree.session.format.errors import Notice
from pitree.text.sanitize import visible
from pitree.ui.toolkit.text_window import ReadingWindow, TextItem

_WORDS = {"skipped": "skipped", "bad-settings": "settings"}


def skipped_window(notices: Sequence[Notice]) -> ReadingWindow:
    """The window for notices about files and settings."""
    items = [TextItem(visible(notice.message), word=_WORDS.get(notice.kind, "")) for notice in notices]
    return ReadingWindow("Skipped files", items, "No match.")
