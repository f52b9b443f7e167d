"""The help: every key of where the reader is, from the table of keys; the manual is one key away."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import ClassVar

from textual.binding import BindingType

from pitree.ui.toolkit import keys
from pitree.ui.toolkit.text_window import ReadingWindow, TextItem


class HelpWindow(ReadingWindow, inherit_bindings=False):
    """The window that tells the keys of some places.

    Args:
        places: the places, the nearest to the focus first.
        table: the keys that hold.
        without: names of actions that are left out.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings(keys.KeyContext.HELP, keys.KeyContext.DIALOG)]

    def __init__(
        self,
        places: Sequence[keys.KeyContext],
        table: keys.KeyTable = keys.DEFAULT,
        without: Container[str] = (),
    ) -> None:
        super().__init__("Keys", list(help_items(places, table, without)), "No matching key.")

    def places_of_keys(self) -> tuple[keys.KeyContext, ...]:
        return (keys.KeyContext.HELP, *super().places_of_keys())

    def words_of_keys(self) -> Mapping[str, str]:
        return {**super().words_of_keys(), "dialog.help": ""}

    def action_help(self) -> None:
        """The key that opened it closes it."""
        self.dismiss(None)

    def action_manual(self) -> None:
        from pitree.ui.windows.manual_topics import show_manual

        show_manual(self)


def help_items(
    places: Sequence[keys.KeyContext], table: keys.KeyTable = keys.DEFAULT, without: Container[str] = ()
) -> Iterator[TextItem]:
    """A heading for each place and a line for each of its keys."""
    before: keys.KeyContext | None = None
    for hint in table.hints(*places):
        place = hint.actions[0].place
        if hint.actions[0].id in without:
            continue
        if place is not before:
            yield TextItem(place.heading, heading=True)
            before = place
        yield TextItem(hint.help, word=hint.all_signs)
