"""Two messages in a file, and what stands in the file and in memory after others have written too."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pitree.session.manager.manager import SessionManager
from tests.support.records import HEADER, encode, message

TALK = encode(HEADER, message("u1", None, "one"), message("a1", "u1", "two", "assistant"))
LATE = encode(message("u2", "a1", "late"))


def path_of(session: SessionManager) -> Path:
    """The file of a session that has one."""
    assert session.path is not None
    return session.path


def append(session: SessionManager, data: bytes) -> None:
    """Add bytes to the file as another program does."""
    with path_of(session).open("ab") as file:
        file.write(data)


def records_after(data: bytes, before: bytes) -> list[dict[str, Any]]:
    """The records that follow what stood in a file before, and still stands there."""
    assert data.startswith(before)
    return [json.loads(line) for line in data[len(before) :].split(b"\n") if line.strip()]


def in_memory(session: SessionManager) -> tuple[Any, ...]:
    """All that a session in memory amounts to."""
    table = session.table
    return (
        list(table.ids),
        list(table.parents),
        list(table.offsets),
        dict(session.labels),
        session.get_session_name(),
        session.get_leaf_id(),
        session.stats(),
        session.notices,
    )


def same_as_on_disk(session: SessionManager) -> bool:
    """Whether a session in memory is what its file holds."""
    return in_memory(SessionManager.open(path_of(session))) == in_memory(session)


def in_child(deed: Callable[[], str], user: int | None = None) -> str:
    """What a function answers in a process of its own, as another user if one is given."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        try:
            if user is not None:
                os.setgid(user)
                os.setuid(user)
            os.write(writer, deed().encode())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as answer:
        said = answer.read().decode()
    os.waitpid(child, 0)
    return said
