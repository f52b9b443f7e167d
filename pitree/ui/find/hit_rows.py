"""The matches of a search as rows: a heading for each session, below it a line for each entry."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from pitree.query.index.copies import also_words
from pitree.query.index.finder import Group
from pitree.query.index.hits import Hit
from pitree.query.language.tokenizer import Term, spans
from pitree.session.format.entry_summary import short_path
from pitree.session.format.entry_type import ASSISTANT_KINDS, Kind
from pitree.text.cells import cell_len, cut, pad, snap
from pitree.text.figures import age, short_moment
from pitree.text.sanitize import visible
from pitree.ui.toolkit.line_list import LineList

ROLE, WHEN = 10, 11
"""Cells of the columns that say who speaks, and when."""
NARROW = 70
"""Cells below which the time has no room."""

STYLES = ("title", "dim", "user", "assistant", "tool", "mark", "hit")


@dataclass(frozen=True, slots=True)
class HitRow:
    """A row: the heading of a session, or a match."""

    group: Group
    hit: Hit | None = None

    @property
    def place(self) -> tuple[str, int]:
        """What stays the same while other rows come and go."""
        return self.group.facts.path, self.hit.offset if self.hit is not None else -1


def rows_of(groups: Sequence[Group]) -> list[HitRow]:
    """The rows of some groups."""
    return [row for group in groups for row in (HitRow(group), *(HitRow(group, hit) for hit in group.hits))]


def style_of_kind(kind: Kind) -> str:
    """The style of who speaks in an entry."""
    if kind is Kind.USER:
        return "user"
    if kind in ASSISTANT_KINDS:
        return "assistant"
    return "mark" if kind in (Kind.LABEL, Kind.SESSION_INFO) else "tool"


class HitRows(LineList):
    """The rows of what was found.

    Args:
        clock: tells the time now, in seconds since 1970.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"hit-rows--{name}" for name in STYLES}

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        super().__init__()
        self.rows: list[HitRow] = []
        self.terms: tuple[Term, ...] = ()
        """What was looked for, to be lit."""
        self.words = ""
        self.moved_by_hand = False
        """Whether the reader has moved the cursor since the query was asked."""
        self._clock = clock

    def row_count(self) -> int:
        return len(self.rows)

    def empty_text(self) -> str:
        return self.words

    def selectable(self, row: int) -> bool:
        return self.rows[row].hit is not None

    @property
    def selected(self) -> HitRow | None:
        """The match under the cursor."""
        return self.rows[self.cursor] if 0 <= self.cursor < len(self.rows) else None

    def show(self, rows: list[HitRow], *, stay: bool) -> None:
        """Show rows.

        Args:
            rows: the rows.
            stay: whether the cursor stays on its match if the reader has put it there; else it goes to the
                first one.
        """
        self.moved_by_hand = stay and self.moved_by_hand
        before = self.selected if self.moved_by_hand else None
        self.rows = rows
        cursor = 0
        if before is not None:
            cursor = next((at for at, row in enumerate(rows) if row.place == before.place), 0)
        self.rows_changed(cursor, keep_screen_row=before is not None and cursor > 0)

    def move_cursor(self, row: int, *, center: bool = False) -> None:
        self.moved_by_hand = True
        super().move_cursor(row, center=center)

    def render_row(self, row: int, width: int, selected: bool, focused: bool) -> Strip:
        item = self.rows[row]
        if item.hit is None:
            return self._heading(item.group, width)
        return self._hit(item.hit, len(item.group.also.get(item.hit.offset, ())), width, selected)

    def _heading(self, group: Group, width: int) -> Strip:
        facts = group.facts
        old = age(int(facts.talked), self._clock() * 1000) if facts.talked else ""
        count = f"{len(group.hits):,}{'+' if group.more else ''}"
        right = f"{count:>5}  {old:>4}"
        folder = visible(short_path(facts.cwd)) if width >= NARROW else ""
        room = max(4, width - cell_len(right) - 2)
        title = cut(visible(" ".join(facts.title.split())), max(8, room * 2 // 3 if folder else room))
        folder_room = room - cell_len(title) - 3
        folder = cut(folder, folder_room) if folder and folder_room >= 6 else ""
        middle = pad(f" · {folder}" if folder else "", max(0, room - cell_len(title)))
        dim = self._style("dim")
        return Strip([Segment(title, self._style("title")), Segment(middle, dim), Segment(f"  {right}", dim)])

    def _hit(self, hit: Hit, others: int, width: int, selected: bool) -> Strip:
        role = pad(cut(visible(hit.role), ROLE), ROLE)
        segments = [
            Segment("› " if selected else "  "),
            Segment(role + " ", self._style(style_of_kind(hit.kind))),
        ]
        if width >= NARROW:
            told = short_moment(hit.time, 1_000 * self._clock())
            segments.append(Segment(pad(told, WHEN, right=True) + "  ", self._style("dim")))
        tail = f"  {also_words(others)}" if others and width >= NARROW else f"  +{others}" if others else ""
        room = width - len(tail) - sum(cell_len(segment.text) for segment in segments)
        for text, found in line_in(hit.line, self.terms, room):
            segments.append(Segment(text, self._style("hit") if found else Style()))
        if not tail:
            return Strip(segments)
        whole = Strip(segments).crop_extend(0, max(0, width - len(tail)), None)
        return Strip([*whole, Segment(tail, self._style("dim"))])

    def _style(self, name: str) -> Style:
        return self.style_of(f"hit-rows--{name}")


def line_in(line: str, terms: tuple[Term, ...], room: int) -> list[tuple[str, bool]]:
    """A line made safe, in pieces: text, and whether it is what was looked for.

    Args:
        line: raw text of a file.
        terms: what was looked for.
        room: cells; where they do not reach to the first match, the line begins nearer to it.
    """
    shown = visible(line)
    found = snap(shown, spans(terms, shown))
    begin = 0
    if found and cell_len(shown[: found[0][1]]) > room:
        begin = max(0, found[0][0] - room // 3)
    pieces = [("…", False)] if begin else []
    at = begin
    for start, end in found:
        pieces += [(shown[at:start], False), (shown[start:end], True)]
        at = end
    pieces.append((shown[at:], False))
    return [(text, is_hit) for text, is_hit in pieces if text]
