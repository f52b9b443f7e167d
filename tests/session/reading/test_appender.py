"""One writer beside others: what came since, the last line, a file that is not the same."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pitree.session.format.errors import WriteError
from pitree.session.manager.manager import SessionManager
from pitree.session.reading import appender as appender_module
from tests.support.beside import (
    LATE,
    TALK,
    append,
    in_child,
    in_memory,
    path_of,
    records_after,
    same_as_on_disk,
)
from tests.support.records import HEADER, encode, message

Write = Callable[[bytes], Path]


# Growth


def test_what_came_since_is_read_before_writing(talk: SessionManager) -> None:
    more = encode(message("u2", "a1"), message("a2", "u2", "x", "assistant"), message("u3", "a2"))
    append(talk, more)
    new = talk.append_label_change("u1", "mark")
    (record,) = records_after(path_of(talk).read_bytes(), TALK + more)
    assert (record["id"], record["parentId"], record["label"]) == (new, "u3", "mark")
    assert talk.get_entry_count() == 6
    assert same_as_on_disk(talk)


def test_a_label_may_go_to_an_entry_that_came_since(talk: SessionManager) -> None:
    append(talk, LATE)
    talk.append_label_change("u2", "mark")
    assert talk.get_label("u2") == "mark"


def test_two_that_write_by_turns_make_siblings_and_both_are_seen(talk: SessionManager) -> None:
    append(talk, encode(message("x1", "a1"), message("y1", "a1")))
    assert talk.catch_up() == 2
    append(talk, encode(message("x2", "x1"), message("y2", "y1")))
    assert talk.catch_up() == 2
    assert [entry.id for entry in talk.get_children("a1")] == ["x1", "y1"]
    assert [entry.id for entry in talk.get_branch()] == ["u1", "a1", "y1", "y2"]
    talk.append_label_change("x2", "other tip")
    assert (talk.get_leaf_entry() or talk.entry(0)).parent_id == "y2"


def test_what_comes_between_look_and_write_is_looked_at_too(
    talk: SessionManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    late = [LATE, encode(message("a2", "u2", "x", "assistant"))]
    real = talk._new_id

    def slow() -> str:
        if late:
            append(talk, late.pop(0))
        return real()

    monkeypatch.setattr(talk, "_new_id", slow)
    talk.append_label_change("u1", "mark")
    assert (talk.get_leaf_entry() or talk.entry(0)).parent_id == "a2"
    assert [entry.id for entry in talk.get_entries()][:4] == ["u1", "a1", "u2", "a2"]


def test_a_file_that_never_rests_is_written_to_all_the_same(
    talk: SessionManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, count = talk._new_id, 0

    def slow() -> str:
        nonlocal count
        count += 1
        append(talk, encode(message(f"n{count}", "a1")))
        return real()

    monkeypatch.setattr(talk, "_new_id", slow)
    new = talk.append_label_change("u1", "mark")
    assert talk.get_leaf_id() == new
    assert talk.get_entry_count() == 2 + count + 1
    assert same_as_on_disk(talk)


def test_bytes_of_a_large_growth_are_all_read(talk: SessionManager) -> None:
    append(talk, encode(*(message(f"n{i}", "a1", "x" * 3000) for i in range(800))))
    talk.append_label_change("n799", "mark")
    assert talk.get_entry_count() == 803


# The last line


@pytest.mark.parametrize("seen", [True, False])
def test_a_last_line_without_lf_gets_it_in_the_same_write(
    write: Write, monkeypatch: pytest.MonkeyPatch, seen: bool
) -> None:
    session = SessionManager.open(write(TALK[:-1] if seen else TALK))
    before = TALK if seen else TALK + LATE
    if not seen:
        append(session, LATE[:-1])
    written = []
    real = os.write
    monkeypatch.setattr(os, "write", lambda fd, data: written.append(data) or real(fd, data))
    session.append_session_info("n")
    assert len(written) == 1
    assert written[0].startswith(b"\n{")
    (record,) = records_after(path_of(session).read_bytes(), before)
    assert record["parentId"] == ("a1" if seen else "u2")
    assert same_as_on_disk(session)


class Clock:
    """A clock of the appender, moved by its pauses alone; `at_pause` gets the number of each."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, at_pause: Callable[[int], object]) -> None:
        self.pauses: list[float] = []
        self._at_pause = at_pause
        own = SimpleNamespace(monotonic=lambda: sum(self.pauses), time=time.time, sleep=self._sleep)
        monkeypatch.setattr(appender_module, "time", own)

    def _sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self._at_pause(len(self.pauses))


def test_an_unfinished_last_line_is_waited_for(talk: SessionManager, monkeypatch: pytest.MonkeyPatch) -> None:
    append(talk, LATE[:40])
    clock = Clock(monkeypatch, lambda number: number == 15 and append(talk, LATE[40:]))
    talk.append_session_info("n")
    assert len(clock.pauses) == 15
    assert records_after(path_of(talk).read_bytes(), TALK)[0]["id"] == "u2"
    assert (talk.get_leaf_entry() or talk.entry(0)).parent_id == "u2"


def test_an_unfinished_last_line_is_left_alone_and_said(
    talk: SessionManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    append(talk, LATE[:40])
    before = in_memory(talk)
    clock = Clock(monkeypatch, lambda number: None)
    with pytest.raises(WriteError, match="nothing was written: its last line is incomplete"):
        talk.append_session_info("n")
    assert 0.5 <= sum(clock.pauses) < 0.55
    assert path_of(talk).read_bytes() == TALK + LATE[:40]
    assert in_memory(talk)[:7] == before[:7]
    append(talk, LATE[40:])
    talk.append_session_info("n")
    assert same_as_on_disk(talk)


def test_a_line_left_unfinished_long_ago_is_ended(
    talk: SessionManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    append(talk, LATE[:40])
    long_ago = time.time() - 3600
    os.utime(path_of(talk), (long_ago, long_ago))
    clock = Clock(monkeypatch, lambda number: None)
    talk.append_session_info("n")
    assert not clock.pauses
    data = path_of(talk).read_bytes()
    assert data.startswith(TALK + LATE[:40] + b"\n{")
    assert (talk.get_leaf_entry() or talk.entry(0)).parent_id == "a1"
    assert same_as_on_disk(talk)


def test_a_line_that_came_to_stand_behind_a_torn_one_is_not_called_written(
    talk: SessionManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.write

    def late(descriptor: int, data: bytes) -> int:
        monkeypatch.undo()
        append(talk, LATE[:40])
        return real(descriptor, data)

    monkeypatch.setattr(os, "write", late)
    with pytest.raises(WriteError, match="on the same line as an unfinished record"):
        talk.append_session_info("n")
    talk.append_session_info("n")
    assert path_of(talk).read_bytes().startswith(TALK + LATE[:40])
    assert json.loads(path_of(talk).read_bytes().splitlines()[-1])["name"] == "n"


# Another file


def spoil(path: Path, how: str) -> None:
    data = path.read_bytes()
    if how == "gone":
        path.unlink()
    elif how == "folder gone":
        path.rename(path.parent.with_name("moved.jsonl"))
        path.parent.rmdir()
    elif how == "replaced":
        other = path.with_suffix(".new")
        other.write_bytes(data)
        other.replace(path)
    elif how == "replaced by a folder":
        path.unlink()
        path.mkdir()
    elif how == "truncated":
        path.write_bytes(data[:-10])
    elif how == "emptied":
        path.write_bytes(b"")
    elif how == "one entry less":
        path.write_bytes(encode(HEADER, message("u1", None, "one")))
    elif how == "rewritten longer":
        path.write_bytes(
            encode(HEADER, message("b1", None, "x" * 50), *(message(f"c{i}", "b1") for i in range(9)))
        )
    elif how == "strangers":
        path.write_bytes(b"x" * (2 * len(data)))


SPOILT = {
    "gone": "the file is gone",
    "folder gone": "the file is gone",
    "replaced": "another file has taken its place",
    "replaced by a folder": "another file has taken its place",
    "truncated": "the file was cut short",
    "emptied": "the file was cut short",
    "one entry less": "the file was cut short",
    "rewritten longer": "the file was rewritten",
    "strangers": "the file was rewritten",
}


@pytest.mark.parametrize("how", SPOILT)
def test_a_file_that_is_not_the_same_is_not_written_to(tmp_path: Path, how: str) -> None:
    (tmp_path / "folder").mkdir()
    path = tmp_path / "folder" / "s.jsonl"
    path.write_bytes(TALK)
    session = SessionManager.open(path)
    inode = path.stat().st_ino
    spoil(path, how)
    if how.startswith(("trunc", "empt", "one", "rewr", "str")):
        assert path.stat().st_ino == inode
    left = path.read_bytes() if path.is_file() else None
    before = in_memory(session)
    for deed in (lambda: session.append_label_change("u1", "x"), lambda: session.move_leaf("u1")):
        with pytest.raises(WriteError, match=f"{path}: nothing was written: {SPOILT[how]}"):
            deed()
    with pytest.raises(WriteError, match=f"{path}: {SPOILT[how]}"):
        session.catch_up()
    assert in_memory(session) == before
    assert (path.read_bytes() if path.is_file() else None) == left
    if how not in ("gone", "folder gone"):
        assert [found.name for found in path.parent.iterdir()] == ["s.jsonl"]


@pytest.mark.parametrize("how", ["gone", "replaced", "truncated"])
def test_a_file_that_changes_in_the_last_moment(
    talk: SessionManager, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    real, path = os.open, path_of(talk)

    def late(name: Any, *rest: Any) -> int:
        if name == path:
            monkeypatch.undo()
            spoil(path, how)
        return real(name, *rest)

    monkeypatch.setattr(os, "open", late)
    with pytest.raises(WriteError, match="nothing was written"):
        talk.append_session_info("n")
    assert (path.read_bytes() if path.exists() else TALK) == (TALK[:-10] if how == "truncated" else TALK)


def test_a_symlinked_session_is_written_where_it_lies(talk: SessionManager, tmp_path: Path) -> None:
    link = tmp_path / "link.jsonl"
    link.symlink_to(path_of(talk))
    session = SessionManager.open(link)
    session.append_label_change("u1", "mark")
    assert link.is_symlink()
    assert talk.catch_up() == 1
    assert talk.get_label("u1") == "mark"
    other = tmp_path / "other.jsonl"
    other.write_bytes(TALK)
    link.unlink()
    link.symlink_to(other)
    with pytest.raises(WriteError, match="another file has taken its place"):
        session.append_session_info("n")
    assert other.read_bytes() == TALK


def test_without_permission_nothing_is_written() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "s.jsonl"
        path.write_bytes(TALK)
        path.chmod(0o444)
        Path(folder).chmod(0o555)

        def write() -> str:
            session = SessionManager.open(path)
            try:
                session.append_session_info("n")
            except WriteError as error:
                try:
                    session.create_branched_session("a1")
                except WriteError as other:
                    return f"{error}\n{other}\n{session.get_leaf_id()}"
            return "written"

        said = in_child(write, 65534 if os.getuid() == 0 else None)
        assert said.splitlines()[0] == f"{path}: nothing was written: Permission denied"
        assert said.splitlines()[1].endswith("nothing was written: Permission denied")
        assert said.splitlines()[2] == "a1"
        assert path.read_bytes() == TALK
        assert stat.S_IMODE(path.stat().st_mode) == 0o444
        Path(folder).chmod(0o755)


def test_a_file_that_may_only_be_appended_to(talk: SessionManager) -> None:
    path = path_of(talk)
    chattr = shutil.which("chattr")
    if chattr is None or subprocess.run([chattr, "+a", path], capture_output=True, check=False).returncode:
        pytest.skip("files cannot be marked append-only here")
    try:
        talk.append_label_change("u1", "x" * 10_000)
        talk.append_session_info("n")
        assert [r["type"] for r in records_after(path.read_bytes(), TALK)] == ["label", "session_info"]
        assert same_as_on_disk(talk)
    finally:
        subprocess.run([chattr, "-a", path], check=True)
