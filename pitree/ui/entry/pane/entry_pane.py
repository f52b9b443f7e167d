"""The detail pane: the entry under the cursor, whole."""

from __future__ import annotations

from collections import OrderedDict
from functools import partial
from time import monotonic
from typing import ClassVar

from textual import on
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message
from textual.timer import Timer
from textual.worker import get_current_worker

from pitree.entry.parts import Part
from pitree.entry.parts.build_context import pretty
from pitree.session.manager.manager import SessionManager
from pitree.text import cells
from pitree.text.sanitize import visible
from pitree.ui.entry.document.fold import Fold
from pitree.ui.entry.pane.entry_loader import LoadedEntry, ViewOptions, load
from pitree.ui.entry.pane.finding_view import FindingView
from pitree.ui.entry.pane.parts_view import PartsView
from pitree.ui.entry.pane.reading_view import ReadingView
from pitree.ui.toolkit import keys
from pitree.ui.toolkit.background import in_thread
from pitree.workers.failures import Failure

PAUSE = 0.05
"""Seconds an entry has to stay wanted before it is read, while they change quickly."""
PATIENCE = 0.3
"""Seconds after which a reader is told that an entry is still being read."""
_FOLDS_KEPT = 200
"""Entries of which is remembered what was folded."""


class DetailPane(ReadingView):
    """Shows one entry in full: tell it which with `show_entry`. It reads in a thread, and the newest wins."""

    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings(keys.KeyContext.DETAIL)]
    KEY_PLACES: ClassVar[tuple[keys.KeyContext, ...]] = (keys.KeyContext.DETAIL,)

    class EntryShown(Message):
        """An entry was read and is shown."""

        def __init__(self, pane: DetailPane, session: SessionManager, index: int) -> None:
            super().__init__()
            self.pane = pane
            self.session = session
            self.index = index

        @property
        def control(self) -> DetailPane:
            return self.pane

    class EntryRequested(Message):
        """The reader wants to go to an entry that this one refers to."""

        def __init__(self, pane: DetailPane, session: SessionManager, index: int) -> None:
            super().__init__()
            self.pane = pane
            self.session = session
            self.index = index

        @property
        def control(self) -> DetailPane:
            return self.pane

    def __init__(self, *, name: str | None = None, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(name=name, id=id, classes=classes)
        self._session: SessionManager | None = None
        self._index = -1
        self._raw = False
        self._shown: LoadedEntry | None = None
        self._pause: Timer | None = None
        self._reading: Timer | None = None
        self._asked_at = 0.0
        self._remembered: OrderedDict[tuple[int, bool], dict[str, Fold]] = OrderedDict()

    # -- what is shown --------------------------------------------------------------------------

    @property
    def index(self) -> int:
        """Index of the entry wanted, -1 for none; what is shown may be a moment behind."""
        return self._index

    @property
    def raw(self) -> bool:
        """Whether the record is shown as JSON."""
        return self._raw

    def show_entry(self, session: SessionManager, index: int) -> None:
        """Show an entry of a session. The same one again: read it anew, and stay where the reader is."""
        if session is not self._session:
            self._remembered.clear()
        self._session = session
        self._index = index
        self._load_soon()

    def clear(self, words: str) -> None:
        """Show no entry, but these words."""
        self._session, self._index, self._shown = None, -1, None
        self._stop_pause()
        self._stop_reading()
        self.workers.cancel_group(self, "detail-load")
        self.show_words(words)
        self.border_title = Content("Entry")
        self.border_subtitle = Content("")

    def _load_soon(self) -> None:
        """Load at once; only while wishes follow each other quickly, wait for the last of them."""
        self._stop_pause()
        now = monotonic()
        quick = now - self._asked_at < 2 * PAUSE
        self._asked_at = now
        if quick:
            self._pause = self.set_timer(PAUSE, self._load)
        else:
            self._load()

    def _stop_pause(self) -> None:
        if self._pause is not None:
            self._pause.stop()
            self._pause = None

    def _load(self) -> None:
        if self._session is None:
            return
        self._stop_reading()
        self._reading = self.set_timer(PATIENCE, self._tell_reading)
        view = ViewOptions(self.look, self.rows_in_view, dict(self._folds_of(self._index, self._raw)))
        in_thread(
            self,
            "read the entry",
            partial(self._read, self._session, self._index, self._raw, view),
            group="detail-load",
            exclusive=True,
            failed=self._not_read,
        )

    def _not_read(self, failure: Failure) -> None:
        """Say in place of the entry why it is not shown."""
        self._stop_reading()
        self._shown = None
        self.show_words(visible(failure.words))
        self.border_title, self.border_subtitle = Content("Entry"), Content("")

    def _read(self, session: SessionManager, index: int, raw: bool, view: ViewOptions) -> None:
        worker = get_current_worker()
        loaded = load(session, index, view, raw=raw, cancelled=lambda: worker.is_cancelled)
        if not worker.is_cancelled:
            self.post_message(loaded)

    @on(LoadedEntry)
    def _loaded(self, event: LoadedEntry) -> None:
        event.stop()
        if event.session is not self._session or (event.index, event.raw) != (self._index, self._raw):
            return
        self._stop_reading()
        before, self._shown = self._shown, event
        if event.palette == self.palette:
            for wish, rows in event.styled:
                self._styled.keep(wish, rows, event.palette)
        same = (
            before is not None
            and before.session is event.session
            and (before.index, before.raw) == (event.index, event.raw)
        )
        self.show_parts(event.parts, keep=same, folds=self._folds_of(event.index, event.raw))
        if not same and not self.finding:
            self.go_to_first_hit()
        self._tell_title()
        self._tell_place()
        if not same:
            self.post_message(self.EntryShown(self, event.session, event.index))

    def on_resize(self) -> None:
        super().on_resize()
        self._tell_title()

    def _tell_title(self) -> None:
        """Name the entry above it; where there is little room, its model or tool gives way first."""
        if self._shown is None:
            return
        title, subject, note = self._shown.title
        around = " · ".join(filter(None, (title, note)))
        room = self.size.width - 6 - cells.cell_len(around) - 3
        if subject and room >= 4:
            around = " · ".join(filter(None, (title, cells.cut(subject, room), note)))
        self.border_title = Content(around)

    def _tell_reading(self) -> None:
        """Say that the entry is not there yet."""
        self.border_subtitle = Content("reading")

    def _stop_reading(self) -> None:
        if self._reading is not None:
            self._reading.stop()
            self._reading = None

    def _folds_of(self, index: int, raw: bool) -> dict[str, Fold]:
        key = (index, raw)
        folds = self._remembered.setdefault(key, {})
        self._remembered.move_to_end(key)
        if len(self._remembered) > _FOLDS_KEPT:
            self._remembered.popitem(last=False)
        return folds

    @on(FindingView.HitsChanged)
    def _hits_changed(self) -> None:
        self._tell_place()

    @on(PartsView.Moved)
    def _moved(self, event: PartsView.Moved) -> None:
        event.stop()
        self._tell_place()

    def _tell_place(self) -> None:
        """Say below which part is the current one, or how the record is shown."""
        if self._shown is None:
            return
        words = [self.hits_words] if self.hits_words else []
        if not self.wrapped:
            words.append("not wrapped")
        if self._raw:
            words.append("raw record")
        elif self.stop_count > 1:
            words.append(f"part {self.current + 1} of {self.stop_count}")
        self.border_subtitle = Content(" · ".join(words))

    # -- actions (named in the table of keys) -----------------------------------------------------

    def action_toggle_raw(self) -> None:
        """Show the record as JSON, or the entry again."""
        self._raw = not self._raw
        self._load()

    def action_toggle_wrap(self) -> None:
        super().action_toggle_wrap()
        self._tell_place()

    def action_copy(self) -> None:
        """Copy the entry's text; where its record is shown, the record."""
        if self._session is not None and self._index >= 0:
            in_thread(
                self,
                "copy the entry",
                partial(self._copy, self._session, self._index, self._raw),
                group="detail-copy",
                exclusive=True,
            )

    @property
    def cwd(self) -> str:
        """The folder of the session shown."""
        return self._shown.session.get_cwd() if self._shown is not None else ""

    def _copy(self, session: SessionManager, index: int, raw: bool) -> None:
        from pitree.entry.parts import copy_text

        text = pretty(session.entry(index).record) if raw else copy_text(session, index)
        self.post_message(self.CopyRequested(self, text))

    def action_refer(self) -> None:
        """Go to the entry that the current part refers to, else to the first one any part refers to."""
        if self._shown is None:
            return
        parts: list[Part] = [part for part in (self.current_part, *self._shown.parts) if part is not None]
        target = next((part.target for part in parts if part.target is not None), None)
        if target is not None:
            self.post_message(self.EntryRequested(self, self._shown.session, target))
