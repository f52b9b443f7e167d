"""Words in a pane's border that change while somebody reads the pane: only the border is painted again."""

from __future__ import annotations

from typing import Self

from textual.content import Content
from textual.geometry import Region
from textual.widget import Widget


class Bordered(Widget):
    """A widget with words in its border; `tell_border` sets them."""

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
