"""The newest message, and a leaf that bookkeeping has put elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pitree.session.format.errors import Notice
from pitree.session.manager.manager import SessionManager
from pitree.session.manager.newest_message import left_behind, newest_message, said_at
from tests.conftest import Run
from tests.support.records import HEADER, message

Write = Callable[..., Path]

CHAIN = [
    message(entry_id, parent, role="user" if entry_id[0] == "u" else "assistant")
    for parent, entry_id in [
        (None, "u1"),
        ("u1", "a1"),
        ("a1", "u2"),
        ("u2", "a2"),
        ("a2", "u3"),
        ("u3", "a3"),
    ]
]
WORDS = (
    "the newest message, a3, is not on the leaf's branch: "
    "the last line, session info n, puts the leaf after a1"
)


def name(parent: str | None) -> dict[str, Any]:
    """A name given by a program that knew the session as it was earlier."""
    return {
        "type": "session_info",
        "id": "n",
        "parentId": parent,
        "timestamp": HEADER["timestamp"],
        "name": "x",
    }


def test_fault_18_a_leaf_of_old_bookkeeping_is_a_notice(run: Run, session: Write) -> None:
    path = session(*CHAIN, name("a1"))
    assert SessionManager.open(path).notices == [Notice("left-behind", 8, WORDS)]
    assert f"! line 8: {WORDS}" in run("tree", path).out
    assert run("tree", path, "--json").json[0]["notices"] == [
        {"kind": "left-behind", "line": 8, "message": WORDS}
    ]
    checked = run("check", path)
    assert WORDS in checked.out
    assert "Pi: continues from the leaf" in checked.out
    assert checked.status == 0  # Pi writes such lines, too


@pytest.mark.parametrize("parent", ["a3", "u3", None])
def test_fault_18_where_nothing_is_left_behind_nothing_is_said(parent: str | None) -> None:
    """On the newest branch, after a move that was meant, and when the newest message is the leaf."""
    made = SessionManager.in_memory("/w", [*CHAIN, name(parent)])
    assert bool(made.notices) == (parent != "a3")
    made.append_message({"role": "user", "content": "on"})
    assert made.notices == []
    made.move_leaf("u1")
    made.append_session_info("x")
    assert made.notices == []


def test_the_nearest_message_above() -> None:
    table = SessionManager.in_memory("/w", [name(None), *CHAIN, name("a2")]).table
    assert [said_at(table, index) for index in (-1, 0, 1, 7)] == [-1, -1, 1, 4]
    assert newest_message(table) == 6
    assert left_behind(table, 7) == 6
