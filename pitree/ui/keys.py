"""The keys as widgets, footer and help use them, made from the one table of actions (`actions.py`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from textual.binding import Binding

from pitree.ui.action import Action as Action
from pitree.ui.action import Place as Place
from pitree.ui.actions import ACTIONS as ACTIONS


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
    "dollar_sign": "$",
    "asterisk": "*",
    "equals_sign": "=",
    "exclamation_mark": "!",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "left_curly_bracket": "{",
    "right_curly_bracket": "}",
}


_WORDS = {
    "up": "Up",
    "down": "Down",
    "left": "Left",
    "right": "Right",
    "enter": "Enter",
    "backspace": "Backspace",
}
"""What is said of keys where their signs cannot be shown."""

_spelled = False


def spell_out(spelled: bool) -> None:
    """Say words for keys from now on, or their signs again."""
    global _spelled
    _spelled = spelled


def hint_words(hint: str) -> str:
    """A hint with keys in it (`⏎ save   ⇥ label`), as it is shown on this terminal."""
    if _spelled:
        for sign, words in (("⏎", "Enter"), ("⇥", "Tab"), ("←→", "Left/Right")):
            hint = hint.replace(sign, words)
    return hint


def key_sign(key: str) -> str:
    """A key as people read it: `^o` for ctrl+o, `↑` for up, `N` for shift+n."""
    *modifiers, name = key.split("+")
    sign = (_WORDS.get(name) if _spelled else None) or _SIGNS.get(name, name)
    if modifiers == ["shift"] and len(name) == 1:
        return name.upper()
    return _modifier_signs(modifiers) + sign


def _modifier_signs(modifiers: list[str]) -> str:
    marks = {"ctrl": "^", "alt": "alt+", "shift": "shift+"}
    return "".join(marks.get(modifier, f"{modifier}+") for modifier in sorted(modifiers, reverse=True))


def joined_signs(keys: Iterable[str]) -> str:
    """Several keys as one word: `↑↓`, `n/N`, `^←→`; modifiers that all share are said once."""
    keys = list(keys)
    shared = {key.rpartition("+")[0] for key in keys}
    if len(keys) > 1 and len(shared) == 1 and "" not in shared:
        rest = joined_signs(key.rpartition("+")[2] for key in keys)
        return _modifier_signs(shared.pop().split("+")) + rest
    signs = [key_sign(key) for key in keys]
    return ("" if all(len(sign) == 1 and not sign.isalnum() for sign in signs) else "/").join(signs)


@dataclass(frozen=True, slots=True)
class Hint:
    """Neighbouring actions of the table that say the same words, as the footer and the help show them."""

    words: str
    actions: tuple[Action, ...]

    @property
    def signs(self) -> str:
        """The first key of each action that the footer shows."""
        shown = [action for action in self.actions if action.rank] or self.actions
        return joined_signs([action.keys[0] for action in shown])

    @property
    def all_signs(self) -> str:
        """Every key, the first ones first: `↑↓ k/j`."""
        rounds = max(len(action.keys) for action in self.actions)
        each = (
            joined_signs([action.keys[number] for action in self.actions if number < len(action.keys)])
            for number in range(rounds)
        )
        return " ".join(each)

    @property
    def help(self) -> str:
        """The sentence of the help."""
        return ". ".join(action.help for action in self.actions if action.help)

    @property
    def rank(self) -> int:
        """How long the footer keeps it; 0 never."""
        return max(action.rank for action in self.actions)


def hints(*places: Place) -> list[Hint]:
    """The actions of the places in the order of the table, those with the same words put together."""
    grouped: list[Hint] = []
    for action in actions_of(*places):
        last = grouped[-1] if grouped else None
        if last and last.words == action.words and last.actions[-1].place is action.place:
            grouped[-1] = Hint(last.words, (*last.actions, action))
        else:
            grouped.append(Hint(action.words, (action,)))
    return grouped


def fitting(shown: list[Hint], width: int) -> list[Hint]:
    """The hints a footer of `width` cells has room for: the highest ranks, in their given order."""
    kept: set[int] = set()
    room = width
    for hint in sorted((hint for hint in shown if hint.rank), key=lambda hint: hint.rank):
        room -= len(hint.signs) + 1 + len(hint.words) + 2
        if room < -2:
            break
        kept.add(id(hint))
    return [hint for hint in shown if id(hint) in kept]
