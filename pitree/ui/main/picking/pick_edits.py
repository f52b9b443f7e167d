"""What a reader decides where another program asks: collected for it, instead of written to a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from pitree.outline.row_words import row_line
from pitree.pi.pick_result import ForkSession, Form, LabelEntry, MoveLeaf, NameSession, Pending, Picking
from pitree.session.format.new_records import clean_name
from pitree.session.manager.continuation import Continuation, continuation
from pitree.session.manager.undoable_edits import clean_label
from pitree.ui.main.edit.edits import Edits, Following, LeafMove, sentence
from pitree.ui.main.edit.forking import Forking
from pitree.ui.main.edit.label_edits import LabelEdits
from pitree.ui.main.edit.leaf_edits import LeafEdits
from pitree.ui.main.edit.pi_handover import PiHandover
from pitree.ui.main.host import Host
from pitree.ui.toolkit.choice_window import Choice

if TYPE_CHECKING:
    from pitree.session.manager.manager import SessionManager
    from pitree.ui.main.session_loading import OpenedSession
    from pitree.ui.toolkit.choice_window import Choice


class PickEdits(Edits):
    """Collects labels and names, which stay pending; a move of the leaf ends the picking.

    Args:
        host: the screen.
        following: shows what was written.
        picking: takes what is decided.
        changed: called when something else is pending.
    """

    def __init__(
        self, host: Host, following: Following, picking: Picking, changed: Callable[[], None]
    ) -> None:
        super().__init__(host, following)
        self.picking = picking
        self._changed = changed

    @property
    def pick_key(self) -> str:
        """The key that picks what is asked for."""
        return self.label_of("picker.open" if self.picking.form is Form.PATH else "tree.continue")

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
        row = row_line(session.table, session.table.by_id[entry_id])
        self._add(session, LabelEntry(entry_id, clean_label(label), session.get_label(entry_id), row))

    def name_session(self, session: SessionManager, name: str) -> None:
        self._add(session, NameSession(clean_name(name), session.get_session_name() or ""))

    def _add(self, session: SessionManager, step: Pending) -> None:
        if session.path is not None:
            self.picking.add(session.path, step)
            self._changed()
            self.app.report(f"Pending: {step.words} · {self.label_of('undo')} undoes it")

    def action_undo(self) -> None:
        step = self.picking.take_back()
        if step is None:
            self.app.report("Nothing to undo", warning=True)
            return
        self._changed()
        self.app.report(f"Undone: {step.words}")

    def move_leaf(self, wanted: LeafMove) -> None:
        path, summary = wanted.session.path, wanted.summary
        if path is not None:
            words = summary.text if summary is not None else None
            label = (clean_label(summary.label) if summary is not None else None) or None
            self.picking.finish(path, MoveLeaf(wanted.to.entry.id, words, label, wanted.text))
            self.app.exit()

    def already_open(self, path: Path) -> str:
        """Why a session cannot be opened where the reader came from; empty where it can."""
        known = self.picking.session is not None and self.picking.is_about(path)
        return "it is already open there" if known else ""

    def pick_session(self, path: Path) -> None:
        """Pick a session as it is."""
        if self.picking.form is Form.JSON:
            if reason := self.already_open(path):
                self.app.report(sentence(reason), warning=True)
                return
            self.picking.finish(path)
        elif self.picking.form is Form.ID:
            self.app.report(
                f"You are picking an entry here: {self.pick_key} on its row picks it", warning=True
            )
            return
        else:
            self.picking.choose(path)
        self.app.exit()


class PickLabelEdits(LabelEdits):
    """Labels and names while picking."""

    def action_rename(self) -> None:
        listed, opened = self.host.listed_session, self.opened
        if listed is not None and opened is not None and Path(listed.path) != opened.path:
            self.app.report("Only the session you came from can be renamed here", warning=True)
        else:
            super().action_rename()


class PickForking(Forking):
    """Forking ends the picking: Pi asks for no folder."""

    def __init__(self, host: Host, edits: PickEdits, following: Following) -> None:
        super().__init__(host, edits, following)
        self._pick = edits

    def ask_where_to_fork(self, session: SessionManager, index: int | None, text: str | None) -> None:
        if self._pick.picking.form is not Form.JSON:
            self.app.report(f"You are only picking here: {self._pick.pick_key} picks", warning=True)
            return
        chosen = continuation(session, session.leaf_index if index is None else index)
        before = chosen.before and index is not None
        edited = text if before and text != chosen.text else None
        if session.path is not None:
            self._pick.picking.finish(session.path, ForkSession(chosen.entry.id, before, edited))
            self.app.exit()

    def fork(
        self, session: SessionManager, index: int | None, cwd: str | None, text: str | None = None
    ) -> None:
        """What a session whose folder is gone is offered elsewhere."""
        self.app.report("Nothing is written while picking", warning=True)


class PickLeafEdits(LeafEdits):
    """Enter on a row picks it, or asks what is to happen in the Pi that waits."""

    def __init__(self, host: Host, edits: PickEdits, handover: PiHandover) -> None:
        super().__init__(host, handover)
        self._pick = edits

    def action_continue(self) -> None:
        opened, index = self.opened, self.entry_index
        if self._pick.picking.form is Form.JSON:
            super().action_continue()
        elif opened is not None and index >= 0:
            self._pick.picking.choose(opened.path, opened.session.table.ids[index])
            self.app.exit()

    def ways_on(
        self, opened: OpenedSession, chosen: Continuation, here: str, nothing_left: str
    ) -> list[Choice]:
        refused = self._pick.refusal(opened)
        about = self._pick.picking.is_about(opened.path)
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
                "pi",
                "continue.pi",
                "open this session as it is",
                refused or self._pick.already_open(opened.path),
            ),
            Choice(
                "copy",
                "continue.copy",
                "copy the text" if chosen.text is not None else "copy the entry's text",
            ),
        ]

    def continue_in_pi(self, wanted: LeafMove, *, moves: bool) -> None:
        if wanted.session.path is not None:
            self._pick.pick_session(wanted.session.path)
