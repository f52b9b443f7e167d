"""The bundled demo: its files hold every kind of entry, and a copy looks as if it had just been written."""

from datetime import UTC, datetime, timedelta
from itertools import chain
from pathlib import Path
from typing import Any

import orjson
import pytest

from pitree.demo import SESSIONS, copy_store, from_iso, iso, main_project
from pitree.pi.places import folder_name

NOW = datetime(2031, 5, 17, 9, 30, tzinfo=UTC)
KEPT = sorted(SESSIONS.glob("*/*.jsonl"))


def records(file: Path) -> list[dict[str, Any]]:
    return [orjson.loads(line) for line in file.read_bytes().splitlines()]


@pytest.fixture(scope="module")
def everything() -> list[dict[str, Any]]:
    return [record for file in KEPT for record in records(file)]


def test_size_and_number() -> None:
    assert 6 <= len(KEPT) <= 9
    assert 2 <= len({f.parent for f in KEPT}) <= 3
    assert sum(f.stat().st_size for f in KEPT) < 400_000


def test_holds_every_kind_of_entry(everything: list[dict[str, Any]]) -> None:
    kinds = {r["type"] for r in everything}
    assert kinds == {
        "session", "message", "model_change", "thinking_level_change", "usage", "compaction", "context_edit",
        "branch_summary", "custom", "custom_message", "label", "session_info",
    }  # fmt: skip
    assert {r["display"] for r in everything if r["type"] == "custom_message"} == {True, False}
    assert {r["replacement"] is None for r in everything if r["type"] == "context_edit"} == {True, False}
    assert any(r["type"] == "session_info" and r["name"] == "" for r in everything)
    assert any(r["type"] == "label" and "label" not in r for r in everything)


def test_holds_every_kind_of_message(everything: list[dict[str, Any]]) -> None:
    messages = [r["message"] for r in everything if r["type"] == "message"]
    assert {m["role"] for m in messages} == {
        "system", "user", "assistant", "toolResult", "bashExecution", "hookMessage",
    }  # fmt: skip
    assert {m["stopReason"] for m in messages if m["role"] == "assistant"} == {
        "stop", "toolUse", "error", "aborted", "length",
    }  # fmt: skip
    tools = {m["toolName"] for m in messages if m["role"] == "toolResult"}
    assert tools == {"read", "bash", "edit", "write", "grep", "find", "ls", "explore"}
    blocks = [b["type"] for m in messages if isinstance(m.get("content"), list) for b in m["content"]]
    assert set(blocks) == {"text", "thinking", "toolCall", "image"}
    answered = {m["toolCallId"] for m in messages if m["role"] == "toolResult"}
    called = {
        b["id"] for m in messages if m["role"] == "assistant" for b in m["content"] if b["type"] == "toolCall"
    }
    assert answered < called, "one call stays without a result"


def test_versions() -> None:
    assert sorted(str(records(f)[0].get("version")) for f in KEPT) == ["2"] + ["3"] * 7 + ["None"]


@pytest.mark.parametrize("file", KEPT, ids=lambda f: f.name[:19])
def test_parents_and_kept_entries_are_there(file: Path) -> None:
    header, *entries = records(file)
    if "version" not in header:
        assert not any("id" in entry or "parentId" in entry for entry in entries)
        return
    # A fork leaves behind the branch that a summary in it tells of.
    keys = (
        ("targetId", "firstKeptEntryId")
        if "parentSession" in header
        else ("targetId", "firstKeptEntryId", "fromId")
    )
    seen: set[str | None] = {None}
    for entry in entries:
        assert entry["parentId"] in seen
        assert entry["id"] not in seen
        seen.add(entry["id"])
        assert all(entry[key] in seen for key in keys if key in entry)


def test_copy_moves_every_time_by_the_same(tmp_path: Path) -> None:
    agent = copy_store(tmp_path, NOW)
    copies = sorted(agent.glob("sessions/*/*.jsonl"), key=lambda f: f.name)
    before = [records(f) for f in sorted(KEPT, key=lambda f: f.name)]
    after = [records(f) for f in copies]
    assert [len(s) for s in before] == [len(s) for s in after]
    shifts = set()
    for old, new in zip(chain(*before), chain(*after), strict=True):
        shifts.add(from_iso(new["timestamp"]) - from_iso(old["timestamp"]))
        if "message" in old:
            shifts.add(new["message"]["timestamp"] - old["message"]["timestamp"])
    assert len(shifts) == 1
    newest = max(from_iso(r["timestamp"]) for s in after for r in s)
    assert NOW.timestamp() * 1000 - newest == timedelta(minutes=3).total_seconds() * 1000


def test_copy_is_the_same_each_time(tmp_path: Path) -> None:
    copies = []
    for _ in range(2):
        agent = copy_store(tmp_path, NOW)
        copies.append({f: f.read_bytes() for f in agent.rglob("*.jsonl")})
    assert copies[0] == copies[1]
    assert len(copies[0]) == len(KEPT)


def test_copied_paths_lead_somewhere(tmp_path: Path) -> None:
    agent = copy_store(tmp_path, NOW)
    gone = []
    for file in agent.glob("sessions/*/*.jsonl"):
        assert "/home/sam/src" not in file.read_text()
        header = records(file)[0]
        assert file.parent.name == folder_name(header["cwd"])
        assert file.name == f"{header['timestamp'].replace(':', '-').replace('.', '-')}_{header['id']}.jsonl"
        if not Path(header["cwd"]).is_dir():
            gone.append(header["cwd"])
    assert gone == [str(tmp_path / "old-blog")]
    assert main_project(agent).is_dir()


def test_forks_name_the_copied_file(tmp_path: Path) -> None:
    agent = copy_store(tmp_path, NOW)
    headers = {f: records(f)[0] for f in agent.glob("sessions/*/*.jsonl")}
    parents = {f: Path(h["parentSession"]) for f, h in headers.items() if "parentSession" in h}
    assert all(parent in headers for parent in parents.values())
    assert len(parents) == 2
    assert len(set(parents) & set(parents.values())) == 1, "one fork is the fork of a fork"


def test_times_go_back_and_forth() -> None:
    assert iso(1_772_451_728_115) == "2026-03-02T11:42:08.115Z"
    assert from_iso("2026-03-02T11:42:08.115Z") == 1_772_451_728_115
