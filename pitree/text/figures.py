"""Every number and time that people read: one rule for each kind, used wherever one is shown.

- Counts have their thousands parted.
- Tokens go in steps of 1,000 with one digit behind the point, which is left out where it is 0. Where they are
  added up to the last one (`pitree stats`, the context, an entry's details) they are counts.
- Bytes go in steps of 1,024, as in Pi, with one digit behind the point up to 100.
- Costs have two digits behind the point, below a dollar as many as make two digits that say something. The
  least is a thousandth of a cent.
- Ages and durations have their largest unit, rounded down; durations the next one, too.
- Times are local. What is no time gives an empty text.

JSON has the exact numbers; it does not come here.
"""

from __future__ import annotations

import math
from datetime import datetime
from typing import Any

MINUTE, HOUR, DAY = 60, 3_600, 86_400
"""Units in seconds."""
_UNITS = (
    (365 * DAY, "y"),
    (30 * DAY, "mo"),
    (7 * DAY, "w"),
    (DAY, "d"),
    (HOUR, "h"),
    (MINUTE, "m"),
    (1, "s"),
)

DATE_STYLES = {"age": 4, "date": 11, "iso": 16}
"""Style of a time → cells that it takes at most: `12mo`, `11-30 14:02`, `2026-11-30 14:02`."""
_FORMATS = {"date": "%m-%d %H:%M", "iso": "%Y-%m-%d %H:%M"}


def number(value: Any) -> float | int | None:
    """The value if it is a finite number, else None; what is in a file may be anything."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if isinstance(value, int):
        return value if abs(value) < 10**18 else None
    return value if math.isfinite(value) else None


def count(value: int) -> str:
    """A whole number with its thousands parted: `1,204`."""
    return f"{value:,}"


def counted(value: int, one: str, many: str = "") -> str:
    """A number and its noun: `1 line`, `1,204 lines`."""
    return f"{value:,} {one if value == 1 else many or one + 's'}"


def tokens(value: float | int) -> str:
    """Tokens: `823`, `12.3k`, `50k`, `1.2M`."""
    if abs(value) < 1_000:
        return f"{value:g}"
    if abs(value) < 999_950:
        return f"{value / 1_000:.1f}".removesuffix(".0") + "k"
    return f"{value / 1_000_000:.1f}".removesuffix(".0") + "M"


def money(value: float | int) -> str:
    """US dollars: `$4.12`, `$0.50`, `$0.031`, `$0.00045`, `<$0.00001`; `$0` for nothing."""
    if value == 0:
        return "$0"
    if abs(value) >= 1:
        return f"${value:,.2f}"
    if abs(value) < 0.00001:
        return "<$0.00001"
    digits = max(2, 1 - math.floor(math.log10(abs(value))))
    whole, _, cents = f"{value:.{digits}f}".partition(".")
    return f"${whole}.{cents[:2]}{cents[2:].rstrip('0')}"


def size(value: int) -> str:
    """Bytes: `12 B`, `768 KB`, `2.6 GB`, in steps of 1,024."""
    if value < 1024:
        return f"{value} B"
    amount, unit = value / 1024, "KB"
    for larger in ("MB", "GB", "TB"):
        if amount < 1023.95:
            break
        amount, unit = amount / 1024, larger
    digits = f"{amount:.0f}" if amount >= 100 else f"{amount:.1f}".removesuffix(".0")
    return f"{digits} {unit}"


def duration(ms: float) -> str:
    """How long something took: `40 ms`, `2.4 s`, `3 min 20 s`, `2 h 5 min`."""
    seconds = ms / 1_000
    if seconds < 0.9995:
        return f"{ms:.0f} ms"
    if seconds < 9.95:
        return f"{seconds:.1f}".removesuffix(".0") + " s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3_600:
        return f"{whole // 60} min {whole % 60} s".removesuffix(" 0 s")
    return f"{whole // 3_600} h {whole % 3_600 // 60} min".removesuffix(" 0 min")


def _local(ms: float) -> datetime | None:
    """A local time; None where there is no such time."""
    try:
        return datetime.fromtimestamp(ms / 1_000)
    except (ValueError, OverflowError, OSError):
        return None


def clock(ms: float, now_ms: float) -> str:
    """Local time of an instant in ms since 1970: `14:02:11` today, else with its date; empty if none."""
    local, today = _local(ms), _local(now_ms)
    if local is None:
        return ""
    if today is not None and local.date() == today.date():
        return local.strftime("%H:%M:%S")
    return local.strftime("%Y-%m-%d %H:%M:%S")


def percent(part: float, whole: float) -> str:
    """How much of a whole a part is, rounded down: `42%`; of nothing it is all."""
    return f"{int(100 * part / whole) if whole > 0 else 100}%"


def _aged(seconds: float) -> tuple[int, int, str]:
    """An age as a number of its largest unit: the number, the unit in seconds, its sign."""
    unit, sign = next((unit for unit in _UNITS if seconds >= unit[0]), _UNITS[-1])
    return int(max(0.0, seconds) // unit), unit, sign


def age(ms: float, now_ms: float) -> str:
    """How long ago an instant was, as Pi's lists say it: `now`, `5m`, `3h`, `2d`, `1w`, `4mo`, `1y`.

    Args:
        ms: in ms since 1970.
        now_ms: likewise.
    """
    amount, _, sign = _aged((now_ms - ms) / 1_000)
    return "now" if sign == "s" else f"{amount}{sign}"


def span(seconds: float) -> str:
    """An age in words: `2 s`, `5 min`, `3 d`, `4 mo`."""
    amount, _, sign = _aged(seconds)
    return f"{amount} {'min' if sign == 'm' else sign}"


def span_holds(seconds: float) -> float:
    """For how many seconds an age stays the same in words."""
    amount, unit, _ = _aged(seconds)
    ends = min([unit * (amount + 1), *(larger for larger, _ in _UNITS if larger > unit)])
    return max(0.05, ends - seconds)


def ago(ms: float, now_ms: float) -> str:
    """Age of an instant in ms since 1970: `just now`, `5 min ago`, `3 d ago`, `4 mo ago`; empty if none."""
    if not math.isfinite(ms):
        return ""
    seconds = (now_ms - ms) / 1_000
    if seconds < -60:
        return "in the future"
    return "just now" if seconds < 5 else f"{span(seconds)} ago"


def moment(ms: float, style: str = "iso") -> str:
    """A local date and time: `2026-11-30 14:02` (`iso`), `11-30 14:02` (`date`); empty if there is none."""
    local = _local(ms)
    return local.strftime(_FORMATS[style]) if local is not None else ""


def moment_or_age(ms: float, now_ms: float, style: str) -> str:
    """A time in one of `DATE_STYLES`; an age where it is no date."""
    return (moment(ms, style) if style in _FORMATS else "") or age(ms, now_ms)


def short_moment(ms: float, now_ms: float) -> str:
    """A time as short as it can be told: `14:02` today, `11-30 14:02` this year, else `2025-11-30`."""
    local, today = _local(ms), _local(now_ms)
    if local is None or today is None:
        return ""
    if local.date() == today.date():
        return local.strftime("%H:%M")
    return local.strftime("%m-%d %H:%M" if local.year == today.year else "%Y-%m-%d")
