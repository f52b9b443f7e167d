"""Files of version 1 and 2 on their first write."""

from __future__ import annotations

import errno
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pitree.session.format.errors import NeedsUpgrade, WriteError
from pitree.session.manager.manager import SessionManager
from pitree.session.storage import upgrade as upgrade_module
from tests.support.records import encode, names

DATA = Path(__file__).parents[2] / "data"
Write = Callable[[bytes], Path]

V1 = encode(
    {"type": "session", "id": "s1", "timestamp": "2025-01-01T00:00:00.000Z", "cwd": "/w"},
    {"type": "message", "timestamp": "t1", "message": {"role": "user", "content": "one"}},
    {"type": "message", "timestamp": "t2", "message": {"role": "hookMessage", "content": "two"}},
    {"type": "compaction", "timestamp": "t3", "summary": "s", "firstKeptEntryIndex": 2, "tokensBefore": 1},
)
V3 = encode(
    {"type": "session", "id": "s1", "timestamp": "2025-01-01T00:00:00.000Z", "cwd": "/w", "version": 3},
    {"type": "message", "timestamp": "t1", "message": {"role": "user", "content": "one"},
     "id": "00000000", "parentId": None},
    {"type": "message", "timestamp": "t2", "message": {"role": "custom", "content": "two"},
     "id": "00000001", "parentId": "00000000"},
    {"type": "compaction", "timestamp": "t3", "summary": "s", "tokensBefore": 1,
     "id": "00000002", "parentId": "00000001", "firstKeptEntryId": "00000001"},
).replace(b": ", b":").replace(b", ", b",")  # fmt: skip


def test_the_first_write_says_what_is_due_and_does_nothing(write: Write) -> None:
    session = SessionManager.open(write(V1))
    for deed in (
        lambda: session.append_session_info("n"),
        lambda: session.move_leaf("00000000"),
        lambda: session.append_label_change("00000000", "x"),
    ):
        with pytest.raises(NeedsUpgrade, match="format version 1; the first write upgrades it to version 3"):
            deed()
    assert session.path is not None
    assert session.path.read_bytes() == V1
    assert names(session.path.parent) == ["session.jsonl"]


def test_the_file_becomes_version_3_and_the_old_one_stays(write: Write) -> None:
    session = SessionManager.open(write(V1))
    path = session.path
    assert path is not None
    os.chmod(path, 0o640)
    session.branch("00000001")
    held = session.entry(1)
    backup = session.upgrade()
    assert held.record["message"]["content"] == "two"
    assert backup == path.with_name("session.jsonl.v1.bak")
    assert backup.read_bytes() == V1
    assert path.read_bytes() == V3
    assert path.stat().st_mode & 0o777 == 0o640
    assert names(path.parent) == ["session.jsonl", "session.jsonl.v1.bak"]
    assert (session.version, session.get_leaf_id()) == (3, "00000001")
    assert session.upgrade() is None
    new = session.append_label_change("00000000", "x")
    assert path.read_bytes().startswith(V3)
    assert session.get_leaf_id() == new


@pytest.mark.parametrize("name", ["v1-compaction", "v1-long", "v2"])
def test_real_old_sessions_read_the_same_afterwards(tmp_path: Path, name: str) -> None:
    path = tmp_path / f"{name}.jsonl"
    shutil.copy(DATA / path.name, path)
    before = SessionManager.open(DATA / path.name)
    session = SessionManager.open(path)
    backup = session.upgrade()
    assert backup is not None
    assert backup.name == f"{path.name}.v{before.version}.bak"
    assert backup.read_bytes() == (DATA / path.name).read_bytes()
    assert [entry.record for entry in session.get_entries()] == [
        entry.record for entry in before.get_entries()
    ]
    assert session.build_session_context() == before.build_session_context()
    assert session.labels == before.labels
    assert json.loads(path.read_bytes().split(b"\n", 1)[0]) == before.get_header() | {"version": 3}


def test_what_was_added_since_the_file_was_read_is_kept(write: Write) -> None:
    session = SessionManager.open(write(V1))
    assert session.path is not None
    late = {"type": "message", "timestamp": "t4", "message": {"role": "user", "content": "late"}}
    with session.path.open("ab") as file:
        file.write(encode(late))
    session.upgrade()
    assert session.entry(3).record == late | {"id": "00000003", "parentId": "00000002"}
    assert session.path.read_bytes().count(b"\n") == 5


def test_a_last_line_without_lf_is_kept_an_unfinished_one_is_waited_for(write: Write) -> None:
    session = SessionManager.open(write(V1[:-1]))
    assert session.upgrade() is not None
    assert session.path is not None
    assert session.path.read_bytes() == V3
    path = write(V1 + b'{"type":"mess')
    session = SessionManager.open(path)
    with pytest.raises(WriteError, match="nothing was changed: its last line is incomplete"):
        session.upgrade()
    assert path.read_bytes() == V1 + b'{"type":"mess'


def test_a_file_that_changed_in_the_last_moment_is_left_alone(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(V1)
    session = SessionManager.open(path)
    real = upgrade_module._lines

    def lines(header: dict[str, Any], entries: Any) -> Any:
        yield from real(header, entries)
        with path.open("ab") as file:
            file.write(b"{}\n")

    monkeypatch.setattr(upgrade_module, "_lines", lines)
    with pytest.raises(WriteError, match="nothing was changed: the file has changed meanwhile"):
        session.upgrade()
    assert path.read_bytes() == V1 + b"{}\n"
    assert names(path.parent) == ["session.jsonl"]


@pytest.mark.parametrize("change", ["rewritten", "replaced", "gone"])
def test_another_file_is_not_upgraded(write: Write, change: str) -> None:
    path = write(V1)
    session = SessionManager.open(path)
    if change == "rewritten":
        path.write_bytes(V3)
    else:
        path.unlink()
        if change == "replaced":
            path.write_bytes(V1)
    left = path.read_bytes() if path.exists() else None
    with pytest.raises(WriteError, match="nothing was changed"):
        session.upgrade()
    assert (path.read_bytes() if path.exists() else None) == left
    assert session.version == 1


def test_a_copy_that_is_there_already_is_never_overwritten(write: Write) -> None:
    path = write(V1)
    first = path.with_name("session.jsonl.v1.bak")
    first.write_bytes(b"an earlier one")
    assert SessionManager.open(path).upgrade() == path.with_name("session.jsonl.v1.2.bak")
    assert first.read_bytes() == b"an earlier one"
    assert path.with_name("session.jsonl.v1.2.bak").read_bytes() == V1
    path.write_bytes(V1)
    assert SessionManager.open(path).upgrade() == path.with_name("session.jsonl.v1.2.bak")


def test_a_symlink_stays_one(write: Write, tmp_path: Path) -> None:
    target = write(V1)
    (tmp_path / "links").mkdir()
    link = tmp_path / "links" / "link.jsonl"
    link.symlink_to(target)
    session = SessionManager.open(link)
    assert session.upgrade() == target.with_name("session.jsonl.v1.bak")
    assert link.is_symlink()
    assert target.read_bytes() == V3
    session.append_session_info("n")
    assert target.read_bytes().startswith(V3)
    assert names(link.parent) == ["link.jsonl"]


@pytest.mark.parametrize("links", [True, False])
@pytest.mark.parametrize("at", ["link", "replace", "fsync", "copy2"])
def test_whatever_fails_the_old_file_is_still_there(
    write: Write, monkeypatch: pytest.MonkeyPatch, at: str, links: bool
) -> None:
    def full(*args: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    def no_links(*args: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    path = write(V1)
    session = SessionManager.open(path)
    if not links:
        monkeypatch.setattr(os, "link", no_links)
    if at == "copy2":
        monkeypatch.setattr(shutil, "copy2", full)
    elif at != "link" or links:
        monkeypatch.setattr(os, at, full)
    if (at, links) in (("copy2", True), ("link", False)):
        assert session.upgrade() is not None
        return
    with pytest.raises(WriteError, match="nothing was changed: the disk is full"):
        session.upgrade()
    assert path.read_bytes() == V1
    assert names(path.parent) == ["session.jsonl"]
    assert session.version == 1
    monkeypatch.undo()
    assert session.upgrade() is not None


def test_in_memory_and_current_sessions_need_none(tmp_path: Path) -> None:
    assert SessionManager.in_memory(tmp_path).upgrade() is None
