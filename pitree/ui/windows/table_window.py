"""A window with a table: a text and figures in columns, rows that lead to entries, loaded in a thread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.strip import Strip
from textual.widgets import Static

from pitree.text.cells import cell_len, cut, pad
from pitree.text.sanitize import visible
from pitree.ui.toolkit import keys
from pitree.ui.toolkit.line_list import LineList
from pitree.ui.toolkit.window import Window
from pitree.workers.failures import Failure

_BETWEEN = 2
_TEXT_KEPT = 24
"""Cells the text keeps; where there are fewer, columns are left out, the first ones first."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row. All texts are safe lines.

    Attributes:
        text: what it is about.
        figures: its columns, from the last one back: shorter rows leave the first columns empty.
        target: index of the entry it leads to; None if it leads nowhere.
        tone: `heading`, `dim`, `warning`, or empty.
        mark: a short word before the text.
    """

    text: str = ""
    figures: tuple[str, ...] = ()
    target: int | None = None
    tone: str = ""
    mark: str = ""


class TableList(LineList):
    """The rows of a table. They may be a sequence that makes them when asked."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        *("table--heading", "table--dim", "table--warning", "table--mark", "table--figure"),
    }
    wraps = False

    def __init__(self) -> None:
        super().__init__()
        self.rows: Sequence[TableRow] = ()
        self.widths: tuple[int, ...] = ()
        self.mark_width = 0
        self.words = ""

    def row_count(self) -> int:
        return len(self.rows)

    def empty_text(self) -> str:
        return self.words

    def selectable(self, row: int) -> bool:
        return self.rows[row].target is not None

    def show(self, rows: Sequence[TableRow], widths: tuple[int, ...], mark_width: int, cursor: int) -> None:
        """Show rows.

        Args:
            rows: the rows.
            widths: cells of the columns.
            mark_width: cells of the widest mark.
            cursor: the row to put the cursor on.
        """
        self.rows, self.widths, self.mark_width = rows, widths, mark_width
        self.rows_changed(cursor)
        self.scroll_to_cursor(center=True)

    def step(self, direction: int, by_page: bool = False) -> None:
        before = self.cursor
        super().step(direction, by_page)
        if self.cursor == before:  # no row to go to: there may still be something to read
            self.scroll_relative(y=direction * (self.page_size if by_page else 1), animate=False)

    def render_row(self, row: int, width: int, selected: bool, focused: bool) -> Strip:
        item = self.rows[row]
        room = width - 3
        mark = self.mark_width + 2 if self.mark_width and room > 2 * _TEXT_KEPT else 0
        widths = list(self.widths)
        while widths and sum(widths) + _BETWEEN * len(widths) + mark + _TEXT_KEPT > room:
            widths.pop(0)
        used = sum(widths) + _BETWEEN * len(widths)
        figures = item.figures[-len(widths) :] if widths else ()
        figures = ("",) * (len(widths) - len(figures)) + figures
        text_room = max(0, room - used - mark)
        style = self.style_of(f"table--{item.tone}") if item.tone else None
        figure = style if item.tone in ("heading", "dim") else self.style_of("table--figure")
        segments = [Segment("› " if selected else "  ")]
        if mark:
            segments.append(Segment(pad(cut(item.mark, mark - 2), mark), self.style_of("table--mark")))
        segments.append(Segment(pad(cut(item.text, text_room), text_room), style))
        for value, cells in zip(figures, widths, strict=True):
            shown = cut(value, cells)
            segments.append(Segment(" " * (_BETWEEN + cells - cell_len(shown)) + shown, figure))
        return Strip(segments)


class TableWindow(Window[int]):
    """A table with some lines above it. Enter gives the entry a row leads to, Esc gives None.

    Args:
        title: heading of the frame.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings(keys.KeyContext.TABLE)]
    PLACES = (keys.KeyContext.TABLE, keys.KeyContext.LIST)

    def __init__(self, title: str) -> None:
        super().__init__()
        self._title = title
        self._above = Static("reading …", markup=False, id="above")
        self.table = TableList()

    def compose(self) -> ComposeResult:
        with Vertical(id="window") as window:
            window.border_title = Content(self._title)
            yield self._above
            yield self.table

    def on_mount(self) -> None:
        self.table.focus()

    def tell(self, lines: Sequence[str]) -> None:
        """Say something above the table; safe lines."""
        self._above.update(Content("\n".join(lines)))
        self._above.display = bool(lines)

    def failed(self, failure: Failure) -> None:
        """Say why there is nothing to show."""
        if self.is_attached:
            self.tell([visible(failure.words)])

    def fill(
        self,
        lines: Sequence[str],
        rows: Sequence[TableRow],
        widths: tuple[int, ...],
        *,
        mark_width: int = 0,
        cursor: int = 0,
    ) -> None:
        """Show what was read; see `TableList.show`."""
        if self.is_attached:
            self.tell(lines)
            self.table.show(rows, widths, mark_width, cursor)

    @on(LineList.Chosen)
    def _row_chosen(self, event: LineList.Chosen) -> None:
        event.stop()
        target = self.table.rows[event.row].target
        if target is not None:
            self.dismiss(target)

    def words_of_keys(self) -> Mapping[str, str]:
        return {"list.up": "", "list.page_up": ""}

    def action_go(self) -> None:
        self.table.action_choose()
