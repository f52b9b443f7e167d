"""A small window over the screen with lines to read, searched by typing: the help, the notices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.content import Content
from textual.strip import Strip

from pitree.text.cells import cell_len, pad
from pitree.ui.toolkit import keys
from pitree.ui.toolkit.line_list import LineList
from pitree.ui.toolkit.list_window import SearchedWindow


@dataclass(frozen=True, slots=True)
class TextItem:
    """A line of a reading window: a heading, or a short word at the left of a sentence."""

    sentence: str
    word: str = ""
    heading: bool = False

    def matches(self, words: Sequence[str]) -> bool:
        """Whether all words (lower case) occur."""
        text = f"{self.word} {self.sentence}".lower()
        return all(word in text for word in words)


@dataclass(frozen=True, slots=True)
class _Line:
    """An item's line after wrapping; `word` is on the first of them only."""

    word: str
    text: str
    heading: bool


class ReadingLines(LineList):
    """The items, wrapped to the width, words in a column of their own where there is room for one."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"reading-lines--word", "reading-lines--heading"}

    def __init__(self, items: Sequence[TextItem], words_when_empty: str) -> None:
        super().__init__()
        self._items = list(items)
        self._words: list[str] = []
        self._empty = words_when_empty
        self._lines: list[_Line] = []
        self._laid_out: tuple[int, tuple[str, ...]] | None = None

    def row_count(self) -> int:
        return len(self._lines)

    def empty_text(self) -> str:
        clear = f" {keys.key_label(self, 'dialog.close')} clears the search." if self._words else ""
        return f"{self._empty}{clear}"

    def selectable(self, row: int) -> bool:
        """Nothing is: the lines are read, and moving scrolls them."""
        return False

    def step(self, direction: int, by_page: bool = False) -> None:
        self.scroll_relative(y=direction * (self.page_size if by_page else 1), animate=False)

    def narrow(self, query: str) -> None:
        """Show only the items in which all words of the query occur."""
        self._words = query.lower().split()
        self._lay_out()
        self.rows_changed(0)
        self.scroll_home(animate=False)

    def on_resize(self) -> None:
        self._lay_out()
        self.rows_changed()

    def _lay_out(self) -> None:
        width = self.scrollable_content_region.width
        wanted = (width, tuple(self._words))
        if width <= 0 or wanted == self._laid_out:
            return
        self._laid_out = wanted
        shown = self._shown()
        widest = max((cell_len(item.word) for item in shown), default=0)
        column = widest + 2 if widest and widest + 22 <= width else 0
        self._lines = []
        for item in shown:
            text = (
                item.sentence if column or item.heading or not item.word else f"{item.word}  {item.sentence}"
            )
            wrapped = [line.plain for line in Content(text).wrap(max(1, width - column - 1))] or [""]
            for number, line in enumerate(wrapped):
                word = ""
                if column and not item.heading:
                    word = pad(item.word if number == 0 else "", column)
                elif number == 0 and item.word and line.startswith(item.word):
                    word, line = item.word, line[len(item.word) :]
                self._lines.append(_Line(word, line, item.heading))

    def _shown(self) -> list[TextItem]:
        """Items that match, and the headings of those that do."""
        shown: list[TextItem] = []
        heading: TextItem | None = None
        for item in self._items:
            if item.heading:
                heading = item
            elif item.matches(self._words):
                if heading is not None:
                    shown += [TextItem(""), heading] if shown else [heading]
                    heading = None
                shown.append(item)
        return shown

    def render_row(self, row: int, width: int, selected: bool, focused: bool) -> Strip:
        line = self._lines[row]
        if line.heading:
            return Strip([Segment(line.text, self._style("heading"))])
        return Strip([Segment(line.word, self._style("word")), Segment(line.text)])

    def _style(self, name: str) -> Style:
        return self.style_of(f"reading-lines--{name}")


class ReadingWindow(SearchedWindow[None]):
    """A window with a title, a search box and lines. Esc clears the search, then closes."""

    def __init__(self, title: str, items: Sequence[TextItem], words_when_empty: str) -> None:
        self._lines = ReadingLines(items, words_when_empty)
        super().__init__("type to search", self._lines)
        self._title = title

    def on_mount(self) -> None:
        self.query_one("#window").border_title = Content(self._title)

    def words_of_keys(self) -> Mapping[str, str]:
        return {"dialog.close": "close"}

    def edited(self) -> None:
        self._lines.narrow(self.box.text)

    def choose(self, row: int) -> None:
        """Close: there is nothing to choose."""
        self.dismiss(None)
