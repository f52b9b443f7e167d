"""Files that people have run into, seen from the command line: damage, strangers, old formats."""

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.support.records import encode, message

Write = Callable[..., Path]
DATA = Path(__file__).parents[1] / "data"
COMMANDS = (["tree"], ["tree", "--filter", "all", "--search", "e"], ["context"], ["stats"], ["check"])


def state(path: Path) -> tuple[str, int, list[str]]:
    return (
        hashlib.sha256(path.read_bytes()).hexdigest(),
        path.stat().st_mtime_ns,
        sorted(other.name for other in path.parent.iterdir()),
    )


def test_a_parent_never_written_makes_a_marked_root(run: Run, session: Write) -> None:
    path = session(message("u1", None), message("a9", "zz", role="assistant"))
    (tree,) = run("tree", "--json", path).json
    assert [(row["id"], row["indent"]) for row in tree["rows"]] == [("a9", 1), ("u1", 1)]
    assert [(n["kind"], n["line"]) for n in tree["notices"]] == [("missing-parent", 3)]
    assert "parent zz missing" in run("tree", path).out


def test_an_island_behind_a_gap_is_shown(run: Run, session: Write) -> None:
    path = session(
        message("u1", None), message("a1", "u1"), message("u3", "gone", "after the gap"), message("a3", "u3")
    )
    lines = run("tree", path).out.splitlines()[2:6]
    assert [line.split()[0] for line in lines] == ["u3", "a3", "u1", "a1"]
    assert "parent gone missing" in lines[0]


def spoken(run: Run, path: Path) -> list[int]:
    """Places of the entries that give the model a message."""
    (context,) = run("context", "--json", path).json
    return [entry["index"] for entry in context["entries"] if entry["roles"]]


def test_an_entry_left_out_of_the_context_is_flagged_on_the_branch_of_the_edit_only(
    run: Run, session: Write
) -> None:
    edit = {"type": "context_edit", "id": "e1", "parentId": "u2", "timestamp": "2026-01-01T00:00:02.000Z"}
    entries = [
        message("u1", None),
        message("a1", "u1", "long", role="assistant"),
        message("u2", "a1"),
        edit | {"targetId": "a1", "replacement": None},
        message("a2", "e1", role="assistant"),
    ]
    flagged = session(*entries)
    lines = [line for line in run("tree", flagged).out.splitlines() if "omitted from context" in line]
    assert [line.split()[0] for line in lines] == ["a1"]
    assert spoken(run, flagged) == [0, 2, 4]
    before_the_edit = session(*entries, message("u3", "a1", "another way"), name="other.jsonl")
    assert "omitted" not in run("tree", before_the_edit).out
    assert spoken(run, before_the_edit) == [0, 1, 5]


def test_a_question_without_an_answer_is_a_session(run: Run, session: Write) -> None:
    path = session(message("u1", None, "anybody there?"))
    assert "user: anybody there?" in run("tree", path).out
    assert run("show", path, "leaf").status == 0


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_file_that_is_no_session_is_refused_and_stays(run: Run, session: Write, command: list[str]) -> None:
    path = session(b'{"a":1}\n', name="notes/notes.jsonl")
    before = state(path)
    ran = run(*command, path)
    assert (ran.status, ran.out) == (1, "")
    assert ran.err.startswith(f"pitree: {path}: not a session")
    assert state(path) == before


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_an_empty_file_is_an_empty_session_and_stays_empty(
    run: Run, session: Write, command: list[str]
) -> None:
    path = session(b"", name="empty/empty.jsonl")
    before = state(path)
    ran = run(*command, path)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out
    assert state(path) == before
    assert path.read_bytes() == b""


V1 = encode(
    {"type": "session", "id": "old", "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/w"},
    {"type": "message", "timestamp": "2026-01-01T00:00:01.000Z", "message": {"role": "user", "content": "a"}},
    {"type": "message", "timestamp": "2026-01-01T00:00:02.000Z", "message": {"role": "user", "content": "b"}},
    {"type": "compaction", "timestamp": "2026-01-01T00:00:03.000Z", "summary": "s", "firstKeptEntryIndex": 2},
)


def test_version_1_is_one_chain_with_its_compaction(run: Run, session: Write) -> None:
    path = session(V1)
    (tree,) = run("tree", "--json", path).json
    assert tree["session"]["version"] == 1
    assert [(row["index"], row["indent"], row["onPath"]) for row in tree["rows"]] == [
        (0, 0, True),
        (1, 0, True),
        (2, 0, True),
    ]
    (context,) = run("context", "--json", path).json
    assert [entry["index"] for entry in context["entries"]] == [2, 1]


def test_version_2_has_hook_messages_as_custom(run: Run, session: Write) -> None:
    path = session(message("h", None, "hooked", role="hookMessage", customType="x"), version=2)
    (context,) = run("context", "--json", path).json
    assert context["entries"] == [{"index": 0, "roles": ["custom"]}]
    assert run("tree", "--json", path).json[0]["session"]["version"] == 2


@pytest.mark.parametrize("name", ["v1-compaction", "v1-long", "v2", "v3-generated-9001", "v3-generated-9005"])
def test_looking_changes_nothing(run: Run, tmp_path: Path, name: str) -> None:
    path = tmp_path / "store" / f"{name}.jsonl"
    path.parent.mkdir()
    path.write_bytes((DATA / f"{name}.jsonl").read_bytes())
    before = state(path)
    for command in [*COMMANDS, ["list", "--all", "--session-dir", str(path.parent)]]:
        argv = [*command, path] if command[0] != "list" else command
        for json_too in [[], ["--json"]] if command[0] != "check" else [[]]:
            ran = run(*argv, *json_too)
            assert (ran.status, ran.err) == (0, "")
    assert run("show", path, "leaf").status == 0
    assert state(path) == before
