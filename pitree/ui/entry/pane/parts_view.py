"""Parts one below the other, folded, gone through and searched. It knows no session."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from textual import events
from textual.message import Message

from pitree.entry.parts import Part, PartKind, Tone
from pitree.entry.parts.model import FilePlace, Picture
from pitree.query.language.query import Query
from pitree.ui.entry.document.document import Anchor, Document
from pitree.ui.entry.document.document_window import DocumentWindow
from pitree.ui.entry.document.find_hits import Findings
from pitree.ui.entry.document.fold import Fold
from pitree.ui.entry.document.sections import fold_of, is_foldable, lay_out, next_fold
from pitree.ui.entry.pane.folds import toggle_all, with_inner
from pitree.ui.entry.pane.part_search import PartSearch
from pitree.ui.toolkit.background import Cancelled, compute_in_thread, show_failure
from pitree.workers.failures import Failure

Found = TypeVar("Found")
_THIRD = 3
"""A match that is gone to stands at this part of the window's height, if it was not in view."""


class PartsView(DocumentWindow):
    """Parts in a window; one of them is the current one."""

    @dataclass
    class Moved(Message):
        """The current part is another one, or there are others now."""

        view: PartsView

        def can_replace(self, message: Message) -> bool:
            """Only where it came to rest matters."""
            return isinstance(message, PartsView.Moved) and message.view is self.view

    @dataclass
    class FindRequested(Message):
        """The reader wants to type what to look for."""

        view: PartsView

    @dataclass
    class HitsChanged(Message):
        """There are other matches, or another one is the current one."""

        view: PartsView

        def can_replace(self, message: Message) -> bool:
            """Only how it stands now matters."""
            return isinstance(message, PartsView.HitsChanged) and message.view is self.view

    @dataclass
    class FileRequested(Message):
        """The reader wants to open a file that a part names, or to copy its path.

        Attributes:
            place: the file as the session names it; None if no part here names one.
            copy: whether the path is to be copied.
        """

        place: FilePlace | None
        copy: bool

    @dataclass
    class PictureRequested(Message):
        """The reader wants to see an image; None if there is no image here.

        Attributes:
            here: whether in this terminal, rather than in the system's viewer.
        """

        picture: Picture | None
        here: bool

    def __init__(self, *, name: str | None = None, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(name=name, id=id, classes=classes)
        self._parts: Sequence[Part] = ()
        self._folds: dict[str, Fold] = {}
        self._current = -1
        self._search = PartSearch(self)

    # -- what is shown --------------------------------------------------------------------------

    def show_parts(
        self, parts: Sequence[Part], *, keep: bool = False, folds: dict[str, Fold] | None = None
    ) -> None:
        """Show these parts.

        Args:
            parts: the parts, in order.
            keep: they are the same ones as before, or most of them: stay where the reader is.
            folds: what the reader folded and unfolded of them before; changed in place from here on.
        """
        place = self.document.place(self.top) if keep else None
        current = self.current_part if keep else None
        if not keep:
            self._search.mark(-1)
            self._folds = {}
        self._folds = self._folds if folds is None else folds
        self._parts = parts
        self._widest = 0
        self._lay_out(place)
        if place is None:
            self.scroll_to(x=0, y=0, animate=False, force=True)
            self.settle()
        keys = [stop.part.key for stop in self.document.stops]
        key = current.key if current is not None else None
        self._current = keys.index(key) if key in keys else min(0, len(keys) - 1)
        self.post_message(self.Moved(self))

    def show_text(self, text: str) -> None:
        """Show this text and no parts."""
        self.show_parts([Part(PartKind.FACTS, "words", words=(text,), tone=Tone.DIM)])

    def show_document(self, document: Document) -> None:
        super().show_document(document)
        self._search.document_changed()

    @property
    def stop_count(self) -> int:
        """Parts one can go to."""
        return len(self.document.stops)

    @property
    def current(self) -> int:
        """Number of the current part, from 0; -1 if there is none."""
        return self._current

    @property
    def current_part(self) -> Part | None:
        """The current part."""
        stops = self.document.stops
        return stops[self._current].part if 0 <= self._current < len(stops) else None

    def lay_out(self) -> None:
        """Lay the parts out again; what is being read stays where it is."""
        self._lay_out(self.document.place(self.top))

    def _lay_out(self, place: Anchor | None) -> None:
        document = lay_out(self._parts, self._folds, self.look, self._styled.view)
        self._current = min(self._current, len(document.stops) - 1)
        self.show_document(document)
        if place is not None:
            self.jump(document.find_again(place))
        self.settle()

    def is_marked(self, stop: int) -> bool:
        return stop == self._current and self.has_focus

    def scrolled(self) -> None:
        """Where the current part left the window, the first one in it becomes current."""
        document, top = self.document, self.top
        bottom = top + max(1, self.rows_in_view)
        first, last = self._extent(self._current)
        if not document.stops or (first < bottom and last > top):
            return
        stop = max(0, document.stop_at(top))
        below = stop + 1 < self.stop_count and document.stop_row(stop + 1) < bottom
        self.make_current(stop + 1 if below and document.stop_row(stop) < top else stop)

    def _extent(self, stop: int) -> tuple[int, int]:
        """First row of a part and the row behind its last."""
        document = self.document
        if not 0 <= stop < len(document.stops):
            return 0, 0
        last = document.stop_row(stop + 1) if stop + 1 < len(document.stops) else document.height
        return document.stop_row(stop), last

    def on_focus(self) -> None:
        self.refresh()

    def on_blur(self) -> None:
        self.refresh()

    # -- going about ----------------------------------------------------------------------------

    @property
    def top(self) -> int:
        """The first row in view."""
        return self.scroll_offset.y

    def jump(self, row: int) -> None:
        """Put a row at the top of the window, or as far up as it can be."""
        self.scroll_to(y=row, animate=False, force=True)

    def _scroll_by(self, rows: int, stop_at_end: int) -> None:
        """Scroll; at that end already, go to a part."""
        before = self.top
        self.jump(before + rows)
        if self.top == before:
            self.make_current(stop_at_end)

    def action_cursor_up(self) -> None:
        """Scroll up a row; at the top go to the part before."""
        self._scroll_by(-1, self._current - 1)

    def action_cursor_down(self) -> None:
        """Scroll down a row; at the end go to the next part."""
        self._scroll_by(1, self._current + 1)

    def action_page_up(self) -> None:
        self._scroll_by(-max(1, self.rows_in_view - 1), 0)

    def action_page_down(self) -> None:
        self._scroll_by(max(1, self.rows_in_view - 1), self.stop_count - 1)

    def action_cursor_first(self) -> None:
        self.jump(0)
        self.make_current(0)

    def action_cursor_last(self) -> None:
        self.jump(self.document.height)
        self.make_current(self.stop_count - 1)

    def action_page_left(self) -> None:
        """A screenful up; where lines are not wrapped, to the left."""
        self.action_page_up() if self._wrapped else self._scroll_sideways(-1)

    def action_page_right(self) -> None:
        """A screenful down; where lines are not wrapped, to the right."""
        self.action_page_down() if self._wrapped else self._scroll_sideways(1)

    def _scroll_sideways(self, direction: int) -> None:
        step = max(1, self.scrollable_content_region.width // 2)
        self.scroll_to(x=self.scroll_offset.x + direction * step, animate=False, force=True)

    def action_part(self, step: int) -> None:
        """Go to another part and bring it into view, as much of it as there is room for."""
        if not self.stop_count:
            return
        self.make_current(min(max(self._current + step, 0), self.stop_count - 1))
        first, last = self._extent(self._current)
        if first < self.top:
            self.jump(first)
        elif last > self.top + self.rows_in_view:
            self.jump(min(first, last - self.rows_in_view))

    def make_current(self, stop: int) -> None:
        """Make a part the current one, if there is one of this number."""
        if stop != self._current and 0 <= stop < self.stop_count:
            self._current = stop
            self.refresh()
            self.post_message(self.Moved(self))

    # -- folding --------------------------------------------------------------------------------

    def action_toggle_part(self) -> None:
        """Fold or unfold the current part."""
        part = self.current_part
        if part is not None and is_foldable(part):
            self._fold(part, next_fold(part, fold_of(part, self._folds)))

    def _fold(self, part: Part, fold: Fold) -> None:
        self._folds[part.key] = fold
        self.lay_out()
        row, _ = self._extent(self._current)
        if row < self.top:
            self.jump(row)
        self.post_message(self.Moved(self))

    def action_toggle_all(self) -> None:
        """Unfold everything; again: fold everything; again: as it was at first."""
        toggle_all(self._parts, self._folds)
        self.lay_out()
        self.post_message(self.Moved(self))

    def action_toggle_wrap(self) -> None:
        """Wrap long lines, or let them run on to the right."""
        self._wrapped = not self._wrapped
        self._widest = 0
        self.scroll_to(x=0, animate=False, force=True)
        self.lay_out()

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        at = offset.y + self.top if offset is not None else -1
        if not 0 <= at < self.document.height:
            return
        item = self.document.item_at(at)
        if item.stop < 0:
            return
        self.make_current(item.stop)
        part = self.document.stops[item.stop].part
        if item.role == "more":
            self._fold(part, Fold.OPEN)
        elif item.role == "head" and is_foldable(part):
            closed = fold_of(part, self._folds) is Fold.CLOSED
            self._fold(part, Fold.PREVIEW if closed else Fold.CLOSED)

    # -- files and images -----------------------------------------------------------------------

    def action_copy_path(self) -> None:
        """Copy the path of the file that the current part names, or the first one here."""
        self.post_message(self.FileRequested(self._first(lambda part: part.place), copy=True))

    def action_open_file(self) -> None:
        """Open that file."""
        self.post_message(self.FileRequested(self._first(lambda part: part.place), copy=False))

    def action_view_picture(self, here: bool = False) -> None:
        """See the current image, or the first one there is, in the system's viewer or in this terminal."""
        self.post_message(self.PictureRequested(self._first(lambda part: part.picture), here))

    def _first(self, of: Callable[[Part], Found | None]) -> Found | None:
        """What the current part or one in it has, else what the first other part has."""
        here = self.current_part
        parts = with_inner([*([here] if here is not None else []), *self._parts])
        return next((found for part in parts if (found := of(part)) is not None), None)

    # -- finding --------------------------------------------------------------------------------

    @property
    def finding(self) -> bool:
        """Whether the reader is looking for something here, rather than in the tree."""
        return self._search.own

    @property
    def hits_words(self) -> str:
        """How the search stands, for the reader; empty if nothing is looked for."""
        return self._search.status()

    def find(self, text: str) -> None:
        """Look for what a reader typed, and go to the first match from here on; "" ends it."""
        self._search.find(text)

    def light(self, query: Query | None) -> None:
        """Light what is looked for elsewhere, as long as nothing is looked for here."""
        self._search.light(query)

    def action_find(self) -> None:
        """Type what to look for."""
        self.post_message(self.FindRequested(self))

    def action_hit(self, step: int) -> None:
        """Go to the next or previous match, around the ends."""
        if self.wanted is None:
            self.action_find()
        else:
            self._search.step(step)

    def item_changed(self, number: int) -> None:
        self._search.item_changed(number)

    def search_aside(
        self, work: Callable[[Cancelled], Findings], on_done: Callable[[Findings], object]
    ) -> None:
        """Search in a thread."""
        compute_in_thread(
            self, "search this entry", work, on_done, group="detail-find", failed=self._search_failed
        )

    def _search_failed(self, failure: Failure) -> None:
        self._search.failed()
        show_failure(self, failure)

    def cancel_search(self) -> None:
        """Cancel the search in the thread."""
        self.workers.cancel_group(self, "detail-find")

    def unfold(self, key: str) -> None:
        """Unfold a part for the search."""
        self._folds[key] = Fold.OPEN
        self.lay_out()

    def show_row(self, row_now: Callable[[], int]) -> None:
        """Bring a row into view; its number may change while those around it are made exact."""
        for _ in range(2):
            row, height = row_now(), max(1, self.rows_in_view)
            if not self.top <= row < self.top + height:
                self.jump(max(0, row - height // _THIRD))
                self.settle()

    def hits_changed(self) -> None:
        """There are other matches, or another one is current."""
        self.post_message(self.HitsChanged(self))
