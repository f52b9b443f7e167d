"""`pitree check`: findings with their lines, harmless ones told apart, files untouched."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pitree.commands.findings import HARMLESS, MOST_OF_A_KIND, PI_DOES, findings
from pitree.session import SessionManager
from tests.conftest import Run
from tests.support.records import HEADER, encode, message

Write = Callable[..., Path]
TIME = "2026-01-01T00:00:01.000Z"
DATA = Path(__file__).parents[2] / "data"


def entry(type_: str, entry_id: str, parent: str | None, **more: Any) -> dict[str, Any]:
    return {"type": type_, "id": entry_id, "parentId": parent, "timestamp": TIME, **more}


def kinds(*records: dict[str, Any]) -> list[tuple[str, int | None]]:
    return [(n.kind, n.line) for n in findings(SessionManager.in_memory(entries=records))]


@pytest.mark.parametrize(
    ("record", "kind"),
    [
        (message("x", "zz"), "missing-parent"),
        (message("u", None), "repeated-line"),
        (message("u", None, "again"), "repeated-id"),
        (message("x", "u", timestamp="yesterday"), "bad-time"),
        (entry("label", "x", "u", targetId="zz", label="l"), "missing-target"),
        (entry("context_edit", "x", "u", targetId=7, replacement=None), "missing-target"),
        (entry("compaction", "x", "u", summary="", firstKeptEntryId="zz", tokensBefore=1), "missing-kept"),
        (entry("compaction", "x", "u", summary="", tokensBefore=1), "missing-kept"),
        (entry("hologram", "x", "u"), "unknown-type"),
    ],
)
def test_each_kind_is_found_at_its_line(record: dict[str, Any], kind: str) -> None:
    found = kinds(message("u", None), record)
    assert [name for name, _ in found] == [kind]
    assert found[0][1] in (2, 3)
    assert kind in PI_DOES


def test_calls_without_result() -> None:
    call = {"type": "toolCall", "name": "bash", "arguments": {}}
    asked = message("a", None, role="assistant", content=[call | {"id": "c1"}, call | {"id": "c2"}])
    assert kinds(asked, message("t", "a", role="toolResult", toolCallId="c2")) == [("no-result", 2)]


def test_a_sound_session_has_no_findings() -> None:
    assert (
        kinds(
            message("u", None),
            entry("compaction", "k", "u", summary="", firstKeptEntryId="k", tokensBefore=1),
            entry("label", "l", "k", targetId="u"),
            entry("usage", "w", "l", kind="x", usage={}),
        )
        == []
    )


def test_many_findings_are_counted() -> None:
    records = [entry("hologram", f"x{n}", None) for n in range(MOST_OF_A_KIND + 30)]
    found = findings(SessionManager.in_memory(entries=records))
    assert len(found) == MOST_OF_A_KIND + 1
    assert found[-1].message == "30 more of the kind unknown-type"


def test_report_and_status(run: Run, session: Write) -> None:
    bad = encode(HEADER, message("u1", None)) + b"{oops\n" + encode(message("a9", "zz"), message("a8", "zz"))
    ran = run("check", session(bad, name="bad.jsonl"))
    assert (ran.status, ran.err) == (1, "")
    lines = ran.out.splitlines()
    assert lines[0].endswith("bad.jsonl  3 entries, version 3: 3 problems")
    assert [line.split()[:3] for line in lines[1:]] == [
        ["line", "3", "bad-json"],
        ["Pi:", "skips", "the"],
        ["line", "4", "missing-parent"],
        ["Pi:", "shows", "the"],
        ["line", "5", "missing-parent"],
    ]
    assert "zz" in lines[3]


def test_all_is_well(run: Run, session: Write) -> None:
    ran = run("check", session(message("u1", None)))
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.endswith("s.jsonl  1 entry, version 3: no problems\n")


@pytest.mark.parametrize("name", ["v1-compaction", "v1-long", "v2", "v3-generated-9001", "v3-generated-9002"])
def test_files_of_pi_have_no_problems_and_stay_as_they_are(run: Run, name: str) -> None:
    path = DATA / f"{name}.jsonl"
    before = path.read_bytes(), path.stat().st_mtime_ns
    ran = run("check", path)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.splitlines()[0].endswith(": no problems")
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before


def test_one_bad_file_does_not_hide_the_others(run: Run, session: Write, tmp_path: Path) -> None:
    good = session(message("u1", None))
    ran = run("check", tmp_path / "none.jsonl", session(b"[1, 2]\n", name="array.jsonl"), good)
    assert ran.status == 1
    assert len(ran.err.splitlines()) == 2
    assert ran.out.startswith(str(good))


def test_harmless_kinds_are_known_kinds() -> None:
    assert set(PI_DOES) > HARMLESS


KEPT = (
    message("u1", None),
    message("a1", "u1", role="assistant"),
    message("side", "a1"),
    message("u2", "a1"),
    entry("compaction", "k", "u2", summary="", firstKeptEntryId="side", tokensBefore=1000),
    entry("context_edit", "e", "k", targetId="side", replacement=None),
)
"""A compaction that names a first kept entry of another branch, and an edit of that entry."""


def test_fault_14_a_kept_entry_of_another_branch_is_told(run: Run, session: Write) -> None:
    path = session(*KEPT)
    checked = run("check", path)
    assert checked.status == 1
    assert "compaction k: its first kept entry side is not on its branch" in checked.out
    assert "context edit e: its target side is not on its branch" in checked.out
    shown = run("show", path, "k").out
    assert "nothing before it is kept: its first kept entry, user “hi”, is not on its branch" in shown
    row = next(line for line in run("tree", path).out.splitlines() if "[compaction" in line)
    assert "! first kept entry is not on its branch" in row
    assert [item.id for item in SessionManager.open(path).build_context_entries("k")] == ["k"]


@pytest.mark.parametrize(("kept", "mark"), [("u1", ""), ("k", ""), (None, ""), ("e", "!"), ("gone", "!")])
def test_fault_14_only_compactions_that_lose_something_are_marked(
    run: Run, session: Write, kept: str | None, mark: str
) -> None:
    """Named on the branch before it, itself, or nobody: no mark; below it or nowhere: a mark."""
    records = [*KEPT[:4], KEPT[4] | {"firstKeptEntryId": kept}, KEPT[5]]
    row = next(line for line in run("tree", session(*records)).out.splitlines() if "[compaction" in line)
    assert ("! first kept entry is not on its branch" in row) == bool(mark)
