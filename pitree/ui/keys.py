"""The keys: one table of actions, from which Textual's bindings, the footer and the help are made.

To add a key: one `Action` in `ACTIONS`, and an `action_…` method on the widget of its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from textual.binding import Binding


class Place(StrEnum):
    """Where an action applies. `LIST` is every list of rows: the tree and the picker alike."""

    GLOBAL = "global"
    LIST = "list"
    TREE = "tree"
    PICKER = "picker"
    DETAIL = "detail"
    SEARCH = "search"
    DIALOG = "dialog"

    @property
    def heading(self) -> str:
        """Heading of the place in the help."""
        return _TITLES[self]


_TITLES = {
    Place.GLOBAL: "Everywhere",
    Place.LIST: "Moving in a list",
    Place.TREE: "Tree",
    Place.PICKER: "Sessions",
    Place.DETAIL: "Entry",
    Place.SEARCH: "In a search box",
    Place.DIALOG: "In a dialog",
}


@dataclass(frozen=True, slots=True)
class Action:
    """One thing a key does.

    Neighbours in the table with the same `words` share one cell of the footer and one line of the
    help ("↑↓ move"). `rank` orders the footer: 1 is dropped last, 0 is never shown there.
    """

    id: str
    """Stable name, also the name under which the key can be changed."""
    keys: tuple[str, ...]
    """Default keys in Textual's spelling; the first is the one shown."""
    action: str
    """Textual action, with arguments where it has some."""
    words: str
    """One or two words for the footer."""
    help: str
    """A sentence for the help."""
    place: Place
    rank: int = 0


ACTIONS: tuple[Action, ...] = (
    Action("list.up", ("up", "k"), "cursor_up", "move", "Move to the row above or below", Place.LIST, 1),
    Action(
        "list.down", ("down", "j"), "cursor_down", "move", "Move to the row above or below", Place.LIST, 1
    ),
    Action(
        "list.page_up", ("left", "pageup"), "page_up", "page", "Go up or down by a screenful", Place.LIST, 8
    ),
    Action(
        "list.page_down",
        ("right", "pagedown"),
        "page_down",
        "page",
        "Go up or down by a screenful",
        Place.LIST,
        8,
    ),
    Action("list.first", ("home", "g"), "cursor_first", "ends", "Go to the first or last row", Place.LIST),
    Action("list.last", ("end", "G"), "cursor_last", "ends", "Go to the first or last row", Place.LIST),
)


def actions_of(*places: Place) -> Iterator[Action]:
    """Actions of the given places, in the order of the table."""
    return (action for action in ACTIONS if action.place in places)


def bindings(*places: Place) -> list[Binding]:
    """Textual bindings of the given places, to put into a widget's `BINDINGS`."""
    return [
        Binding(",".join(action.keys), action.action, action.words, show=False, id=action.id)
        for action in actions_of(*places)
    ]


_SIGNS = {
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
    "enter": "⏎",
    "escape": "Esc",
    "tab": "Tab",
    "backspace": "⌫",
    "delete": "Del",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "home": "Home",
    "end": "End",
    "space": "Space",
    "slash": "/",
    "full_stop": ".",
    "question_mark": "?",
    "exclamation_mark": "!",
}


def key_sign(key: str) -> str:
    """A key as people read it: `^o` for ctrl+o, `↑` for up, `T` for shift+t."""
    *modifiers, name = key.split("+")
    sign = _SIGNS.get(name, name)
    if "shift" in modifiers and len(name) == 1 and len(modifiers) == 1:
        return name.upper()
    marks = {"ctrl": "^", "alt": "alt+", "shift": "shift+"}
    return "".join(marks.get(modifier, f"{modifier}+") for modifier in sorted(modifiers, reverse=True)) + sign


def joined_signs(keys: Iterable[str]) -> str:
    """Several keys as one word: `↑↓`, `n/N`; arrows stand together, other keys are parted by a slash."""
    signs = [key_sign(key) for key in keys]
    return ("" if all(len(sign) == 1 and not sign.isalnum() for sign in signs) else "/").join(signs)
