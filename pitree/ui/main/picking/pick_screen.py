"""The main screen where another program asks: decisions go to a list for it, and no file is written to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import BindingType
from textual.widget import Widget

from pitree.pi.pick_result import ROOT, Form, Picking
from pitree.session.manager.manager import SessionManager
from pitree.session.manager.pending_overlay import PendingOverlay
from pitree.text.sanitize import visible
from pitree.ui.main.arrangement import Page
from pitree.ui.main.edit.deletion import Deletion
from pitree.ui.main.edit.pi_handover import PiHandover
from pitree.ui.main.main_screen import MainScreen
from pitree.ui.main.picking.pick_bar import PendingBar, bar_words, pending_window
from pitree.ui.main.picking.pick_edits import PickEdits, PickForking, PickLabelEdits, PickLeafEdits
from pitree.ui.main.session_loading import OpenedSession
from pitree.ui.picker.picker import SessionPicker
from pitree.ui.toolkit import keys
from pitree.ui.toolkit.choice_window import Choice, ChoiceWindow
from pitree.ui.tree.tree_rows import PENDING

if TYPE_CHECKING:
    from pitree.ui.app.options import AppOptions
    from pitree.ui.toolkit.choice_window import ChoiceResult

CANCELLED = 130
"""Exit status of who is left by Ctrl-C."""


class PickScreen(MainScreen):
    """Collects labels and names; moving, forking and opening a session end it."""

    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings(keys.KeyContext.PICKING)]

    def __init__(self, options: AppOptions) -> None:
        assert options.picking is not None
        self.picking: Picking = options.picking
        self._bar = PendingBar()
        self._overlay_pending: PendingOverlay | None = None
        self._known = 0
        """Entries of the session when its leaf was set to that of the Pi that asks."""
        super().__init__(options)
        self.opening.before_shown.append(self._before_shown)
        self.opening.after_shown.append(self._show_pending)
        self.following.before_grown.append(self._before_grown)
        self.following.after_grown.append(lambda session, before: self._show_name())

    def compose_edits(self) -> None:
        self.picks = self.edits = PickEdits(self, self.following, self.picking, self._changed)
        forking = PickForking(self, self.picks, self.following)
        self.label_edits = PickLabelEdits(self, self.picks)
        self.leaf_edits = PickLeafEdits(self, self.picks, PiHandover(self, forking, self.following))
        self.deletion = Deletion(self, self.picks.writing, lambda path: path == self.opening.chosen_path)

    def lines_below(self) -> Iterable[Widget]:
        return (self._bar,)

    def on_mount(self) -> None:
        self._show_pending()

    def places_of_keys(self) -> list[keys.KeyContext]:
        places = super().places_of_keys()
        if keys.KeyContext.GLOBAL in places:
            places.insert(places.index(keys.KeyContext.GLOBAL), keys.KeyContext.PICKING)
        return places

    # -- what is shown: the session as it will be ---------------------------------------------------

    def _before_shown(self, opened: OpenedSession) -> None:
        session = opened.session
        self._overlay_pending = None
        if self.picking.is_about(opened.path) and not opened.provisional:
            self._overlay_pending = PendingOverlay(session.data)
            self._known = len(session.table)
            self._set_leaf(session)
            self._lay()
            opened.outline.relabel()
            opened.outline.refresh()

    def _before_grown(self) -> None:
        opened = self.opened
        if opened is not None and self._overlay_pending is not None:
            if len(opened.session.table) > self._known:
                opened.session.leaf_of_file()  # the Pi that asks has continued since
                self.picking.leaf = None
            self._lay()

    def _set_leaf(self, session: SessionManager) -> None:
        """Put the leaf where the Pi that asks has it, which the file does not know."""
        leaf = self.picking.leaf
        if leaf == ROOT:
            session.reset_leaf()
        elif leaf is not None and leaf in session.table.by_id:
            session.branch(leaf)

    def _lay(self) -> None:
        if self._overlay_pending is not None:
            self._overlay_pending.lay(self.picking.labels, self.picking.name)

    def _show_name(self) -> None:
        if self._overlay_pending is not None and self.opened is not None:
            facts = self.opened.facts
            if self.picking.name is not None:
                facts = replace(facts, name=f"{facts.name} ({PENDING})")
            self.header.facts = facts

    def _show_pending(self) -> None:
        """Show what is pending: on the rows, in the header, in the bar."""
        about = self._overlay_pending is not None
        self.header.locked = False  # nothing is written, so it does not matter whether it could be
        self.tree_pane.rows.pending = frozenset(map(visible, self.picking.labels)) if about else frozenset()
        self._show_name()
        wanted = {Form.PATH: "a session", Form.ID: "an entry", Form.JSON: "where to continue"}
        pending = self.picking.pending
        leave = f"{self.picks.pick_key} picks {wanted[self.picking.form]}"
        if pending:
            leave = f"{keys.key_label(self, 'quit')} hands {'it' if len(pending) == 1 else 'them'} over"
        self._bar.count = len(pending)
        self._bar.words = bar_words(pending, keys.key_label(self, "undo"), leave)

    def _changed(self) -> None:
        """Show the session as it will be by now."""
        self._lay()
        self._show_pending()
        opened = self.opened
        if opened is not None:
            self.tree_pane.relabel()
            if self.entry_index >= 0:
                self.detail_pane.show_entry(opened.session, self.entry_index)

    # -- what is decided ------------------------------------------------------------------------------

    def action_demo(self) -> None:
        self.services.report("The demo cannot be opened while picking", warning=True)

    def action_delete(self) -> None:
        self.services.report("Nothing is deleted while picking", warning=True)

    def action_pending(self) -> None:
        self.services.push_screen(pending_window(self.picking.pending))

    def action_pick_session(self) -> None:
        """Pick the session under the cursor of the list, or the one shown, as it is."""
        listed, opened = self.listed_session, self.opened
        if listed is not None:
            self.picks.pick_session(Path(listed.path))
        elif opened is not None:
            self.picks.pick_session(opened.path)
        else:
            self.services.report("No session is open", warning=True)

    @on(SessionPicker.Opened)
    def _picker_opened(self, event: SessionPicker.Opened) -> None:
        """Where only a session is wanted, Enter in the list picks it; else it is shown, as ever."""
        if self.picking.form is Form.PATH:
            event.prevent_default()
            self.picks.pick_session(Path(event.path))

    # -- leaving ------------------------------------------------------------------------------------------

    def action_back(self) -> None:
        """Esc: one step back; where there is none, leave."""
        top = self.opened is None if self.page is Page.SESSIONS else self.page is Page.TREE
        if not top or self.tree_pane.searching:
            super().action_back()
        elif self.picking.pending:
            self._ask_whether_to_forget()
        else:
            self._cancel()

    def action_cancel_picking(self) -> None:
        """Ctrl-C: leave, and forget all."""
        self._cancel()

    def _cancel(self) -> None:
        self.picking.cancelled = True
        self.services.exit(CANCELLED, CANCELLED)

    def _ask_whether_to_forget(self) -> None:
        def chosen(choice: ChoiceResult | None) -> None:
            if choice is None:
                return
            if choice.id == "hand":
                self.services.exit()
            else:
                self._cancel()

        pending = self.picking.pending
        self.services.push_screen(
            ChoiceWindow(
                "Quit",
                [f"{len(pending)} pending, the last: {pending[-1].words}. Nothing is written yet."],
                [
                    Choice("hand", "pending.hand", "quit and hand over the pending edits"),
                    Choice("forget", "pending.drop", "discard"),
                ],
            ),
            chosen,
        )
