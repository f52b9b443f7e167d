"""The list of the manual's topics, found by what is said in them."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from textual.binding import BindingType
from textual.content import Content
from textual.strip import Strip

from pitree.docs.topics import TOPICS, title_of
from pitree.query.language.query import Query
from pitree.text.cells import cell_len, cut, pad
from pitree.text.figures import counted
from pitree.ui.toolkit import keys
from pitree.ui.toolkit.background import in_thread
from pitree.ui.toolkit.line_list import LineList
from pitree.ui.toolkit.list_window import SearchedWindow
from pitree.ui.windows.manual_page import ManualWindow
from pitree.ui.windows.manual_parts import CommandHelps, text_of, topic_parts

_TEXT_WIDTH = 100


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic of the list.

    Attributes:
        name: its name.
        title: its heading.
        matches: how often its text says what is looked for.
    """

    name: str
    title: str
    hits: int = 0


class TopicList(LineList):
    """One topic a row: name, title, matches."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"topic--name", "topic--hits"}

    def __init__(self) -> None:
        super().__init__()
        self.topics: list[Topic] = []
        self.words = ""

    def row_count(self) -> int:
        return len(self.topics)

    def empty_text(self) -> str:
        return self.words

    def render_row(self, row: int, width: int, selected: bool, focused: bool) -> Strip:
        topic = self.topics[row]
        name = pad(topic.name, max(map(len, TOPICS)) + 2)
        hits = counted(topic.hits, "match", "matches") if topic.hits else ""
        room = max(0, width - 3 - cell_len(name) - (cell_len(hits) + 2 if hits else 0))
        return Strip(
            [
                Segment("› " if selected else "  "),
                Segment(name, self.style_of("topic--name")),
                Segment(pad(cut(topic.title, room), room)),
                Segment(f"  {hits}" if hits else "", self.style_of("topic--hits")),
            ]
        )


class TopicsWindow(SearchedWindow[None]):
    """The topics. Enter opens one, and Esc there comes back to here.

    Args:
        table: the keys that hold.
        helps: gives the helps of the commands.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings(keys.KeyContext.TOPICS)]
    PLACES = (keys.KeyContext.TOPICS,)

    def __init__(self, table: keys.KeyTable, helps: CommandHelps) -> None:
        self.rows = TopicList()
        super().__init__("search the manual", self.rows)
        self._table = table
        self._helps = helps
        self._texts: dict[str, str] = {}

    def on_mount(self) -> None:
        self.query_one("#window").border_title = Content("Manual")
        self._show()
        in_thread(self, "search the manual", self._read, group="topics")

    def _read(self) -> None:
        """Read all topics, to look for words in them, and load what draws a page."""
        texts = {
            topic: text_of(topic_parts(topic, self._table, self._helps, _TEXT_WIDTH)) for topic in TOPICS
        }
        self.app.call_from_thread(self._take, texts)
        importlib.import_module("pitree.ui.entry.styling.markdown")

    def _take(self, texts: dict[str, str]) -> None:
        self._texts = texts
        if self.is_open and self.box.text:
            self._show()

    def _show(self) -> None:
        query = Query.parse(self.box.text)
        shown = []
        for name in TOPICS:
            topic = Topic(name, title_of(name))
            if not query.empty and not query.error:
                text = self._texts.get(name, "")
                if not query.matches(f"{name} {topic.title} {text}".lower()):
                    continue
                topic = Topic(name, topic.title, len(query.spans(text)))
            shown.append(topic)
        close = keys.key_label(self, "dialog.close")
        self.rows.topics = [] if query.error else shown
        self.rows.words = query.error or f"No match in the manual. {close} clears the search."
        self.rows.rows_changed(0)

    def edited(self) -> None:
        self._show()

    def choose(self, row: int) -> None:
        if 0 <= row < len(self.rows.topics):
            topic = self.rows.topics[row]
            find = self.box.text if topic.hits else ""
            self.app.push_screen(ManualWindow(topic.name, self._table, self._helps, find))


def show_manual(node: keys.HasApp, topic: str | None = None) -> None:
    """Show a topic of the manual, or the list of them, over the screen of a widget's app."""
    app = node.app
    table, helps = app.keys, app.options.command_helps
    app.push_screen(TopicsWindow(table, helps) if topic is None else ManualWindow(topic, table, helps))
