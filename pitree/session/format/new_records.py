"""New records as Pi writes them: ids, times, key order, file names."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Container
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from pitree.session.format.entry_summary import trim
from pitree.session.format.migrate import CURRENT_VERSION

_SESSION_ID = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?")
_LINE_BREAKS = re.compile(r"[\r\n]+")
_ID_TRIES = 100

ABSENT: Any = object()
"""The value of a field that is not written at all (JavaScript's `undefined`)."""


def new_entry_id(taken: Container[str]) -> str:
    """An entry id that is not taken: 8 hex digits, as Pi draws them."""
    for _ in range(_ID_TRIES):
        entry_id = uuid4().hex[:8]
        if entry_id not in taken:
            return entry_id
    return str(uuid4())


def new_session_id() -> str:
    """A session id: a UUID of version 7, so that ids sort by time."""
    stamp = int(time.time() * 1000).to_bytes(6, "big")
    raw = bytearray(stamp + os.urandom(10))
    raw[6] = 0x70 | raw[6] & 0x0F
    raw[8] = 0x80 | raw[8] & 0x3F
    digits = raw.hex()
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def checked_session_id(session_id: str) -> str:
    """A session id chosen by the caller.

    Raises:
        ValueError: it is not made of letters, digits, `-`, `_` and `.`, or one of these three is at an end.
    """
    if _SESSION_ID.fullmatch(session_id) is None:
        raise ValueError(
            f"session id {session_id!r}: must consist of letters, digits, '-', '_' and '.', and "
            "start and end with a letter or digit"
        )
    return session_id


def now() -> str:
    """This moment as Pi writes times: `2026-01-31T12:00:00.123Z`."""
    return iso_time(datetime.now(UTC))


def iso_time(moment: datetime) -> str:
    """A moment as Pi writes times, in UTC with milliseconds."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"


def file_name(timestamp: str, session_id: str) -> str:
    """The name of a session's file: its time, made safe for every system, and its id."""
    return f"{timestamp.replace(':', '-').replace('.', '-')}_{session_id}.jsonl"


def record(before: dict[str, Any], entry_id: str, parent_id: str | None, /, **after: Any) -> dict[str, Any]:
    """A record in Pi's key order: `before`, then id, parentId, timestamp, then the rest; nothing absent."""
    whole = {**before, "id": entry_id, "parentId": parent_id, "timestamp": now(), **after}
    return {name: value for name, value in whole.items() if value is not ABSENT}


def header(session_id: str, timestamp: str, cwd: str, parent_session: str | None) -> dict[str, Any]:
    """A session header of the current version."""
    made: dict[str, Any] = {
        "type": "session",
        "version": CURRENT_VERSION,
        "id": session_id,
        "timestamp": timestamp,
        "cwd": cwd,
    }
    if parent_session:
        made["parentSession"] = parent_session
    return made


def clean_name(name: str) -> str:
    """A session name as it is stored: on one line, without spaces at the ends."""
    return trim(_LINE_BREAKS.sub(" ", name))
