"""The append operations: their lines byte for byte, their rules, what they refuse."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pitree.session.format.new_records import clean_name
from pitree.session.manager.manager import SessionManager
from tests.support.operations import OPERATIONS, TALK, added, unchanged
from tests.support.records import HEADER, encode, message

Write = Callable[[bytes], Path]

TIME = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"


# Lines as Pi writes them


@pytest.mark.parametrize("name", OPERATIONS)
def test_each_line_is_pis_to_the_byte(long_talk: SessionManager, name: str) -> None:
    deed, form = OPERATIONS[name]
    new = deed(long_talk)
    assert re.fullmatch(r"[0-9a-f]{8}", new)
    assert long_talk.path is not None
    line = long_talk.path.read_bytes()[len(TALK) :].decode()
    middle = re.escape(f'"id":"{new}","parentId":"a2","timestamp":"') + TIME + '"'
    assert re.fullmatch(re.escape(form).replace(r"\*", middle) + "\n", line), line
    assert long_talk.get_leaf_id() == new
    assert added(long_talk)[0] == long_talk.entry(4).record
    assert SessionManager.open(long_talk.path).get_leaf_id() == new


def test_each_entry_hangs_on_the_one_before(long_talk: SessionManager) -> None:
    ids = [deed(long_talk) for deed, _ in OPERATIONS.values()]
    assert [entry["parentId"] for entry in added(long_talk)] == ["a2", *ids[:-1]]
    assert len({*ids, "u1", "a1", "u2", "a2"}) == len(ids) + 4
    assert [entry.id for entry in long_talk.get_branch()] == ["u1", "a1", "u2", "a2", *ids]


def test_a_branch_in_memory_is_where_the_next_entry_goes(long_talk: SessionManager) -> None:
    long_talk.branch("a1")
    assert unchanged(long_talk)
    first = long_talk.append_message({"role": "user", "content": "aside"})
    assert added(long_talk)[0]["parentId"] == "a1"
    assert long_talk.get_leaf_id() == first
    long_talk.reset_leaf()
    assert (long_talk.get_leaf_id(), long_talk.get_branch()) == (None, [])
    second = long_talk.append_message({"role": "user", "content": "rewritten"})
    assert added(long_talk)[1]["parentId"] is None
    assert [entry.id for entry in long_talk.get_branch()] == [second]
    with pytest.raises(KeyError, match="Entry zz not found"):
        long_talk.branch("zz")


# Labels and names


def test_labels_are_set_changed_and_cleared(long_talk: SessionManager) -> None:
    new = long_talk.append_label_change("u1", "first")
    entry = long_talk.get_entry(new)
    assert entry is not None
    assert (long_talk.get_label("u1"), long_talk.labels["u1"].time) == ("first", entry.timestamp)
    long_talk.append_label_change("u1", "second")
    long_talk.append_label_change("a1", "other")
    assert {target: label.text for target, label in long_talk.labels.items()} == {
        "u1": "second",
        "a1": "other",
    }
    long_talk.append_label_change("u1", "")
    long_talk.append_label_change("a1", None)
    assert long_talk.labels == {}
    assert SessionManager.open(long_talk.path or "").labels == {}


def test_a_label_belongs_to_its_target_on_whatever_branch_it_was_set(long_talk: SessionManager) -> None:
    long_talk.branch("u1")
    long_talk.append_label_change("a2", "far")
    assert [e.id for e in long_talk.get_branch()][:1] == ["u1"]
    assert long_talk.get_label("a2") == "far"


def test_labels_of_one_session_do_not_show_in_the_next(long_talk: SessionManager, tmp_path: Path) -> None:
    long_talk.append_label_change("u1", "mine")
    other = tmp_path / "other.jsonl"
    other.write_bytes(TALK)
    assert SessionManager.open(other).labels == {}


def test_an_unknown_target_is_refused_and_nothing_is_written(long_talk: SessionManager) -> None:
    with pytest.raises(KeyError, match="Entry zz not found"):
        long_talk.append_label_change("zz", "x")
    assert unchanged(long_talk)
    assert (long_talk.get_leaf_id(), long_talk.labels) == ("a2", {})


def test_an_empty_name_clears(long_talk: SessionManager) -> None:
    long_talk.append_session_info("X\ny")
    assert long_talk.get_session_name() == "X y"
    long_talk.append_session_info("\n")
    assert long_talk.get_session_name() is None
    assert [record["name"] for record in added(long_talk)] == ["X y", ""]
    assert SessionManager.open(long_talk.path or "").get_session_name() is None


@pytest.mark.parametrize(
    ("given", "stored"),
    [("a\nb", "a b"), ("a\r\n\r\nb", "a b"), (" a\tb ", "a\tb"), ("\ufeffa\u2028", "a"), ("\x1ca", "\x1ca")],
)
def test_names_are_stored_on_one_line(given: str, stored: str) -> None:
    assert clean_name(given) == stored


# Context edits


@pytest.mark.parametrize("replacement", [{}, {"content": 1}, {"content": None}, "text", [], {"text": "x"}])
def test_what_is_no_replacement_is_refused(long_talk: SessionManager, replacement: Any) -> None:
    with pytest.raises(ValueError, match="replacement must be"):
        long_talk.append_context_edit("u1", replacement)
    assert unchanged(long_talk)


def test_edits_reach_what_has_content_and_stands_on_the_branch(long_talk: SessionManager) -> None:
    model = long_talk.append_model_change("p", "m")
    bash = long_talk.append_message({"role": "bashExecution", "command": "ls", "output": ""})
    tool = long_talk.append_message({"role": "toolResult", "toolCallId": "c", "content": []})
    note = long_talk.append_custom_message_entry("note", "text", True)
    for target in (model, bash):
        with pytest.raises(ValueError, match="does not contribute editable"):
            long_talk.append_context_edit(target, None)
    with pytest.raises(KeyError, match="Entry zz not found"):
        long_talk.append_context_edit("zz", None)
    long_talk.append_context_edit(tool, {"content": "cut"})
    long_talk.append_context_edit(note, {"content": "cut"})
    assert [record["replacement"] for record in added(long_talk)[-2:]] == [
        {"content": [{"type": "text", "text": "cut"}]},
        {"content": "cut"},
    ]
    long_talk.branch("a1")
    with pytest.raises(ValueError, match="Entry u2 is not on the active branch"):
        long_talk.append_context_edit("u2", None)


# Compactions


def test_a_compaction_that_keeps_nothing_names_itself(long_talk: SessionManager) -> None:
    new = long_talk.append_compaction("sum", None, 5)
    assert added(long_talk)[0]["firstKeptEntryId"] == new
    assert [entry.id for entry in long_talk.build_context_entries()] == [new]


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
