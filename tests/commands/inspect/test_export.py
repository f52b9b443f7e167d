"""`pitree export`: where it goes, in which format, and what it refuses."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pitree.session.manager.manager import SessionManager
from tests.conftest import Run
from tests.support.records import message


@pytest.fixture
def file(session: Callable[..., Path]) -> Path:
    return session(
        message("u1", None, "one"),
        message("a1", "u1", "two", "assistant"),
        message("u2", "a1", "three \x1b[31m"),
        name="sessions/s.jsonl",
    )


def test_markdown_on_standard_output(run: Run, file: Path) -> None:
    ran = run("export", file)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith("# one\n")
    assert "three ␛" in ran.out
    assert run("export", file, "-o", "-").out == ran.out


def test_up_to_an_entry(run: Run, file: Path) -> None:
    ran = run("export", file, "--at", "a1")
    assert "two" in ran.out
    assert "three" not in ran.out
    assert run("export", "--at", "a", file).out == ran.out


def test_the_ending_tells_the_format_unless_it_is_said(run: Run, file: Path, tmp_path: Path) -> None:
    run("export", file, "-o", tmp_path / "x.html")
    assert (tmp_path / "x.html").read_text().startswith("<!DOCTYPE html>")
    run("export", file, "--format", "html", "--output", tmp_path / "x.txt")
    assert (tmp_path / "x.txt").read_text().startswith("<!DOCTYPE html>")
    ran = run("export", file, "-o", tmp_path / "x.jsonl")
    assert ran.out.startswith(f"{tmp_path / 'x.jsonl'}  3 entries in ")
    assert SessionManager.open(tmp_path / "x.jsonl").get_entry_count() == 3


def test_a_session_is_not_overwritten(run: Run, file: Path) -> None:
    before = file.read_bytes()
    ran = run("export", file, "-o", file)
    assert ran.status == 1
    assert "it is a session" in ran.err
    assert file.read_bytes() == before


def test_what_cannot_be_exported_is_told(run: Run, file: Path, tmp_path: Path) -> None:
    assert "no entry has an id" in run("export", file, "--at", "zz").err
    assert "no folder" in run("export", file, "-o", tmp_path / "no" / "x.md").err
    assert run("export", file, "--format", "pdf").status == 2


def test_an_empty_session(run: Run, session: Callable[..., Path]) -> None:
    path = session()
    for form in ("md", "html", "jsonl"):
        ran = run("export", path, "--format", form)
        assert (ran.status, ran.err) == (0, "")
        assert ran.out
