"""The ends of branches that grow, and the leaf: what is said of them, and the ways there."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from pitree.outline.row_words import row_line
from pitree.session.live.branch_tips import Tips
from pitree.session.manager.manager import SessionManager
from pitree.session.manager.newest_message import left_behind, newest_message
from pitree.text import figures
from pitree.ui.main.arrangement import Page
from pitree.ui.main.host import Controller, Host
from pitree.ui.toolkit.choice_window import Choice, ChoiceResult, ChoiceWindow

if TYPE_CHECKING:
    from pitree.ui.main.session_loading import OpenedSession

MOST = 9
"""Ends listed: as many as there are digits to choose them by."""


class BranchEnds(Controller):
    """`F7`, `F8` and `F`: the branches that grow, the newest message, the leaf.

    Args:
        host: the screen.
        followed: the session that is followed and its branches; None for none.
    """

    def __init__(self, host: Host, followed: Callable[[], tuple[OpenedSession, Tips] | None]) -> None:
        super().__init__(host)
        self._followed = followed

    def report_growth(self, session: SessionManager, tips: Tips, before: int, by_turns: bool) -> None:
        """Report a branch that has begun to grow.

        Args:
            session: the session.
            tips: its branches.
            before: how many of them grew before.
            by_turns: whether two programs wrote to it in turn before.
        """
        growing = tips.growing
        if tips.by_turns and not by_turns:
            self.app.report(
                f"This file has {len(growing)} growing branches: two programs write to it in turn. "
                f"{self.label_of('ends')} shows them",
                warning=True,
            )
        elif len(growing) > max(1, before):
            begun = row_line(session.table, growing[0].index)
            shows = f"{self.label_of('ends')} shows the {len(growing)} growing branches"
            self.app.report(f"Another branch grows: “{begun[:60]}”. {shows}")

    def warn(self) -> None:
        """Say in the border of the tree what does not pass."""
        followed = self._followed()
        if followed is None:
            self.panes.tree.warn()
            return
        session, tips = followed[0].session, followed[1]
        ends = len(tips.growing)
        words = [f"{ends} growing branches · {self.label_of('ends')}"] if ends > 1 else []
        if left_behind(session.table, session.leaf_index) >= 0:
            words.append(f"leaf is an old bookkeeping entry · {self.label_of('tree.newest')} newest")
        self.panes.tree.warn(*words)

    def action_ends(self) -> None:
        """Go to an end that grows: to the only one, or to one of those listed."""
        followed = self._followed()
        growing = followed[1].growing if followed is not None else []
        if followed is None or not growing:
            self.app.report("No branch has grown since this session was opened")
        elif len(growing) == 1:
            self._go_to(growing[0].index)
        else:
            session, tips = followed[0].session, followed[1]

            def chosen(choice: ChoiceResult | None) -> None:
                now = self._followed()
                if choice is not None and now is not None and now[0].session is session:
                    self._go_to(int(choice.id))

            self.app.push_screen(ends_window(session, tips, time.time() * 1000), chosen)

    def action_newest(self) -> None:
        """Go to the newest message, wherever the leaf is."""
        newest = newest_message(self.opened.session.table) if self.opened is not None else -1
        if newest >= 0:
            self._go_to(newest)
        else:
            self.app.report("No messages yet" if self.opened else "No session is open")

    def _go_to(self, index: int) -> None:
        self.host.show_page(Page.TREE)
        self.host.go_to_entry(index)

    def action_follow(self) -> None:
        """Have the cursor go along with the leaf, wherever the reader is."""
        self.panes.tree.action_follow()


def ends_window(session: SessionManager, tips: Tips, now_ms: float) -> ChoiceWindow:
    """The window: an end a line, the one that grew last first; a choice's id is the entry's index."""
    growing = tips.growing
    choices = []
    for tip in growing[:MOST]:
        came = figures.counted(tip.grown, "entry", "entries")
        words = f"{came} · {_age(session, tip.index, now_ms)} · {row_line(session.table, tip.index)}"
        choices.append(Choice(str(tip.index), "", words))
    told = f"{len(growing):,} branches of this session have grown since it was opened."
    paragraphs = [told]
    if tips.by_turns:
        paragraphs.append("They grow in turn, as when two programs write to one session.")
    return ChoiceWindow("Growing branches", paragraphs, choices)


def _age(session: SessionManager, index: int, now_ms: float) -> str:
    time = session.table.times[index]
    return "at an unknown time" if math.isnan(time) else figures.ago(time, now_ms)
