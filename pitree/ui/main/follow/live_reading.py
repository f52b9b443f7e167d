"""Reading what comes: the disk in threads, slice by slice, and taking it in between the keys."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from textual.message import Message

from pitree.outline.filters import FilterMode
from pitree.session.format.errors import SessionError
from pitree.session.live.follower import FileCheck, Follower
from pitree.session.manager.manager import Cancelled, SessionManager
from pitree.ui.main.session_loading import OpenedSession, prepare


class SessionFollower:
    """Looks at the file of an open session whenever it is stirred, and takes what came.

    Args:
        session: the session, read to its end.
        told: called after each look, on the event loop.
    """

    def __init__(self, session: SessionManager, told: Callable[[FileCheck], object]) -> None:
        self._follower = Follower(session)
        self._told = told
        self._stirred = asyncio.Event()
        self._ended = False

    def stir(self) -> None:
        """Look soon."""
        self._stirred.set()

    def end(self) -> None:
        """Look no more."""
        self._ended = True
        self._stirred.set()

    async def run(self) -> None:
        """Look, until `end`."""
        again: float | None = None
        while not self._ended:
            if again is None:
                await self._stirred.wait()
            elif again > 0:
                await asyncio.sleep(again)
            self._stirred.clear()
            if self._ended:
                return
            probe = await asyncio.to_thread(self._follower.probe)
            if self._ended:
                return
            start = time.monotonic()
            look = self._follower.take(probe)
            self._told(look)
            # Much that comes is taken in half the time there is; keys have the other half.
            again = look.again if look.again != 0 else time.monotonic() - start


@dataclass(frozen=True, slots=True)
class ReloadRequest:
    """What is to be read again.

    Attributes:
        path: the file.
        words: why, for the reader; empty for nothing worth telling.
        if_changed: whether what is shown may stay if nothing in the file has changed.
    """

    path: Path
    words: str = ""
    if_changed: bool = False


class SessionReloaded(Message):
    """A file was read again."""

    def __init__(self, wish: ReloadRequest, opened: OpenedSession) -> None:
        super().__init__()
        self.wish = wish
        self.opened = opened


class ReloadFailed(Message):
    """A file could not be read again; `reason` is one line naming it."""

    def __init__(self, wish: ReloadRequest, reason: str) -> None:
        super().__init__()
        self.wish = wish
        self.reason = reason


def read_again(
    wish: ReloadRequest, mode: FilterMode, post: Callable[[Message], object], cancelled: Callable[[], bool]
) -> None:
    """Read a session whole and post `SessionReloaded` or `ReloadFailed`; meant for a thread.

    Args:
        wish: what to read.
        mode: the filter its outline starts with.
        post: takes the message.
        cancelled: asked now and then; True ends the work without a message.
    """
    path = wish.path
    try:
        opened = prepare(path, SessionManager.open(path, cancelled=cancelled), mode)
    except Cancelled:
        return
    except SessionError as error:
        post(ReloadFailed(wish, str(error)))
    except OSError as error:
        post(ReloadFailed(wish, f"{path}: {error.strerror or error}"))
    else:
        if not cancelled():
            post(SessionReloaded(wish, opened))


def same_entries(one: SessionManager, other: SessionManager) -> bool:
    """Whether two readings of a file gave the same: entries, where they lie, labels and name."""
    mine, theirs = one.table, other.table
    return (
        mine.ids == theirs.ids
        and mine.offsets == theirs.offsets
        and mine.lengths == theirs.lengths
        and mine.texts == theirs.texts
        and one.labels == other.labels
        and one.data.name == other.data.name
    )
