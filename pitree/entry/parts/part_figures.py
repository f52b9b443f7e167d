"""Numbers and times as people read them: tokens, money, sizes, lengths, clock times, ages."""

from __future__ import annotations

import math
from datetime import datetime
from typing import Any

_DAY = 86_400
_AGES = ((60, 1, "s"), (3_600, 60, "min"), (_DAY, 3_600, "h"), (7 * _DAY, _DAY, "d"))


def number(value: Any) -> float | int | None:
    """The value if it is a finite number, else None; what stands in a file may be anything."""
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
    """US dollars: `$4.12`, `$0.031`, `$0.00045`; two digits that say something below a dollar."""
    if value == 0:
        return "$0"
    if abs(value) >= 1:
        return f"${value:,.2f}"
    if abs(value) < 0.00001:
        return "<$0.00001"
    digits = max(2, 1 - math.floor(math.log10(abs(value))))
    return "$" + f"{value:.{digits}f}".rstrip("0")


def size(value: int) -> str:
    """Bytes: `12 B`, `768 KB`, `2.6 GB`, in steps of 1,024."""
    if value < 1024:
        return f"{value} B"
    amount, unit = value / 1024, "KB"
    for larger in ("MB", "GB", "TB"):
        if amount < 1023.95:
            break
        amount, unit = amount / 1024, larger
    return f"{amount:.0f} {unit}" if amount >= 100 or amount == int(amount) else f"{amount:.1f} {unit}"


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
    try:
        return datetime.fromtimestamp(ms / 1_000)
    except (ValueError, OverflowError, OSError):
        return None


def clock(ms: float, now_ms: float) -> str:
    """Local time of an instant in ms since 1970: `14:02:11` today, else with its date; empty if none."""
    moment, today = _local(ms), _local(now_ms)
    if moment is None:
        return ""
    if today is not None and moment.date() == today.date():
        return moment.strftime("%H:%M:%S")
    return moment.strftime("%Y-%m-%d %H:%M:%S")


def ago(ms: float, now_ms: float) -> str:
    """Age of an instant in ms since 1970: `just now`, `5 min ago`, `3 d ago`, `4 mo ago`; empty if none."""
    if not math.isfinite(ms):
        return ""
    seconds = (now_ms - ms) / 1_000
    if seconds < -60:
        return "in the future"
    if seconds < 5:
        return "just now"
    for limit, unit, name in _AGES:
        if seconds < limit:
            return f"{int(seconds // unit)} {name} ago"
    days = int(seconds // _DAY)
    if days < 30:
        return f"{days // 7} w ago"
    if days < 365:
        return f"{days // 30} mo ago"
    return f"{days // 365} y ago"
