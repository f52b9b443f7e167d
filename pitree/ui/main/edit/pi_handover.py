"""Handing the terminal to Pi, and forking when the folder of a session is gone."""

from __future__ import annotations

import os
import subprocess
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from textual.app import SuspendNotSupported

from pitree.ui.main.edit.fork_actions import ForkActions

if TYPE_CHECKING:
    from pitree.ui.toolkit.choice_window import Chosen


class HandoverActions(ForkActions):
    """Pi on a session, or the command for it."""

    def hand_over(self, path: Path | None, cwd: str, text: str | None = None) -> None:
        from pitree.pi.pi_command import find_pi, pi_command

        if path is None:
            return
        command = pi_command(path, cwd, self.chosen_dir, text, self.variables)
        if self._offers_fork(path, cwd, command.cwd_exists):
            return
        program = find_pi()
        if program is None:
            self.app.tell("pi is not on the PATH. The command was copied instead", warning=True)
            self.app.copy_text(command.shell())
            return
        environment = {**os.environ, **dict(command.environment)}
        try:
            with self.app.suspend():
                subprocess.run([program, *command.arguments[1:]], cwd=command.cwd or None, env=environment)
        except SuspendNotSupported:
            self.app.tell("Pi cannot be run from here. The command was copied instead", warning=True)
            self.app.copy_text(command.shell())
            return
        except OSError as error:
            self.app.tell(f"Pi did not start: {error.strerror or error}", warning=True)
            return
        self.refresh(layout=True)
        self.open_path(path)
        self.session_listed_anew(path)

    def action_copy_command(self) -> None:
        """Copy the command that continues the session in Pi."""
        from pitree.pi.pi_command import pi_command

        listed, opened = self.listed_session, self.opened
        if listed is not None:
            path, cwd = Path(listed.path), listed.cwd
        elif opened is not None:
            path, cwd = opened.path, opened.session.get_cwd()
        else:
            return
        command = pi_command(path, cwd, self.chosen_dir, environ=self.variables)
        if not self._offers_fork(path, cwd, command.cwd_exists):
            self.app.copy_text(command.shell())

    def _offers_fork(self, path: Path, cwd: str, cwd_exists: bool) -> bool:
        """Offer a fork where Pi would not continue a session; whether it would not."""
        from pitree.session.format.errors import SessionError
        from pitree.session.reading.file_reader import refusal_of

        try:
            refusal = refusal_of(path)
        except SessionError as error:
            self.app.tell(str(error), warning=True)
            return True
        if not cwd_exists:
            self._ask_to_fork(
                path,
                "The folder is gone",
                f"This session belongs to {cwd}, which is gone; Pi would not start there.",
                elsewhere=True,
            )
        elif refusal:
            self._ask_to_fork(path, "Pi refuses this file", f"Pi does not open it: {refusal}.")
        return bool(refusal) or not cwd_exists

    def _ask_to_fork(self, path: Path, title: str, reason: str, *, elsewhere: bool = False) -> None:
        from pitree.ui.toolkit.choice_window import Choice, ChoiceWindow

        def chosen(choice: Chosen | None) -> None:
            if choice is None:
                return
            if elsewhere:
                self.open_quietly(path, lambda session: self.ask_folder(partial(self.fork, session, None)))
            else:
                self.open_quietly(path, lambda session: self.fork(session, None, None))

        where = "a session of another folder" if elsewhere else "a new session, which Pi opens"
        fork = "fork it into another folder" if elsewhere else "fork it"
        self.app.push_screen(
            ChoiceWindow(
                title,
                [reason, f"A fork takes its branch into {where}. This one stays as it is."],
                [Choice("fork", "confirm.fork", fork)],
            ),
            chosen,
        )
