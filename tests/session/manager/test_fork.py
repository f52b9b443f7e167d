"""Sessions branched off at an entry, and copied whole."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pitree.pi.places import folder_name
from pitree.session.format.errors import SessionError, WriteError
from pitree.session.manager.manager import SessionManager
from tests.support.records import HEADER, SAID, encode, label, lines, message, names
from tests.support.stores import Store

Write = Callable[[bytes], Path]


WITH_LABELS = [
    message("u1", None, "one"),
    label("l1", "u1", "u1", "early", "t1"),
    message("a1", "l1", "two", "assistant"),
    label("l2", "a1", "u1", "first", "t2"),
    label("l3", "l2", "a2", "second", "t3"),
    message("u2", "l3", "three"),
    {"type": "compaction", "id": "c1", "parentId": "u2", "timestamp": "t", "summary": "s",
     "firstKeptEntryId": "l2", "tokensBefore": 1},
    message("a2", "c1", "four", "assistant"),
    message("u9", "u1", "another way"),
    label("l4", "u9", "u9", "off the path", "t4"),
]  # fmt: skip


@pytest.fixture
def labelled(write: Write) -> SessionManager:
    """A session whose path to `a2` runs through three labels."""
    return SessionManager.open(write(encode(HEADER, *WITH_LABELS)))


def test_a_branch_is_chained_anew_past_its_labels(labelled: SessionManager) -> None:
    source = labelled.path
    assert source is not None
    before = source.read_bytes()
    path = labelled.create_branched_session("a2")
    header, *entries = lines(path)
    assert {key: header[key] for key in ("type", "version", "cwd", "parentSession")} == {
        "type": "session",
        "version": 3,
        "cwd": "/w",
        "parentSession": str(source),
    }
    assert [entry["id"] for entry in entries[:5]] == ["u1", "a1", "u2", "c1", "a2"]
    assert [entry["parentId"] for entry in entries] == [None, *(entry["id"] for entry in entries[:-1])]
    assert entries[3]["firstKeptEntryId"] == "u2"
    assert [(e["targetId"], e["label"], e["timestamp"]) for e in entries[5:]] == [
        ("u1", "first", "t2"),
        ("a2", "second", "t3"),
    ]
    assert list(entries[5]) == ["type", "id", "parentId", "timestamp", "targetId", "label"]
    kept = [record for record in WITH_LABELS[:8] if record["type"] == "message"]
    assert [e["message"] for e in entries if e["type"] == "message"] == [r["message"] for r in kept]
    assert source.read_bytes() == before
    assert labelled.path == path
    assert labelled.get_leaf_id() == entries[-1]["id"]
    assert labelled.append_message(SAID)
    assert source.read_bytes() == before


def test_no_orphan_is_left_of_a_long_path_with_labels(write: Write) -> None:
    chain: list[dict[str, Any]] = []
    parent = None
    for place in range(20):
        entry_id = f"e{place}"
        if place in (5, 6, 13):
            chain.append(label(entry_id, parent or "", "e0", f"at {place}"))
        else:
            chain.append(message(entry_id, parent, entry_id))
        parent = entry_id
    session = SessionManager.open(write(encode(HEADER, *chain)))
    session.create_branched_session("e19")
    assert session.get_entry_count() == 18
    assert list(session.table.unresolved) == []
    assert [entry.id for entry in session.get_branch()][:17] == [
        c["id"] for c in chain if c["type"] != "label"
    ]


def test_a_branch_without_a_conversation_is_written_once_one_comes(write: Write) -> None:
    setup = [
        message("s1", None, role="system"),
        {
            "type": "model_change",
            "id": "m1",
            "parentId": "s1",
            "timestamp": "t",
            "provider": "p",
            "modelId": "m",
        },
        message("u1", "m1"),
    ]
    source = write(encode(HEADER, *setup))
    session = SessionManager.open(source)
    path = session.create_branched_session("m1")  # before the first user message
    assert path is not None
    assert not path.exists()
    session.append_session_info("n")
    assert not path.exists()
    session.append_message({"role": "assistant", "content": []})
    records = lines(path)
    assert [r["type"] for r in records] == ["session", "message", "model_change", "session_info", "message"]
    assert records[0]["parentSession"] == str(source)
    assert source.read_bytes() == encode(HEADER, *setup)


def test_before_the_first_message_nothing_is_copied_but_the_parent_is_named(write: Write) -> None:
    source = write(encode(HEADER, message("u1", None), label("l1", "u1", "u1", "x")))
    before = source.read_bytes()
    session = SessionManager.open(source)
    path = session.create_branched_session(None)
    assert path is not None
    assert (session.get_entry_count(), session.get_leaf_id(), session.labels) == (0, None, {})
    assert session.get_parent_session() == str(source)
    assert session.get_cwd() == "/w"
    assert not path.exists()
    session.write_now()
    assert [record["type"] for record in lines(path)] == ["session"]
    session.append_message(SAID)
    assert [record["type"] for record in lines(path)] == ["session", "message"]
    assert lines(path)[0]["parentSession"] == str(source)
    assert source.read_bytes() == before


def test_a_branch_off_the_leaf_ends_where_it_was_cut(labelled: SessionManager) -> None:
    labelled.branch("a2")
    path = labelled.create_branched_session("u9")
    assert [entry["id"] for entry in lines(path)[1:3]] == ["u1", "u9"]
    again = SessionManager.open(path or "")
    assert [entry.id for entry in again.get_branch()][:2] == ["u1", "u9"]
    assert {target: mark.text for target, mark in again.labels.items()} == {
        "u1": "first",
        "u9": "off the path",
    }


def test_a_compaction_keeps_its_own_id_and_ids_it_does_not_know(write: Write) -> None:
    def compaction(entry_id: str, parent: str, **more: Any) -> dict[str, Any]:
        return {"type": "compaction", "id": entry_id, "parentId": parent, "timestamp": "t", **more}

    session = SessionManager.open(
        write(
            encode(
                HEADER,
                message("u1", None),
                label("l1", "u1", "u1", "x"),
                compaction("c1", "l1", firstKeptEntryId="c1"),
                compaction("c2", "c1", firstKeptEntryId="gone"),
                compaction("c3", "c2"),
                label("l2", "c3", "u1", "y"),
                compaction("c4", "l2", firstKeptEntryId="l2"),
            )
        )
    )
    entries = lines(session.create_branched_session("c4"))[2:6]
    # A label right before the compaction stands for nothing that is kept, so for the compaction itself.
    assert [entry.get("firstKeptEntryId", "none") for entry in entries] == ["c1", "gone", "none", "c4"]


def test_an_entry_that_is_not_there_cannot_be_branched_at(labelled: SessionManager) -> None:
    source = labelled.path
    with pytest.raises(KeyError, match="Entry zz not found"):
        labelled.create_branched_session("zz")
    assert labelled.path == source


def test_a_branch_takes_what_others_have_labelled_meanwhile(labelled: SessionManager) -> None:
    assert labelled.path is not None
    with labelled.path.open("ab") as file:
        file.write(encode(label("l9", "l4", "u1", "newest", "t9")))
    labelled.create_branched_session("a1")
    assert labelled.get_label("u1") == "newest"


def test_a_session_whose_file_is_gone_can_still_be_branched(labelled: SessionManager) -> None:
    assert labelled.path is not None
    labelled.path.unlink()
    assert [entry["id"] for entry in lines(labelled.create_branched_session("a1"))[1:3]] == ["u1", "a1"]


def test_a_session_rewritten_in_place_cannot(labelled: SessionManager) -> None:
    source = labelled.path
    assert source is not None
    source.write_bytes(encode(HEADER, *WITH_LABELS[1:], *WITH_LABELS))
    with pytest.raises(WriteError, match="rewritten meanwhile"):
        labelled.create_branched_session("a2")
    assert labelled.path == source
    assert names(source.parent) == [source.name]


def test_a_branch_that_cannot_be_written_leaves_the_session_where_it_was(
    labelled: SessionManager, tmp_path: Path
) -> None:
    (tmp_path / "blocked").write_text("")
    session = SessionManager.open(labelled.path or "", tmp_path / "blocked")
    with pytest.raises(WriteError):
        session.create_branched_session("a2")
    assert session.path == labelled.path
    session.append_session_info("still writing to the source")
    assert lines(labelled.path)[-1]["type"] == "session_info"


def test_a_branch_goes_to_the_session_folder_that_was_chosen(
    labelled: SessionManager, tmp_path: Path
) -> None:
    session = SessionManager.open(labelled.path or "", tmp_path / "elsewhere")
    path = session.create_branched_session("a1")
    assert path is not None
    assert path.parent == tmp_path / "elsewhere"
    assert session.get_session_dir() == path.parent
    assert session.get_parent_session() == str(labelled.path)


# Copying whole


def test_a_copy_holds_all_entries_as_they_are(labelled: SessionManager, tmp_path: Path) -> None:
    source = labelled.path
    assert source is not None
    odd = b' {"type":"custom", "customType":"n","data":1.50,"id":"x1","parentId":"u1","timestamp":"t"}\r\n'
    with source.open("ab") as file:
        file.write(odd + b'not json\n{"type":"session","id":"again"}\n')
    before = source.read_bytes()
    fork = SessionManager.fork_from(source, tmp_path / "other", tmp_path / "new", session_id="chosen")
    data = (fork.path or source).read_bytes()
    header, rest = data.split(b"\n", 1)
    assert json.loads(header) == {
        "type": "session",
        "version": 3,
        "id": "chosen",
        "timestamp": fork.get_header()["timestamp"],
        "cwd": str(tmp_path / "other"),
        "parentSession": str(source),
    }
    assert rest == encode(*WITH_LABELS) + odd
    assert source.read_bytes() == before
    assert fork.get_leaf_id() == "x1"
    assert names(tmp_path / "new") == [fork.path.name if fork.path else ""]


def test_a_copy_of_an_older_session_is_of_the_current_version(tmp_path: Path) -> None:
    source = Path(__file__).parents[2] / "data" / "v1-compaction.jsonl"
    old = SessionManager.open(source)
    fork = SessionManager.fork_from(source, tmp_path, tmp_path)
    assert fork.version == 3
    assert fork.get_entry_count() == old.get_entry_count()
    assert [entry.record for entry in fork.get_entries()] == [entry.record for entry in old.get_entries()]
    assert fork.build_session_context() == old.build_session_context()


@pytest.mark.parametrize("content", [b"", b'{"a":1}\n'])
def test_what_is_no_session_cannot_be_copied(write: Write, tmp_path: Path, content: bytes) -> None:
    path = write(content)
    with pytest.raises(SessionError):
        SessionManager.fork_from(path, tmp_path, tmp_path / "new")
    assert path.read_bytes() == content
    assert not (tmp_path / "new").exists()


def test_a_copy_lands_in_the_folder_of_its_working_directory(store: Store, labelled: SessionManager) -> None:
    fork = SessionManager.fork_from(labelled.path or "", "/some/where")
    assert fork.get_session_dir() == store.root / folder_name("/some/where")
    with pytest.raises(ValueError, match="session id"):
        SessionManager.fork_from(labelled.path or "", "/some/where", session_id="-")
