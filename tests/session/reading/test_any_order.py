"""Writes in any order, others' among them: old bytes are a prefix, and memory is what the file holds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pitree.session.manager.manager import SessionManager
from tests.support.beside import TALK, append, in_memory, path_of
from tests.support.records import encode, message

Write = Callable[[bytes], Path]


TEXTS = st.text(st.characters(codec="utf-8"), max_size=30) | st.just("half\ud83d") | st.just("x" * 5000)
DEEDS = st.one_of(
    st.tuples(st.just("label"), st.integers(0, 40), st.none() | TEXTS),
    st.tuples(st.just("name"), st.just(0), TEXTS),
    st.tuples(st.just("move"), st.integers(-1, 40), st.none() | TEXTS),
    st.tuples(st.just("summary"), st.integers(-1, 40), TEXTS),
    st.tuples(st.just("branch"), st.integers(-1, 40), st.just("")),
    st.tuples(st.just("message"), st.just(0), TEXTS),
    st.tuples(st.just("compaction"), st.integers(0, 40), TEXTS),
    st.tuples(st.just("edit"), st.integers(0, 40), st.none() | TEXTS),
    st.tuples(st.just("custom"), st.just(0), TEXTS),
    st.tuples(st.just("reopen"), st.just(0), st.just("")),
    st.tuples(
        st.just("foreign"),
        st.integers(0, 40),
        st.just("\n") | st.just("") | st.just("\r\n") | st.just("\n\n"),
    ),
    st.tuples(st.just("garbage"), st.just(0), st.just("")),
)


def do(session: SessionManager, kind: str, number: int, text: str | None, place: int) -> SessionManager:
    ids = session.table.ids
    target = ids[number % len(ids)] if number >= 0 else None
    match kind:
        case "label":
            session.append_label_change(target or ids[0], text)
        case "name":
            session.append_session_info(text or "")
        case "move":
            session.move_leaf(target, None, text)
        case "summary":
            session.move_leaf(target, text or "", text)
        case "branch":
            session.branch(target) if target is not None else session.reset_leaf()
        case "message":
            session.append_message({"role": "user", "content": text})
        case "compaction":
            session.append_compaction(text or "", target, number)
        case "edit":
            try:
                session.append_context_edit(target or "", None if text is None else {"content": text})
            except ValueError:
                pass
        case "custom":
            session.append_custom_entry(text or "", text)
        case "reopen":
            return SessionManager.open(path_of(session))
        case "foreign":
            if path_of(session).read_bytes().endswith(b"\n"):
                append(session, encode(message(f"f{place}", target))[:-1] + (text or "").encode())
        case "garbage":
            if path_of(session).read_bytes().endswith(b"\n"):
                append(session, b'{"type":"mess\n')
    return session


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(DEEDS, max_size=25))
def test_old_bytes_are_a_prefix_after_every_write(tmp_path: Path, deeds: list[Any]) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(TALK)
    session = SessionManager.open(path)
    before = TALK
    for place, (kind, number, text) in enumerate(deeds):
        session = do(session, kind, number, text, place)
        data = path.read_bytes()
        assert data[: len(before)] == before
        before = data
    session.catch_up()
    again = SessionManager.open(path)
    assert in_memory(again)[:5] == in_memory(session)[:5]
    assert in_memory(again)[6:] == in_memory(session)[6:]
