"""The message text of a session, kept for searching: as small as UTF-8, in lower case once it is searched."""

from __future__ import annotations

from collections.abc import Iterable

_PIECE = 1024


class MessageText:
    """All user and assistant text of a session, kept in memory.

    Lower-casing costs more than reading does, so it waits until somebody searches, and is then done once.

    Args:
        texts: the texts, as they stand in the file.
    """

    __slots__ = ("_bytes", "_is_lower")

    def __init__(self, texts: Iterable[str]) -> None:
        self._bytes = " ".join(texts).encode("utf-8", "replace")
        self._is_lower = False

    @property
    def size(self) -> int:
        """Bytes kept."""
        return len(self._bytes)

    def lower(self) -> bytes:
        """The texts joined by spaces, in lower case, as UTF-8."""
        if not self._is_lower:
            self._bytes = lower(self._bytes)
            self._is_lower = True
        return self._bytes


def lower(text: bytes) -> bytes:
    """Lower case of a UTF-8 text, the same as `str.lower` makes it.

    Only pieces with characters beyond ASCII take the slow way, and no piece is large: the interpreter is free
    for other threads in between.
    """
    if text.isascii():
        return text.lower()
    pieces: list[bytes] = []
    start = 0
    while start < len(text):
        # A space ends a word, so what stands before and after it changes no letter's lower case.
        end = text.find(b" ", start + _PIECE) + 1 or len(text)
        piece = text[start:end]
        pieces.append(piece.lower() if piece.isascii() else piece.decode().lower().encode())
        start = end
    return b"".join(pieces)
