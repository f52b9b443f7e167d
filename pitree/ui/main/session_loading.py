"""Opening a session in the background: the end of a large file first, then all of it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from textual.message import Message

from pitree.outline.filters import FilterMode
from pitree.outline.first_tree import LARGE, TAIL, FirstRead
from pitree.outline.outline import Outline
from pitree.query.entries.text_store import TextStore
from pitree.session.format.errors import SessionError
from pitree.session.manager.manager import Cancelled, SessionManager
from pitree.text import figures
from pitree.ui.main.header import HeaderFacts
from pitree.ui.main.header_facts import FactsKeeper

TELL_EVERY = 0.1
"""Seconds between two figures of how much was read: each takes a frame."""


@dataclass(frozen=True, slots=True)
class OpenedSession:
    """A session ready to be shown."""

    path: Path
    session: SessionManager
    texts: TextStore
    outline: Outline
    keeper: FactsKeeper

    @property
    def facts(self) -> HeaderFacts:
        """What the header says of it."""
        return self.keeper.facts()

    @property
    def provisional(self) -> bool:
        """Whether this is only the end of the file, with the rest to follow."""
        return self.session.partial


class SessionOpened(Message):
    """A session, or the end of one, can be shown."""

    def __init__(self, opened: OpenedSession) -> None:
        super().__init__()
        self.opened = opened


class SessionProgress(Message):
    """So much of the file has been read."""

    def __init__(self, path: Path, done: int, total: int) -> None:
        super().__init__()
        self.path = path
        self.done = done
        self.total = total

    @property
    def words(self) -> str:
        """`loading 12.5 MB of 78 MB`"""
        return f"loading {figures.size(self.done)} of {figures.size(self.total)}"

    def can_replace(self, message: Message) -> bool:
        """Only the newest figure counts."""
        return isinstance(message, SessionProgress)


class SessionFailed(Message):
    """The file cannot be shown; `reason` is one line naming it."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__()
        self.path = path
        self.reason = reason


def open_session(
    path: Path,
    mode: FilterMode,
    post: Callable[[Message], object],
    cancelled: Callable[[], bool],
    *,
    end_shown: bool = False,
) -> None:
    """Open a session and post what comes of it; meant for a thread.

    Args:
        path: the session file.
        mode: the filter its outline starts with.
        post: takes the messages `SessionOpened` (several times for a large file), `SessionProgress` and
            `SessionFailed`; called from this thread.
        cancelled: asked now and then; True ends the work without another message.
        end_shown: whether the end of a large file is shown already.
    """

    told = 0.0

    def progress(done: int, total: int) -> None:
        nonlocal told
        if time.monotonic() - told >= TELL_EVERY:
            post(SessionProgress(path, done, total))
            told = time.monotonic()

    try:
        size = path.stat().st_size
        if size >= LARGE and not end_shown:
            tail = SessionManager.open_tail(path, TAIL)
            if tail is not None and not cancelled():
                post(SessionOpened(prepare(path, tail, mode)))
        session = SessionManager.open(
            path,
            on_progress=progress if size >= LARGE else None,
            cancelled=cancelled,
            on_end=lambda end: post(SessionOpened(prepare(path, end, mode))),
        )
    except Cancelled:
        return
    except SessionError as error:
        post(SessionFailed(path, str(error)))
        return
    except OSError as error:
        post(SessionFailed(path, f"{path}: {error.strerror or error}"))
        return
    opened = prepare(path, session, mode)
    if not cancelled():
        post(SessionOpened(opened))


def prepare(path: Path, session: SessionManager, mode: FilterMode) -> OpenedSession:
    """Build the rows of a session, and what the header says of it."""
    texts = TextStore(session)
    return prepared(path, FirstRead(session, texts, Outline(session, mode, texts=texts)))


def prepared(path: Path, read: FirstRead) -> OpenedSession:
    """Build what the header says of a session whose rows are there."""
    keeper = FactsKeeper(read.session)
    keeper.facts()  # finds out here what has to be looked for, so that it takes no time later
    return OpenedSession(path, read.session, read.texts, read.outline, keeper)
