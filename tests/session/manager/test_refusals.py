"""What writing refuses: read-only sessions, strangers, entries that cannot be named; and odd texts."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from pitree.session.format.entry_type import Flag, Kind
from pitree.session.format.errors import SessionError, WriteError
from pitree.session.format.new_records import checked_session_id
from pitree.session.manager.manager import SessionManager
from tests.support.operations import OPERATIONS, TALK, added, unchanged
from tests.support.records import HEADER, encode, message

Write = Callable[[bytes], Path]


def refused(session: SessionManager, words: str) -> None:
    before = session.path.read_bytes() if session.path else b""
    deeds: list[Callable[[], object]] = [
        *(lambda deed=deed: deed(session) for deed, _ in OPERATIONS.values()),
        lambda: session.move_leaf("u1"),
        lambda: session.branch_with_summary(None, "s"),
        lambda: session.create_branched_session("u1"),
    ]
    for deed in deeds:
        with pytest.raises(WriteError, match=words):
            deed()
    if session.path is not None:
        assert unchanged(session, before)
        assert [path.name for path in session.path.parent.iterdir()] == [session.path.name]


def test_read_only_refuses_every_write(long_talk: SessionManager) -> None:
    long_talk.read_only = True
    refused(long_talk, "nothing was written: it is open read-only")
    assert long_talk.get_leaf_id() == "a2"
    long_talk.branch("u1")  # looking goes on
    assert long_talk.get_leaf_id() == "u1"


def test_read_only_refuses_a_new_session_and_an_upgrade(write: Write, tmp_path: Path) -> None:
    new = SessionManager.create(tmp_path, tmp_path / "sessions")
    new.read_only = True
    for deed in (lambda: new.append_message({"role": "user", "content": "x"}), new.write_now):
        with pytest.raises(WriteError, match="read-only"):
            deed()
    old = SessionManager.open(write(encode({"type": "session", "id": "s", "timestamp": "x", "cwd": "/"})))
    old.read_only = True
    with pytest.raises(WriteError, match="read-only"):
        old.upgrade()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["session.jsonl"]


def test_a_session_read_in_part_refuses_every_write(write: Write) -> None:
    entries = [message("u1", None)] + [message(f"e{i}", "u1", "x" * 90) for i in range(60)]
    partial = SessionManager.open_tail(write(encode(HEADER, *entries)), 2000)
    assert partial is not None
    refused(partial, "the session is still loading")


def test_a_closed_session_refuses_with_a_message(long_talk: SessionManager) -> None:
    long_talk.close()
    with pytest.raises(WriteError, match="nothing was written"):
        long_talk.append_session_info("x")
    assert unchanged(long_talk)


# Odd files


def test_looking_at_a_stranger_or_an_empty_file_changes_nothing(write: Write) -> None:
    path = write(b'{"a":1}\n')
    with pytest.raises(SessionError, match="not a session"):
        SessionManager.open(path)
    assert path.read_bytes() == b'{"a":1}\n'
    path = write(b"")
    assert SessionManager.open(path).get_entry_count() == 0
    assert path.read_bytes() == b""


def test_an_empty_file_gets_a_header_before_its_first_entry(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(b"")
    monkeypatch.chdir(path.parent)
    session = SessionManager.open(path)
    assert [notice.kind for notice in session.notices] == ["empty"]
    session.append_session_info("named")
    header, entry = map(json.loads, path.read_bytes().splitlines())
    assert list(header) == ["type", "version", "id", "timestamp", "cwd"]
    assert (header["type"], header["version"], header["cwd"]) == ("session", 3, str(path.parent))
    assert (entry["name"], entry["parentId"]) == ("named", None)
    assert (session.get_header(), session.get_session_name(), session.notices) == (header, "named", [])
    session.append_message({"role": "user", "content": "x"})
    assert path.read_bytes().count(b'"type":"session"') == 1


def test_an_entry_without_an_id_is_no_parent_and_no_target(write: Write) -> None:
    stray = {
        "type": "message",
        "parentId": "u1",
        "timestamp": "x",
        "message": {"role": "user", "content": "y"},
    }
    before = encode(HEADER, message("u1", None), stray)
    session = SessionManager.open(write(before))
    leaf = session.get_leaf_id()
    assert leaf is not None
    assert session.entry(1).flags & Flag.MISSING_ID
    for deed in (lambda: session.append_label_change(leaf, "x"), lambda: session.move_leaf(leaf)):
        with pytest.raises(KeyError, match="has no id in the file"):
            deed()
    with pytest.raises(KeyError, match="has no id in the file"):
        session.create_branched_session(leaf)
    session.append_session_info("n")
    session.branch(leaf)
    session.move_leaf("u1")
    name, move = added(session, before)
    assert (name["parentId"], move["parentId"], move["data"]) == ("u1", "u1", {"from": "u1"})


def test_an_entry_that_only_pitree_can_read_is_no_parent_and_no_target(write: Write) -> None:
    glued = b'{"type":"mess' + encode(message("u3", "a2", "glued"))
    session = SessionManager.open(write(TALK + glued))
    assert session.get_leaf_id() == "u3"
    assert session.entry(4).flags & Flag.RECOVERED
    for deed in (
        lambda: session.append_label_change("u3", "x"),
        lambda: session.move_leaf("u3"),
        lambda: session.append_context_edit("u3", None),
    ):
        with pytest.raises(KeyError, match="on a damaged line, where Pi does not see it"):
            deed()
    session.append_label_change("a2", "x")
    session.branch("u3")
    session.move_leaf("u1")
    label, move = added(session, TALK + glued)
    assert (label["parentId"], move["data"]) == ("a2", {"from": "a2"})
    session.create_branched_session("u3")
    assert [entry.id for entry in session.get_branch()][:5] == ["u1", "a1", "u2", "a2", "u3"]
    assert not session.entry(4).flags & Flag.RECOVERED


def test_a_repeated_id_means_its_last_entry(write: Write) -> None:
    before = encode(HEADER, message("x", None, "old"), message("y", "x"), message("x", "y", "new"))
    session = SessionManager.open(write(before))
    session.append_context_edit("x", {"content": "z"})
    assert session.get_entry("x") == session.entry(2)
    assert added(session, before)[0]["parentId"] == "x"
    assert session.table.parents[3] == 2


def test_messages_with_odd_characters_come_back_as_they_were(long_talk: SessionManager) -> None:
    odd = 'nul\0 esc\x1b del\x7f \u2028 half\ud83d whole🙂 “\\"'
    new = long_talk.append_message({"role": "user", "content": odd, "n": 2**70, "inf": float("inf")})
    assert long_talk.path is not None
    assert rb"half\ud83d whole" in long_talk.path.read_bytes()
    for session in (long_talk, SessionManager.open(long_talk.path)):
        entry = session.get_entry(new)
        assert entry is not None
        assert entry.record["message"] == {"role": "user", "content": odd, "n": 2**70, "inf": None}
        assert entry.kind is Kind.USER


@pytest.mark.parametrize("good", ["a", "A9", "a-b_c.d", "0" * 80])
def test_session_ids_that_pi_takes(good: str) -> None:
    assert checked_session_id(good) == good


@pytest.mark.parametrize("bad", ["", "-a", "a-", ".", "a b", "a/b", "é", "a\n", "..", "_a"])
def test_session_ids_that_pi_refuses(bad: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="session id"):
        SessionManager.create(tmp_path, tmp_path, session_id=bad)
