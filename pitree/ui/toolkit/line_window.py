"""Asks for one line: a label, a name, a folder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar

from textual import on
from textual.binding import BindingType
from textual.widget import Widget
from textual.widgets import Input, Static

from pitree.text.sanitize import visible
from pitree.ui.toolkit import keys
from pitree.ui.toolkit.asking_window import AskingWindow
from pitree.ui.toolkit.fields import LineField


class LineWindow(AskingWindow[str]):
    """One line to fill in. Enter gives it, Esc gives None.

    Args:
        title: heading of the frame.
        paragraphs: what is asked.
        value: what is in the line at first, ready to be changed.
        placeholder: what an empty line means.
        check: says what is wrong with a line, or None; a wrong line is not taken.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings(keys.KeyContext.LINE)]
    PLACES = (keys.KeyContext.LINE,)
    TYPES = True

    def __init__(
        self,
        title: str,
        paragraphs: Iterable[str | tuple[str, str]],
        *,
        value: str = "",
        placeholder: str = "",
        check: Callable[[str], str | None] = lambda line: None,
    ) -> None:
        super().__init__(title, paragraphs)
        self._check = check
        self._given, self._safe = value, visible(value)
        self._input = LineField(self._safe, placeholder=placeholder, select_on_focus=False)
        self._wrong = Static("", markup=False, classes="wrong")

    def fields(self) -> Sequence[Widget]:
        return (self._input, self._wrong)

    def on_mount(self) -> None:
        self.set_focus(self._input)  # at once, so that what is typed from now on goes there
        self._input.cursor_position = len(self._input.value)

    @on(Input.Changed)
    def _changed(self) -> None:
        self._wrong.update("")

    def action_save(self) -> None:
        value = self._input.value
        line = self._given if value == self._safe else value
        wrong = self._check(line)
        if wrong is None:
            self.dismiss(line)
        else:
            self._wrong.update(wrong)
