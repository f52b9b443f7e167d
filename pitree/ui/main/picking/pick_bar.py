"""The line above the footer that says what is pending, and the window that lists it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from pitree.pi.pick_result import LabelEntry, Pending
from pitree.text.cells import cut
from pitree.text.sanitize import visible
from pitree.ui.main.edit.edits import quoted
from pitree.ui.toolkit.drawn import whole
from pitree.ui.toolkit.text_window import ReadingWindow, TextItem

NOTHING_WRITTEN = "nothing is written"


class PendingBar(Widget):
    """One line: how much is pending, what came last, and how to leave."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"pending-bar--count"}
    ALLOW_SELECT: ClassVar[bool] = False

    words: reactive[str] = reactive("")
    count: reactive[int] = reactive(0)

    @whole
    def render(self) -> Content:
        count = f"{self.count} pending" if self.count else "Picking"
        style = self.get_visual_style("pending-bar--count", partial=True)
        room = max(0, self.content_size.width - len(count) - 3)
        return Content.assemble((count, style), " · ", cut(self.words, room))


def bar_words(pending: Sequence[Pending], undo: str, leave: str) -> str:
    """What the bar says after the count, harmless to draw.

    Args:
        pending: what is pending.
        undo: the key that takes the last of it back.
        leave: which key does what in the end.
    """
    if not pending:
        return f"{NOTHING_WRITTEN} · {leave}"
    return f"{visible(pending[-1].words)} · {undo} undoes it · {leave}"


def pending_window(pending: Sequence[Pending]) -> ReadingWindow:
    """All that is pending, the oldest first."""
    items = []
    for number, step in enumerate(pending, 1):
        where = f" of {quoted(step.row)}" if isinstance(step, LabelEntry) else ""
        items.append(TextItem(visible(f"{step.words}{where}"), str(number)))
    return ReadingWindow("Pending", items, "No pending edits.")
