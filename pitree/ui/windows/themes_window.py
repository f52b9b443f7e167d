"""Asks for a theme, showing each as the cursor comes to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from textual import on
from textual.widget import Widget

from pitree.ui.toolkit import keys
from pitree.ui.toolkit.asking_window import AskingWindow
from pitree.ui.toolkit.choice_window import Choice, ChoiceList
from pitree.ui.toolkit.line_list import LineList


class ThemeWindow(AskingWindow[str]):
    """The themes by name. Enter gives one, Esc gives None.

    Args:
        themes: name → words.
        chosen: the theme chosen before.
        show: shows a theme at once.
    """

    PLACES = (keys.KeyContext.CHOICE, keys.KeyContext.LIST)

    def __init__(self, themes: dict[str, str], chosen: str, show: Callable[[str], None]) -> None:
        super().__init__("Theme", [])
        self._names = list(themes)
        self._chosen = chosen
        self._show = show
        self._list = ChoiceList([Choice(name, "", words) for name, words in themes.items()], numbered=False)
        self._list.styles.height = "1fr"

    def fields(self) -> Sequence[Widget]:
        return (self._list,)

    def words_of_keys(self) -> Mapping[str, str]:
        return {"list.up": "", "list.page_up": ""}

    def on_mount(self) -> None:
        if self._chosen in self._names:
            self._list.cursor = self._names.index(self._chosen)
        self._list.focus()

    @on(LineList.Highlighted)
    def _highlighted(self, event: LineList.Highlighted) -> None:
        event.stop()
        self._show(self._names[event.row])

    @on(LineList.Chosen)
    def _row_chosen(self, event: LineList.Chosen) -> None:
        event.stop()
        self.dismiss(self._names[event.row])
