"""Where the demo's sessions were "written" and how Pi names folders and times."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

SESSIONS = Path(__file__).parent / "sessions"
"""The kept files, one folder a project."""

HOME = "/home/sam"
"""Whose machine the kept files tell of; `copy_store` puts the reader's folders in its place."""
AGENT = f"{HOME}/.pi/agent"
PROJECTS = f"{HOME}/src"

GONE = "old-blog"
"""The project whose folder does not exist any more."""


def iso(ms: int) -> str:
    """A time in ms since the epoch as Pi writes it: UTC, with milliseconds."""
    stamp = datetime.fromtimestamp(ms // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%S")
    return f"{stamp}.{ms % 1000:03d}Z"


def from_iso(stamp: str) -> int:
    """The reverse of `iso`: ms since the epoch."""
    return round(datetime.fromisoformat(stamp).timestamp() * 1000)


def folder_name(cwd: str) -> str:
    """The folder below `sessions/` that Pi uses for a working directory."""
    return "--" + re.sub(r"[/\\:]", "-", re.sub(r"^[/\\]", "", cwd)) + "--"


def file_stamp(stamp: str) -> str:
    """An ISO time as it begins a session file's name."""
    return stamp.replace(":", "-").replace(".", "-")
