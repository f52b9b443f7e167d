"""Finding words in parts: lights hits, counts them, goes from one to the next, unfolds what hides them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import partial

from textual import on
from textual.message import Message
from textual.worker import get_current_worker

from pitree.entry.parts import Part
from pitree.query.language.query import Query
from pitree.ui.entry.document.document import Document
from pitree.ui.entry.document.find_hits import AT_ONCE, Findings, HitSpot, find_all, find_in, length
from pitree.ui.entry.document.fold import Fold
from pitree.ui.entry.document.views import TextHit
from pitree.ui.entry.pane.parts_view import PartsView
from pitree.ui.toolkit.background import in_thread, show_failure
from pitree.workers.failures import Failure

_START = TextHit(0, 0, 0)
_THIRD = 3
"""A hit that is gone to stands at this part of the window's height, if it was not in view."""


class FindingView(PartsView):
    """Parts in which words can be found."""

    class FindRequested(Message):
        """The reader wants to type what to look for."""

        def __init__(self, view: FindingView) -> None:
            super().__init__()
            self.view = view

        @property
        def control(self) -> FindingView:
            return self.view

    class HitsChanged(Message):
        """There are other hits, or another one is the current one."""

        def __init__(self, view: FindingView) -> None:
            super().__init__()
            self.view = view

        @property
        def control(self) -> FindingView:
            return self.view

        def can_replace(self, message: Message) -> bool:
            """Only how it stands now matters."""
            return isinstance(message, FindingView.HitsChanged) and message.view is self.view

    class Searched(Message):
        """A thread has searched a document."""

        def __init__(self, document: Document, query: Query, findings: Findings) -> None:
            super().__init__()
            self.document = document
            self.query = query
            self.findings = findings

    def __init__(self, *, name: str | None = None, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(name=name, id=id, classes=classes)
        self._own: Query | None = None
        self._given: Query | None = None
        self._findings = Findings({})
        self._spots: list[HitSpot] = []
        self._total = 0
        self._at = -1
        self._searching = False
        self._going: tuple[str, int] | None = None

    # -- what is looked for -----------------------------------------------------------------------

    @property
    def finding(self) -> bool:
        """Whether the reader is looking for something here, rather than in the tree."""
        return self._own is not None

    @property
    def hits_words(self) -> str:
        """How the search stands, in words; empty if nothing is looked for."""
        query = self.wanted
        if query is None:
            return ""
        if query.error:
            return query.error
        if self._searching:
            return "searching"
        before, total, more = self.hit_counts()
        if not total:
            return "searching" if more else "no hit"
        words = f"{total:,}{'+' if more else ''}"
        if self._at < 0:
            return f"{words} {'hit' if total == 1 else 'hits'}"
        before += sum(spot.hits for spot in self._spots[: self._at])
        return f"hit {before + 1:,} of {words}"

    def hit_counts(self) -> tuple[int, int, bool]:
        """Hits before those of the document, hits in all, and whether there may be more."""
        return 0, self._total, self._findings.cut

    def find(self, text: str) -> None:
        """Look for what a reader typed, and go to the first hit from here on; "" ends it."""
        query = Query.parse(text)
        self._own = None if query.empty else query
        self._look(go=self._own is not None)

    def light(self, query: Query | None) -> None:
        """Light what is looked for elsewhere, as long as nothing is looked for here."""
        given = None if query is None or query.empty else query
        if given == self._given:
            return
        self._given = given
        if self._own is None:
            self._look(go=given is not None)

    def _look(self, *, go: bool) -> None:
        self.wanted = self._own or self._given
        self._at = -1
        self.here = None
        self._going = ("", 1) if go else None
        self._search()
        self._follow()

    # -- searching ----------------------------------------------------------------------------------

    def show_parts(
        self, parts: Sequence[Part], *, keep: bool = False, folds: dict[str, Fold] | None = None
    ) -> None:
        if not keep:
            self._mark(-1)
        super().show_parts(parts, keep=keep, folds=folds)

    def show_document(self, document: Document) -> None:
        super().show_document(document)
        if self.wanted is None:
            return
        current, count = self._at, len(self._spots)
        self._mark(-1)
        self._search()
        if current >= 0 and len(self._spots) == count:
            self._mark(current)  # the same hits, laid out anew

    def go_to_first_hit(self) -> None:
        """Go to the first hit of what is looked for, as soon as it is known."""
        if self.wanted is not None:
            self._going = ("", 1)
            self._follow()

    def _search(self) -> None:
        self.workers.cancel_group(self, "detail-find")
        query, document = self.wanted, self.document
        self._searching = False
        if query is None or query.error:
            self._take(Findings({}))
        elif length(document) <= AT_ONCE or not self.is_attached:
            self._take(find_all(document, query))
        else:
            self._searching = True
            self._take(Findings({}))
            in_thread(
                self,
                "search this entry",
                partial(self._search_in_thread, document, query),
                group="detail-find",
                exclusive=True,
                failed=self._search_failed,
            )

    def _search_in_thread(self, document: Document, query: Query) -> None:
        worker = get_current_worker()
        findings = find_all(document, query, lambda: worker.is_cancelled)
        if not worker.is_cancelled:
            self.post_message(self.Searched(document, query, findings))

    def _search_failed(self, failure: Failure) -> None:
        self._searching = False
        self._count()
        show_failure(self, failure)

    @on(Searched)
    def _searched(self, event: Searched) -> None:
        event.stop()
        if event.document is not self.document or event.query is not self.wanted:
            return
        self._searching = False
        self._take(event.findings)
        self._follow()
        for number, item in enumerate(self.document.items):
            found = self._findings.spots.get(number)
            if found is not None and found[0] is not item.view:
                self.item_changed(number)

    def _take(self, findings: Findings) -> None:
        self._findings = findings
        self._count()

    def _count(self) -> None:
        spots = self._findings.spots
        self._spots = [spot for number in sorted(spots) for spot in spots[number][1]]
        self._total = sum(spot.hits for spot in self._spots)
        self.post_message(self.HitsChanged(self))

    def item_changed(self, number: int) -> None:
        """Another view of an item's text shows: its hits are elsewhere now."""
        if self.wanted is None or self._searching or self._findings.cut:
            return
        item = self.document.items[number]
        current = self._spots[self._at] if self._at >= 0 else None
        found = find_in(number, item, self.wanted)
        within = -1
        if current is not None and current.item == number:
            within = self._at - bisect_left([spot.item for spot in self._spots], number)
        if found:
            self._findings.spots[number] = item.view, found
        else:
            self._findings.spots.pop(number, None)
        self._count()
        if current is not None:
            start = bisect_left([spot.item for spot in self._spots], number)
            if within >= 0:
                self._mark(start + min(within, len(found) - 1) if found else -1)
            else:
                self._mark(self._spots.index(current))

    # -- going from hit to hit ------------------------------------------------------------------------

    def action_find(self) -> None:
        """Type what to look for."""
        self.post_message(self.FindRequested(self))

    def action_hit(self, step: int) -> None:
        """Go to the next or previous hit, around the ends."""
        if self.wanted is None:
            self.action_find()
        elif self._spots:
            if self._at < 0:
                self._go(self._from_here() if step > 0 else self._from_here() - 1, step)
            else:
                self._go(self._at + step, step)

    def _from_here(self) -> int:
        """The first hit that is not above the window."""
        document = self.document
        number, place = document.locate(min(self.scroll_offset.y, document.height - 1))
        here = number, document.items[number].view.place_of(place)
        at = bisect_left(self._spots, here, key=lambda spot: (spot.item, spot.hit or _START))
        return at % len(self._spots)

    def _row(self, spot: HitSpot) -> int:
        if spot.hit is None:
            return self.document.first_row(spot.item)
        return self.document.row_of(spot.item, spot.hit)

    def _follow(self) -> None:
        """Go where a search was to lead."""
        if self._going is None or self._searching:
            return
        key, step = self._going
        self._going = None
        if not self._spots:
            return
        if not key:
            at = self._from_here()
            if self._spots[at].hit is None:
                # What shows comes before what has to be unfolded.
                at = next((near for near, spot in enumerate(self._spots) if spot.hit is not None), at)
            self._go(at, step)
            return
        document = self.document
        inside = [at for at, spot in enumerate(self._spots) if _within(self._key(document, spot), key)]
        if inside:
            self._go(inside[0] if step > 0 else inside[-1], step)

    @staticmethod
    def _key(document: Document, spot: HitSpot) -> str:
        stop = document.items[spot.item].stop
        return document.stops[stop].part.key if stop >= 0 else ""

    def _go(self, at: int, step: int) -> None:
        at %= len(self._spots)
        spot = self._spots[at]
        hidden = self.document.items[spot.item].hidden
        if hidden is not None:
            self._going = hidden.part.key, step
            self._folds[hidden.part.key] = Fold.OPEN
            self.lay_out()
            self._follow()
            return
        self._mark(at)
        row = self._row(spot)
        top, height = self.scroll_offset.y, max(1, self.rows_in_view)
        if not top <= row < top + height:
            self.scroll_to(y=max(0, row - height // _THIRD), animate=False, force=True)
            self.settle()
            row = self._row(spot)
            if not self.scroll_offset.y <= row < self.scroll_offset.y + height:
                self.scroll_to(y=max(0, row - height // _THIRD), animate=False, force=True)
        stop = self.document.items[spot.item].stop
        if stop >= 0:
            self._make_current(stop)

    def _mark(self, at: int) -> None:
        self._at = at
        spot = self._spots[at] if at >= 0 else None
        self.here = (spot.item, spot.hit) if spot is not None and spot.hit is not None else None
        self.post_message(self.HitsChanged(self))


def _within(key: str, wanted: str) -> bool:
    """Whether a part is the one wanted, or one of those wanted, whose keys all begin with it."""
    return key == wanted or (wanted.endswith(".") and key.startswith(wanted))
