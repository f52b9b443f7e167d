"""`pitree delete`: what it asks, where the file goes, when it is left alone."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from pitree.session.format.new_records import iso_time
from pitree.session.storage import deletion
from tests.commands.conftest import names
from tests.conftest import Run
from tests.support.records import message

ROOT = Path(__file__).parents[3]
Write = Callable[..., Path]
WHAT = "“Fix “it””, 2 messages, last 3d"

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the trash is played by a shell script")


@pytest.fixture
def old(session: Write) -> Path:
    """A session talked in three days ago, alone in its folder."""
    time = datetime.now(UTC) - timedelta(days=3, hours=1)
    said = {"timestamp": round(time.timestamp() * 1000)}
    return session(
        message("u1", None, "first", **said),
        message("a1", "u1", "second", role="assistant", **said),
        {
            "type": "session_info",
            "id": "n",
            "parentId": "a1",
            "timestamp": iso_time(time),
            "name": "Fix “it”",
        },
        name="old/s.jsonl",
    )


Trash = Callable[[str], None]


@pytest.fixture
def bin_folder(tmp_path: Path) -> Path:
    """The only folder of programs there is; it holds none."""
    folder = tmp_path / "bin"
    folder.mkdir()
    return folder


@pytest.fixture
def trash(bin_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Trash:
    """Puts a `trash` command on the PATH that does what a line of shell says; there is no other trash."""
    monkeypatch.setenv("PATH", str(bin_folder))
    monkeypatch.setitem(sys.modules, "send2trash", None)
    (tmp_path / "trash").mkdir()

    def put(line: str) -> None:
        command = bin_folder / "trash"
        command.write_text(f"#!/bin/sh\n{line}\n")
        command.chmod(0o755)

    return put


def taking(tmp_path: Path) -> str:
    """What a trash does that takes everything, and notes what it was told."""
    return f'echo "$#:$1" >>{tmp_path}/told; /bin/mv -- "$1" {tmp_path}/trash/'


def test_to_the_trash(run: Run, old: Path, trash: Trash, tmp_path: Path) -> None:
    trash(taking(tmp_path))
    before = old.read_bytes()
    ran = run("delete", old, "--yes")
    assert (ran.status, ran.out, ran.err) == (0, f"{WHAT}: moved to the trash\n", "")
    assert not old.exists()
    assert (tmp_path / "trash" / "s.jsonl").read_bytes() == before


def test_as_json(run: Run, old: Path, trash: Trash, tmp_path: Path) -> None:
    trash(taking(tmp_path))
    ran = run("delete", "--json", old, "--yes", "--permanent")
    assert ran.json == [{"file": str(old), "entries": [], "deleted": "trash"}]
    assert names(tmp_path / "trash") == ["s.jsonl"]


@pytest.mark.parametrize("name", [["--", "-s.jsonl"], ["./-s.jsonl"], ["../project/-s.jsonl"]])
def test_a_name_with_a_dash_is_no_option_of_the_trash(
    run: Run, old: Path, trash: Trash, tmp_path: Path, name: list[str]
) -> None:
    trash(taking(tmp_path))
    old.rename("-s.jsonl")
    assert run("delete", "--yes", *name).status == 0
    assert names(tmp_path / "trash") == ["-s.jsonl"]
    count, _, told = (tmp_path / "told").read_text().strip().partition(":")
    assert (count, told[0]) == ("1", ".")
    assert names(Path.cwd()) == []


def test_a_path_from_here_is_found_by_the_trash(run: Run, old: Path, trash: Trash, tmp_path: Path) -> None:
    trash(taking(tmp_path))
    assert run("delete", "--yes", "../old/s.jsonl").status == 0
    assert names(tmp_path / "trash") == ["s.jsonl"]


def test_without_a_terminal_it_takes_a_yes(run: Run, old: Path, trash: Trash, tmp_path: Path) -> None:
    trash(taking(tmp_path))
    for argv in (["delete", old], ["delete", "--permanent", "--json", old]):
        ran = run(*argv)
        assert (ran.status, ran.out) == (1, "")
        assert ran.err == (f"pitree: {old}: not deleted: no terminal to ask on; confirm with --yes\n")
    assert names(old.parent) == ["s.jsonl"]


def test_without_a_trash_it_takes_a_second_yes(run: Run, old: Path, trash: Trash) -> None:
    ran = run("delete", old)
    assert ran.status == 1
    assert ran.err == (
        f"pitree: {old}: not deleted: there is no trash here: the file would be PERMANENTLY "
        "deleted; no terminal to ask on; confirm with --yes\n"
    )
    ran = run("delete", "--yes", old)
    assert (ran.status, ran.out) == (1, "")
    assert ran.err == (
        f"pitree: {old}: not deleted: there is no trash here: the file would be PERMANENTLY "
        "deleted; no terminal to ask on; confirm with --permanent\n"
    )
    assert names(old.parent) == ["s.jsonl"]
    ran = run("delete", "--yes", "--permanent", old)
    assert (ran.status, ran.out, ran.err) == (0, f"{WHAT}: deleted permanently\n", "")
    assert names(old.parent) == []


def test_a_trash_that_does_not_take_it(run: Run, old: Path, trash: Trash) -> None:
    trash("exit 1")
    ran = run("delete", "--yes", old)
    assert (ran.status, ran.out) == (1, "")
    assert ran.err == (
        f"pitree: {old}: not deleted: it cannot be moved to the trash: the file would be "
        "PERMANENTLY deleted; no terminal to ask on; confirm with --permanent\n"
    )
    assert names(old.parent) == ["s.jsonl"]
    ran = run("delete", "--yes", "--permanent", "--json", old)
    assert ran.json == [{"file": str(old), "entries": [], "deleted": "permanently"}]
    assert names(old.parent) == []


def test_the_other_trash_takes_what_the_command_does_not(
    run: Run, old: Path, trash: Trash, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Module:
        @staticmethod
        def send2trash(path: str) -> None:
            Path(path).rename(tmp_path / "trash" / "taken")

    monkeypatch.setitem(sys.modules, "send2trash", Module)
    trash("exit 1")
    assert run("delete", "--yes", old).out == f"{WHAT}: moved to the trash\n"
    assert names(tmp_path / "trash") == ["taken"]


@pytest.mark.parametrize("line", ["exit 0", "echo moved; exit 0", "exec sleep 3600", "kill -9 $$"])
@pytest.mark.parametrize("other", ["none", "says nothing", "fails"])
def test_fault_12_a_trash_that_moves_nothing_is_not_believed(
    run: Run, old: Path, trash: Trash, monkeypatch: pytest.MonkeyPatch, line: str, other: str
) -> None:
    class Module:
        @staticmethod
        def send2trash(path: str) -> None:
            if other == "fails":
                raise OSError(path)

    if other != "none":
        monkeypatch.setitem(sys.modules, "send2trash", Module)
    monkeypatch.setattr(deletion, "_PATIENCE", 0.5)
    trash(line if "sleep" not in line else "exec /bin/sleep 3600")
    before = old.read_bytes()
    ran = run("delete", "--yes", old)
    assert (ran.status, ran.out) == (1, "")
    assert "it cannot be moved to the trash" in ran.err
    assert old.read_bytes() == before
    assert deletion.trash_session(old) is deletion.Trash.NONE


def test_fault_12_a_trash_that_moves_and_fails_is_seen_to_have_moved(
    run: Run, old: Path, trash: Trash, tmp_path: Path
) -> None:
    trash(f"{taking(tmp_path)}; exit 1")
    assert run("delete", "--yes", old).out == f"{WHAT}: moved to the trash\n"


def test_fault_12_a_file_that_pi_begins_meanwhile_is_no_failure(
    run: Run, old: Path, trash: Trash, tmp_path: Path
) -> None:
    trash(f'{taking(tmp_path)}; echo new >"$1"')
    assert run("delete", "--yes", old).out == f"{WHAT}: moved to the trash\n"
    assert old.read_text() == "new\n"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells who has a file open")
@pytest.mark.parametrize("mode", ["ab", "rb"])
def test_a_session_that_another_process_writes_to(
    run: Run, old: Path, trash: Trash, tmp_path: Path, mode: str
) -> None:
    trash(taking(tmp_path))
    code = f"import sys; file = open({str(old)!r}, {mode!r}); print('open', flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        other.stdout.readline()
        for options in ([], ["--yes", "--permanent"]):
            ran = run("delete", *options, old)
            if mode == "ab":
                assert (ran.status, ran.out) == (1, "")
                assert ran.err == f"pitree: {old}: not deleted: process {other.pid} has it open for writing\n"
                assert names(old.parent) == ["s.jsonl"]
        assert old.exists() is (mode == "ab")
        assert other.stdin is not None
        other.stdin.close()


def test_read_only(run: Run, old: Path, trash: Trash, tmp_path: Path) -> None:
    trash(taking(tmp_path))
    ran = run("--read-only", "delete", "--yes", "--permanent", old)
    assert (ran.status, ran.out) == (1, "")
    assert ran.err == f"pitree: {old}: nothing was deleted: pitree was started with --read-only\n"
    assert names(old.parent) == ["s.jsonl"]


def test_what_is_no_session_is_not_deleted(run: Run, session: Write, trash: Trash, tmp_path: Path) -> None:
    trash(taking(tmp_path))
    path = session(b'{"a":1}\n', name="notes/notes.jsonl")
    assert run("delete", "--yes", "--permanent", path).err.startswith(f"pitree: {path}: not a session")
    assert run("delete", "--yes", path.with_name("none.jsonl")).status == 1
    assert names(path.parent) == ["notes.jsonl"]


def test_an_empty_session_has_no_age(run: Run, session: Write, trash: Trash, tmp_path: Path) -> None:
    trash(taking(tmp_path))
    assert run("delete", "--yes", session(b"")).out == "“(no messages)”, 0 messages: moved to the trash\n"


def test_a_file_that_cannot_be_removed(
    run: Run, old: Path, trash: Trash, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(deletion.Path, "unlink", refuse)
    ran = run("delete", "--yes", "--permanent", old)
    assert (ran.status, ran.err) == (1, f"pitree: {old}: not deleted: Permission denied\n")
    assert old.exists()


# On a terminal


@pytest.fixture
def terminal(
    old: Path, bin_folder: Path, tmp_path: Path, agent: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Any]:
    """Runs the real program in a terminal, without any other trash than a command."""
    (tmp_path / "modules").mkdir()
    (tmp_path / "modules" / "send2trash.py").write_text("raise ImportError\n")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join((str(tmp_path / "modules"), str(ROOT))))
    monkeypatch.setenv("PATH", str(bin_folder))

    def start(*argv: str) -> Any:
        from tests.support.pty_app import PtyApp

        return PtyApp([sys.executable, "-m", "pitree", "delete", str(old), *argv], columns=200, rows=10)

    return start


@pytest.mark.parametrize(("answer", "gone"), [("y", True), ("YES", True), ("", False), ("n", False)])
def test_it_asks(
    terminal: Callable[..., Any], old: Path, tmp_path: Path, trash: Trash, answer: str, gone: bool
) -> None:
    trash(taking(tmp_path))
    with terminal() as screen:
        screen.wait_for(f"Move {WHAT} to the trash? [y/N]")
        assert old.exists()
        screen.send(answer, "enter")
        assert screen.wait_exit() == (0 if gone else 1)
        assert ("moved to the trash" if gone else "not deleted") in screen.text
    assert names(tmp_path / "trash") == (["s.jsonl"] if gone else [])
    assert old.exists() is not gone


@pytest.mark.parametrize(
    ("argv", "answers", "gone"),
    [
        ((), ["y", "y"], True),
        ((), ["y", "n"], False),
        ((), ["n"], False),
        (("--yes",), ["y"], True),
        (("--yes",), ["n"], False),
        (("--permanent",), ["y"], True),
        (("--permanent",), ["n"], False),
        (("--yes", "--permanent"), [], True),
    ],
)
def test_without_a_trash_it_asks_twice(
    terminal: Callable[..., Any], old: Path, argv: tuple[str, ...], answers: list[str], gone: bool
) -> None:
    with terminal(*argv) as screen:
        for count, answer in enumerate(answers, 1):
            screen.wait_for(
                lambda text, count=count: text.count("PERMANENTLY") == text.count("[y/N]") == count
            )
            assert old.exists()
            screen.send(answer, "enter")
        assert screen.wait_exit() == (0 if gone else 1)
        assert ("deleted permanently" if gone else "not deleted") in screen.text
    assert old.exists() is not gone


def test_it_asks_again_where_the_trash_does_not_take_it(
    terminal: Callable[..., Any], old: Path, trash: Trash
) -> None:
    trash("exit 1")
    with terminal("--yes") as screen:
        screen.wait_for("It cannot be moved to the trash: the file would be PERMANENTLY deleted.")
        screen.wait_for(f"Delete {WHAT} anyway? [y/N]")
        screen.send("ctrl-d")
        assert screen.wait_exit() == 1
    assert old.exists()
