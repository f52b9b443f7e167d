"""The window of a comparison: two branches side by side, turn by turn, then the files each changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from rich.segment import Segment
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.strip import Strip
from textual.widgets import Static

from pitree.entry.compare import Comparison, Side, Turn
from pitree.outline.row_words import row_line
from pitree.text.cells import cell_len, cut, pad
from pitree.text.figures import counted, money
from pitree.text.sanitize import visible
from pitree.text.wrap import wrap
from pitree.ui.toolkit import keys
from pitree.ui.toolkit.line_list import LineList
from pitree.ui.toolkit.window import Window

_GAP = " │ "
_PROMPT_LINES = 6
_ANSWER_LINES = 12
_FILE_LINES = 8


@dataclass(frozen=True, slots=True)
class CompareTarget:
    """An entry of one of the sides to go to."""

    path: Path | None
    entry_id: str


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of both columns: texts, their style, and the entries they lead to (-1 for none)."""

    left: str = ""
    right: str = ""
    style: str = ""
    at_left: int = -1
    at_right: int = -1


class CompareLines(LineList):
    """The lines of a comparison. One of the columns is the chosen one."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        *("compare--prompt", "compare--files", "compare--heading", "compare--gap", "compare--dim"),
    }
    wraps = False

    def __init__(self, comparison: Comparison) -> None:
        super().__init__()
        self.comparison = comparison
        self.side = 1
        self._lines: list[_Line] = []
        self._laid_out = 0

    def row_count(self) -> int:
        return len(self._lines)

    def empty_text(self) -> str:
        return "Nothing to compare: neither side has messages of its own."

    def on_resize(self) -> None:
        width = (self.scrollable_content_region.width - 3 - cell_len(_GAP)) // 2
        if width > 0 and width != self._laid_out:
            self._laid_out = width
            self._lines = lay_out(self.comparison, width)
            self.rows_changed()
        super().on_resize()

    def choose_side(self, side: int) -> None:
        """Choose a column: 0 is the left one."""
        self.side = side
        self.redraw()

    def target(self, row: int) -> int:
        """The entry a line leads to in the chosen column; -1 for none."""
        line = self._lines[row]
        return line.at_left if self.side == 0 else line.at_right

    def render_row(self, row: int, width: int, selected: bool, focused: bool) -> Strip:
        line = self._lines[row]
        style = self.style_of(f"compare--{line.style}") if line.style else None
        dim = self.style_of("compare--gap")
        column = self._laid_out
        signs = ["›" if selected and self.side == side else " " for side in (0, 1)]
        return Strip(
            [
                Segment(f"{signs[0]} "),
                Segment(pad(cut(line.left, column), column), style),
                Segment(f" {signs[1] if signs[1] != ' ' else '│'} ", dim),
                Segment(pad(cut(line.right, column), column), style),
            ]
        )


def lay_out(comparison: Comparison, width: int) -> list[_Line]:
    """The lines of a comparison for columns of so many cells."""
    lines: list[_Line] = []
    for left, right in comparison.pairs:
        if lines:
            lines.append(_Line())
        lines += _turns(left, right, width)
    files = comparison.files()
    if files:
        lines += [_Line(), _Line("files changed", "files changed", "heading")]
    for name, mine, theirs in files:
        shown = visible(name)
        lines.append(
            _Line(
                f"{shown} · {mine}" if mine else "",
                f"{shown} · {theirs}" if theirs else "",
                "files",
                comparison.left.index if mine else -1,
                comparison.right.index if theirs else -1,
            )
        )
    return lines


def _turns(left: Turn | None, right: Turn | None, width: int) -> list[_Line]:
    """Two turns: prompts, answers and changed files begin on the same line on both sides."""
    blocks = []
    for style, most in (("prompt", _PROMPT_LINES), ("", _ANSWER_LINES), ("files", _FILE_LINES)):
        columns = [_block(turn, style, most, width) for turn in (left, right)]
        at = [_index(turn, style) for turn in (left, right)]
        for place in range(max(map(len, columns))):
            texts = [column[place] if place < len(column) else "" for column in columns]
            blocks.append(_Line(texts[0], texts[1], style, at[0], at[1]))
    return blocks


def _index(turn: Turn | None, style: str) -> int:
    if turn is None:
        return -1
    return turn.answered if not style and turn.answered >= 0 else turn.index


def _block(turn: Turn | None, style: str, most: int, width: int) -> list[str]:
    if turn is None:
        return []
    if style == "files":
        return _shortened([f"  {visible(name)} · {count}" for name, count in turn.files.items()], most)
    said = turn.prompt if style == "prompt" else turn.answer
    lines = []
    for line in visible(said.strip(), keep_newlines=True).split("\n") if said.strip() else ():
        lines += [line[start:end] for start, end in wrap(line, width, words=True)]
        if len(lines) > most:
            break
    return _shortened(lines, most)


def _shortened(lines: list[str], most: int) -> list[str]:
    return lines if len(lines) <= most else [*lines[: most - 1], "…"]


def told(side: Side) -> str:
    """What a side is, in a line."""
    cost = f" · {money(side.usage.cost)}" if side.usage.cost else ""
    files = f" · {counted(len(side.files), 'file')} changed" if side.files else ""
    return f"{counted(side.entries, 'entry', 'entries')}{cost}{files}"


class CompareWindow(Window[CompareTarget]):
    """A comparison. Enter gives the entry of a line in the chosen column, Esc gives None."""

    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings(keys.KeyContext.COMPARE, keys.KeyContext.TABLE)]
    PLACES = (keys.KeyContext.COMPARE, keys.KeyContext.TABLE, keys.KeyContext.LIST)

    def __init__(self, comparison: Comparison) -> None:
        super().__init__()
        self._comparison = comparison
        self._lines = CompareLines(comparison)

    def compose(self) -> ComposeResult:
        comparison = self._comparison
        common = comparison.common
        parted = (
            f"they diverge after {row_line(comparison.left.session.table, common)}"
            if common >= 0
            else ("they have no entry in common")
        )
        above = [
            f"left   {row_line(comparison.left.session.table, comparison.left.index)}",
            f"       {told(comparison.left)}",
            f"right  {row_line(comparison.right.session.table, comparison.right.index)}",
            f"       {told(comparison.right)}",
            parted,
        ]
        with Vertical(id="window") as window:
            window.border_title = Content("Comparison")
            yield Static(Content("\n".join(above)), markup=False, id="above")
            yield self._lines

    def on_mount(self) -> None:
        self._lines.focus()

    @on(LineList.Chosen)
    def _row_chosen(self, event: LineList.Chosen) -> None:
        event.stop()
        index = self._lines.target(event.row)
        side = self._comparison.left if self._lines.side == 0 else self._comparison.right
        if index < 0:
            self.app.bell()
        else:
            self.dismiss(CompareTarget(side.session.path, side.session.table.ids[index]))

    def words_of_keys(self) -> Mapping[str, str]:
        return {"list.up": "", "list.page_up": ""}

    def action_side(self, side: int) -> None:
        self._lines.choose_side(side)

    def action_go(self) -> None:
        self._lines.action_choose()
