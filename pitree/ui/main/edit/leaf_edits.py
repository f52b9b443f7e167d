"""Continuing from an entry: moving the leaf, with or without a summary."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from pitree.entry.parts.copying import copy_text
from pitree.outline.row_words import row_line
from pitree.text.figures import counted
from pitree.ui.main.edit.edits import LeafMove, quoted
from pitree.ui.main.edit.pi_handover import Handover, PiHandover
from pitree.ui.main.host import Controller, Host
from pitree.ui.toolkit.choice_window import Choice, ChoiceWindow

if TYPE_CHECKING:
    from pitree.pi.pi_command import PiCommand
    from pitree.session.manager.continuation import Continuation
    from pitree.session.manager.manager import SessionManager
    from pitree.session.reading.entry import Entry
    from pitree.ui.main.session_loading import OpenedSession
    from pitree.ui.toolkit.choice_window import Choice, ChoiceResult
    from pitree.ui.windows.summary_window import Summary


class LeafEdits(Controller):
    """What Enter on a row asks."""

    def __init__(self, host: Host, handover: PiHandover) -> None:
        super().__init__(host)
        self.handover = handover
        self.forking = handover.forking
        self.edits = handover.edits

    def action_continue(self) -> None:
        from pitree.session.manager.continuation import continuation

        opened, index = self.opened, self.entry_index
        if opened is None or index < 0:
            return
        session = opened.session
        chosen = continuation(session, index)
        wanted = LeafMove(session, chosen, session.get_leaf_id())
        here = "this is already the leaf" if chosen.current and not chosen.before else ""
        left = _left_by(wanted)
        paragraphs = [
            (quoted(row_line(session.table, index)), "quote"),
            _what_happens(chosen, len(left), bool(here)),
        ]
        if chosen.text is not None:
            paragraphs.append(("Edit and resend the text:", "dim"))
        choices = self.ways_on(opened, chosen, here, "" if left else "no entry would be left behind")

        def answered(choice: ChoiceResult | None) -> None:
            if choice is None:
                return
            decided = replace(wanted, text=choice.text)
            if choice.id == "move":
                self.edits.move_leaf(decided)
            elif choice.id == "summary":
                self._ask_summary(decided)
            elif choice.id == "fork":
                self.forking.ask_where_to_fork(session, index, choice.text)
            elif choice.id == "pi":
                self.continue_in_pi(decided, moves=not here)
            elif choice.id == "copy":
                self._copy_entry_text(session, index, choice.text)

        title = "Edit and resend" if chosen.before else "Continue from here"
        self.app.push_screen(ChoiceWindow(title, paragraphs, choices, text=chosen.text), answered)

    def ways_on(
        self, opened: OpenedSession, chosen: Continuation, here: str, nothing_left: str
    ) -> list[Choice]:
        """What can be done with an entry.

        Args:
            opened: its session.
            chosen: where to continue.
            here: why the leaf need not move; empty where it has to.
            nothing_left: why there is nothing to be summarized; empty where there is.
        """
        refused = self.edits.refusal(opened)
        return [
            Choice("move", "continue.move", "move the leaf", refused or here),
            Choice(
                "summary",
                "continue.summary",
                "move it with a summary of the old branch",
                refused or here or nothing_left,
            ),
            Choice(
                "fork",
                "continue.fork",
                "fork here, into a new session",
                "still loading" if opened.provisional else "",
            ),
            Choice(
                "pi",
                "continue.pi",
                "continue in Pi",
                "Pi refuses this file" if opened.session.data.refusal else refused if not here else "",
            ),
            Choice(
                "copy",
                "continue.copy",
                "copy the text" if chosen.text is not None else "copy the entry's text",
            ),
        ]

    def _copy_entry_text(self, session: SessionManager, index: int, text: str | None) -> None:
        self.app.copy_text(text if text is not None else copy_text(session, index))

    def _ask_summary(self, wanted: LeafMove) -> None:
        from pitree.pi.pi_command import find_pi
        from pitree.session.manager.branch_summary import draft_summary, file_lists
        from pitree.ui.main.edit.pi_summary import ask_pi
        from pitree.ui.windows.summary_window import SummaryWindow

        left = _left_by(wanted)
        files = file_lists(left)

        def given(summary: Summary | None) -> None:
            if summary is not None:
                self.edits.move_leaf(replace(wanted, summary=summary, details=files.details))

        paragraph = (
            f"{counted(len(left), 'entry', 'entries')} of the old branch stay in the file; this summary goes "
            "into the new one."
        )
        asking = partial(ask_pi, self.host, wanted.session, left) if find_pi() else None
        self.app.push_screen(SummaryWindow([paragraph], draft_summary(left), asking), given)

    def continue_in_pi(self, wanted: LeafMove, *, moves: bool) -> None:
        """Hand the terminal to Pi. If the leaf has to move, it does once nothing keeps Pi from starting."""
        from pitree.session.manager.undoable_edits import move

        session = wanted.session
        if session.path is None or (moves and self.edits.writable() is None):
            return
        index = session.table.by_id[wanted.to.entry.id] if moves else None
        handover = Handover(session.path, session.get_cwd(), wanted.text, index)

        def ready(command: PiCommand) -> None:
            run = partial(self.handover.run_pi, handover.path, command)
            if moves:
                change = partial(move, session, wanted.to.leaf_id, expected_leaf=wanted.seen)
                self.edits.write(session, change, then=run)
            else:
                run()

        self.handover.prepare_pi(handover, ready)


def _left_by(wanted: LeafMove) -> list[Entry]:
    """The entries of the branch that a move leaves."""
    from pitree.session.manager.branch_summary import branch_left

    session, leaf_id = wanted.session, wanted.to.leaf_id
    target = session.table.by_id[leaf_id] if leaf_id is not None else -1
    return branch_left(session, session.leaf_index, target)


def _what_happens(chosen: Continuation, left: int, here: bool) -> str | tuple[str, str]:
    if here:
        return "This is the leaf: Pi continues from here."
    if chosen.before:
        where = "to the entry before it" if chosen.leaf_id is not None else "before any entry"
        sentence = f"The leaf moves {where}."
    else:
        sentence = "The leaf moves to this entry; the next message follows it."
    if left:
        entries = counted(left, "entry", "entries")
        sentence += f" {entries} of the old branch {'stays' if left == 1 else 'stay'} in the file."
    return sentence
