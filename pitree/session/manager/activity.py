"""What a session is doing, read off its last message: working, waiting, failed, aborted, stale."""

from __future__ import annotations

import math
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from pitree.session.format.entry_summary import tool_calls
from pitree.session.format.entry_type import ASSISTANT_KINDS, Kind

if TYPE_CHECKING:
    from pitree.session.manager.queries import ReadOperations

STALE_AFTER = 30 * 60 * 1000
"""Milliseconds of silence after which a working session counts as left behind."""
OVER_AFTER = 12 * 60 * 60 * 1000
"""Milliseconds of silence after which a session neither works nor waits any more: a state is one of now."""


class Activity(StrEnum):
    """The state of a session."""

    NONE = "none"
    WORKING = "working"
    WAITING = "waiting"
    ERROR = "error"
    ABORTED = "aborted"
    STALE = "stale"


WORDS: dict[Activity, str] = {
    Activity.NONE: "",
    Activity.WORKING: "working",
    Activity.WAITING: "waiting for you",
    Activity.ERROR: "ended with an error",
    Activity.ABORTED: "aborted",
    Activity.STALE: "stale",
}
"""Each state in words."""


def activity_of(message: dict[str, Any]) -> Activity:
    """The state that a session's last message leaves it in, without regard to time.

    A user message, a tool result or an assistant message with tool calls means that more is to come; messages
    that nobody answers (system, bash by the user, an extension's) say nothing: NONE.
    """
    match message.get("role"):
        case "user" | "toolResult":
            return Activity.WORKING
        case "assistant":
            match message.get("stopReason"):
                case "error":
                    return Activity.ERROR
                case "aborted":
                    return Activity.ABORTED
                case "toolUse":
                    return Activity.WORKING
                case "stop" | "length":
                    return Activity.WAITING
            return Activity.WORKING if tool_calls(message.get("content")) else Activity.WAITING
        case _:
            return Activity.NONE


def activity_now(activity: Activity, last_ms: float, now_ms: float, *, open_in_pi: bool = False) -> Activity:
    """The state as it is now: one who has been working for half an hour without a word is stale.

    After `OVER_AFTER` nobody works or waits there: NONE. How a session ended stays true: ERROR, ABORTED.

    Args:
        activity: the state its last message left.
        last_ms: time of that message, in ms since 1970.
        now_ms: the time now.
        open_in_pi: whether another program has the file open for writing; then it may still wait.
    """
    silence = now_ms - last_ms
    if activity not in (Activity.WORKING, Activity.WAITING):
        return activity
    if silence >= OVER_AFTER and not open_in_pi:
        return Activity.NONE
    if activity is Activity.WORKING and not silence < STALE_AFTER:
        return Activity.STALE
    return activity


class LastMessage:
    """The last message of a session that says what it is doing, kept up as the session grows.

    Args:
        session: the session.

    Attributes:
        activity: the state it leaves the session in, without regard to time.
        time: its time in ms since 1970; nan if there is none.
    """

    def __init__(self, session: ReadOperations) -> None:
        self.activity = Activity.NONE
        self.time = math.nan
        self._session = session
        self._seen = 0
        self.update()

    def update(self) -> None:
        """Take the entries that came since; of these at most the assistant messages at the end are read."""
        table = self._session.table
        first, self._seen = self._seen, len(table)
        for index in range(self._seen - 1, first - 1, -1):
            activity = self._activity(index)
            if activity is not Activity.NONE:
                self.activity, self.time = activity, table.times[index]
                return

    def _activity(self, index: int) -> Activity:
        kind = self._session.table.kinds[index]
        if kind in (Kind.USER, Kind.TOOL_RESULT):
            return Activity.WORKING
        if kind not in ASSISTANT_KINDS:
            return Activity.NONE
        message = self._session.records.read(index).get("message")  # not kept: it is not asked for again
        return activity_of(message) if isinstance(message, dict) else Activity.NONE
