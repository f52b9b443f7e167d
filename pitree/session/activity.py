"""What a session is doing, read off its last message: working, waiting, failed, aborted, stale."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from pitree.session.summary import tool_calls

STALE_AFTER = 30 * 60 * 1000
"""Milliseconds of silence after which a working session counts as left behind."""


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


def activity_now(activity: Activity, last_ms: float, now_ms: float) -> Activity:
    """The state as it is now: one who has been working for half an hour without a word is stale.

    Args:
        activity: the state its last message left.
        last_ms: time of that message, in ms since 1970.
        now_ms: the time now.
    """
    if activity is Activity.WORKING and not now_ms - last_ms < STALE_AFTER:
        return Activity.STALE
    return activity
