"""The bodies of rows as one column, packed many at a time: small objects are mostly overhead."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import overload

_PACKED_AT = 4096
"""Texts appended one by one before they are packed."""


class RowTexts(Sequence[bytes]):
    """Texts by entry index. May be read in one thread while another one adds."""

    def __init__(self) -> None:
        self._pieces: list[tuple[bytes, array[int]]] = []  # joined texts, and where each ends
        self._firsts: list[int] = []
        # How many are packed, and the texts behind these. Both change at once: readers take the pair.
        self._state: tuple[int, list[bytes]] = (0, [])
        self._others: dict[int, bytes] = {}

    def __len__(self) -> int:
        packed, loose = self._state
        return packed + len(loose)

    @overload
    def __getitem__(self, place: int) -> bytes: ...
    @overload
    def __getitem__(self, place: slice) -> list[bytes]: ...
    def __getitem__(self, place: int | slice) -> bytes | list[bytes]:
        if isinstance(place, slice):
            return [self[one] for one in range(*place.indices(len(self)))]
        packed, loose = self._state
        if place < 0:
            place += packed + len(loose)
        if place >= packed:
            return loose[place - packed]
        if place < 0:
            raise IndexError(place)
        if place in self._others:
            return self._others[place]
        piece = bisect_right(self._firsts, place) - 1
        joined, ends = self._pieces[piece]
        place -= self._firsts[piece]
        return joined[ends[place - 1] if place else 0 : ends[place]]

    def __iter__(self) -> Iterator[bytes]:
        return (self[place] for place in range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RowTexts):
            return NotImplemented
        if len(self) != len(other):
            return False
        mine = (self._firsts, self._pieces, self._state, self._others)
        if mine == (other._firsts, other._pieces, other._state, other._others):
            return True  # packed in the same places, as readings of one file are, and equal: told fast
        return all(one == two for one, two in zip(self, other, strict=False))

    __hash__ = None  # type: ignore[assignment]  # texts may come

    def append(self, text: bytes) -> None:
        """Add the text of the next entry."""
        loose = self._state[1]
        loose.append(text)
        if len(loose) >= _PACKED_AT:
            self._pack()

    def extend_packed(self, joined: bytes, ends: array[int]) -> None:
        """Add many texts: joined to one, and where each of them ends in that."""
        if self._state[1]:
            self._pack()
        self._add(joined, ends)

    def replace(self, place: int, text: bytes) -> None:
        """Put another text in the place of one of those that were added packed."""
        self._others[place] = text

    def _pack(self) -> None:
        loose = self._state[1]
        self._add(b"".join(loose), array("I", accumulate(map(len, loose))))

    def _add(self, joined: bytes, ends: array[int]) -> None:
        packed = self._state[0]
        self._pieces.append((joined, ends))
        self._firsts.append(packed)
        self._state = packed + len(ends), []
