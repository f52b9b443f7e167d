"""The rules of Pi's /tree once more, plain and slow: what the outline must agree with on small sessions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pitree.outline.filters import FilterMode
from pitree.session.format.entry_type import Kind
from tests.support.forest import FakeSession

SETTINGS = {
    Kind.LABEL,
    Kind.CONTEXT_EDIT,
    Kind.CUSTOM,
    Kind.MODEL_CHANGE,
    Kind.THINKING_LEVEL_CHANGE,
    Kind.SESSION_INFO,
}


@dataclass
class NaiveRow:
    """A row, and the rows it hangs on and that hang on it."""

    index: int
    parent: NaiveRow | None
    children: list[NaiveRow]
    indent: int = 0
    just_branched: bool = False
    is_last: bool = False
    guides: str = ""
    fold: str = ""
    on_path: bool = False

    @property
    def has_connector(self) -> bool:
        return self.just_branched and self.parent is not None


class Naive:
    """The rows of a small session, worked out from nothing each time."""

    def __init__(
        self,
        session: FakeSession,
        mode: FilterMode,
        *,
        words: Sequence[str] = (),
        narrow: bool = True,
        known_texts: int | None = None,
        folds: frozenset[int] = frozenset(),
        by_time: bool = False,
        archived: frozenset[int] = frozenset(),
        shows_archived: bool = False,
    ) -> None:
        table = session.table
        self.table = table
        self.leaf = session.leaf_index
        count = len(table)
        self.folds = folds

        def ancestors(index: int) -> list[int]:
            found = []
            while index >= 0:
                found.append(index)
                index = table.parents[index]
            return found

        self.path = set(ancestors(self.leaf)) if self.leaf >= 0 else set()

        def ordered(siblings: list[int], roots: bool) -> list[int]:
            if by_time or not roots:
                siblings = sorted(siblings, key=lambda index: table.times[index])
            if by_time:
                return siblings
            return [i for i in siblings if i in self.path] + [i for i in siblings if i not in self.path]

        order: list[int] = []

        def walk(index: int) -> None:
            order.append(index)
            children = [other for other in range(count) if table.parents[other] == index]
            for child in ordered(children, roots=False):
                walk(child)

        for root in ordered([index for index in range(count) if table.parents[index] < 0], roots=True):
            walk(root)

        def has_words(index: int) -> bool:
            if not words:
                return False
            if known_texts is not None and index >= known_texts:
                return False
            label = session.labels.get(table.ids[index])
            text = f"{label.text if label else ''} {table.texts[index].decode()}".lower()
            return all(word in text for word in words)

        def passes(index: int) -> bool:
            kind = table.kinds[index]
            if kind == Kind.USAGE or (kind == Kind.ASSISTANT_SILENT and index != self.leaf):
                return False
            if words and narrow and not has_words(index):
                return False
            if mode is FilterMode.USER_ONLY:
                return kind == Kind.USER
            if mode is FilterMode.LABELED_ONLY:
                return table.ids[index] in session.labels
            if mode is FilterMode.ALL:
                return True
            if mode is FilterMode.NO_TOOLS and kind == Kind.TOOL_RESULT:
                return False
            return kind not in SETTINGS

        starts = archived - self.path
        self.archived = {index for index in order if starts.intersection(ancestors(index))}
        out_of_sight = set() if words or shows_archived else self.archived
        gone = [index for index in order if passes(index) and index in out_of_sight]
        passed = [index for index in order if passes(index) and index not in out_of_sight]
        self.archived_count = len(gone)
        self.hits = {index for index in order if has_words(index)}
        self.hit_count = len(self.hits.intersection(passed))
        closed = folds.intersection(passed)
        shown = [index for index in passed if not closed.intersection(ancestors(index)[1:])]
        self.hidden = {
            fold: len([index for index in passed if fold in ancestors(index)[1:]]) for fold in closed
        }

        self.rows: list[NaiveRow] = []
        self.row_of: dict[int, NaiveRow] = {}
        for index in shown:
            above = next((self.row_of[other] for other in ancestors(index)[1:] if other in self.row_of), None)
            row = NaiveRow(index, above, [], on_path=index in self.path)
            self.rows.append(row)
            self.row_of[index] = row
            if above is not None:
                above.children.append(row)
        self.away: dict[int, int] = {}
        for index in gone:
            at = next((other for other in ancestors(index) if other in self.row_of), None)
            if at is not None:
                self.away[at] = self.away.get(at, 0) + 1
        self.roots = [row for row in self.rows if row.parent is None]
        self.several = len(self.roots) > 1
        for row in self.rows:
            self._place(row)
        for row in self.rows:
            row.fold = self._fold(row)
            row.guides = self._guides(row)

    def _place(self, row: NaiveRow) -> None:
        above = row.parent
        siblings = self.roots if above is None else above.children
        row.just_branched = len(siblings) > 1
        row.is_last = siblings[-1] is row
        if above is None:
            row.indent = 1 if self.several else 0
        elif row.just_branched or (above.just_branched and above.indent > 0):
            row.indent = above.indent + 1
        else:
            row.indent = above.indent

    def display(self, row: NaiveRow) -> int:
        """Levels drawn before a row."""
        return max(0, row.indent - 1) if self.several else row.indent

    def _fold(self, row: NaiveRow) -> str:
        if row.index in self.folds:
            return "closed"
        starts = row.parent is None or len(row.parent.children) > 1
        return "open" if row.children and starts else ""

    def _guides(self, row: NaiveRow) -> str:
        drawn = ["   "] * self.display(row)
        above = row.parent
        while above is not None:
            if above.has_connector and not above.is_last:
                drawn[self.display(above) - 1] = "│  "
            above = above.parent
        if row.has_connector:
            mark = {"closed": "⊞", "open": "⊟", "": "─"}[row.fold]
            drawn[-1] = ("└" if row.is_last else "├") + mark + " "
        return "".join(drawn)

    def nearest(self, index: int) -> int:
        """Row number that the selection of an entry goes to."""
        while index >= 0:
            if index in self.row_of:
                return self.rows.index(self.row_of[index])
            index = self.table.parents[index]
        return len(self.rows) - 1

    def branch_up(self, number: int) -> int:
        """Row number of the next start of a branch further up."""
        row = self.rows[number]
        while row.parent is not None:
            if len(row.parent.children) > 1 and self.rows.index(row) < number:
                break
            row = row.parent
        return self.rows.index(row)

    def branch_down(self, number: int) -> int:
        """Row number of the next start of a branch further down."""
        row = self.rows[number]
        while row.children:
            if len(row.children) > 1:
                return self.rows.index(row.children[0])
            row = row.children[0]
        return self.rows.index(row)
