"""A one-line search box: the query as it is typed, and what it found, on one line."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Input, Static

from pitree.ui.toolkit import keys
from pitree.ui.toolkit.fields import LineField


class SearchBox(Horizontal):
    """`/ query …   14 hits`: letters are letters here; the arrows go to the rows below.

    A box with the class `closing` takes no room until it is opened.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings(keys.KeyContext.SEARCH)]

    @property
    def KEY_PLACES(self) -> tuple[keys.KeyContext, ...]:
        """The places whose keys apply while typing."""
        return (keys.KeyContext.SEARCH,)

    class Edited(Message):
        """The query is another now."""

        def __init__(self, box: SearchBox, query: str) -> None:
            super().__init__()
            self.box = box
            self.query = query

        @property
        def control(self) -> SearchBox:
            return self.box

        def can_replace(self, message: Message) -> bool:
            """Only the newest query is worth searching for."""
            return isinstance(message, SearchBox.Edited) and message.box is self.box

    class Left(Message):
        """The reader is done with the box (Enter, or Esc with nothing in it); the rows want the focus.

        Attributes:
            accepted: whether by Enter.
        """

        def __init__(self, box: SearchBox, *, accepted: bool) -> None:
            super().__init__()
            self.box = box
            self.accepted = accepted

        @property
        def control(self) -> SearchBox:
            return self.box

    class Stepped(Message):
        """Move among the rows without leaving the box: by so many rows, or screenfuls."""

        def __init__(self, box: SearchBox, step: int, by_page: bool = False) -> None:
            super().__init__()
            self.box = box
            self.step = step
            self.by_page = by_page

        @property
        def control(self) -> SearchBox:
            return self.box

    def __init__(self, placeholder: str, *, id: str | None = None) -> None:
        super().__init__(id=id, classes="search-box")
        self._input = LineField(placeholder=placeholder, compact=True, select_on_focus=False)
        self._found = Static("", markup=False, classes="found")
        self._told = ""

    def compose(self) -> ComposeResult:
        yield Static("/", classes="sign")
        yield self._input
        yield self._found

    @property
    def field(self) -> LineField:
        """What is typed into."""
        return self._input

    @property
    def text(self) -> str:
        """The query as typed."""
        return self._input.value

    @text.setter
    def text(self, text: str) -> None:
        self._input.value = text

    def show_found(self, found: str, *, bad: bool = False) -> None:
        """Say beside the query what it found, or what is wrong with it."""
        if found != self._told:  # an update lays out the pane anew
            self._told = found
            self._found.update(found)
        self._found.set_class(bad, "bad")

    def type(self, text: str) -> None:
        """Add to the query what was typed elsewhere; the focus stays there."""
        self.add_class("-open")
        self.text += text

    def erase(self) -> None:
        """Take the last character off the query."""
        self.text = self.text[:-1]

    def close(self) -> None:
        """Take no room any more, as long as nothing is searched for."""
        self.remove_class("-open")

    def open(self) -> None:
        """Show the box and put the text cursor at the end of the query."""
        self.add_class("-open")
        self.screen.set_focus(self._input, scroll_visible=False)  # at once, for what is typed next
        self._input.cursor_position = len(self._input.value)

    @on(Input.Changed)
    def _edited(self, event: Input.Changed) -> None:
        event.stop()
        self.set_class(bool(event.value), "-filled")
        self.post_message(self.Edited(self, event.value))

    def action_accept(self) -> None:
        self.post_message(self.Left(self, accepted=True))

    def action_cancel(self) -> None:
        if self.text:
            self.text = ""
        else:
            self.post_message(self.Left(self, accepted=False))

    def action_step(self, step: int) -> None:
        self.post_message(self.Stepped(self, step))

    def action_page(self, step: int) -> None:
        self.post_message(self.Stepped(self, step, by_page=True))
