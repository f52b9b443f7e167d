"""A list of one-line rows that stays fast with hundreds of thousands of them.

It draws only the rows on screen (Textual's Line API), so rows need not exist as widgets or even as
objects: a subclass says how many there are and draws the one it is asked for.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from pitree.ui.toolkit import keys
from pitree.ui.toolkit.drawn import line_by_line

CACHED_STRIPS = 2_000
"""Rows kept drawn; a few screens' worth, so that scrolling back and forth draws nothing again."""

REVERSED = Style(color="default", bgcolor="default", reverse=True, dim=False)
"""How the row under the cursor is told where there are no colors to be mixed for its ground."""


class LineList(ScrollView, can_focus=True, inherit_bindings=False):
    """A list with one cursor, moved by keys and mouse.

    A subclass implements `row_count` and `render_row`, and calls `rows_changed` when rows came, went
    or moved, or `redraw` when only their looks changed. Rows may be made unselectable (headings) by
    overriding `selectable`.
    """

    DEFAULT_CSS = """
    LineList {
        overflow-x: hidden;
        overflow-y: auto;
        scrollbar-size-vertical: 1;
        scrollbar-gutter: stable;
        & > .line-list--cursor { background: $foreground 8%; }
        & > .line-list--cursor-focused { background: $primary-muted; }
        &:ansi > .line-list--cursor { background: transparent; text-style: bold; }
        &:ansi > .line-list--cursor-focused { background: transparent; text-style: reverse; }
        & > .line-list--empty { color: $text-muted; }
    }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "line-list--cursor",
        "line-list--cursor-focused",
        "line-list--empty",
    }
    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings(keys.KeyContext.LIST)]
    ALLOW_SELECT: ClassVar[bool] = False

    wraps: bool = True
    """Whether moving past an end comes out at the other, as in Pi."""

    class Highlighted(Message):
        """The cursor is on another row; `row` is -1 when the list became empty."""

        def __init__(self, list: LineList, row: int) -> None:
            super().__init__()
            self.list = list
            self.row = row

        @property
        def control(self) -> LineList:
            return self.list

        def can_replace(self, message: Message) -> bool:
            """Only where the cursor came to rest matters."""
            return isinstance(message, LineList.Highlighted) and message.list is self.list

    class Chosen(Message):
        """A row was chosen: Enter or a double click."""

        def __init__(self, list: LineList, row: int) -> None:
            super().__init__()
            self.list = list
            self.row = row

        @property
        def control(self) -> LineList:
            return self.list

    def __init__(self, *, name: str | None = None, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(name=name, id=id, classes=classes)
        self._cursor = -1
        self._strips: dict[tuple[int, int, bool, bool], Strip] = {}
        self._cursor_styles: tuple[Style, Style, Style] | None = None

    # -- for subclasses -------------------------------------------------------------------------

    @abstractmethod
    def row_count(self) -> int:
        """Number of rows."""

    @abstractmethod
    def render_row(self, row: int, width: int, selected: bool, focused: bool) -> Strip:
        """Draw one row into `width` cells; a longer strip is cut, a shorter one padded.

        The background of the cursor is laid below it afterwards. The result is kept until
        `rows_changed` or `redraw` says otherwise.
        """

    def selectable(self, row: int) -> bool:
        """Whether the cursor may rest on the row."""
        return True

    def rows_changed(self, cursor: int | None = None, *, keep_screen_row: bool = False) -> None:
        """Rows came, went or moved: count again, and put the cursor on `cursor` (else leave it).

        Args:
            cursor: the row the cursor is to be on now; out of range means the nearest there is.
            keep_screen_row: scroll so that the cursor stays at the height it had on screen, which is
                what a reader wants whose row stayed the same while others came or went.
        """
        height_on_screen = self._cursor - self.scroll_offset.y
        self._strips.clear()
        count = self.row_count()
        self.virtual_size = Size(0, count)
        wanted = self._cursor if cursor is None else cursor
        landed = self._nearest_selectable(min(max(wanted, 0), count - 1), 1)
        moved = landed != self._cursor
        self._cursor = landed
        if keep_screen_row and landed >= 0:
            self.scroll_to(y=landed - height_on_screen, animate=False, force=True)
        self.cursor_settled()
        self.scroll_to_cursor()
        self.refresh()
        if moved or cursor is not None:
            self.post_message(self.Highlighted(self, landed))

    def rows_grew(self, first: int, cursor: int, top: int) -> None:
        """Rows from `first` on came or changed while the reader looks on: nothing else moves or is told.

        Args:
            first: the first row that may look different.
            cursor: where the row under the cursor is now.
            top: where the row at the top of the screen is now.
        """
        for key in [key for key in self._strips if key[0] >= first]:
            del self._strips[key]
        self._cursor = self._nearest_selectable(min(cursor, self.row_count() - 1), -1)
        self._count(self.row_count())
        if top != self.scroll_offset.y:
            self.scroll_to(y=top, animate=False, force=True)
        start, size = max(first - top, 0), self.scrollable_content_region.size
        if start < size.height:
            self.refresh(Region(0, start, size.width, size.height - start))
        self.cursor_settled()

    def _count(self, rows: int) -> None:
        """Take another number of rows. Where the scroll bar is there already, nothing is arranged again."""
        if self.show_vertical_scrollbar and rows > self.scrollable_content_region.height:
            self.set_reactive(LineList.virtual_size, Size(0, rows))
            self.vertical_scrollbar.window_virtual_size = rows
        else:
            self.virtual_size = Size(0, rows)

    def redraw(self, rows: Sequence[int] | None = None) -> None:
        """Draw the given rows again (all when None); their number and order are as before."""
        if rows is None:
            self._strips.clear()
            self.refresh()
            return
        width = self.scrollable_content_region.width
        for row in rows:
            for selected in (False, True):
                for focused in (False, True):
                    self._strips.pop((row, width, selected, focused), None)
            self.refresh_line(row)

    # -- cursor ---------------------------------------------------------------------------------

    @property
    def cursor(self) -> int:
        """The row under the cursor, -1 when there is none."""
        return self._cursor

    @cursor.setter
    def cursor(self, row: int) -> None:
        self.move_cursor(row)

    def move_cursor(self, row: int, *, center: bool = False) -> None:
        """Put the cursor on `row` (or the nearest row it may rest on) and bring it into view.

        Args:
            row: row to go to; values out of range mean the first or last.
            center: show the row in the middle if it has to be scrolled to.
        """
        count = self.row_count()
        old = self._cursor
        direction = 1 if row >= old else -1
        new = self._nearest_selectable(min(max(row, 0), count - 1), direction)
        if new != old:
            self._cursor = new
            if old >= 0:
                self.refresh_line(old)
            if new >= 0:
                self.refresh_line(new)
            self.cursor_settled()
        self.scroll_to_cursor(center=center)
        if new != old:
            self.post_message(self.Highlighted(self, new))

    def cursor_settled(self) -> None:
        """Called when the cursor, the rows or the size changed; for subclasses that follow them."""

    def empty_text(self) -> str:
        """Words shown, wrapped, when there are no rows."""
        return ""

    def _nearest_selectable(self, row: int, direction: int) -> int:
        """`row`, or the next selectable one in `direction`, or the nearest the other way, or -1."""
        count = self.row_count()
        if not 0 <= row < count:
            return -1
        for step in (direction, -direction):
            at = row
            while 0 <= at < count:
                if self.selectable(at):
                    return at
                at += step
        return -1

    def step(self, direction: int, by_page: bool = False) -> None:
        """Move by one selectable row, or by a screenful: 1 down, -1 up."""
        if by_page:
            self.move_cursor(self._cursor + direction * self.page_size)
            return
        count = self.row_count()
        at = self._cursor + direction
        while 0 <= at < count and not self.selectable(at):
            at += direction
        if 0 <= at < count:
            self.move_cursor(at)
        elif self.goes_around and count:
            self.move_cursor(self._nearest_selectable(0 if direction > 0 else count - 1, direction))
        elif direction < 0:
            self.scroll_to(y=0, animate=False)

    def scroll_to_cursor(self, *, center: bool = False, always: bool = False) -> None:
        """Scroll the least that shows the cursor, and the heading right above it when going up.

        Args:
            center: where scrolling is needed, put the row into the middle.
            always: scroll even if the row is in view.
        """
        height = self.scrollable_content_region.height
        if self._cursor < 0 or height <= 0:
            return
        top, row = self.scroll_offset.y, self._cursor
        if row < top:
            target = row
            while target > 0 and row - target < 2 and not self.selectable(target - 1):
                target -= 1
        elif row >= top + height:
            target = row - height + 1
        elif always:
            target = top
        else:
            return
        if center:
            target = row - height // 2
        self.scroll_to(y=max(0, target), animate=False, force=True)

    @property
    def page_size(self) -> int:
        """Rows moved by a page key: a screenful less one, for context."""
        return max(1, self.scrollable_content_region.height - 1)

    @property
    def goes_around(self) -> bool:
        """Whether moving past an end comes out at the other."""
        return self.wraps

    # -- actions (named in the table of keys) -----------------------------------------------------

    def action_cursor_up(self) -> None:
        self.step(-1)

    def action_cursor_down(self) -> None:
        self.step(1)

    def action_page_up(self) -> None:
        self.step(-1, by_page=True)

    def action_page_down(self) -> None:
        self.step(1, by_page=True)

    def action_cursor_first(self) -> None:
        self.move_cursor(0)

    def action_cursor_last(self) -> None:
        self.move_cursor(self.row_count() - 1)

    def action_choose(self) -> None:
        if self._cursor >= 0:
            self.post_message(self.Chosen(self, self._cursor))

    # -- mouse ----------------------------------------------------------------------------------

    def row_at(self, event: events.MouseEvent) -> int:
        """The row under the mouse, -1 where there is none."""
        offset = event.get_content_offset(self)
        if offset is None:
            return -1
        row = offset.y + self.scroll_offset.y
        return row if 0 <= row < self.row_count() else -1

    def on_click(self, event: events.Click) -> None:
        row = self.row_at(event)
        if row < 0 or not self.selectable(row):
            return
        self.move_cursor(row)
        if event.chain == 2:
            self.post_message(self.Chosen(self, row))

    # -- drawing --------------------------------------------------------------------------------

    @line_by_line
    def render_line(self, y: int) -> Strip:
        row = y + self.scroll_offset.y
        width = self.scrollable_content_region.width
        base, cursor, cursor_focused = self._styles()
        count = self.row_count()
        if row >= count:
            return Strip.blank(width, base) if count else self._empty_line(y, width, base)
        selected = row == self._cursor
        focused = self.has_focus
        key = (row, width, selected, focused and selected)
        strip = self._strips.get(key)
        if strip is None:
            strip = self.render_row(row, width, selected, focused)
            under = (cursor_focused if focused else cursor) if selected else base
            strip = strip.crop_extend(0, width, None).apply_style(under)
            if under.reverse:  # the row's own colours would make it a row of blocks
                strip = Strip([Segment(part.text, (part.style or under) + REVERSED) for part in strip])
            if len(self._strips) >= CACHED_STRIPS:
                self._strips.clear()
            self._strips[key] = strip
        return strip

    def _empty_line(self, y: int, width: int, base: Style) -> Strip:
        text = self.empty_text()
        lines = Content(text).wrap(max(1, width - 4)) if text else []
        line = lines[y - 1].plain if 0 < y <= len(lines) else ""
        style = base + self.style_of("line-list--empty")
        return Strip([Segment(f"  {line}", style)]).crop_extend(0, width, style)

    def _styles(self) -> tuple[Style, Style, Style]:
        """Styles below a row: plain, under the cursor, under the cursor with the focus."""
        if self._cursor_styles is None:
            base = self.rich_style
            self._cursor_styles = (
                base,
                base + self.get_component_rich_style("line-list--cursor"),
                base + self.get_component_rich_style("line-list--cursor-focused"),
            )
        return self._cursor_styles

    def style_of(self, component: str) -> Style:
        """The style of a component class, to draw over whatever background the row has.

        Colours that are partly transparent are mixed with the widget's own background first, which Textual's
        partial styles do not do; a background stays only if the class has one.
        """
        style = self.get_component_rich_style(component)
        if self.get_component_styles(component).has_rule("background"):
            return style
        return Style(color=style.color) + style.without_color

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._cursor_styles = None
        self._strips.clear()

    def on_focus(self) -> None:
        self._restyle_cursor()

    def on_blur(self) -> None:
        self._restyle_cursor()

    def _restyle_cursor(self) -> None:
        if self._cursor >= 0:
            self.redraw([self._cursor])

    def on_mount(self) -> None:
        self.virtual_size = Size(0, self.row_count())

    def on_resize(self) -> None:
        self.cursor_settled()
        self.scroll_to_cursor()

    @property
    def visible_rows(self) -> range:
        """Rows on screen now."""
        top = self.scroll_offset.y
        return range(top, min(self.row_count(), top + self.scrollable_content_region.height))
