"""The main screen where another program asks: decisions go to a list for it, and no file is written to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import BindingType
from textual.widget import Widget

from pitree.pi.pick_result import ROOT, ForkSession, Form, LabelEntry, MoveLeaf, NameSession, Pending, Picking
from pitree.session.format.new_records import clean_name
from pitree.session.manager.continuation import Continuation, continuation
from pitree.session.manager.manager import SessionManager
from pitree.session.manager.pending_overlay import PendingOverlay
from pitree.session.manager.undoable_edits import clean_label
from pitree.text.sanitize import visible
from pitree.ui.main.arrangement import Page
from pitree.ui.main.edit.edit_words import sentence
from pitree.ui.main.main_screen import MainScreen
from pitree.ui.main.session_loading import OpenedSession
from pitree.ui.picker.picker import SessionPicker
from pitree.ui.toolkit import keys
from pitree.ui.tree.tree_rows import PENDING
from pitree.ui.windows.pick_bar import PendingBar, bar_words, pending_window

if TYPE_CHECKING:
    from pitree.ui.app.options import AppOptions
    from pitree.ui.main.edit.leaf_move import LeafMove
    from pitree.ui.toolkit.choice_window import Choice, ChoiceResult

CANCELLED = 130
"""Exit status of who is left by Ctrl-C."""


class PickScreen(MainScreen):
    """Collects labels and names; moving, forking and opening a session end it."""

    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings(keys.KeyContext.PICKING)]

    def __init__(self, options: AppOptions) -> None:
        super().__init__(options)
        assert options.picking is not None
        self.picking: Picking = options.picking
        self._bar = PendingBar()
        self._overlay_pending: PendingOverlay | None = None
        self._known = 0
        """Entries of the session at hand when its leaf was told."""

    def lines_below(self) -> Iterable[Widget]:
        return (self._bar,)

    def on_mount(self) -> None:
        self._tell()

    def places_of_keys(self) -> list[keys.KeyContext]:
        places = super().places_of_keys()
        if keys.KeyContext.GLOBAL in places:
            places.insert(places.index(keys.KeyContext.GLOBAL), keys.KeyContext.PICKING)
        return places

    # -- what is shown: the session as it will be ---------------------------------------------------

    def show_session(self, opened: OpenedSession, entry: int | None, *, stays: bool = False) -> None:
        session = opened.session
        self._overlay_pending = None
        if self.picking.is_about(opened.path) and not opened.provisional:
            self._overlay_pending = PendingOverlay(session.data)
            self._known = len(session.table)
            self._tell_leaf(session)
            self._lay()
            opened.outline.relabel()
            opened.outline.refresh()
        super().show_session(opened, entry, stays=stays)
        self._tell()

    def session_grew(self) -> None:
        opened = self.opened
        if opened is not None and self._overlay_pending is not None:
            if len(opened.session.table) > self._known:
                opened.session.leaf_of_file()  # whoever asks has gone on since
                self.picking.leaf = None
            self._lay()
        super().session_grew()
        self._tell_name()

    def _tell_leaf(self, session: SessionManager) -> None:
        """Put the leaf where the Pi that asks has it, which the file does not know."""
        leaf = self.picking.leaf
        if leaf == ROOT:
            session.reset_leaf()
        elif leaf is not None and leaf in session.table.by_id:
            session.branch(leaf)

    def _lay(self) -> None:
        if self._overlay_pending is not None:
            self._overlay_pending.lay(self.picking.labels, self.picking.name)

    def _tell_name(self) -> None:
        if self._overlay_pending is not None and self.opened is not None:
            facts = self.opened.facts
            if self.picking.name is not None:
                facts = replace(facts, name=f"{facts.name} ({PENDING})")
            self.header.facts = facts

    def _tell(self) -> None:
        """Say what is pending: on the rows, in the header, in the bar."""
        about = self._overlay_pending is not None
        self.header.locked = False  # nothing is written, so it does not matter whether it could be
        self.tree_rows.pending = frozenset(map(visible, self.picking.labels)) if about else frozenset()
        self._tell_name()
        wanted = {Form.PATH: "a session", Form.ID: "an entry", Form.JSON: "where to continue"}[
            self.picking.form
        ]
        pending = self.picking.pending
        leave = f"{self._choosing} picks {wanted}"
        if pending:
            leave = f"{keys.key_label(self, 'quit')} hands {'it' if len(pending) == 1 else 'them'} over"
        self._bar.count, self._bar.words = (
            len(pending),
            bar_words(pending, keys.key_label(self, "undo"), leave),
        )

    @property
    def _choosing(self) -> str:
        """The key that chooses what is asked for."""
        return keys.key_label(self, "picker.open" if self.picking.form is Form.PATH else "tree.continue")

    def _changed(self) -> None:
        """Show the session as it will be by now."""
        self._lay()
        self._tell()
        opened = self.opened
        if opened is not None:
            self.tree_pane.relabel()
            if self.entry_index >= 0:
                self.detail_pane.show_entry(opened.session, self.entry_index)

    # -- what is decided ------------------------------------------------------------------------------

    def refusal(self, opened: OpenedSession) -> str:
        return "the session is still loading" if opened.provisional else ""

    def writable(self) -> SessionManager | None:
        """The session shown, if labels and names of it can be collected."""
        opened = self.opened
        if opened is None:
            self.app.report("No session is open", warning=True)
        elif reason := self.refusal(opened):
            self.app.report(sentence(reason), warning=True)
        elif self.picking.form is not Form.JSON:
            self.app.report("You are only picking here: nothing is written", warning=True)
        elif not self.picking.is_about(opened.path):
            self.app.report("Only the session you came from can be labeled or renamed", warning=True)
        else:
            return opened.session
        return None

    def label_entry(self, session: SessionManager, entry_id: str, label: str) -> None:
        row = self.row_words(session.table.by_id[entry_id])
        self._add(session, LabelEntry(entry_id, clean_label(label), session.get_label(entry_id), row))

    def name_session(self, session: SessionManager, name: str) -> None:
        self._add(session, NameSession(clean_name(name), session.get_session_name() or ""))

    def _add(self, session: SessionManager, step: Pending) -> None:
        if session.path is not None:
            self.picking.add(session.path, step)
            self._changed()
            self.app.report(f"Pending: {step.words} · {keys.key_label(self, 'undo')} undoes it")

    def action_undo(self) -> None:
        step = self.picking.take_back()
        if step is None:
            self.app.report("Nothing to undo", warning=True)
            return
        self._changed()
        self.app.report(f"Undone: {step.words}")

    def action_rename(self) -> None:
        listed = self.listed_session
        if listed is not None and self.opened is not None and Path(listed.path) != self.opened.path:
            self.app.report("Only the session you came from can be renamed here", warning=True)
        else:
            super().action_rename()

    def action_demo(self) -> None:
        self.app.report("The demo cannot be opened while picking", warning=True)

    def action_delete(self) -> None:
        self.app.report("Nothing is deleted while picking", warning=True)

    def action_pending(self) -> None:
        self.app.push_screen(pending_window(self.picking.pending))

    # -- what ends it -----------------------------------------------------------------------------------

    def move_leaf(self, wanted: LeafMove) -> None:
        path, summary = wanted.session.path, wanted.summary
        if path is not None:
            words = summary.text if summary is not None else None
            label = (clean_label(summary.label) if summary is not None else None) or None
            self.picking.finish(path, MoveLeaf(wanted.to.entry.id, words, label, wanted.text))
            self.app.exit()

    def ask_where_to_fork(self, session: SessionManager, index: int | None, text: str | None) -> None:
        """Fork at the entry, or the leaf: Pi asks for no folder."""
        if not self._wants_operations():
            return
        chosen = continuation(session, session.leaf_index if index is None else index)
        before = chosen.before and index is not None
        edited = text if before and text != chosen.text else None
        if session.path is not None:
            self.picking.finish(session.path, ForkSession(chosen.entry.id, before, edited))
            self.app.exit()

    def action_continue(self) -> None:
        opened, index = self.opened, self.entry_index
        if self.picking.form is Form.JSON:
            super().action_continue()
        elif opened is not None and index >= 0:
            self.picking.choose(opened.path, opened.session.table.ids[index])
            self.app.exit()

    def ways_on(
        self, opened: OpenedSession, chosen: Continuation, here: str, nothing_left: str
    ) -> list[Choice]:
        from pitree.ui.toolkit.choice_window import Choice

        refused = self.refusal(opened)
        about = self.picking.is_about(opened.path)
        open_first = "" if about else "open this session and "
        return [
            Choice(
                "move", "continue.move", f"{open_first}continue from here", refused or (here if about else "")
            ),
            Choice(
                "summary",
                "continue.summary",
                f"{open_first}continue from here, with a summary of the old branch",
                refused or here or nothing_left,
            ),
            Choice("fork", "continue.fork", f"{open_first}fork here into a new session", refused),
            Choice(
                "pi", "continue.pi", "open this session as it is", refused or self._open_already(opened.path)
            ),
            Choice(
                "copy",
                "continue.copy",
                "copy the text" if chosen.text is not None else "copy the entry's text",
            ),
        ]

    def continue_in_pi(self, wanted: LeafMove, *, moves: bool) -> None:
        if wanted.session.path is not None:
            self._open_there(wanted.session.path)

    def fork(
        self, session: SessionManager, index: int | None, cwd: str | None, text: str | None = None
    ) -> None:
        """What a session whose folder is gone is offered elsewhere."""
        self.app.report("Nothing is written while picking", warning=True)

    def action_pick_session(self) -> None:
        """Choose the session under the cursor of the list, or the one shown, as it is."""
        listed, opened = self.listed_session, self.opened
        if listed is not None:
            self._open_there(Path(listed.path))
        elif opened is not None:
            self._open_there(opened.path)
        else:
            self.app.report("No session is open", warning=True)

    def _open_already(self, path: Path) -> str:
        """Why a session cannot be opened where the reader came from; empty where it can."""
        known = self.picking.session is not None and self.picking.is_about(path)
        return "it is already open there" if known else ""

    def _open_there(self, path: Path) -> None:
        if self.picking.form is Form.JSON:
            if open_already := self._open_already(path):
                self.app.report(sentence(open_already), warning=True)
                return
            self.picking.finish(path)
        elif self.picking.form is Form.ID:
            self.app.report(
                f"You are picking an entry here: {self._choosing} on its row picks it", warning=True
            )
            return
        else:
            self.picking.choose(path)
        self.app.exit()

    @on(SessionPicker.Opened)
    def _picker_opened(self, event: SessionPicker.Opened) -> None:
        """Where only a session is wanted, Enter in the list chooses it; else it is shown, as ever."""
        if self.picking.form is Form.PATH:
            event.prevent_default()
            self._open_there(Path(event.path))

    def _wants_operations(self) -> bool:
        if self.picking.form is Form.JSON:
            return True
        self.app.report(f"You are only picking here: {self._choosing} picks", warning=True)
        return False

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
        self.app.exit(CANCELLED, CANCELLED)

    def _ask_whether_to_forget(self) -> None:
        from pitree.ui.toolkit.choice_window import Choice, ChoiceWindow

        def chosen(choice: ChoiceResult | None) -> None:
            if choice is None:
                return
            if choice.id == "hand":
                self.app.exit()
            else:
                self._cancel()

        pending = self.picking.pending
        self.app.push_screen(
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
