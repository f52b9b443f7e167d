"""The footer: the keys that matter where the focus is, as many as there is room for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.content import Content
from textual.widget import Widget

from pitree.ui.toolkit import keys
from pitree.ui.toolkit.drawn import whole


class Footer(Widget):
    """One line of keys and their words; what does not fit is left out, never cut."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"footer--key"}
    ALLOW_SELECT: ClassVar[bool] = False

    def __init__(self) -> None:
        super().__init__()
        self._hints: list[keys.Hint] = []
        self._places: tuple[keys.KeyContext, ...] = ()

    def show(self, places: Sequence[keys.KeyContext]) -> None:
        """Show the keys of these places, the nearest to the focus first."""
        if tuple(places) != self._places:
            self._places = tuple(places)
            self._hints = keys.table_of(self).hints(*places)
            self.refresh()

    @whole
    def render(self) -> Content:
        width = self.content_size.width
        key_style = self.get_visual_style("footer--key", partial=True)
        parts: list[Content] = []
        for hint in keys.fitting(self._hints, width):
            if parts:
                parts.append(Content("  "))
            parts += [Content.styled(hint.signs, key_style), Content(" " + hint.words)]
        return Content("").join(parts)
