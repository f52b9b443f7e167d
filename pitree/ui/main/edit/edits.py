"""Writing from the main screen: in a thread, reported in a toast, undone by u."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from pitree.config import table
from pitree.outline.row_words import row_line
from pitree.pi.places import AGENT_DIR_VARIABLE
from pitree.session.format.errors import SessionError, WriteError
from pitree.session.format.migrate import CURRENT_VERSION
from pitree.session.format.new_records import ABSENT
from pitree.session.manager.appends import LeafMoved
from pitree.session.manager.manager import SessionManager
from pitree.state.shelf_edits import ShelfChange
from pitree.ui.main.edit.write_queue import WriteQueue, Writing
from pitree.ui.main.host import Controller, Host
from pitree.ui.toolkit.background import contained, in_thread
from pitree.ui.toolkit.choice_window import Choice, ChoiceWindow
from pitree.workers.failures import Failure

if TYPE_CHECKING:
    from pitree.session.manager.continuation import Continuation
    from pitree.session.manager.manager import SessionManager
    from pitree.session.manager.undoable_edits import Change
    from pitree.ui.main.session_loading import OpenedSession
    from pitree.ui.toolkit.choice_window import ChoiceResult
    from pitree.ui.windows.summary_window import Summary

_UNDO_KEPT = 50
_QUOTE = 400


@dataclass(frozen=True, slots=True)
class LeafMove:
    """A move of the leaf, as a reader decides it.

    Attributes:
        session: the session.
        to: where to.
        seen: where the leaf was when the reader decided.
        text: what is to be sent next; None for nothing.
        summary: of the branch left; None for none.
        details: what goes into the summary's entry besides.
    """

    session: SessionManager
    to: Continuation
    seen: str | None
    text: str | None = None
    summary: Summary | None = None
    details: Any = ABSENT


class Following(Protocol):
    """Who shows what was written."""

    def session_grew(self) -> None:
        """Show what was added to the session shown."""

    def show_shelf(self) -> None:
        """Show what is starred and archived now."""

    def refresh_listed(self, path: Path) -> None:
        """Read the row of one session of the list again."""


class Edits(Controller):
    """What a reader changes: labels, names, the leaf, stars, the archive; each can be undone.

    All that is decided about a session passes `label_entry`, `name_session`, `move_leaf` and `refusal`, so
    that it can go elsewhere than to the file.

    Args:
        host: the screen.
        following: shows what was written.
    """

    def __init__(self, host: Host, following: Following) -> None:
        super().__init__(host)
        self._following = following
        self._changes: list[Change | ShelfChange] = []
        self.writing = WriteQueue(partial(in_thread, host, "continue writing", group="writing"))

    @property
    def variables(self) -> Mapping[str, str]:
        """The environment as far as Pi's files are concerned: that of the demo names the demo's folder."""
        agent_dir = self.app.options.agent_dir
        return os.environ if agent_dir is None else {**os.environ, AGENT_DIR_VARIABLE: str(agent_dir)}

    @property
    def chosen_dir(self) -> str | None:
        """The session folder chosen with `--session-dir`, absolute; None without it."""
        return self.host.places.session_dir if self.app.options.session_dir else None

    # What a reader decides

    def label_entry(self, session: SessionManager, entry_id: str, label: str) -> None:
        """Label an entry; nothing but spaces removes its label."""
        from pitree.session.manager.undoable_edits import set_label

        self.write(session, partial(set_label, session, entry_id, label))

    def name_session(self, session: SessionManager, name: str) -> None:
        """Name a session; nothing but spaces clears its name."""
        from pitree.session.manager.undoable_edits import rename

        self.write(session, partial(rename, session, name))

    def move_leaf(self, wanted: LeafMove) -> None:
        """Move the leaf, and copy what is to be sent next."""
        from pitree.session.manager.undoable_edits import move

        session, summary = wanted.session, wanted.summary
        words = summary.text if summary is not None else None
        label = summary.label or None if summary is not None else None
        change = partial(move, session, wanted.to.leaf_id, words, label, wanted.details)
        self.write(
            session,
            partial(change, expected_leaf=wanted.seen),
            then=lambda _: self.app.copy_text(wanted.text) if wanted.text else None,
        )

    # Writing

    def refusal(self, opened: OpenedSession) -> str:
        """Why nothing can be decided about a session; empty where it can."""
        if opened.provisional:
            return "the session is still loading"
        return self.read_only_reason(opened.path)

    def read_only_reason(self, path: Path) -> str:
        """Why a session cannot be written to; empty when it can."""
        if self.app.options.config[table.READ_ONLY]:
            return "pitree was started read-only"
        if not path.exists():
            return "the file is gone"
        return "" if os.access(path, os.W_OK) else "this file is write-protected"

    def writable(self) -> SessionManager | None:
        """The session shown if it can be written to; says why where it cannot."""
        opened = self.opened
        if opened is None:
            self.app.report("No session is open", warning=True)
        elif opened.provisional:
            self.app.report("The session is still loading; try again in a moment", warning=True)
        elif reason := self.read_only_reason(opened.path):
            self.app.report(f"Nothing was written: {reason}", warning=True)
        else:
            return opened.session
        return None

    def write(
        self,
        session: SessionManager,
        change: Callable[..., Change],
        then: Callable[[Change], None] | None = None,
    ) -> None:
        """Make a change in a thread; an old format is brought to version 3 first, if the reader agrees.

        Args:
            session: what is written to.
            change: writes it. One that moves the leaf takes `expected_leaf`.
            then: called with the change once it is written, however often it had to be tried.
        """
        self._write(Writing(session, change, then=then))

    def undo_change(self, change: Change) -> None:
        """Take back a change by writing what was before."""
        self._queue(partial(self._undo_change, change))

    def _undo_change(self, change: Change) -> None:
        """Take back a change; in the thread of the queue."""
        self._changes = [kept for kept in self._changes if kept is not change]
        self._make(Writing(change.session, change.undo, undoes=change))

    def _write(self, writing: Writing) -> None:
        if writing.session.version < CURRENT_VERSION:
            self._ask_upgrade(writing.session, partial(self._write, writing))
            return
        self._queue(partial(self._make, writing))

    def _queue(self, job: Callable[[], None]) -> None:
        self.writing.add(contained(self.host, "write to the session", job, self._writing_failed))

    def _writing_failed(self, failure: Failure) -> None:
        self._not_written(failure.words)

    def _make(self, writing: Writing) -> None:
        """Make a change, or take one back; in the thread of the queue."""
        try:
            made = writing.change()
        except LeafMoved:
            self.app.call_from_thread(self.ask_about_moved_leaf, writing)
        except (SessionError, KeyError, ValueError) as error:
            words = str(next(iter(error.args), error))
            reason = error.reason if isinstance(error, SessionError) else words
            self._keep_undoable(writing)
            self.app.call_from_thread(self._not_written, reason)
        except BaseException:
            self._keep_undoable(writing)
            raise
        else:
            self._keep_for_undo(made, writing.undoes)
            self.host.call_later(self._wrote, made, writing)

    def _keep_for_undo(self, made: Change | ShelfChange, undoing: Change | ShelfChange | None) -> None:
        if undoing is None:
            self._changes = [*self._changes[-_UNDO_KEPT:], made]

    def _not_written(self, reason: str) -> None:
        self.app.report(sentence(reason), warning=True)
        self._following.session_grew()

    def _keep_undoable(self, writing: Writing) -> None:
        """What could not be undone can be tried again."""
        if writing.undoes is not None:
            self._changes.append(writing.undoes)

    def _wrote(self, change: Change, writing: Writing) -> None:
        self._report_done(change, writing.undoes is not None)
        if self.opened is not None and change.session is self.opened.session:
            self._following.session_grew()
        if change.session.path is not None:
            self._following.refresh_listed(change.session.path)
        if writing.then is not None:
            writing.then(change)

    def _report_done(self, change: Change | ShelfChange, undone: bool) -> None:
        if undone:
            self.app.report(f"Undone: {change.words}")
        else:
            self.app.report(f"{sentence(change.words)} · {self.label_of('undo')} undoes it")

    def shelve(self, change: Callable[[], ShelfChange]) -> None:
        """Star or archive something in a thread; no session is written to, so it may be read-only."""
        self.writing.add(contained(self.host, "save stars and archive", partial(self._shelve, change)))

    def _shelve(self, change: Callable[[], ShelfChange], undoing: ShelfChange | None = None) -> None:
        """Star or archive something, or take that back; in the thread of the queue."""
        try:
            done = change()
        except WriteError as error:
            if undoing is not None:
                self._changes.append(undoing)
            self.app.call_from_thread(self.app.report, sentence(error.reason), warning=True)
        except BaseException:
            if undoing is not None:
                self._changes.append(undoing)
            raise
        else:
            self._keep_for_undo(done, undoing)
            self.host.call_later(self._reshelved, done, undoing is not None)

    def _reshelved(self, shelved: ShelfChange, undone: bool) -> None:
        self._report_done(shelved, undone)
        self._following.show_shelf()

    def action_undo(self) -> None:
        self.writing.add(contained(self.host, "undo what was written", self._undo, self._writing_failed))

    def _undo(self) -> None:
        """Take back what was written last; in the thread of the queue, after all that was decided before."""
        if not self._changes:
            self.app.call_from_thread(self.app.report, "Nothing to undo", warning=True)
            return
        last = self._changes.pop()
        if isinstance(last, ShelfChange):
            self._shelve(last.undo, last)
        else:
            self._undo_change(last)

    def _ask_upgrade(self, session: SessionManager, then: Callable[[], None]) -> None:
        name = session.path.name if session.path else ""

        def chosen(choice: ChoiceResult | None) -> None:
            if choice is not None:
                self.writing.add(contained(self.host, "upgrade the session's format", work))

        def work() -> None:
            try:
                session.upgrade()
            except SessionError as error:
                self.app.call_from_thread(self.app.report, sentence(error.reason), warning=True)
            else:
                with self.writing.inside():
                    self.app.call_from_thread(then)

        self.app.push_screen(
            ChoiceWindow(
                "Older format",
                [
                    f"This file has format version {session.version}. The first write upgrades it "
                    f"to version {CURRENT_VERSION}, as Pi does on opening it.",
                    f"A copy of the old file is kept as {name}.v{session.version}.bak.",
                ],
                [Choice("upgrade", "confirm.upgrade", f"upgrade it to version {CURRENT_VERSION} and write")],
            ),
            chosen,
        )

    def ask_about_moved_leaf(self, writing: Writing) -> None:
        """Ask whether to move a leaf that another process has moved meanwhile; what is to follow, follows."""
        session = writing.session
        self._following.session_grew()
        now = session.get_leaf_id()

        def chosen(choice: ChoiceResult | None) -> None:
            if choice is None:
                self._keep_undoable(writing)
            else:
                self._write(replace(writing, change=partial(writing.change, expected_leaf=now)))

        words = row_line(session.table, session.leaf_index) if session.leaf_index >= 0 else "nothing"
        self.app.push_screen(
            ChoiceWindow(
                "The session has changed",
                [
                    ("Nothing was written: the leaf has moved meanwhile. It is now at", "warning"),
                    (quoted(words), "quote"),
                    "Your move would leave the newer entries on another branch of the file.",
                ],
                [Choice("move", "confirm.move", "move the leaf anyway")],
            ),
            chosen,
        )

    def open_quietly(self, path: Path, then: Callable[[SessionManager], None]) -> None:
        """Open a session that is not on screen, in a thread."""

        def work() -> None:
            try:
                session = SessionManager.open(path)
            except SessionError as error:
                self.app.call_from_thread(self.app.report, str(error), warning=True)
            else:
                with self.writing.inside():
                    self.app.call_from_thread(then, session)

        self.writing.add(contained(self.host, "open the session", work))


def quoted(text: str) -> str:
    """The beginning of a text, as a window quotes it."""
    return text if len(text) <= _QUOTE else text[:_QUOTE] + " …"


def sentence(text: str) -> str:
    """A text with a capital first letter."""
    return text[:1].upper() + text[1:]
