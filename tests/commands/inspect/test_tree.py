"""`pitree tree`: the given JSON, filters, search, and text that shows where things stand."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.support.records import message

Write = Callable[..., Path]
TIME = "2026-01-01T00:00:09.000Z"


def at(second: int) -> str:
    return f"2026-01-01T00:00:{second:02d}.000Z"


@pytest.fixture
def forked(session: Write) -> Path:
    """A question with two answers; the second one's branch holds the leaf, a name and a label."""
    return session(
        message("u1", None, "make it"),
        message("a1", "u1", "first try", role="assistant", timestamp=at(2)),
        message("a2", "u1", "second try", role="assistant", timestamp=at(3)),
        {
            "type": "label",
            "id": "l1",
            "parentId": "a2",
            "timestamp": at(4),
            "targetId": "a2",
            "label": "good",
        },
        {"type": "session_info", "id": "n1", "parentId": "l1", "timestamp": at(5), "name": "It"},
        parentSession="/somewhere/else.jsonl",
    )


def test_json_to_the_letter(run: Run, forked: Path) -> None:
    ran = run("tree", "--json", forked)
    assert (ran.status, ran.err) == (0, "")
    row = {"type": "message", "label": None, "archived": False}
    assert json.loads(ran.out) == {
        "file": str(forked),
        "session": {
            "id": "s1",
            "cwd": "/w",
            "name": "It",
            "version": 3,
            "parentSession": "/somewhere/else.jsonl",
        },
        "leaf": 4,
        "entries": 5,
        "filter": "default",
        "rows": [
            row
            | {"index": 0, "id": "u1", "role": "user", "indent": 0, "onPath": True, "text": "user: make it"},
            row
            | {
                "index": 2,
                "id": "a2",
                "role": "assistant",
                "indent": 1,
                "onPath": True,
                "label": "good",
                "text": "assistant: second try",
            },
            row
            | {
                "index": 1,
                "id": "a1",
                "role": "assistant",
                "indent": 1,
                "onPath": False,
                "text": "assistant: first try",
            },
        ],
        "selected": 2,
        "notices": [],
    }


def test_one_line_a_session(run: Run, forked: Path, session: Write) -> None:
    other = session(message("x", None), name="other.jsonl")
    assert [tree["file"] for tree in run("tree", "--json", forked, other).json] == [str(forked), str(other)]


@pytest.mark.parametrize(
    ("mode", "shown"),
    [
        ("default", ["u1", "a2", "a1"]),
        ("no-tools", ["u1", "a2", "a1"]),
        ("user-only", ["u1"]),
        ("labeled-only", ["a2"]),
        ("all", ["u1", "a2", "l1", "n1", "a1"]),
    ],
)
def test_filters(run: Run, forked: Path, mode: str, shown: list[str]) -> None:
    (tree,) = run("tree", "--json", "--filter", mode, forked).json
    assert tree["filter"] == mode
    assert [row["id"] for row in tree["rows"]] == shown


@pytest.mark.parametrize(
    ("setting", "mode"), [("user-only", "user-only"), ("nonsense", "default"), (7, "default")]
)
def test_the_filter_of_the_settings(run: Run, agent: Path, forked: Path, setting: object, mode: str) -> None:
    (agent / "settings.json").write_text(json.dumps({"treeFilterMode": setting}))
    assert run("tree", "--json", forked).json[0]["filter"] == mode
    assert run("tree", "--json", "--filter", "all", forked).json[0]["filter"] == "all"


def test_search_covers_whole_texts(run: Run, session: Write) -> None:
    path = session(
        message("u1", None, "x" * 500 + " needle here"),
        message("u2", "u1", "nothing"),
        message("u3", "u2", "here a needle"),
    )
    (tree,) = run("tree", "--json", "--search", "NEEDLE here", path).json
    assert [row["id"] for row in tree["rows"]] == ["u1", "u3"]
    (tree,) = run("tree", "--json", "--search", '"needle here"', path).json
    assert [row["id"] for row in tree["rows"]] == ["u1"]
    (tree,) = run("tree", "--json", "--search", "re:here a .eedle", path).json
    assert [row["id"] for row in tree["rows"]] == ["u3"]


def test_fault_26_a_bad_pattern_says_so(run: Run, forked: Path) -> None:
    ran = run("tree", "--json", "--search", "re:(", forked)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("pitree: --search: ")


def test_nothing_shown_has_no_selection(run: Run, forked: Path) -> None:
    ran = run("tree", "--json", "--search", "absent", forked)
    assert (ran.status, ran.json[0]["rows"], ran.json[0]["selected"]) == (0, [], None)
    assert run("tree", "--search", "absent", forked).out.splitlines()[-1] == "  no entry matches"


def test_text(run: Run, forked: Path) -> None:
    assert run("tree", forked).out.splitlines() == [
        "It · /w · 3 of 5 entries",
        str(forked),
        "u1        • user: make it",
        "a2        ├─ • [good] assistant: second try  ← leaf below",
        "a1        └─   assistant: first try",
    ]
    assert (
        run("tree", "--filter", "all", forked).out.splitlines()[5] == "n1        │     • [title: It]  ← leaf"
    )


def test_text_shows_what_is_odd_and_acts_on_nothing(run: Run, session: Write) -> None:
    path = session(message("u1", None, "a\x1b[2J\x07\u202eb"), message("a9", "z\x1bz", "lost"))
    out = run("tree", path).out
    assert "parent z␛z missing" in out
    assert "! line 3: " in out
    assert not set(out) & {"\x1b", "\x07", "\u202e"}


def test_colours_when_forced(run: Run, forked: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    out = run("tree", forked).out
    assert "\x1b[36muser: \x1b[0mmake it" in out
    assert "\x1b[35m[good] \x1b[0m" in out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in run("tree", forked).out


def test_by_id_and_prefix(run: Run, agent: Path, forked: Path) -> None:
    folder = agent / "sessions" / "--w--"
    folder.mkdir(parents=True)
    placed = folder / "2026_s1.jsonl"
    forked.rename(placed)
    for name in ("s1", "s"):
        assert run("tree", "--json", name).json[0]["file"] == str(placed)
