"""The bundled demo: sessions to look at where there are none yet, copied so that they look recent.

The files in `sessions/` are the demo itself, one folder a project. They are data in the form that Pi writes;
nothing generates them.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson

from pitree.pi.places import folder_name

SESSIONS = Path(__file__).parent / "sessions"
"""The demo's session files, one folder a project."""

PROJECTS = "/home/sam/src"
"""The folder of the projects in the demo's files; `copy_store` puts the user's folder in its place."""

GONE = "old-blog"
"""The project whose folder does not exist any more."""

NEWEST_AGE_MS = 3 * 60_000
"""How old the newest entry is once copied."""

AGENT = "agent"
"""Name of the agent folder below the folder copied to."""

Session = list[dict[str, Any]]


def copy_store(target: Path, now: datetime) -> Path:
    """Copy the demo's sessions below the folder `target` and give the agent folder that holds them.

    All times move by the same amount, so that the newest entry is three minutes older than `now` (which must
    know its time zone). The projects' folders are made beside the agent folder, except the one that is meant
    to be gone, and every path in the sessions points there; `parentSession` names the copied file. The same
    `target` and `now` give the same bytes.
    """
    target = target.resolve()
    agent = target / AGENT
    sessions = [_read(file, target) for file in sorted(SESSIONS.glob("*/*.jsonl"))]
    newest = max(from_iso(record["timestamp"]) for session in sessions for record in session)
    shift = round(now.timestamp() * 1000) - NEWEST_AGE_MS - newest
    # Pi names a file after its header's time, so a parent is found by its name before the move.
    new_path: dict[str, Path] = {}
    for session in sessions:
        header = session[0]
        name = f"{file_stamp(header['timestamp'])}_{header['id']}.jsonl"
        _move(session, shift)
        folder = agent / "sessions" / folder_name(header["cwd"])
        new_path[name] = folder / f"{file_stamp(header['timestamp'])}_{header['id']}.jsonl"
    for session, path in zip(sessions, new_path.values(), strict=True):
        header = session[0]
        if "parentSession" in header:
            header["parentSession"] = str(new_path[Path(header["parentSession"]).name])
        project = Path(header["cwd"])
        if project.name != GONE:
            project.mkdir(parents=True, exist_ok=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"".join(orjson.dumps(record) + b"\n" for record in session))
    return agent


def main_project(agent: Path) -> Path:
    """The project folder in which the demo opens, given `copy_store`'s answer."""
    return agent.parent / "shop"


def _read(file: Path, target: Path) -> Session:
    """A session of the demo with its project paths moved to `target`."""
    here = orjson.dumps(str(target))[1:-1]
    lines = file.read_bytes().replace(PROJECTS.encode(), here).splitlines()
    return [orjson.loads(line) for line in lines]


def _move(session: Session, shift: int) -> None:
    """Move every time in a session by `shift` ms: the entries' own and those inside messages."""
    for record in session:
        record["timestamp"] = iso(from_iso(record["timestamp"]) + shift)
        message = record.get("message")
        if message is not None:
            message["timestamp"] += shift


def iso(ms: int) -> str:
    """A time in ms since the epoch as Pi writes it: UTC, with milliseconds."""
    stamp = datetime.fromtimestamp(ms // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%S")
    return f"{stamp}.{ms % 1000:03d}Z"


def from_iso(stamp: str) -> int:
    """The reverse of `iso`: ms since the epoch."""
    return round(datetime.fromisoformat(stamp).timestamp() * 1000)


def file_stamp(stamp: str) -> str:
    """An ISO time as it begins a session file's name."""
    return stamp.replace(":", "-").replace(".", "-")
