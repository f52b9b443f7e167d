"""What is looked for in a window of parts: its matches, the current one, the way from one to the next."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from typing import Protocol

from pitree.query.language.query import Query
from pitree.ui.entry.document.document import Document
from pitree.ui.entry.document.find_hits import AT_ONCE, Findings, HitSpot, find_all, find_in, length
from pitree.ui.entry.document.views import TextHit
from pitree.ui.toolkit.background import Cancelled

_START = TextHit(0, 0, 0)


class SearchedView(Protocol):
    """The window whose document is searched.

    Attributes:
        wanted: what is lit in it.
        here: the match that is lit most: number of its item, and the match.
    """

    wanted: Query | None
    here: tuple[int, TextHit] | None

    @property
    def document(self) -> Document: ...

    @property
    def top(self) -> int:
        """The first row in view."""

    @property
    def is_attached(self) -> bool:
        """Whether threads can work for it."""

    def search_aside(
        self, work: Callable[[Cancelled], Findings], on_done: Callable[[Findings], object]
    ) -> None:
        """Search in a thread."""

    def cancel_search(self) -> None:
        """Cancel that."""

    def unfold(self, key: str) -> None:
        """Unfold a part."""

    def show_row(self, row_now: Callable[[], int]) -> None:
        """Bring a row into view, whose number may change meanwhile."""

    def make_current(self, stop: int) -> None:
        """Make a part the current one."""

    def hits_changed(self) -> None:
        """There are other matches, or another one is current."""


class PartSearch:
    """A search in a window.

    Attributes:
        spots: where the matches are, from the top.
        at: number of the current one, -1 for none.
        running: whether a thread is searching.
    """

    def __init__(self, view: SearchedView) -> None:
        self._view = view
        self._own: Query | None = None
        self._given: Query | None = None
        self._findings = Findings({})
        self._total = 0
        self._going: tuple[str, int] | None = None
        self.spots: list[HitSpot] = []
        self.at = -1
        self.running = False

    # -- what is looked for -----------------------------------------------------------------------

    @property
    def own(self) -> bool:
        """Whether the reader is looking for something in this window, rather than elsewhere."""
        return self._own is not None

    def find(self, text: str) -> None:
        """Look for what a reader typed, and go to the first match from here on; "" ends it."""
        query = Query.parse(text)
        self._own = None if query.empty else query
        self._start(go=self._own is not None)

    def light(self, query: Query | None) -> None:
        """Light what is looked for elsewhere, as long as nothing is looked for here."""
        given = None if query is None or query.empty else query
        if given == self._given:
            return
        self._given = given
        if self._own is None:
            self._start(go=given is not None)

    def status(self, before: int = 0, after: int = 0, more: bool = False) -> str:
        """How the search stands, for the reader; empty if nothing is looked for.

        Args:
            before: matches before those of the document.
            after: matches after them.
            more: whether there may be more of either.
        """
        query = self._view.wanted
        if query is None:
            return ""
        if query.error:
            return query.error
        if self.running:
            return "searching"
        total, more = before + self._total + after, more or self._findings.cut
        if not total:
            return "searching" if more else "no match"
        text = f"{total:,}{'+' * more}"
        if self.at < 0:
            return f"{text} match{'es' * (total != 1)}"
        return f"match {before + self._hits_to(self.at) + 1:,} of {text}"

    def _hits_to(self, at: int | None) -> int:
        """How many matches there are in the spots before this one."""
        return sum(spot.hits for spot in self.spots[:at])

    def _start(self, *, go: bool) -> None:
        self._view.wanted = self._own or self._given
        self.at = -1
        self._view.here = None
        self._going = ("", 1) if go else None
        self._search()
        self._follow()

    # -- searching ----------------------------------------------------------------------------------

    def document_changed(self) -> None:
        """Another document shows, or the same one in another layout: then the current match stays current."""
        if self._view.wanted is None:
            return
        current, count = self.at, len(self.spots)
        self.mark(-1)
        self._search()
        if current >= 0 and len(self.spots) == count:
            self.mark(current)

    def _search(self) -> None:
        view, query, document = self._view, self._view.wanted, self._view.document
        view.cancel_search()
        self.running = False
        if query is None or query.error:
            self._take(Findings({}))
        elif length(document) <= AT_ONCE or not view.is_attached:
            self._take(find_all(document, query))
        else:
            self.running = True
            self._take(Findings({}))
            view.search_aside(
                lambda cancelled: find_all(document, query, cancelled),
                lambda findings: self._searched(document, query, findings),
            )

    def failed(self) -> None:
        """The thread has failed: nothing is found."""
        self.running = False
        self._count()

    def _searched(self, document: Document, query: Query, findings: Findings) -> None:
        if document is not self._view.document or query is not self._view.wanted:
            return
        self.running = False
        self._take(findings)
        self._follow()
        for number, item in enumerate(document.items):
            found = findings.spots.get(number)
            if found is not None and found[0] is not item.view:
                self.item_changed(number)

    def _take(self, findings: Findings) -> None:
        self._findings = findings
        self._count()

    def _count(self) -> None:
        spots = self._findings.spots
        self.spots = [spot for number in sorted(spots) for spot in spots[number][1]]
        self._total = self._hits_to(None)
        self._view.hits_changed()

    def item_changed(self, number: int) -> None:
        """Another view of an item's text shows: its matches are elsewhere now, and may be others."""
        query = self._view.wanted
        if query is None or self.running or self._findings.cut:
            return
        current = self.spots[self.at] if self.at >= 0 else None
        start = bisect_left(self.spots, number, key=lambda spot: spot.item)
        item = self._view.document.items[number]
        found = find_in(number, item, query)
        self._findings.spots.pop(number, None)
        if found:
            self._findings.spots[number] = item.view, found
        within = self.at - start
        self._count()
        if current is not None and current.item == number:
            self.mark(start + min(within, len(found) - 1) if found else -1)
        elif current is not None:
            self.mark(self.spots.index(current))

    # -- going from hit to hit ------------------------------------------------------------------------

    def go_to_first(self) -> None:
        """Go to the first match, as soon as it is known."""
        if self._view.wanted is not None:
            self.go_within("", 1)

    def go_within(self, key: str, step: int) -> None:
        """Go to the first or last match in the parts whose keys begin so, as soon as it is known."""
        self._going = key, step
        self._follow()

    def has_next(self, step: int) -> bool:
        """Whether there is a match that way before the ends of the document."""
        return bool(self.spots) if self.at < 0 else 0 <= self.at + step < len(self.spots)

    def step(self, step: int) -> None:
        """Go to the next or previous match, around the ends."""
        if self.spots and self.at < 0:
            self._go(self._from_here() - (step < 0), step)
        elif self.spots:
            self._go(self.at + step, step)

    def _from_here(self) -> int:
        """The first match that is not above the window."""
        document = self._view.document
        number, place = document.locate(min(self._view.top, document.height - 1))
        here = number, document.items[number].view.place_of(place)
        at = bisect_left(self.spots, here, key=lambda spot: (spot.item, spot.hit or _START))
        return at % len(self.spots)

    def _follow(self) -> None:
        """Go where a search was to lead."""
        if self._going is None or self.running:
            return
        key, step = self._going
        self._going = None
        if not self.spots:
            return
        if key:
            inside = [at for at, spot in enumerate(self.spots) if _within(self._key(spot), key)]
            if inside:
                self._go(inside[0] if step > 0 else inside[-1], step)
            return
        at = self._from_here()
        if self.spots[at].hit is None:
            # What shows comes before what has to be unfolded.
            at = next((near for near, spot in enumerate(self.spots) if spot.hit is not None), at)
        self._go(at, step)

    def _key(self, spot: HitSpot) -> str:
        document = self._view.document
        stop = document.items[spot.item].stop
        return document.stops[stop].part.key if stop >= 0 else ""

    def _go(self, at: int, step: int) -> None:
        at %= len(self.spots)
        spot = self.spots[at]
        item = self._view.document.items[spot.item]
        if item.hidden is not None:
            key = item.hidden.part.key
            self._view.unfold(key)
            self.go_within(key, step)
            return
        self.mark(at)
        self._view.show_row(lambda: self._row(spot))
        if item.stop >= 0:
            self._view.make_current(item.stop)

    def _row(self, spot: HitSpot) -> int:
        document = self._view.document
        return document.first_row(spot.item) if spot.hit is None else document.row_of(spot.item, spot.hit)

    def mark(self, at: int) -> None:
        """Make a match the current one; -1 for none."""
        self.at = at
        spot = self.spots[at] if at >= 0 else None
        self._view.here = (spot.item, spot.hit) if spot is not None and spot.hit is not None else None
        self._view.hits_changed()


def _within(key: str, wanted: str) -> bool:
    """Whether a part is the one wanted, or one of those wanted, whose keys all start with it."""
    return key == wanted or (wanted.endswith(".") and key.startswith(wanted))
