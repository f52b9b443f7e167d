"""A session to write to, and what was written to it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.records import HEADER, encode, message

LATER = encode(message("u3", "a2", "later"), message("a3", "u3", "much later", "assistant"))
"""What somebody else adds to `talk`."""


@pytest.fixture
def talk(session: Callable[..., Path]) -> Path:
    """Two questions with their answers in one chain, and an extension's message; `c1` is the leaf."""
    custom = {
        "type": "custom_message",
        "customType": "todo",
        "content": "3 of 5",
        "display": True,
        "id": "c1",
        "parentId": "a2",
        "timestamp": HEADER["timestamp"],
    }
    edit = {"type": "toolCall", "id": "t", "name": "edit", "arguments": {"path": "src/a.py"}}
    return session(
        message("u1", None, "one"),
        message("a1", "u1", "two", "assistant"),
        message("u2", "a1", "three\nlines \x1b[31mand colour\n"),
        message("a2", "u2", role="assistant", content=[edit]),
        custom,
        name="talk/s.jsonl",
    )


def added(path: Path, before: bytes) -> list[Any]:
    """The records appended; what stood before is still there, byte for byte."""
    data = path.read_bytes()
    assert data.startswith(before)
    assert data.endswith(b"\n")
    return [json.loads(line) for line in data[len(before) :].splitlines()]


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())
