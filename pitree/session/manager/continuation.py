"""What continuing from an entry means: where the leaf goes, and which text is handed back to be edited."""

from __future__ import annotations

from dataclasses import dataclass

from pitree.session.format.entry_summary import text_of
from pitree.session.format.entry_type import Kind
from pitree.session.manager.queries import ReadOperations
from pitree.session.reading.entry import Entry

_RESENT = frozenset({Kind.USER, Kind.CUSTOM_MESSAGE})


@dataclass(frozen=True, slots=True)
class Continuation:
    """Going on from an entry, by the rules of Pi's /tree and /fork.

    Attributes:
        entry: the entry chosen.
        leaf_id: the leaf it leads to: of a user or custom message its parent (None for a root), else itself.
        text: text of the user or custom message, to be edited and sent again; None for other entries.
        current: whether the entry is the leaf already, so that there is nowhere to go.
    """

    entry: Entry
    leaf_id: str | None
    text: str | None
    current: bool

    @property
    def before(self) -> bool:
        """Whether the conversation continues before the entry rather than after it."""
        return self.text is not None


def continuation(session: ReadOperations, index: int) -> Continuation:
    """What it means to continue from the entry at an index."""
    entry = session.entry(index)
    current = index == session.leaf_index
    if entry.kind not in _RESENT:
        return Continuation(entry, entry.id, None, current)
    parent = session.table.parents[index]
    record = entry.record
    message = record.get("message")
    content = message.get("content") if isinstance(message, dict) else record.get("content")
    return Continuation(entry, session.table.ids[parent] if parent >= 0 else None, text_of(content), current)
