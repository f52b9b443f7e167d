"""Files that another process has open for writing are told from those it only reads."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from pitree.session.storage import open_files
from pitree.session.storage.open_files import files_in_use, writers_of
from tests.support.waiting import until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the system tells only on Linux")

HOLD = """
import sys
files = [open(path, mode) for path, mode in zip(sys.argv[1::2], sys.argv[2::2])]
print(1, flush=True)
input()
"""
Hold = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def hold() -> Iterator[Hold]:
    """Starts a process that keeps files open, in the modes given; it ends with the test."""
    started: list[subprocess.Popen[str]] = []

    def holder(*files: object) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-c", HOLD, *map(str, files)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        assert process.stdout is not None
        assert process.stdout.readline() == "1\n"
        return process

    yield holder
    for process in started:
        if process.poll() is None:
            process.communicate("\n", timeout=10)


def file_id(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_dev, status.st_ino


def test_only_session_files_that_are_written_to(tmp_path: Path, hold: Hold) -> None:
    written, read, other = tmp_path / "a.jsonl", tmp_path / "b.jsonl", tmp_path / "c.txt"
    for path in (written, read, other):
        path.touch()
    assert file_id(written) not in files_in_use()
    process = hold(written, "a", read, "r", other, "w")
    assert files_in_use() & {file_id(path) for path in (written, read, other)} == {file_id(written)}
    process.communicate("\n", timeout=10)
    assert file_id(written) not in files_in_use()


def test_a_file_that_was_renamed_meanwhile_is_the_same(tmp_path: Path, hold: Hold) -> None:
    path = tmp_path / "a.jsonl"
    hold(path, "w")
    other = path.rename(tmp_path / "b.jsonl")
    assert file_id(other) in files_in_use()


def test_this_process_does_not_count(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with path.open("w"):
        assert file_id(path) not in files_in_use()


def test_fault_11_a_look_that_hangs_is_left_behind(
    hold: Hold, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the place of a dead mount stands a pipe: who opens it for reading waits until somebody writes."""
    path = tmp_path / "s.jsonl"
    path.write_text("x")
    processes = tmp_path / "proc"
    writer = hold(path, "ab")
    for number, name in ((writer.pid, "s.jsonl"), (2, "lost.jsonl")):
        for folder in ("fd", "fdinfo"):
            (processes / str(number) / folder).mkdir(parents=True)
        (processes / str(number) / "fd" / "3").symlink_to(tmp_path / name)
    (processes / str(writer.pid) / "fdinfo" / "3").write_text("flags:\t0102001\n")
    lost = processes / "2" / "fdinfo" / "3"
    os.mkfifo(lost)
    monkeypatch.setattr(open_files, "_PROCESSES", str(processes))
    monkeypatch.setattr(open_files, "_SECONDS", 0.5)
    monkeypatch.setattr(open_files, "_processes", lambda: [str(writer.pid), "2", str(writer.pid)])
    status = path.stat()
    before = threading.active_count()
    assert files_in_use() == {(status.st_dev, status.st_ino)}
    assert files_in_use() == {(status.st_dev, status.st_ino)}
    assert threading.active_count() == before + 1, "no second look while the first one hangs"
    assert writers_of(path) == [writer.pid]
    assert writers_of(tmp_path / "proc") == []

    def let_go() -> bool:
        with suppress(OSError):  # nobody waits at the other end
            end = os.open(lost, os.O_WRONLY | os.O_NONBLOCK)
            os.write(end, b"flags:\t0\n")
            os.close(end)
        return threading.active_count() <= before

    until(let_go)


def test_fault_11_a_writer_is_found_under_any_name(hold: Hold, tmp_path: Path) -> None:
    path, other = tmp_path / "s.jsonl", tmp_path / "other.txt"
    path.write_text("x")
    other.hardlink_to(path)
    writer = hold(other, "ab")
    assert writers_of(path) == [writer.pid]
    assert writers_of(tmp_path / "gone") == []
