"""`pitree show`: finding an entry, its JSON, and its text with nothing left out and nothing that acts."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.support.records import message

Write = Callable[..., Path]


@pytest.fixture
def three(session: Write) -> Path:
    label = {"type": "label", "id": "cc33", "parentId": "bb22", "timestamp": "2026-01-01T00:00:02.000Z"}
    return session(
        message("aa11", None, "a question"),
        message("ab12", "aa11", "an answer", role="assistant"),
        message("bb22", "aa11", "another answer", role="assistant"),
        label | {"targetId": "aa11", "label": "start"},
    )


@pytest.mark.parametrize(
    ("name", "index"), [("aa11", 0), ("aa", 0), ("ab", 1), ("b", 2), ("leaf", 3), ("cc33", 3)]
)
def test_an_entry_by_id_prefix_or_leaf(run: Run, three: Path, name: str, index: int) -> None:
    ran = run("show", "--json", three, name)
    assert (ran.status, ran.err) == (0, "")
    assert [row["index"] for row in ran.json] == [index]


def test_json_holds_place_and_record(run: Run, three: Path) -> None:
    assert run("show", three, "aa", "--json").json == [
        {
            "file": str(three),
            "index": 0,
            "line": 2,
            "id": "aa11",
            "parentId": None,
            "type": "message",
            "role": "user",
            "timestamp": "2026-01-01T00:00:01.000Z",
            "label": "start",
            "onPath": True,
            "record": message("aa11", None, "a question"),
        }
    ]
    assert run("show", three, "ab", "--json").json[0]["onPath"] is False


@pytest.mark.parametrize(
    ("name", "words"),
    [("zz", "no entry has an id that starts with 'zz'"), ("a", "2 entries"), ("", "no entry")],
)
def test_an_entry_that_cannot_be_told(run: Run, three: Path, name: str, words: str) -> None:
    ran = run("show", three, name)
    assert (ran.status, ran.out) == (1, "")
    assert ran.err.startswith(f"pitree: {three}: {words}")


def test_several_matches_are_named(run: Run, three: Path) -> None:
    assert "aa11, ab12" in run("show", three, "a").err


def test_an_empty_session_has_no_leaf(run: Run, session: Write) -> None:
    ran = run("show", session(b""), "leaf")
    assert ran.status == 1
    assert "no leaf" in ran.err


def test_the_last_entry_with_an_id_counts(run: Run, session: Write) -> None:
    path = session(message("aa", None, "old"), message("aa", None, "new"))
    assert run("show", path, "aa", "--json").json[0]["index"] == 1


def test_text_is_whole_and_harmless(run: Run, session: Write) -> None:
    command = "echo " + "x" * 3000
    call = {"type": "toolCall", "id": "c1", "name": "bash", "arguments": {"command": command}}
    thinking = {"type": "thinking", "thinking": "let me think"}
    path = session(
        message("u1", None, "please\x1b]0;title\x07\u202e run"),
        message("a1", "u1", role="assistant", content=[thinking, {"type": "text", "text": "yes"}, call]),
        message(
            "t1", "a1", "the \x1b[31mred\x1b[0m result", role="toolResult", toolCallId="c1", toolName="bash"
        ),
    )
    out = run("show", path, "a1").out
    assert "x" * 3000 in out
    assert "let me think" in out
    assert "yes" in out
    assert "red" in out, "the result stands with its call"
    everything = out + run("show", path, "u1").out + run("show", path, "t1").out
    assert not {c for c in everything if c < " " and c != "\n"}
    assert "\u202e" not in everything


def test_facts_stand_together_and_parts_apart(run: Run, three: Path) -> None:
    lines = run("show", three, "aa").out.splitlines()
    assert lines[0].startswith("user  ")
    assert "[start]" in lines[1]
    assert lines[2:5] == ["", "a question", ""]
    assert lines[-1] != ""


def test_fault_19_output_shows_links_and_no_bare_escapes(run: Run, session: Write) -> None:
    printed = "\x1b]0;t\x07\x1b[31mred\x1b[0m \x1b]8;;https://a.org/d\x1b\\the docs\x1b]8;;\x1b\\\n1%\r2%"
    path = session(
        message("u1", None, "go"),
        message("t1", "u1", role="toolResult", content=[{"type": "text", "text": printed}], toolName="bash"),
    )
    ran = run("show", path, "t1")
    assert (ran.status, ran.err) == (0, "")
    assert "red the docs (https://a.org/d)\n" in ran.out
    assert "  2%\n" in ran.out or "\n2%\n" in ran.out
    assert not set(ran.out) & set("␛␇\x1b\r")
    ran = run("context", path)
    assert ran.out.rstrip().endswith("red the docs (https://a.org/d) 2%")
