"""The append operations: their lines byte for byte, their rules, what they refuse."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pitree.session.kinds import Flag, Kind
from pitree.session.make import checked_session_id, clean_name
from pitree.session.manager import SessionManager
from pitree.session.notices import SessionError, WriteError
from pitree.session.writes import LEAF_TYPE, LeafMoved
from tests.session.conftest import HEADER, encode, message

Write = Callable[[bytes], Path]
Deed = Callable[[SessionManager], str]

TIME = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"
TALK = encode(
    HEADER,
    message("u1", None, "one"),
    message("a1", "u1", "two", "assistant"),
    message("u2", "a1", "three"),
    message("a2", "u2", "four", "assistant"),
)
"""Two questions, two answers, in one chain; `a2` is the leaf."""


@pytest.fixture
def talk(write: Write) -> SessionManager:
    """The session of `TALK`."""
    return SessionManager.open(write(TALK))


def added(session: SessionManager, before: bytes = TALK) -> list[dict[str, Any]]:
    """The records that were appended; what stood before is still there."""
    assert session.path is not None
    data = session.path.read_bytes()
    assert data.startswith(before)
    assert data.endswith(b"\n")
    return [json.loads(line) for line in data[len(before) :].splitlines()]


def unchanged(session: SessionManager, before: bytes = TALK) -> bool:
    assert session.path is not None
    return session.path.read_bytes() == before


# Lines as Pi writes them

USAGE = {"input": 1, "output": 2, "cost": {"total": 0.25}}
OPERATIONS: dict[str, tuple[Deed, str]] = {
    "message": (
        lambda s: s.append_message({"role": "user", "content": "hi “é”", "timestamp": 1}),
        '{"type":"message",*,"message":{"role":"user","content":"hi “é”","timestamp":1}}',
    ),
    "model": (
        lambda s: s.append_model_change("anthropic", "opus"),
        '{"type":"model_change",*,"provider":"anthropic","modelId":"opus"}',
    ),
    "thinking": (
        lambda s: s.append_thinking_level_change("high"),
        '{"type":"thinking_level_change",*,"thinkingLevel":"high"}',
    ),
    "usage": (
        lambda s: s.append_usage("cache_warm", "p", "m", USAGE, "why"),
        '{"type":"usage",*,"kind":"cache_warm","provider":"p","model":"m",'
        '"usage":{"input":1,"output":2,"cost":{"total":0.25}},"note":"why"}',
    ),
    "usage without a note": (
        lambda s: s.append_usage("k", "p", "m", {}, ""),
        '{"type":"usage",*,"kind":"k","provider":"p","model":"m","usage":{}}',
    ),
    "custom": (
        lambda s: s.append_custom_entry("state", {"n": [1, None]}),
        '{"type":"custom","customType":"state","data":{"n":[1,null]},*}',
    ),
    "custom with null": (
        lambda s: s.append_custom_entry("state", None),
        '{"type":"custom","customType":"state","data":null,*}',
    ),
    "custom without data": (
        lambda s: s.append_custom_entry("state"),
        '{"type":"custom","customType":"state",*}',
    ),
    "custom message": (
        lambda s: s.append_custom_message_entry("note", "text", True, {"d": 1}),
        '{"type":"custom_message","customType":"note","content":"text","display":true,"details":{"d":1},*}',
    ),
    "hidden custom message": (
        lambda s: s.append_custom_message_entry("note", [{"type": "text", "text": "t"}], False),
        '{"type":"custom_message","customType":"note","content":[{"type":"text","text":"t"}],"display":false,*}',
    ),
    "name": (
        lambda s: s.append_session_info("  a\r\n\nb "),
        '{"type":"session_info",*,"name":"a b"}',
    ),
    "label": (
        lambda s: s.append_label_change("u1", "重要"),
        '{"type":"label",*,"targetId":"u1","label":"重要"}',
    ),
    "label cleared": (
        lambda s: s.append_label_change("u1", None),
        '{"type":"label",*,"targetId":"u1"}',
    ),
    "label emptied": (
        lambda s: s.append_label_change("u1", ""),
        '{"type":"label",*,"targetId":"u1","label":""}',
    ),
    "compaction": (
        lambda s: s.append_compaction("sum", "u2", 50_000, {"readFiles": []}, True, USAGE),
        '{"type":"compaction",*,"summary":"sum","firstKeptEntryId":"u2","tokensBefore":50000,'
        '"details":{"readFiles":[]},"usage":{"input":1,"output":2,"cost":{"total":0.25}},"fromHook":true}',
    ),
    "compaction without extras": (
        lambda s: s.append_compaction("sum", "u2", 5),
        '{"type":"compaction",*,"summary":"sum","firstKeptEntryId":"u2","tokensBefore":5}',
    ),
    "edit": (
        lambda s: s.append_context_edit("u1", {"content": "other"}),
        '{"type":"context_edit",*,"targetId":"u1","replacement":{"content":"other"}}',
    ),
    "edit that omits": (
        lambda s: s.append_context_edit("a1", None),
        '{"type":"context_edit",*,"targetId":"a1","replacement":null}',
    ),
    "edit of an answer": (
        lambda s: s.append_context_edit("a1", {"content": "other"}),
        '{"type":"context_edit",*,"targetId":"a1","replacement":{"content":[{"type":"text","text":"other"}]}}',
    ),
}


@pytest.mark.parametrize("name", OPERATIONS)
def test_each_line_is_pis_to_the_byte(talk: SessionManager, name: str) -> None:
    deed, form = OPERATIONS[name]
    new = deed(talk)
    assert re.fullmatch(r"[0-9a-f]{8}", new)
    assert talk.path is not None
    line = talk.path.read_bytes()[len(TALK) :].decode()
    middle = re.escape(f'"id":"{new}","parentId":"a2","timestamp":"') + TIME + '"'
    assert re.fullmatch(re.escape(form).replace(r"\*", middle) + "\n", line), line
    assert talk.get_leaf_id() == new
    assert added(talk)[0] == talk.entry(4).record
    assert SessionManager.open(talk.path).get_leaf_id() == new


def test_each_entry_hangs_on_the_one_before(talk: SessionManager) -> None:
    ids = [deed(talk) for deed, _ in OPERATIONS.values()]
    assert [entry["parentId"] for entry in added(talk)] == ["a2", *ids[:-1]]
    assert len({*ids, "u1", "a1", "u2", "a2"}) == len(ids) + 4
    assert [entry.id for entry in talk.get_branch()] == ["u1", "a1", "u2", "a2", *ids]


def test_a_branch_in_memory_is_where_the_next_entry_goes(talk: SessionManager) -> None:
    talk.branch("a1")
    assert unchanged(talk)
    first = talk.append_message({"role": "user", "content": "aside"})
    assert added(talk)[0]["parentId"] == "a1"
    assert talk.get_leaf_id() == first
    talk.reset_leaf()
    assert (talk.get_leaf_id(), talk.get_branch()) == (None, [])
    second = talk.append_message({"role": "user", "content": "anew"})
    assert added(talk)[1]["parentId"] is None
    assert [entry.id for entry in talk.get_branch()] == [second]
    with pytest.raises(KeyError, match="Entry zz not found"):
        talk.branch("zz")


# Labels and names


def test_labels_are_set_changed_and_cleared(talk: SessionManager) -> None:
    new = talk.append_label_change("u1", "first")
    entry = talk.get_entry(new)
    assert entry is not None
    assert (talk.get_label("u1"), talk.labels["u1"].time) == ("first", entry.timestamp)
    talk.append_label_change("u1", "second")
    talk.append_label_change("a1", "other")
    assert {target: label.text for target, label in talk.labels.items()} == {"u1": "second", "a1": "other"}
    talk.append_label_change("u1", "")
    talk.append_label_change("a1", None)
    assert talk.labels == {}
    assert SessionManager.open(talk.path or "").labels == {}


def test_a_label_belongs_to_its_target_on_whatever_branch_it_was_set(talk: SessionManager) -> None:
    talk.branch("u1")
    talk.append_label_change("a2", "far")
    assert [e.id for e in talk.get_branch()][:1] == ["u1"]
    assert talk.get_label("a2") == "far"


def test_labels_of_one_session_do_not_show_in_the_next(talk: SessionManager, tmp_path: Path) -> None:
    talk.append_label_change("u1", "mine")
    other = tmp_path / "other.jsonl"
    other.write_bytes(TALK)
    assert SessionManager.open(other).labels == {}


def test_an_unknown_target_is_refused_and_nothing_is_written(talk: SessionManager) -> None:
    with pytest.raises(KeyError, match="Entry zz not found"):
        talk.append_label_change("zz", "x")
    assert unchanged(talk)
    assert (talk.get_leaf_id(), talk.labels) == ("a2", {})


def test_an_empty_name_clears(talk: SessionManager) -> None:
    talk.append_session_info("X\ny")
    assert talk.get_session_name() == "X y"
    talk.append_session_info("\n")
    assert talk.get_session_name() is None
    assert [record["name"] for record in added(talk)] == ["X y", ""]
    assert SessionManager.open(talk.path or "").get_session_name() is None


@pytest.mark.parametrize(
    ("given", "stored"),
    [("a\nb", "a b"), ("a\r\n\r\nb", "a b"), (" a\tb ", "a\tb"), ("\ufeffa\u2028", "a"), ("\x1ca", "\x1ca")],
)
def test_names_are_stored_on_one_line(given: str, stored: str) -> None:
    assert clean_name(given) == stored


# Context edits


@pytest.mark.parametrize("replacement", [{}, {"content": 1}, {"content": None}, "text", [], {"text": "x"}])
def test_what_is_no_replacement_is_refused(talk: SessionManager, replacement: Any) -> None:
    with pytest.raises(ValueError, match="replacement must be"):
        talk.append_context_edit("u1", replacement)
    assert unchanged(talk)


def test_edits_reach_what_has_content_and_stands_on_the_branch(talk: SessionManager) -> None:
    model = talk.append_model_change("p", "m")
    bash = talk.append_message({"role": "bashExecution", "command": "ls", "output": ""})
    tool = talk.append_message({"role": "toolResult", "toolCallId": "c", "content": []})
    note = talk.append_custom_message_entry("note", "text", True)
    for target in (model, bash):
        with pytest.raises(ValueError, match="does not contribute editable"):
            talk.append_context_edit(target, None)
    with pytest.raises(KeyError, match="Entry zz not found"):
        talk.append_context_edit("zz", None)
    talk.append_context_edit(tool, {"content": "cut"})
    talk.append_context_edit(note, {"content": "cut"})
    assert [record["replacement"] for record in added(talk)[-2:]] == [
        {"content": [{"type": "text", "text": "cut"}]},
        {"content": "cut"},
    ]
    talk.branch("a1")
    with pytest.raises(ValueError, match="Entry u2 is not on the active branch"):
        talk.append_context_edit("u2", None)


# Compactions


def test_a_compaction_that_keeps_nothing_names_itself(talk: SessionManager) -> None:
    new = talk.append_compaction("sum", None, 5)
    assert added(talk)[0]["firstKeptEntryId"] == new
    assert [entry.id for entry in talk.build_context_entries()] == [new]


def test_a_compaction_holds_the_system_message_in_force(write: Write) -> None:
    def system(entry_id: str, parent: str | None, **fields: Any) -> dict[str, Any]:
        made = message(entry_id, parent, role="system")
        return made | {"message": {"role": "system", "timestamp": 7, **fields}}

    read, edit = {"name": "read", "description": "r"}, {"name": "edit", "description": "e"}
    session = SessionManager.open(
        write(
            encode(
                HEADER,
                system("s1", None, content="You are", sections={"a": "1", "b": "2"}, toolsAdded=[read, edit]),
                message("u1", "s1"),
                system(
                    "s2", "u1", content=[{"type": "text", "text": "more"}], sections={"a": None, "c": "3"}
                ),
                system("s3", "s2", content="", toolsRemoved=[{"name": "read"}]),
            )
        )
    )
    new = session.append_compaction("sum", "u1", 5)
    entry = session.get_entry(new)
    assert entry is not None
    assert entry.record["systemMessage"] == {
        "role": "system",
        "content": "You are\n\nmore",
        "sections": {"b": "2", "c": "3"},
        "toolsAdded": [edit],
        "timestamp": int(entry.time_ms),
    }
    assert list(entry.record)[-2:] == ["tokensBefore", "systemMessage"]
    session.reset_leaf()
    session.append_compaction("sum", None, 5)
    assert "systemMessage" not in (session.get_leaf_entry() or entry).record


# Leaf moves


def test_a_branch_summary_names_the_leaf_it_left(talk: SessionManager) -> None:
    first = talk.branch_with_summary("a1", "went wrong", {"readFiles": ["x"]}, True, USAGE)
    talk.reset_leaf()
    second = talk.branch_with_summary(None, "anew")
    assert added(talk) == [
        {
            "type": "branch_summary",
            "id": first,
            "parentId": "a1",
            "timestamp": talk.entry(4).timestamp,
            "fromId": "a2",
            "summary": "went wrong",
            "details": {"readFiles": ["x"]},
            "usage": USAGE,
            "fromHook": True,
        },
        {
            "type": "branch_summary",
            "id": second,
            "parentId": None,
            "timestamp": talk.entry(5).timestamp,
            "fromId": "root",
            "summary": "anew",
        },
    ]
    keys = ["type", "id", "parentId", "timestamp", "fromId", "summary", "details", "usage", "fromHook"]
    assert list(talk.entry(4).record) == keys
    assert talk.get_leaf_id() == second


@pytest.mark.parametrize("target", ["u1", "a1", "a2", None])
@pytest.mark.parametrize("label", [None, "here"])
@pytest.mark.parametrize("summary", [None, "left for good", ""])
def test_a_leaf_move_lasts(
    talk: SessionManager, target: str | None, label: str | None, summary: str | None
) -> None:
    carrier = talk.move_leaf(target, summary, label, **({"details": {"d": 1}} if summary else {}))
    moved, *labels = added(talk)
    assert (moved["id"], moved["parentId"]) == (carrier, target)
    if summary is None:
        assert (moved["type"], moved["customType"], moved["data"]) == ("custom", LEAF_TYPE, {"from": "a2"})
        assert list(moved) == ["type", "customType", "data", "id", "parentId", "timestamp"]
    else:
        assert (moved["type"], moved["summary"], moved["fromId"]) == ("branch_summary", summary, "a2")
        assert moved.get("details") == ({"d": 1} if summary else None)
    marked = target if summary is None and target is not None else carrier
    assert [(e["type"], e["parentId"], e["targetId"]) for e in labels] == (
        [("label", carrier, marked)] if label else []
    )
    again = SessionManager.open(talk.path or "")
    assert again.get_leaf_id() == talk.get_leaf_id() == (labels[0]["id"] if label else carrier)
    assert again.get_label(marked) == label
    path = {"u1": ["u1"], "a1": ["u1", "a1"], "a2": ["u1", "a1", "u2", "a2"], None: []}[target]
    assert [entry.id for entry in again.get_branch()][: len(path)] == path
    context = [m["role"] for m in again.build_session_context().messages]
    assert context == ["user", "assistant"] * (len(path) // 2) + ["user"] * (len(path) % 2) + (
        ["branchSummary"] if summary else []
    )


def test_a_leaf_move_is_one_write(talk: SessionManager, monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    writes = []
    real = os.write
    monkeypatch.setattr(os, "write", lambda fd, data: writes.append(data) or real(fd, data))
    talk.move_leaf("u1", "sum", "label")
    assert [data.count(b"\n") for data in writes] == [2]


def test_a_leaf_move_is_refused_when_the_file_has_moved_on(talk: SessionManager) -> None:
    assert talk.path is not None
    grown = TALK + encode(message("u3", "a2", "from elsewhere"))
    talk.path.write_bytes(grown)
    with pytest.raises(LeafMoved) as caught:
        talk.move_leaf("u1", expected_leaf="a2")
    assert caught.value.leaf_id == "u3"
    assert unchanged(talk, grown)
    assert talk.get_leaf_id() == "u3"
    carrier = talk.move_leaf("u1", expected_leaf="u3")
    assert added(talk, grown)[0]["data"] == {"from": "u3"}
    assert talk.get_leaf_id() == carrier


def test_a_leaf_move_with_an_expected_leaf_of_none(tmp_path: Path) -> None:
    session = SessionManager.in_memory(tmp_path)
    carrier = session.move_leaf(None, expected_leaf=None)
    assert session.entry(0).record["data"] == {"from": None}
    with pytest.raises(LeafMoved):
        session.move_leaf(None, expected_leaf=None)
    assert session.get_leaf_id() == carrier


def test_a_leaf_move_to_nowhere_is_refused(talk: SessionManager) -> None:
    for move in (lambda: talk.move_leaf("zz"), lambda: talk.branch_with_summary("zz", "s")):
        with pytest.raises(KeyError, match="Entry zz not found"):
            move()
    assert unchanged(talk)


# Who may not write


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


def test_read_only_refuses_every_write(talk: SessionManager) -> None:
    talk.read_only = True
    refused(talk, "nothing was written: it is opened read-only")
    assert talk.get_leaf_id() == "a2"
    talk.branch("u1")  # looking goes on
    assert talk.get_leaf_id() == "u1"


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
    refused(partial, "only its end has been read yet")


def test_a_closed_session_refuses_with_a_message(talk: SessionManager) -> None:
    talk.close()
    with pytest.raises(WriteError, match="nothing was written"):
        talk.append_session_info("x")
    assert unchanged(talk)


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
        with pytest.raises(KeyError, match="in a damaged line, where Pi does not see it"):
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


def test_messages_with_odd_characters_come_back_as_they_were(talk: SessionManager) -> None:
    odd = 'nul\0 esc\x1b del\x7f \u2028 half\ud83d whole🙂 “\\"'
    new = talk.append_message({"role": "user", "content": odd, "n": 2**70, "inf": float("inf")})
    assert talk.path is not None
    assert rb"half\ud83d whole" in talk.path.read_bytes()
    for session in (talk, SessionManager.open(talk.path)):
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
