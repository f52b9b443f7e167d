"""The editor for the summary of a branch that is being left; Pi can write it instead."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.widget import Widget
from textual.widgets import Static

from pitree.text.sanitize import visible
from pitree.ui.toolkit import keys
from pitree.ui.toolkit.asking_window import AskingWindow
from pitree.ui.toolkit.choice_window import TextField
from pitree.ui.toolkit.fields import LineField

_LOW = 21
"""A screen with fewer rows has no room for the whole window."""


@dataclass(frozen=True, slots=True)
class Summary:
    """A branch summary as edited.

    Attributes:
        text: the summary.
        label: a label for it; empty for none.
    """

    text: str
    label: str


class SummaryRequest:
    """A running request to Pi for a summary; see `pitree.ui.main.edit.pi_summary`."""

    def cancel(self) -> None:
        """End it."""


AskPi = Callable[[Callable[[str], None], Callable[[str], None]], SummaryRequest]
"""Starts asking Pi: called with what takes the summary and what takes an error, both on the app's loop."""


class SummaryWindow(AskingWindow[Summary]):
    """A summary to edit, with a label. ctrl+s gives both, Esc gives None.

    Args:
        paragraphs: what will happen.
        draft: the text it starts with.
        ask_pi: lets Pi write the summary; None where Pi is not at hand.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings(keys.KeyContext.SUMMARY)]
    PLACES = (keys.KeyContext.SUMMARY,)
    TYPES = True

    def __init__(
        self, paragraphs: Iterable[str | tuple[str, str]], draft: str, ask_pi: AskPi | None = None
    ) -> None:
        super().__init__("Summary of the old branch", paragraphs)
        self._text = TextField(draft, soft_wrap=True, compact=True, tab_behavior="focus", classes="tall")
        self._label = LineField(placeholder="label for the summary (optional)", select_on_focus=False)
        self._state = Static("", markup=False, classes="wrong")
        self._ask_pi = ask_pi
        self._asking: SummaryRequest | None = None

    def fields(self) -> Sequence[Widget]:
        return (self._text, self._label, self._state)

    def words_of_keys(self) -> Mapping[str, str]:
        return {"dialog.next": "label", **({} if self._ask_pi else {"summary.ask": ""})}

    def on_mount(self) -> None:
        self._text.focus()

    def on_unmount(self) -> None:
        """Nobody waits for Pi any more, perhaps because pitree ends."""
        if self._asking is not None:
            self._asking.cancel()

    def on_resize(self, event: events.Resize) -> None:
        """On a low screen the text gives way, so that the label stays in sight."""
        self.set_class(event.size.height < _LOW, "-low")

    @property
    def _way_out(self) -> str:
        return keys.key_label(self, "dialog.close")

    def action_save(self) -> None:
        text = self._text.text.strip()
        if not text:
            self._say(f"The summary is empty; {self._way_out} and move without one.")
            return
        self._stop()
        self.dismiss(Summary(text, self._label.value.strip()))

    def action_ask(self) -> None:
        if self._ask_pi is None:
            self._say("pi is not on the PATH.")
        elif self._asking is None:
            self._say(f"Pi is writing the summary … {self._way_out} cancels")
            self._text.read_only = True
            self._asking = self._ask_pi(self._written, self._failed)

    def action_leave(self) -> None:
        if self._asking is not None:
            self._stop()
            self._say("Canceled; the draft is unchanged.")
        else:
            self.dismiss(None)

    def _written(self, text: str) -> None:
        if self._asking is not None:
            self._done()
            self._text.text = text
            self._say("Written by Pi; you can edit it.")

    def _failed(self, reason: str) -> None:
        if self._asking is not None:
            self._done()
            self._say(f"Pi failed: {visible(reason)}")

    def _stop(self) -> None:
        if self._asking is not None:
            self._asking.cancel()
            self._done()

    def _done(self) -> None:
        self._asking = None
        self._text.read_only = False

    def _say(self, words: str) -> None:
        self._state.update(words)
