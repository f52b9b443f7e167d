"""Keys from the config file's `[keys]`: `"tree.label" = ["l", "ctrl+b"]`."""

from __future__ import annotations

from collections.abc import Iterable

from pitree.keys.actions import ACTIONS
from pitree.keys.building import KeyOverride
from pitree.keys.keytable import KeyProblem
from pitree.keys.names import KeyNameError, key_named


def read_remaps(remaps: Iterable[tuple[str, object, str]]) -> tuple[list[KeyOverride], list[KeyProblem]]:
    """What of a file can be made sense of, and what is wrong with the rest.

    Args:
        remaps: action's name, value and place of each line. A value is a key or a list of keys; an empty one
            takes the action's keys away.
    """
    names = {action.id for action in ACTIONS}
    given: list[KeyOverride] = []
    problems: list[KeyProblem] = []
    for name, value, place in remaps:
        if name not in names:
            problems.append(KeyProblem(place, _unknown(name, names)))
            continue
        written = value if isinstance(value, list) else [value]
        if not all(isinstance(one, str) for one in written):
            problems.append(KeyProblem(place, f'{name}: must be a key like "ctrl+b" or a list of keys'))
            continue
        keys: list[str] = []
        wrong = False
        for one in filter(None, written):
            try:
                keys.append(key_named(one))
            except KeyNameError as error:
                wrong = True
                problems.append(KeyProblem(place, f"{name}: {one} is not a usable key: {error}"))
        if keys or not wrong:
            given.append(KeyOverride(name, tuple(dict.fromkeys(keys)), place))
    return given, problems


def _unknown(name: str, names: Iterable[str]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name, sorted(names), 1)
    return f"no action {name}; {f'is {near[0]} meant?' if near else 'pitree keys lists them'}"
