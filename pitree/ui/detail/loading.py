"""Reading an entry for the detail pane; meant for a thread."""

from __future__ import annotations

from textual.message import Message

from pitree.outline.parts import Part, PartKind, Tone, parts_of, raw_part
from pitree.session.manager import SessionManager


class Loaded(Message):
    """An entry, ready to be shown.

    Attributes:
        title: what names it: role, model and time; safe.
        parts: its parts, without what only names it.
    """

    def __init__(
        self, session: SessionManager, index: int, raw: bool, title: tuple[str, str, str], parts: list[Part]
    ) -> None:
        super().__init__()
        self.session = session
        self.index = index
        self.raw = raw
        self.title = title
        self.parts = parts

    def can_replace(self, message: Message) -> bool:
        """Only the newest counts."""
        return isinstance(message, Loaded)


def load(session: SessionManager, index: int, *, raw: bool) -> Loaded:
    """Read an entry and take it apart.

    An entry nobody foresaw must not end the program: what goes wrong is told in the entry's place.
    """
    try:
        parts = parts_of(session, index)
        title = (parts[0].title, parts[0].subject, parts[0].note)
        if raw:
            parts = [raw_part(session, index)]
    except Exception as error:
        words = f"This entry cannot be shown: {type(error).__name__}. R may show its record."
        title = ("entry", f"{index + 1:,}", "")
        parts = [Part(PartKind.NOTICE, "failed", title=words, tone=Tone.ERROR)]
    return Loaded(session, index, raw, title, parts)
