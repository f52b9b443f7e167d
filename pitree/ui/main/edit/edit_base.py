"""Writing from the main screen: in a thread, told in a toast, undone by u."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from textual import on
from textual.message import Message
from textual.screen import Screen

from pitree.config import table
from pitree.outline.row_words import row_text
from pitree.pi.places import AGENT_DIR_VARIABLE
from pitree.session.format.errors import SessionError, WriteError
from pitree.session.format.migrate import CURRENT_VERSION
from pitree.session.manager.appends import LeafMoved
from pitree.state.shelf_edits import ShelfChange
from pitree.state.stars_and_archive import Shelf
from pitree.ui.main.edit.edit_words import quoted, read_only_reason, sentence
from pitree.ui.main.edit.write_queue import WriteQueue, Writing
from pitree.ui.toolkit import keys
from pitree.ui.toolkit.background import contained, in_thread
from pitree.workers.failures import Failure

if TYPE_CHECKING:
    from pitree.catalog.info.session_info import SessionInfo
    from pitree.pi.places import Places
    from pitree.session.manager.manager import SessionManager
    from pitree.session.manager.undoable_edits import Change
    from pitree.ui.app.app import PitreeApp
    from pitree.ui.main.edit.leaf_move import LeafMove
    from pitree.ui.main.session_loading import OpenedSession
    from pitree.ui.toolkit.choice_window import ChoiceResult

_UNDO_KEPT = 50


class ChangeWritten(Message):
    """A change was written; the rows have to follow."""

    def __init__(self, change: Change, writing: Writing) -> None:
        super().__init__()
        self.change = change
        self.writing = writing


class ShelfChanged(Message):
    """Something was starred or archived, or is no more; what is listed has to follow."""

    def __init__(self, shelved: ShelfChange, undone: bool) -> None:
        super().__init__()
        self.shelved = shelved
        self.undone = undone


class WritingBase(Screen[None], inherit_bindings=False):
    """How the main screen writes: in a thread, told, undoable. The browsing half says what is meant."""

    app: PitreeApp
    places: Places
    shelf: Shelf

    def __init__(self, classes: str | None = None) -> None:
        super().__init__(classes=classes)
        self._changes: list[Change | ShelfChange] = []
        self.writing = WriteQueue(partial(in_thread, self, "continue writing", group="writing"))

    # What the other half provides

    @property
    def opened(self) -> OpenedSession | None:
        """The session shown."""
        raise NotImplementedError

    @property
    def chosen_path(self) -> Path | None:
        """The session the reader has opened; None while what is shown is but a look at a row of the list."""
        raise NotImplementedError

    @property
    def variables(self) -> Mapping[str, str]:
        """The environment as far as Pi's files are concerned: that of the demo names the demo's folder."""
        agent_dir = self.app.options.agent_dir
        return os.environ if agent_dir is None else {**os.environ, AGENT_DIR_VARIABLE: str(agent_dir)}

    @property
    def chosen_dir(self) -> str | None:
        """The session folder chosen with `--session-dir`, absolute; None without it."""
        return self.places.session_dir if self.app.options.session_dir else None

    @property
    def entry_index(self) -> int:
        """Index of the entry under the cursor, -1 for none."""
        raise NotImplementedError

    @property
    def listed_session(self) -> SessionInfo | None:
        """The session under the cursor of the list, if the list has the focus."""
        raise NotImplementedError

    def open_path(self, path: Path, entry_id: str | None = None) -> None:
        """Open a session, at an entry if one is given."""
        raise NotImplementedError

    def go_to_entry(self, index: int) -> None:
        """Put the cursor on an entry."""
        raise NotImplementedError

    def session_grew(self) -> None:
        """Show what was added to the session shown."""
        raise NotImplementedError

    def refresh_listed_session(self, path: Path) -> None:
        """Read the row of one session of the list again."""
        raise NotImplementedError

    def show_shelf(self) -> None:
        """Show what is starred and archived now."""
        raise NotImplementedError

    def session_gone(self, path: Path) -> None:
        """Take a session out of the list."""
        raise NotImplementedError

    def hand_over(self, path: Path, cwd: str, text: str | None = None) -> None:
        """Run Pi on a session, with a first message if there is one."""
        raise NotImplementedError

    # What a reader decides. All of it passes here (and `fork`), so that it can go elsewhere than to the file.

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
        return read_only_reason(opened.path, self.app.options.config[table.READ_ONLY])

    def writable(self) -> SessionManager | None:
        """The session shown if it can be written to; says why where it cannot."""
        opened = self.opened
        if opened is None:
            self.app.report("No session is open", warning=True)
        elif opened.provisional:
            self.app.report("The session is still loading; try again in a moment", warning=True)
        elif reason := read_only_reason(opened.path, self.app.options.config[table.READ_ONLY]):
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

    def take_back(self, change: Change) -> None:
        """Take back a change by writing what was before."""
        self._queue(partial(self._take_back, change))

    def _take_back(self, change: Change) -> None:
        """Take back a change; in the thread of the queue."""
        self._changes = [kept for kept in self._changes if kept is not change]
        self._make(Writing(change.session, change.undo, undoes=change))

    def _write(self, writing: Writing) -> None:
        if writing.session.version < CURRENT_VERSION:
            self._ask_upgrade(writing.session, partial(self._write, writing))
            return
        self._queue(partial(self._make, writing))

    def _queue(self, job: Callable[[], None]) -> None:
        self.writing.add(contained(self, "write to the session", job, self._writing_failed))

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
            self.post_message(ChangeWritten(made, writing))

    def _keep_for_undo(self, made: Change | ShelfChange, undoing: Change | ShelfChange | None) -> None:
        if undoing is None:
            self._changes = [*self._changes[-_UNDO_KEPT:], made]

    def _not_written(self, reason: str) -> None:
        self.app.report(sentence(reason), warning=True)
        self.session_grew()

    def _keep_undoable(self, writing: Writing) -> None:
        """What could not be undone can be tried again."""
        if writing.undoes is not None:
            self._changes.append(writing.undoes)

    @on(ChangeWritten)
    def _wrote(self, event: ChangeWritten) -> None:
        change = event.change
        self._tell_done(change, event.writing.undoes is not None)
        if self.opened is not None and change.session is self.opened.session:
            self.session_grew()
        if change.session.path is not None:
            self.refresh_listed_session(change.session.path)
        if event.writing.then is not None:
            event.writing.then(change)

    def _tell_done(self, change: Change | ShelfChange, undone: bool) -> None:
        if undone:
            self.app.report(f"Undone: {change.words}")
        else:
            self.app.report(f"{sentence(change.words)} · {keys.key_label(self, 'undo')} undoes it")

    def shelve(self, change: Callable[[], ShelfChange]) -> None:
        """Star or archive something in a thread; no session is written to, so it may be read-only."""
        self.writing.add(contained(self, "save stars and archive", partial(self._shelve, change)))

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
            self.post_message(ShelfChanged(done, undoing is not None))

    @on(ShelfChanged)
    def _reshelved(self, event: ShelfChanged) -> None:
        self._tell_done(event.shelved, event.undone)
        self.show_shelf()

    def action_undo(self) -> None:
        self.writing.add(contained(self, "undo what was written", self._undo, self._writing_failed))

    def _undo(self) -> None:
        """Take back what was written last; in the thread of the queue, after all that was decided before."""
        if not self._changes:
            self.app.call_from_thread(self.app.report, "Nothing to undo", warning=True)
            return
        last = self._changes.pop()
        if isinstance(last, ShelfChange):
            self._shelve(last.undo, last)
        else:
            self._take_back(last)

    def _ask_upgrade(self, session: SessionManager, then: Callable[[], None]) -> None:
        from pitree.ui.toolkit.choice_window import Choice, ChoiceWindow

        name = session.path.name if session.path else ""

        def chosen(choice: ChoiceResult | None) -> None:
            if choice is not None:
                self.writing.add(contained(self, "upgrade the session's format", work))

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
        from pitree.ui.toolkit.choice_window import Choice, ChoiceWindow

        session = writing.session
        self.session_grew()
        now = session.get_leaf_id()

        def chosen(choice: ChoiceResult | None) -> None:
            if choice is None:
                self._keep_undoable(writing)
            else:
                self._write(replace(writing, change=partial(writing.change, expected_leaf=now)))

        words = self.row_words(session.leaf_index) if session.leaf_index >= 0 else "nothing"
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
        from pitree.session.manager.manager import SessionManager

        def work() -> None:
            try:
                session = SessionManager.open(path)
            except SessionError as error:
                self.app.call_from_thread(self.app.report, str(error), warning=True)
            else:
                with self.writing.inside():
                    self.app.call_from_thread(then, session)

        self.writing.add(contained(self, "open the session", work))

    def row_words(self, index: int) -> str:
        """What the row of an entry says."""
        opened = self.opened
        if opened is None or index < 0:
            return ""
        table = opened.session.table
        text = row_text(
            opened.session.entry(index).kind, table.flags[index], opened.session.entry(index).text
        )
        return f"{text.prefix}{text.text}{text.suffix}"
