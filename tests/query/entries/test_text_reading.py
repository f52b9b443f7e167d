"""Texts for searches, read many at a time and by several processes: what reading entry by entry comes to."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitree.query.entries import text_reading, text_store
from pitree.query.entries.searchable import call_answered, searchable_text, words_of_calls
from pitree.query.entries.text_parts import TextPart
from pitree.query.entries.text_store import TextStore
from pitree.query.language.folding import fold_all
from pitree.query.language.text_forms import fold
from pitree.session.format.entry_type import ASSISTANT_KINDS, Kind
from pitree.session.manager.manager import SessionManager
from pitree.workers import pool
from tests.support.records import HEADER, encode, label, message

DATA = Path(__file__).parents[2] / "data"


def expected(session: SessionManager) -> list[str]:
    """The text of each entry, by the rule: its own, and of a tool result what its row shows and its call."""
    calls: dict[str, str] = {}
    texts = []
    for index in range(session.get_entry_count()):
        kind, record = Kind(session.table.kinds[index]), session.records.read(index)
        text = searchable_text(record, kind)
        if kind is Kind.TOOL_RESULT:
            row = session.table.texts[index].decode("utf-8", "replace")
            text = f"{text} {row} {calls.pop(call_answered(record), '')}"
        elif kind in ASSISTANT_KINDS:
            calls |= words_of_calls(record)
        texts.append(fold(text))
    return texts


def taken(store: TextStore, session: SessionManager) -> list[str]:
    return [store.text(index) for index in range(session.get_entry_count())]


def of(entry_id: str, **fields: Any) -> dict[str, Any]:
    """A message entry of any form."""
    return {"type": "message", "id": entry_id, "parentId": None, "message": fields}


def call(call_id: Any, name: Any = "bash", arguments: Any = None, **more: Any) -> dict[str, Any]:
    return {"type": "toolCall", "id": call_id, "name": name, "arguments": arguments, **more}


def text(value: Any) -> dict[str, Any]:
    return {"type": "text", "text": value}


ODD = [
    of(
        "a1",
        role="assistant",
        content=[text("one"), call("c1", arguments={"command": "Make  ALL", "n": 1.0})],
    ),
    of(
        "a2",
        role="assistant",
        content=[call("c2", arguments={"data": "A" * 9, "mimeType": "x", "k": [1, None]})],
    ),
    of(
        "a3",
        role="assistant",
        content=[call("c1", "read", {"path": "again"}), call(None), call(5, None, "x")],
    ),
    of("t1", role="toolResult", toolCallId="c1", toolName="read", content=[text("Done"), text("TWICE")]),
    of("t2", role="toolResult", toolCallId="c1", toolName="read", content=[text("answered already")]),
    of("t3", role="toolResult", toolCallId="c2", content=[{"type": "image", "data": "AAAA"}, text(7)]),
    of("t4", role="toolResult", toolCallId="nobody's", content=None),
    of("t5", role="toolResult", toolCallId=["c"], content=[]),
    of("u1", role="user", content="a plain\n\n string "),
    of("u2", role="user", content=["no block", 5, None, text("block")]),
    of("u3", role="user", content=[{"type": 5, "text": "x"}, {"type": "thinking", "thinking": "aloud"}]),
    of("u4", role="user", content={"type": "text", "text": "no list"}),
    of("s1", role="system", sections=[{"name": "Tools", "data": "x"}], content=[text("prompt")]),
    of("b1", role="bashExecution", command="ls -l", output="a\tb", content=None, summary=5),
    of("o1", role=7, customType="Own", errorMessage="Fault", summary="Σοφός", content=[text("ẞ Straße İ")]),
    of("o2", role="assistant", content=[{"type": "thinking", "thinking": "İ", "thinkingSignature": "sig"}]),
    of("e1", role="user", content=[text("nul \0 here")]),
    of("e2", role="user", content=[text("\ufeff marks \u2003 and \x1c spaces\ufeff")]),
    of("e3", role="user", content=[]),
    {"type": "message", "id": "m0", "parentId": None, "message": "none"},
    {"type": "custom", "id": "x1", "parentId": None, "customType": "own", "data": {"a": "b"}},
    {"type": "new", "id": "x2", "parentId": None, "message": {"role": "user", "content": "Unknown"}},
    label("l1", "x2", "u1", "Mark"),
]
LINES = [
    b'{"type":"message","id":"w1","parentId":null,"message":{"role":"user","content":"\xff bad \xc3"}}\n',
    b'{"type":"message","id":"w2","parentId":null,"message":{"role":"user","content":"\\ud83d half"}}\n',
    b'{"type":"message","id":"w3","parentId":null,"message":{"role":"user","content":"a","content":"b"}}\n',
    b'{"type":"message","id":"w4","parentId":null,"message":{"role":"assistant","content":[{"type":"toolCall",'
    b'"id":"n","name":"n","arguments":{"big":123456789012345678901234567890,"e":1e400,"f":1.50}}]}}\n',
    b'{"type":"message","id":"w5","parentId":null,"message":{"role":"user","content":"a"},"x":"\xff\xfe"}\n',
    b"no line of a session\n",
]


def session_of(path: Path, seed: int) -> SessionManager:
    """A session of ordinary and odd entries."""
    chance = random.Random(seed)
    made = []
    for number in range(150):
        made.append(encode(message(f"p{number}", None, f"Text {number}")))
        call_id = f"call {chance.randrange(60)}"
        if chance.random() < 0.5:
            block = call(call_id, arguments={"command": f"run {number}", "Ä": number})
            made.append(encode(of(f"q{number}", role="assistant", content=[block])))
        else:
            made.append(encode(message(f"r{number}", None, "said", "toolResult", toolCallId=call_id)))
    for line in (*map(encode, ODD), *LINES):
        made.insert(chance.randrange(len(made) + 1), line)
    path.write_bytes(encode(HEADER) + b"".join(made))
    return SessionManager.open(path)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have processes read small sessions too, a few entries at a time."""
    monkeypatch.setattr(text_reading, "FROM", 0)
    monkeypatch.setattr(text_store, "_SLICE_BYTES", 1_000)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("size", [1, 700, 1 << 20])
def test_parts_come_to_what_entries_come_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int, size: int
) -> None:
    monkeypatch.setattr(text_store, "_SLICE_BYTES", size)
    session = session_of(tmp_path / "s.jsonl", seed)
    store = TextStore(session)
    store.cover(session.get_entry_count())
    assert taken(store, session) == expected(session)


@pytest.mark.parametrize("name", [path.name for path in sorted(DATA.glob("*.jsonl"))])
def test_recorded_sessions(name: str) -> None:
    session = SessionManager.open(DATA / name)
    store = TextStore(session)
    store.cover(session.get_entry_count())
    assert taken(store, session) == expected(session)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("executable", [None, "", "/bin/false", "/nowhere/python"])
def test_several_processes_read_what_one_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, executable: str | None
) -> None:
    """And where they cannot be started, one does."""
    session = session_of(tmp_path / "s.jsonl", 99)
    store = TextStore(session)
    answered: list[TextPart] = []
    made = text_reading.from_bytes

    def noted(data: bytes) -> TextPart:
        answered.append(made(data))
        return answered[-1]

    monkeypatch.setattr(text_reading, "from_bytes", noted)
    if executable is not None:
        monkeypatch.setattr(pool.sys, "executable", executable)
    store.fill(lambda: False)
    assert taken(store, session) == expected(session)
    assert bool(answered) is (executable is None)
    if executable is None:
        assert sum(len(part.starts) - 1 for part in answered) > session.get_entry_count() // 2


@pytest.mark.usefixtures("small")
def test_who_leaves_leaves_no_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started = []
    start = pool.start

    def noted(*arguments: Any) -> Any:
        started.append(start(*arguments))
        return started[-1]

    monkeypatch.setattr(pool, "start", noted)
    session = session_of(tmp_path / "s.jsonl", 5)
    store = TextStore(session)
    store.fill(lambda: store.covered > 20)
    assert 20 < store.covered < session.get_entry_count()
    assert len(started) >= 2
    assert all(process.poll() is not None for process in started)
    store.cover(session.get_entry_count())
    assert taken(store, session) == expected(session)


def test_a_file_that_was_cut_short_leaves_what_is_known(tmp_path: Path) -> None:
    session = session_of(tmp_path / "s.jsonl", 1)
    with (tmp_path / "s.jsonl").open("r+b") as file:
        file.truncate(5_000)
    store = TextStore(session)
    store.cover(session.get_entry_count())
    assert taken(store, session) == expected(session)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.text("aB \t\n\x1f\x85\xa0\u2003\u3000\ufeff\0ÄßΣς修🙂\ud800\udc00İKſꭰᏰ\u0301\u200b", max_size=8)
    )
)
def test_folding_many_texts(texts: list[str]) -> None:
    folded, starts = fold_all(texts)
    pieces = [folded[start : end - 1] for start, end in pairwise(starts)]
    assert pieces == [fold(text).encode("utf-8", "surrogatepass") for text in texts]
    assert starts[-1] == len(folded)
