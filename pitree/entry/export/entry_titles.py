"""What an export calls an entry."""

from __future__ import annotations

from dataclasses import dataclass

from pitree.entry.parts.model import Part
from pitree.session.manager.manager import SessionManager
from pitree.text.sanitize import visible


@dataclass(frozen=True, slots=True)
class EntryTitle:
    """What names an entry; safe lines.

    Attributes:
        name: its role or type.
        subject: its model or tool; empty if it has none.
        time: local time with date; empty if it cannot be read.
        stamp: the time as it is in the file.
        label: its label; empty if it has none.
    """

    name: str
    subject: str
    time: str
    stamp: str
    label: str


def entry_title(session: SessionManager, index: int, heading: Part) -> EntryTitle:
    """What names an entry, from its heading."""
    entry = session.entry(index)
    label = session.get_label(entry.id)
    return EntryTitle(
        heading.title or "entry",
        heading.subject,
        heading.note,
        visible(entry.timestamp),
        visible(label) if label else "",
    )
