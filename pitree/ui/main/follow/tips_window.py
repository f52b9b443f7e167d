"""The window that lists the ends at which a session grows, and goes to one of them."""

from __future__ import annotations

import math

from pitree.session.live.branch_tips import Tips
from pitree.session.manager.manager import SessionManager
from pitree.text import figures
from pitree.ui.main.follow.live_words import words_of
from pitree.ui.toolkit.choice_window import Choice, ChoiceWindow

MOST = 9
"""Ends listed: as many as there are digits to choose them by."""


def ends_window(session: SessionManager, tips: Tips, now_ms: float) -> ChoiceWindow:
    """The window: an end a line, the one that grew last first; a choice's id is the entry's index."""
    growing = tips.growing
    choices = []
    for tip in growing[:MOST]:
        came = figures.counted(tip.grown, "entry", "entries")
        words = f"{came} · {_age(session, tip.index, now_ms)} · {words_of(session, tip.index)}"
        choices.append(Choice(str(tip.index), "", words))
    told = f"{len(growing):,} branches of this session have grown since it was opened."
    paragraphs = [told]
    if tips.by_turns:
        paragraphs.append("They grow in turn, as when two programs write to one session.")
    return ChoiceWindow("Growing branches", paragraphs, choices)


def _age(session: SessionManager, index: int, now_ms: float) -> str:
    time = session.table.times[index]
    return "at an unknown time" if math.isnan(time) else figures.ago(time, now_ms)
