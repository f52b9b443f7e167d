"""Makes a table of keys: the defaults, a preset over them, and what files give over that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pitree.keys.action import Action
from pitree.keys.actions import ACTIONS
from pitree.keys.fields import refused
from pitree.keys.keytable import TOGETHER, WINDOWS, KeyProblem, KeyTable, hides
from pitree.keys.names import spelled


@dataclass(frozen=True, slots=True)
class KeyOverride:
    """Keys that a file gives to an action.

    Attributes:
        action: the action's name.
        keys: in Textual's spelling; none for no key.
        place: file and line.
    """

    action: str
    keys: tuple[str, ...]
    place: str


def build(
    given: Sequence[KeyOverride],
    preset: Mapping[str, tuple[str, ...]] | None = None,
    problems: Sequence[KeyProblem] = (),
) -> KeyTable:
    """The table for a preset and what files give.

    Where two actions that apply together have the same key, the one that a file gave it to has it; of two
    that were given it, the first. The other loses the key, which is told. A key that is of a nearer place
    than another's stays the other's, too: it works elsewhere. An action that can have none of the keys it was
    given keeps those it had.

    Args:
        given: what files give, the first first; of several for one action the first counts.
        preset: action's name → keys of a preset; None for the defaults. With a preset characters search.
        problems: what was found wrong before.
    """
    keys = {action.id: action.keys for action in ACTIONS} | dict(preset or {})
    before = keys.copy()
    told = list(problems)
    first: dict[str, KeyOverride] = {}
    for one in given:
        first.setdefault(one.action, one)
    keys.update({one.action: one.keys for one in first.values()})
    by_id = {action.id: action for action in ACTIONS}
    settled: list[KeyOverride] = []

    def owner(action: Action, key: str) -> KeyOverride | None:
        """What has the key already, so that the action cannot have it."""
        there = (other for other in settled if key in keys[other.action])
        return next((other for other in there if _clash(action, by_id[other.action])), None)

    for one in first.values():
        action = by_id[one.action]
        for key in one.keys:
            if why := refused(action, key):
                keys[action.id] = _without(keys[action.id], key)
                told.append(KeyProblem(one.place, f"{action.id}: {spelled(key)} {why}"))
                continue
            earlier = owner(action, key)
            if earlier is not None:
                keys[action.id] = _without(keys[action.id], key)
                told.append(
                    KeyProblem(
                        one.place, f"{action.id}: {spelled(key)} is already the key of {earlier.action}"
                    )
                )
                continue
            for other in ACTIONS:
                if other.id in first or key not in keys[other.id] or not _meet(action, other):
                    continue
                if key in action.keys and key in other.keys:  # one hides the other by default
                    continue
                if hides(action, other):
                    message = f"{spelled(key)} now means {action.id} there, not {other.id}"
                elif other.place in WINDOWS and hides(other, action):
                    message = f"{spelled(key)} still means {other.id} there"
                else:
                    keys[other.id] = _without(keys[other.id], key)
                    rest = ", ".join(map(spelled, keys[other.id])) or "no key"
                    message = f"{spelled(key)} was the key of {other.id}, which has {rest} now"
                told.append(KeyProblem(one.place, f"{action.id}: {message}"))
        if one.keys and not keys[action.id]:
            keys[action.id] = tuple(key for key in before[action.id] if owner(action, key) is None)
        settled.append(one)
    changed = {action.id: keys[action.id] for action in ACTIONS if keys[action.id] != action.keys}
    places = {one.action: one.place for one in first.values()}
    return KeyTable(changed, places, tuple(told), preset is not None)


def _meet(one: Action, other: Action) -> bool:
    """Whether two actions apply together."""
    return one is not other and any(one.place in group and other.place in group for group in TOGETHER)


def _clash(one: Action, other: Action) -> bool:
    """Whether two actions cannot share a key. Those that share one by default, in two places, can."""
    shared = not {*one.keys}.isdisjoint(other.keys)
    return _meet(one, other) and not shared and not hides(one, other) and not hides(other, one)


def _without(keys: tuple[str, ...], key: str) -> tuple[str, ...]:
    return tuple(other for other in keys if other != key)
