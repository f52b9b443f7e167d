"""Write pitree/text/widths.py's tables: the width of every code point as the installed Rich measures it.

Run it after a new Rich brings a new Unicode version (a test says so): `python tests/support/make_widths.py`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from pathlib import Path
from textwrap import wrap

from rich._unicode_data import load
from rich.cells import cell_len

MODULE = Path(__file__).parent.parent.parent / "pitree" / "outline" / "widths.py"
LINE = 104


def ranges(code_points: Iterable[int]) -> list[str]:
    """Ascending code points as hexadecimal ranges: [1, 2, 3, 9] → ["1-3", "9"]."""
    found: list[list[int]] = []
    for code_point in code_points:
        if found and found[-1][1] == code_point - 1:
            found[-1][1] = code_point
        else:
            found.append([code_point, code_point])
    return [f"{first:x}-{last:x}" if last > first else f"{first:x}" for first, last in found]


def tables() -> dict[str, list[str]]:
    """The three tables by name. Rich's own rule makes C0 and C1 zero wide, so they appear as such."""
    zero: list[int] = []
    wide: list[int] = []
    for code_point in range(sys.maxunicode + 1):
        width = cell_len(chr(code_point))
        if width == 0:
            zero.append(code_point)
        elif width == 2:
            wide.append(code_point)
    widened = sorted(map(ord, load("latest").narrow_to_wide))
    return {"_ZERO": ranges(zero), "_WIDE": ranges(wide), "_WIDENED": ranges(widened)}


def main() -> None:
    """Replace the text between the quotes of each table in the module."""
    source = MODULE.read_text(encoding="utf-8")
    for name, rows in tables().items():
        body = "\n".join(wrap(" ".join(rows), LINE, break_on_hyphens=False))
        source, count = re.subn(rf'(?ms)^({name} = """\n).*?^(""")', rf"\g<1>{body}\n\g<2>", source)
        if count != 1:
            raise SystemExit(f"{MODULE}: no table {name}")
    MODULE.write_text(source, encoding="utf-8")


if __name__ == "__main__":
    main()
