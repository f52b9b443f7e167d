"""Forks as a person makes them: before what is asked again, after everything else, written at once."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pitree.pi.places import folder_name
from pitree.session.format.errors import WriteError
from pitree.session.manager.continuation import continuation
from pitree.session.manager.forking import clone, fork_at
from pitree.session.manager.manager import SessionManager
from tests.support.records import HEADER, encode, message
from tests.support.stores import Store

Write = Callable[[bytes], Path]


def ids(path: Path) -> list[str]:
    """Ids of the entries of a file, after its header, which names its parent."""
    header, *entries = (json.loads(line) for line in path.read_bytes().splitlines())
    assert header["type"] == "session"
    assert header["parentSession"]
    return [entry["id"] for entry in entries]


def test_before_a_question_and_after_an_answer(long_talk: SessionManager) -> None:
    source = long_talk.path
    assert source is not None
    before = source.read_bytes()
    question, answer = fork_at(long_talk, 2), fork_at(long_talk, 1)
    assert (ids(question.path), question.text, question.entries) == (["u1", "a1"], "three", 2)
    assert (ids(answer.path), answer.text, answer.entries) == (["u1", "a1"], None, 2)
    assert ids(clone(long_talk).path) == ["u1", "a1", "u2", "a2"]
    assert source.read_bytes() == before
    assert question.path.parent == source.parent


def test_before_the_first_question_nothing_is_copied_and_the_parent_is_named(
    long_talk: SessionManager,
) -> None:
    fork = fork_at(long_talk, 0)
    assert (ids(fork.path), fork.text, fork.entries) == ([], "one", 0)
    session = SessionManager.open(fork.path)
    assert session.get_parent_session() == str(long_talk.path)
    session.append_message({"role": "user", "content": "rewritten"})
    assert fork.path.read_bytes().count(b'"type":"session"') == 1


def test_what_was_set_up_before_the_first_question_is_copied(write: Write) -> None:
    model = {
        "type": "model_change",
        "id": "m1",
        "parentId": "s1",
        "timestamp": "t",
        "provider": "p",
        "modelId": "m",
    }
    session = SessionManager.open(
        write(encode(HEADER, message("s1", None, role="system"), model, message("u1", "m1", "ask")))
    )
    assert ids(fork_at(session, 2).path) == ["s1", "m1"]


def test_into_another_working_directory(long_talk: SessionManager, store: Store) -> None:
    fork = fork_at(long_talk, 3, "/some/where")
    assert fork.path.parent == store.root / folder_name("/some/where")
    assert SessionManager.open(fork.path).get_cwd() == "/some/where"


def test_a_session_read_in_part_is_not_forked(write: Write) -> None:
    chain: list[dict[str, Any]] = [message("e0", None)]
    chain += [message(f"e{i}", f"e{i - 1}", "x" * 90) for i in range(1, 60)]
    path = write(encode(HEADER, *chain))
    partial = SessionManager.open_tail(path, 2000)
    assert partial is not None
    with pytest.raises(WriteError, match="the session is still loading"):
        clone(partial)
    assert [found.name for found in path.parent.iterdir()] == [path.name]


def test_where_going_on_leads(long_talk: SessionManager) -> None:
    note = long_talk.append_custom_message_entry("note", "a note", True)
    led = [continuation(long_talk, index) for index in range(5)]
    assert [found.leaf_id for found in led] == [None, "a1", "a1", "a2", "a2"]
    assert [found.text for found in led] == ["one", None, "three", None, "a note"]
    assert [found.before for found in led] == [True, False, True, False, True]
    assert [found.current for found in led] == [False, False, False, False, True]
    assert led[4].entry.id == note
