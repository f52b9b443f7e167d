"""Small session files from short notations."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

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


@pytest.fixture
def write(tmp_path: Path) -> Callable[[bytes], Path]:
    """Writes bytes to a session file; returns its path."""

    def writer(data: bytes) -> Path:
        path = tmp_path / "session.jsonl"
        path.write_bytes(data)
        return path

    return writer
