"""Writes to sessions on a file system without room: python -m tests.support.full_disk FOLDER

FOLDER is the root of a small file system of its own. Prints a line if every write was refused, every byte is
intact, and writing works once there is room again.
"""

from __future__ import annotations

import errno
import json
import mmap
import sys
from collections.abc import Callable
from pathlib import Path

from pitree.session.format.errors import WriteError
from pitree.session.manager.manager import SessionManager
from tests.session.storage.test_upgrade import V1
from tests.support.records import HEADER, encode, message

PAGE = mmap.PAGESIZE
LEFT_IN_PAGE = (0, 1, 40, 2000)
"""Bytes between the end of a session and the end of its last page, which take no room of their own."""


def fill(folder: Path) -> Path:
    """Take all room there is; the file that takes it."""
    path = folder / "filler"
    with path.open("ab", buffering=0) as file:
        while True:
            try:
                file.write(b"x" * PAGE)
            except OSError as error:
                if error.errno == errno.ENOSPC:
                    return path
                raise


def session_of(folder: Path, size: int) -> SessionManager:
    """A session of so many bytes."""
    path = folder / f"{size}.jsonl"
    body = encode(HEADER, message("u1", None))
    path.write_bytes(body[:-1] + b" " * (size - len(body)) + b"\n")
    assert path.stat().st_size == size
    return SessionManager.open(path)


def refused(deed: Callable[[], object]) -> None:
    """Make sure that something is refused, and that the reason is given."""
    said = ""
    try:
        deed()
    except WriteError as error:
        said = str(error)
    assert ": nothing was " in said, said or "it was written"
    assert said.endswith("the disk is full"), said


def try_all(session: SessionManager, left: int) -> None:
    """Try everything that needs room on a session with some bytes left in its last page."""
    assert session.path is not None
    before = session.path.read_bytes()
    for deed in (
        lambda: session.append_label_change("u1", "x" * 5000),
        lambda: session.move_leaf("u1", "s" * 5000, "label"),
        lambda: session.append_session_info("x" * (100 if left < 41 else 9000)),
        lambda: session.create_branched_session("u1"),
    ):
        refused(deed)
        assert session.path.read_bytes() == before
        assert (session.get_leaf_id(), session.labels, session.get_entry_count()) == ("u1", {}, 1)


def main() -> None:
    folder = Path(sys.argv[1])
    sessions = [session_of(folder, PAGE - left) for left in LEFT_IN_PAGE]
    old = folder / "old.jsonl"
    old.write_bytes(V1)
    filler = fill(folder)
    names = sorted(path.name for path in folder.iterdir())
    for session, left in zip(sessions, LEFT_IN_PAGE, strict=True):
        try_all(session, left)
    refused(SessionManager.open(old).upgrade)
    assert old.read_bytes() == V1
    assert sorted(path.name for path in folder.iterdir()) == names
    filler.unlink()
    for session in sessions:
        assert session.path is not None
        before = session.path.read_bytes()
        session.append_label_change("u1", "x" * 500)
        data = session.path.read_bytes()
        assert data.startswith(before)
        assert json.loads(data[len(before) :])["label"] == "x" * 500
    print("all refused, all intact")


if __name__ == "__main__":
    main()
