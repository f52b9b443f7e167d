"""The detail pane that shows an entry or the branch through it, and finds and copies across the branch."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

from textual import on
from textual.content import Content
from textual.message import Message
from textual.worker import get_current_worker

from pitree.session.manager.manager import SessionManager
from pitree.ui.entry.pane.branch_view import BranchView
from pitree.ui.toolkit.background import in_thread, show_failure
from pitree.workers.failures import Failure

if TYPE_CHECKING:
    from pitree.entry.transcript import Stretch
    from pitree.ui.entry.pane.branch_hits import BranchHits

_MOST_CHOICES = 30
"""Texts of a part that are offered to be copied beside the branch."""


def _as_markdown(session: SessionManager, end: int) -> str:
    """The branch up to an entry; for a thread."""
    from pitree.entry.export.markdown import markdown

    return "".join(markdown(session, end))


class TranscriptPane(BranchView):
    """Shows one entry, or in transcript mode the branch through it, whose hits are then those found."""

    class HitsCounted(Message):
        """More entries of the branch were searched."""

        def __init__(self, hits: BranchHits) -> None:
            super().__init__()
            self.hits = hits

        def can_replace(self, message: Message) -> bool:
            return isinstance(message, TranscriptPane.HitsCounted)

    class NothingFound(Message):
        """No entry outside the stretch holds what is looked for, in the direction that was gone."""

        def __init__(self, step: int) -> None:
            super().__init__()
            self.step = step

    def __init__(self, *, name: str | None = None, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(name=name, id=id, classes=classes)
        self._hits: BranchHits | None = None

    def action_copy_part(self) -> None:
        """Copy the current part, what of it, or the whole branch."""
        part = self.current_part
        if not self._transcript or self._session is None or part is None:
            super().action_copy_part()
            return
        from pitree.entry.parts.copying import Copyable, copyables

        session, place = self._session, self._places.get(self.current_entry)
        if place is None or self._branch is None:
            return
        choices = copyables(part)[:_MOST_CHOICES]
        for name, end in (
            ("the branch up to this entry", self.current_entry),
            ("the whole branch", self._branch.path[-1]),
        ):
            choices.append(Copyable(f"{name}, as Markdown", "", partial(_as_markdown, session, end)))
        self.post_message(self.CopyChoice(self, choices))

    # -- finding across the branch -----------------------------------------------------------------

    def _search(self) -> None:
        super()._search()
        self._count_branch()

    def _count_branch(self) -> None:
        """Have the hits of the whole branch counted, unless they are known or being counted."""
        branch, query, hits = self._branch, self.wanted, self._hits
        if not self._transcript or branch is None or query is None or query.error:
            self._hits = None
            self.workers.cancel_group(self, "detail-count")
        elif hits is None or hits.branch is not branch or hits.query is not query:
            from pitree.ui.entry.pane.branch_hits import BranchHits

            self._hits = BranchHits(branch, query, self.look, hits)
            in_thread(
                self,
                "count the hits in the branch",
                partial(self._count_in_thread, self._hits),
                group="detail-count",
                exclusive=True,
            )

    def _count_in_thread(self, hits: BranchHits) -> None:
        worker = get_current_worker()
        hits.fill(lambda: worker.is_cancelled, lambda: self.post_message(self.HitsCounted(hits)))

    @on(HitsCounted)
    def _hits_counted(self, event: HitsCounted) -> None:
        event.stop()
        if event.hits is self._hits:
            self.post_message(self.HitsChanged(self))

    def hit_counts(self) -> tuple[int, int, bool]:
        before, total, more = super().hit_counts()
        hits, stretch = self._hits, self._stretch
        if not self._transcript or hits is None or hits.branch is not self._branch:
            return before, total, more
        before = hits.between(0, stretch.first)
        after = hits.between(stretch.last + 1, len(hits.branch))
        return before, before + total + after, more or not hits.whole

    def action_hit(self, step: int) -> None:
        hits = self._hits
        if not self._transcript or hits is None:
            super().action_hit(step)
            return
        at = self._at + step if self._at >= 0 else math.inf if not self._spots else 0
        if 0 <= at < len(self._spots):
            super().action_hit(step)
        else:
            self.border_subtitle = Content("searching")
            in_thread(
                self,
                "search the branch",
                partial(self._find_on, hits, step, self._stretch),
                group="detail-load",
                exclusive=True,
                failed=self._not_found,
            )

    def _not_found(self, failure: Failure) -> None:
        self._tell_place()
        show_failure(self, failure)

    def _find_on(self, hits: BranchHits, step: int, stretch: Stretch) -> None:
        """Look for the next entry that holds what is looked for, around the ends of the branch."""
        from pitree.entry.transcript import read_stretch

        worker = get_current_worker()
        branch = hits.branch
        outside = len(branch) - (stretch.last - stretch.first + 1)
        place = stretch.last if step > 0 else stretch.first
        for _ in range(outside):
            place = (place + step) % len(branch)
            if worker.is_cancelled:
                return
            if hits.of(place):
                self.post_message(
                    self.StretchLoaded(branch, read_stretch(branch, place), branch.path[place], step)
                )
                return
        self.post_message(self.NothingFound(step))

    @on(NothingFound)
    def _nothing_found(self, event: NothingFound) -> None:
        event.stop()
        if self._spots:
            super().action_hit(event.step)
        self._tell_place()
