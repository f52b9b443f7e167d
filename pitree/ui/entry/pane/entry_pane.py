"""The entry pane: the entry under the cursor, whole, or the branch through it as one text."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message

from pitree.entry.parts.copying import copyables
from pitree.session.manager.manager import SessionManager
from pitree.text.sanitize import visible
from pitree.ui.entry.pane.entry_loader import LoadedEntry, LoadTimer, ViewOptions, load, text_to_copy
from pitree.ui.entry.pane.folds import FoldMemory
from pitree.ui.entry.pane.parts_view import PartsView
from pitree.ui.toolkit import keys
from pitree.ui.toolkit.background import compute_in_thread, show_failure
from pitree.workers.failures import Failure

if TYPE_CHECKING:
    from pitree.entry.parts.copying import Copyable
    from pitree.ui.entry.pane.branch_hits import BranchHits
    from pitree.ui.entry.pane.transcript import StretchRead, Transcript

_CHOICES = 30
"""Texts of a part that are offered to be copied beside the branch."""
_NO_ENTRY = -1
"""Stands for the transcript where folds are remembered."""


class DetailPane(PartsView):
    """Shows the entry that `show_entry` names. It reads in a thread, and the newest wins.

    In transcript mode it shows the branch through the entry, at that entry.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings(keys.KeyContext.DETAIL)]
    KEY_PLACES: ClassVar[tuple[keys.KeyContext, ...]] = (keys.KeyContext.DETAIL,)

    @dataclass
    class EntryRequested(Message):
        """The reader wants to go to an entry that this one refers to."""

        session: SessionManager
        index: int

    @dataclass
    class EntryReached(Message):
        """The reader scrolled the transcript to another entry."""

        session: SessionManager
        index: int

        def can_replace(self, message: Message) -> bool:
            """Only where the reader came to rest matters."""
            return isinstance(message, DetailPane.EntryReached)

    @dataclass
    class CopyRequested(Message):
        """The reader wants this text copied; it is raw text of the file."""

        text: str

    @dataclass
    class CopyChoice(Message):
        """The reader wants one of several texts copied."""

        choices: list[Copyable]

    def __init__(self, *, name: str | None = None, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(name=name, id=id, classes=classes)
        self._session: SessionManager | None = None
        self._index = -1
        self._raw = False
        self._shown: LoadedEntry | None = None
        self._transcript: Transcript | None = None
        self._timer = LoadTimer(self.set_timer)
        self._memory = FoldMemory()

    # -- what is shown --------------------------------------------------------------------------

    @property
    def index(self) -> int:
        """Index of the entry wanted, -1 for none; what is shown may be a moment behind."""
        return self._index

    @property
    def current_entry(self) -> int:
        """Index of the entry being read, -1 for none."""
        reached = self._transcript.entry_of(self.current_part) if self._transcript is not None else None
        return self._index if reached is None else reached

    @property
    def cwd(self) -> str:
        """The folder of the session shown."""
        return self._shown.session.get_cwd() if self._shown is not None else ""

    def show_entry(self, session: SessionManager, index: int) -> None:
        """Show an entry of a session. The same one again: read it again, and stay where the reader is.

        In transcript mode bring it into view, unless the reader is leading.
        """
        again = session is self._session and index == self._index
        if session is not self._session:
            self._memory.clear()
            self._forget_branch()
        self._session, self._index = session, index
        text = self._transcript
        if text is None or text.branch is None:
            self._timer.request(self._load)
        elif again:
            self._read_around(self.current_entry, same_branch=False)
        else:
            self._show_in_branch(text, text.place(index))

    def _show_in_branch(self, text: Transcript, place: int | None) -> None:
        if place is None or not (self.has_focus or text.shows(place)):
            self._timer.request(self._load)
        elif not self.has_focus:  # else the tree follows the reader, not the other way round
            self._go_to(place)

    def clear(self, text: str) -> None:
        """Show no entry, but this text."""
        self._timer.cancel()
        self.workers.cancel_group(self, "detail-load")
        self._forget_branch()
        self._session, self._index = None, -1
        self._show_text(text)

    def _forget_branch(self) -> None:
        if self._transcript is not None:
            self._transcript.branch = None

    def _show_text(self, text: str) -> None:
        self._timer.ended()
        self._shown = None
        self.show_text(text)
        self.border_title, self.border_subtitle = Content("Entry"), Content("")

    def on_resize(self) -> None:
        super().on_resize()
        self._tell_title()

    def _tell_title(self) -> None:
        if self._shown is not None:
            self.border_title = Content(self._shown.title_within(self.size.width - 6))

    def _tell_place(self) -> None:
        """Say below which entry or part is the current one, or how the record is shown."""
        if self._shown is None:
            return
        words = [self.hits_words] if self.hits_words else []
        if not self.wrapped:
            words.append("not wrapped")
        position = self._transcript.position(self.current_entry) if self._transcript is not None else ""
        if position:
            words.append(position)
        elif self._raw:
            words.append("raw record")
        elif self.stop_count > 1:
            words.append(f"part {self.current + 1} of {self.stop_count}")
        self.border_subtitle = Content(" · ".join(words))

    @on(PartsView.Moved)
    def _moved(self, event: PartsView.Moved) -> None:
        event.stop()
        self._tell_place()
        text, index = self._transcript, self.current_entry
        if text is None or self._session is None or not self.has_focus:
            return
        if index != self._index and text.leads_to(index):
            self.post_message(self.EntryReached(self._session, index))

    # -- reading ----------------------------------------------------------------------------------

    def _load(self) -> None:
        self._timer.ended()
        session, index, raw = self._session, self._index, self._raw
        if session is None:
            return
        if self._transcript is not None:
            self._read_around(index, go=index, same_branch=self._transcript.place(index) is not None)
            return
        self._timer.started(self._tell_reading)
        view = ViewOptions(self.look, self.rows_in_view, dict(self._memory.of(index, raw)))
        compute_in_thread(
            self,
            "read the entry",
            lambda cancelled: load(session, index, view, raw=raw, cancelled=cancelled),
            self._loaded,
            group="detail-load",
            failed=lambda failure: self._show_text(visible(failure.words)),
        )

    def _tell_reading(self) -> None:
        self.border_subtitle = Content("reading")

    def _loaded(self, loaded: LoadedEntry) -> None:
        wanted = (loaded.index, loaded.raw) == (self._index, self._raw) and self._transcript is None
        if loaded.session is not self._session or not wanted:
            return
        self._timer.ended()
        same = loaded.same_as(self._shown)
        self._shown = loaded
        if loaded.palette == self.palette:
            for wish, rows in loaded.styled:
                self._styled.keep(wish, rows, loaded.palette)
        self.show_parts(loaded.parts, keep=same, folds=self._memory.of(loaded.index, loaded.raw))
        if not same and not self.finding:
            self._search.go_to_first()
        self._tell_title()
        self._tell_place()

    # -- the branch as one text -------------------------------------------------------------------

    def action_transcript(self) -> None:
        """Show the branch as one text, or only the entry."""
        if self._transcript is not None:
            if self._session is not None and self.current_entry >= 0:
                self._index = self.current_entry
            self._transcript = None
        else:
            from pitree.ui.entry.pane.transcript import Transcript

            self._transcript = Transcript()
            self._raw = False
        self._shown = None
        self._load()

    def _read_around(self, index: int, *, go: int | None = None, same_branch: bool = True) -> None:
        """Have the stretch around an entry read.

        Args:
            index: the entry.
            go: the entry to go to then; None to stay.
            same_branch: whether it is of the branch shown, which did not change.
        """
        if self._session is not None and self._transcript is not None:
            work = self._transcript.reader(self._session, index, go, same_branch=same_branch)
            compute_in_thread(self, "read the branch", work, self._stretch_read, group="detail-load")

    def _stretch_read(self, read: StretchRead) -> None:
        text, session, parts = self._transcript, read.branch.session, read.stretch.parts
        if text is None or session is not self._session:
            return
        keep = text.branch is not None and read.go is None
        text.take(read)
        title = ("Transcript", "", "")
        self._shown = LoadedEntry(session, self._index, False, title, parts, [], self.palette)
        self.show_parts(parts, keep=keep, folds=self._memory.of(_NO_ENTRY, False))
        place = text.place(read.go) if read.go is not None else None
        if place is not None:
            self._go_to(place)
        if read.hit_key:
            self._search.go_within(read.hit_key, read.step)
        self._tell_title()
        self._tell_place()

    def _go_to(self, place: int) -> None:
        """Bring the entry at a place into view, or the one whose call shows its result."""
        stop = self._transcript.stop_of(place, self.document) if self._transcript is not None else None
        if stop is not None:
            for _ in range(2):
                self.jump(self.document.stop_row(stop))
                self.settle()
            self.make_current(stop)

    def scrolled(self) -> None:
        super().scrolled()
        text, height = self._transcript, self.document.height
        due = text.due(self.current_entry, self.top, self.rows_in_view, height) if text is not None else None
        if due is not None:
            self._read_around(due)

    def action_cursor_first(self) -> None:
        self._to_end(0) or super().action_cursor_first()

    def action_cursor_last(self) -> None:
        self._to_end(-1) or super().action_cursor_last()

    def _to_end(self, end: int) -> bool:
        """Go to an end of the branch that is not in the stretch; False if it is."""
        index = self._transcript.beyond(end) if self._transcript is not None else None
        if index is not None:
            self._read_around(index, go=index)
        return index is not None

    # -- finding in the branch ----------------------------------------------------------------------

    @property
    def hits_words(self) -> str:
        around = self._transcript.hits_around() if self._transcript is not None else ()
        return self._search.status(*around)

    @on(PartsView.HitsChanged)
    def _hits_changed(self) -> None:
        """Have the matches of the whole branch counted, unless they are known or being counted."""
        text = self._transcript
        if text is not None and (hits := text.uncounted(self.wanted, self.look)) is not None:
            compute_in_thread(
                self,
                "count the matches in the branch",
                partial(hits.fill, on_progress=partial(self.call_later, self._hits_counted, hits)),
                lambda _: self._hits_counted(hits),
                group="detail-count",
            )
        elif text is None or text.hits is None:
            self.workers.cancel_group(self, "detail-count")
        self._tell_place()

    def _hits_counted(self, hits: BranchHits) -> None:
        if self._transcript is not None and self._transcript.hits is hits:
            self.hits_changed()

    def action_hit(self, step: int) -> None:
        text = self._transcript
        if text is None or text.hits is None or self._search.has_next(step):
            super().action_hit(step)
            return
        self.border_subtitle = Content("searching")
        compute_in_thread(
            self,
            "search the branch",
            text.finder(text.hits, step),
            partial(self._found, step),
            group="detail-load",
            failed=self._not_found,
        )

    def _found(self, step: int, read: StretchRead | None) -> None:
        if read is not None:
            self._stretch_read(read)
        else:
            self._search.step(step)
            self._tell_place()

    def _not_found(self, failure: Failure) -> None:
        self._tell_place()
        show_failure(self, failure)

    # -- what a reader does with a part -------------------------------------------------------------

    def action_toggle_raw(self) -> None:
        """Show the record as JSON, or the entry again."""
        if self._transcript is not None:
            self.action_transcript()
        self._raw = not self._raw
        self._load()

    def action_toggle_wrap(self) -> None:
        super().action_toggle_wrap()
        self._tell_place()

    def action_copy(self) -> None:
        """Copy the entry's text; where its record is shown, the record."""
        if self._session is not None and self.current_entry >= 0:
            work = partial(text_to_copy, self._session, self.current_entry, self._raw)
            compute_in_thread(self, "copy the entry", work, self._copied, group="detail-copy")

    def _copied(self, text: str) -> None:
        self.post_message(self.CopyRequested(text))

    def action_copy_part(self) -> None:
        """Copy the current part, or ask which of its texts; of a transcript, or the branch."""
        part, text, index = self.current_part, self._transcript, self.current_entry
        if part is None:
            return
        choices = copyables(part)
        if text is not None and text.place(index) is None:
            return
        if text is not None:
            choices = [*choices[:_CHOICES], *text.copyables(index)]
        if len(choices) == 1:
            self._copied(choices[0].text)
        else:
            self.post_message(self.CopyChoice(choices))

    def action_refer(self) -> None:
        """Go to the entry that the current part refers to, else to the first one any part refers to."""
        parts = [part for part in (self.current_part, *self._parts) if part is not None]
        target = next((part.target for part in parts if part.target is not None), None)
        if self._shown is not None and target is not None:
            self.post_message(self.EntryRequested(self._shown.session, target))
