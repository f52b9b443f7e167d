"""Texts styled in a thread, and those of them that are kept for when they are shown again."""

from __future__ import annotations

from collections import OrderedDict

from pitree.ui.entry.document.document import StyleRequest
from pitree.ui.entry.document.lines import Row
from pitree.ui.entry.document.views import Rows, View
from pitree.ui.entry.styling.style_names import Palette
from pitree.ui.entry.styling.stylers import gutter_of, styled_rows

KEPT_CHARS = 400_000
"""Characters of text whose styled rows are kept."""


def fulfil(wish: StyleRequest, palette: Palette) -> list[Row] | None:
    """The rows wished for; None if the text stays plain. For a thread: takes 10 ms a thousand characters."""
    return styled_rows(wish.body, wish.start, wish.end, wish.width, palette, palette[wish.base])


class StyledCache:
    """Styled rows by wish; the ones not used for longest go first."""

    def __init__(self) -> None:
        self._views: OrderedDict[StyleRequest, View | None] = OrderedDict()
        self._chars = 0

    def view(self, wish: StyleRequest) -> View | None:
        """The styled rows, if there are some."""
        view = self._views.get(wish)
        if view is not None:
            self._views.move_to_end(wish)
        return view

    def knows(self, wish: StyleRequest) -> bool:
        """Whether the wish was fulfilled or refused."""
        return wish in self._views

    def keep(self, wish: StyleRequest, rows: list[Row] | None, palette: Palette) -> View | None:
        """Keep what a wish yielded with these colors; return it as a view."""
        if wish not in self._views:
            self._chars += wish.end - wish.start
        view = None
        if rows is not None:
            gutter = gutter_of(wish.body, wish.start, palette)
            view = Rows(rows, gutter.width if gutter is not None else 0)
        self._views[wish] = view
        while self._chars > KEPT_CHARS and len(self._views) > 1:
            dropped, _ = self._views.popitem(last=False)
            self._chars -= dropped.end - dropped.start
        return view

    def clear(self) -> None:
        """Forget everything: the colors changed."""
        self._views.clear()
        self._chars = 0
