"""Records of small session files, from short notations."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

HEADER = {"type": "session", "version": 3, "id": "s1", "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/w"}


def message(
    entry_id: str, parent: str | None, text: str = "hi", role: str = "user", **more: Any
) -> dict[str, Any]:
    """A message entry."""
    return {
        "type": "message",
        "id": entry_id,
        "parentId": parent,
        "timestamp": more.pop("timestamp", "2026-01-01T00:00:01.000Z"),
        "message": {"role": role, "content": [{"type": "text", "text": text}], **more},
    }


def encode(*records: dict[str, Any]) -> bytes:
    """Records as the bytes of a session file."""
    return b"".join(json.dumps(r, ensure_ascii=False).encode() + b"\n" for r in records)


SAID = {"role": "user", "content": "hello"}


def label(entry_id: str, parent: str, target: str, text: str | None, time: str = "t") -> dict[str, Any]:
    """A label entry; without a text one that removes the label."""
    made = {"type": "label", "id": entry_id, "parentId": parent, "timestamp": time, "targetId": target}
    return made if text is None else made | {"label": text}


def lines(path: Path | None) -> list[dict[str, Any]]:
    """The records of a file, header included."""
    assert path is not None
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def names(folder: Path) -> list[str]:
    """The names in a folder, sorted; none if there is no folder."""
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []
