"""Lets Pi write the summary of a branch: the branch on its standard input, no tools, no session."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from typing import TYPE_CHECKING

from pitree.pi.pi_command import find_pi
from pitree.session.manager.branch_summary import file_lists, transcript
from pitree.ui.toolkit.background import in_thread
from pitree.ui.windows.summary_window import Asking

if TYPE_CHECKING:
    from pitree.session.manager.manager import SessionManager
    from pitree.session.reading.entry import Entry
    from pitree.ui.main.edit.edit_base import WritingBase

PROMPT = (
    "Summarize the conversation branch given above, which is being left, for whoever continues elsewhere. "
    "Use the headings Goal, Constraints, Progress, Decisions, Next steps. Be brief, and keep exact file "
    "paths, names of functions and error messages. Answer with the summary only."
)

ARGUMENTS = ("-p", "--no-session", "--no-tools", PROMPT)


class PiRun(Asking):
    """A Pi process that writes a summary."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self.cancelled = False

    def cancel(self) -> None:
        """End the process; nothing is reported any more."""
        self.cancelled = True
        if self._process is not None:
            self._process.terminate()

    def run(self, program: str, cwd: str, text: str) -> tuple[str, str]:
        """Run Pi to its end; gives its answer and, where there is none, what it said instead."""
        try:
            self._process = subprocess.Popen(
                [program, *ARGUMENTS],
                cwd=cwd if cwd and os.path.isdir(cwd) else None,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                errors="replace",
            )
            if self.cancelled:
                self._process.terminate()
            answer, errors = self._process.communicate(text)
        except OSError as error:
            return "", error.strerror or str(error)
        if self._process.returncode != 0 or not answer.strip():
            last = errors.strip().splitlines()[-1:] or [f"it ended with status {self._process.returncode}"]
            return "", last[0]
        return answer.strip(), ""


def ask_pi(
    screen: WritingBase,
    session: SessionManager,
    left: list[Entry],
    written: Callable[[str], None],
    failed: Callable[[str], None],
) -> Asking:
    """Start asking Pi for a summary of a branch, in a thread.

    Args:
        screen: whose worker it is.
        session: the session; Pi runs in its folder.
        left: the branch, oldest first.
        written: takes the summary, with the files the branch touched at its end.
        failed: takes what went wrong.
    """
    run = PiRun()

    def work() -> None:
        program = find_pi()
        if program is None:
            screen.app.call_from_thread(failed, "pi is not on the PATH")
            return
        answer, error = run.run(program, session.get_cwd(), transcript(left))
        if run.cancelled:
            return
        if error:
            screen.app.call_from_thread(failed, error)
        else:
            files = file_lists(left).sections()
            screen.app.call_from_thread(written, f"{answer}\n\n{files}" if files else answer)

    in_thread(
        screen,
        "ask Pi for a summary",
        work,
        group="pi-summary",
        exclusive=True,
        failed=lambda failure: failed(failure.words),
    )
    return run
