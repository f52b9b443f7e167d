"""A window over the screen: its keys are in the table, its border tells them, its help lists them."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import ClassVar, TypeVar

from textual import events
from textual.await_complete import AwaitComplete
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message
from textual.screen import ModalScreen

from pitree.ui.toolkit import keys
from pitree.ui.toolkit.input_priority import redraw_after_key

Result = TypeVar("Result")


class HelpRequested(Message):
    """The reader wants to see the keys of a window; for the app.

    Attributes:
        places: the places whose keys apply, the nearest to the focus first.
        without: names of actions that do nothing in it.
    """

    def __init__(self, places: Sequence[keys.KeyContext], without: Container[str]) -> None:
        super().__init__()
        self.places = places
        self.without = without


class Window(ModalScreen[Result], inherit_bindings=False):
    """A window. Its frame is the widget `#window`, whose lower border holds the keys.

    A subclass has the bindings of its own place, and names in `PLACES` what of the table applies in it.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings(keys.KeyContext.DIALOG)]
    PLACES: ClassVar[tuple[keys.KeyContext, ...]] = ()
    """The places whose keys apply, the nearest to the focus first; those of all windows are added."""
    NOT_HERE: ClassVar[frozenset[str]] = frozenset()
    """Names of actions of these places that do nothing in it."""
    TYPES: ClassVar[bool] = False
    """Whether one always types somewhere in it."""

    _closing_window = False
    _postponed: tuple[Result | None] | None = None
    """The result to close with once no window covers this one."""

    @property
    def is_open(self) -> bool:
        """Whether the window is drawn and not closed. What is found for it may come after its end."""
        return self.is_mounted and self.is_attached and not self._closing_window

    def places_of_keys(self) -> tuple[keys.KeyContext, ...]:
        """The places whose keys apply, the nearest to the focus first."""
        return (*self.PLACES, keys.KeyContext.DIALOG, keys.KeyContext.APP)

    def words_of_keys(self) -> Mapping[str, str]:
        """Action's name → words for it in the border that are other than the table's; "" for none."""
        return {}

    def before_keys(self) -> str:
        """What is in the border before the keys."""
        return ""

    def tell_keys(self) -> None:
        """Put the keys that hold into the border, as many as there is room for."""
        if not self.is_open:
            return
        frame, before = self.query_one("#window"), self.before_keys()
        room = frame.outer_size.width - 6 - (len(before) + 3 if before else 0)
        hint = keys.window_hint(
            keys.table_of(self), self.places_of_keys(), room, self.words_of_keys(), self.TYPES
        )
        frame.border_subtitle = Content("   ".join(filter(None, (before, hint))))

    def on_idle(self) -> None:
        redraw_after_key(self)

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(self.tell_keys)

    def dismiss(self, result: Result | None = None) -> AwaitComplete:
        """Close the window; a second key that would close it, while it is closing, does nothing.

        A window that another one covers closes after that one: Textual would close the upper one instead,
        and leave this one open without a way out.
        """
        if self._closing_window:
            return AwaitComplete()
        if not self.is_active:
            self._postponed = (result,)
            return AwaitComplete()
        self._closing_window = True
        return super().dismiss(result)

    def on_screen_resume(self) -> None:
        if self._postponed is not None:
            self.dismiss(*self._postponed)

    def action_leave(self) -> None:
        self.dismiss(None)

    def action_cancel(self) -> None:
        """Leave at once, where leaving may mean something else first."""
        self.action_leave()

    def action_help(self) -> None:
        self.post_message(HelpRequested(self.places_of_keys(), self.NOT_HERE))
