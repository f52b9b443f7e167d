"""`pitree fork` and `clone`: what the new session holds and where it lies; the old one stays as it is."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pitree.demo import SESSIONS
from pitree.pi.places import folder_name
from pitree.session.manager.manager import SessionManager
from tests.commands.conftest import names
from tests.conftest import Run
from tests.support.records import HEADER, message

Write = Callable[..., Path]


def records(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def forked(run: Run, source: Path, *argv: object) -> tuple[Path, dict[str, Any]]:
    """Run a forking command with `--json`; the new file, and what was printed of it."""
    before = source.read_bytes(), source.stat().st_mtime_ns
    ran = run(*argv, "--json")
    assert (ran.status, ran.err) == (0, "")
    assert (source.read_bytes(), source.stat().st_mtime_ns) == before
    (made,) = ran.json
    path = Path(made["file"])
    header, *entries = records(path)
    assert header["type"] == "session"
    assert header["parentSession"] == str(source)
    assert made["entries"] == entries
    assert not {entry["parentId"] for entry in entries} - {entry["id"] for entry in entries} - {None}
    return path, made


def ids(made: dict[str, Any]) -> list[str]:
    return [entry["id"] for entry in made["entries"] if entry["type"] != "label"]


def test_fork_on_a_user_message_ends_before_it_and_offers_its_text(run: Run, talk: Path) -> None:
    path, made = forked(run, talk, "fork", talk, "u2")
    assert (ids(made), made["text"]) == (["u1", "a1"], "three\nlines \x1b[31mand colour\n")
    assert list(made) == ["file", "entries", "text"]
    assert path.parent == talk.parent
    ran = run("fork", talk, "u2")
    assert ran.status == 0
    new = [name for name in names(talk.parent) if name not in ("s.jsonl", path.name)]
    assert ran.out.splitlines() == [
        "forked before u2  user: three lines ␛and colour",
        str(talk.parent / new[0]),
        "2 entries in the new session; the old one is unchanged",
        "to edit and resend:",
        "",
        "three",
        "lines ␛and colour",
        "",
    ]


def test_fork_on_an_assistant_message_includes_it(run: Run, talk: Path) -> None:
    _, made = forked(run, talk, "fork", talk, "a1")
    assert (ids(made), list(made)) == (["u1", "a1"], ["file", "entries"])
    assert run("fork", talk, "a1").out.startswith("forked after a1  assistant: two\n")


@pytest.mark.parametrize("setup", [0, 2])
def test_fork_before_the_first_user_message_keeps_the_link(run: Run, session: Write, setup: int) -> None:
    at = {"timestamp": HEADER["timestamp"]}
    before = [
        {"type": "model_change", "id": "m", "parentId": None, "provider": "p", "modelId": "m", **at},
        message("s", "m", "you are", role="system"),
    ][:setup]
    path = session(*before, message("u1", "s" if setup else None, "first"))
    new, made = forked(run, path, "fork", path, "u1")
    assert (ids(made), made["text"]) == (["m", "s"][:setup], "first")
    assert [record["type"] for record in records(new)].count("session") == 1
    assert SessionManager.open(new).get_entry_count() == setup


def test_a_fork_before_any_answer_has_one_header(run: Run, session: Write) -> None:
    path = session(message("u1", None), message("a1", "u1", role="assistant"), message("u2", "u1"))
    for argv in (["fork", path, "u2"], ["clone", path]):
        new, _ = forked(run, path, *argv)
        assert [record["type"] for record in records(new)].count("session") == 1
        assert run("rename", new, "x").status == 0
        assert [record["type"] for record in records(new)].count("session") == 1


def test_labels_on_the_way_leave_no_orphans(run: Run, session: Write) -> None:
    def time(number: int) -> str:
        return f"2026-01-01T00:00:{number:02}.000Z"

    entries: list[dict[str, Any]] = []
    for number in range(20):
        parent = entries[-1]["id"] if entries else None
        if number in (3, 4, 11):
            entry = {"type": "label", "id": f"l{number}", "parentId": parent, "timestamp": time(number)}
            entries.append(entry | {"targetId": f"e{number - 2}", "label": f"mark {number}"})
        else:
            role = "assistant" if number % 2 else "user"
            entries.append(message(f"e{number}", parent, role=role))
    path = session(*entries)
    new, made = forked(run, path, "fork", path, "e19")
    assert ids(made) == [entry["id"] for entry in entries if entry["type"] != "label"]
    labels = [entry for entry in made["entries"] if entry["type"] == "label"]
    assert [(e["targetId"], e["label"], e["timestamp"]) for e in labels] == [
        ("e1", "mark 3", time(3)), ("e2", "mark 4", time(4)), ("e9", "mark 11", time(11)),
    ]  # fmt: skip
    assert run("check", new).out.splitlines()[0].endswith("no problems")


def test_clone_takes_the_branch_the_session_is_on(run: Run, talk: Path) -> None:
    run("label", talk, "a1", "mark")
    run("move", talk, "a1")
    new, made = forked(run, talk, "clone", talk)
    old, copy = SessionManager.open(talk), SessionManager.open(new)
    assert ids(made) == ["u1", "a1", old.get_leaf_id()]
    assert copy.build_session_context() == old.build_session_context()
    assert copy.get_label("a1") == "mark"
    run("move", talk, "root")
    _, made = forked(run, talk, "clone", talk)
    assert ids(made) == [SessionManager.open(talk).get_leaf_id()]
    assert run("context", "--json", made["file"]).json[0]["messages"] == []
    assert run("clone", talk).out.startswith("cloned up to ")


def test_there_is_nothing_to_clone_in_an_empty_session(run: Run, session: Write) -> None:
    for path in (session(b"", name="a/s.jsonl"), session(name="b/s.jsonl")):
        ran = run("clone", path)
        assert (ran.status, ran.out) == (1, "")
        assert ran.err.startswith(f"pitree: {path}: nothing was written: the session has no entries")
        assert names(path.parent) == ["s.jsonl"]


def test_an_old_file_is_forked_in_version_3_and_stays(run: Run, session: Write) -> None:
    path = session(
        message("h", None, "hooked", role="hookMessage", customType="x"), name="o/s.jsonl", version=2
    )
    new, made = forked(run, path, "clone", path)
    assert records(new)[0]["version"] == 3
    assert made["entries"][0]["message"]["role"] == "custom"
    assert names(path.parent) == sorted(["s.jsonl", new.name])


@pytest.mark.parametrize("command", [["fork", "a1"], ["clone"]], ids=lambda words: words[0])
def test_into_another_folder(run: Run, talk: Path, agent: Path, tmp_path: Path, command: list[str]) -> None:
    other = tmp_path / "other folder"
    other.mkdir()
    name, *entry = command
    for cwd in (str(other), "../other folder"):
        new, _ = forked(run, talk, name, "--cwd", cwd, talk, *entry)
        assert new.parent == agent / "sessions" / folder_name(str(other))
        assert records(new)[0]["cwd"] == str(other)
    flat = tmp_path / "flat"
    new, _ = forked(run, talk, name, talk, *entry, "--cwd", other, "--session-dir", "../flat")
    assert new.parent == flat
    assert names(talk.parent) == ["s.jsonl"]


def test_into_a_folder_that_is_not_there(run: Run, talk: Path, agent: Path) -> None:
    ran = run("clone", talk, "--cwd", "nowhere")
    assert (ran.status, ran.out) == (1, "")
    assert ran.err == f"pitree: {talk}: nothing was written: --cwd: no folder nowhere\n"
    assert (names(talk.parent), names(agent)) == (["s.jsonl"], [])


def test_a_fork_of_the_demo_stays_in_the_demo(run: Run, agent: Path, tmp_path: Path) -> None:
    before = sorted(path.name for path in SESSIONS.glob("*/*"))
    (made,) = run("clone", "--demo", "019cae5b", "--cwd", tmp_path, "--json").json
    assert "pitree-demo-" in made["file"]
    assert not Path(made["file"]).exists()
    assert names(agent) == []
    assert sorted(path.name for path in SESSIONS.glob("*/*")) == before
