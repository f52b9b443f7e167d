"""What the made-up sessions need worked out: usage and cost, diffs as the edit tool keeps them, a picture."""

from __future__ import annotations

import base64
import binascii
import difflib
import struct
import zlib
from typing import Any

Usage = dict[str, Any]

PRICES = {
    "claude-sonnet-4-5": (3.0, 15.0, 0.3, 3.75),
    "claude-opus-4-5": (5.0, 25.0, 0.5, 6.25),
    "gpt-5": (1.25, 10.0, 0.125, 0.0),
}
"""Dollars a million tokens: input, output, cache read, cache write."""


def usage_of(model: str, context: int, written: int) -> Usage:
    """What a request with `context` tokens before it and `written` tokens of answer uses and costs."""
    fresh = 4 + context % 61
    write = min(context // 12, 2_400)
    cached = max(0, context - write - fresh)
    counts = (fresh, written, cached, write)
    cost = [round(price * count / 1_000_000, 6) for price, count in zip(PRICES[model], counts, strict=True)]
    names = ("input", "output", "cacheRead", "cacheWrite")
    return {
        **dict(zip(names, counts, strict=True)),
        "totalTokens": sum(counts),
        "cost": {**dict(zip(names, cost, strict=True)), "total": round(sum(cost), 6)},
    }


class Diff:
    """The change of one file, in the two forms that an edit's result carries."""

    def __init__(self, path: str, before: str, after: str, around: int = 4) -> None:
        """`around` is the number of unchanged lines kept on either side of a change."""
        self._path, self._around = path, around
        self._old, self._new = before.splitlines(), after.splitlines()

    def details(self) -> dict[str, Any]:
        """`diff` with line numbers for reading, `patch` for tools, the first changed line of the new file."""
        return {"diff": self._numbered(), "patch": self._patch(), "firstChangedLine": self._first_change()}

    def _groups(self) -> list[list[tuple[str, int, int, int, int]]]:
        matcher = difflib.SequenceMatcher(None, self._old, self._new, autojunk=False)
        return list(matcher.get_grouped_opcodes(self._around))

    def _first_change(self) -> int:
        return next(op[3] + 1 for group in self._groups() for op in group if op[0] != "equal")

    def _numbered(self) -> str:
        width = len(str(max(len(self._old), len(self._new)) + 1))
        gap = f" {'':>{width}} ..."
        lines: list[str] = []
        end = 0
        for group in self._groups():
            if group[0][1] > end:
                lines.append(gap)
            for tag, i1, i2, j1, j2 in group:
                if tag == "equal":
                    lines += [f" {i + 1:>{width}} {self._old[i]}" for i in range(i1, i2)]
                else:
                    lines += [f"-{i + 1:>{width}} {self._old[i]}" for i in range(i1, i2)]
                    lines += [f"+{j + 1:>{width}} {self._new[j]}" for j in range(j1, j2)]
            end = group[-1][2]
        if end < len(self._old):
            lines.append(gap)
        return "\n".join(lines)

    def _patch(self) -> str:
        lines = difflib.unified_diff(
            self._old, self._new, self._path, self._path, n=self._around, lineterm=""
        )
        return "\n".join(lines) + "\n"


def picture(rows: list[str]) -> str:
    """A grey PNG drawn as text (space white, "." light, "o" grey, "#" black), enlarged eightfold, in base64.

    The pixels are stored, not compressed, so that the bytes do not depend on the zlib at hand.
    """
    shades = {" ": 3, ".": 2, "o": 1, "#": 0}
    width = max(len(row) for row in rows) * 8
    pixels = bytearray()
    for row in rows:
        line = bytearray(b"\x00")  # each scan line begins with its filter: none
        for cell in row.ljust(width // 8):
            line += bytes([shades[cell] * 0b01010101] * 2)  # eight pixels of two bits
        pixels += line * 8
    length = len(pixels)
    stored = b"\x78\x01\x01" + struct.pack("<HH", length, length ^ 0xFFFF) + pixels
    stored += struct.pack(">I", zlib.adler32(pixels))
    head = struct.pack(">IIBBBBB", width, len(rows) * 8, 2, 0, 0, 0, 0)
    parts = [(b"IHDR", head), (b"IDAT", stored), (b"IEND", b"")]
    data = b"\x89PNG\r\n\x1a\n"
    for kind, body in parts:
        data += struct.pack(">I", len(body)) + kind + body + struct.pack(">I", binascii.crc32(kind + body))
    return base64.b64encode(data).decode()
