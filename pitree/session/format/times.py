"""Times of entries."""

from __future__ import annotations

import math
import re
from datetime import datetime
from typing import Any

_LATEST_TIME = 8.64e15
"""The last millisecond a JavaScript date can hold."""

_MINUTE = re.compile(r"\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d:", re.ASCII)
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


_SECONDS = {f"{second:02}.": second * 1000 for second in range(60)}
_MILLISECONDS = {f"{part:03}Z": part for part in range(1000)}


class Times:
    """`time_ms` for many; times as Pi writes them (`2026-11-30T15:41:02.851Z`) are put together of parts.

    That is exact: their minute was once read in a whole time, and UTC knows no other hours.
    """

    def __init__(self) -> None:
        self._minutes: dict[str, float] = {}

    def all_ms(self, times: list[Any]) -> list[float]:
        """`time_ms` of each."""
        minutes, seconds, parts = self._minutes, _SECONDS, _MILLISECONDS
        try:
            self._learn({time[:17] for time in times})
            return [minutes[time[:17]] + seconds[time[17:20]] + parts[time[20:]] for time in times]
        except (KeyError, TypeError):
            return list(map(time_ms, times))

    def _learn(self, minutes: set[str]) -> None:
        known = self._minutes
        if len(known) > _MINUTES_KEPT:
            known.clear()
        for minute in minutes - known.keys():
            if _MINUTE.fullmatch(minute):
                known[minute] = time_ms(f"{minute}00.000Z")
