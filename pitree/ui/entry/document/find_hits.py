"""Where a document has what is looked for, in what shows and in what is folded away."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from pitree.query.language.query import Query
from pitree.text.sanitize import visible
from pitree.text.terminal_output import without_colours
from pitree.ui.entry.document.document import Document, DocumentItem
from pitree.ui.entry.document.views import LazyText, TextHit, View

MOST_HITS = 10_000
"""Hits that are counted."""
AT_ONCE = 300_000
"""Characters up to which a document is searched on the spot: some ms. Larger ones take a thread."""


class HitSpot(NamedTuple):
    """A match, or several in one place that does not show.

    Attributes:
        item: number of the item in the document.
        match: where in its view; None for hidden ones.
        matches: how many.
    """

    item: int
    hit: TextHit | None
    hits: int = 1


@dataclass(frozen=True, slots=True)
class Findings:
    """What a search of a document yielded.

    Attributes:
        spots: for each item with matches, the view that was searched and the matches, from the top.
        cut: whether there are more than were counted.
    """

    spots: dict[int, tuple[View, list[HitSpot]]]
    cut: bool = False


def length(document: Document) -> int:
    """Characters that a search has to look at."""
    chars = 0
    for item in document.items:
        if item.hidden is not None:
            chars += sum(end - start for _, start, end in item.hidden.texts)
        elif isinstance(item.view, LazyText):
            chars += item.view.length
    return chars


def find_all(document: Document, query: Query, cancelled: Callable[[], bool] = lambda: False) -> Findings:
    """Search a document. Changes nothing in it, so a thread may, even while it is scrolled."""
    spots: dict[int, tuple[View, list[HitSpot]]] = {}
    left = MOST_HITS
    for number, item in enumerate(list(document.items)):
        if cancelled():
            break
        view = item.view
        found = find_in(number, item, query, left, cancelled)
        if found:
            spots[number] = view, found
            left -= sum(spot.hits for spot in found)
            if left <= 0:
                return Findings(spots, cut=True)
    return Findings(spots)


def find_in(
    number: int,
    item: DocumentItem,
    query: Query,
    most: int = MOST_HITS,
    cancelled: Callable[[], bool] = lambda: False,
) -> list[HitSpot]:
    """The matches in one item."""
    if item.hidden is not None:
        count = 0
        for text, start, end in item.hidden.texts:
            said = visible(without_colours(text[start:end]), keep_newlines=True)
            count += len(query.spans(said))
            if count >= most or cancelled():
                break
        return [HitSpot(number, None, count)] if count else []
    spots: list[HitSpot] = []
    for hit in item.view.hits(query):
        spots.append(HitSpot(number, hit))
        if len(spots) >= most or cancelled():
            break
    return spots
