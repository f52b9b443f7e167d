"""What an action is: a thing a key does, and the places where keys do things."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


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
    HELP = "help"
    MANUAL = "manual"
    TOPICS = "topics"
    EVERYWHERE = "search everywhere"
    PICKING = "picking"
    APP = "at any time"
    CONTINUE = "continue"
    FORK = "fork"
    FORKED = "forked"
    EXPORT = "export"
    CONFIRM = "confirm"
    PENDING = "pending"
    CHOICE = "choice"
    LINE = "line"
    SUMMARY = "summary"
    TABLE = "table"
    COMPARE = "compare"
    BOOKMARKS = "bookmarks"
    PALETTE = "palette"

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
    Place.DIALOG: "In a window",
    Place.HELP: "In the help",
    Place.MANUAL: "A page of the manual",
    Place.TOPICS: "The list of the manual's pages",
    Place.EVERYWHERE: "Searching all sessions",
    Place.PICKING: "While picking for another program",
    Place.APP: "At any time",
    Place.CONTINUE: "Continuing from an entry",
    Place.FORK: "Forking or cloning",
    Place.FORKED: "After a fork",
    Place.EXPORT: "Exporting",
    Place.CONFIRM: "Being asked before something is done",
    Place.PENDING: "Leaving with something pending",
    Place.CHOICE: "Choosing",
    Place.LINE: "Filling in a line",
    Place.SUMMARY: "Writing a summary",
    Place.TABLE: "In a table of entries",
    Place.COMPARE: "Comparing branches",
    Place.BOOKMARKS: "Bookmarks",
    Place.PALETTE: "Command palette",
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
    """Textual action, with arguments where it has some; empty for a choice, which a list finds by its key."""
    words: str
    """One or two words for the footer."""
    help: str
    """A sentence for the help; empty where a neighbour says it."""
    place: Place
    rank: int = 0
    always: bool = False
    """Whether the key works while one types in a field, too."""
