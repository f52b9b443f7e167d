"""The preview of the session under the cursor: what it is, how it began, and what was said last."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip
from textual.widget import Widget

from pitree.catalog.info.session_info import SessionInfo
from pitree.session.format.entry_summary import short_path
from pitree.session.manager.activity import Activity
from pitree.text import figures
from pitree.text.cells import cell_len, cut, wrap, wrap_iter
from pitree.text.sanitize import visible
from pitree.ui.picker.activity_marks import SIGNS
from pitree.ui.picker.session_rows import fit_path, title_of
from pitree.ui.toolkit.drawn import line_by_line

ROOM_FOR_PREVIEW = 15
"""Lines of the pane from which on there is a preview."""
ROLE = 6
"""Cells of the column that says who speaks."""
LINES_OF_A_TEXT = 6

STYLES = (
    "title",
    "dim",
    "user",
    "pi",
    "text",
    "gone",
    "rule",
    *(state.value for state in SIGNS if state is not Activity.NONE),
)

Piece = tuple[str, str]
"""A text and the name of its style."""


@dataclass(frozen=True, slots=True)
class _Said:
    """Who said what; nobody for the gap between the first and the last exchange.

    Attributes:
        whole: whether the lines are all of it.
        rank: what gives way first where there is little room: the highest.
    """

    role: str
    lines: list[str]
    whole: bool
    rank: int


class SessionPreview(Widget):
    """A few lines about one session; give it one with `show`."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"session-preview--{name}" for name in STYLES}
    ALLOW_SELECT: ClassVar[bool] = False

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._info: SessionInfo | None = None
        self._gone = self._path = False
        self._state = (Activity.NONE, "")
        self._lines: list[Strip] | None = None

    def show(
        self,
        info: SessionInfo | None,
        *,
        gone: bool = False,
        path: bool = False,
        state: tuple[Activity, str] = (Activity.NONE, ""),
    ) -> None:
        """Show a session.

        Args:
            info: the session; None for nothing.
            gone: whether its working directory does not exist any more.
            path: whether to show the path of its file.
            state: what it is doing, also in words.
        """
        if info is not self._info or (gone, path, state) != (self._gone, self._path, self._state):
            self._info, self._gone, self._path, self._state = info, gone, path, state
            self._lines = None
            self.refresh()

    def on_resize(self) -> None:
        self._lines = None

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._lines = None

    @line_by_line
    def render_line(self, y: int) -> Strip:
        width, height = self.size
        if self._lines is None:
            self._lines = self._draw(width, height)
        line = self._lines[y] if y < len(self._lines) else Strip([])
        return line.crop_extend(0, width, None).apply_style(self.rich_style)

    def _draw(self, width: int, height: int) -> list[Strip]:
        named = {name: self._style(name) for name in STYLES}
        lines = [Strip([Segment("─" * width, named["rule"])])]
        if self._info is None:
            return lines
        inner = max(1, width - 2)
        for pieces in _about(self._info, self._gone, self._path, self._state, inner):
            lines.append(Strip([Segment(" "), *(Segment(text, named[style]) for text, style in pieces)]))
        for said in _fitting(_conversation(self._info, inner - ROLE), height - len(lines)):
            for place, text in enumerate(said.lines):
                role = said.role if place == 0 else ""
                who = Segment(" " + role.ljust(ROLE), named[said.role or "dim"])
                lines.append(Strip([who, Segment(text, named["text" if said.role else "dim"])]))
        return lines

    def _style(self, name: str) -> Style:
        style = self.get_component_rich_style(f"session-preview--{name}")
        return Style(color=style.color) + style.without_color


def _about(
    info: SessionInfo, gone: bool, path: bool, state: tuple[Activity, str], width: int
) -> list[list[Piece]]:
    """The lines about the session itself, in pieces."""
    activity, words = state
    count = figures.counted(info.message_count, "message")
    size = figures.size(info.file.size)
    parts = [*([words] if words else []), count, figures.moment(info.modified) or "no time", size]
    folder = visible(short_path(info.cwd))
    after: list[list[Piece]] = []
    if gone:
        told = f"⚠ {folder} is gone. Continue elsewhere with: pi --fork {visible(info.id)}"
        after = [[(line, "gone")] for line in wrap(told, width)]
    elif folder:
        # A line of its own is a line less of what was said; the size is what one can do without.
        beside = [[*parts, folder], [*parts[:-1], folder]]
        parts = next((line for line in beside if cell_len(" · ".join(line)) <= width), parts)
        if folder not in parts:
            after = [[(fit_path(folder, width), "dim")]]
    while len(parts) > 1 and cell_len(" · ".join(parts)) > width:
        parts.pop()
    if path:
        after += [[(line, "dim")] for line in wrap(visible(short_path(info.path)), width)]
    facts = cut(" · ".join(parts), width)
    told_first = min(len(words), len(facts)) if activity is not Activity.NONE else 0
    return [
        [(cut(title_of(info), width), "title")],
        [(facts[:told_first], activity.value if told_first else "dim"), (facts[told_first:], "dim")],
        *after,
    ]


def _conversation(info: SessionInfo, width: int) -> list[_Said]:
    """The first and the last exchange, their texts wrapped; once if they are the same."""
    first = [("user", info.first.asked, 0), ("pi", info.first.answered, 3)]
    last = [("user", info.last.asked, 2), ("pi", info.last.answered, 1)]
    if info.last.asked == info.first.asked:
        last = [] if info.last.answered == info.first.answered else last[1:]
    said = [*first, ("", "⋯", 4), *last] if any(text for _, text, _ in last) else first
    found = []
    for role, text, rank in said:
        if text:
            lines = list(islice(wrap_iter(" ".join(visible(text).split()), width), LINES_OF_A_TEXT + 1))
            found.append(_Said(role, lines[:LINES_OF_A_TEXT], len(lines) <= LINES_OF_A_TEXT, rank))
    return found


def _fitting(said: list[_Said], room: int) -> list[_Said]:
    """Texts shortened, the longest first, until all fit into `room` lines; a cut one ends in an ellipsis.

    Where there is not even a line for each, the first question and the last answer stay longest.
    """
    said = [one for one in said if sum(other.rank < one.rank for other in said) < room]
    heights = [len(one.lines) for one in said]
    while sum(heights) > room and max(heights, default=0) > 1:
        heights[heights.index(max(heights))] -= 1
    shown = []
    for one, height in zip(said, heights, strict=True):
        lines = one.lines[:height]
        if height < len(one.lines) or not one.whole:
            lines[-1] = lines[-1].rstrip(" .…") + "…"
        shown.append(_Said(one.role, lines, True, one.rank))
    return shown
