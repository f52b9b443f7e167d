"""The keys as widgets, footer and help use them, made from the one table of actions (`keys/actions.py`).

Bindings are made with the default keys; Textual puts the keys that hold in their place (`PitreeApp.keys`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from textual.binding import Binding

from pitree.keys.action import Action as Action
from pitree.keys.action import KeyContext as KeyContext
from pitree.keys.actions import ACTIONS as ACTIONS
from pitree.keys.keytable import Hint as Hint
from pitree.keys.keytable import KeyTable as KeyTable
from pitree.keys.keytable import actions_of as actions_of
from pitree.keys.names import is_typed
from pitree.keys.names import joined_signs as joined_signs
from pitree.keys.names import key_sign as key_sign
from pitree.keys.names import spell_out as spell_out

if TYPE_CHECKING:
    from textual.events import Key

DEFAULT = KeyTable()
NO_KEY = "no_key"
"""What Textual is told for an action without a key; no terminal sends it."""


class HasApp(Protocol):
    """A widget, or a screen."""

    @property
    def app(self) -> Any: ...


def table_of(node: HasApp) -> KeyTable:
    """The keys that hold in the app of a widget."""
    table = getattr(node.app, "keys", DEFAULT)
    return table if isinstance(table, KeyTable) else DEFAULT


def types(node: HasApp, event: Key, *places: KeyContext) -> bool:
    """Whether a key, pressed in rows of these places, types a character into the search, as in Pi."""
    table = table_of(node)
    return (
        table.typing
        and "+" not in event.key
        and event.is_printable
        and table.action_for(event.key, *places) is None
    )


def key_label(node: HasApp, *names: str) -> str:
    """The first keys of actions as people read them, for words on the screen: `Tab or a`.

    Those without a key are left out; if none has one, it is the last one's name. Where characters search at
    once, a key that types nothing comes first.
    """
    table = table_of(node)
    first = []
    for keys in filter(None, map(table.named, names)):
        first.append(next((key for key in keys if not (table.typing and is_typed(key))), keys[0]))
    return " or ".join(map(key_sign, dict.fromkeys(first))) or names[-1]


def textual_keymap(table: KeyTable) -> dict[str, str]:
    """The keys that are not the default ones, as Textual takes them."""
    return {name: ",".join(keys) or NO_KEY for name, keys in table.keys.items()}


def bindings(*places: KeyContext) -> list[Binding]:
    """Textual bindings of the given places, to put into a widget's `BINDINGS`."""
    return [
        Binding(
            ",".join(action.keys) or NO_KEY,
            action.action,
            action.words,
            show=False,
            priority=action.always,
            id=action.id,
        )
        for action in actions_of(*places)
        if action.action
    ]


def fitting(shown: list[Hint], width: int, between: int = 2) -> list[Hint]:
    """The hints a line of `width` cells has room for: the highest ranks, in their given order.

    Args:
        shown: the hints.
        width: cells of the line.
        between: cells between two hints.
    """
    kept: set[int] = set()
    room = width
    for hint in sorted((hint for hint in shown if hint.rank), key=lambda hint: hint.rank):
        room -= len(hint.signs) + 1 + len(hint.words) + between
        if room < -between:
            break
        kept.add(id(hint))
    return [hint for hint in shown if id(hint) in kept]


def window_hint(
    table: KeyTable, places: Sequence[KeyContext], width: int, words: Mapping[str, str], typing: bool
) -> str:
    """The keys of a window as a line: `⏎ save   Esc back`.

    Args:
        table: the keys that hold.
        places: the places whose keys apply, the nearest first.
        width: cells there is room for.
        words: action's name → other words for it than the table's; empty leaves it out.
        typing: whether one types in the window, so that keys that type do nothing else.
    """
    shown: list[Hint] = []
    for hint in table.hints(*places):
        first = hint.actions[0]
        said = words.get(first.id, hint.words if hint.rank else "")
        keys = tuple(tuple(key for key in keys if not (typing and is_typed(key))) for keys in hint.keys)
        if said and any(keys):
            if not hint.rank:  # shown here only, and the first key says enough
                keys = (keys[0],)
            actions = tuple(replace(action, rank=action.rank or 3) for action in hint.actions[: len(keys)])
            shown.append(Hint(said, actions, keys))
    return "   ".join(f"{hint.signs} {hint.words}" for hint in fitting(shown, width, 3))
