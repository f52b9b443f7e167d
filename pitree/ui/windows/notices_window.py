"""The windows that list what is wrong: with a session's file, or with the files that were looked for."""

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


_WORDS = {"skipped": "skipped", "bad-settings": "settings"}


def skipped_window(notices: Sequence[Notice]) -> ReadingWindow:
    """The window for notices about files and settings."""
    items = [TextItem(visible(notice.message), word=_WORDS.get(notice.kind, "")) for notice in notices]
    return ReadingWindow("Skipped files", items, "No match.")
