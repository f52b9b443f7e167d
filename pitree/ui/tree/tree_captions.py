"""The words around the tree: its border, what a search found, and why there may be no rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Self

from textual.content import Content
from textual.geometry import Region
from textual.widget import Widget

from pitree.outline.filters import FilterMode
from pitree.outline.outline import Order, Outline
from pitree.query.entries.text_store import TextStore
from pitree.text.sanitize import visible


def title(
    mode: FilterMode, order: Order, label_times: bool, columns: str = "", *, archived: bool = False
) -> str:
    """The upper border: `Tree · no-tools · by time · label times · with archive · time, cost`."""
    by_time = order is Order.TIME
    said = ["Tree", mode.value] + ["by time"] * by_time + ["label times"] * label_times
    said += ["archived shown"] * archived
    return " · ".join([*said, columns] if columns else said)


def facts(outline: Outline | None, notices: int, depth: int, news: str = "") -> str:
    """The lower border: `3 new · . leaf · ! 3 notices · depth 12 · 9 archived · 86 of 127`.

    Args:
        outline: the rows; None while no session is shown.
        notices: how many things are wrong with the file.
        depth: levels of the row under the cursor, told when the rows are panned; else 0.
        news: what has to be said of entries that came.
    """
    said = [news] if news else []
    if notices:
        said.append(f"! {notices:,} {'notice' if notices == 1 else 'notices'}")
    if depth:
        said.append(f"depth {depth}")
    if outline is not None:
        if outline.archived_count:
            said.append(f"{outline.archived_count:,} archived")
        said.append(f"{len(outline):,} of {outline.entry_count:,}")
    return " · ".join(said)


def found(outline: Outline, texts: TextStore | None) -> str:
    """What the search found, and how much of the texts it has seen so far."""
    if outline.query.error:
        return "bad pattern"
    hits = outline.hit_count
    words = "no match" if not hits else "1 match" if hits == 1 else f"{hits:,} matches"
    if outline.partly_searched:
        words += " so far"
    if texts is not None and not texts.complete:
        words += f" · {texts.covered * 100 // outline.entry_count}% read"
    return words


def why_empty(outline: Outline, mode: FilterMode, query: str, sign: Callable[[str], str]) -> str:
    """Words for when there are no rows: why, and the way out.

    Args:
        sign: tells the key of an action.
    """
    if not outline.entry_count:
        return "This session has no entries yet."
    clear = sign("search.cancel")
    if outline.query.error:
        return f"Bad pattern: {visible(outline.query.error)}. {clear} clears the search."
    every = sign("tree.filter.all")
    if query:
        wider = "" if mode is FilterMode.ALL else f" under {mode.value}; {every} searches all entries"
        return f"No match for {visible(query)}{wider}. {clear} clears the search."
    words = f"The filter {mode.value} hides all {outline.entry_count:,} entries."
    return f"{words} {sign('tree.filter.default')}: default, {every}: all."


class Bordered(Widget):
    """A widget with words in its border; `tell_border` sets them, and only the border is painted again."""

    _border_told = ("", "")
    _border_line: int | None = None

    def tell_border(self, title: str, subtitle: str) -> None:
        """Put words into the upper and the lower border; those that stand there already cost nothing."""
        before, self._border_told = self._border_told, (title, subtitle)
        if title != before[0]:
            self._border_line = -1
            self.border_title = Content(title)
        if subtitle != before[1]:
            self._border_line = self.content_size.height
            self.border_subtitle = Content(subtitle)
        self._border_line = None

    def refresh(
        self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False
    ) -> Self:
        if self._border_line is not None and not regions:
            # Regions count from the content; the border lies around it.
            left = -self.styles.gutter.left
            regions = (Region(left, self._border_line, self.outer_size.width, 1),)
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)
