"""Drawing the rows of the tree: guides, marks, label, role and text of one entry on one line."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.message import Message
from textual.strip import Strip

from pitree.outline.layout import CELLS_A_LEVEL
from pitree.outline.outline import Outline
from pitree.outline.row_words import Row
from pitree.session.format.entry_type import Flag, Kind
from pitree.text.cells import cell_len, cut
from pitree.ui.toolkit import keys
from pitree.ui.toolkit.line_list import LineList

if TYPE_CHECKING:
    from pitree.ui.tree.tree_columns import TreeColumns


GUTTER = 2
"""Cells of the cursor sign; never panned away."""

MARGIN = 1
"""Cells kept free at the right end."""

TEXT_KEPT = 20
"""Cells of the row under the cursor that stay visible however deep it hangs (Pi keeps the same)."""

TAG_FROM = 32
"""Cells of a row from which on there is room for a word at its right end."""

CONTEXT_KEPT = 12
"""Most cells of guides left before the text when the rows are panned (as in Pi)."""

STYLE_OF_KIND: dict[Kind, str] = {
    Kind.USER: "user",
    Kind.ASSISTANT: "assistant",
    Kind.ASSISTANT_SILENT: "assistant",
    Kind.TOOL_RESULT: "tool",
    Kind.BASH: "tool",
    Kind.CUSTOM_MESSAGE: "note",
    Kind.COMPACTION: "summary",
    Kind.BRANCH_SUMMARY: "summary",
}
"""Style of a row's role word; other kinds are bookkeeping and dim."""

SPOKEN = frozenset(
    {Kind.USER, Kind.ASSISTANT, Kind.ASSISTANT_SILENT, Kind.CUSTOM_MESSAGE, Kind.BRANCH_SUMMARY}
)
"""Kinds whose text is somebody's words, drawn plain; the rest is dim."""

PENDING = "pending"
"""What stands with a label or a name that is decided and not written yet."""

STYLES = (
    *("plain", "dim", "guides", "sign", "fold", "path", "leaf", "label", "mark", "hit"),
    *("user", "assistant", "tool", "note", "summary"),
)


class TreeRows(LineList):
    """The rows of an outline. Panned sideways, as Pi does, when the row under the cursor hangs deep."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"tree-rows--{name}" for name in STYLES}

    class Panned(Message):
        """The rows were shifted sideways."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.outline: Outline | None = None
        self.label_times = False
        self.words_when_empty = ""
        self.columns: TreeColumns | None = None
        self.pending: frozenset[str] = frozenset()
        """Ids of the entries whose label, or whose having none, is decided and not written yet."""
        self._named: dict[str, Style] = {}
        self._pan = 0

    @property
    def page_size(self) -> int:
        """As many rows as Pi's /tree has on a screen as high, where keys are as in Pi."""
        return max(5, self.app.size.height // 2) if keys.table_of(self).typing else super().page_size

    def row_count(self) -> int:
        return len(self.outline) if self.outline is not None else 0

    def empty_text(self) -> str:
        return self.words_when_empty

    @property
    def pan(self) -> int:
        """Cells the rows are shifted to the left."""
        return self._pan

    @property
    def entry_index(self) -> int:
        """The entry under the cursor, -1 when there is none."""
        return self.outline.index_at(self.cursor) if self.outline is not None and self.cursor >= 0 else -1

    @property
    def _leaf(self) -> int:
        return self.outline.leaf if self.outline is not None else -1

    def show_columns(self, columns: TreeColumns | None) -> None:
        """Show figures at the right of each row, or none."""
        self.columns = columns
        self.cursor_settled()
        self.redraw()
        self.post_message(self.Panned())

    @property
    def column_names(self) -> str:
        """The names of the columns shown; empty without any."""
        return self.columns.names(self._row_room) if self.columns is not None else ""

    @property
    def _row_room(self) -> int:
        """Cells between gutter and margin, columns among them."""
        return max(0, self.scrollable_content_region.width - GUTTER - MARGIN)

    # -- panning ----------------------------------------------------------------------------------

    def cursor_settled(self) -> None:
        pan = self._wanted_pan()
        if pan != self._pan:
            self._pan = pan
            self.redraw()
            self.post_message(self.Panned())

    def _wanted_pan(self) -> int:
        """The pan that shows enough of the row under the cursor; the present one as long as it does."""
        room = self._row_room
        room -= self.columns.width(room) if self.columns is not None else 0
        if self.outline is None or self.cursor < 0 or room <= 0:
            return 0
        row = self.outline.row(self.cursor)
        anchor = anchor_of(row)
        tag = len(_tag(row, self._leaf)) if room >= TAG_FROM else 0
        kept = min(TEXT_KEPT + tag, max(4, room - 4))
        context = min(CONTEXT_KEPT, max(2, (room - kept) // 2))
        if self._pan and context <= anchor - self._pan <= room - kept:
            return self._pan
        return anchor - context if anchor > room - kept else 0

    # -- drawing ----------------------------------------------------------------------------------

    def render_row(self, row: int, width: int, selected: bool, focused: bool) -> Strip:
        assert self.outline is not None
        named = self._named or self._name_styles()
        item = self.outline.row(row)
        whole = room = max(0, width - GUTTER - MARGIN)
        room -= self.columns.width(whole) if self.columns is not None else 0
        tag = _tag(item, self._leaf) if room >= TAG_FROM else ""
        # A row that is less deep than the pan keeps its text from the start, unlike in Pi.
        start = min(self._pan, text_column(item)) - columns_left_out(item)
        end = start + room - len(tag)
        body = Strip(self._body(item, end, named))
        if start > 0:
            body = body.crop(start, end)
            if item.display_indent:
                body = Strip([Segment("‹", named["dim"]), *body.crop(1)])
        elif start < 0:
            body = Strip([Segment("‹".ljust(-start), named["dim"]), *body])
        gutter = Segment("› " if selected else "  ", named["sign"])
        strip = Strip([gutter, *body])
        if tag:
            strip = Strip(
                [
                    *strip.extend_cell_length(GUTTER + room - len(tag)),
                    Segment(tag, named["leaf" if item.is_leaf else "fold"]),
                ]
            )
        if self.columns is not None:
            figures = Segment(self.columns.text(item.index, whole), named["dim"])
            strip = Strip([*strip.extend_cell_length(GUTTER + room), figures])
        return strip

    def _body(self, item: Row, room: int, named: dict[str, Style]) -> Iterator[Segment]:
        """The segments of a row, not yet panned, together at most `room` cells wide."""
        used = 0
        pending = item.id in self.pending
        for text, style in _head(item, item.index == self._leaf, named, self.label_times, pending):
            # What stands at the right end of the row keeps its place, whatever stands before the text.
            text = cut(text, max(0, room - used))
            yield Segment(text, style)
            used += cell_len(text)
        body = item.body
        shown = cut(body, max(0, room - used))
        role = named["dim" if item.archived else STYLE_OF_KIND.get(item.kind, "dim")]
        if item.archived or item.kind not in SPOKEN:
            spoken = named["dim"]
        else:
            spoken = named["mark" if item.flags & (Flag.ERROR | Flag.ABORTED) else "plain"]
        styled = [(len(item.prefix), role), (len(item.prefix) + len(item.text), spoken), (len(body), role)]
        hits = self.outline.spans_for(item) if self.outline is not None else []
        yield from _cut_by(shown, styled, hits, named["hit"])

    def _name_styles(self) -> dict[str, Style]:
        self._named = {name: self.style_of(f"tree-rows--{name}") for name in STYLES}
        return self._named

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._named = {}


def _cut_by(
    text: str, styled: list[tuple[int, Style]], spans: list[tuple[int, int]], hit: Style
) -> Iterator[Segment]:
    """A text in segments: `styled` says up to where each style goes, `spans` lie over them."""
    edges = {0, len(text), *(end for end, _ in styled), *(edge for span in spans for edge in span)}
    cuts = sorted(edge for edge in edges if edge <= len(text))
    at = 0
    for start, end in pairwise(cuts):
        while at < len(styled) - 1 and styled[at][0] <= start:
            at += 1
        style = styled[at][1]
        if any(first <= start and end <= last for first, last in spans):
            style += hit
        yield Segment(text[start:end], style)


def _tag(row: Row, leaf: int) -> str:
    """What stands at the right end of a row."""
    words = [f"{row.hidden:,} hidden"] if row.hidden else []
    if row.away:
        words.append(f"{row.away:,} archived")
    elif row.archived:
        words.append("archived")
    if row.is_leaf:
        words.append("leaf" if row.index == leaf else "leaf below")
    return f" {' · '.join(words)}" if words else ""


def columns_left_out(row: Row) -> int:
    """Cells of the levels that a very deep row's guides leave out."""
    return CELLS_A_LEVEL * row.guides_from


def text_column(row: Row) -> int:
    """The column, before panning, up to which a row can be cut at its left without losing marks or text."""
    return max(columns_left_out(row), columns_left_out(row) + cell_len(row.guides) - 2)


def anchor_of(row: Row) -> int:
    """The column, before panning, at which a row's text starts."""
    marks = (row.fold == "closed" and not row.connector) + (row.on_path or row.is_leaf)
    return columns_left_out(row) + cell_len(row.guides) + 2 * marks


def _head(
    item: Row, is_leaf: bool, named: dict[str, Style], label_times: bool, pending: bool
) -> Iterator[tuple[str, Style]]:
    """What is before the role: guides, fold, path, marks, label and its time."""
    if item.guides:
        before, closed, after = item.guides.partition("⊞")
        yield before, named["guides"]
        if closed:
            yield closed, named["fold"]
            yield after, named["guides"]
    if item.fold == "closed" and not item.connector:
        yield "⊞ ", named["fold"]
    if is_leaf:
        yield "◆ ", named["leaf"]
    elif item.on_path:
        yield "• ", named["path"]
    if item.archived == "start":
        yield "⊖ ", named["dim"]
    for mark in item.marks:
        yield f"⚠ {mark} ", named["mark"]
    if pending:
        yield f"[{item.label or 'no label'} · {PENDING}] ", named["label"]
    elif item.label:
        yield f"[{item.label}] ", named["label"]
        if label_times and item.label_time:
            yield f"{item.label_time} ", named["dim"]
