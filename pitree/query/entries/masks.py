"""Masks: one byte for each entry, 1 for yes and 0 for no, as results of filters and searches."""

from __future__ import annotations


def both(one: bytes | bytearray, other: bytes | bytearray) -> bytearray:
    """The entries in both of two masks. One may be shorter; what it lacks counts as no.

    Done as one operation on two big numbers, which is some twenty times faster than byte for byte.
    """
    length = max(len(one), len(other))
    common = int.from_bytes(one, "little") & int.from_bytes(other, "little")
    return bytearray(common.to_bytes(length, "little"))
