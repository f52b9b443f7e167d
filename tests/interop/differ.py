"""Says where two answers differ, in few words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

LARGEST_EXACT = 2**53


def number(value: int | float) -> int | float:
    """A number as JavaScript holds it: whole ones beyond 2**53 lose their last digits."""
    return float(value) if isinstance(value, int) and abs(value) > LARGEST_EXACT else value


def differences(theirs: Any, ours: Any, where: str = "") -> Iterator[str]:
    """Each place where two JSON values differ, as `path: Pi …, pitree …`.

    Whole numbers and floats of the same value are the same. True is not 1.
    """
    if isinstance(theirs, dict) and isinstance(ours, dict):
        for key in sorted(theirs.keys() | ours.keys()):
            if key not in ours:
                yield f"{where}.{key}: pitree has none, Pi {short(theirs[key])}"
            elif key not in theirs:
                yield f"{where}.{key}: Pi has none, pitree {short(ours[key])}"
            else:
                yield from differences(theirs[key], ours[key], f"{where}.{key}")
    elif isinstance(theirs, list) and isinstance(ours, list | tuple):
        if len(theirs) != len(ours):
            yield f"{where}: Pi has {len(theirs)}, pitree {len(ours)}: {short(theirs)} / {short(ours)}"
        for place, (one, other) in enumerate(zip(theirs, ours, strict=False)):
            yield from differences(one, other, f"{where}[{place}]")
    elif isinstance(theirs, bool) or isinstance(ours, bool):
        if theirs is not ours:
            yield f"{where}: Pi {short(theirs)}, pitree {short(ours)}"
    elif isinstance(theirs, int | float) and isinstance(ours, int | float):
        if number(theirs) != number(ours):
            yield f"{where}: Pi {theirs!r}, pitree {ours!r}"
    elif theirs != ours:
        yield f"{where}: Pi {short(theirs)}, pitree {short(ours)}"


def short(value: Any, length: int = 160) -> str:
    """A value in one line that is not too long."""
    text = ascii(value)
    return text if len(text) <= length else text[:length] + "…"
