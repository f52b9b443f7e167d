"""Lets Pi write the summary of a branch: the branch on its standard input, no tools, no session."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from pitree.pi.pi_command import find_pi
from pitree.session.manager.branch_summary import file_lists, transcript
from pitree.ui.toolkit.background import in_thread
from pitree.ui.windows.summary_window import SummaryRequest
from pitree.workers.programs import ProgramError, Run

if TYPE_CHECKING:
    from pitree.session.manager.manager import SessionManager
    from pitree.session.reading.entry import Entry
    from pitree.ui.main.host import Host

PROMPT = (
    "Summarize the conversation branch given above, which is being left, for whoever continues elsewhere. "
    "Use the headings Goal, Constraints, Progress, Decisions, Next steps. Be brief, and keep exact file "
    "paths, names of functions and error messages. Answer with the summary only."
)

ARGUMENTS = ("-p", "--no-session", "--no-tools", PROMPT)


class PiRun(SummaryRequest):
    """A Pi process that writes a summary.

    Args:
        program: Pi.
        cwd: the session's folder; without one, or if it is gone, Pi runs in this process's.
    """

    def __init__(self, program: str, cwd: str) -> None:
        self._run = Run([program, *ARGUMENTS], cwd=cwd if cwd and os.path.isdir(cwd) else None)

    @property
    def cancelled(self) -> bool:
        """Whether nobody waits for it any more."""
        return self._run.cancelled

    def cancel(self) -> None:
        """End the process; nothing is reported any more."""
        self._run.cancel()

    def answer(self, text: str) -> tuple[str, str]:
        """Run Pi to its end; gives its answer and, where there is none, what it said instead."""
        try:
            ended = self._run.wait(text.encode("utf-8", "replace"))
        except ProgramError as error:
            return "", f"it {error}"
        answer = ended.output.decode("utf-8", "replace").strip()
        if ended.status != 0 or not answer:
            errors = ended.errors.decode("utf-8", "replace").strip().splitlines()
            return "", errors[-1] if errors else f"it {ended.words} and wrote nothing"
        return answer, ""


def ask_pi(
    host: Host,
    session: SessionManager,
    left: list[Entry],
    written: Callable[[str], None],
    failed: Callable[[str], None],
) -> SummaryRequest:
    """Start asking Pi for a summary of a branch, in a thread.

    Args:
        host: whose worker it is.
        session: the session; Pi runs in its folder.
        left: the branch, oldest first.
        written: takes the summary, with the files the branch touched at its end.
        failed: takes what went wrong.
    """
    run = PiRun(find_pi() or "pi", session.get_cwd())

    def work() -> None:
        answer, error = run.answer(transcript(left))
        if run.cancelled:
            return
        if error:
            host.services.call_from_thread(failed, error)
        else:
            files = file_lists(left).sections()
            host.services.call_from_thread(written, f"{answer}\n\n{files}" if files else answer)

    in_thread(
        host,
        "ask Pi for a summary",
        work,
        group="pi-summary",
        exclusive=True,
        failed=lambda failure: failed(failure.words),
    )
    return run
