"""The text of sessions of which a list keeps none: read when somebody searches, kept for the next search."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from threading import Lock

from pitree.catalog.info.message_texts import MessageText
from pitree.catalog.info.session_info import SessionInfo, messages
from pitree.catalog.loading.parallel_reader import TEXT_KEPT, TEXT_OF_ONE
from pitree.session.storage.line_reader import FileReplaced, ReadPosition

_WORTH_IT = 16 * 1024
"""Bytes of room below which no more texts are read."""


@dataclass(frozen=True, slots=True)
class _Read:
    """What was read of a session: up to where, and its text; None if that is too long."""

    reached: ReadPosition
    text: MessageText | None


class _TooLong(Exception):
    """A text is longer than there is room for."""


class ReadTexts:
    """Texts of sessions, within bounds. Safe in any thread; one at a time reads.

    Args:
        most: bytes of text kept, over all sessions.
        most_of_one: of that, for one session.
    """

    def __init__(self, most: int = TEXT_KEPT, most_of_one: int = TEXT_OF_ONE) -> None:
        self._most = most
        self._most_of_one = most_of_one
        self._read: dict[str, _Read] = {}
        self._size = 0
        self._reading = Lock()

    def of(self, info: SessionInfo) -> MessageText | None:
        """The text of a session, if it is kept or was read as the session is now."""
        if info.text is not None:
            return info.text
        known = self._read.get(info.path)
        return known.text if known is not None and known.reached.stamp == info.file.stamp else None

    def read(
        self, info: SessionInfo, listed: Collection[str], stopped: Callable[[], bool]
    ) -> MessageText | None:
        """Read the text of a session, or what came to it; None if there is no room for it.

        Args:
            info: the session.
            listed: paths of all sessions that matter now; texts of others give way.
            stopped: asked now and then whether to give up.

        Raises:
            OSError, NoSessionFile, Stopped: as for `messages`.
        """
        with self._reading:
            return self._text(info, listed, stopped)

    def _text(
        self, info: SessionInfo, listed: Collection[str], stopped: Callable[[], bool]
    ) -> MessageText | None:
        known = self._read.get(info.path)
        if known is not None and known.text is None and known.reached.stamp[1] == info.file.stamp[1]:
            return None  # It was too long, and is no shorter now.
        if self._most - self._size < _WORTH_IT:
            for path in self._read.keys() - set(listed):
                self._drop(path)
            if self._most - self._size < _WORTH_IT:
                return None
        if known is not None and known.text is not None:
            try:
                return self._go_on(info, known, stopped)
            except FileReplaced:
                self._drop(info.path)
        return self._go_on(info, _Read(ReadPosition(), MessageText(())), stopped)

    def _go_on(self, info: SessionInfo, known: _Read, stopped: Callable[[], bool]) -> MessageText | None:
        assert known.text is not None
        reached = replace(known.reached)
        room = min(self._most - self._size, self._most_of_one - known.text.size)
        texts: list[str] = []
        try:
            for _, text in messages(info.path, stopped, None, reached):
                room -= len(text) + 1
                if room < 0:
                    raise _TooLong
                texts.append(text)
        except _TooLong:
            self._drop(info.path)
            if self._most - self._size >= self._most_of_one:
                self._read[info.path] = _Read(ReadPosition(stamp=info.file.stamp), None)
            return None
        grown = known.text.extended(texts)
        self._drop(info.path)
        self._read[info.path] = _Read(reached, grown)
        self._size += grown.size
        return grown

    def _drop(self, path: str) -> None:
        known = self._read.pop(path, None)
        if known is not None and known.text is not None:
            self._size -= known.text.size
