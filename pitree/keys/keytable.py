"""Which keys each action has: the defaults, a preset over them, and what files say over that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pitree.keys.action import Action, Place
from pitree.keys.actions import ACTIONS
from pitree.keys.names import is_typed, joined_signs, spelled

TOGETHER: tuple[tuple[Place, ...], ...] = (
    (Place.LIST, Place.HITS, Place.TREE, Place.GLOBAL),
    (Place.LIST, Place.PICKER, Place.GLOBAL),
    (Place.PICKER_SEARCH, Place.PICKER),
    (Place.DETAIL, Place.GLOBAL),
    (Place.SEARCH,),
    (Place.DIALOG,),
)
"""Places whose keys apply at the same time; a key of one nearer to the focus hides that of another."""

TYPING = frozenset({Place.LIST, Place.HITS, Place.TREE, Place.PICKER, Place.PICKER_SEARCH})
"""Places where characters search at once in the preset `pi`."""


@dataclass(frozen=True, slots=True)
class Given:
    """Keys that a file gives to an action.

    Attributes:
        action: the action's name.
        keys: in Textual's spelling; none for no key.
        place: file and line.
    """

    action: str
    keys: tuple[str, ...]
    place: str


@dataclass(frozen=True, slots=True)
class KeyProblem:
    """Something wrong with keys that a file gives: where, and what."""

    place: str
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"


@dataclass(frozen=True, slots=True)
class Hint:
    """Neighbouring actions of the table that say the same words, as the footer and the help show them.

    `keys` holds the keys of each of the actions.
    """

    words: str
    actions: tuple[Action, ...]
    keys: tuple[tuple[str, ...], ...]

    @property
    def signs(self) -> str:
        """The first key of each action that the footer shows."""
        pairs = [pair for pair in zip(self.actions, self.keys, strict=True) if pair[1]]
        shown = [pair for pair in pairs if pair[0].rank] or pairs
        return joined_signs([keys[0] for _, keys in shown])

    @property
    def all_signs(self) -> str:
        """Every key, the first ones first: `↑↓ k/j`."""
        rounds = max(map(len, self.keys))
        each = (
            joined_signs([keys[number] for keys in self.keys if number < len(keys)])
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


@dataclass(frozen=True, slots=True)
class KeyTable:
    """The keys that hold. Without arguments: the defaults.

    Attributes:
        keys: action's name → its keys, of those that have others than by default.
        places: action's name → the file and line that gave it its keys.
        problems: what is wrong with the keys that were given.
        typing: whether characters search at once in the tree and the list of sessions, as in Pi.
    """

    keys: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    places: Mapping[str, str] = field(default_factory=dict)
    problems: tuple[KeyProblem, ...] = ()
    typing: bool = False

    def of(self, action: Action) -> tuple[str, ...]:
        """The keys of an action, the one shown first; none if it has none."""
        return self.keys.get(action.id, action.keys)

    def named(self, name: str) -> tuple[str, ...]:
        """The keys of the action of that name."""
        return self.of(next(action for action in ACTIONS if action.id == name))

    def action_for(self, key: str, *places: Place) -> Action | None:
        """The action that a key means in some places, the first place first."""
        for place in places:
            for action in ACTIONS:
                if action.place is place and key in self.of(action):
                    return action
        return None

    def shown(self, action: Action, *, typed: bool = True) -> tuple[str, ...]:
        """The keys of an action that work: without those that type, where characters search."""
        keys = self.of(action)
        return keys if typed else tuple(key for key in keys if not is_typed(key))

    def hints(self, *places: Place) -> list[Hint]:
        """The actions of the places, the first place first, those with the same words put together.

        Actions without a key that works there are left out.
        """
        typing = self.typing and not TYPING.isdisjoint(places)
        grouped: list[Hint] = []
        nearer: set[str] = set()
        for place in places:
            taken = nearer.copy() if typing else set()
            for action in actions_of(place):
                keys = self.shown(action, typed=not (typing and place is Place.GLOBAL))
                keys = tuple(key for key in keys if key not in taken)
                nearer.update(keys)
                if not keys:
                    continue
                last = grouped[-1] if grouped else None
                if last and last.words == action.words and last.actions[-1].place is place:
                    grouped[-1] = Hint(last.words, (*last.actions, action), (*last.keys, keys))
                else:
                    grouped.append(Hint(action.words, (action,), (keys,)))
        return grouped


def actions_of(*places: Place) -> Iterator[Action]:
    """Actions of the given places, in the order of the table."""
    return (action for action in ACTIONS if action.place in places)


def build(
    given: Sequence[Given],
    preset: Mapping[str, tuple[str, ...]] | None = None,
    problems: Sequence[KeyProblem] = (),
) -> KeyTable:
    """The table for a preset and what files give.

    Where two actions that apply together have the same key, the one that a file gave it to has it; of two
    that were given it, the first. The other loses the key, which is told. A key that is of a nearer place
    than another's stays the other's, too: it works elsewhere.

    Args:
        given: what files give, the first first; of several for one action the first counts.
        preset: action's name → keys of a preset; None for the defaults. With a preset characters search.
        problems: what was found wrong before.
    """
    keys = {action.id: action.keys for action in ACTIONS} | dict(preset or {})
    told = list(problems)
    first: dict[str, Given] = {}
    for one in given:
        first.setdefault(one.action, one)
    keys.update({one.action: one.keys for one in first.values()})
    by_id = {action.id: action for action in ACTIONS}
    settled: list[Given] = []
    for one in first.values():
        action = by_id[one.action]
        for key in one.keys:
            earlier = next(
                (
                    other
                    for other in settled
                    if key in keys[other.action] and _meet(action, by_id[other.action])
                ),
                None,
            )
            if earlier is not None:
                keys[action.id] = _without(keys[action.id], key)
                told.append(
                    KeyProblem(one.place, f"{action.id}: {spelled(key)} is that of {earlier.action} already")
                )
                continue
            for other in ACTIONS:
                if other.id in first or key not in keys[other.id] or not _meet(action, other):
                    continue
                if key in action.keys and key in other.keys:  # one hides the other by default
                    continue
                if other.place is Place.GLOBAL and action.place is not Place.GLOBAL:
                    message = f"{spelled(key)} means {action.id} there now, not {other.id}"
                else:
                    keys[other.id] = _without(keys[other.id], key)
                    rest = ", ".join(map(spelled, keys[other.id])) or "no key"
                    message = f"{spelled(key)} was the key of {other.id}, which has {rest} now"
                told.append(KeyProblem(one.place, f"{action.id}: {message}"))
        settled.append(one)
    changed = {action.id: keys[action.id] for action in ACTIONS if keys[action.id] != action.keys}
    places = {one.action: one.place for one in first.values()}
    return KeyTable(changed, places, tuple(told), preset is not None)


def _meet(one: Action, other: Action) -> bool:
    """Whether two actions apply together."""
    return one is not other and any(one.place in group and other.place in group for group in TOGETHER)


def _without(keys: tuple[str, ...], key: str) -> tuple[str, ...]:
    return tuple(other for other in keys if other != key)
