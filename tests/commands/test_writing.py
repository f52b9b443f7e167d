"""`pitree label` and `rename`, and what all commands that write share: what is told, what is refused."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pitree.commands.edit import label as label_module
from pitree.session.manager.manager import SessionManager
from tests.commands.conftest import LATER, added, names
from tests.conftest import Run
from tests.support.records import HEADER, encode, message

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data"
Write = Callable[..., Path]


# label


def test_label_prints_and_writes(run: Run, talk: Path) -> None:
    before = talk.read_bytes()
    ran = run("label", talk, "a1", "works \n now")
    assert (ran.status, ran.out, ran.err) == (0, "labeled [works now]: a1  assistant: two\n", "")
    (record,) = added(talk, before)
    assert list(record) == ["type", "id", "parentId", "timestamp", "targetId", "label"]
    assert (record["parentId"], record["targetId"], record["label"]) == ("c1", "a1", "works now")
    assert run("show", "--json", talk, "a1").json[0]["label"] == "works now"


def test_label_as_json(run: Run, talk: Path) -> None:
    before = talk.read_bytes()
    ran = run("label", "--json", talk, "a1", "重要")
    assert (ran.status, ran.err) == (0, "")
    assert ran.json == [{"file": str(talk), "entries": added(talk, before)}]


@pytest.mark.parametrize("text", [[], [""], ["  "]], ids=["none", "empty", "spaces"])
def test_label_without_a_text_removes(run: Run, talk: Path, text: list[str]) -> None:
    run("label", talk, "a1", "x")
    before = talk.read_bytes()
    ran = run("label", talk, "a1", *text)
    assert (ran.status, ran.out) == (0, "label [x] removed: a1  assistant: two\n")
    (record,) = added(talk, before)
    assert (record["targetId"], "label" in record) == ("a1", False)
    assert run("show", "--json", talk, "a1").json[0]["label"] is None


def test_label_that_is_there_already_is_not_written_again(run: Run, talk: Path) -> None:
    ran = run("label", talk, "a1")
    assert (ran.status, ran.out) == (0, "a1  assistant: two: it has no label; nothing was written\n")
    run("label", talk, "a1", "x")
    before = talk.read_bytes()
    assert run("label", talk, "a1", "x").out.endswith("has the label [x] already; nothing was written\n")
    assert run("label", "--json", talk, "a1", "x").json == [{"file": str(talk), "entries": []}]
    assert talk.read_bytes() == before


@pytest.mark.parametrize(("entry", "target"), [("leaf", "c1"), ("c", "c1"), ("u2", "u2")])
def test_an_entry_goes_by_its_id_the_beginning_or_leaf(run: Run, talk: Path, entry: str, target: str) -> None:
    (made,) = run("label", "--json", talk, entry, "x").json
    assert made["entries"][0]["targetId"] == target


@pytest.mark.parametrize("command", ["label", "move", "fork"])
@pytest.mark.parametrize(("entry", "words"), [("zz", "no entry has an id"), ("u", "2 entries have ids")])
def test_an_entry_that_is_not_there_or_not_one(
    run: Run, talk: Path, command: str, entry: str, words: str
) -> None:
    before = talk.read_bytes()
    ran = run(command, talk, entry)
    assert (ran.status, ran.out) == (1, "")
    assert ran.err.startswith(f"pitree: {talk}: {words}")
    assert ran.err.count("\n") == 1
    assert (talk.read_bytes(), names(talk.parent)) == (before, ["s.jsonl"])


def test_a_label_stands_even_if_the_file_grew(run: Run, talk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = label_module.find_entry

    def find(session: SessionManager, name: str) -> Any:
        with talk.open("ab") as file:
            file.write(LATER)
        return real(session, name)

    before = talk.read_bytes()
    monkeypatch.setattr(label_module, "find_entry", find)
    assert run("label", talk, "a1", "x").status == 0
    (record,) = added(talk, before + LATER)
    assert record["parentId"] == "a3"


def test_texts_of_the_file_reach_no_terminal_as_they_are(run: Run, session: Write) -> None:
    path = session(message("u\x1b[2J", None, "red \x1b[31m\u202e"))
    ran = run("label", path, "leaf", "\x1b]0;title\x07")
    ran_json = run("label", "--json", path, "u", "\x1b[m")
    assert not {c for c in ran.out + ran_json.out if (c < " " and c != "\n") or c == "\u202e"}
    assert ran_json.json[0]["entries"][0]["label"] == "\x1b[m"


# rename


def test_rename_is_one_line(run: Run, talk: Path) -> None:
    before = talk.read_bytes()
    ran = run("rename", talk, " a\nb ")
    assert (ran.status, ran.out, ran.err) == (0, "named “a b”\n", "")
    (record,) = added(talk, before)
    assert list(record) == ["type", "id", "parentId", "timestamp", "name"]
    assert (record["name"], record["parentId"]) == ("a b", "c1")
    before = talk.read_bytes()
    assert run("rename", "--json", talk, "").json == [{"file": str(talk), "entries": added(talk, before)}]
    assert SessionManager.open(talk).get_session_name() is None
    before = talk.read_bytes()
    assert run("rename", talk, "").out == "it has no name; nothing was written\n"
    assert talk.read_bytes() == before


def test_an_empty_file_gets_a_header_with_its_first_entry(run: Run, session: Write) -> None:
    path = session(b"")
    assert run("rename", path, "new").status == 0
    header, entry = added(path, b"")
    assert (header["type"], header["cwd"], entry["name"]) == ("session", os.getcwd(), "new")


# What all share

WRITES: list[list[str]] = [
    ["label", "FILE", "leaf", "x"],
    ["rename", "FILE", "x"],
    ["move", "FILE", "root"],
    ["move", "FILE", "root", "--summary", "s", "--label", "l"],
]
FORKS: list[list[str]] = [["fork", "FILE", "leaf"], ["clone", "FILE"]]


def on(path: Path, argv: list[str]) -> list[str]:
    return [str(path) if word == "FILE" else word for word in argv]


@pytest.fixture(params=sorted(path.name for path in DATA.glob("*.jsonl")))
def real(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A session that Pi wrote, alone in its folder."""
    path = tmp_path / "real" / str(request.param)
    path.parent.mkdir()
    shutil.copy(DATA / path.name, path)
    return path


@pytest.mark.parametrize("argv", WRITES, ids=lambda argv: " ".join(argv[::2]))
def test_real_files(run: Run, real: Path, argv: list[str]) -> None:
    before = SessionManager.open(real)
    old = real.read_bytes()
    ran = run(*on(real, argv), "--json")
    assert ran.status == 0
    if before.version == 3:
        assert (ran.err, names(real.parent)) == ("", [real.name])
        written = added(real, old)
    else:
        kept = real.with_name(f"{real.name}.v{before.version}.bak")
        assert ran.err == (
            f"pitree: {real}: this first write upgrades it from format version {before.version} to "
            f"3; a copy of the old file is kept as {kept}\n"
        )
        assert kept.read_bytes() == old
        written = [json.loads(line) for line in real.read_bytes().splitlines()[1:]][len(before.table) :]
    assert ran.json == [{"file": str(real), "entries": written}]
    after = SessionManager.open(real)
    assert after.version == 3
    assert after.get_leaf_id() == written[-1]["id"]
    assert [e.record for e in after.get_entries()][: len(before.table)] == [
        e.record for e in before.get_entries()
    ]


def test_an_older_file_is_left_alone_where_nothing_is_written(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "old" / "v2.jsonl"
    path.parent.mkdir()
    shutil.copy(DATA / path.name, path)
    before = path.read_bytes()
    assert run("label", path, "nonsense", "x").status == 1
    assert run("label", path, "leaf").status == 0
    assert run("move", path, "leaf").status == 0
    assert run("move", path, "root", "--summary", "").status == 2
    assert run("--read-only", "rename", path, "x").status == 1
    assert (path.read_bytes(), names(path.parent)) == (before, ["v2.jsonl"])


def test_the_copy_of_an_older_file_takes_no_other_files_name(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "old" / "v2.jsonl"
    path.parent.mkdir()
    shutil.copy(DATA / path.name, path)
    path.with_name("v2.jsonl.v2.bak").write_text("something else")
    ran = run("rename", path, "x")
    assert ran.status == 0
    assert ran.err.splitlines()[1].endswith(f"the old one is kept as {path.parent / 'v2.jsonl.v2.2.bak'}")
    assert path.with_name("v2.jsonl.v2.bak").read_text() == "something else"


@pytest.mark.parametrize("argv", [*WRITES, *FORKS], ids=lambda argv: argv[0])
@pytest.mark.parametrize("where", ["before", "after"])
def test_read_only_refuses(run: Run, talk: Path, argv: list[str], where: str) -> None:
    before = talk.read_bytes(), talk.stat().st_mtime_ns
    said = on(talk, argv)
    ran = run("--read-only", *said) if where == "before" else run(*said, "--read-only", "--json")
    assert (ran.status, ran.out) == (1, "")
    assert ran.err == f"pitree: {talk}: nothing was written: pitree was started with --read-only\n"
    assert (talk.read_bytes(), talk.stat().st_mtime_ns) == before
    assert names(talk.parent) == ["s.jsonl"]
    assert run("--read-only", "resume", talk).err.startswith(f"pitree: {talk}: its folder")
    assert run("--read-only", "tree", talk).status == 0


@pytest.mark.parametrize("argv", [*WRITES, *FORKS], ids=lambda argv: argv[0])
def test_what_is_no_session_is_refused_and_stays(run: Run, session: Write, argv: list[str]) -> None:
    path = session(b'{"a":1}\n', name="notes/notes.jsonl")
    ran = run(*on(path, argv))
    assert (ran.status, ran.out) == (1, "")
    assert ran.err.startswith(f"pitree: {path}: not a session")
    assert (path.read_bytes(), names(path.parent)) == (b'{"a":1}\n', ["notes.jsonl"])
    assert run(*on(path.with_name("none.jsonl"), argv)).status == 1
    assert names(path.parent) == ["notes.jsonl"]


@pytest.fixture
def others_place(agent: Path) -> Iterator[tuple[Path, Callable[[], None]]]:
    """A folder that anybody may look into, and what makes this process one that may not write there."""
    if os.name == "nt":
        pytest.skip("needs POSIX permissions")
    user = os.geteuid()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)

        def drop() -> None:
            for path in [*folder.rglob("*"), folder]:
                path.chmod(0o555 if path.is_dir() else 0o444)
            if user == 0:
                os.seteuid(65534)

        try:
            yield folder, drop
        finally:
            os.seteuid(user)
            folder.chmod(0o755)


@pytest.mark.parametrize("argv", [*WRITES, *FORKS], ids=lambda argv: argv[0])
def test_without_permission_nothing_is_written(
    run: Run, others_place: tuple[Path, Callable[[], None]], talk: Path, argv: list[str]
) -> None:
    folder, drop = others_place
    path = folder / "s.jsonl"
    shutil.copy(talk, path)
    before = path.read_bytes()
    assert run(*on(talk, argv)).status == 0  # and all is loaded that another user might not read
    drop()
    ran = run(*on(path, argv), "--json")
    assert (ran.status, ran.out) == (1, "")
    assert ran.err.startswith(f"pitree: {folder}")
    assert ran.err.endswith("nothing was written: Permission denied\n")
    assert (path.read_bytes(), names(folder)) == (before, ["s.jsonl"])


def test_an_unfinished_last_line_is_waited_for(run: Run, talk: Path) -> None:
    with talk.open("ab") as file:
        file.write(b'{"type":"mess')
    before = talk.read_bytes()
    ran = run("label", talk, "a1", "x")
    assert (ran.status, ran.out) == (1, "")
    assert ran.err.startswith(f"pitree: {talk}: nothing was written: its last line is incomplete")
    assert talk.read_bytes() == before


def test_an_entry_without_an_id_cannot_be_named(run: Run, session: Write) -> None:
    nameless = {key: value for key, value in message("x", None).items() if key != "id"}
    path = session(nameless)
    before = path.read_bytes()
    ran = run("label", path, "leaf", "x")
    assert (ran.status, ran.out) == (1, "")
    assert ran.err.startswith(f"pitree: {path}: nothing was written: Entry ")
    assert ran.err.endswith(" has no id in the file, so it cannot be referred to\n")
    assert path.read_bytes() == before


def program(*argv: object, **more: Any) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "pitree", *map(str, argv)]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.run(command, timeout=60, check=False, env=environment, **more)


def test_in_a_pipe(talk: Path) -> None:
    before = talk.read_bytes()
    ran = program("move", talk, "a1", "--summary", "-", "--json", input="é\n".encode(), capture_output=True)
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert json.loads(ran.stdout) == {"file": str(talk), "entries": added(talk, before)}
    assert ran.stdout.count(b"\n") == 1


@pytest.mark.skipif(os.name == "nt", reason="needs POSIX pipes")
def test_whoever_reads_may_go_away(talk: Path) -> None:
    before = talk.read_bytes()
    reader, writer = os.pipe()
    os.close(reader)
    ran = program("label", talk, "a1", "x", stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    assert ran.stderr == b""
    assert added(talk, before)[0]["label"] == "x"


def test_a_file_whose_name_starts_with_a_dash(run: Run, talk: Path) -> None:
    shutil.copy(talk, "-s.jsonl")
    before = talk.read_bytes()
    assert run("label", "--json", "--", "-s.jsonl", "a1", "-x").json[0]["file"] == "-s.jsonl"
    assert run("rename", "./-s.jsonl", "x").status == 0
    label, name = added(Path("-s.jsonl"), before)
    assert (label["label"], name["name"]) == ("-x", "x")


def test_a_session_goes_by_its_id(run: Run, agent: Path) -> None:
    folder = agent / "sessions" / "--w--"
    folder.mkdir(parents=True)
    path = folder / "2026-01-01T00-00-00-000Z_abcdef.jsonl"
    path.write_bytes(encode(HEADER | {"id": "abcdef"}, message("u1", None)))
    assert run("rename", "--json", "abc", "x").json[0]["file"] == str(path)
    assert SessionManager.open(path).get_session_name() == "x"


def test_the_state_folder_not_the_sessions_holds_the_lock(run: Run, talk: Path, state: Path) -> None:
    run("label", talk, "a1", "x")
    assert names(talk.parent) == ["s.jsonl"]
    assert len(names(state / "locks")) == 1
