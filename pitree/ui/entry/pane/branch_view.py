"""The detail pane that can show the branch through the cursor as one text, a stretch of it at a time.

The stretch around what is being read is kept laid out; near its ends the next one is read in a thread and put
in its place without moving what is being read. So a branch of any length scrolls from one end to the other.
"""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

from textual import on
from textual.content import Content
from textual.message import Message
from textual.worker import get_current_worker

from pitree.session.manager.manager import SessionManager
from pitree.ui.entry.document.fold import Fold
from pitree.ui.entry.pane.entry_loader import LoadedEntry
from pitree.ui.entry.pane.entry_pane import DetailPane
from pitree.ui.entry.pane.parts_view import PartsView
from pitree.ui.toolkit.background import in_thread

if TYPE_CHECKING:
    from pitree.entry.branch_parts import Branch
    from pitree.entry.transcript import Stretch


class BranchView(DetailPane):
    """Shows one entry, or in transcript mode the branch through it, at that entry."""

    class EntryReached(Message):
        """The reader scrolled the transcript to another entry."""

        def __init__(self, pane: BranchView, session: SessionManager, index: int) -> None:
            super().__init__()
            self.pane = pane
            self.session = session
            self.index = index

        @property
        def control(self) -> BranchView:
            return self.pane

        def can_replace(self, message: Message) -> bool:
            """Only where the reader came to rest matters."""
            return isinstance(message, BranchView.EntryReached)

    class StretchLoaded(Message):
        """A stretch was read.

        Attributes:
            go: index of the entry to go to; None to stay where the reader is.
            hit: direction of the hit that was looked for there; 0 for none.
        """

        def __init__(self, branch: Branch, stretch: Stretch, go: int | None, hit: int) -> None:
            super().__init__()
            self.branch = branch
            self.stretch = stretch
            self.go = go
            self.hit = hit

    def __init__(self, *, name: str | None = None, id: str | None = None, classes: str | None = None) -> None:
        from pitree.entry.transcript import Stretch

        super().__init__(name=name, id=id, classes=classes)
        self._transcript = False
        self._branch: Branch | None = None
        self._places: dict[int, int] = {}
        self._stretch = Stretch(0, -1, [])
        self._transcript_folds: dict[str, Fold] = {}
        self._asked: tuple[int, int] | None = None
        self._led_to = -1

    # -- what is shown --------------------------------------------------------------------------

    @property
    def transcript(self) -> bool:
        """Whether the branch is shown rather than the entry."""
        return self._transcript

    @property
    def current_entry(self) -> int:
        """Index of the entry being read, -1 for none."""
        from pitree.entry.transcript import entry_of

        if not self._transcript:
            return self.index
        part = self.current_part
        return entry_of(part) if part is not None and part.key.startswith("e") else self.index

    def action_transcript(self) -> None:
        """Show the branch as one text, or only the entry."""
        index = self.current_entry
        self._transcript = not self._transcript
        self._branch = None
        if self._transcript:
            self._raw = False
        elif self._session is not None and index >= 0:
            self._index = index
        self._shown = None
        self._load()

    def action_toggle_raw(self) -> None:
        if self._transcript:
            self.action_transcript()
        super().action_toggle_raw()

    def show_entry(self, session: SessionManager, index: int) -> None:
        """Show an entry; in transcript mode bring it into view, unless the reader is leading."""
        if not self._transcript or session is not self._session or self._branch is None:
            if session is not self._session:
                self._branch = None
                self._transcript_folds = {}
            super().show_entry(session, index)
            return
        again = index == self._index
        self._index = index
        place = self._places.get(index)
        if again:
            self._read_around(self.current_entry, go=None, anew=True)
        elif place is None:
            self._load_soon()
        elif self.has_focus:
            pass  # the tree follows the reader here, not the other way round
        elif self._stretch.first <= place <= self._stretch.last:
            self._go_to(place)
        else:
            self._load_soon()

    def clear(self, words: str) -> None:
        self._branch = None
        super().clear(words)

    def _load(self) -> None:
        if not self._transcript:
            super()._load()
        elif self._session is not None:
            self._stop_reading()
            self._read_around(self._index, go=self._index, anew=self._index not in self._places)

    # -- reading a stretch ------------------------------------------------------------------------

    def _read_around(self, index: int, *, go: int | None, anew: bool = False) -> None:
        """Have the stretch around an entry read.

        Args:
            index: the entry.
            go: the entry to go to then; None to stay.
            anew: find out anew which branch goes through it.
        """
        assert self._session is not None
        in_thread(
            self,
            "read the branch",
            partial(self._read_branch, self._session, index, None if anew else self._branch, go),
            group="detail-load",
            exclusive=True,
        )

    def _read_branch(
        self, session: SessionManager, index: int, branch: Branch | None, go: int | None
    ) -> None:
        from pitree.entry.branch_parts import Branch
        from pitree.entry.transcript import branch_end, read_stretch

        worker = get_current_worker()
        if branch is None:
            branch = Branch(session, branch_end(session, index), time.time() * 1_000)
        place = branch.place(index)
        stretch = read_stretch(branch, place)
        if not worker.is_cancelled:
            self.post_message(self.StretchLoaded(branch, stretch, go, 0))

    @on(StretchLoaded)
    def _stretch_loaded(self, event: StretchLoaded) -> None:
        event.stop()
        self._asked = None
        if not self._transcript or event.branch.session is not self._session:
            return
        keep = self._branch is not None and event.go is None
        self._branch = event.branch
        self._places = event.branch.places
        self._stretch = event.stretch
        self._shown = LoadedEntry(
            event.branch.session, self._index, False, ("", "", ""), event.stretch.parts, [], self.palette
        )
        self.show_parts(event.stretch.parts, keep=keep, folds=self._transcript_folds)
        if event.go is not None and (place := self._places.get(event.go)) is not None:
            self._go_to(place)
        if event.hit and event.go is not None:
            from pitree.entry.transcript import entry_key

            self._going = (entry_key(event.go), event.hit)
            self._follow()
        self._tell_title()
        self._tell_place()

    def _go_to(self, place: int) -> None:
        """Bring the entry at a place into view, or the one whose call shows its result."""
        from pitree.entry.transcript import entry_key, title_key

        assert self._branch is not None
        keys = {stop.part.key: number for number, stop in enumerate(self.document.stops)}
        for at in range(place, self._stretch.first - 1, -1):
            stop = keys.get(title_key(entry_key(self._branch.path[at])))
            if stop is not None:
                self.scroll_to(y=self.document.stop_row(stop), animate=False, force=True)
                self.settle()
                self.scroll_to(y=self.document.stop_row(stop), animate=False, force=True)
                self._make_current(stop)
                return

    def scrolled(self) -> None:
        super().scrolled()
        if self._transcript and self._branch is not None and self.document.height:
            self._read_on()

    def _read_on(self) -> None:
        """Near an end of the stretch, have the next one read."""
        from pitree.entry.transcript import stretch_around

        assert self._branch is not None
        height, top = self.rows_in_view, self.scroll_offset.y
        near_start = top < height and self._stretch.first > 0
        near_end = top + 2 * height > self.document.height and self._stretch.last + 1 < len(self._branch)
        place = self._places.get(self.current_entry)
        if place is None or not (near_start or near_end):
            return
        wanted = stretch_around(self._branch, place)
        if wanted not in ((self._stretch.first, self._stretch.last), self._asked):
            self._asked = wanted
            self._read_around(self._branch.path[place], go=None)

    # -- what is said around it -------------------------------------------------------------------

    @on(PartsView.Moved)
    def _reached(self) -> None:
        if self._transcript and self.has_focus and self._session is not None:
            index = self.current_entry
            if index not in (self._index, self._led_to) and index in self._places:
                self._led_to = index
                self.post_message(self.EntryReached(self, self._session, index))

    def _tell_title(self) -> None:
        if self._transcript:
            self.border_title = Content("Transcript")
        else:
            super()._tell_title()

    def _tell_place(self) -> None:
        place = self._places.get(self.current_entry) if self._transcript else None
        if place is None or self._branch is None:
            super()._tell_place()
            return
        words = [self.hits_words] if self.hits_words else []
        words += [] if self.wrapped else ["not wrapped"]
        words.append(f"entry {place + 1:,} of {len(self._branch):,}")
        self.border_subtitle = Content(" · ".join(words))

    # -- going about ----------------------------------------------------------------------------

    def action_cursor_first(self) -> None:
        self._to_end(0) or super().action_cursor_first()

    def action_cursor_last(self) -> None:
        self._to_end(-1) or super().action_cursor_last()

    def _to_end(self, end: int) -> bool:
        """Go to an end of the branch that is not in the stretch; False if it is."""
        if not self._transcript or self._branch is None or not len(self._branch):
            return False
        place = end % len(self._branch)
        if self._stretch.first <= place <= self._stretch.last:
            return False
        self._read_around(self._branch.path[place], go=self._branch.path[place])
        return True

    def action_copy(self) -> None:
        if self._transcript and self._session is not None:
            copy = partial(self._copy, self._session, self.current_entry, False)
            in_thread(self, "copy the entry", copy, group="detail-copy")
        else:
            super().action_copy()
