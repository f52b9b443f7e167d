"""Drawing that cannot end the screen: what a widget fails to draw says so in its place, the rest lives on."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar
from weakref import WeakKeyDictionary

from rich.segment import Segment
from textual.content import Content
from textual.strip import Strip
from textual.widget import Widget

from pitree.text.cells import cut
from pitree.text.sanitize import visible
from pitree.workers.failures import record

W = TypeVar("W", bound=Widget)

_told: WeakKeyDictionary[Widget, str] = WeakKeyDictionary()


def line_by_line(draw: Callable[[W, int], Strip]) -> Callable[[W, int], Strip]:
    """Decorate a `render_line`: a line that cannot be drawn is replaced by one that says why."""

    @wraps(draw)
    def render_line(widget: W, y: int) -> Strip:
        try:
            return draw(widget, y)
        except Exception as error:
            width = widget.size.width
            return Strip([Segment(_words(widget, error, width))]).crop_extend(0, width, widget.rich_style)

    return render_line


def whole(draw: Callable[[W], Content]) -> Callable[[W], Content]:
    """Decorate a `render` of one line in the same way."""

    @wraps(draw)
    def render(widget: W) -> Content:
        try:
            return draw(widget)
        except Exception as error:
            return Content(_words(widget, error, widget.size.width))

    return render


def _words(widget: Widget, error: Exception, width: int) -> str:
    """What failed, in so many cells. Only the first error is recorded: a widget is drawn again and again."""
    if widget not in _told:
        _told[widget] = visible(record(f"draw {type(widget).__name__}", error).words)
    return cut(_told[widget], max(0, width))
