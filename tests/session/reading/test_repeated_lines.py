"""Lines that equal earlier ones to the byte, as a file has them that was merged with a copy of itself."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pitree.outline.outline import Outline
from pitree.session.format.errors import Notice
from pitree.session.live.follower import Finding, Follower
from pitree.session.manager.manager import SessionManager
from pitree.session.reading import block_pool, file_reader
from tests.conftest import Run
from tests.support.records import HEADER, encode, label, message

Write = Callable[[bytes], Path]

USAGE = {"input": 1, "output": 2, "cacheRead": 3, "cacheWrite": 4, "cost": {"total": 0.5}}
RECORDS: list[dict[str, Any]] = [
    message("u1", None, "say needle"),
    message("a1", "u1", "an answer", "assistant", usage=USAGE, provider="p", model="m"),
    label("l1", "a1", "u1", "mark"),
    message("u2", "l1", "on"),
    label("l2", "u2", "u1", None),
]
PLAIN = encode(HEADER, *RECORDS)
LINES = PLAIN.splitlines(keepends=True)[1:]
TWICE = (
    "this line and 4 more repeat earlier ones byte for byte; shown once, but counted in the "
    "totals, as in Pi's"
)


def state(session: SessionManager) -> tuple[Any, ...]:
    """Entries, leaf, labels and how the tree hangs together."""
    table = session.table
    return (
        list(table.ids),
        list(table.parents),
        list(table.flags),
        session.get_leaf_id(),
        dict(session.labels),
    )


def test_fault_22_a_repeated_line_folds_into_its_twin(write: Write) -> None:
    once, twice = (SessionManager.open(write(data)) for data in (PLAIN, PLAIN + b"".join(LINES)))
    assert state(twice) == state(once)
    assert [row.plain for row in Outline(twice).rows()] == [row.plain for row in Outline(once).rows()]
    assert twice.notices == [Notice("repeated-line", 7, TWICE)]
    assert twice.stats().usage.cost == 2 * once.stats().usage.cost  # as Pi counts
    assert twice.stats().messages == {"user": 4, "assistant": 2}


@pytest.mark.parametrize("place", range(len(LINES)))
def test_fault_22_a_repeat_at_the_end_is_the_leaf(write: Write, place: int) -> None:
    """As in Pi: the last line is the leaf, and what it says of labels counts again."""
    for end in (b"", b"\n"):
        session = SessionManager.open(write(PLAIN + LINES[place].rstrip(b"\n") + end))
        assert session.get_leaf_id() == RECORDS[place]["id"]
        assert ("u1" in session.labels) == (RECORDS[place]["id"] == "l1")
        assert [notice.kind for notice in session.notices].count("repeated-line") == 1
        left_behind = RECORDS[place]["id"] in ("u1", "a1", "l1")
        assert ("left-behind" in [notice.kind for notice in session.notices]) == left_behind
        session.append_session_info("on from here")
        assert session.get_entries()[-1].parent_id == RECORDS[place]["id"]
        session.close()


def test_fault_22_only_equal_lines_fold(write: Write) -> None:
    other = encode(message("u2", "l1", "no"))
    spaced = LINES[0].replace(b'"id": "u1"', b'"id":  "u1"')
    session = SessionManager.open(write(PLAIN + other + spaced))
    assert session.get_entry_count() == 7
    assert [notice.kind for notice in session.notices] == ["repeated-id"] * 2


def test_fault_22_repeats_that_come_while_it_is_open(write: Write) -> None:
    path = write(PLAIN)
    session = SessionManager.open(path)
    follower, outline = Follower(session), Outline(session)
    with path.open("ab") as file:
        file.write(LINES[1])
    look = follower.look()
    assert (look.finding, look.first, look.came) == (Finding.GREW, 5, 1)
    outline.refresh()
    assert outline.leaf == 1
    assert [row.plain for row in outline.rows()][:2] == ["• user: say needle", "• assistant: an answer"]
    with path.open("ab") as file:
        file.write(encode(message("u3", "a1")))
    assert follower.look().came == 1
    assert session.get_leaf_id() == "u3"
    assert state(session) == state(SessionManager.open(path))


def test_fault_22_a_large_file_merged_with_itself(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read by several processes, in blocks, some of which hold repeats and some do not."""
    monkeypatch.setattr(file_reader, "FROM", 1000)
    monkeypatch.setattr(block_pool, "RANGE_BYTES", 2000)
    records = [message(f"m{n}", f"m{n - 1}" if n else None, f"text {n}") for n in range(200)]
    data = encode(HEADER, *records)
    more = data.split(b"\n", 1)[1] + encode(message("end", "m199"))
    session = SessionManager.open(write(data + more))
    once = SessionManager.open(write(data + encode(message("end", "m199"))))
    assert state(session) == state(once)
    assert len(session.table.repeats) == 200
    assert session.entry(100).record["message"]["content"][0]["text"] == "text 100"


def test_fault_22_commands_show_each_entry_once(run: Run, agent: Path) -> None:
    folder = agent / "sessions" / "--w--"
    folder.mkdir(parents=True)
    path = folder / "2026-01-01T00-00-00-000Z_s1.jsonl"
    path.write_bytes(PLAIN + b"".join(LINES))
    assert f"! line 7: {TWICE}" in run("tree", path).out
    assert [row["id"] for row in run("tree", path, "--json").json[0]["rows"]] == ["u1", "a1", "u2"]
    checked = run("check", path)
    assert (checked.status, checked.out.count("repeated-line")) == (1, 1)
    assert [hit["entryId"] for hit in run("search", "--all", "needle", "--json").json] == ["u1"]
    assert run("list", "--all", "--json").json[0]["messageCount"] == 6  # as Pi counts
    exported = run("export", path, "--format", "jsonl").out.splitlines()[1:]
    assert [json.loads(line)["id"] for line in exported] == ["u1", "a1", "u2"]
