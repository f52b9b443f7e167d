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
    HITS = "hits"
    PICKER = "picker"
    PICKER_SEARCH = "picker search"
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
    Place.HITS: "Hits of a search",
    Place.PICKER: "Sessions",
    Place.PICKER_SEARCH: "Searching sessions",
    Place.DETAIL: "Entry",
    Place.SEARCH: "In a search box",
    Place.DIALOG: "In a dialog",
}


@dataclass(frozen=True, slots=True)
class Action:
    """One thing a key does.

    Neighbours in the table with the same `words` share one cell of the footer and one line of the
    help ("↑↓ move"); the first of them says the help's sentence for all unless another has its own.
    `rank` orders the footer: 1 is dropped last, 0 is never shown there.
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
    """A sentence for the help; empty where a neighbour says it."""
    place: Place
    rank: int = 0


_P = Place

# id, keys, action, words, help, place, rank
ACTIONS: tuple[Action, ...] = (
    Action("list.up", ("up", "k"), "cursor_up", "move", "Move by one row, around the ends", _P.LIST, 2),
    Action("list.down", ("down", "j"), "cursor_down", "move", "", _P.LIST, 2),
    Action("list.page_up", ("left", "pageup"), "page_up", "page", "Move by a screenful", _P.LIST, 7),
    Action("list.page_down", ("right", "pagedown"), "page_down", "page", "", _P.LIST, 7),
    Action("list.first", ("home", "g"), "cursor_first", "ends", "Go to the first or last row", _P.LIST),
    Action("list.last", ("end", "G"), "cursor_last", "ends", "", _P.LIST),
    Action("tree.search", ("slash",), "search", "search", "Search the entries' whole texts", _P.TREE, 3),
    Action(
        "tree.filter.next",
        ("ctrl+o",),
        "cycle_filter(1)",
        "filter",
        "Show more or fewer kinds of entries: the next or previous filter",
        _P.TREE,
        4,
    ),
    Action("tree.filter.previous", ("ctrl+shift+o",), "cycle_filter(-1)", "filter", "", _P.TREE),
    Action(
        "tree.filter.default",
        ("ctrl+d",),
        "filter('default')",
        "default",
        "Messages, tools, summaries",
        _P.TREE,
    ),
    Action(
        "tree.filter.no_tools",
        ("ctrl+t",),
        "filter('no-tools')",
        "no tools",
        "The same without tool results; again: default",
        _P.TREE,
    ),
    Action(
        "tree.filter.user_only",
        ("ctrl+u",),
        "filter('user-only')",
        "user",
        "Only what the user said; again: default",
        _P.TREE,
    ),
    Action(
        "tree.filter.labeled_only",
        ("ctrl+l",),
        "filter('labeled-only')",
        "labeled",
        "Only entries with a label; again: default",
        _P.TREE,
    ),
    Action("tree.filter.all", ("ctrl+a",), "filter('all')", "all", "Every entry; again: default", _P.TREE),
    Action(
        "tree.fold",
        ("ctrl+left", "alt+left"),
        "fold_or_up",
        "branch",
        "Fold the branch, or go to its start",
        _P.TREE,
        8,
    ),
    Action(
        "tree.unfold",
        ("ctrl+right", "alt+right"),
        "unfold_or_down",
        "branch",
        "Unfold the branch, or go to the next branch or its end",
        _P.TREE,
        8,
    ),
    Action("tree.leaf", ("full_stop",), "leaf", "leaf", "Go to the leaf, where Pi goes on", _P.TREE, 6),
    Action("tree.read", ("enter",), "choose", "read", "Go to the entry's text", _P.TREE),
    Action("tree.copy", ("c",), "copy", "copy", "Copy the entry's text", _P.TREE, 5),
    Action("tree.label_times", ("T",), "label_times", "times", "Show when labels were set", _P.TREE),
    Action("hits.next", ("n",), "hit(1)", "hit", "Go to the next or previous hit", _P.HITS, 3),
    Action("hits.previous", ("N",), "hit(-1)", "hit", "", _P.HITS, 3),
    Action(
        "hits.narrow",
        ("v",),
        "narrow",
        "all rows",
        "Show only the hits, or all rows with the hits marked",
        _P.HITS,
        4,
    ),
    Action("picker.open", ("enter",), "choose", "open", "Open the session", _P.PICKER, 1),
    Action("picker.search", ("slash",), "search", "search", "Search names, messages, folders", _P.PICKER, 3),
    Action("picker.scope", ("a",), "scope", "all/here", "List all sessions, or this folder's", _P.PICKER, 4),
    Action(
        "picker.sort", ("ctrl+s",), "sort", "sort", "Order: threads, newest first, best match", _P.PICKER, 5
    ),
    Action("picker.named", ("ctrl+n",), "named", "named", "Only sessions with a name", _P.PICKER, 6),
    Action("picker.paths", ("ctrl+p",), "paths", "paths", "Show where the files lie", _P.PICKER, 9),
    Action("picker.forks", ("t",), "forks", "forks", "Fold the forks of threads, or show them", _P.PICKER, 8),
    Action("picker.reload", ("r",), "reload", "reload", "Look for sessions again", _P.PICKER),
    Action(
        "picker.skipped",
        ("exclamation_mark",),
        "skipped",
        "skipped",
        "List the files that are no sessions, and what is wrong with settings",
        _P.PICKER,
    ),
    Action("picker.clear", ("escape",), "clear", "clear", "Clear the search", _P.PICKER),
    Action(
        "picker.scope_at_need",
        ("tab",),
        "scope_at_need",
        "all, here",
        "The same, if no row is there",
        _P.PICKER,
    ),
    Action(
        "picker.search.open",
        ("enter",),
        "accept",
        "open",
        "Open the session, the best match first",
        _P.PICKER_SEARCH,
        1,
    ),
    Action(
        "picker.search.clear",
        ("escape",),
        "cancel",
        "clear",
        "Clear the search, else leave it",
        _P.PICKER_SEARCH,
        2,
    ),
    Action(
        "picker.search.up",
        ("up",),
        "step(-1)",
        "move",
        "Move among the rows while typing",
        _P.PICKER_SEARCH,
        3,
    ),
    Action("picker.search.down", ("down",), "step(1)", "move", "", _P.PICKER_SEARCH, 3),
    Action(
        "picker.search.scope",
        ("tab",),
        "scope",
        "all/here",
        "List all sessions, or this folder's",
        _P.PICKER_SEARCH,
        4,
    ),
    Action(
        "detail.up",
        ("up", "k"),
        "cursor_up",
        "scroll",
        "Scroll by a row; at the end, by a part",
        _P.DETAIL,
        2,
    ),
    Action("detail.down", ("down", "j"), "cursor_down", "scroll", "", _P.DETAIL, 2),
    Action(
        "detail.page_up",
        ("left", "pageup"),
        "page_left",
        "page",
        "Scroll by a screenful; sideways where lines are not wrapped",
        _P.DETAIL,
        7,
    ),
    Action("detail.page_down", ("right", "pagedown"), "page_right", "page", "", _P.DETAIL, 7),
    Action("detail.first", ("home", "g"), "cursor_first", "ends", "Go to the start or the end", _P.DETAIL),
    Action("detail.last", ("end", "G"), "cursor_last", "ends", "", _P.DETAIL),
    Action("detail.part_next", ("J",), "part(1)", "part", "Go to the next or previous part", _P.DETAIL, 4),
    Action("detail.part_previous", ("K",), "part(-1)", "part", "", _P.DETAIL, 4),
    Action(
        "detail.fold", ("enter", "space"), "toggle_part", "unfold", "Unfold or fold the part", _P.DETAIL, 3
    ),
    Action(
        "detail.fold_all",
        ("z",),
        "toggle_all",
        "all",
        "Unfold every part; again: fold them all",
        _P.DETAIL,
        8,
    ),
    Action("detail.refer", ("o",), "refer", "go there", "Go to the entry this one names", _P.DETAIL, 9),
    Action("detail.raw", ("R",), "toggle_raw", "raw", "Show the record as JSON", _P.DETAIL, 6),
    Action("detail.wrap", ("w",), "toggle_wrap", "wrap", "Wrap long lines or not", _P.DETAIL),
    Action("detail.copy", ("c",), "copy", "copy", "Copy the entry's text", _P.DETAIL, 5),
    Action("pane.next", ("tab",), "next_pane(1)", "pane", "Go to the next or previous pane", _P.GLOBAL, 10),
    Action("pane.previous", ("shift+tab",), "next_pane(-1)", "pane", "", _P.GLOBAL),
    Action(
        "split.grow",
        ("right_square_bracket",),
        "split(10)",
        "split",
        "Give the tree more or less of the room beside the entry",
        _P.GLOBAL,
    ),
    Action("split.shrink", ("left_square_bracket",), "split(-10)", "split", "", _P.GLOBAL),
    Action("sessions", ("s",), "sessions", "sessions", "Go to the list of sessions", _P.GLOBAL, 3),
    Action(
        "notices", ("exclamation_mark",), "notices", "notices", "List what is wrong with the file", _P.GLOBAL
    ),
    Action("back", ("escape",), "back", "back", "Clear the search, else go back", _P.GLOBAL),
    Action("help", ("question_mark",), "help", "help", "Show the keys of where you are", _P.GLOBAL, 1),
    Action("quit", ("q", "ctrl+q"), "app.quit", "quit", "Leave pitree", _P.GLOBAL, 11),
    Action("search.accept", ("enter",), "accept", "keep", "Keep the search and go to the rows", _P.SEARCH, 1),
    Action("search.cancel", ("escape",), "cancel", "clear", "Clear the search, else leave it", _P.SEARCH, 2),
    Action("search.up", ("up",), "step(-1)", "move", "Move among the rows while typing", _P.SEARCH, 3),
    Action("search.down", ("down",), "step(1)", "move", "", _P.SEARCH, 3),
    Action("search.page_up", ("pageup",), "page(-1)", "page", "Move by a screenful", _P.SEARCH),
    Action("search.page_down", ("pagedown",), "page(1)", "page", "", _P.SEARCH),
    Action("dialog.close", ("escape",), "dismiss", "close", "Close", _P.DIALOG, 1),
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
    "left_square_bracket": "[",
    "right_square_bracket": "]",
}


def key_sign(key: str) -> str:
    """A key as people read it: `^o` for ctrl+o, `↑` for up, `N` for shift+n."""
    *modifiers, name = key.split("+")
    sign = _SIGNS.get(name, name)
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
