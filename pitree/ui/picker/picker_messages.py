"""What the list of sessions says to the screen: messages of `SessionPicker`."""

from __future__ import annotations

from textual.message import Message
from textual.widget import Widget


class Opened(Message, namespace="session_picker"):
    """The reader wants this session open; `path` is its file."""

    def __init__(self, picker: Widget, path: str) -> None:
        super().__init__()
        self.picker = picker
        self.path = path

    @property
    def control(self) -> Widget:
        return self.picker


class Previewed(Message, namespace="session_picker"):
    """The cursor is on this session; `path` is empty when there is none."""

    def __init__(self, picker: Widget, path: str) -> None:
        super().__init__()
        self.picker = picker
        self.path = path

    @property
    def control(self) -> Widget:
        return self.picker

    def can_replace(self, message: Message) -> bool:
        """Only where the cursor came to rest matters."""
        return isinstance(message, Previewed)


class NothingListed(Message, namespace="session_picker"):
    """This folder has no sessions, and the file that was opened by its path lies among no others."""


class Troubled(Message, namespace="session_picker"):
    """Something has to be told to the reader."""

    def __init__(self, words: str) -> None:
        super().__init__()
        self.words = words
