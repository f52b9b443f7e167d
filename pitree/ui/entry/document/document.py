"""A document: views stacked one below the other, seen through a window that scrolls."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

from rich.segment import Segment

from pitree.entry.parts import Body, Part
from pitree.outline.fenwick import RowCounts
from pitree.ui.entry.document.lines import Row
from pitree.ui.entry.document.views import Mark, TextHit, View

_SEARCHED = 80
"""Rows up and down that are looked at for the one being read, when a text was styled."""


@dataclass(frozen=True, slots=True)
class StyleRequest:
    """A text that would look better styled than plain, which takes a thread to do.

    The whole of it identifies the result: equal wishes have equal rows.
    """

    key: str
    body: Body
    start: int
    end: int
    width: int
    base: str
    """Name of the style of what has none of its own."""


@dataclass(frozen=True, slots=True)
class Hidden:
    """Texts that are folded away or left out.

    Attributes:
        part: the part to unfold for them to show.
        texts: the texts, and where in them what is hidden starts and ends.
    """

    part: Part
    texts: tuple[tuple[str, int, int], ...]


@dataclass(slots=True)
class DocumentItem:
    """One view in a document.

    Attributes:
        view: its rows.
        stop: number of the stop it belongs to, -1 for none.
        prefix: what is before each of its rows.
        role: what a click on it does: `head` folds and unfolds, `more` shows all.
        wish: its text, if it is to be styled.
        plain: the view to go back to, if the text was styled.
        hidden: the text that does not show here; such an item has no rows.
    """

    view: View
    stop: int = -1
    prefix: tuple[Segment, ...] = ()
    role: str = ""
    wish: StyleRequest | None = None
    plain: View | None = None
    hidden: Hidden | None = None


@dataclass(frozen=True, slots=True)
class DocumentStop:
    """A part the reader can go to.

    Attributes:
        part: the part.
        item: number of its first item.
        foldable: whether there is something to fold.
    """

    part: Part
    item: int
    foldable: bool


@dataclass(frozen=True, slots=True)
class Anchor:
    """A row that is to be found again when heights have changed or the document was laid out again."""

    item: int
    mark: Mark
    stop_key: str = ""
    below_stop: int = 0


@dataclass(slots=True)
class Document:
    """Items from the top, and the stops among them."""

    items: list[DocumentItem]
    stops: list[DocumentStop]
    _counts: RowCounts = field(init=False)
    _stop_items: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self._counts = RowCounts(item.view.height for item in self.items)
        self._stop_items = [stop.item for stop in self.stops]

    @property
    def height(self) -> int:
        """Rows in all."""
        return self._counts.total

    def row(self, at: int) -> tuple[DocumentItem, Row]:
        """A row and the item it belongs to.

        Raises:
            IndexError: there is no such row.
        """
        number, place = self._counts.find(at)
        item = self.items[number]
        return item, item.view.row(place)

    def item_at(self, at: int) -> DocumentItem:
        """The item that holds a row."""
        return self.items[self._counts.find(at)[0]]

    def stop_row(self, stop: int) -> int:
        """The first row of a stop."""
        return self._counts.before(self.stops[stop].item)

    def stop_at(self, at: int) -> int:
        """The stop a row belongs to, or the one before it; -1 before the first."""
        if not self.height:
            return -1
        number, _ = self._counts.find(min(max(at, 0), self.height - 1))
        return bisect_right(self._stop_items, number) - 1

    def settle(self, first: int, last: int) -> int:
        """Make the rows from `first` up to `last` exact; return by how many rows the document grew."""
        before = self.height
        at = max(0, first)
        while at < min(last, self.height):
            number, place = self._counts.find(at)
            view = self.items[number].view
            grown = view.settle(place, place + last - at)
            if grown:
                self._counts.add(number, grown)
            at += view.height - place
        return self.height - before

    def place(self, at: int) -> Anchor:
        """Remember a row."""
        if not self.height:
            return Anchor(0, (0, 0, 0))
        at = min(max(at, 0), self.height - 1)
        number, inner = self._counts.find(at)
        stop = self.stop_at(at)
        key = self.stops[stop].part.key if stop >= 0 else ""
        below = at - self.stop_row(stop) if stop >= 0 else at
        return Anchor(number, self.items[number].view.mark(inner), key, below)

    def find(self, place: Anchor) -> int:
        """Where a remembered row of this document is now."""
        if place.item >= len(self.items):
            return 0
        return self._counts.before(place.item) + self.items[place.item].view.find(place.mark)

    def find_again(self, place: Anchor) -> int:
        """Where a row remembered from another layout of the same parts is in this one, by its part."""
        for number, stop in enumerate(self.stops):
            if stop.part.key == place.stop_key:
                return min(self.stop_row(number) + place.below_stop, self.height - 1)
        return min(place.below_stop, max(0, self.height - 1)) if not place.stop_key else 0

    def wishes(self, first: int, last: int) -> Iterator[tuple[int, StyleRequest]]:
        """Texts between two rows that wait to be styled, with the numbers of their items, from the top."""
        at = max(0, first)
        while at < min(last, self.height):
            number, place = self._counts.find(at)
            item = self.items[number]
            if item.wish is not None and item.plain is None:
                yield number, item.wish
            at += item.view.height - place

    def row_of(self, number: int, hit: TextHit) -> int:
        """The row where a match in an item begins."""
        return self._counts.before(number) + self.items[number].view.row_of(hit)

    def first_row(self, number: int) -> int:
        """The first row of an item, or where it would be."""
        return self._counts.before(number)

    def locate(self, at: int) -> tuple[int, int]:
        """The number of the item that holds a row, and the row's place in it."""
        return self._counts.find(at)

    def style(self, number: int, view: View, top: int) -> int:
        """Put the styled view of an item in its place; return as `swap` does."""
        plain = self.items[number].view
        top = self.swap(number, view, top)
        self.items[number].plain = plain
        return top

    def unstyle(self, number: int, top: int) -> int:
        """Go back to the plain view of an item; return as `swap` does."""
        plain = self.items[number].plain
        if plain is None:
            return top
        self.items[number].plain = None
        return self.swap(number, plain, top)

    def swap(self, number: int, view: View, top: int) -> int:
        """Put another view of the same text in an item's place.

        Args:
            number: the item.
            view: the new view.
            top: the first row of the window.

        Returns:
            The row the window is to start at now, so that what was being read stays where it was.
        """
        item = self.items[number]
        old = item.view
        start = self._counts.before(number)
        item.view = view
        self._counts.add(number, view.height - old.height)
        if top <= start:
            return top
        if top >= start + old.height:
            return top + view.height - old.height
        return start + _same_row(old, view, top - start)


def _same_row(old: View, new: View, at: int) -> int:
    """The row of `new` that reads like row `at` of `old`; by proportion if none does."""
    guess = at * new.height // max(1, old.height)
    for near in range(at, min(at + 3, old.height)):
        wanted = _letters(old.row(near))
        if len(wanted) < 8:
            continue
        reach = min(_SEARCHED, max(20, abs(new.height - old.height) + 5))
        for candidate in sorted(
            range(max(0, guess - reach), min(new.height, guess + reach)), key=lambda row: abs(row - guess)
        ):
            letters = _letters(new.row(candidate))
            if letters and (letters.startswith(wanted[:16]) or wanted.startswith(letters[:16])):
                return max(0, candidate - (near - at))
    return min(guess, max(0, new.height - 1))


def _letters(row: Row) -> str:
    return "".join(character for segment in row for character in segment.text if character.isalnum())
