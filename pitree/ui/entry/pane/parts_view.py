"""Shows parts one below the other, folds them, goes from one to the next. It knows no session."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.message import Message

from pitree.entry.parts import Part, PartKind, Tone
from pitree.ui.entry.document.document import Anchor
from pitree.ui.entry.document.document_window import DocumentWindow
from pitree.ui.entry.document.fold import Fold
from pitree.ui.entry.document.sections import fold_of, is_foldable, lay_out, next_fold


class PartsView(DocumentWindow):
    """Parts in a window; one of them is the current one."""

    class Moved(Message):
        """The current part is another one, or there are others now."""

        def __init__(self, view: PartsView) -> None:
            super().__init__()
            self.view = view

        @property
        def control(self) -> PartsView:
            return self.view

        def can_replace(self, message: Message) -> bool:
            """Only where it came to rest matters."""
            return isinstance(message, PartsView.Moved) and message.view is self.view

    def __init__(self, *, name: str | None = None, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(name=name, id=id, classes=classes)
        self._parts: Sequence[Part] = ()
        self._folds: dict[str, Fold] = {}
        self._current = -1

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
        place = self.document.place(self.scroll_offset.y) if keep else None
        current = self.current_part if keep else None
        if folds is not None:
            self._folds = folds
        elif not keep:
            self._folds = {}
        self._parts = parts
        self._widest = 0
        self._lay_out(place)
        if place is None:
            self.scroll_to(x=0, y=0, animate=False, force=True)
            self.settle()
        keys = [stop.part.key for stop in self.document.stops]
        self._current = (
            keys.index(current.key) if current is not None and current.key in keys else min(0, len(keys) - 1)
        )
        self.post_message(self.Moved(self))

    def show_words(self, words: str) -> None:
        """Show these words and no parts."""
        self.show_parts([Part(PartKind.FACTS, "words", words=(words,), tone=Tone.DIM)])

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
        """Lay the parts out anew; what is being read stays where it is."""
        self._lay_out(self.document.place(self.scroll_offset.y))

    def _lay_out(self, place: Anchor | None) -> None:
        document = lay_out(self._parts, self._folds, self.look, self._styled.view)
        self._current = min(self._current, len(document.stops) - 1)
        self.show_document(document)
        if place is not None:
            self.scroll_to(y=document.find_again(place), animate=False, force=True)
        self.settle()

    def is_marked(self, stop: int) -> bool:
        return stop == self._current and self.has_focus

    def scrolled(self) -> None:
        """Where the current part left the window, the first one in it becomes current."""
        stops = len(self.document.stops)
        if not stops:
            return
        top = self.scroll_offset.y
        bottom = top + max(1, self.rows_in_view)
        first, last = self._extent(self._current)
        if first < bottom and last > top:
            return
        stop = max(0, self.document.stop_at(top))
        if (
            self.document.stop_row(stop) < top
            and stop + 1 < stops
            and self.document.stop_row(stop + 1) < bottom
        ):
            stop += 1
        self._make_current(stop)

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
    def _page(self) -> int:
        return max(1, self.rows_in_view - 1)

    def _scroll_by(self, rows: int) -> bool:
        """Scroll; False if it was at that end already."""
        before = self.scroll_offset.y
        self.scroll_to(y=before + rows, animate=False, force=True)
        return self.scroll_offset.y != before

    def action_cursor_up(self) -> None:
        """Scroll up a row; at the top go to the part before."""
        if not self._scroll_by(-1) and self._current > 0:
            self._make_current(self._current - 1)

    def action_cursor_down(self) -> None:
        """Scroll down a row; at the end go to the next part."""
        if not self._scroll_by(1) and self._current + 1 < self.stop_count:
            self._make_current(self._current + 1)

    def action_page_up(self) -> None:
        if not self._scroll_by(-self._page):
            self._make_current(0)

    def action_page_down(self) -> None:
        if not self._scroll_by(self._page):
            self._make_current(self.stop_count - 1)

    def action_cursor_first(self) -> None:
        self.scroll_to(y=0, animate=False, force=True)
        self._make_current(0)

    def action_cursor_last(self) -> None:
        self.scroll_to(y=self.document.height, animate=False, force=True)
        self._make_current(self.stop_count - 1)

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
        self._make_current(min(max(self._current + step, 0), self.stop_count - 1))
        first, last = self._extent(self._current)
        height = self.rows_in_view
        top = self.scroll_offset.y
        if first < top:
            top = first
        elif last > top + height:
            top = min(first, last - height)
        self.scroll_to(y=top, animate=False, force=True)

    def _make_current(self, stop: int) -> None:
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
        if row < self.scroll_offset.y:
            self.scroll_to(y=row, animate=False, force=True)
        self.post_message(self.Moved(self))

    def action_toggle_all(self) -> None:
        """Unfold everything; again: fold everything; again: as it was at first."""
        foldable = [part for part in _all_parts(self._parts) if is_foldable(part)]
        states = {fold_of(part, self._folds) for part in foldable}
        changed = any(part.key in self._folds for part in foldable)
        if states <= {Fold.CLOSED} and changed:
            self._folds.clear()
        else:
            fold = Fold.CLOSED if states <= {Fold.OPEN} else Fold.OPEN
            self._folds.update((part.key, fold) for part in foldable)
        self.lay_out()
        self.post_message(self.Moved(self))

    def action_toggle_wrap(self) -> None:
        """Wrap long lines, or let them run on to the right."""
        self._wrapped = not self._wrapped
        self._widest = 0
        self.scroll_to(x=0, animate=False, force=True)
        self.lay_out()

    # -- mouse ----------------------------------------------------------------------------------

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        at = offset.y + self.scroll_offset.y if offset is not None else -1
        if not 0 <= at < self.document.height:
            return
        item = self.document.item_at(at)
        if item.stop < 0:
            return
        self._make_current(item.stop)
        part = self.document.stops[item.stop].part
        if item.role == "more":
            self._fold(part, Fold.OPEN)
        elif item.role == "head" and is_foldable(part):
            closed = fold_of(part, self._folds) is Fold.CLOSED
            self._fold(part, Fold.PREVIEW if closed else Fold.CLOSED)


def _all_parts(parts: Sequence[Part]) -> list[Part]:
    found: list[Part] = []
    waiting = list(reversed(parts))
    while waiting:
        part = waiting.pop()
        found.append(part)
        waiting.extend(reversed(part.children))
    return found
