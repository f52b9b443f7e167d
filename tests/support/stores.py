"""Session files and stores made for a test, from as few words as it takes."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pitree.pi.places import folder_name

START = 1_767_225_600_000
"""2026-01-01T00:00:00Z in ms: the time of the first session unless a test says otherwise."""


def iso(ms: int) -> str:
    """A time in ms as Pi writes it."""
    return datetime.fromtimestamp(ms / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%S.") + f"{ms % 1000:03d}Z"


def records(
    id: str,
    cwd: str = "/home/dev/project",
    *says: str,
    at: int = START,
    name: str | None = None,
    parent: str | os.PathLike[str] | None = None,
) -> list[dict[str, Any]]:
    """The records of a session.

    Args:
        id: session id.
        cwd: working directory in the header.
        says: texts, the user's and the assistant's by turns, a second apart.
        at: time of the header, in ms; the first text is a second later.
        name: session name, set at the end.
        parent: the file it was forked from.
    """
    header = {"type": "session", "version": 3, "id": id, "timestamp": iso(at), "cwd": cwd}
    if parent is not None:
        header["parentSession"] = os.fspath(parent)
    found: list[dict[str, Any]] = [header]
    before = None
    for place, text in enumerate(says):
        time = at + 1000 * (place + 1)
        message = {
            "role": "assistant" if place % 2 else "user",
            "content": [{"type": "text", "text": text}],
            "timestamp": time,
        }
        entry_id = f"{place:08x}"
        found.append(
            {
                "type": "message",
                "id": entry_id,
                "parentId": before,
                "timestamp": iso(time),
                "message": message,
            }
        )
        before = entry_id
    if name is not None:
        found.append(
            {
                "type": "session_info",
                "id": "ffffffff",
                "parentId": before,
                "timestamp": iso(at + 999_000),
                "name": name,
            }
        )
    return found


def encode(found: Iterable[dict[str, Any]]) -> bytes:
    """Records as the bytes of a file."""
    return b"".join(json.dumps(record, ensure_ascii=False).encode() + b"\n" for record in found)


class Store:
    """An agent directory with sessions in it.

    Args:
        folder: an empty folder; the agent directory is `folder/agent`.
    """

    def __init__(self, folder: Path) -> None:
        self.agent = folder / "agent"
        self.root = self.agent / "sessions"
        self.root.mkdir(parents=True)
        self._count = 0

    def add(self, cwd: str | os.PathLike[str], *says: str, folder: Path | None = None, **more: Any) -> Path:
        """Write a session of a working directory; each is a minute later than the one before.

        Args:
            cwd: working directory in the header, which also names the folder.
            says, more: as for `records`; `id` too.
            folder: where to put it instead.
        """
        self._count += 1
        at = more.pop("at", START + 60_000 * self._count)
        id = more.pop("id", f"id{self._count:04d}")
        where = folder if folder is not None else self.root / folder_name(os.fspath(cwd))
        where.mkdir(parents=True, exist_ok=True)
        path = where / f"{iso(at).replace(':', '-').replace('.', '-')}_{id}.jsonl"
        path.write_bytes(encode(records(id, os.fspath(cwd), *says, at=at, **more)))
        return path
