"""A window on a document: scrolls it, keeps what is in view exact, has it styled, draws it.

Text is drawn plain at once and only where it is in view; what deserves styling is styled in a thread and put
in its place without moving what is being read.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import astuple
from functools import partial
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import on
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.worker import get_current_worker

from pitree.query.language.query import Query
from pitree.text import cells
from pitree.ui.entry.document.document import Document, DocumentItem, StyleRequest
from pitree.ui.entry.document.lines import Row, lit_row
from pitree.ui.entry.document.sections import UNWRAPPED, LayoutStyle, Signs
from pitree.ui.entry.document.views import TextHit
from pitree.ui.entry.styling.style_cache import KEPT_CHARS, StyledCache, fulfil
from pitree.ui.entry.styling.style_names import COMPONENT_CLASSES, Palette
from pitree.ui.toolkit import keys
from pitree.ui.toolkit.background import in_thread, show_failure
from pitree.ui.toolkit.drawn import line_by_line
from pitree.workers.failures import Failure

BAR = "▎"
_MARGIN = 1
"""Cells left free at the right end."""
_SETTLE_ROUNDS = 4
_STRIPS_KEPT = 400
"""Rows kept as they were painted, so that scrolling paints only what comes into view."""


class DocumentWindow(ScrollView, can_focus=True, inherit_bindings=False):
    """Shows a document. A subclass lays it out again when width, wrapping or colors change."""

    COMPONENT_CLASSES: ClassVar[set[str]] = set(COMPONENT_CLASSES)
    ALLOW_SELECT: ClassVar[bool] = False

    class Styled(Message):
        """A thread has styled a text; without rows the text is to stay plain."""

        def __init__(self, wish: StyleRequest, rows: list[Row] | None, palette: Palette) -> None:
            super().__init__()
            self.wish = wish
            self.rows = rows
            self.palette = palette

    class StylingEnded(Message):
        """The thread has nothing more to style."""

    def __init__(self, *, name: str | None = None, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(name=name, id=id, classes=classes)
        self._document = Document([], [])
        self._wrapped = True
        self._palette: Palette | None = None
        self._styled = StyledCache()
        self._wishes: list[StyleRequest] = []
        self._styling = False
        self._settling = False
        self._widest = 0
        self._ground: Style | None = None
        self._strips: dict[tuple[int, bool], Strip] = {}
        self._query: Query | None = None
        self._here: tuple[int, TextHit] | None = None

    # -- for subclasses -------------------------------------------------------------------------

    @abstractmethod
    def lay_out(self) -> None:
        """Lay the document out again for the present look."""

    def scrolled(self) -> None:
        """Called after the window moved."""

    def is_marked(self, stop: int) -> bool:
        """Whether a stop is to be marked at its left."""
        return False

    def item_changed(self, number: int) -> None:
        """Called after another view of an item's text was put in its place."""

    def show_document(self, document: Document) -> None:
        """Put a document into the window; the caller scrolls, then calls `settle`."""
        self._document = document
        self._strips.clear()
        self._tell_size()
        self.refresh()

    # -- looks ----------------------------------------------------------------------------------

    @property
    def document(self) -> Document:
        """What is shown."""
        return self._document

    @property
    def wrapped(self) -> bool:
        """Whether long lines are wrapped."""
        return self._wrapped

    @property
    def palette(self) -> Palette:
        """The colors, from the style sheet."""
        if self._palette is None:
            self._palette = Palette.read(self._component)
        return self._palette

    def _component(self, name: str) -> Style:
        """What the style sheet says of a component alone, half-clear colors mixed with the ground."""
        own = self.get_component_rich_style(name, partial=True)
        if own.color is None and own.bgcolor is None:
            return own
        mixed = self.get_component_rich_style(name)
        return own + Style(
            color=mixed.color if own.color is not None else None,
            bgcolor=mixed.bgcolor if own.bgcolor is not None else None,
        )

    @property
    def look(self) -> LayoutStyle:
        """How documents are to be laid out now."""
        width = self.scrollable_content_region.width - len(BAR) - _MARGIN
        signs = Signs(*(keys.key_label(self, name) for name in astuple(Signs())))
        return LayoutStyle(max(1, width), self.palette, self._wrapped, signs)

    @property
    def rows_in_view(self) -> int:
        """Rows the window has."""
        return max(0, self.scrollable_content_region.height)

    def notify_style_update(self) -> None:
        super().notify_style_update()
        if self._palette is not None and self.is_attached:
            # The styles of the components are brought up to date only after this.
            self.call_next(self._take_colours)

    def _take_colours(self) -> None:
        """Draw again with the colors the style sheet gives now."""
        before, self._palette = self._palette, None
        self._ground = None
        self._strips.clear()
        if self.palette != before:
            self._styled.clear()
            self.lay_out()

    def redraw(self) -> None:
        """Draw everything again, what was styled as well."""
        self._styled.clear()
        self._strips.clear()
        self.lay_out()

    def on_resize(self) -> None:
        self.lay_out()

    # -- what is looked for -----------------------------------------------------------------------

    @property
    def wanted(self) -> Query | None:
        """What is lit where it stands."""
        return self._query

    @wanted.setter
    def wanted(self, query: Query | None) -> None:
        if query is not self._query:
            self._query = query
            self._strips.clear()
            self.refresh()

    @property
    def here(self) -> tuple[int, TextHit] | None:
        """The match that is lit most: number of its item, and the match."""
        return self._here

    @here.setter
    def here(self, here: tuple[int, TextHit] | None) -> None:
        if here != self._here:
            self._here = here
            self._strips.clear()
            self.refresh()

    # -- keeping rows exact where they are seen ---------------------------------------------------

    def _tell_size(self) -> None:
        width = 0 if self._wrapped else min(UNWRAPPED, self._widest + len(BAR) + _MARGIN)
        size, before = Size(width, self._document.height), self.virtual_size
        if size == before:
            return
        rows = self.rows_in_view
        if size.width == before.width and min(size.height, before.height) > rows > 0:
            # The same bars as before: laying out the whole screen for it would cost several frames.
            self.set_reactive(DocumentWindow.virtual_size, size)
            self.vertical_scrollbar.window_virtual_size = size.height
        else:
            self.virtual_size = size

    def settle(self) -> None:
        """Make the rows in view exact, without moving the first of them, and ask for what is to be styled."""
        height = self.rows_in_view
        if self._settling or height <= 0 or not self._document.height:
            return
        self._settling = True
        try:
            document = self._document
            top = self.scroll_offset.y
            at_end = top > 0 and top + height >= document.height
            for _ in range(_SETTLE_ROUNDS):
                place = document.place(top)
                before = document.height
                document.settle(top - height, top + 2 * height)
                if document.height != before:
                    self._strips.clear()
                moved = max(0, document.height - height) if at_end else document.find(place)
                if moved == top and document.height == before:
                    break
                top = moved
            self.go(top)
            if not self._wrapped:
                self._measure(top, height)
        finally:
            self._settling = False
        self._ask_for_styles()

    def go(self, top: int) -> None:
        """Put a row at the top of the window."""
        self._tell_size()
        if top != self.scroll_offset.y:
            self.scroll_to(y=top, animate=False, force=True)
            self.refresh()

    def _measure(self, top: int, height: int) -> None:
        document = self._document
        for at in range(top, min(top + height, document.height)):
            item, row = document.row(at)
            width = sum(cells.cell_len(segment.text) for segment in (*item.prefix, *row))
            self._widest = max(self._widest, width)
        self._tell_size()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        if round(old_value) != round(new_value):
            self.settle()
            self.scrolled()

    def watch_scroll_x(self, old_value: float, new_value: float) -> None:
        self._strips.clear()
        super().watch_scroll_x(old_value, new_value)

    # -- styling in a thread ------------------------------------------------------------------------

    def _ask_for_styles(self) -> None:
        """Have what is in view or near it styled, what is in view first; newer wishes replace older ones."""
        height, top = self.rows_in_view, self.scroll_offset.y
        found = [wish for _, wish in self._document.wishes(top, top + 2 * height)]
        found += [wish for _, wish in self._document.wishes(top - height, top) if wish not in found]
        self._wishes = [wish for wish in found if not self._styled.knows(wish)]
        if self._wishes and not self._styling and self.is_attached:
            self._styling = True
            in_thread(
                self,
                "style the text",
                partial(self._style, self.palette),
                group="detail-style",
                failed=self._not_styled,
            )

    def _not_styled(self, failure: Failure) -> None:
        """Leave what was wished for as the plain text that shows; to try again would fail again."""
        for item in self._document.items:
            if item.wish in self._wishes:
                item.wish = None
        self._styling = False
        show_failure(self, failure)

    def _style(self, palette: Palette) -> None:
        """Style what is wished for until nothing is; runs in a thread. The wishes may change meanwhile."""
        worker = get_current_worker()
        done: set[StyleRequest] = set()
        while not worker.is_cancelled:
            wish = next((wish for wish in self._wishes if wish not in done), None)
            if wish is None:
                break
            done.add(wish)
            self.post_message(self.Styled(wish, fulfil(wish, palette), palette))
        self.post_message(self.StylingEnded())

    @on(StylingEnded)
    def _styling_ended(self, event: StylingEnded) -> None:
        event.stop()
        self._styling = False
        self._ask_for_styles()

    @on(Styled)
    def _text_styled(self, event: Styled) -> None:
        event.stop()
        if event.palette != self.palette:
            return
        view = self._styled.keep(event.wish, event.rows, event.palette)
        document = self._document
        for number, item in enumerate(document.items):
            if item.wish != event.wish or item.plain is not None:
                continue
            if view is None:
                item.wish = None
                continue
            self._strips.clear()
            self.go(self._unstyle_others(number, document.style(number, view, self.scroll_offset.y)))
            self.item_changed(number)
            self.settle()
            self.refresh()

    def _unstyle_others(self, number: int, top: int) -> int:
        """Keep no more styled text than there is room for: what is farthest from here becomes plain again."""
        document = self._document
        styled = [at for at, item in enumerate(document.items) if item.plain is not None]
        chars = sum(_length(document.items[at].wish) for at in styled)
        for at in sorted(styled, key=lambda at: -abs(at - number)):
            if chars <= KEPT_CHARS or at == number:
                break
            chars -= _length(document.items[at].wish)
            top = document.unstyle(at, top)
            self.item_changed(at)
        return top

    # -- drawing --------------------------------------------------------------------------------

    @line_by_line
    def render_line(self, y: int) -> Strip:
        width = self.scrollable_content_region.width
        if self._ground is None:
            self._ground = self.rich_style
        at = y + self.scroll_offset.y
        if at >= self._document.height:
            return Strip.blank(width, self._ground)
        number, place = self._document.locate(at)
        item = self._document.items[number]
        here = item.stop >= 0 and self.is_marked(item.stop)
        key = (at, here)
        strip = self._strips.get(key)
        if strip is None or strip.cell_length != width:
            row = item.view.row(place)
            if self._query is not None:
                row = self._lit(number, place, row, self._query)
            strip = self._draw(item, row, here, width, self._ground)
            if len(self._strips) >= _STRIPS_KEPT:
                self._strips.clear()
            self._strips[key] = strip
        return strip

    def _lit(self, number: int, place: int, row: Row, query: Query) -> Row:
        hits = self._document.items[number].view.lit(place, query)
        if not hits:
            return row
        palette, here = self.palette, self._here
        return lit_row(
            row,
            [
                (start, end, palette["hit-here" if here == (number, hit) else "hit"])
                for start, end, hit in hits
            ],
        )

    def _draw(self, item: DocumentItem, row: Row, here: bool, width: int, ground: Style) -> Strip:
        segments = [Segment(BAR if here else " ", ground + self.palette["bar"])]
        if self._wrapped:
            content: Iterable[Segment] = (*item.prefix, *row)
        else:
            content = Strip([*item.prefix, *row]).crop(self.scroll_offset.x)
        used = len(BAR)
        for text, style, _ in content:
            segments.append(Segment(text, ground + style if style else ground))
            used += cells.cell_len(text)
        if used > width:
            return Strip(segments, used).crop(0, width)
        segments.append(Segment(" " * (width - used), ground))
        return Strip(segments, width)


def _length(wish: StyleRequest | None) -> int:
    return wish.end - wish.start if wish is not None else 0
