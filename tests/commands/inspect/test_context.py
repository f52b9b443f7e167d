"""`pitree context`: the given JSON, in the order of the projection, with compaction and edits applied."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.conftest import Run
from tests.support.records import message

TIME = "2026-01-01T00:00:01.000Z"


def entry(type_: str, entry_id: str, parent: str | None, **more: Any) -> dict[str, Any]:
    return {"type": type_, "id": entry_id, "parentId": parent, "timestamp": TIME, **more}


def test_the_newest_compaction_comes_first(run: Run, session: Callable[..., Path]) -> None:
    path = session(
        message("u1", None, "gone"),
        entry("thinking_level_change", "l1", "u1", thinkingLevel="high"),
        message("u2", "l1", "kept"),
        message("a2", "u2", "edited", role="assistant", provider="p", model="m"),
        entry("compaction", "k1", "a2", summary="so far", firstKeptEntryId="u2", tokensBefore=9),
        entry("context_edit", "e1", "k1", targetId="a2", replacement={"content": "shorter"}),
        entry("context_edit", "e2", "e1", targetId="u2", replacement=None),
        message("u3", "e2", "now"),
    )
    ran = run("context", "--json", path)
    assert (ran.status, ran.err) == (0, "")
    (found,) = ran.json
    assert list(found) == ["file", "entries", "messages", "model", "thinkingLevel"]
    assert found["file"] == str(path)
    assert found["entries"] == [
        {"index": 4, "roles": ["compactionSummary"]},
        {"index": 2, "roles": []},
        {"index": 3, "roles": ["assistant"]},
        {"index": 5, "roles": []},
        {"index": 6, "roles": []},
        {"index": 7, "roles": ["user"]},
    ]
    assert found["model"] == {"provider": "p", "modelId": "m"}
    assert found["thinkingLevel"] == "high"
    assert found["messages"] == [
        {"role": "compactionSummary", "summary": "so far", "tokensBefore": 9, "timestamp": 1767225601000},
        {
            "role": "assistant",
            "content": [{"type": "text", "text": "shorter"}],
            "provider": "p",
            "model": "m",
        },
        {"role": "user", "content": [{"type": "text", "text": "now"}]},
    ]


def test_nothing_at_all(run: Run, session: Callable[..., Path]) -> None:
    (found,) = run("context", "--json", session(b"")).json
    assert found == {
        "file": found["file"],
        "entries": [],
        "messages": [],
        "model": None,
        "thinkingLevel": "off",
    }


def test_text_has_a_line_a_message(run: Run, session: Callable[..., Path]) -> None:
    call = {"type": "toolCall", "id": "c", "name": "read", "arguments": {"path": "x.py"}}
    path = session(
        message("u1", None, "one\n  two\x1b[2J"),
        message("a1", "u1", role="assistant", content=[call]),
        message("a2", "a1", "", role="assistant", stopReason="error", errorMessage="529 overloaded"),
    )
    title, file, *lines = run("context", path).out.splitlines()
    assert title == "one   two␛ · 3 messages · no model · thinking off"
    assert file == str(path)
    assert [line.split(maxsplit=2) for line in lines] == [
        ["u1", "user", "one two␛"],
        ["a1", "assistant", "[read: x.py]"],
        ["a2", "assistant", "529 overloaded"],
    ]
    assert len({line.index(line.split(maxsplit=2)[2]) for line in lines}) == 1
