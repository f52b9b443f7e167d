"""Handing the terminal to Pi, and forking when the folder of a session is gone."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from pitree.session.format.errors import SessionError
from pitree.session.reading.file_reader import refusal_of
from pitree.ui.app.programs import suspended, wait_for_enter
from pitree.ui.main.edit.edits import Following
from pitree.ui.main.edit.forking import Forking
from pitree.ui.main.host import Controller, Host
from pitree.ui.toolkit.choice_window import Choice, ChoiceWindow
from pitree.workers.programs import ProgramError, check, run_in_foreground

if TYPE_CHECKING:
    from pitree.pi.pi_command import PiCommand
    from pitree.session.manager.manager import SessionManager
    from pitree.session.manager.undoable_edits import Change
    from pitree.ui.toolkit.choice_window import ChoiceResult


@dataclass(frozen=True, slots=True)
class Handover:
    """A session on its way to Pi.

    Attributes:
        path: its file.
        cwd: its working directory; empty if its header names none.
        text: the first message; None for none.
        index: the entry that Pi is to continue from; None for the leaf.
    """

    path: Path
    cwd: str
    text: str | None = None
    index: int | None = None


class PiHandover(Controller):
    """Pi on a session, or the command for it.

    Args:
        host: the screen.
        forking: forks a session that Pi would not continue.
        following: shows what Pi has written.
    """

    def __init__(self, host: Host, forking: Forking, following: Following) -> None:
        super().__init__(host)
        self.forking = forking
        self.edits = forking.edits
        self._following = following
        forking.hand_over = self.hand_over

    def hand_over(self, path: Path, cwd: str, text: str | None = None) -> None:
        """Run Pi on a session, with a first message if there is one."""
        self.prepare_pi(Handover(path, cwd, text), partial(self.run_pi, path))

    def prepare_pi(self, handover: Handover, then: Callable[[PiCommand], None]) -> None:
        """See to all that would keep Pi from starting, before anything is written.

        Args:
            handover: what Pi is to get.
            then: called with the command if nothing does, perhaps after a question.
        """
        from pitree.pi.pi_command import find_pi, pi_command, why_not_first_message

        reason = why_not_first_message(handover.text) if handover.text else ""
        text = None if reason else handover.text
        command = pi_command(handover.path, handover.cwd, self.edits.chosen_dir, text, self.edits.variables)
        if self._offers_fork(handover, cwd_exists=command.cwd_exists):
            return
        if find_pi() is None:
            self._offer_command(command, "pi is not on the PATH", moves=handover.index is not None)
        elif handover.text and reason:
            self._ask_to_paste(handover.text, reason, partial(then, command))
        else:
            try:
                check(command.arguments, command.cwd or None, self._environment(command))
            except ProgramError as error:
                self.app.report(f"Pi was not started, and nothing was written: {error}", warning=True)
            else:
                then(command)

    def _environment(self, command: PiCommand) -> dict[str, str]:
        return {**os.environ, **dict(command.environment)}

    def _offer_command(self, command: PiCommand, reason: str, *, moves: bool) -> None:
        """Copy the command where Pi cannot be run from here; it would continue from where the leaf is now."""
        if moves:
            self.app.report(f"{reason}, so the leaf was not moved", warning=True)
        else:
            self.app.report(f"{reason}. The command was copied instead", warning=True)
            self._copy_command(command)

    def _ask_to_paste(self, text: str, reason: str, then: Callable[[], None]) -> None:
        """Offer to copy a text that Pi cannot be given as its first message."""

        def chosen(choice: ChoiceResult | None) -> None:
            if choice is not None:
                self.app.copy_text(text, then)

        self.app.push_screen(
            ChoiceWindow(
                "Text to paste",
                [
                    f"Pi cannot start with this text: it {reason}.",
                    "Copy it instead, start Pi without it, and paste it there.",
                ],
                [Choice("paste", "", "copy the text and start Pi")],
            ),
            chosen,
        )

    def run_pi(self, path: Path, command: PiCommand, moved: Change | None = None) -> None:
        """Give Pi the terminal until it ends.

        Args:
            path: the session.
            command: Pi on it.
            moved: the move of the leaf that was made for this; it is undone if Pi does not get going.
        """
        size = _size(path)
        try:
            with suspended(self.host.app):
                ended = run_in_foreground(command.arguments, command.cwd or None, self._environment(command))
                if ended.status > 0:
                    wait_for_enter(f"Pi {ended.words}.")
        except ProgramError as error:
            trouble = f"Pi {error}"
        else:
            trouble = f"Pi {ended.words}" if ended.status else ""
        if trouble:
            idle = moved is not None and _size(path) == size
            self.app.report(
                f"{trouble}. The leaf moves back to where it was" if idle else trouble, warning=True
            )
            if idle and moved is not None:
                self.edits.undo_change(moved)
        self.host.app.refresh(layout=True)
        self.host.open_path(path)
        self._following.refresh_listed(path)

    def action_copy_command(self) -> None:
        """Copy the command that continues the session in Pi."""
        from pitree.pi.pi_command import pi_command

        listed, opened = self.host.listed_session, self.opened
        if listed is not None:
            path, cwd = Path(listed.path), listed.cwd
        elif opened is not None:
            path, cwd = opened.path, opened.session.get_cwd()
        else:
            return
        command = pi_command(path, cwd, self.edits.chosen_dir, environ=self.edits.variables)
        if not self._offers_fork(Handover(path, cwd), cwd_exists=command.cwd_exists):
            self._copy_command(command)

    def _copy_command(self, command: PiCommand) -> None:
        from pitree.pi.pi_command import UnquotableError

        try:
            line = command.shell()
            line.encode()
        except UnquotableError as error:
            self.app.report(
                f"The command was not copied: it cannot be quoted for a shell, because of {error}",
                warning=True,
            )
        except UnicodeEncodeError:
            self.app.report(
                "The command was not copied: a name in it is not UTF-8. `pitree resume` prints it",
                warning=True,
            )
        else:
            self.app.copy_text(line)

    def _offers_fork(self, handover: Handover, *, cwd_exists: bool) -> bool:
        """Offer a fork where Pi would not continue a session; whether it would not."""
        try:
            refusal = refusal_of(handover.path)
        except SessionError as error:
            self.app.report(str(error), warning=True)
            return True
        if not cwd_exists:
            self._ask_to_fork(
                handover,
                "The folder is gone",
                f"This session belongs to {handover.cwd}, which is gone, so Pi would not start.",
                elsewhere=True,
            )
        elif refusal:
            self._ask_to_fork(handover, "Pi refuses this file", f"Pi refuses it: {refusal}.")
        return bool(refusal) or not cwd_exists

    def _ask_to_fork(self, handover: Handover, title: str, reason: str, *, elsewhere: bool = False) -> None:
        def fork(session: SessionManager) -> None:
            if elsewhere:
                self.forking.ask_folder(
                    lambda folder: self.forking.fork(session, handover.index, folder, handover.text)
                )
            else:
                self.forking.fork(session, handover.index, None, handover.text)

        def chosen(choice: ChoiceResult | None) -> None:
            if choice is not None:
                self.edits.open_quietly(handover.path, fork)

        where = "a session of another folder" if elsewhere else "a new session, which Pi opens"
        words = "fork it into another folder" if elsewhere else "fork it"
        self.app.push_screen(
            ChoiceWindow(
                title,
                [reason, f"A fork copies its branch to {where}. This session does not change."],
                [Choice("fork", "confirm.fork", words)],
            ),
            chosen,
        )


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return -1
