"""The help: every key of where the reader is, from the table of keys."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pitree.ui import keys
from pitree.ui.dialog import Item, ReadingWindow


def help_window(places: Sequence[keys.Place], table: keys.KeyTable = keys.DEFAULT) -> ReadingWindow:
    """The window that tells the keys of these places, the nearest to the focus first.

    Args:
        places: the places.
        table: the keys that hold.
    """
    return ReadingWindow("Keys", list(help_items(places, table)), "No key does that. Esc clears the search.")


def help_items(places: Sequence[keys.Place], table: keys.KeyTable = keys.DEFAULT) -> Iterator[Item]:
    """A heading for each place and a line for each of its keys."""
    before: keys.Place | None = None
    for hint in table.hints(*places):
        place = hint.actions[0].place
        if place is not before:
            yield Item(place.heading, heading=True)
            before = place
        yield Item(hint.help, word=hint.all_signs)
