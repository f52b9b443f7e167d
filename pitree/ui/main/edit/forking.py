"""Forking and cloning: where to, and what then."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from pitree.config import table
from pitree.outline.row_words import row_line
from pitree.pi.places import folder_for_new
from pitree.session.format.entry_summary import short_path
from pitree.session.format.errors import SessionError
from pitree.text.figures import counted
from pitree.text.sanitize import visible
from pitree.ui.main.edit.edits import Edits, Following, quoted, sentence
from pitree.ui.main.host import Controller, Host
from pitree.ui.toolkit.background import contained
from pitree.ui.toolkit.choice_window import Choice, ChoiceWindow

if TYPE_CHECKING:
    from pitree.session.manager.forking import Fork
    from pitree.session.manager.manager import SessionManager
    from pitree.ui.toolkit.choice_window import ChoiceResult


class Forking(Controller):
    """`f` and clone.

    Attributes:
        hand_over: runs Pi on a session: its file, its folder, the first message.
    """

    def __init__(self, host: Host, edits: Edits, following: Following) -> None:
        super().__init__(host)
        self.edits = edits
        self._following = following
        self.hand_over: Callable[[Path, str, str | None], None] | None = None

    def action_fork(self) -> None:
        opened, index = self.opened, self.entry_index
        if opened is None or index < 0 or opened.provisional:
            return
        self.ask_where_to_fork(opened.session, index, None)

    def action_clone(self) -> None:
        opened = self.opened
        if opened is not None and opened.session.leaf_index >= 0 and not opened.provisional:
            self.ask_where_to_fork(opened.session, None, None)

    def ask_where_to_fork(self, session: SessionManager, index: int | None, text: str | None) -> None:
        from pitree.session.manager.continuation import continuation

        if self.app.options.config[table.READ_ONLY]:
            self.app.report("Nothing was written: pitree was started read-only", warning=True)
            return
        if index is None:
            what = "The whole branch up to the leaf is copied to a new session."
        elif continuation(session, index).before:
            what = "The new session ends before this message; you can edit and resend its text."
        else:
            what = "The new session ends with this entry."
        row = row_line(session.table, session.leaf_index if index is None else index)
        folder = visible(short_path(session.get_cwd())) or "as the session"

        def chosen(choice: ChoiceResult | None) -> None:
            if choice is None:
                return
            if choice.id == "here":
                self.fork(session, index, None, text)
            else:
                self.ask_folder(lambda folder: self.fork(session, index, folder, text))

        self.app.push_screen(
            ChoiceWindow(
                "Clone" if index is None else "Fork",
                [(quoted(row), "quote"), what, ("This session does not change.", "dim")],
                [
                    Choice(
                        "here",
                        "fork.here",
                        f"for the same folder, {folder}",
                    ),
                    Choice("other", "fork.other", "for another folder …"),
                ],
            ),
            chosen,
        )

    def ask_folder(self, then: Callable[[str], None]) -> None:
        from pitree.ui.toolkit.line_window import LineWindow

        def check(line: str) -> str | None:
            folder = os.path.expanduser(line.strip())
            return None if os.path.isdir(folder) else "No such folder."

        def given(line: str | None) -> None:
            if line is not None:
                then(os.path.abspath(os.path.expanduser(line.strip())))

        window = LineWindow(
            "Fork into another folder",
            ["The new session belongs to this folder, and Pi runs there:"],
            value=str(self.app.options.cwd),
            check=check,
        )
        self.app.push_screen(window, given)

    def fork(
        self, session: SessionManager, index: int | None, cwd: str | None, text: str | None = None
    ) -> None:
        from pitree.session.manager.forking import clone, fork_at

        def work() -> None:
            try:
                folder = (
                    Path(folder_for_new(cwd, self.edits.chosen_dir, self.edits.variables)) if cwd else None
                )
                made = clone(session, cwd, folder) if index is None else fork_at(session, index, cwd, folder)
            except SessionError as error:
                self.app.call_from_thread(self.app.report, sentence(error.reason), warning=True)
            else:
                self.app.call_from_thread(self._forked, made, cwd or session.get_cwd(), text)

        self.edits.writing.add(contained(self.host, "fork the session", work))

    def _forked(self, fork: Fork, cwd: str, text: str | None) -> None:
        self._following.refresh_listed(fork.path)
        kept = text if text is not None else fork.text

        def chosen(choice: ChoiceResult | None) -> None:
            if choice is None or choice.id == "stay":
                return
            if choice.id == "open":
                self.host.open_path(fork.path)
                if choice.text:
                    self.app.copy_text(choice.text)
            elif self.hand_over is not None:
                self.hand_over(fork.path, cwd, choice.text)

        paragraphs: list[str | tuple[str, str]] = [
            f"The new session has {counted(fork.entries, 'entry', 'entries')}.",
            (str(fork.path), "dim"),
        ]
        if kept is not None:
            paragraphs.append(("Edit and resend the text of the message:", "dim"))
        self.app.push_screen(
            ChoiceWindow(
                "Forked",
                paragraphs,
                [
                    Choice(
                        "open",
                        "forked.open",
                        "open it here" + (", the text copied" if kept is not None else ""),
                    ),
                    Choice(
                        "pi", "forked.pi", "continue in Pi" + (" with the text" if kept is not None else "")
                    ),
                    Choice("stay", "forked.stay", "stay in this session"),
                ],
                text=kept,
            ),
            chosen,
        )
