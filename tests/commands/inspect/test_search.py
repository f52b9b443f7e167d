"""`pitree search` and `pitree index`: what they print, with an index and without, and beside a pitree."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pitree.query.index.index import index_folder
from pitree.query.index.index_update import index_lock
from tests.conftest import Ran
from tests.support.records import message


@pytest.fixture(autouse=True)
def talk(session: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, agent: Path) -> Path:
    """A session with a question and an answer, in a folder of its own."""
    monkeypatch.setenv("PI_CODING_AGENT_SESSION_DIR", str(tmp_path / "sessions"))
    return session(
        message("u1", None, "where is\nthe Foo.bar() \x1b[31mcall"),
        message("a1", "u1", "in a/b/c.py", "assistant"),
        {
            "type": "session_info",
            "id": "n1",
            "parentId": "a1",
            "timestamp": "2026-03-01T10:00:00Z",
            "name": "calls",
        },
        name="sessions/s.jsonl",
        cwd=str(agent.parent / "project"),
    )


def test_hits_by_session(run: Callable[..., Ran]) -> None:
    ran = run("search", "foo.ba")
    assert ran.status == 0, ran.err
    title, hit = ran.out.splitlines()
    assert title.startswith("calls  ")
    assert hit.split()[0] == "user"
    assert "the Foo.bar() " in hit
    assert "\x1b" not in ran.out


def test_json(run: Callable[..., Ran], talk: Path) -> None:
    hit: dict[str, Any] = json.loads(run("search", "c.py", "--json").out)
    assert hit["path"] == str(talk)
    assert (hit["entryId"], hit["role"], hit["name"], hit["line"]) == (
        "a1",
        "assistant",
        "calls",
        "in a/b/c.py",
    )
    assert [hit["line"][start:end] for start, end in hit["spans"]] == ["c.py"]


def test_without_an_index_nothing_is_kept(run: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Foo.bar" in run("search", "--no-index", "foo").out
    monkeypatch.setenv("PITREE_NO_INDEX", "1")
    assert "Foo.bar" in run("search", "foo").out
    assert not index_folder().exists()


@pytest.mark.parametrize(
    "query",
    ["after:xyz", "before:2026-13-40", "foo after:", "role:nobody foo", "-role:user foo", "dir:", "", " "],
)
def test_fault_26_a_query_that_is_not_understood_is_a_usage_error(
    run: Callable[..., Ran], query: str
) -> None:
    ran = run("search", query)
    assert (ran.status, ran.out) == (2, "")
    (line,) = ran.err.splitlines()
    assert line.startswith("pitree: QUERY: ")
    assert query.split()[0] in line if "after:xyz" in query else True


def test_fault_26_all_that_is_not_understood_is_said_in_one_line(run: Callable[..., Ran]) -> None:
    ran = run("search", "role:nobody after:soon foo")
    assert (ran.status, ran.out) == (2, "")
    (line,) = ran.err.splitlines()
    assert "role:nobody" in line
    assert "after:soon" in line


@pytest.mark.parametrize(
    "words",
    [
        "foo -cluster",
        "-cluster foo --json",
        "--json foo -cluster",
        "--limit 5 foo -cluster after:2026-01-01",
        "foo -cluster -x -o -1 --limit 5",
        "--json -- foo -cluster",
        "--all -- -cluster foo",
    ],
)
def test_fault_17_words_with_a_dash_are_part_of_the_query(run: Callable[..., Ran], words: str) -> None:
    ran = run("search", *words.split())
    assert (ran.status, ran.err) == (0, "")
    assert "Foo.bar" in ran.out
    without = run("search", *words.replace("-cluster", "-where").split())
    assert (without.status, without.out) == (0, "")


def test_fault_17_words_that_look_like_options_stand_after_two_dashes(
    run: Callable[..., Ran], session: Callable[..., Path]
) -> None:
    session(message("u9", None, "run it with --json and -h"), name="sessions/o.jsonl", cwd=str(Path.cwd()))
    for words in (["--", "--json"], ["--", "with", "--json"], ["--", "-h", "--all"], ["--all", "--", "with"]):
        ran = run("search", *words)
        assert ran.status == 0
        assert ("--json and" in ran.out) is (words[1:] != ["-h", "--all"])
    assert run("search", "foo", "--nonsense").status == 2
    assert run("search", "-h").out.startswith("usage: pitree search")


def test_only_this_folder_unless_all_are_asked_for(
    run: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    ran = run("search", "foo")
    assert (ran.out, ran.status) == ("", 0)
    assert "--all" in ran.err
    assert "Foo.bar" in run("search", "--all", "foo").out


def test_limit(run: Callable[..., Ran]) -> None:
    ran = run("search", "--limit", "1", "role:user role:assistant")
    assert "c.py" in ran.out
    assert "Foo" not in ran.out
    assert "stopped after 1 match" in ran.err
    assert "where is" in run("search", "--limit", "0", "role:user role:assistant").out


def test_status_and_clear(run: Callable[..., Ran]) -> None:
    assert "0 of 1 sessions" in run("index", "--status").out
    assert "1 of 1 sessions" in run("index").out
    assert "up to date" in run("index", "--status").out
    assert run("index", "--clear").status == 0
    assert "0 of 1 sessions" in run("index", "--status").out


def test_beside_a_pitree_that_makes_the_index(run: Callable[..., Ran], talk: Path) -> None:
    run("index")
    with talk.open("ab") as file:
        file.write(
            b'{"type":"message","id":"u2","parentId":"n1","message":{"role":"user","content":"fresh foo"}}\n'
        )
    with index_lock(index_folder()) as ours:
        assert ours
        ran = run("search", "foo")
        assert "fresh foo" in ran.out
        assert "Foo.bar" in ran.out
        assert run("index").status == 1
        assert run("index", "--clear").status == 1


def test_fault_19_links_in_output_are_found_by_text_and_address(
    run: Callable[..., Ran], session: Callable[..., Path]
) -> None:
    printed = "\x1b]0;hidden\x07\x1b]8;;https://a.org/manual\x1b\\the \x1b[1mdo\x1b[0mcs\x1b]8;;\x1b\\"
    session(
        message("u9", None, "go"),
        message("t9", "u9", role="toolResult", content=[{"type": "text", "text": printed}], toolName="bash"),
        name="sessions/o.jsonl",
        cwd=str(Path.cwd()),
    )
    for options in ((), ("--no-index",)):
        for query in ('"the docs"', "manual", "a.org"):
            assert "the docs (https://a.org/manual)" in run("search", *options, query).out
        assert run("search", *options, "hidden").out == ""
        assert run("search", *options, "8").out == ""
