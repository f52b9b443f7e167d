"""The help: every key of where the reader is, from the table of keys."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pitree.ui import keys
from pitree.ui.dialog import Item, ReadingWindow


def help_window(places: Sequence[keys.Place]) -> ReadingWindow:
    """The window that tells the keys of these places, the nearest to the focus first."""
    return ReadingWindow("Keys", list(help_items(places)), "No key does that. Esc clears the search.")


def help_items(places: Sequence[keys.Place]) -> Iterator[Item]:
    """A heading for each place and a line for each of its keys."""
    for place in places:
        hints = keys.hints(place)
        if hints:
            yield Item(place.heading, heading=True)
        for hint in hints:
            yield Item(hint.help, word=hint.all_signs)
