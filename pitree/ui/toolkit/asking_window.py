"""What every asking window is made of: a frame, plain paragraphs, and a line of keys."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from pitree.text.sanitize import visible
from pitree.ui.toolkit.window import Window

Result = TypeVar("Result")


def editable(text: str) -> str:
    """A text as it may stand in a field: made safe, tabs left as they are.

    A field paints what it holds, so what cannot be painted cannot be edited; who changes nothing in the field
    is to get the text back as it was.
    """
    return "\t".join(visible(piece, keep_newlines=True) for piece in text.split("\t"))


class Paragraph(Static):
    """Plain text, wrapped; nothing in it is markup."""

    def __init__(self, text: str, style: str = "") -> None:
        super().__init__(
            Content(visible(text, keep_newlines=True)), markup=False, classes=f"paragraph {style}"
        )


class AskingWindow(Window[Result]):
    """A window that asks for something. Esc leaves things as they are and gives None.

    Args:
        title: heading of the frame.
        paragraphs: what is asked, each a text or a pair of text and style class
            (`quote`, `warning`, `error`, `dim`).
    """

    def __init__(self, title: str, paragraphs: Iterable[str | tuple[str, str]]) -> None:
        super().__init__()
        self._title = visible(title)
        self._paragraphs = [(p, "") if isinstance(p, str) else p for p in paragraphs]

    def compose(self) -> ComposeResult:
        with Vertical(id="window", classes="asking") as frame:
            frame.border_title = Content(self._title)
            with VerticalScroll(classes="paragraphs", can_focus=False):
                for text, style in self._paragraphs:
                    yield Paragraph(text, style)
            yield from self.fields()

    def fields(self) -> Sequence[Widget]:
        """The widgets below the paragraphs."""
        return ()
