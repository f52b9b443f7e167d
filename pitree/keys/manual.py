"""The table of keys as text: for `pitree keys`, and for the manual."""

from __future__ import annotations

from collections.abc import Iterator

from pitree.keys.action import Action, KeyContext
from pitree.keys.keytable import MANY, KeyTable, actions_of
from pitree.keys.names import spelled


def words_of(action: Action) -> str:
    """The help's sentence for an action, or for the group of neighbours it belongs to."""
    if action.help:
        return action.help
    same = [other for other in actions_of(action.place) if other.words == action.words and other.help]
    return same[0].help if same else action.words


def written(keys: tuple[str, ...]) -> str:
    """Keys as the config file has them, beside one another; a dash for none."""
    if len(keys) > MANY:
        return f"{spelled(keys[0])} … {spelled(keys[-1])}"
    return "  ".join(map(spelled, keys)) or "—"


def key_lines(table: KeyTable) -> Iterator[tuple[KeyContext | None, str, str, str]]:
    """The lines of the table: a heading has a place only, an action its name, its keys and its words.

    Of one whose keys are not the default ones, the words tell so, and the file that says it.
    """
    for place in KeyContext:
        actions = list(actions_of(place))
        if actions:
            yield place, "", "", ""
        for action in actions:
            keys = table.of(action)
            words = words_of(action)
            if keys != action.keys:
                where = table.places.get(action.id)
                words += f" (by default {written(action.keys)}{f'; {where}' if where else ''})"
            yield None, action.id, written(keys), words
