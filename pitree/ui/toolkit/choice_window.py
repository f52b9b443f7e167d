"""Asks what to do: a list of choices, each with its key, and where it helps a text to edit first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events, on
from textual.binding import BindingType
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import TextArea

from pitree.text.cells import cell_len, cut, pad
from pitree.ui.toolkit import keys
from pitree.ui.toolkit.asking_window import AskingWindow, editable
from pitree.ui.toolkit.fields import goes_on
from pitree.ui.toolkit.line_list import LineList

_AROUND = 3
"""Rows of the window's frame, and of what parts the choices from what is asked."""


class TextField(TextArea):
    """A `TextArea` that may take the focus before it has its place on the screen."""

    takes_back = True
    """Whether ctrl+z undoes what was typed."""

    def _on_key(self, event: events.Key) -> None:  # type: ignore[override]
        if goes_on(event):
            event.prevent_default()

    def on_resize(self) -> None:
        if self.has_focus:
            self.app.cursor_position = self.cursor_screen_offset


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing to choose.

    Attributes:
        id: what the window gives back.
        action: the action of the table whose key chooses it; empty where the row's number does.
        words: what it does.
        refused: why it cannot be chosen now; empty when it can.
    """

    id: str
    action: str
    words: str
    refused: str = ""


@dataclass(frozen=True, slots=True)
class ChoiceResult:
    """What was chosen.

    Attributes:
        id: the choice's id.
        text: the text as edited; None if there was none to edit.
    """

    id: str
    text: str | None


class ChoiceList(LineList):
    """The choices, one a line, each after its key; a refused one says why and is not taken.

    Args:
        choices: the choices.
        numbered: whether those without an action of their own have numbers.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings(keys.KeyContext.CHOICE)]
    COMPONENT_CLASSES: ClassVar[set[str]] = {"choice--key", "choice--refused", "choice--cursor"}

    def __init__(self, choices: Sequence[Choice], *, numbered: bool = True) -> None:
        super().__init__()
        self.choices = choices
        self._numbered = numbered
        self.styles.height = max(1, len(choices))

    def keys_of(self, row: int) -> tuple[str, ...]:
        """The keys that choose a row."""
        table = keys.table_of(self)
        if action := self.choices[row].action:
            return table.named(action)
        return table.named("choice.number")[row : row + 1] if self._numbered else ()

    def row_of(self, key: str) -> int | None:
        """The row that a key chooses."""
        return next((row for row in range(len(self.choices)) if key in self.keys_of(row)), None)

    def on_key(self, event: events.Key) -> None:
        """Choices have keys of their own, before those that move."""
        row = self.row_of(event.key)
        if row is not None:
            event.stop()
            self.post_message(self.Chosen(self, row))

    def signs(self) -> list[str]:
        """The key of each row, as people read it."""
        return [
            keys.key_sign(held[0]) if held else "" for held in map(self.keys_of, range(len(self.choices)))
        ]

    def row_count(self) -> int:
        return len(self.choices)

    def render_row(self, row: int, width: int, selected: bool, focused: bool) -> Strip:
        choice = self.choices[row]
        key = self.style_of("choice--refused" if choice.refused else "choice--key")
        words = f"{choice.words} — {choice.refused}" if choice.refused else choice.words
        style = key if choice.refused else Style()
        signs = self.signs()
        column = max(map(cell_len, signs))
        sign = f"{pad(signs[row], column)}  " if column else ""
        strip = Strip(
            [
                Segment("› " if selected else "  ", key),
                Segment(sign, key),
                Segment(cut(words, max(1, width - 2 - cell_len(sign))), style),
            ]
        ).adjust_cell_length(width)
        return strip.apply_style(self.style_of("choice--cursor")) if selected and focused else strip


class ChoiceWindow(AskingWindow[ChoiceResult]):
    """Choices below some paragraphs. A choice's key, or Enter on it, gives it; Esc gives None.

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
        super().__init__(title, paragraphs)
        self._list = ChoiceList(choices)
        self._given = text
        self._safe = editable(text) if text is not None else ""
        self._text = TextField(self._safe, soft_wrap=True, compact=True) if text is not None else None

    def fields(self) -> Sequence[Widget]:
        return (self._list,) if self._text is None else (self._text, self._list)

    def on_mount(self) -> None:
        first = next((i for i, choice in enumerate(self._list.choices) if not choice.refused), 0)
        self._list.cursor = first
        self._list.focus()

    def on_resize(self, event: events.Resize) -> None:
        """Of a low screen, what is asked has what the choices leave of it."""
        if self._text is None:
            left = event.size.height - len(self._list.choices) - _AROUND
            self.query_one(".paragraphs").styles.max_height = max(3, event.size.height * 3 // 10, left)

    def places_of_keys(self) -> tuple[keys.KeyContext, ...]:
        named = {choice.action for choice in self._list.choices}
        own = {action.place for action in keys.ACTIONS if action.id in named}
        return (*own, keys.KeyContext.CHOICE, keys.KeyContext.LIST, *super().places_of_keys())

    def words_of_keys(self) -> Mapping[str, str]:
        return {"list.up": "", "list.page_up": "", "dialog.next": "edit the text" if self._text else ""}

    @on(LineList.Chosen)
    def _row_chosen(self, event: LineList.Chosen) -> None:
        event.stop()
        self._choose(self._list.choices[event.row])

    def _choose(self, choice: Choice) -> None:
        if choice.refused:
            self.app.bell()
        else:
            self.dismiss(ChoiceResult(choice.id, self._edited()))

    def _edited(self) -> str | None:
        if self._text is None or self._given is None:
            return None
        return self._given if self._text.text == self._safe else self._text.text
