"""JSONL exports: sessions of their own, with one branch and its labels."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pitree.entry.export.formats import session_lines
from pitree.session.format.errors import SessionError
from pitree.session.manager.manager import SessionManager
from tests.entry.export.conftest import harmful_session, rich_story
from tests.support.hostile_markdown import HOSTILE


def exported(session: SessionManager, path: Path, end: str | None = None) -> SessionManager:
    index = session.leaf_index if end is None else session.table.by_id[end]
    path.write_bytes(b"".join(session_lines(session, index)))
    return SessionManager.open(path)


def test_an_export_is_a_session_with_the_branch_and_its_labels(rich: SessionManager, tmp_path: Path) -> None:
    made = exported(rich, tmp_path / "x.jsonl")
    kept = [entry.id for entry in rich.get_branch() if entry.type != "label"]
    assert [entry.id for entry in made.get_branch()][:-1] == kept
    assert [label.text for label in made.labels.values()] == ["checkpoint"]
    assert made.get_label("u2") == "checkpoint"
    assert made.notices == []
    assert made.build_session_context() == rich.build_session_context()


def test_its_id_is_new_and_it_names_no_file_of_this_machine(tmp_path: Path) -> None:
    source = rich_story().write(tmp_path / "source.jsonl")
    session = SessionManager.open(source)
    made = exported(session, tmp_path / "x.jsonl")
    assert made.get_session_id() != session.get_session_id()
    assert made.get_cwd() == session.get_cwd()
    assert made.get_parent_session() is None
    assert str(tmp_path) not in (tmp_path / "x.jsonl").read_text()


def test_a_branch_that_ends_elsewhere(rich: SessionManager, tmp_path: Path) -> None:
    made = exported(rich, tmp_path / "x.jsonl", "left")
    leaf = made.get_leaf_entry()
    assert leaf is not None
    assert leaf.id == "left"
    assert made.labels == {}


def test_exporting_an_export_changes_nothing_but_the_header_and_label_ids(
    rich: SessionManager, tmp_path: Path
) -> None:
    once = exported(rich, tmp_path / "1.jsonl")
    twice = exported(once, tmp_path / "2.jsonl")
    bodies = [
        [
            {name: value for name, value in json.loads(line).items() if name not in ("id", "parentId")}
            for line in path.read_bytes().splitlines()[1:]
        ]
        for path in (tmp_path / "1.jsonl", tmp_path / "2.jsonl")
    ]
    assert bodies[0] == bodies[1]
    assert twice.get_entry_count() == once.get_entry_count()


@pytest.mark.parametrize("kind", HOSTILE)
def test_what_is_hostile_comes_back_as_it_was(kind: str, tmp_path: Path) -> None:
    session = harmful_session(HOSTILE[kind])
    made = exported(session, tmp_path / "x.jsonl")
    assert made.notices == []
    before = [e.record.get("message") for e in session.get_branch() if e.type == "message"]
    assert [e.record.get("message") for e in made.get_branch() if e.type == "message"] == before
    for line in (tmp_path / "x.jsonl").read_bytes().rstrip(b"\n").split(b"\n"):
        json.loads(line.decode())


def test_a_file_rewritten_meanwhile_is_told(tmp_path: Path) -> None:
    source = rich_story().write(tmp_path / "source.jsonl")
    session = SessionManager.open(source)
    source.write_bytes(b"{}\n")
    with pytest.raises(SessionError, match="rewritten"):
        list(session_lines(session, session.leaf_index))
