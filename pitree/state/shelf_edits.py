"""Changes to what is starred and archived, each with its words and the way back."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from pitree.state.stars_and_archive import Marks, Shelf


@dataclass(frozen=True, slots=True)
class ShelfChange:
    """Something that was starred or archived, or is no more. No session was written to.

    Attributes:
        session_id, path: the session.
        words: what was done, for a message.
        kept: what is kept of the session now.
        undo: brings back the former state and returns that change.
    """

    session_id: str
    path: str
    words: str
    kept: Marks
    undo: Callable[[], ShelfChange]


def set_star(shelf: Shelf, session_id: str, path: str, on: bool) -> ShelfChange:
    """Star a session, or take its star away.

    Raises:
        WriteError: it could not be kept.
    """
    before = shelf.of(session_id, path).starred
    kept = shelf.change(session_id, path, starred=on)
    words = "session starred" if on else "star removed"
    return ShelfChange(session_id, path, words, kept, lambda: set_star(shelf, session_id, path, before))


def set_archived(shelf: Shelf, session_id: str, path: str, on: bool) -> ShelfChange:
    """Archive a session, or take it out of the archive.

    Raises:
        WriteError: it could not be kept.
    """
    before = shelf.of(session_id, path).archived
    kept = shelf.change(session_id, path, archived=on)
    words = "session archived" if on else "session restored from the archive"
    return ShelfChange(session_id, path, words, kept, lambda: set_archived(shelf, session_id, path, before))


def set_branches(
    shelf: Shelf, session_id: str, path: str, archive: Collection[str] = (), restore: Collection[str] = ()
) -> ShelfChange:
    """Archive branches of a session, or take some out of the archive.

    Args:
        archive: ids of the entries at which branches to be archived start.
        restore: ids of those to be taken out.

    Raises:
        WriteError: it could not be kept.
    """
    before = shelf.of(session_id, path).branches
    gained = [entry for entry in archive if entry not in before]
    lost = [entry for entry in restore if entry in before]
    kept = shelf.change(session_id, path, archive_branches=archive, restore_branches=restore)
    words = "branch archived" if archive else "branch restored from the archive"
    return ShelfChange(
        session_id, path, words, kept, lambda: set_branches(shelf, session_id, path, lost, gained)
    )
