"""Changes a person makes to a session, each with its words and the way back: label, name, leaf."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from pitree.session.format.new_records import ABSENT
from pitree.session.manager.manager import SessionManager


@dataclass(frozen=True, slots=True)
class Change:
    """Something that was written.

    Attributes:
        session: the session it was written to.
        words: what was written, for a message; texts of the session in it are raw.
        written: ids of the entries written.
        undo: writes the former state as a further append and returns that change.
    """

    session: SessionManager
    words: str
    written: tuple[str, ...]
    undo: Callable[[], Change]

    @property
    def records(self) -> list[dict[str, Any]]:
        """The records written, as they are in the file."""
        entries = (self.session.get_entry(entry_id) for entry_id in self.written)
        return [entry.record for entry in entries if entry is not None]


def clean_label(label: str | None) -> str | None:
    """A label as it is stored: on one line, without spaces at the ends; None if nothing is left of it."""
    return " ".join(label.split()) or None if label else None


def set_label(session: SessionManager, entry_id: str, label: str | None) -> Change:
    """Label an entry; None or nothing but spaces removes the label.

    Raises:
        KeyError: no entry has this id.
        WriteError: nothing was written.
    """
    text = clean_label(label)
    session.catch_up()
    before = session.get_label(entry_id)
    written = session.append_label_change(entry_id, text)
    words = f"labeled [{text}]" if text else f"label [{before}] removed" if before else "label removed"
    return Change(session, words, (written,), lambda: set_label(session, entry_id, before))


def rename(session: SessionManager, name: str) -> Change:
    """Name a session; an empty name clears it.

    Raises:
        WriteError: nothing was written.
    """
    session.catch_up()
    before = session.get_session_name() or ""
    written = session.append_session_info(name)
    now = session.get_session_name()
    words = f"named “{now}”" if now else "name cleared"
    return Change(session, words, (written,), lambda: rename(session, before))


def move(
    session: SessionManager,
    entry_id: str | None,
    summary: str | None = None,
    label: str | None = None,
    details: Any = ABSENT,
    expected_leaf: Any = ABSENT,
) -> Change:
    """Move the leaf so that it lasts, with or without a summary of the branch left.

    Args are those of `SessionManager.move_leaf`.

    Raises:
        KeyError: no entry has this id.
        LeafMoved: the leaf is not `expected_leaf` any more; nothing was written.
        WriteError: nothing was written.
    """
    session.catch_up()
    left = session.get_leaf_id()
    label = clean_label(label)
    labeled = entry_id if label and summary is None else None
    before = session.get_label(labeled) if labeled is not None else None
    carrier = session.move_leaf(entry_id, summary, label, details, expected_leaf)
    first = session.table.by_id[carrier]
    written = tuple(session.table.ids[first : first + (2 if label else 1)])
    words = "leaf moved" + (", with a summary" if summary is not None else "")
    back = partial(_move_back, session, left, labeled, before, expected_leaf=written[-1])
    return Change(session, words, written, back)


def _move_back(
    session: SessionManager, left: str | None, labeled: str | None, before: str | None, expected_leaf: Any
) -> Change:
    """Take back a move: the leaf first, then the label that went with it."""
    change = move(session, left, expected_leaf=expected_leaf)
    if labeled is None:
        return change
    written = session.append_label_change(labeled, before)
    return Change(session, change.words, (*change.written, written), change.undo)
