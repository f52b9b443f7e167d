"""`pitree stats`: the given JSON, and totals over dead branches, tools, compactions and usage entries."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from pitree.text.cells import cell_len
from tests.conftest import Run
from tests.support.records import message


def usage(cost: float, count: int = 1) -> dict[str, Any]:
    return {
        "input": count,
        "output": 10 * count,
        "cacheRead": 100 * count,
        "cacheWrite": 1000 * count,
        "reasoning": 7,
        "cacheWrite1h": 9,
        "totalTokens": 5,
        "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": cost},
    }


def entry(kind_of_entry: str, entry_id: str, parent: str | None, **more: Any) -> dict[str, Any]:
    time = "2026-01-01T00:00:01.000Z"
    return {"type": kind_of_entry, "id": entry_id, "parentId": parent, "timestamp": time, **more}


CALL = {"type": "toolCall", "id": "c1", "name": "bash", "arguments": {}}


def test_everything_in_the_file_counts(run: Run, session: Callable[..., Path]) -> None:
    path = session(
        message("u1", None),
        message("dead", "u1", role="assistant", provider="p", model="m", usage=usage(1.0)),
        message("a1", "u1", role="assistant", content=[CALL, CALL], usage=usage(2.0)),
        message("t1", "a1", role="toolResult", toolCallId="c1", usage=usage(4.0)),
        entry("usage", "w1", "t1", kind="cache_warm", usage=usage(8.0)),
        entry(
            "compaction", "k1", "w1", summary="s", firstKeptEntryId="k1", tokensBefore=1, usage=usage(16.0)
        ),
        entry("branch_summary", "b1", "u1", fromId="dead", summary="s", usage=usage(32.0)),
        message("u2", "b1", usage=usage(64.0)),
    )
    ran = run("stats", "--json", path)
    assert (ran.status, ran.err) == (0, "")
    assert ran.json == [
        {
            "file": str(path),
            "entries": 8,
            "messages": {"user": 2, "assistant": 2, "toolResult": 1},
            "toolCalls": 2,
            "tokens": {"input": 6, "output": 60, "cacheRead": 600, "cacheWrite": 6000, "total": 6666},
            "cost": 63.0,
            "models": [
                {"model": "Tools/summaries", "tokens": 3333, "cost": 52.0},
                {"model": "?/?", "tokens": 2222, "cost": 10.0},
                {"model": "p/m", "tokens": 1111, "cost": 1.0},
            ],
        }
    ]


def test_text(run: Run, session: Callable[..., Path]) -> None:
    path = session(
        message("u1", None, "first\x1b[2J words"),
        message("a1", "u1", role="assistant", provider="p\x1b[2J", model="日本", usage=usage(1.5)),
        message("a2", "a1", role="assistant", provider="q", model="m", usage=usage(0.5)),
    )
    lines = run("stats", path).out.splitlines()
    assert lines[0] == "first␛ words"
    assert lines[1] == str(path)
    assert [line.split() for line in lines[2:]] == [
        ["entries", "3"],
        ["user", "1"],
        ["assistant", "2"],
        ["tool", "calls", "0"],
        ["tokens", "in", "2"],
        ["tokens", "out", "20"],
        ["cache", "read", "200"],
        ["cache", "write", "2,000"],
        ["total", "tokens", "2,222"],
        ["cost", "$2.00"],
        [],
        ["model", "tokens", "cost"],
        ["p␛/日本", "1,111", "$1.50"],
        ["q/m", "1,111", "$0.50"],
    ]
    for table in (lines[2:12], lines[13:]):
        assert len({cell_len(line) for line in table}) == 1, "figures end in one column"


def test_several_sessions_and_strangers(run: Run, session: Callable[..., Path], tmp_path: Path) -> None:
    good = session(message("u1", None))
    notes = session(b'{"a":1}\n', name="notes.jsonl")
    ran = run("stats", "--json", notes, tmp_path / "none.jsonl", good, tmp_path, "abcdef")
    assert ran.status == 1
    assert [row["file"] for row in ran.json] == [str(good)]
    errors = ran.err.splitlines()
    assert len(errors) == 4
    assert errors[0].startswith(f"pitree: {notes}: not a session: ")
    assert errors[1] == f"pitree: {tmp_path / 'none.jsonl'}: No such file or directory"
    assert errors[2] == f"pitree: {tmp_path}: is a folder"
    assert errors[3].startswith("pitree: abcdef: ")
    assert notes.read_bytes() == b'{"a":1}\n'
