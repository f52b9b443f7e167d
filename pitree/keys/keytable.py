"""Which keys each action has by now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from pitree.keys.action import Action, KeyContext
from pitree.keys.actions import ACTIONS
from pitree.keys.names import is_typed, joined_signs, key_sign

_P = KeyContext
CHOICES = (_P.CONTINUE, _P.FORK, _P.FORKED, _P.EXPORT, _P.CONFIRM, _P.PENDING)
"""Places of the choices that windows offer, a place a window."""

TOGETHER: tuple[tuple[KeyContext, ...], ...] = (
    (_P.LIST, _P.HITS, _P.TREE, _P.PICKING, _P.GLOBAL, _P.APP),
    (_P.LIST, _P.PICKER, _P.PICKING, _P.GLOBAL, _P.APP),
    (_P.PICKER_SEARCH, _P.PICKER, _P.APP),
    (_P.DETAIL, _P.PICKING, _P.GLOBAL, _P.APP),
    (_P.MANUAL, _P.DETAIL, _P.DIALOG, _P.APP),
    (_P.HELP, _P.DIALOG, _P.SEARCH, _P.APP),
    (_P.SEARCH, _P.APP),
    *((place, _P.CHOICE, _P.LIST, _P.DIALOG, _P.APP) for place in CHOICES),
    (_P.LINE, _P.DIALOG, _P.APP),
    (_P.SUMMARY, _P.DIALOG, _P.APP),
    (_P.COMPARE, _P.TABLE, _P.LIST, _P.DIALOG, _P.APP),
    *(
        (place, rows, _P.DIALOG, _P.APP)
        for place in (_P.BOOKMARKS, _P.PALETTE, _P.EVERYWHERE, _P.TOPICS)
        for rows in (_P.SEARCH, _P.LIST)
    ),
)
"""Places whose keys apply at the same time; a key of one nearer to the focus hides that of another."""

WINDOWS = frozenset(
    {
        *CHOICES,
        _P.CHOICE,
        _P.TABLE,
        _P.COMPARE,
        _P.BOOKMARKS,
        _P.PALETTE,
        _P.EVERYWHERE,
        _P.TOPICS,
        _P.HELP,
        _P.MANUAL,
    },
)
"""Places of one kind of window, whose keys go before those of its list, its box, and of all windows."""

TYPING = frozenset(
    {KeyContext.LIST, KeyContext.HITS, KeyContext.TREE, KeyContext.PICKER, KeyContext.PICKER_SEARCH}
)
"""Places where characters search at once in the preset `pi`."""

MANY = 6
"""Keys of an action that are all told, one by one."""

BEHIND = frozenset({KeyContext.GLOBAL, KeyContext.PICKING})
"""Places of the whole screen: where characters search, theirs do so, too."""


def hides(one: Action, other: Action) -> bool:
    """Whether a key that two actions share means the first one where both apply, and stays the other's."""
    if KeyContext.APP in (one.place, other.place):
        return other.place is KeyContext.APP and not other.always
    if one.place is other.place:
        return False
    if one.place in WINDOWS:
        return other.place in (KeyContext.LIST, KeyContext.SEARCH, KeyContext.DIALOG)
    if one.place is KeyContext.DIALOG:
        return other.place is KeyContext.SEARCH and one.always
    return other.place is KeyContext.GLOBAL


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
        """Every key, the first ones first: `↑↓ k/j`; of very many the ends: `1 … 0`."""
        rounds = max(map(len, self.keys))
        if rounds > MANY:
            return " … ".join(key_sign(self.keys[0][place]) for place in (0, -1))
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

    def action_for(self, key: str, *places: KeyContext) -> Action | None:
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

    def hints(self, *places: KeyContext) -> list[Hint]:
        """The actions of the places, the first place first, those with the same words put together.

        Actions without a key that works there are left out.
        """
        typing = self.typing and not TYPING.isdisjoint(places) and not WINDOWS & {*places}
        hiding = typing or KeyContext.DIALOG in places
        grouped: list[Hint] = []
        nearer: set[str] = set()
        for place in places:
            taken = nearer.copy() if hiding else set()
            for action in actions_of(place):
                keys = self.shown(action, typed=not (typing and place in BEHIND))
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


def actions_of(*places: KeyContext) -> Iterator[Action]:
    """Actions of the given places, in the order of the table."""
    return (action for action in ACTIONS if action.place in places)
