"""Times of entries."""

from __future__ import annotations

import math
import re
from datetime import datetime
from typing import Any

_LATEST_TIME = 8.64e15
"""The last millisecond a JavaScript date can hold."""

_AS_PI_WRITES = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", re.ASCII)
_MINUTES_KEPT = 50_000


def time_ms(time: Any) -> float:
    """Milliseconds since 1970 of an entry's time; nan if there is none.

    That is an ISO time (without a zone: local, as JavaScript reads it), or a number, which is taken as it is.
    """
    if isinstance(time, int | float) and not isinstance(time, bool):
        return math.trunc(time) if abs(time) <= _LATEST_TIME else math.nan
    if not isinstance(time, str):
        return math.nan
    try:
        # Parts of a millisecond are dropped, as JavaScript does; the little more mends the float's last bits.
        return math.floor(datetime.fromisoformat(time).timestamp() * 1000.0 + 0.001)
    except (ValueError, OverflowError, OSError):
        return math.nan


class Times:
    """`time_ms` for many; times as Pi writes them (`2026-11-30T15:41:02.851Z`) are put together of two parts.

    That is exact, since both parts were once read in a whole time, and UTC knows no other hours.
    """

    def __init__(self) -> None:
        self._minutes: dict[str, float] = {}
        self._seconds: dict[str, float] = {}

    def ms(self, time: Any) -> float:
        """See `time_ms`."""
        try:
            return self._minutes[time[:17]] + self._seconds[time[17:]]
        except (KeyError, TypeError):
            return self._learn(time)

    def _learn(self, time: Any) -> float:
        found = time_ms(time)
        if isinstance(time, str) and _AS_PI_WRITES.fullmatch(time) and not math.isnan(found):
            minute = time_ms(f"{time[:17]}00.000Z")
            if len(self._minutes) > _MINUTES_KEPT:
                self._minutes.clear()
            self._minutes[time[:17]] = minute
            self._seconds[time[17:]] = found - minute
        return found
