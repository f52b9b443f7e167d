"""The main screen: composes list, tree and entry, and hands what they report to the controllers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.widget import Widget
from textual.widgets import Input

from pitree.catalog.info.info_cache import InfoCache
from pitree.catalog.info.session_info import SessionInfo
from pitree.config import table
from pitree.outline.filters import FilterMode
from pitree.pi.places import AGENT_DIR_VARIABLE, Places, find_places
from pitree.resources import FRAME_STYLES, style_sheets
from pitree.session.format.errors import Notice
from pitree.text.cells import cut
from pitree.text.sanitize import visible
from pitree.ui.app.options import AppOptions
from pitree.ui.entry import DetailPane
from pitree.ui.main.appearance import Appearance
from pitree.ui.main.arrangement import Arrangement, Page
from pitree.ui.main.bookmarks import Bookmarks
from pitree.ui.main.edit.deletion import Deletion
from pitree.ui.main.edit.edits import Edits
from pitree.ui.main.edit.forking import Forking
from pitree.ui.main.edit.label_edits import LabelEdits
from pitree.ui.main.edit.leaf_edits import LeafEdits
from pitree.ui.main.edit.pi_handover import PiHandover
from pitree.ui.main.edit.shelf_edits import ShelfEdits
from pitree.ui.main.entry_requests import EntryRequests
from pitree.ui.main.follow.following import SessionFollowing
from pitree.ui.main.follow.live_reading import ReloadFailed, SessionReloaded
from pitree.ui.main.follow.reloading import Reloading
from pitree.ui.main.footer import Footer
from pitree.ui.main.header import Header
from pitree.ui.main.host import Controller, Panes
from pitree.ui.main.inspect.comparing import Comparing
from pitree.ui.main.inspect.exporting import Exporting
from pitree.ui.main.inspect.figures_shown import FiguresShown
from pitree.ui.main.inspect.search_all import SearchAll
from pitree.ui.main.opening import Opening
from pitree.ui.main.palette import CommandPalette
from pitree.ui.main.panes import PanesScreen
from pitree.ui.main.session_loading import OpenedSession, SessionFailed, SessionOpened, SessionProgress
from pitree.ui.picker.picker import SessionPicker
from pitree.ui.toolkit import keys
from pitree.ui.toolkit.search_box import SearchBox
from pitree.ui.tree.live_tree import LiveTree
from pitree.ui.tree.tree_pane import TreePane

PROBLEM_CELLS = 180
"""Cells that a problem with the settings takes at the start; the list of sessions shows all of it."""

TO_READ = 15.0
"""Seconds for which it is shown."""


class MainScreen(PanesScreen):
    """Three panes, a header and a footer.

    Panes report what happened, and controllers act on it. An action of the table of keys is a method
    `action_…` of this screen, or of one of its controllers.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings(keys.KeyContext.GLOBAL)]
    AUTO_FOCUS = ""
    CSS_PATH: ClassVar = [path for path in style_sheets() if path.name not in FRAME_STYLES]

    def __init__(self, options: AppOptions) -> None:
        super().__init__(options)
        environ = {AGENT_DIR_VARIABLE: str(options.agent_dir)} if options.agent_dir else None
        places = find_places(options.cwd, options.session_dir, environ)
        wrong = [Notice("bad-settings", None, str(problem)) for problem in self.services.problems]
        self.places: Places = replace(places, notices=(*places.notices, *wrong))
        self.shelf = options.shelf
        self.header = Header()
        self.footer = Footer()
        self.find_box = SearchBox('words, "a phrase" or re:pattern, in this entry', id="find")
        config = self.config = options.config.with_pi(
            self.places.tree_filter_mode, self.places.tree_filter_source
        )
        cache = InfoCache(options.cache_file) if options.cache_file is not None else None
        self.picker = SessionPicker(
            self.places, config=config, memory=options.memory, shelf=self.shelf, cache=cache
        )
        if (ahead := options.ahead) is not None:
            ahead.look()
            ahead.stop()
            self.picker.first = ahead.sessions
            if cache is not None:
                cache.keep(ahead.read)
        self.tree_pane = LiveTree(FilterMode.of(config[table.FILTER]), id="tree")
        self.tree_pane.follows_first = config[table.FOLLOW]
        self.detail_pane = DetailPane(id="detail")
        self.panes = Panes(self.header, self.picker, self.tree_pane, self.detail_pane)
        self.pages = {Page.SESSIONS: self.picker, Page.TREE: self.tree_pane, Page.DETAIL: self.detail_pane}
        self._compose_controllers()

    def _compose_controllers(self) -> None:
        self.opening = Opening(self, self.shelf, lambda path: self.edits.read_only_reason(path))
        self.following = SessionFollowing(self, self.opening, self.shelf)
        self.reloading = Reloading(self, self.opening, self.following)
        self.compose_edits()
        self.entry_requests = EntryRequests(self, self.find_box, self._focus)
        self.figures = FiguresShown(self)
        self.comparing = Comparing(self)
        self.exporting = Exporting(self)
        self.search_all = SearchAll(self, self.opening.choose)
        self.bookmarks = Bookmarks(self, self.opening.choose)
        self.serve(
            self.following.ends,
            self.edits,
            self.label_edits,
            self.leaf_edits,
            self.leaf_edits.forking,
            self.leaf_edits.handover,
            self.deletion,
            ShelfEdits(self, self.edits, self.shelf),
            self.entry_requests,
            self.figures,
            self.comparing,
            self.exporting,
            self.search_all,
            self.bookmarks,
            CommandPalette(self, self.bookmarks, self.opening.choose, self.places_of_keys, self._run_in),
            Appearance(self, self.places_of_keys, self.remember),
        )

    def compose_edits(self) -> None:
        """Make the controllers by which a reader changes sessions."""
        self.edits = Edits(self, self.following)
        forking = Forking(self, self.edits, self.following)
        self.label_edits = LabelEdits(self, self.edits)
        self.leaf_edits = LeafEdits(self, PiHandover(self, forking, self.following))
        self.deletion = Deletion(self, self.edits.writing, lambda path: path == self.opening.chosen_path)

    def serve(self, *controllers: Controller) -> None:
        """Have Textual find the actions of controllers: it looks on the screen, whose own go first."""
        for controller in controllers:
            for name in dir(controller):
                if name.startswith("action_") and not hasattr(type(self), name):
                    setattr(self, name, getattr(controller, name))

    async def _run_in(self, action: str, page: Page | None) -> object:
        return await self.app.run_action(action, self.pane(page) if page is not None else self)

    # -- what is on the screen ----------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        self.arrange_panes()  # before there are widgets, which it would style again
        yield self.header
        with Container(id="panes"):
            yield self.picker
            with Container(id="work"):
                yield self.tree_pane
                yield self.detail_pane
        yield from self.lines_below()
        yield self.find_box
        yield self.footer

    def lines_below(self) -> Iterable[Widget]:
        """What is between the panes and the footer."""
        return ()

    def on_mount(self) -> None:
        self.opening.clear_entry()
        path = self._options.path
        if path is not None:
            self.opening.open_first(path)
            self.picker.stand_beside(path)
        else:
            self.tree_pane.clear("Select a session to see its tree here.")
        self.show_page(self._page)
        self.call_after_refresh(self.picker.load)
        self._report_problems()
        self.following.start()
        self.entry_requests.start()
        if self._options.config[table.COLUMNS]:
            self.figures.action_columns()

    def on_unmount(self) -> None:
        self.following.stop()
        self.entry_requests.stop()
        self.search_all.stop()

    def _report_problems(self) -> None:
        """Report what is wrong with pitree's settings: the first problem in full, of more how many."""
        problems = self.services.problems
        if problems:
            where = f"{keys.key_label(self, 'picker.skipped')} in the session list"
            more = f" · {len(problems) - 1:,} more: {where}" if len(problems) > 1 else ""
            first = cut(visible(str(problems[0])), PROBLEM_CELLS)
            self.services.report(f"{first}{more}", warning=True, seconds=TO_READ)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
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

    def _focus(self, widget: Widget) -> None:
        self.set_focus(widget, scroll_visible=False)

    # -- what the controllers see, see `host` -----------------------------------------------------------

    @property
    def opened(self) -> OpenedSession | None:
        """The session shown."""
        return self.opening.session

    @property
    def entry_index(self) -> int:
        """Index of the entry under the cursor, -1 for none."""
        return self.tree_pane.entry_index

    @property
    def listed_session(self) -> SessionInfo | None:
        """The session under the cursor of the list, if the list has the focus."""
        return self.picker.selected if self.page is Page.SESSIONS else None

    def open_path(self, path: Path, entry_id: str | None = None) -> None:
        """Open a session, at an entry if one is given."""
        self.opening.open_path(path, entry_id)

    def go_to_entry(self, index: int) -> None:
        """Put the cursor on an entry, or report that the filter hides it."""
        self.show_page(Page.TREE)
        self._show_entry(index, "it")

    def _show_entry(self, index: int, which: str) -> None:
        if not self.tree_pane.go_to(index):
            mode, every = self.tree_pane.filter_mode.value, keys.key_label(self, "tree.filter.all")
            self.services.report(f"The filter {mode} hides {which}; {every} shows all entries")

    def arrange_panes(self) -> None:
        self.nothing_shown = self.opening.session is None
        super().arrange_panes()

    # -- what is read of a session ----------------------------------------------------------------------

    @on(SessionOpened)
    def _session_opened(self, event: SessionOpened) -> None:
        self.opening.take_opened(event)

    @on(SessionProgress)
    def _session_progress(self, event: SessionProgress) -> None:
        self.opening.take_progress(event)

    @on(SessionFailed)
    def _session_failed(self, event: SessionFailed) -> None:
        self.opening.take_failure(event)

    @on(SessionReloaded)
    def _session_reloaded(self, event: SessionReloaded) -> None:
        self.reloading.take_reloaded(event)

    @on(ReloadFailed)
    def _reload_failed(self, event: ReloadFailed) -> None:
        self.reloading.take_failure(event)

    # -- what the panes report ----------------------------------------------------------------------------

    @on(SessionPicker.NothingListed)
    def _nothing_listed(self, event: SessionPicker.NothingListed) -> None:
        event.stop()
        self.give_room_away()

    @on(SessionPicker.Troubled)
    def _picker_troubled(self, event: SessionPicker.Troubled) -> None:
        if event.words:
            self.services.report(event.words, warning=True)

    @on(SessionPicker.Opened)
    def _picker_opened(self, event: SessionPicker.Opened) -> None:
        self.opening.choose(Path(event.path))

    @on(SessionPicker.Previewed)
    def _picker_previewed(self, event: SessionPicker.Previewed) -> None:
        """Where there is room beside the list, show the tree of its row."""
        self.opening.preview(event.path if self._arrangement is Arrangement.WIDE else "")

    @on(TreePane.EntryHighlighted)
    def _entry_highlighted(self, event: TreePane.EntryHighlighted) -> None:
        if self.opened is None or event.index < 0:
            self.opening.clear_entry()
        else:
            self.detail_pane.show_entry(self.opened.session, event.index)

    @on(TreePane.EntryChosen)
    def _entry_chosen(self) -> None:
        self.leaf_edits.action_continue()

    @on(TreePane.KeysChanged)
    def _tree_query_changed(self) -> None:
        self.footer.show(self.places_of_keys())
        self.entry_requests.light_tree_query()

    @on(TreePane.CopyRequested)
    def _copy_entry(self, event: TreePane.CopyRequested) -> None:
        self.entry_requests.copy_entry(event.index)

    @on(DetailPane.CopyRequested)
    def _copy(self, event: DetailPane.CopyRequested) -> None:
        self.services.copy_text(event.text)

    @on(DetailPane.CopyChoice)
    def _copy_choice(self, event: DetailPane.CopyChoice) -> None:
        self.entry_requests.copy_choice(event)

    @on(DetailPane.FileRequested)
    def _file_requested(self, event: DetailPane.FileRequested) -> None:
        self.entry_requests.open_file(event)

    @on(DetailPane.PictureRequested)
    def _picture_requested(self, event: DetailPane.PictureRequested) -> None:
        self.entry_requests.show_picture(event)

    @on(DetailPane.EntryRequested)
    def _entry_requested(self, event: DetailPane.EntryRequested) -> None:
        if self.opened is not None and event.session is self.opened.session:
            self._show_entry(event.index, "that entry")

    @on(DetailPane.EntryReached)
    def _entry_reached(self, event: DetailPane.EntryReached) -> None:
        """The reader has scrolled: the tree's cursor goes along, or to the nearest row that is shown."""
        if self.opened is not None and event.session is self.opened.session:
            self.tree_pane.go_to(event.index)

    @on(DetailPane.FindRequested)
    def _find_requested(self) -> None:
        self.find_box.open()

    @on(DetailPane.HitsChanged)
    def _hits_changed(self) -> None:
        self.entry_requests.show_hits()

    @on(SearchBox.Edited, "#find")
    def _find_edited(self, event: SearchBox.Edited) -> None:
        self.entry_requests.find(event.query)

    @on(SearchBox.Stepped, "#find")
    def _find_stepped(self, event: SearchBox.Stepped) -> None:
        self.detail_pane.action_hit(1 if event.step > 0 else -1)

    @on(SearchBox.Left, "#find")
    def _find_left(self) -> None:
        self.entry_requests.leave_box()

    # -- actions (named in the table of keys) -------------------------------------------------------

    def action_transcript(self) -> None:
        self.detail_pane.action_transcript()

    def action_back(self) -> None:
        if self.entry_requests.end_finding():
            return
        if self._page is Page.DETAIL:
            self.show_page(Page.TREE)
        elif self._page is Page.SESSIONS:
            if self.opened is not None:
                self.show_page(Page.TREE)
        elif self.tree_pane.searching:
            self.tree_pane.clear_search()
        else:
            self.show_page(Page.SESSIONS)
