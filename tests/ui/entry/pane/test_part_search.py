"""A search in a window that is not there: what is found, marked, unfolded and gone to, without an app."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rich.style import Style

from pitree.entry.parts import Part
from pitree.query.language.query import Query
from pitree.ui.entry.document.find_hits import Findings
from pitree.ui.entry.document.fold import Fold
from pitree.ui.entry.document.sections import LayoutStyle, lay_out
from pitree.ui.entry.document.views import TextHit
from pitree.ui.entry.pane import part_search
from pitree.ui.entry.pane.part_search import PartSearch
from pitree.ui.entry.styling.style_names import Palette
from pitree.ui.toolkit.background import Cancelled
from tests.support.taking_apart import Story, text

LOOK = LayoutStyle(40, Palette.read(lambda name: Style()))


class View:
    """A window of ten rows, without a screen; a search aside waits for `run`."""

    is_attached = True

    def __init__(self, parts: list[Part]) -> None:
        self.wanted: Query | None = None
        self.here: tuple[int, TextHit] | None = None
        self.top = self.current = 0
        self.folds: dict[str, Fold] = {}
        self.parts = parts
        self.document = lay_out(parts, self.folds, LOOK, lambda wish: None)
        self.search = PartSearch(self)
        self.waiting: Callable[[], object] | None = None
        self.changes = 0

    def search_aside(
        self, work: Callable[[Cancelled], Findings], on_done: Callable[[Findings], object]
    ) -> None:
        self.waiting = lambda: on_done(work(lambda: False))

    def run(self) -> None:
        assert self.waiting is not None
        self.waiting()

    def cancel_search(self) -> None:
        self.waiting = None

    def unfold(self, key: str) -> None:
        self.folds[key] = Fold.OPEN
        self.document = lay_out(self.parts, self.folds, LOOK, lambda wish: None)
        self.search.document_changed()

    def show_row(self, row_now: Callable[[], int]) -> None:
        self.top = row_now()

    def make_current(self, stop: int) -> None:
        self.current = stop

    def hits_changed(self) -> None:
        self.changes += 1


def view_of(*content: object) -> View:
    return View(Story().say("a1", "assistant", list(content)).parts("a1")[1:])


def test_hits_are_gone_through_around_the_ends() -> None:
    view = view_of(text("one needle\n\ntwo\n\nanother needle"))
    search = view.search
    search.find("needle")
    assert search.status() == "match 1 of 2"
    first = view.top
    search.step(1)
    assert search.status() == "match 2 of 2"
    assert view.top > first
    assert not search.has_next(1)
    assert search.has_next(-1)
    search.step(1)
    assert search.status() == "match 1 of 2"
    assert search.status(before=3, after=4, more=True) == "match 4 of 9+"
    assert view.here is not None
    search.find("")
    assert (search.status(), view.here, view.wanted, search.own) == ("", None, None, False)


def test_what_is_wrong_with_a_query_is_its_status() -> None:
    search = view_of(text("one needle")).search
    search.find("re:(")
    assert "(" in search.status()
    search.find("haystack")
    assert search.status() == "no match"
    assert search.status(more=True) == "searching"


def test_what_shows_is_gone_to_before_anything_is_unfolded() -> None:
    thinking = {"type": "thinking", "thinking": "a needle here"}
    view = view_of(thinking, text("another needle"))
    view.search.find("needle")
    assert view.search.status() == "match 2 of 2"
    assert not view.folds
    view.search.step(1)
    assert view.search.status() == "match 1 of 2"
    assert list(view.folds.values()) == [Fold.OPEN]


def test_what_is_lit_for_others_gives_way_to_what_the_reader_looks_for() -> None:
    view = view_of(text("needle in hay"))
    view.search.light(Query.parse("hay"))
    assert view.search.status() == "match 1 of 1"
    view.search.find("nowhere")
    assert view.search.status() == "no match"
    view.search.light(Query.parse("needle"))
    assert view.search.status() == "no match"
    view.search.find("")
    assert view.search.status() == "1 match"


def test_a_long_text_is_searched_aside_and_an_old_result_does_not_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(part_search, "AT_ONCE", 3)
    view = view_of(text("one needle, two needles"))
    view.search.find("needle")
    assert view.search.status() == "searching"
    old = view.waiting
    view.search.find("two")
    assert old is not None
    old()
    assert view.search.status() == "searching"
    view.run()
    assert view.search.status() == "match 1 of 1"
    view.search.find("one")
    view.search.failed()
    assert view.search.status() == "no match"


def test_a_hit_stays_current_when_its_text_shows_otherwise() -> None:
    view = view_of(text("needle one\n\nneedle two"), text("needle three"))
    view.search.find("needle")
    view.search.step(1)
    item = view.search.spots[view.search.at].item
    for number in range(len(view.document.items)):
        view.search.item_changed(number)
    assert view.search.status() == "match 2 of 3"
    assert view.search.spots[view.search.at].item == item
