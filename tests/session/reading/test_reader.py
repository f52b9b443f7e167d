"""Reading session bytes: formats, damage, growth."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitree.session import Flag, SessionError, SessionManager
from pitree.session.format.times import time_ms
from pitree.session.reading.reader import NoSession, SessionReader
from tests.support.records import HEADER, encode, message

Write = Callable[[bytes], Path]


def read(data: bytes) -> SessionReader:
    reader = SessionReader()
    reader.feed(data)
    reader.finish()
    return reader


def state(reader: SessionReader) -> tuple[Any, ...]:
    table = reader.data.table
    return (
        table.ids,
        list(table.parents),
        bytes(table.kinds),
        list(table.flags),
        list(table.offsets),
        list(table.lengths),
        list(table.lines),
        table.texts,
        reader.data.labels,
        reader.data.name,
        reader.data.notices,
        reader.data.stats,
    )


ODD = encode(
    HEADER,
    message("a", None, "naïve 修正 🙂 \u2028 end"),
    message("b", "a", "two", "assistant", stopReason="stop", usage={"input": 1, "cost": {"total": 0.5}}),
    {"type": "label", "id": "l", "parentId": "b", "timestamp": "x", "targetId": "a", "label": "重要"},
    {"type": "session_info", "id": "n", "parentId": "l", "timestamp": "x", "name": " Name "},
)


def test_every_cut_in_two_reads_the_same() -> None:
    whole = state(read(ODD))
    for cut in range(len(ODD) + 1):
        reader = SessionReader()
        reader.feed(ODD[:cut])
        reader.feed(ODD[cut:])
        reader.finish()
        assert state(reader) == whole, cut


def test_a_file_that_grows_byte_by_byte_never_shows_an_entry_twice() -> None:
    whole = state(read(ODD))
    reader = SessionReader()
    counts = []
    for place in range(len(ODD)):
        reader.feed(ODD[place : place + 1])
        reader.settle_tail()
        counts.append(len(reader.data.table))
    assert counts == sorted(counts)
    assert state(reader) == whole


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_garbage_between_lines_loses_no_entry(data: st.DataObject) -> None:
    lines = ODD.split(b"\n")[:-1]
    garbage = data.draw(st.lists(st.binary(max_size=40), min_size=len(lines), max_size=len(lines)))
    mixed = lines[0] + b"\n"
    for line, junk in zip(lines[1:], garbage[1:], strict=True):
        mixed += junk.replace(b"\n", b"") + b"\n" + line + b"\n"
    assert [i for i in read(mixed).data.table.ids if i in "abln"] == ["a", "b", "l", "n"]


@pytest.mark.parametrize("ending", [b"", b"\n", b"\r\n", b"\n\n  \n", b"\r\n\r\n"])
def test_line_ends(ending: bytes) -> None:
    data = ODD.rstrip(b"\n").replace(b"\n", b"\r\n") if b"\r" in ending else ODD.rstrip(b"\n")
    assert read(data + ending).data.table.ids == ["a", "b", "l", "n"]


def test_records_are_read_back_at_their_places(write: Write) -> None:
    path = write(b"\xef\xbb\xbf" + ODD.replace(b"\n", b"\r\n\r\n"))
    session = SessionManager.open(path)
    assert [entry.record["id"] for entry in session.get_entries()] == ["a", "b", "l", "n"]
    assert session.get_session_name() == "Name"
    assert session.get_label("a") == "重要"
    assert [notice.kind for notice in session.notices] == ["bom"]


def test_damaged_lines_are_told_and_whole_records_on_them_kept() -> None:
    first, second = encode(message("a", None)).strip(), encode(message("b", "a")).strip()
    torn = first[:40]
    reader = read(encode(HEADER) + first + b"\n" + torn + second + b"\nrubbish\n42\n")
    assert reader.data.table.ids == ["a", "b"]
    assert reader.data.table.flags[1] & Flag.RECOVERED
    assert [(n.kind, n.line) for n in reader.data.notices] == [
        ("bad-json", 3),
        ("bad-json", 4),
        ("not-object", 5),
    ]
    assert "1 whole record recovered" in reader.data.notices[0].message
    assert f"{len(torn)} bytes unread" in reader.data.notices[0].message


def test_objects_inside_a_torn_record_are_no_entries() -> None:
    record = message("a", None, role="assistant")
    record["message"]["content"] = [
        {"type": "toolCall", "id": "c", "name": "x", "arguments": {"k": {"j": 1}}}
    ]
    line = encode(record).strip()
    for cut in range(1, len(line)):
        assert read(encode(HEADER) + line[:cut] + b"\n").data.table.ids == []


def test_an_unfinished_last_line_waits(write: Write) -> None:
    path = write(ODD + b'{"type":"message","id":"z')
    session = SessionManager.open(path)
    assert session.get_entry_count() == 4
    assert [notice.kind for notice in session.notices] == ["unfinished-line"]


@pytest.mark.parametrize(
    "data",
    [
        b'{"a":1}\n',
        b"hello\n",
        b'{"type":"session"}\n',
        b'{"type":"session","id":7}\n',
        b"\x00" * 100,
        b"[]\n",
        encode(message("a", None)),
        encode({"type": "message", "timestamp": "x", "message": {"role": "user", "content": "v1"}}),
    ],
)
def test_a_stranger_is_no_session_and_stays_as_it_is(write: Write, data: bytes) -> None:
    path = write(data)
    before = path.stat().st_mtime_ns
    with pytest.raises(SessionError) as caught:
        SessionManager.open(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == data
    assert path.stat().st_mtime_ns == before


def test_an_empty_file_is_an_empty_session(write: Write) -> None:
    path = write(b"")
    session = SessionManager.open(path)
    assert session.get_entry_count() == 0
    assert session.get_leaf_id() is None
    assert [notice.kind for notice in session.notices] == ["empty"]
    assert path.read_bytes() == b""


def test_missing_files_and_folders_are_told(tmp_path: Path) -> None:
    for path in (tmp_path / "none.jsonl", tmp_path):
        with pytest.raises(SessionError, match=path.name):
            SessionManager.open(path)


def test_a_header_after_strangers_is_found() -> None:
    reader = read(b'junk\n{"a":1}\n' + ODD)
    assert reader.data.header["id"] == "s1"
    assert reader.data.table.ids == ["a", "b", "l", "n"]
    assert [n.kind for n in reader.data.notices] == ["bad-json", "stranger", "late-header"]


def test_a_header_after_an_entry_is_refused() -> None:
    with pytest.raises(NoSession, match="line 1"):
        read(encode(message("a", None)) + ODD)


def test_the_documented_header_form_is_read() -> None:
    header = {"type": "header", "version": 3, "workingDirectory": "/path/to/project"}
    data = encode(header, message("msg_1", "header"), message("msg_2", "msg_1"))
    source = read(data)
    assert list(source.data.table.parents) == [-1, 0]
    assert not source.data.table.flags[0] & Flag.MISSING_PARENT
    session = SessionManager.in_memory(header=header)
    assert session.get_cwd() == "/path/to/project"


def test_a_second_header_is_no_entry() -> None:
    reader = read(ODD + encode(HEADER, message("z", "n")))
    assert reader.data.table.ids == ["a", "b", "l", "n", "z"]
    assert [(n.kind, n.line) for n in reader.data.notices] == [("extra-header", 6)]


def v1(*records: dict[str, Any], **header: Any) -> bytes:
    return encode({"type": "session", "id": "old", "timestamp": "x", "cwd": "/w", **header}, *records)


def say(text: str) -> dict[str, Any]:
    return {"type": "message", "timestamp": "x", "message": {"role": "user", "content": text}}


def test_version_1_becomes_a_chain(write: Write) -> None:
    compaction = {"type": "compaction", "timestamp": "x", "summary": "s", "firstKeptEntryIndex": 2}
    path = write(v1(say("one"), say("two"), compaction, say("three")))
    session = SessionManager.open(path)
    assert session.version == 1
    assert list(session.table.parents) == [-1, 0, 1, 2]
    entries = session.get_entries()
    assert entries[2].record["firstKeptEntryId"] == entries[1].id
    assert "firstKeptEntryIndex" not in entries[2].record
    assert [entry.index for entry in session.build_context_entries()] == [2, 1, 3]
    assert [entry.record["parentId"] for entry in entries] == [None, *session.table.ids[:3]]


def test_version_1_index_counts_every_record_of_the_file() -> None:
    compaction = {"type": "compaction", "timestamp": "x", "summary": "s", "firstKeptEntryIndex": 3}
    data = v1(say("one"), {"type": "session", "id": "again"}, say("two"), compaction)
    session = SessionManager.in_memory(
        entries=[json.loads(x) for x in data.split(b"\n")[1:-1]], header=json.loads(data.split(b"\n")[0])
    )
    assert session.entry(2).record["firstKeptEntryId"] == session.entry(1).id


def test_version_2_roles_are_renamed() -> None:
    record = message("a", None, role="hookMessage")
    header = {**HEADER, "version": 2}
    session = SessionManager.in_memory(entries=[record], header=header)
    assert session.entry(0).role == "custom"
    assert session.entry(0).record["message"]["role"] == "custom"


def test_unknown_things_are_kept_and_passed_through() -> None:
    strange = {"type": "hologram", "id": "h", "parentId": None, "timestamp": "x", "rays": [1, {"a": None}]}
    role = message("r", "h", role="oracle")
    role["message"]["content"] = [{"type": "smell", "of": "coffee"}]
    session = SessionManager.in_memory(entries=[strange, role])
    assert session.entry(0).type == "hologram"
    assert session.entry(0).record == strange
    assert session.entry(1).role == "oracle"
    assert session.entry(1).record == role
    assert session.build_session_context().messages == [role["message"]]


@pytest.mark.parametrize(
    "content", [None, "absent", 7, {"type": "text"}, [None, 3, "x", {"type": "text", "text": 5}]]
)
def test_odd_contents_are_read(content: Any) -> None:
    record = message("a", None)
    if content == "absent":
        del record["message"]["content"]
    else:
        record["message"]["content"] = content
    session = SessionManager.in_memory(entries=[record])
    assert session.entry(0).text == ""
    assert len(session.build_session_context().messages) == 1


def test_names_and_labels_follow_the_file() -> None:
    def label(n: int, text: Any) -> dict[str, Any]:
        record = {"type": "label", "id": f"l{n}", "parentId": None, "timestamp": f"t{n}", "targetId": "a"}
        return record if text is ... else {**record, "label": text}

    def name(n: int, text: Any) -> dict[str, Any]:
        return {"type": "session_info", "id": f"n{n}", "parentId": None, "timestamp": "x", "name": text}

    entries = [message("a", None), label(1, "one"), label(2, "two"), name(1, "X")]
    assert SessionManager.in_memory(entries=entries).labels["a"].time == "t2"
    for clearing in ("", None, ...):
        session = SessionManager.in_memory(entries=[*entries, label(3, clearing), name(2, "")])
        assert session.get_label("a") is None
        assert session.get_session_name() is None


def test_labels_do_not_leak_into_another_session() -> None:
    label = {"type": "label", "id": "l", "parentId": "a", "timestamp": "x", "targetId": "a", "label": "mark"}
    assert SessionManager.in_memory(entries=[message("a", None), label]).labels
    assert not SessionManager.in_memory(entries=[message("a", None)]).labels


def test_the_leaf_is_the_last_entry_whatever_its_type() -> None:
    session = SessionManager.in_memory(
        entries=[
            message("a", None),
            message("b", "a"),
            {"type": "custom", "id": "c", "parentId": "a", "timestamp": ""},
        ]
    )
    assert session.get_leaf_id() == "c"
    assert [entry.id for entry in session.get_branch()] == ["a", "c"]
    session.branch("b")
    assert [entry.id for entry in session.get_branch()] == ["a", "b"]
    session.reset_leaf()
    assert session.get_branch() == []
    assert session.build_session_context().messages == []


def test_times() -> None:
    assert time_ms("2026-01-01T00:00:00.123Z") == 1767225600123
    assert time_ms("2026-01-01T01:00:00.123+01:00") == 1767225600123
    assert time_ms("soon") != time_ms("soon")


def test_the_end_of_a_large_file_opens_at_once(write: Write) -> None:
    count = 3000
    entries = [message(f"e{n}", f"e{n - 1}" if n else None, "x" * 100) for n in range(count)]
    path = write(encode(HEADER, *entries))
    tail = SessionManager.open_tail(path, 20_000)
    assert tail is not None
    assert tail.partial
    assert tail.get_leaf_id() == f"e{count - 1}"
    assert tail.get_header() == HEADER
    shown = tail.table.ids
    assert shown == [f"e{n}" for n in range(count - len(shown), count)]
    assert tail.entry(0).record == entries[count - len(shown)]
    assert not any(flags & Flag.MISSING_PARENT for flags in tail.table.flags)
    assert SessionManager.open_tail(path, 10_000_000) is None


def test_looking_leaves_bytes_and_times_alone(write: Write) -> None:
    data = v1(say("one"), say("two")).rstrip(b"\n")
    path = write(data)
    before = path.stat()
    session = SessionManager.open(path)
    [entry.record for entry in session.get_entries()]
    session.build_session_context()
    session.close()
    after = path.stat()
    assert path.read_bytes() == data
    assert (before.st_mtime_ns, before.st_size, before.st_ino) == (
        after.st_mtime_ns,
        after.st_size,
        after.st_ino,
    )


def test_a_record_that_is_gone_does_not_raise(write: Write) -> None:
    path = write(ODD)
    session = SessionManager.open(path)
    path.write_bytes(b"")
    assert session.entry(0).record == {"type": "message", "id": "a", "parentId": None, "pitree": "unreadable"}
