"""How many matches each entry of a branch has, counted as the transcript would show it."""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Iterator

from pitree.entry.branch_parts import Branch
from pitree.entry.parts import Part
from pitree.entry.transcript import read_entry
from pitree.query.language.query import Query
from pitree.ui.entry.document.find_hits import find_all
from pitree.ui.entry.document.sections import LayoutStyle, lay_out
from pitree.ui.entry.pane.folds import with_inner

_UNKNOWN = -1
_WORK = 0.01
_REST = 0.002
"""Seconds of work, and of leaving the processor to keys, in turn."""
_AGAIN = 50
"""Entries at its end that are looked at again when a branch has grown: results came to their calls."""


class BranchHits:
    """The matches of a branch, entry by entry. Threads fill it; asking for what is known takes no time.

    Args:
        branch: the branch.
        query: what is looked for.
        look: how its entries are laid out, since titles and texts are searched as they are shown.
        before: the matches of the same branch when it was shorter, which are not counted again.
    """

    def __init__(
        self, branch: Branch, query: Query, look: LayoutStyle, before: BranchHits | None = None
    ) -> None:
        self.branch = branch
        self.query = query
        self._look = look
        self._counts = array("i", [_UNKNOWN]) * len(branch)
        self.counted = 0
        """Entries from the root on that were counted."""
        if before is not None and before.query == query and before.branch.session is branch.session:
            same = max(0, min(before.counted, len(before.branch)) - _AGAIN)
            if before.branch.path[:same] == branch.path[:same]:
                self._counts[:same] = before._counts[:same]
                self.counted = same

    @property
    def whole(self) -> bool:
        """Whether all entries were counted."""
        return self.counted == len(self._counts)

    def of(self, place: int) -> int:
        """The matches of the entry at a place; looks for them if they are not known. For a thread."""
        if self._counts[place] == _UNKNOWN:
            self._counts[place] = self._count(read_entry(self.branch, place))
        return self._counts[place]

    def _count(self, parts: list[Part]) -> int:
        if not self.query.spans("\n".join(_texts(parts))):
            return 0
        found = find_all(lay_out(parts, {}, self._look, lambda wish: None), self.query)
        return sum(spot.hits for _, spots in found.spots.values() for spot in spots)

    def between(self, first: int, last: int) -> int:
        """The matches known of the entries from one place up to another, that one left out."""
        return sum(count for count in self._counts[first:last] if count > 0)

    def fill(self, cancelled: Callable[[], bool], on_progress: Callable[[], object]) -> None:
        """Count all entries, and report progress now and then. For a thread."""
        reported = worked = time.monotonic()
        while not self.whole:
            if cancelled():
                return
            self.of(self.counted)
            self.counted += 1
            now = time.monotonic()
            if now - worked > _WORK:
                time.sleep(_REST)
                worked = time.monotonic()
            if now - reported > 0.25:
                on_progress()
                reported = now


def _texts(parts: list[Part]) -> Iterator[str]:
    """All that parts say, as it is in the file."""
    for part in with_inner(parts):
        yield f"{part.title} {part.subject} {part.note} {' '.join(part.words)}"
        yield from (f"{fact.name} {fact.value}" for fact in part.facts)
        if part.body is not None:
            yield part.body.plain
