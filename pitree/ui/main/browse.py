"""The main screen: wires the list of sessions, the tree and the entry to one another."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Input
from textual.worker import get_current_worker

from pitree.catalog.info.info_cache import InfoCache
from pitree.config import table
from pitree.outline.filters import FilterMode
from pitree.pi.places import AGENT_DIR_VARIABLE, Places, find_places
from pitree.resources import FRAME_STYLES, style_sheets
from pitree.session.format.errors import Notice
from pitree.state.stars_and_archive import Shelf
from pitree.text.cells import cut
from pitree.text.sanitize import visible
from pitree.ui.app.options import AppOptions
from pitree.ui.entry import DetailPane
from pitree.ui.main.arrangement import Arrangement, Page
from pitree.ui.main.footer import Footer
from pitree.ui.main.header import Header, HeaderFacts
from pitree.ui.main.panes import PanesScreen
from pitree.ui.main.session_loading import (
    OpenedSession,
    SessionFailed,
    SessionOpened,
    SessionProgress,
    open_session,
    prepared,
)
from pitree.ui.picker.picker import SessionPicker
from pitree.ui.toolkit import keys
from pitree.ui.toolkit.background import in_thread
from pitree.ui.tree.live_tree import LiveTree
from pitree.ui.tree.tree_pane import TreePane

if TYPE_CHECKING:
    from pitree.ui.app.app import PitreeApp


PREVIEW_PAUSE = 0.15
"""Seconds the cursor rests on a session of the list before its tree is shown, until one is chosen."""


TOLD_AT_MOST = 180
"""Cells of what is told at the start of something wrong; the list of sessions tells all of it."""

TO_READ = 15.0
"""Seconds for which it is told what is wrong with the settings."""


class BrowseScreen(PanesScreen):
    """Three panes, a header and a footer. Panes say what happened; only this screen acts on it."""

    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings(keys.KeyContext.GLOBAL)]
    AUTO_FOCUS = ""
    CSS_PATH: ClassVar = [path for path in style_sheets() if path.name not in FRAME_STYLES]
    app: PitreeApp

    def __init__(self, options: AppOptions) -> None:
        super().__init__(options)
        environ = {AGENT_DIR_VARIABLE: str(options.agent_dir)} if options.agent_dir else None
        places = find_places(options.cwd, options.session_dir, environ)
        wrong = [Notice("bad-settings", None, str(problem)) for problem in self.app.problems]
        self.places: Places = replace(places, notices=(*places.notices, *wrong))
        self.shelf: Shelf = options.shelf
        self.header = Header()
        self.footer = Footer()
        self.config = options.config.with_pi(self.places.tree_filter_mode, self.places.tree_filter_source)
        cache = InfoCache(options.cache_file) if options.cache_file is not None else None
        self.picker = SessionPicker(
            self.places,
            config=self.config,
            memory=options.memory,
            shelf=self.shelf,
            cache=cache,
        )
        if (ahead := options.ahead) is not None:
            ahead.look()
            ahead.stop()
            self.picker.first = ahead.sessions
            if cache is not None:
                cache.keep(ahead.read)
        self.tree_pane = LiveTree(FilterMode.of(self.config[table.FILTER]), id="tree")
        self.tree_pane.follows_first = self.config[table.FOLLOW]
        self.detail_pane = DetailPane(id="detail")
        self._opened: OpenedSession | None = None
        self._wanted: Path | None = None
        self._wanted_entry: str | None = None
        self._chosen = options.path is not None
        self._preview_pause: Timer | None = None

    def compose(self) -> ComposeResult:
        self._arrange()  # before there are widgets, which it would style anew
        yield self.header
        with Container(id="panes"):
            yield self.picker
            with Container(id="work"):
                yield self.tree_pane
                yield self.detail_pane
        yield from self.lines_below()
        yield self.footer

    def lines_below(self) -> Iterable[Widget]:
        """What stands between the panes and the footer."""
        return ()

    def on_mount(self) -> None:
        self._clear_entry()
        if self._options.path is not None:
            self._open_first(self._options.path)
            self.picker.stand_beside(self._options.path)
        else:
            self.tree_pane.clear("Select a session to see its tree here.")
        self.show_page(self._page)
        self.call_after_refresh(self.picker.load)
        self._tell_problems()

    def _tell_problems(self) -> None:
        """Say what is wrong with pitree's settings: the first thing in full, of more how many."""
        problems = self.app.problems
        if problems:
            where = f"{keys.key_label(self, 'picker.skipped')} in the session list"
            more = f" · {len(problems) - 1:,} more: {where}" if len(problems) > 1 else ""
            first = cut(visible(str(problems[0])), TOLD_AT_MOST)
            self.app.report(f"{first}{more}", warning=True, seconds=TO_READ)

    @on(SessionPicker.NothingListed)
    def _nothing_listed(self, event: SessionPicker.NothingListed) -> None:
        event.stop()
        self.give_room_away()

    # -- the panes ---------------------------------------------------------------------------------

    def pane(self, page: Page) -> Widget:
        return {Page.SESSIONS: self.picker, Page.TREE: self.tree_pane, Page.DETAIL: self.detail_pane}[page]

    @property
    def nothing_shown(self) -> bool:
        return self._opened is None

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        self.footer.show(self.places_of_keys())

    @on(TreePane.KeysChanged)
    def _keys_changed(self) -> None:
        self.footer.show(self.places_of_keys())

    def places_of_keys(self) -> list[keys.KeyContext]:
        """The places whose keys apply where the focus is, the nearest first."""
        everywhere = [keys.KeyContext.GLOBAL, keys.KeyContext.APP]
        if isinstance(self.focused, Input) and self.focused is not self.picker.focus_target:
            everywhere = [keys.KeyContext.APP]  # in the list it is a field where keys are as in Pi
        for node in self.focused.ancestors_with_self if self.focused is not None else ():
            here = getattr(node, "KEY_PLACES", None)
            if here:
                return [*here, *everywhere]
        return everywhere

    # -- opening a session ------------------------------------------------------------------------

    @property
    def opened(self) -> OpenedSession | None:
        """The session shown."""
        return self._opened

    @property
    def chosen_path(self) -> Path | None:
        """The session the reader has opened; None while what is shown is but a look at a row of the list."""
        return self._opened.path if self._chosen and self._opened is not None else None

    @property
    def entry_index(self) -> int:
        """Index of the entry under the cursor, -1 for none."""
        return self.tree_pane.entry_index

    def _open_first(self, path: Path) -> None:
        """Open the session with which the program was started, from what was read of it by now."""
        first = self._options.first_tree
        read = first.wait(0) if first is not None else None
        if read is None:
            self.open_path(path)
            return
        self.shelf.refresh()
        self._wanted, self.header.state = path, "loading"
        self.post_message(SessionOpened(prepared(path, read)))
        if read.session.partial:
            self._start_opening(path, end_shown=True)

    def open_path(self, path: Path, entry_id: str | None = None) -> None:
        """Start opening a session file; what is shown changes when the first of it is there.

        Args:
            path: the file.
            entry_id: the entry to put the cursor on; where Pi would by default.
        """
        self._wanted, self._wanted_entry = path, entry_id
        self.header.state = "loading"
        if self._opened is None:
            self.tree_pane.clear(f"Loading {visible(path.name)}")
        self._start_opening(path)

    def _start_opening(self, path: Path, *, end_shown: bool = False) -> None:
        work = partial(self._open, path, self.tree_pane.filter_mode, end_shown)
        in_thread(
            self,
            "read the session",
            work,
            group="session",
            exclusive=True,
            failed=lambda failure: self._session_failed(SessionFailed(path, failure.words)),
        )

    def _open(self, path: Path, mode: FilterMode, end_shown: bool) -> None:
        worker = get_current_worker()
        self.shelf.refresh()
        cancelled = self.app.input_priority.while_asked(lambda: worker.is_cancelled)
        open_session(path, mode, self.post_message, cancelled, end_shown=end_shown)

    @on(SessionOpened)
    def _session_opened(self, event: SessionOpened) -> None:
        opened, before = event.opened, self._opened
        if opened.path != self._wanted:
            return
        by_id = opened.session.table.by_id
        wanted, stays = self._wanted_entry, False
        entry = by_id.get(wanted) if wanted is not None else None  # an id may be ""
        folded: list[str] = []
        if entry is not None:
            self._wanted_entry = None  # there by now; what is read of the file from now on moves no cursor
        elif before is not None and before.path == opened.path and self.entry_index >= 0:
            ids = before.session.table.ids
            entry, stays = by_id.get(ids[self.entry_index]), True
            folded = [ids[index] for index in before.outline.folded] if before.provisional else []
        self.show_session(opened, entry, stays=stays)
        self.tree_pane.fold_entries([by_id[one] for one in folded if one in by_id])

    def show_session(self, opened: OpenedSession, entry: int | None, *, stays: bool = False) -> None:
        """Show a session.

        Args:
            opened: the session.
            entry: index of the entry to go to; None for where Pi would start.
            stays: whether the cursor keeps its height on screen.
        """
        self._opened, self._wanted = opened, opened.path
        if self._chosen:
            self.picker.mark_open(opened.path)
        self.header.facts = opened.facts
        self.header.state = "loading" if opened.provisional else ""
        self.tree_pane.show(
            opened.outline,
            opened.texts,
            notices=len(opened.session.notices),
            entry=entry,
            keep_screen_row=stays,
            archived=self.archived_in(opened),
        )
        self._arrange()
        self.session_shown()

    def archived_in(self, opened: OpenedSession) -> frozenset[str]:
        """Ids of the entries at which archived branches of a session start."""
        return self.shelf.of(opened.session.get_session_id(), str(opened.path)).branches

    def session_shown(self) -> None:
        """A session, or the end of one, is shown now; for who follows it."""

    def nothing_opens(self) -> None:
        """No session is being opened any more."""
        self.header.state = ""

    def session_failed(self, path: Path) -> None:
        """This file cannot be shown; for who waits for it to change."""

    @on(SessionProgress)
    def _session_progress(self, event: SessionProgress) -> None:
        if event.path == self._wanted and (
            self._opened is None or self._opened.path != event.path or self._opened.provisional
        ):
            self.header.state = event.words

    @on(SessionFailed)
    def _session_failed(self, event: SessionFailed) -> None:
        if event.path != self._wanted:
            return
        self._wanted = None
        self.nothing_opens()
        self.app.report(event.reason, warning=True)
        if self._opened is None or self._opened.path == event.path:
            self.show_failure(event.reason)
            self.session_failed(event.path)

    def show_failure(self, reason: str) -> None:
        """Show no session, but why a file cannot be shown."""
        self._opened = None
        self.header.facts = HeaderFacts()
        self.header.state = ""
        self.tree_pane.clear(f"This file cannot be shown: {visible(reason)}")
        self._clear_entry()

    # -- what the panes say -----------------------------------------------------------------------

    @on(SessionPicker.Opened)
    def _picker_opened(self, event: SessionPicker.Opened) -> None:
        self.choose_session(Path(event.path))

    def choose_session(self, path: Path, entry_id: str | None = None) -> None:
        """Open a session because the reader wants this one, and go to its tree, at an entry if given."""
        self._chosen = True
        self._stop_preview()
        if path == self._wanted and entry_id is None:
            self.picker.mark_open(path)
        else:
            self.open_path(path, entry_id)
        self.show_page(Page.TREE)

    @on(SessionPicker.Previewed)
    def _picker_previewed(self, event: SessionPicker.Previewed) -> None:
        """Where there is room beside the list, and nothing was chosen yet, show the tree of its row."""
        self._stop_preview()
        if event.path and not self._chosen and self._arrangement is Arrangement.WIDE:
            self._preview_pause = self.set_timer(PREVIEW_PAUSE, lambda: self.open_path(Path(event.path)))

    def _stop_preview(self) -> None:
        if self._preview_pause is not None:
            self._preview_pause.stop()
            self._preview_pause = None

    @on(TreePane.EntryHighlighted)
    def _entry_highlighted(self, event: TreePane.EntryHighlighted) -> None:
        if self._opened is None or event.index < 0:
            self._clear_entry()
        else:
            self.detail_pane.show_entry(self._opened.session, event.index)

    @on(DetailPane.EntryRequested)
    def _entry_requested(self, event: DetailPane.EntryRequested) -> None:
        if self._opened is None or event.session is not self._opened.session:
            return
        if not self.tree_pane.go_to(event.index):
            mode, every = self.tree_pane.filter_mode.value, keys.key_label(self, "tree.filter.all")
            self.app.report(f"The filter {mode} hides that entry; {every} shows all entries")

    def _clear_entry(self) -> None:
        self.detail_pane.clear("The entry under the cursor is shown here.")

    @on(TreePane.CopyRequested)
    def _copy_entry(self, event: TreePane.CopyRequested) -> None:
        if self._opened is not None:
            from pitree.entry.parts.copying import copy_text

            self.app.copy_text(copy_text(self._opened.session, event.index))

    @on(DetailPane.CopyRequested)
    def _copy(self, event: DetailPane.CopyRequested) -> None:
        self.app.copy_text(event.text)

    # -- actions (named in the table of keys) -------------------------------------------------------

    def action_back(self) -> None:
        if self._page is Page.DETAIL:
            self.show_page(Page.TREE)
        elif self._page is Page.SESSIONS:
            if self._opened is not None:
                self.show_page(Page.TREE)
        elif self.tree_pane.searching:
            self.tree_pane.clear_search()
        else:
            self.show_page(Page.SESSIONS)

    def action_help(self) -> None:
        from pitree.ui.windows.help_window import HelpWindow

        self.app.push_screen(HelpWindow(self.places_of_keys(), keys.table_of(self)))

    def action_manual(self) -> None:
        from pitree.ui.windows.manual_topics import show_manual

        show_manual(self.app)

    def action_notices(self) -> None:
        from pitree.ui.windows.notices_window import notices_window

        notices = self._opened.session.notices if self._opened is not None else []
        if notices:
            self.app.push_screen(notices_window(notices))
        else:
            self.app.report("This file has no problems" if self._opened else "No session is open")
