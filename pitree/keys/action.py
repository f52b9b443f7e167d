"""What an action is: a thing a key does, and the places where keys do things."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class KeyContext(StrEnum):
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
    APP = "anywhere"
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
    KeyContext.GLOBAL: "Everywhere",
    KeyContext.LIST: "Lists",
    KeyContext.TREE: "Tree",
    KeyContext.HITS: "Search matches",
    KeyContext.PICKER: "Sessions",
    KeyContext.PICKER_SEARCH: "Searching sessions",
    KeyContext.DETAIL: "Entry",
    KeyContext.SEARCH: "Search box",
    KeyContext.DIALOG: "Windows",
    KeyContext.HELP: "Help",
    KeyContext.MANUAL: "Manual page",
    KeyContext.TOPICS: "Manual pages",
    KeyContext.EVERYWHERE: "Searching all sessions",
    KeyContext.PICKING: "While picking for another program",
    KeyContext.APP: "Anywhere",
    KeyContext.CONTINUE: "Continuing from an entry",
    KeyContext.FORK: "Forking or cloning",
    KeyContext.FORKED: "After a fork",
    KeyContext.EXPORT: "Exporting",
    KeyContext.CONFIRM: "Confirming",
    KeyContext.PENDING: "Quitting with pending edits",
    KeyContext.CHOICE: "Choice lists",
    KeyContext.LINE: "Text field",
    KeyContext.SUMMARY: "Writing a summary",
    KeyContext.TABLE: "Entry tables",
    KeyContext.COMPARE: "Comparing branches",
    KeyContext.BOOKMARKS: "Bookmarks",
    KeyContext.PALETTE: "Command palette",
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
    place: KeyContext
    rank: int = 0
    always: bool = False
    """Whether the key works while one types in a field, too."""
