"""What is wrong with a session's file, line by line."""

from __future__ import annotations

from collections.abc import Sequence

from pitree.session.format.errors import Notice
from pitree.text.sanitize import visible
from pitree.ui.toolkit.text_window import ReadingWindow, TextItem


def notices_window(notices: Sequence[Notice]) -> ReadingWindow:
    """The window that lists the notices with their line numbers."""
    items = [
        TextItem(visible(notice.message), word=f"line {notice.line:,}" if notice.line is not None else "file")
        for notice in notices
    ]
    title = "1 notice" if len(items) == 1 else f"{len(items):,} notices"
    return ReadingWindow(f"{title} about this file", items, "No matching notice.")
