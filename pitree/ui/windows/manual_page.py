"""A page of the manual: a topic, scrolled, searched and folded as an entry is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.worker import get_current_worker

from pitree.docs.topics import TOPICS, title_of
from pitree.entry.parts import Part
from pitree.text.sanitize import visible
from pitree.ui.entry.document.document import StyleRequest
from pitree.ui.entry.document.lines import Row
from pitree.ui.entry.document.sections import LayoutStyle, lay_out
from pitree.ui.entry.pane.parts_view import PartsView
from pitree.ui.entry.styling.style_cache import fulfil
from pitree.ui.toolkit import keys
from pitree.ui.toolkit.background import in_thread
from pitree.ui.toolkit.search_box import SearchBox
from pitree.ui.toolkit.window import Window
from pitree.ui.windows.manual_parts import CommandHelps, topic_parts

_NOT_HERE = frozenset(
    {
        *("detail.transcript", "detail.refer", "detail.raw", "detail.copy", "detail.copy_part"),
        *("detail.copy_path", "detail.edit", "detail.picture", "detail.picture_here"),
    }
)
"""What the entry pane does with an entry, and a page of the manual does not."""


class TopicView(PartsView):
    """A topic. It is made in a thread, for the width there is."""

    BINDINGS: ClassVar[list[BindingType]] = [
        binding for binding in keys.bindings(keys.KeyContext.DETAIL) if binding.id not in _NOT_HERE
    ]

    class LoadedTopic(Message):
        """A topic, ready to be shown; what is in view at first is styled already."""

        def __init__(
            self,
            topic: str,
            look: LayoutStyle,
            parts: list[Part],
            styled: Sequence[tuple[StyleRequest, list[Row] | None]],
        ) -> None:
            super().__init__()
            self.topic = topic
            self.look = look
            self.parts = parts
            self.styled = styled

    def __init__(self, table: keys.KeyTable, helps: CommandHelps) -> None:
        super().__init__()
        self._table = table
        self._helps = helps
        self._topic = ""
        self._made: tuple[str, int] | None = None

    def show_topic(self, topic: str) -> None:
        """Show a topic from its beginning."""
        self._topic = topic
        self._make()

    def on_resize(self) -> None:
        super().on_resize()
        self._make()

    def _make(self) -> None:
        look = self.look
        if not self._topic or self.rows_in_view <= 0 or self._made == (self._topic, look.width):
            return
        in_thread(
            self,
            "show this manual page",
            partial(self._work, self._topic, look, self.rows_in_view),
            group="topic",
            exclusive=True,
            failed=lambda failure: self.show_text(visible(failure.words)),
        )

    def _work(self, topic: str, look: LayoutStyle, rows: int) -> None:
        worker = get_current_worker()
        parts = topic_parts(topic, self._table, self._helps, look.width)
        styled = []
        for _, wish in lay_out(parts, {}, look, lambda wish: None).wishes(0, rows):
            if worker.is_cancelled:
                return
            styled.append((wish, fulfil(wish, look.palette)))
        self.post_message(self.LoadedTopic(topic, look, parts, styled))

    @on(LoadedTopic)
    def _was_made(self, event: LoadedTopic) -> None:
        event.stop()
        if event.topic != self._topic:
            return
        if event.look.palette == self.palette:
            for wish, rows in event.styled:
                self._styled.keep(wish, rows, event.look.palette)
        again = self._made is not None and self._made[0] == event.topic
        self._made = event.topic, event.look.width
        self.show_parts(event.parts, keep=again)
        if not again:
            self._search.go_to_first()


class ManualWindow(Window[None], inherit_bindings=False):
    """A page of the manual. Esc ends what is looked for, then goes back.

    Args:
        topic: the topic to start with.
        table: the keys that hold.
        helps: gives the helps of the commands.
        find: what to look for in it.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings(keys.KeyContext.MANUAL, keys.KeyContext.DIALOG)]
    PLACES = (keys.KeyContext.MANUAL, keys.KeyContext.DETAIL)
    NOT_HERE = _NOT_HERE
    AUTO_FOCUS = ""

    def __init__(self, topic: str, table: keys.KeyTable, helps: CommandHelps, find: str = "") -> None:
        super().__init__()
        self._topic = topic
        self._find = find
        self.page = TopicView(table, helps)
        self.box = SearchBox('words, "a phrase" or re:pattern, in this page', id="find")

    def compose(self) -> ComposeResult:
        with Vertical(id="window"):
            yield self.page
            yield self.box

    def on_mount(self) -> None:
        if self._find:
            self.box.text = self._find
            self.box.add_class("-open")
        self.set_focus(self.page)
        self._show()

    def _show(self) -> None:
        self.page.show_topic(self._topic)
        self.query_one("#window").border_title = Content(f"Manual · {title_of(self._topic)}")

    def words_of_keys(self) -> Mapping[str, str]:
        shown = ("detail.find", "manual.next", "dialog.close", "dialog.help")
        return {action.id: "" for action in keys.ACTIONS if action.id not in shown}

    def action_topic(self, step: int) -> None:
        """Go to the next or previous topic."""
        self._topic = TOPICS[(TOPICS.index(self._topic) + step) % len(TOPICS)]
        self._show()

    def action_leave(self) -> None:
        """End what is looked for, else go back."""
        if self.box.text or self.box.field.has_focus:
            self.box.text = ""
            self.box.close()
            self.set_focus(self.page)
        else:
            self.dismiss(None)

    def action_cancel(self) -> None:
        self.dismiss(None)

    # -- finding ----------------------------------------------------------------------------------

    @on(PartsView.FindRequested)
    def _find_requested(self) -> None:
        self.box.open()

    @on(SearchBox.Edited)
    def _find_edited(self, event: SearchBox.Edited) -> None:
        self.page.find(event.query)

    @on(SearchBox.Stepped)
    def _find_stepped(self, event: SearchBox.Stepped) -> None:
        self.page.action_hit(1 if event.step > 0 else -1)

    @on(SearchBox.Left)
    def _find_left(self) -> None:
        if not self.box.text:
            self.box.close()
        self.set_focus(self.page)

    @on(PartsView.HitsChanged)
    def _hits_changed(self) -> None:
        query = self.page.wanted
        self.box.show_found(self.page.hits_words, bad=query is not None and bool(query.error))
