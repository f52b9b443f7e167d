"""Times in lists of sessions, in the style that the settings ask for."""

from __future__ import annotations

from datetime import datetime

from pitree.catalog.arranging import age

CELLS = {"age": 4, "date": 11, "iso": 16}
"""Style → cells that a time takes at most: `12mo`, `11-30 14:02`, `2026-11-30 14:02`."""

_FORMATS = {"date": "%m-%d %H:%M", "iso": "%Y-%m-%d %H:%M"}


def when(time: int, now: float, style: str) -> str:
    """A time in one of the styles; an age where it is no date.

    Args:
        time: in ms since 1970.
        now: likewise.
        style: a key of `CELLS`.
    """
    if style in _FORMATS:
        try:
            return datetime.fromtimestamp(time / 1000).strftime(_FORMATS[style])
        except (ValueError, OverflowError, OSError):
            pass
    return age(time, now)
