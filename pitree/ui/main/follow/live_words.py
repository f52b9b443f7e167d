"""Words for what the open session is doing and how long they hold."""

from __future__ import annotations

import math
from dataclasses import dataclass

from pitree.session.manager.activity import OVER_AFTER, WORDS, Activity, activity_now
from pitree.text.figures import span, span_holds
from pitree.ui.picker.activity_marks import SIGNS


@dataclass(frozen=True, slots=True)
class LiveStatus:
    """What a session is doing.

    Attributes:
        words: `● working 2 s`; empty if there is nothing to say.
        holds: seconds after which they are others, though nothing was written.
    """

    words: str = ""
    holds: float = math.inf


def state_of(activity: Activity, last_ms: float, now_ms: float, *, open_in_pi: bool = False) -> LiveStatus:
    """The state to show; of one left long ago only how it ended, without an age.

    Args:
        activity: the state that the last message left.
        last_ms: time of that message, in ms since 1970; nan if it is not known.
        now_ms: the time now.
        open_in_pi: whether another program has the file open for writing.
    """
    now = activity_now(activity, last_ms, now_ms, open_in_pi=open_in_pi)
    if now is Activity.NONE:
        return LiveStatus()
    said = f"{SIGNS[now]} {WORDS[now]}"
    left = (last_ms + OVER_AFTER - now_ms) / 1000
    if math.isnan(last_ms) or (left <= 0 and not open_in_pi):
        return LiveStatus(said)
    seconds = max(0.0, (now_ms - last_ms) / 1000)
    holds = span_holds(seconds)
    return LiveStatus(f"{said} {span(seconds)}", holds if open_in_pi else min(holds, left))
