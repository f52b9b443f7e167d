"""The picker: the sessions of this folder or of all, searched, sorted, and previewed."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from os import PathLike, fspath
from typing import ClassVar, TypeAlias

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget

from pitree.catalog.info.info_cache import InfoCache
from pitree.catalog.info.session_info import SessionInfo
from pitree.catalog.loading.lister import SessionList, newest_first
from pitree.catalog.watch.refresh import ListUpdater
from pitree.config import table
from pitree.config.config import Config
from pitree.pi.places import Places, is_listed
from pitree.query.language.query import Query
from pitree.session.format.errors import Notice
from pitree.session.manager.activity import Activity
from pitree.state.memory import Memory
from pitree.state.stars_and_archive import Shelf
from pitree.ui.picker import picker_messages, picker_state
from pitree.ui.picker.activity_marks import state_words
from pitree.ui.picker.list_loader import Folders, ListRead, ListScope, RowsArranged, read_list
from pitree.ui.picker.live_list import FilesInUse, ListChanged, LiveList, OpenFilesPoll, displayed
from pitree.ui.picker.picker_search import PickerSearch
from pitree.ui.picker.picker_state import ListOptions, SessionLists, passed_over
from pitree.ui.picker.row_arranger import Arranger, NotArranged
from pitree.ui.picker.session_preview import ROOM_FOR_PREVIEW, SessionPreview
from pitree.ui.picker.session_rows import PickerRows, RowExtras
from pitree.ui.toolkit import keys
from pitree.ui.toolkit.background import in_thread, on_loop, show_failure
from pitree.ui.toolkit.line_list import LineList
from pitree.ui.toolkit.search_box import SearchBox
from pitree.ui.toolkit.type_to_search import Typing
from pitree.workers.failures import Failure

AGES_EVERY = 60.0
"""Seconds after which ages and states are drawn again."""


class SessionPicker(Typing, Vertical):
    """Lists sessions. It says which one the cursor is on, and which one the reader wants open.

    Args:
        places: where sessions lie.
        config: the settings, for what is listed first, and how; by default the usual.
        clock: tells the time now, in seconds since 1970.
        memory: what is remembered from one start to the next; by default nothing.
        shelf: what is starred and archived; by default nothing.
        cache: sessions read at earlier starts; by default none.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings(keys.KeyContext.PICKER)]
    ROW_PLACES: ClassVar[tuple[keys.KeyContext, ...]] = (keys.KeyContext.LIST, keys.KeyContext.PICKER)

    Opened: TypeAlias = picker_messages.Opened
    Previewed: TypeAlias = picker_messages.Previewed
    NothingListed: TypeAlias = picker_messages.NothingListed
    Troubled: TypeAlias = picker_messages.Troubled

    def __init__(
        self,
        places: Places,
        *,
        config: Config | None = None,
        clock: Callable[[], float] = time.time,
        memory: Memory | None = None,
        shelf: Shelf | None = None,
        cache: InfoCache | None = None,
    ) -> None:
        super().__init__(id="sessions")
        self.rows = PickerRows(clock=clock, date_style=(config or Config())[table.DATE_STYLE])
        self.search_box = PickerSearch("search")
        self.preview = SessionPreview()
        self._places = places
        self._memory = memory or Memory(None)
        self._cache = cache
        self._lists = SessionLists()
        self._wishes = ListOptions.at_first(config or Config(), self._memory, shelf)
        self._trouble = ""
        self._folders = Folders()
        self._arranger = Arranger(self, self._folders, lambda: self._wishes.request(self._lists), clock)
        self._live = LiveList(self, ListUpdater(places), self._lists, lambda: self.scope, cache)
        self._in_use = OpenFilesPoll(self)
        self._day = self._today()
        self._border = ("", "")
        self._unread = 0
        self._previewed = ""
        self._beside = ""
        self.first: Sequence[SessionInfo] = ()
        """Sessions known before the list is read, which it starts with."""

    def compose(self) -> ComposeResult:
        yield self.search_box
        yield self.rows
        yield self.preview

    def on_mount(self) -> None:
        self.rows.can_focus = not keys.table_of(self).typing
        if self.first:
            self._lists.sessions[self.scope] = SessionList(newest_first(self.first))
            self._arranged(self._arranger.arrange_here())
        self._tell()
        self.set_interval(AGES_EVERY, self._grow_older)

    def on_show(self) -> None:
        self._come_into_sight()

    def on_resize(self) -> None:
        self._come_into_sight()

    def on_descendant_focus(self) -> None:
        self.call_after_refresh(self._come_into_sight)

    def _come_into_sight(self) -> None:
        """Bring everything up to date that is left alone while nobody sees it."""
        self._place_preview()
        self._live.resume()
        self._in_use.resume()
        self._grow_older()

    def _place_preview(self) -> None:
        self.preview.display = self.size.height >= ROOM_FOR_PREVIEW and self.rows.selected is not None

    @property
    def focus_target(self) -> Widget:
        """The widget that takes the focus for the pane: the search box where typing searches at once."""
        return self.search_box.field if keys.table_of(self).typing else self.rows

    @property
    def scope(self) -> ListScope:
        """Whose sessions are listed."""
        return self._wishes.scope

    @property
    def selected(self) -> SessionInfo | None:
        """The session under the cursor."""
        return self.rows.selected

    def mark_open(self, path: str | PathLike[str] | None) -> None:
        """Mark the session that is open."""
        self.rows.shown = replace(self.rows.shown, open=fspath(path) if path is not None else "")
        self.rows.redraw()

    # -- reading ----------------------------------------------------------------------------------

    def stand_beside(self, path: str | PathLike[str]) -> None:
        """Where this folder has no sessions, list those among which this file lies, opened by its path."""
        self._beside = fspath(path)

    def _stand_beside(self) -> None:
        """See what is to be listed beside the file that was opened, once this folder's list is read."""
        beside, self._beside = self._beside, ""
        if not beside or self.scope is not ListScope.FOLDER or self._lists.of(ListScope.FOLDER):
            return
        if is_listed(os.path.dirname(beside), self._places):
            self._wishes.turn_to_all()
            self.load()
            self._arranger.arrange()
        else:
            self.post_message(self.NothingListed())

    def load(self) -> None:
        """Read the sessions of the scope, unless that was done or is being done."""
        if self._lists.wants(self.scope):
            self._read(self.scope)

    def load_everything(self) -> None:
        """Read the sessions of all folders, unless that was done or is being done."""
        if self._lists.wants(ListScope.ALL):
            self._read(ListScope.ALL)

    def lists_read(self) -> tuple[SessionList, ...]:
        """All sessions read so far, whatever is listed; what changes takes the place of a list."""
        return tuple(self._lists.sessions.values())

    def reload(self) -> None:
        """Look for sessions again; files that have not changed are not read again."""
        self._folders.forget()
        self._lists.forget(self.scope.other)
        self._read(self.scope)

    def _read(self, scope: ListScope) -> None:
        known = self._lists.start(scope)
        reading = partial(read_list, scope, self._places, known, self.post_message, self._cache)
        group, failed = f"read {scope.name}", partial(self._not_listed, scope)
        on_loop(self, "list the sessions", reading, group=group, exclusive=True, failed=failed)
        self._tell()

    def _not_listed(self, scope: ListScope, failure: Failure) -> None:
        """Say that not all sessions are listed: in place of the rows where there are none."""
        self._lists.give_up(scope, failure.words)
        if scope is self.scope:
            self._arranger.arrange(at_once=False)
        self._tell()
        show_failure(self, failure)

    @on(ListRead)
    def _list_read(self, event: ListRead) -> None:
        event.stop()
        if self._lists.take(event) and event.scope is self.scope:
            self._arranger.arrange(at_once=False)
        self._live.resume()
        if event.done:
            self._stand_beside()
        self._tell()

    # -- while others write -------------------------------------------------------------------------

    def files_changed(self, paths: set[str]) -> None:
        """These files, or files in these folders, may have changed: have them looked at before long."""
        self._live.changed(paths)

    @on(ListChanged)
    def _list_changed(self, event: ListChanged) -> None:
        event.stop()
        changed = self._live.take(event)
        moved = event.changes.moved
        self._folders.forget_files(event.changes.gone)
        if self.rows.selected_path in moved:
            self.rows.selected_path = moved[self.rows.selected_path]
        if self.rows.shown.open in moved:
            self.mark_open(moved[self.rows.shown.open])
        if self.scope in changed:
            self._arranger.arrange(at_once=False, live=True)

    @on(FilesInUse)
    def _files_in_use(self, event: FilesInUse) -> None:
        event.stop()
        self._in_use.took(event.cost)
        if event.files != self.rows.shown.in_use:
            self.rows.shown = replace(self.rows.shown, in_use=event.files)
            self.rows.redraw()
            self._show_selected()

    def _grow_older(self) -> None:
        """Bring ages and states up to the time it is."""
        if displayed(self):
            self.rows.redraw()
            self._show_selected()
        if self._day != (day := self._today()):
            self._day = day
            self._arranger.arrange(at_once=False, live=True)

    def _today(self) -> date:
        return date.fromtimestamp(self.rows.now / 1000)

    # -- arranging --------------------------------------------------------------------------------

    @on(RowsArranged)
    def _arranged(self, event: RowsArranged) -> None:
        event.stop()
        if not self._arranger.takes(event):
            return
        request = event.request
        in_place = self.rows.cursor_in_place(event)
        if in_place is not None:
            cursor = in_place
        elif self.rows.moved_by_hand or request.live:
            cursor = self.rows.cursor_for(event.rows, request.complete)
        else:
            # Before the reader has moved it, it is at the top of what is listed.
            cursor = event.rows.row_of(self.rows.shown.open) or 0 if request.query.empty else 0
        self._unread = event.unread
        wishes = self._wishes
        if wishes.shelf.trouble != self._trouble:
            self._trouble = wishes.shelf.trouble
            self.post_message(self.Troubled(self._trouble))
        self.rows.words_when_empty = picker_state.why_empty(
            self._lists, wishes, event.rows, self._places, partial(keys.key_label, self)
        )
        shown = RowExtras(
            folders=wishes.scope is ListScope.ALL,
            paths=wishes.paths,
            query=request.query,
            gone=event.gone,
            open=self.rows.shown.open,
            in_use=self.rows.shown.in_use,
        )
        self.rows.show(event.rows, shown, cursor, live=request.live)
        self._show_selected()
        self._arranger.shown(event)

    @on(NotArranged)
    def _not_arranged(self, event: NotArranged) -> None:
        event.stop()
        self.rows.cannot_be_arranged(event.failure.words)
        show_failure(self, event.failure)

    # -- what the parts say -----------------------------------------------------------------------

    @on(LineList.Highlighted)
    def _highlighted(self, event: LineList.Highlighted) -> None:
        event.stop()
        self._show_selected()

    def _show_selected(self) -> None:
        """Bring the preview and the words around the list up to date with the cursor."""
        selected = self.rows.selected
        shown = self.rows.shown
        gone = selected is not None and selected.cwd in shown.gone
        state = state_words(selected, self.rows.now, shown.in_use) if selected else (Activity.NONE, "")
        self.preview.show(selected, gone=gone, path=self._wishes.paths, state=state)
        self._place_preview()
        path = selected.path if selected is not None else ""
        if path != self._previewed:
            self._previewed = path
            self.post_message(self.Previewed(self, path))
        self._tell()

    @on(LineList.Chosen)
    def _chosen(self, event: LineList.Chosen) -> None:
        event.stop()
        selected = self.rows.sessions.session(event.row)
        if selected is not None:
            self.mark_open(selected.path)
            self.post_message(self.Opened(self, selected.path))

    def look_for(self, query_text: str) -> None:
        """List what matches."""
        query = Query.parse(query_text)
        self._wishes.text = query_text
        if query == self._wishes.query:
            return
        self._wishes.query = query
        if not query.empty:
            # The best match is what a new query is for.
            self.rows.start_over()
        self._arranger.arrange()

    @on(SearchBox.Left)
    def _search_left(self, event: SearchBox.Left) -> None:
        event.stop()
        self.rows.focus()
        if self.search_box.text or keys.table_of(self).typing:
            self.rows.action_choose()

    @on(SearchBox.Stepped)
    def _search_stepped(self, event: SearchBox.Stepped) -> None:
        event.stop()
        self.rows.step(event.step, event.by_page)

    # -- words around the rows ----------------------------------------------------------------------

    def _tell(self) -> None:
        rows = self.rows.sessions
        words = picker_state.summary(self._lists, self._wishes, rows, self.rows.cursor, self._places)
        border = (self._wishes.title(), words)
        if border != self._border:  # to set one paints the pane anew
            self._border = border
            self.border_title, self.border_subtitle = map(Content, border)
        hits = picker_state.hits_words(self._wishes, rows, self._unread)
        self.search_box.show_found(hits, bad=bool(hits and rows.error))

    # -- actions (named in the table of keys) -------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        match action:
            case "clear":
                return bool(self.search_box.text)
            case "scope_at_need":
                return self.app.focused is not self.rows or not len(self.rows.sessions)
            case "skipped":
                return bool(self._skipped())
        return True

    def action_choose(self) -> None:
        self.rows.action_choose()

    def action_search(self) -> None:
        self.search_box.open()

    def action_clear(self) -> None:
        self.search_box.text = ""
        self.rows.focus()

    def _arrange_and_keep(self) -> None:
        """Arrange by a wish that is remembered for the next start."""
        in_thread(self, "save the choice", partial(self._wishes.keep, self._memory), group="memory")
        self._arranger.arrange()
        self._tell()

    def action_scope(self) -> None:
        self._wishes.turn()
        self.load()
        self._arrange_and_keep()

    def action_scope_at_need(self) -> None:
        self.action_scope()

    def action_sort(self) -> None:
        self._wishes.sort = self._wishes.sort.next()
        self._arrange_and_keep()

    def action_named(self) -> None:
        self._wishes.named_only = not self._wishes.named_only
        self._arranger.arrange()
        self._tell()

    def action_paths(self) -> None:
        self._wishes.paths = not self._wishes.paths
        self.rows.shown = replace(self.rows.shown, paths=self._wishes.paths)
        self.rows.redraw()
        self._show_selected()

    def shelf_changed(self) -> None:
        """Show what is starred and archived by now."""
        self._arranger.arrange(live=True)

    def action_starred(self) -> None:
        self._wishes.starred_only = not self._wishes.starred_only
        self._arranger.arrange()
        self._tell()

    def action_archived(self) -> None:
        self._wishes.archived = not self._wishes.archived
        self._arranger.arrange()
        self._tell()

    def action_children(self) -> None:
        self._wishes.children = not self._wishes.children
        self._arrange_and_keep()

    async def action_delete_unless_searching(self) -> None:
        if not self.search_box.text:
            await self.screen.run_action("delete")

    def action_reload(self) -> None:
        self.reload()

    def _skipped(self) -> list[Notice]:
        return passed_over(self._lists, self.scope, self._places)

    def action_skipped(self) -> None:
        from pitree.ui.windows.notices_window import skipped_window

        self.app.push_screen(skipped_window(self._skipped()))
