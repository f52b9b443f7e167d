"""What tool calls say in a row, by call id: kept for their results, which may come much later."""

from __future__ import annotations

import marshal

_ASKED_AT_MOST = 64
"""Ids looked for in vain in the packed calls before all of these are unpacked permanently."""


class ToolCallIndex:
    """Call id → text of the call; the last text given for an id counts.

    Texts are set one by one, or packed, many at a time; packed ones take a fraction of the memory.
    """

    def __init__(self) -> None:
        self._recent: dict[str, str] = {}
        self._packed: list[bytes] = []
        self._asked = 0
        self._unpacked: tuple[int, dict[str, str]] = (-1, {})

    def set(self, call_id: str, text: str) -> None:
        """Take the text of a call."""
        self._recent[call_id] = text

    def get(self, call_id: str) -> str | None:
        """The text of a call; None for one that was never made."""
        text = self._recent.get(call_id)
        if text is not None or not self._packed:
            return text
        wanted = call_id.encode("utf-8", "surrogatepass")
        for place in range(len(self._packed) - 1, -1, -1):
            if wanted in self._packed[place]:
                text = self._unpack(place).get(call_id)
                if text is not None:
                    return text
        self._asked += 1
        if self._asked > _ASKED_AT_MOST:
            self._unpack_all()
        return None

    def take(self, packed: bytes) -> None:
        """Take many calls, made after all that were set or taken before; see `pack`."""
        if self._recent:
            self._packed.append(pack(self._recent))
            self._recent = {}
        if self._asked > _ASKED_AT_MOST:
            self._packed.append(packed)
            self._unpack_all()
        else:
            self._packed.append(packed)

    def _unpack(self, place: int) -> dict[str, str]:
        if self._unpacked[0] != place:
            self._unpacked = place, marshal.loads(self._packed[place])
        return self._unpacked[1]

    def _unpack_all(self) -> None:
        whole: dict[str, str] = {}
        for packed in self._packed:
            whole.update(marshal.loads(packed))
        self._recent = whole | self._recent
        self._packed = []


def pack(calls: dict[str, str]) -> bytes:
    """Calls as one piece of bytes, for `Calls.take`."""
    return marshal.dumps(calls)
