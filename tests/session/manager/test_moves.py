"""Leaf moves that last: by a branch summary, or by an entry of pitree's own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pitree.session.manager.appends import LEAF_TYPE, LeafMoved
from pitree.session.manager.manager import SessionManager
from tests.support.operations import TALK, USAGE, added, unchanged
from tests.support.records import encode, message

Write = Callable[[bytes], Path]


def test_a_branch_summary_names_the_leaf_it_left(long_talk: SessionManager) -> None:
    first = long_talk.branch_with_summary("a1", "went wrong", {"readFiles": ["x"]}, True, USAGE)
    long_talk.reset_leaf()
    second = long_talk.branch_with_summary(None, "rewritten")
    assert added(long_talk) == [
        {
            "type": "branch_summary",
            "id": first,
            "parentId": "a1",
            "timestamp": long_talk.entry(4).timestamp,
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
            "timestamp": long_talk.entry(5).timestamp,
            "fromId": "root",
            "summary": "rewritten",
        },
    ]
    keys = ["type", "id", "parentId", "timestamp", "fromId", "summary", "details", "usage", "fromHook"]
    assert list(long_talk.entry(4).record) == keys
    assert long_talk.get_leaf_id() == second


@pytest.mark.parametrize("target", ["u1", "a1", "a2", None])
@pytest.mark.parametrize("label", [None, "here"])
@pytest.mark.parametrize("summary", [None, "left for good", ""])
def test_a_leaf_move_lasts(
    long_talk: SessionManager, target: str | None, label: str | None, summary: str | None
) -> None:
    carrier = long_talk.move_leaf(target, summary, label, **({"details": {"d": 1}} if summary else {}))
    moved, *labels = added(long_talk)
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
    again = SessionManager.open(long_talk.path or "")
    assert again.get_leaf_id() == long_talk.get_leaf_id() == (labels[0]["id"] if label else carrier)
    assert again.get_label(marked) == label
    path = {"u1": ["u1"], "a1": ["u1", "a1"], "a2": ["u1", "a1", "u2", "a2"], None: []}[target]
    assert [entry.id for entry in again.get_branch()][: len(path)] == path
    context = [m["role"] for m in again.build_session_context().messages]
    assert context == ["user", "assistant"] * (len(path) // 2) + ["user"] * (len(path) % 2) + (
        ["branchSummary"] if summary else []
    )


def test_a_leaf_move_is_one_write(long_talk: SessionManager, monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    writes = []
    real = os.write
    monkeypatch.setattr(os, "write", lambda fd, data: writes.append(data) or real(fd, data))
    long_talk.move_leaf("u1", "sum", "label")
    assert [data.count(b"\n") for data in writes] == [2]


def test_a_leaf_move_is_refused_when_the_file_has_moved_on(long_talk: SessionManager) -> None:
    assert long_talk.path is not None
    grown = TALK + encode(message("u3", "a2", "from elsewhere"))
    long_talk.path.write_bytes(grown)
    with pytest.raises(LeafMoved) as caught:
        long_talk.move_leaf("u1", expected_leaf="a2")
    assert caught.value.leaf_id == "u3"
    assert unchanged(long_talk, grown)
    assert long_talk.get_leaf_id() == "u3"
    carrier = long_talk.move_leaf("u1", expected_leaf="u3")
    assert added(long_talk, grown)[0]["data"] == {"from": "u3"}
    assert long_talk.get_leaf_id() == carrier


def test_a_leaf_move_with_an_expected_leaf_of_none(tmp_path: Path) -> None:
    session = SessionManager.in_memory(tmp_path)
    carrier = session.move_leaf(None, expected_leaf=None)
    assert session.entry(0).record["data"] == {"from": None}
    with pytest.raises(LeafMoved):
        session.move_leaf(None, expected_leaf=None)
    assert session.get_leaf_id() == carrier


def test_a_leaf_move_to_nowhere_is_refused(long_talk: SessionManager) -> None:
    for move in (lambda: long_talk.move_leaf("zz"), lambda: long_talk.branch_with_summary("zz", "s")):
        with pytest.raises(KeyError, match="Entry zz not found"):
            move()
    assert unchanged(long_talk)
