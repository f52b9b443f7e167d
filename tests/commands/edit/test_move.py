"""`pitree move`: where the leaf goes, what is handed back, when it is refused."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pitree.session.manager.appends import LEAF_TYPE
from pitree.session.manager.manager import SessionManager
from tests.commands.conftest import LATER, added
from tests.conftest import Run
from tests.support.records import message

Write = Callable[..., Path]


def context(run: Run, path: Path) -> list[int]:
    (made,) = run("context", "--json", path).json
    return [entry["index"] for entry in made["entries"] if entry["roles"]]


def test_move_after_an_entry(run: Run, talk: Path) -> None:
    before = talk.read_bytes()
    ran = run("move", talk, "a1")
    assert (ran.status, ran.out, ran.err) == (0, "leaf moved: after a1  assistant: two\n", "")
    (record,) = added(talk, before)
    assert list(record) == ["type", "customType", "data", "id", "parentId", "timestamp"]
    assert (record["customType"], record["data"], record["parentId"]) == (LEAF_TYPE, {"from": "c1"}, "a1")
    assert context(run, talk) == [0, 1]


def test_move_to_a_user_message_goes_before_it_and_hands_its_text_back(run: Run, talk: Path) -> None:
    before = talk.read_bytes()
    ran = run("move", talk, "u2")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        "leaf moved: before u2  user: three lines ␛and colour",
        "that is, after a1  assistant: two",
        "to edit and resend:",
        "",
        "three",
        "lines ␛and colour",
        "",
    ]
    assert added(talk, before)[0]["parentId"] == "a1"
    before = talk.read_bytes()
    (made,) = run("move", "--json", talk, "u1").json
    assert made == {"file": str(talk), "entries": added(talk, before), "text": "one"}
    assert made["entries"][0]["parentId"] is None
    assert context(run, talk) == []


def test_move_to_a_custom_message_goes_before_it(run: Run, talk: Path) -> None:
    run("move", talk, "a1")
    (made,) = run("move", "--json", talk, "c1").json
    assert (made["entries"][0]["parentId"], made["text"]) == ("a2", "3 of 5")


def test_move_to_the_root(run: Run, talk: Path) -> None:
    ran = run("move", talk, "root")
    assert (ran.status, ran.out) == (0, "leaf moved: before any entry\n")
    assert context(run, talk) == []
    assert SessionManager.open(talk).get_entries()[-1].parent_id is None


def test_an_entry_called_root_is_an_entry(run: Run, session: Write) -> None:
    path = session(message("root", None, role="assistant"), message("u", "root"))
    assert run("move", "--json", path, "root").json[0]["entries"][0]["parentId"] == "root"


@pytest.mark.parametrize(("records", "entry"), [((), "root"), ((message("a", None, role="assistant"),), "a")])
def test_at_the_leaf_there_is_nowhere_to_go(run: Run, session: Write, records: Any, entry: str) -> None:
    path = session(*records)
    before = path.read_bytes()
    ran = run("move", path, entry, "--summary", "x")
    assert (ran.status, ran.out) == (0, "this is already the leaf; nothing was written\n")
    assert run("move", path, entry, "--json").json == [{"file": str(path), "entries": []}]
    assert path.read_bytes() == before


def test_move_with_a_summary_and_a_label(run: Run, talk: Path) -> None:
    before = talk.read_bytes()
    ran = run("move", "--json", talk, "a1", "--summary", " tried \n", "--label", "a\nb")
    summary, label = added(talk, before)
    assert ran.json == [{"file": str(talk), "entries": [summary, label]}]
    assert list(summary) == ["type", "id", "parentId", "timestamp", "fromId", "summary", "details"]
    assert (summary["parentId"], summary["fromId"], summary["summary"]) == ("a1", "c1", "tried")
    assert summary["details"] == {"readFiles": [], "modifiedFiles": ["src/a.py"]}
    assert (label["targetId"], label["parentId"], label["label"]) == (summary["id"], summary["id"], "a b")
    assert context(run, talk) == [0, 1, 5]


def test_move_with_a_label_only_labels_the_new_leaf(run: Run, talk: Path) -> None:
    (made,) = run("move", "--json", talk, "u2", "--label", "again").json
    assert [entry["type"] for entry in made["entries"]] == ["custom", "label"]
    assert made["entries"][1]["targetId"] == "a1"


class Stdin(io.TextIOWrapper):
    """Standard input that holds some bytes; something happens as they are read."""

    def __init__(self, data: bytes, meanwhile: Callable[[], object] = lambda: None) -> None:
        class Raw(io.BytesIO):
            def read(self, size: int | None = -1) -> bytes:
                meanwhile()
                return super().read(size)

        super().__init__(Raw(data), encoding="ascii")


def test_a_summary_from_standard_input(run: Run, talk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", Stdin("two\nlines, é\n".encode()))
    ran = run("move", "--json", talk, "root", "--summary", "-")
    assert ran.json[0]["entries"][0]["summary"] == "two\nlines, é"


@pytest.mark.parametrize(
    ("given", "data", "status", "words"),
    [
        ("-", b" \n", 2, "--summary: empty; nothing was written"),
        ("", b"", 2, "--summary: empty; nothing was written"),
        (
            "-",
            b"\xff\n",
            1,
            "FILE: nothing was written: --summary: standard input is not UTF-8",
        ),
    ],
)
def test_fault_26_a_summary_that_cannot_be_used(
    run: Run, talk: Path, monkeypatch: pytest.MonkeyPatch, given: str, data: bytes, status: int, words: str
) -> None:
    before = talk.read_bytes()
    monkeypatch.setattr(sys, "stdin", Stdin(data))
    ran = run("move", talk, "a1", "--summary", given)
    assert (ran.status, ran.err) == (status, f"pitree: {words}\n".replace("FILE", str(talk)))
    assert talk.read_bytes() == before


def test_a_move_is_refused_once_the_session_has_gone_on(
    run: Run, talk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def go_on() -> None:
        with talk.open("ab") as file:
            file.write(LATER)

    before = talk.read_bytes()
    monkeypatch.setattr(sys, "stdin", Stdin(b"summary", go_on))
    ran = run("move", talk, "a1", "--summary", "-")
    assert (ran.status, ran.out) == (1, "")
    assert ran.err.startswith(f"pitree: {talk}: nothing was written: the session has grown")
    assert "its leaf is now at a3" in ran.err
    assert talk.read_bytes() == before + LATER
