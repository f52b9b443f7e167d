"""Asks what to do: a list of choices, each with its key, and where it helps a text to edit first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events, on
from textual.binding import Binding, BindingType
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import TextArea

from pitree.outline.cells import cut
from pitree.ui.dialogs.base import AskingWindow, editable
from pitree.ui.line_list import LineList


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing to choose.

    Attributes:
        id: what the window gives back.
        key: the letter that chooses it.
        words: what it does.
        refused: why it cannot be chosen now; empty when it can.
    """

    id: str
    key: str
    words: str
    refused: str = ""


@dataclass(frozen=True, slots=True)
class Chosen:
    """What was chosen.

    Attributes:
        id: the choice's id.
        text: the text as edited; None if there was none to edit.
    """

    id: str
    text: str | None


class ChoiceList(LineList):
    """The choices, one a line; a refused one says why and is not taken."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "choose", show=False)]
    COMPONENT_CLASSES: ClassVar[set[str]] = {"choice--key", "choice--refused", "choice--cursor"}

    def __init__(self, choices: Sequence[Choice]) -> None:
        super().__init__()
        self.choices = choices
        self.styles.height = max(1, len(choices))

    def row_count(self) -> int:
        return len(self.choices)

    def render_row(self, row: int, width: int, selected: bool, focused: bool) -> Strip:
        choice = self.choices[row]
        key = self.style_of("choice--refused" if choice.refused else "choice--key")
        words = f"{choice.words} — {choice.refused}" if choice.refused else choice.words
        style = key if choice.refused else Style()
        strip = Strip(
            [
                Segment("› " if selected else "  ", key),
                Segment(choice.key, key),
                Segment("  " + cut(words, max(1, width - 5)), style),
            ]
        ).adjust_cell_length(width)
        return strip.apply_style(self.style_of("choice--cursor")) if selected and focused else strip


class ChoiceWindow(AskingWindow[Chosen]):
    """Choices below some paragraphs. A choice's letter, or Enter on it, gives it; Esc gives None.

    Letters typed into the text stay letters: the list has the focus at first, Tab goes to the text and back.

    Args:
        title: heading of the frame.
        paragraphs: what is asked.
        choices: what can be chosen; the first one that is not refused has the cursor.
        text: a text to edit before choosing; None for none.
    """

    def __init__(
        self,
        title: str,
        paragraphs: Iterable[str | tuple[str, str]],
        choices: Sequence[Choice],
        *,
        text: str | None = None,
    ) -> None:
        super().__init__(
            title,
            paragraphs,
            "⏎ choose   ⇥ edit the text   Esc back" if text is not None else "⏎ choose   Esc back",
        )
        self._list = ChoiceList(choices)
        self._given = text
        self._safe = editable(text) if text is not None else ""
        self._text = TextArea(self._safe, soft_wrap=True, compact=True) if text is not None else None

    def fields(self) -> Sequence[Widget]:
        return (self._list,) if self._text is None else (self._text, self._list)

    def on_mount(self) -> None:
        first = next((i for i, choice in enumerate(self._list.choices) if not choice.refused), 0)
        self._list.cursor = first
        self._list.focus()

    def on_key(self, event: events.Key) -> None:
        if self.focused is not self._list or event.character is None:
            return
        for choice in self._list.choices:
            if choice.key == event.character:
                event.stop()
                self._choose(choice)
                return

    @on(LineList.Chosen)
    def _row_chosen(self, event: LineList.Chosen) -> None:
        event.stop()
        self._choose(self._list.choices[event.row])

    def _choose(self, choice: Choice) -> None:
        if choice.refused:
            self.app.bell()
        else:
            self.dismiss(Chosen(choice.id, self._edited()))

    def _edited(self) -> str | None:
        if self._text is None or self._given is None:
            return None
        return self._given if self._text.text == self._safe else self._text.text
