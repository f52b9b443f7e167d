"""The message text of a session, kept for searching: as it is, and once searched also as it is compared."""

from __future__ import annotations

from collections.abc import Callable, Iterable

_PIECE = 4096


class MessageText:
    """All user and assistant text of a session, kept in memory as UTF-8.

    Args:
        texts: the texts, as they stand in the file.
    """

    __slots__ = ("_bytes", "_folded")

    def __init__(self, texts: Iterable[str]) -> None:
        self._bytes = " ".join(texts).encode("utf-8", "replace")
        self._folded: bytes | None = None

    @property
    def size(self) -> int:
        """Bytes of the text."""
        return len(self._bytes)

    def whole(self) -> str:
        """The texts, joined by spaces."""
        return self._bytes.decode()

    def folded(self, fold: Callable[[str], str]) -> bytes:
        """The texts without regard to case and white space, as UTF-8.

        Folding takes longer than reading the file did, so it waits until somebody searches, and is done once.
        It goes piece by piece, for the interpreter to be free for other threads in between.

        Args:
            fold: what folds a text; the same at each call. Folding pieces that end at a space, and joining
                them by a space, must come to the same as folding the whole.
        """
        if self._folded is None:
            text = self._bytes
            pieces: list[str] = []
            start = 0
            while start < len(text):
                end = text.find(b" ", start + _PIECE)
                end = end if end >= 0 else len(text)
                if piece := fold(text[start:end].decode()):
                    pieces.append(piece)
                start = end + 1
            self._folded = " ".join(pieces).encode("utf-8", "surrogatepass")
        return self._folded
