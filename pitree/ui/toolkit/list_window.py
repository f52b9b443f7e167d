"""A window of rows that are found by typing: letters go to a box, arrows and Enter to the rows below it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from typing import TypeVar

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widget import Widget

from pitree.ui.toolkit.line_list import LineList
from pitree.ui.toolkit.search_box import SearchBox
from pitree.ui.toolkit.window import Window

Result = TypeVar("Result")


class SearchedWindow(Window[Result]):
    """A search box over rows. Esc clears the search, and then gives None.

    A subclass implements `edited` and `choose`.

    Args:
        hint: what is in the box while it is empty.
        rows: the rows.
    """

    AUTO_FOCUS = ""
    TYPES = True

    def __init__(self, hint: str, rows: LineList) -> None:
        super().__init__()
        self.box = SearchBox(hint)
        self._rows = rows

    def compose(self) -> ComposeResult:
        with Vertical(id="window"):
            yield self.box
            yield from self.below()

    def on_mount(self) -> None:
        self.box.open()

    def below(self) -> Iterable[Widget]:
        """What is below the box."""
        return (self._rows,)

    @abstractmethod
    def edited(self) -> None:
        """What is typed in the box is something else now."""

    @abstractmethod
    def choose(self, row: int) -> None:
        """Take a row, -1 where there is none."""

    def action_leave(self) -> None:
        if self.box.text:
            self.box.text = ""
        else:
            self.dismiss(None)

    def action_cancel(self) -> None:
        self.dismiss(None)

    def action_go(self) -> None:
        """Take the row under the cursor."""
        self.choose(self._rows.cursor)

    @on(SearchBox.Edited)
    def _box_edited(self, event: SearchBox.Edited) -> None:
        event.stop()
        self.edited()

    @on(SearchBox.Stepped)
    def _box_stepped(self, event: SearchBox.Stepped) -> None:
        event.stop()
        self._rows.step(event.step, event.by_page)

    @on(SearchBox.Left)
    def _box_left(self, event: SearchBox.Left) -> None:
        event.stop()
        if event.accepted:
            self.choose(self._rows.cursor)
        else:
            self.action_leave()

    @on(LineList.Chosen)
    def _row_chosen(self, event: LineList.Chosen) -> None:
        event.stop()
        self.choose(event.row)
