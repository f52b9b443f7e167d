"""Deleting a session from the list."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from pitree.config import table
from pitree.session.format.errors import SessionError
from pitree.text.figures import counted
from pitree.ui.main.edit.edits import quoted, sentence
from pitree.ui.main.edit.write_queue import WriteQueue
from pitree.ui.main.host import Controller, Host
from pitree.ui.toolkit.background import contained
from pitree.ui.toolkit.choice_window import Choice, ChoiceWindow

if TYPE_CHECKING:
    from pitree.ui.toolkit.choice_window import ChoiceResult


class Deletion(Controller):
    """Delete, to the trash where there is one.

    Args:
        host: the screen.
        writing: what is written, in order.
        is_chosen: whether a session is the one that the reader has opened.
    """

    def __init__(self, host: Host, writing: WriteQueue, is_chosen: Callable[[Path], bool]) -> None:
        super().__init__(host)
        self._writing = writing
        self._is_chosen = is_chosen

    def action_delete(self) -> None:
        from pitree.session.storage.deletion import Trash, trash_at_hand

        listed = self.host.listed_session
        if listed is None:
            return
        path = Path(listed.path)
        if self.app.options.config[table.READ_ONLY]:
            self.app.report("Nothing was deleted: pitree was started read-only", warning=True)
            return
        if self._is_chosen(path):
            self.app.report("Not deleted: this session is open; open another one first", warning=True)
            return
        trash = trash_at_hand()
        what = f"“{listed.name or listed.first_message}”, {counted(listed.message_count, 'message')}"
        where = (
            ("There is no trash here. The session will be deleted PERMANENTLY.", "error")
            if trash is Trash.NONE
            else ("You can restore it from the trash.", "dim")
        )

        def chosen(choice: ChoiceResult | None) -> None:
            if choice is not None:
                self._delete(path, for_good=trash is Trash.NONE)

        words = "delete it PERMANENTLY" if trash is Trash.NONE else "move it to the trash"
        self.app.push_screen(
            ChoiceWindow(
                "Delete a session",
                [(quoted(what), "quote"), (str(path), "dim"), where],
                [Choice("delete", "confirm.delete", words)],
            ),
            chosen,
        )

    def _delete(self, path: Path, *, for_good: bool) -> None:
        from pitree.session.storage.deletion import Trash, remove_session, trash_session

        def work() -> None:
            try:
                if for_good:
                    remove_session(path)
                    words = "Deleted permanently"
                elif trash_session(path) is Trash.NONE:
                    self.app.call_from_thread(self._ask_for_good, path)
                    return
                else:
                    words = "Moved to the trash"
            except SessionError as error:
                self.app.call_from_thread(self.app.report, sentence(error.reason), warning=True)
            else:
                self.app.call_from_thread(self.app.report, words)
                self.app.call_from_thread(self.panes.picker.reload)

        self._writing.add(contained(self.host, "delete the session", work))

    def _ask_for_good(self, path: Path) -> None:
        def chosen(choice: ChoiceResult | None) -> None:
            if choice is not None:
                self._delete(path, for_good=True)

        self.app.push_screen(
            ChoiceWindow(
                "It cannot be moved to the trash",
                [
                    (str(path), "dim"),
                    ("It will be deleted PERMANENTLY. This cannot be undone.", "error"),
                ],
                [Choice("delete", "confirm.delete", "delete it PERMANENTLY")],
            ),
            chosen,
        )
