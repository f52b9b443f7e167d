"""Small session files from short notations."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pitree.session.manager import SessionManager
from tests.support.stores import Store

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


@pytest.fixture
def write(tmp_path: Path) -> Callable[[bytes], Path]:
    """Writes bytes to a session file; returns its path."""

    def writer(data: bytes) -> Path:
        path = tmp_path / "session.jsonl"
        path.write_bytes(data)
        return path

    return writer


@pytest.fixture
def talk(write: Callable[[bytes], Path]) -> SessionManager:
    """A question and its answer, `a1` being the leaf; its bytes are `beside.TALK`."""
    data = encode(HEADER, message("u1", None, "one"), message("a1", "u1", "two", "assistant"))
    return SessionManager.open(write(data))


@pytest.fixture
def long_talk(write: Callable[[bytes], Path]) -> SessionManager:
    """Two questions and two answers, `a2` being the leaf; its bytes are `operations.TALK`."""
    texts = enumerate(("one", "two", "three", "four"))
    ids = ["u1", "a1", "u2", "a2"]
    chain = [
        message(ids[n], ids[n - 1] if n else None, said, ("user", "assistant")[n % 2]) for n, said in texts
    ]
    return SessionManager.open(write(encode(HEADER, *chain)))


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """A store that the environment names."""
    made = Store(tmp_path)
    monkeypatch.setenv("PI_CODING_AGENT_DIR", str(made.agent))
    return made
