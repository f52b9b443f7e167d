"""New sessions: made, kept in memory, continued."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pitree.pi.places import folder_name
from pitree.session.format.errors import WriteError
from pitree.session.manager.manager import SessionManager
from pitree.session.storage.atomic_file import write_new_file
from tests.support.records import SAID, lines, message, names
from tests.support.stores import Store

Write = Callable[[bytes], Path]


@pytest.mark.parametrize("role", ["user", "assistant"])
def test_a_new_session_stays_off_the_disk_until_it_holds_a_conversation(tmp_path: Path, role: str) -> None:
    folder = tmp_path / "sessions" / "deep"
    session = SessionManager.create(tmp_path, folder)
    name = session.append_session_info("named")
    session.append_model_change("p", "m")
    session.append_message({"role": "system", "content": "s"})
    session.append_label_change(name, "mark")
    session.append_custom_message_entry("note", "n", True)
    assert not folder.exists()
    said = session.append_message({"role": role, "content": []})
    session.append_session_info("renamed")
    header, *entries = lines(session.path)
    assert list(header) == ["type", "version", "id", "timestamp", "cwd"]
    assert (header["type"], header["version"], header["cwd"]) == ("session", 3, str(tmp_path))
    assert session.path == folder / f"{re.sub('[:.]', '-', header['timestamp'])}_{header['id']}.jsonl"
    assert [entry["parentId"] for entry in entries] == [None, *(entry["id"] for entry in entries[:-1])]
    assert [entry["type"] for entry in entries][-2:] == ["message", "session_info"]
    assert entries[-1]["parentId"] == said
    assert names(folder) == [session.path.name]
    assert SessionManager.open(session.path).get_label(name) == "mark"


def test_ids_of_new_sessions_sort_by_time(tmp_path: Path) -> None:
    first, second = (SessionManager.create(tmp_path, tmp_path).get_session_id() for _ in range(2))
    form = r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
    assert re.fullmatch(form, first)
    assert re.fullmatch(form, second)
    assert first[:13] <= second[:13]


def test_a_session_id_and_a_parent_can_be_chosen(tmp_path: Path) -> None:
    session = SessionManager.create(tmp_path, tmp_path, session_id="my.id", parent_session="/p/old.jsonl")
    session.append_message(SAID)
    assert lines(session.path)[0]["parentSession"] == "/p/old.jsonl"
    assert str(session.path).endswith("_my.id.jsonl")


def test_the_default_folder_is_pis(store: Store, tmp_path: Path) -> None:
    session = SessionManager.create(tmp_path)
    assert session.get_session_dir() == store.root / folder_name(str(tmp_path))
    assert not store.root.joinpath(folder_name(str(tmp_path))).exists()


def test_a_new_session_that_cannot_be_written_is_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "sessions").write_text("in the way")
    session = SessionManager.create(tmp_path, tmp_path / "sessions")
    session.append_session_info("a")
    name = session.append_session_info("b")
    session.branch(session.entry(0).id)
    for _ in range(2):
        with pytest.raises(WriteError, match="nothing was written"):
            session.append_message(SAID)
    assert session.get_entry_count() == 2
    assert session.get_leaf_id() == session.entry(0).id
    assert session.get_session_name() == "b"
    assert session.stats().messages == {}
    (tmp_path / "sessions").unlink()
    session.branch(name)
    session.append_message(SAID)
    assert [entry["parentId"] for entry in lines(session.path)[1:]] == [None, session.entry(0).id, name]


def test_a_file_of_the_same_name_is_never_overwritten(tmp_path: Path) -> None:
    session = SessionManager.create(tmp_path, tmp_path / "s")
    assert session.path is not None
    session.path.parent.mkdir()
    session.path.write_bytes(b"precious")
    with pytest.raises(WriteError, match="a file with this name already"):
        session.append_message(SAID)
    assert session.path.read_bytes() == b"precious"
    assert names(session.path.parent) == [session.path.name]


def test_a_new_session_can_be_written_at_once(tmp_path: Path) -> None:
    session = SessionManager.create(tmp_path, tmp_path / "s", parent_session="/old.jsonl")
    assert session.write_now() == session.path
    assert [record["type"] for record in lines(session.path)] == ["session"]
    assert session.write_now() == session.path
    session.append_message(SAID)
    assert [record["type"] for record in lines(session.path)] == ["session", "message"]
    assert SessionManager.in_memory(tmp_path).write_now() is None


def test_a_file_without_hard_links_gets_its_name_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_links(source: object, target: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", no_links)
    write_new_file(tmp_path / "a.jsonl", [{"n": 1}, b'{"n": 2}'])
    assert (tmp_path / "a.jsonl").read_bytes() == b'{"n":1}\n{"n": 2}\n'
    with pytest.raises(WriteError, match="a file with this name already"):
        write_new_file(tmp_path / "a.jsonl", [])
    assert names(tmp_path) == ["a.jsonl"]


def test_nothing_is_left_of_a_file_that_could_not_be_finished(tmp_path: Path) -> None:
    def records() -> Any:
        yield {"n": 1}
        raise OSError(28, "No space left on device")

    with pytest.raises(WriteError, match="nothing was written: the disk is full"):
        write_new_file(tmp_path / "a.jsonl", records())
    assert names(tmp_path) == []


# In memory


def test_a_session_without_a_file(tmp_path: Path) -> None:
    session = SessionManager.in_memory("/w", [message("u1", None), message("a1", "u1", role="assistant")])
    assert (session.get_cwd(), session.get_session_file(), session.get_leaf_id()) == ("/w", None, "a1")
    session.append_label_change("u1", "mark")
    session.branch("u1")
    session.append_message(SAID)
    assert session.create_branched_session("a1") is None
    assert [entry.type for entry in session.get_entries()] == ["message", "message", "label"]
    assert session.get_label("u1") == "mark"
    assert "parentSession" not in session.get_header()


def test_older_entries_in_memory_are_brought_to_the_current_version() -> None:
    old = {"type": "message", "timestamp": "x", "message": {"role": "hookMessage", "content": "h"}}
    session = SessionManager.in_memory(entries=[old, dict(old)], header={"type": "session", "id": "s"})
    assert (session.version, session.get_header()["version"]) == (3, 3)
    new = session.append_message(SAID)
    assert [entry.id for entry in session.get_branch()] == ["00000000", "00000001", new]
    assert session.entry(0).record["message"]["role"] == "custom"


# The session of last time


def test_the_session_whose_file_changed_last_is_continued(store: Store, tmp_path: Path) -> None:
    old, new = store.add(tmp_path, "old"), store.add(tmp_path, "new")
    os.utime(new, (1000, 1000))
    (old.parent / "broken.jsonl").write_text("no session")
    (old.parent / "folder.jsonl").mkdir()
    (old.parent / "lost.jsonl").symlink_to("nowhere")
    (old.parent / "notes.txt").write_text("")
    session = SessionManager.continue_recent(tmp_path)
    assert session.path == old
    session.append_message(SAID)
    assert len(lines(old)) == 3
    os.utime(old, (999, 999))
    assert SessionManager.continue_recent(tmp_path).path == new


def test_without_a_session_a_new_one_is_begun(store: Store, tmp_path: Path) -> None:
    session = SessionManager.continue_recent(tmp_path)
    assert (session.get_entry_count(), session.get_cwd()) == (0, str(tmp_path))
    assert session.get_session_dir() == store.root / folder_name(str(tmp_path))
    session.append_message(SAID)
    assert SessionManager.continue_recent(tmp_path).path == session.path


def test_in_a_folder_of_ones_own_the_header_says_whose_a_session_is(store: Store, tmp_path: Path) -> None:
    flat = tmp_path / "flat"
    mine = store.add("/mine", "m", folder=flat)
    theirs = store.add("/theirs", "t", folder=flat)
    nobodys = store.add("", "n", folder=flat)
    for age, path in enumerate((nobodys, theirs, mine)):
        os.utime(path, (2000 - age, 2000 - age))
    assert SessionManager.continue_recent("/mine", flat).path == mine
    assert SessionManager.continue_recent("/mine/../theirs", flat).path == theirs
    assert SessionManager.continue_recent("/", flat).get_entry_count() == 0
    assert SessionManager.continue_recent("/mine", flat).get_session_dir() == flat
