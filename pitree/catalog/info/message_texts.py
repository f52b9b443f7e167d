"""The message text of a session, kept for searching: as it is, and once searched also as it is compared."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from threading import Lock

_PIECE = 4096


class _Store:
    """Text that only ever grows, shared by all the `MessageText`s of a session that grows."""

    __slots__ = ("folded", "folded_to", "lock", "raw")

    def __init__(self, raw: bytes) -> None:
        self.raw: bytes | bytearray = raw
        self.folded = bytearray()
        self.folded_to = 0
        """How much of `raw` is in `folded`."""
        self.lock = Lock()


class MessageText:
    """All user and assistant text of a session, kept in memory as UTF-8.

    Args:
        texts: the texts, as they are in the file.
    """

    __slots__ = ("_size", "_store")

    def __init__(self, texts: Iterable[str]) -> None:
        self._store = _Store(_encoded(texts))
        self._size = len(self._store.raw)

    @property
    def size(self) -> int:
        """Bytes of the text."""
        return self._size

    def whole(self, start: int = 0) -> str:
        """The texts, joined by spaces.

        Args:
            start: the byte from which on; within a character, the next one.
        """
        with self._store.lock:
            part = bytes(self._store.raw[start : self._size])
        return part.decode("utf-8", "ignore" if start else "strict")

    def extended(self, texts: Iterable[str]) -> MessageText:
        """This text and more. It costs what is new, since both share what they have in common."""
        more = _encoded(texts)
        if not more:
            return self
        store = self._store
        grown = object.__new__(MessageText)
        with store.lock:
            if len(store.raw) != self._size:
                # Another text was made from this one, with other words or the same: the two part here.
                store = _Store(bytes(store.raw[: self._size]))
            raw = store.raw if isinstance(store.raw, bytearray) else bytearray(store.raw)
            if raw:
                raw += b" "
            raw += more
            store.raw = raw
            grown._store, grown._size = store, len(store.raw)
        return grown

    def folded(self, fold: Callable[[str], str]) -> bytearray:
        """The texts without regard to case and white space, as UTF-8; of a text that has grown, all of it.

        Folding takes longer than reading the file did, so it waits until somebody searches, and is done once.
        It goes piece by piece, for the interpreter to be free for other threads in between.

        Args:
            fold: what folds a text; the same at each call. Folding pieces that end at a space, and joining
                them by a space, must come to the same as folding the whole.
        """
        store = self._store
        with store.lock:
            raw = store.raw
            while store.folded_to < len(raw):
                start = store.folded_to
                end = raw.find(b" ", start + _PIECE)
                end = end if end >= 0 else len(raw)
                if piece := fold(raw[start:end].decode()):
                    if store.folded:
                        store.folded += b" "
                    store.folded += piece.encode("utf-8", "surrogatepass")
                store.folded_to = end + 1 if end < len(raw) else end
            return store.folded


def _encoded(texts: Iterable[str]) -> bytes:
    return " ".join(texts).encode("utf-8", "replace")
