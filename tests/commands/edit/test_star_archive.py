"""`pitree star` and `pitree archive`: what `list` and `tree` make of it; no session is changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Run
from tests.support.records import HEADER, encode, message


@pytest.fixture
def file(agent: Path) -> Path:
    """A session in the store: `a b`, below it the branch `c d` and the branch `e` with the leaf."""
    folder = agent / "sessions" / "--w--"
    folder.mkdir(parents=True)
    found = [message("aa", None), message("bb", "aa"), message("cc", "bb"), message("dd", "cc")]
    path = folder / "2026-01-01T00-00-00-000Z_s1.jsonl"
    path.write_bytes(encode(HEADER, *found, message("ee", "bb")))
    (folder / "2026-01-01T00-00-00-001Z_s2.jsonl").write_bytes(
        encode(HEADER | {"id": "s2"}, message("a", None))
    )
    return path


def ids(ran: Any) -> list[str]:
    return sorted(row["id"] for row in ran.json)


def test_stars(run: Run, file: Path) -> None:
    before = file.read_bytes()
    assert run("list", "--all", "--starred").err == "pitree: no session is starred\n"
    ran = run("star", "s1", "--read-only")
    assert (ran.status, ran.out) == (0, "session starred: hi\n")
    assert ids(run("list", "--all", "--starred", "--json")) == ["s1"]
    assert "★ hi" in run("list", "--all").out
    assert run("star", file, "--remove").out == "star removed: hi\n"
    assert run("list", "--all", "--starred", "--json").json == []
    assert file.read_bytes() == before


def test_an_archived_session_is_left_out_and_told(run: Run, file: Path) -> None:
    run("archive", "s1")
    ran = run("list", "--all", "--json")
    assert ids(ran) == ["s2"]
    assert ran.err == "pitree: 1 archived not shown; --archived lists them too\n"
    ran = run("list", "--all", "--archived")
    assert "hi (archived)" in ran.out
    assert [row["archived"] for row in run("list", "--all", "--archived", "--json", "hi").json].count(
        True
    ) == 1
    assert [line.endswith("archived") for line in run("search", "--all", "hi").out.splitlines()].count(
        True
    ) == 1
    run("archive", "s1", "--restore")
    assert ids(run("list", "--all", "--json")) == ["s1", "s2"]


def test_an_archived_branch_is_marked(run: Run, file: Path) -> None:
    before = file.read_bytes()
    assert run("archive", "s1", "d").out == "branch archived: cc  user: hi\n"
    rows = {row["id"]: row["archived"] for row in run("tree", "s1", "--json").json[0]["rows"]}
    assert rows == {"aa": False, "bb": False, "ee": False, "cc": True, "dd": True}
    assert run("tree", "s1").out.count("(archived)") == 1
    assert run("archive", "s1", "dd", "--restore").out == "branch restored from the archive: cc  user: hi\n"
    ran = run("archive", "s1", "dd", "--restore")
    assert (ran.status, ran.err.endswith("the branch is not archived\n")) == (1, True)
    assert file.read_bytes() == before


@pytest.mark.parametrize("entry", ["leaf", "aa"])
def test_the_branch_that_pi_goes_on_in_stays(run: Run, file: Path, entry: str) -> None:
    ran = run("archive", "s1", entry)
    assert ran.status == 1
    assert "this is the branch of the leaf" in ran.err
