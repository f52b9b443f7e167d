"""Large files: read line by line, of which only what the rows show is kept."""

from __future__ import annotations

import base64
import os
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pitree.session.manager.manager import SessionManager
from pitree.session.reading.entry_table import EntryTable
from tests.support.records import HEADER, encode, message

Write = Callable[[bytes], Path]
MB = 1 << 20
IMAGE = base64.b64encode(b"\x89PNG\r\n\x1a\n".ljust(786_432, b"\1")).decode()


def picture(number: int) -> dict[str, Any]:
    """A user message with a picture of 768 KB, 1 MB as text."""
    record = message(f"e{number}", f"e{number - 1}" if number else None, f"look at {number}")
    record["message"]["content"].append({"type": "image", "data": IMAGE, "mimeType": "image/png"})
    return record


def talk(number: int) -> dict[str, Any]:
    """A message of 100 KB."""
    return message(
        f"e{number}", f"e{number - 1}" if number else None, f"look at {number} " + "words " * 17_000
    )


def kept(table: EntryTable) -> int:
    """Bytes of the texts that are kept for the rows."""
    return sum(map(len, table.texts))


# To parse a line takes some sixteen times its length for a moment.
@pytest.mark.parametrize(("make", "count", "peak"), [(picture, 30, 20 * MB), (talk, 250, 4 * MB)])
def test_a_file_is_never_in_memory_whole(
    write: Write, make: Callable[[int], dict[str, Any]], count: int, peak: int
) -> None:
    path = write(encode(HEADER, *map(make, range(count))))
    tracemalloc.start()
    try:
        session = SessionManager.open(path)
        used = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(session.table) == count
    assert used[0] < MB
    assert used[1] < peak < path.stat().st_size * 0.7
    assert kept(session.table) <= 200 * count
    assert session.entry(count - 1).record == make(count - 1)


def test_a_hole_of_any_size_hides_neither_what_is_before_it_nor_what_is_behind(write: Write) -> None:
    path = write(encode(HEADER, message("u1", None, "before")))
    with path.open("ab") as file:
        file.truncate(30 * MB)
        file.seek(0, os.SEEK_END)
        file.write(b"\n" + encode(message("a1", "u1", "after", "assistant")))
    session = SessionManager.open(path)
    assert [entry.text for entry in session.get_branch()] == ["before", "after"]
    assert [(notice.kind, notice.line) for notice in session.notices] == [("bad-json", 3)]
