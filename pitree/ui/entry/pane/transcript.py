"""The branch through the cursor as one text, of which a stretch is laid out, and the matches in all of it.

Near the ends of the stretch the next one is read in a thread and put in its place without moving what is
being read. So a branch of any length scrolls from one end to the other.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from pitree.entry.branch_parts import Branch
from pitree.entry.export.markdown import markdown
from pitree.entry.parts import Part
from pitree.entry.parts.copying import Copyable
from pitree.entry.transcript import (
    Stretch,
    branch_end,
    entry_key,
    entry_of,
    read_stretch,
    stretch_around,
    title_key,
)
from pitree.query.language.query import Query
from pitree.session.manager.manager import SessionManager
from pitree.ui.entry.document.document import Document
from pitree.ui.entry.document.sections import LayoutStyle
from pitree.ui.entry.pane.branch_hits import BranchHits
from pitree.ui.toolkit.background import Cancelled


@dataclass(frozen=True, slots=True)
class StretchRead:
    """A stretch that was read.

    Attributes:
        go: index of the entry to go to; None to stay where the reader is.
        step: direction of the match to go to there; 0 for none.
    """

    branch: Branch
    stretch: Stretch
    go: int | None
    step: int = 0

    @property
    def hit_key(self) -> str:
        """How the keys of the parts begin in which the match is; "" for no match."""
        return entry_key(self.go) if self.step and self.go is not None else ""


class Transcript:
    """What is known of the branch shown.

    Attributes:
        branch: the branch; None before it was read.
        stretch: the stretch of it that is laid out.
        matches: its matches; None if nothing is looked for.
    """

    def __init__(self) -> None:
        self.branch: Branch | None = None
        self.stretch = Stretch(0, -1, [])
        self.hits: BranchHits | None = None
        self._pending: tuple[int, int] | None = None
        self._led_to = -1

    def take(self, read: StretchRead) -> None:
        """Show this stretch from now on."""
        self.branch, self.stretch, self._pending = read.branch, read.stretch, None

    # -- where the reader is ----------------------------------------------------------------------

    def place(self, index: int) -> int | None:
        """Place of an entry on the branch; None for one that is not on it."""
        return self.branch.places.get(index) if self.branch is not None else None

    def position(self, index: int) -> str:
        """That place for the reader, as `entry 3 of 1,200`; empty for an entry that is not on the branch."""
        place = self.place(index)
        if place is None or self.branch is None:
            return ""
        return f"entry {place + 1:,} of {len(self.branch):,}"

    def shows(self, place: int) -> bool:
        """Whether a place of the branch is laid out."""
        return self.stretch.first <= place <= self.stretch.last

    def entry_of(self, part: Part | None) -> int | None:
        """Index of the entry that a part belongs to; None for a part that is not of the branch."""
        return entry_of(part) if part is not None and part.key.startswith("e") else None

    def stop_of(self, place: int, document: Document) -> int | None:
        """Number of the part that begins the entry at a place, or the one whose call shows its result."""
        assert self.branch is not None
        keys = {stop.part.key: number for number, stop in enumerate(document.stops)}
        for at in range(place, self.stretch.first - 1, -1):
            stop = keys.get(title_key(entry_key(self.branch.path[at])))
            if stop is not None:
                return stop
        return None

    def leads_to(self, index: int) -> bool:
        """Whether the reader came to another entry, to which the tree has to follow; once each."""
        if index == self._led_to or self.place(index) is None:
            return False
        self._led_to = index
        return True

    # -- which stretch is to be read --------------------------------------------------------------

    def beyond(self, place: int) -> int | None:
        """Index of the entry at a place, -1 for the last one; None if it is laid out or not there."""
        if self.branch is None or not len(self.branch):
            return None
        place %= len(self.branch)
        return None if self.shows(place) else self.branch.path[place]

    def due(self, index: int, top: int, rows: int, height: int) -> int | None:
        """Index of the entry around which to read, the window being near an end of the stretch; else None.

        Args:
            index: the entry being read.
            top: the first row in view.
            rows: rows of the window.
            height: rows of the stretch.
        """
        place = self.place(index)
        if place is None or self.branch is None:
            return None
        near_start = top < rows and self.stretch.first > 0
        near_end = top + 2 * rows > height and self.stretch.last + 1 < len(self.branch)
        if not (near_start or near_end):
            return None
        wanted = stretch_around(self.branch, place)
        if wanted in ((self.stretch.first, self.stretch.last), self._pending):
            return None
        self._pending = wanted
        return index

    def reader(
        self, session: SessionManager, index: int, go: int | None, *, same_branch: bool
    ) -> Callable[[Cancelled], StretchRead]:
        """What reads, in a thread, the stretch around an entry; arguments as for `StretchRead`.

        Args:
            same_branch: whether the entry is of the branch shown, which did not change.
        """
        known = self.branch if same_branch else None

        def read(cancelled: Cancelled) -> StretchRead:
            branch = known or Branch(session, branch_end(session, index), time.time() * 1_000)
            return StretchRead(branch, read_stretch(branch, branch.place(index)), go)

        return read

    # -- finding and copying ------------------------------------------------------------------------

    def uncounted(self, query: Query | None, look: LayoutStyle) -> BranchHits | None:
        """Look for this in the whole branch; its matches if they are to be counted now."""
        branch, hits = self.branch, self.hits
        if branch is None or query is None or query.error:
            self.hits = None
        elif hits is None or hits.branch is not branch or hits.query is not query:
            self.hits = BranchHits(branch, query, look, hits)
            return self.hits
        return None

    def hits_around(self) -> tuple[int, int, bool]:
        """Hits before the stretch, matches after it, and whether there may be more."""
        hits, stretch = self.hits, self.stretch
        if hits is None or hits.branch is not self.branch:
            return 0, 0, False
        after = hits.between(stretch.last + 1, len(hits.branch))
        return hits.between(0, stretch.first), after, not hits.whole

    def finder(self, hits: BranchHits, step: int) -> Callable[[Cancelled], StretchRead | None]:
        """What reads, in a thread, around the next entry with matches outside the stretch."""
        branch, stretch = hits.branch, self.stretch
        start = stretch.last if step > 0 else stretch.first
        outside = len(branch) - (stretch.last - stretch.first + 1)

        def find(cancelled: Cancelled) -> StretchRead | None:
            for number in range(1, outside + 1):
                place = (start + number * step) % len(branch)
                if cancelled():
                    break
                if hits.of(place):
                    return StretchRead(branch, read_stretch(branch, place), branch.path[place], step)
            return None

        return find

    def copyables(self, index: int) -> list[Copyable]:
        """The texts of the branch that can be copied while an entry of it is read."""
        assert self.branch is not None
        ends = (("the branch up to this entry", index), ("the whole branch", self.branch.path[-1]))
        return [
            Copyable(f"{name}, as Markdown", "", partial(_as_markdown, self.branch.session, end))
            for name, end in ends
        ]


def _as_markdown(session: SessionManager, end: int) -> str:
    """The branch up to an entry; for a thread."""
    return "".join(markdown(session, end))
