"""What a session is doing, as a sign in its row and as words beside it."""

from __future__ import annotations

from pitree.catalog.info.session_info import SessionInfo
from pitree.session.manager.activity import OVER_AFTER, WORDS, Activity, activity_now
from pitree.session.storage.open_files import FileId

SIGNS: dict[Activity, str] = {
    Activity.NONE: " ",
    Activity.WORKING: "●",
    Activity.WAITING: "○",
    Activity.ERROR: "✗",
    Activity.ABORTED: "◌",
    Activity.STALE: "…",
}
"""A sign of one cell for each state."""

IN_PI = "open in Pi"


def in_use(info: SessionInfo, files: frozenset[FileId]) -> bool:
    """Whether a session's file is among those that other processes have open for writing."""
    return info.file.stamp[:2] in files


def state_of(info: SessionInfo, now: float, files: frozenset[FileId]) -> Activity:
    """The state of a session.

    Args:
        now: ms since 1970.
        files: the files that other processes have open for writing.
    """
    return activity_now(info.activity, info.active, now, open_in_pi=in_use(info, files))


def mark_of(info: SessionInfo, now: float, files: frozenset[FileId]) -> Activity:
    """The state whose sign a session's row bears; NONE for one left long ago, unless it is open in Pi."""
    state = state_of(info, now, files)
    return state if now - info.active < OVER_AFTER or in_use(info, files) else Activity.NONE


def state_words(info: SessionInfo, now: float, files: frozenset[FileId]) -> tuple[Activity, str]:
    """The state of a session, and the words that tell it."""
    state = state_of(info, now, files)
    words = [f"{SIGNS[state]} {WORDS[state]}"] if WORDS[state] else []
    if in_use(info, files):
        words.append(IN_PI)
    return state, " · ".join(words)
