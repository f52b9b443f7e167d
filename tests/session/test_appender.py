"""One writer beside others: growth, damage, full disks, kills, two at a time."""

from __future__ import annotations

import errno
import json
import os
import random
import resource
import shutil
import stat
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pitree.session import appender as appender_module
from pitree.session.kinds import Flag, Kind
from pitree.session.lock import session_lock
from pitree.session.manager import SessionManager
from pitree.session.notices import WriteError
from tests.session.conftest import HEADER, encode, message
from tests.support.killed import write_until_killed
from tests.support.together import labeller, run_together

Write = Callable[[bytes], Path]
ROOT = Path(__file__).parents[2]
TALK = encode(HEADER, message("u1", None, "one"), message("a1", "u1", "two", "assistant"))
LATE = encode(message("u2", "a1", "late"))


@pytest.fixture
def talk(write: Write) -> SessionManager:
    """A question and its answer, `a1` being the leaf."""
    return SessionManager.open(write(TALK))


def path_of(session: SessionManager) -> Path:
    assert session.path is not None
    return session.path


def append(session: SessionManager, data: bytes) -> None:
    """Add bytes to the file as another program does."""
    with path_of(session).open("ab") as file:
        file.write(data)


def records_after(data: bytes, before: bytes) -> list[dict[str, Any]]:
    assert data.startswith(before)
    return [json.loads(line) for line in data[len(before) :].split(b"\n") if line.strip()]


def state(session: SessionManager) -> tuple[Any, ...]:
    """All that a session in memory amounts to."""
    table = session.table
    return (
        list(table.ids),
        list(table.parents),
        list(table.offsets),
        dict(session.labels),
        session.get_session_name(),
        session.get_leaf_id(),
        session.stats(),
        session.notices,
    )


def same_as_on_disk(session: SessionManager) -> bool:
    again = SessionManager.open(path_of(session))
    return state(again) == state(session)


# Growth


def test_what_came_since_is_read_before_writing(talk: SessionManager) -> None:
    more = encode(message("u2", "a1"), message("a2", "u2", "x", "assistant"), message("u3", "a2"))
    append(talk, more)
    new = talk.append_label_change("u1", "mark")
    (record,) = records_after(path_of(talk).read_bytes(), TALK + more)
    assert (record["id"], record["parentId"], record["label"]) == (new, "u3", "mark")
    assert talk.get_entry_count() == 6
    assert same_as_on_disk(talk)


def test_a_label_may_go_to_an_entry_that_came_since(talk: SessionManager) -> None:
    append(talk, LATE)
    talk.append_label_change("u2", "mark")
    assert talk.get_label("u2") == "mark"


def test_two_that_write_by_turns_make_siblings_and_both_are_seen(talk: SessionManager) -> None:
    append(talk, encode(message("x1", "a1"), message("y1", "a1")))
    assert talk.catch_up() == 2
    append(talk, encode(message("x2", "x1"), message("y2", "y1")))
    assert talk.catch_up() == 2
    assert [entry.id for entry in talk.get_children("a1")] == ["x1", "y1"]
    assert [entry.id for entry in talk.get_branch()] == ["u1", "a1", "y1", "y2"]
    talk.append_label_change("x2", "other tip")
    assert (talk.get_leaf_entry() or talk.entry(0)).parent_id == "y2"


def test_what_comes_between_look_and_write_is_looked_at_too(
    talk: SessionManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    late = [LATE, encode(message("a2", "u2", "x", "assistant"))]
    real = talk._new_id

    def slow() -> str:
        if late:
            append(talk, late.pop(0))
        return real()

    monkeypatch.setattr(talk, "_new_id", slow)
    talk.append_label_change("u1", "mark")
    assert (talk.get_leaf_entry() or talk.entry(0)).parent_id == "a2"
    assert [entry.id for entry in talk.get_entries()][:4] == ["u1", "a1", "u2", "a2"]


def test_a_file_that_never_rests_is_written_to_all_the_same(
    talk: SessionManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, count = talk._new_id, 0

    def slow() -> str:
        nonlocal count
        count += 1
        append(talk, encode(message(f"n{count}", "a1")))
        return real()

    monkeypatch.setattr(talk, "_new_id", slow)
    new = talk.append_label_change("u1", "mark")
    assert talk.get_leaf_id() == new
    assert talk.get_entry_count() == 2 + count + 1
    assert same_as_on_disk(talk)


def test_bytes_of_a_large_growth_are_all_read(talk: SessionManager) -> None:
    append(talk, encode(*(message(f"n{i}", "a1", "x" * 3000) for i in range(800))))
    talk.append_label_change("n799", "mark")
    assert talk.get_entry_count() == 803


def test_threads_that_read_on_and_write_take_turns(talk: SessionManager) -> None:
    append(talk, encode(*(message(f"n{i}", "a1") for i in range(200))))
    stop = threading.Event()
    failed: list[Exception] = []

    def work(deed: Callable[[int], object]) -> None:
        place = 0
        while not stop.is_set():
            place += 1
            try:
                deed(place)
            except Exception as error:
                failed.append(error)
                return

    deeds: list[Callable[[int], object]] = [
        lambda place: talk.append_label_change("u1", f"mark {place}"),
        lambda place: talk.append_session_info(f"name {place}"),
        lambda place: talk.read_more(100),
        lambda place: talk.catch_up(),
        lambda place: append(talk, encode(message(f"p{place}", "a1", "x" * (place % 700)))),
    ]
    threads = [threading.Thread(target=work, args=(deed,)) for deed in deeds]
    for thread in threads:
        thread.start()
    time.sleep(0.5)
    stop.set()
    for thread in threads:
        thread.join()
    assert failed == []
    talk.catch_up()
    assert not talk.table.repeated
    assert same_as_on_disk(talk)


# The last line


@pytest.mark.parametrize("seen", [True, False])
def test_a_last_line_without_lf_gets_it_in_the_same_write(
    write: Write, monkeypatch: pytest.MonkeyPatch, seen: bool
) -> None:
    session = SessionManager.open(write(TALK[:-1] if seen else TALK))
    before = TALK if seen else TALK + LATE
    if not seen:
        append(session, LATE[:-1])
    written = []
    real = os.write
    monkeypatch.setattr(os, "write", lambda fd, data: written.append(data) or real(fd, data))
    session.append_session_info("n")
    assert len(written) == 1
    assert written[0].startswith(b"\n{")
    (record,) = records_after(path_of(session).read_bytes(), before)
    assert record["parentId"] == ("a1" if seen else "u2")
    assert same_as_on_disk(session)


def test_an_unfinished_last_line_is_waited_for(talk: SessionManager) -> None:
    append(talk, LATE[:40])
    thread = threading.Timer(0.15, append, (talk, LATE[40:]))
    thread.start()
    start = time.monotonic()
    talk.append_session_info("n")
    assert time.monotonic() - start >= 0.1
    thread.join()
    assert records_after(path_of(talk).read_bytes(), TALK)[0]["id"] == "u2"
    assert (talk.get_leaf_entry() or talk.entry(0)).parent_id == "u2"


def test_an_unfinished_last_line_is_left_alone_and_said(talk: SessionManager) -> None:
    append(talk, LATE[:40])
    before = state(talk)
    start = time.monotonic()
    with pytest.raises(WriteError, match="nothing was written: its last line is unfinished"):
        talk.append_session_info("n")
    assert 0.4 < time.monotonic() - start < 3
    assert path_of(talk).read_bytes() == TALK + LATE[:40]
    assert state(talk)[:7] == before[:7]
    append(talk, LATE[40:])
    talk.append_session_info("n")
    assert same_as_on_disk(talk)


def test_a_line_left_unfinished_long_ago_is_ended(talk: SessionManager) -> None:
    append(talk, LATE[:40])
    long_ago = time.time() - 3600
    os.utime(path_of(talk), (long_ago, long_ago))
    start = time.monotonic()
    talk.append_session_info("n")
    assert time.monotonic() - start < 0.4
    data = path_of(talk).read_bytes()
    assert data.startswith(TALK + LATE[:40] + b"\n{")
    assert (talk.get_leaf_entry() or talk.entry(0)).parent_id == "a1"
    assert same_as_on_disk(talk)


def test_a_line_that_came_to_stand_behind_a_torn_one_is_not_called_written(
    talk: SessionManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.write

    def late(descriptor: int, data: bytes) -> int:
        monkeypatch.undo()
        append(talk, LATE[:40])
        return real(descriptor, data)

    monkeypatch.setattr(os, "write", late)
    with pytest.raises(WriteError, match="on one line with something unfinished"):
        talk.append_session_info("n")
    talk.append_session_info("n")
    assert path_of(talk).read_bytes().startswith(TALK + LATE[:40])
    assert json.loads(path_of(talk).read_bytes().splitlines()[-1])["name"] == "n"


# Another file


def spoil(path: Path, how: str) -> None:
    data = path.read_bytes()
    if how == "gone":
        path.unlink()
    elif how == "folder gone":
        path.rename(path.parent.with_name("moved.jsonl"))
        path.parent.rmdir()
    elif how == "replaced":
        other = path.with_suffix(".new")
        other.write_bytes(data)
        other.replace(path)
    elif how == "replaced by a folder":
        path.unlink()
        path.mkdir()
    elif how == "truncated":
        path.write_bytes(data[:-10])
    elif how == "emptied":
        path.write_bytes(b"")
    elif how == "one entry less":
        path.write_bytes(encode(HEADER, message("u1", None, "one")))
    elif how == "rewritten longer":
        path.write_bytes(
            encode(HEADER, message("b1", None, "x" * 50), *(message(f"c{i}", "b1") for i in range(9)))
        )
    elif how == "strangers":
        path.write_bytes(b"x" * (2 * len(data)))


SPOILT = {
    "gone": "the file is gone",
    "folder gone": "the file is gone",
    "replaced": "another file has taken its place",
    "replaced by a folder": "another file has taken its place",
    "truncated": "the file was cut short",
    "emptied": "the file was cut short",
    "one entry less": "the file was cut short",
    "rewritten longer": "the file was rewritten",
    "strangers": "the file was rewritten",
}


@pytest.mark.parametrize("how", SPOILT)
def test_a_file_that_is_not_the_same_is_not_written_to(tmp_path: Path, how: str) -> None:
    (tmp_path / "folder").mkdir()
    path = tmp_path / "folder" / "s.jsonl"
    path.write_bytes(TALK)
    session = SessionManager.open(path)
    inode = path.stat().st_ino
    spoil(path, how)
    if how.startswith(("trunc", "empt", "one", "rewr", "str")):
        assert path.stat().st_ino == inode
    left = path.read_bytes() if path.is_file() else None
    before = state(session)
    for deed in (lambda: session.append_label_change("u1", "x"), lambda: session.move_leaf("u1")):
        with pytest.raises(WriteError, match=f"{path}: nothing was written: {SPOILT[how]}"):
            deed()
    with pytest.raises(WriteError, match=f"{path}: {SPOILT[how]}"):
        session.catch_up()
    assert state(session) == before
    assert (path.read_bytes() if path.is_file() else None) == left
    if how not in ("gone", "folder gone"):
        assert [found.name for found in path.parent.iterdir()] == ["s.jsonl"]


@pytest.mark.parametrize("how", ["gone", "replaced", "truncated"])
def test_a_file_that_changes_in_the_last_moment(
    talk: SessionManager, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    real, path = os.open, path_of(talk)

    def late(name: Any, *rest: Any) -> int:
        if name == path:
            monkeypatch.undo()
            spoil(path, how)
        return real(name, *rest)

    monkeypatch.setattr(os, "open", late)
    with pytest.raises(WriteError, match="nothing was written"):
        talk.append_session_info("n")
    assert (path.read_bytes() if path.exists() else TALK) == (TALK[:-10] if how == "truncated" else TALK)


def test_a_symlinked_session_is_written_where_it_lies(talk: SessionManager, tmp_path: Path) -> None:
    link = tmp_path / "link.jsonl"
    link.symlink_to(path_of(talk))
    session = SessionManager.open(link)
    session.append_label_change("u1", "mark")
    assert link.is_symlink()
    assert talk.catch_up() == 1
    assert talk.get_label("u1") == "mark"
    other = tmp_path / "other.jsonl"
    other.write_bytes(TALK)
    link.unlink()
    link.symlink_to(other)
    with pytest.raises(WriteError, match="another file has taken its place"):
        session.append_session_info("n")
    assert other.read_bytes() == TALK


def in_child(deed: Callable[[], str], user: int | None = None) -> str:
    """What a function answers in a process of its own, as another user if one is given."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        try:
            if user is not None:
                os.setgid(user)
                os.setuid(user)
            os.write(writer, deed().encode())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as answer:
        said = answer.read().decode()
    os.waitpid(child, 0)
    return said


def test_without_permission_nothing_is_written() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "s.jsonl"
        path.write_bytes(TALK)
        path.chmod(0o444)
        Path(folder).chmod(0o555)

        def write() -> str:
            session = SessionManager.open(path)
            try:
                session.append_session_info("n")
            except WriteError as error:
                try:
                    session.create_branched_session("a1")
                except WriteError as other:
                    return f"{error}\n{other}\n{session.get_leaf_id()}"
            return "written"

        said = in_child(write, 65534 if os.getuid() == 0 else None)
        assert said.splitlines()[0] == f"{path}: nothing was written: Permission denied"
        assert said.splitlines()[1].endswith("nothing was written: Permission denied")
        assert said.splitlines()[2] == "a1"
        assert path.read_bytes() == TALK
        assert stat.S_IMODE(path.stat().st_mode) == 0o444
        Path(folder).chmod(0o755)


# No room


@contextmanager
def files_up_to(size: int) -> Iterator[None]:
    """Let no file grow beyond a size; CPython ignores the signal that comes with it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("ended", [True, False])
def test_what_does_not_fit_leaves_nothing_behind(write: Write, ended: bool) -> None:
    before = TALK if ended else TALK[:-1]
    session = SessionManager.open(write(before))
    known = state(session)
    for room in range(160):
        with files_up_to(len(before) + room), pytest.raises(WriteError) as caught:
            session.move_leaf("u1", "a summary that takes some room" * 3, "label")
        assert caught.value.reason in (
            "nothing was written: the disk is full",
            "nothing was written: File too large",
        )
        assert path_of(session).read_bytes() == before
        assert state(session) == known
    session.append_label_change("u1", "fits")
    assert path_of(session).read_bytes().startswith(before)
    assert same_as_on_disk(session)


def test_the_first_try_that_fits_is_whole(talk: SessionManager) -> None:
    for room in range(1000):
        try:
            with files_up_to(len(TALK) + room):
                talk.append_label_change("u1", "mark")
        except WriteError:
            assert path_of(talk).read_bytes() == TALK
        else:
            break
    data = path_of(talk).read_bytes()
    assert len(data) == len(TALK) + room
    assert records_after(data, TALK)[0]["label"] == "mark"
    assert same_as_on_disk(talk)


@pytest.mark.parametrize("room", [1, 2, 17, 60])
@pytest.mark.parametrize("ended", [True, False])
def test_a_line_that_another_appended_to_a_torn_one_can_be_read(
    write: Write, monkeypatch: pytest.MonkeyPatch, room: int, ended: bool
) -> None:
    before = TALK if ended else TALK[:-1]
    session = SessionManager.open(write(before))
    known = state(session)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    real = appender_module._take_back

    def later(*args: Any) -> bool:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        append(session, LATE)  # now the torn bytes and this line are one
        return real(*args)

    monkeypatch.setattr(appender_module, "_take_back", later)
    with files_up_to(len(before) + room), pytest.raises(WriteError, match=r"the disk is full$"):
        session.append_session_info("a name that takes some room")
    data = path_of(session).read_bytes()
    assert data == before + b" " * (room - 1) + b"\n" + LATE
    assert records_after(data, before)[0]["id"] == "u2"
    assert state(session) == known
    session.append_label_change("u2", "fits")
    assert same_as_on_disk(session)


def test_a_torn_line_that_cannot_be_taken_back_is_said(
    talk: SessionManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*args: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "ftruncate", broken)
    with files_up_to(len(TALK) + 20), pytest.raises(WriteError, match="and its last line is torn now"):
        talk.append_session_info("a name that takes some room")
    assert path_of(talk).read_bytes().startswith(TALK)


FULL = """
import errno, json, os, sys
from pathlib import Path
from pitree.session.manager import SessionManager
from pitree.session.notices import WriteError
from tests.session.conftest import HEADER, encode, message
from tests.session.test_upgrade import V1

folder = Path(sys.argv[1])
PAGE = os.sysconf("SC_PAGE_SIZE")

def fill():
    with open(folder / "filler", "ab", buffering=0) as file:
        try:
            while file.write(b"x" * PAGE): pass
        except OSError as error:
            assert error.errno == errno.ENOSPC

def session_of(size):
    path = folder / f"{size}.jsonl"
    body = encode(HEADER, message("u1", None))
    path.write_bytes(body[:-1] + b" " * (size - len(body)) + b"\\n")
    assert path.stat().st_size == size
    return SessionManager.open(path)

sessions = [session_of(size) for size in (PAGE, PAGE - 1, PAGE - 40, PAGE - 2000)]
old = SessionManager.open(folder / "old.jsonl") if (folder / "old.jsonl").write_bytes(V1) else None
listed = sorted(path.name for path in folder.iterdir()) + ["filler"]
fill()
for session in sessions:
    before = session.path.read_bytes()
    for deed in (
        lambda: session.append_label_change("u1", "x" * 5000),
        lambda: session.move_leaf("u1", "s" * 5000, "label"),
        lambda: session.append_session_info("x" * (100 if len(before) > PAGE - 41 else 9000)),
        lambda: session.create_branched_session("u1"),
        old.upgrade,
    ):
        try:
            deed()
        except WriteError as error:
            assert str(error).endswith("the disk is full"), error
            assert ": nothing was " in str(error), error
        else:
            raise SystemExit("it was written")
        assert session.path.read_bytes() == before
        assert (session.get_leaf_id(), session.labels, session.get_entry_count()) == ("u1", {}, 1)
    assert sorted(path.name for path in folder.iterdir()) == sorted(listed)
assert old.path.read_bytes() == V1
(folder / "filler").unlink()
for session in sessions:
    before = session.path.read_bytes()
    session.append_label_change("u1", "x" * 500)
    data = session.path.read_bytes()
    assert data.startswith(before) and json.loads(data[len(before):])["label"] == "x" * 500
print("all refused, all intact")
"""


def test_a_full_disk(tmp_path: Path) -> None:
    unshare = shutil.which("unshare")
    if unshare is None:
        pytest.skip("no `unshare`, with which a small file system can be mounted for one process")
    folder = tmp_path / "small"
    folder.mkdir()
    namespace = [unshare, "--mount", *([] if os.getuid() == 0 else ["--map-root-user"])]
    mount = f'mount -t tmpfs -o size=96k tmpfs "{folder}"'
    if subprocess.run([*namespace, "sh", "-c", mount], capture_output=True, check=False).returncode:
        pytest.skip("mounting a small tmpfs is not allowed here")
    done = subprocess.run(
        [*namespace, "sh", "-c", f'{mount} && exec "$0" "$@"', sys.executable, "-c", FULL, str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "all refused, all intact\n"), done.stderr


# Killed


def test_killed_at_any_moment_nothing_old_is_lost_and_nothing_half_is_taken_for_whole(write: Write) -> None:
    path = write(TALK)
    chance = random.Random(20_260_301)
    written = marks = 0
    for run in range(200):
        if run % 10 == 0:
            path.write_bytes(TALK)
        left = write_until_killed(path, chance)
        written += len(left.told)
        marks += left.blank or bool(left.damaged)
        ids = [record["id"] for record in left.added]
        assert len(set(ids)) == len(ids)
        assert set(left.told) <= set(ids)
        with path.open("ab") as file:
            file.write(encode(message(f"pi{run}", "u1", "the next line of a running Pi")))
        assert json.loads(path.read_bytes().splitlines()[-1])["id"] == f"pi{run}"
        session = SessionManager.open(path)
        assert {*ids, f"pi{run}"} <= set(session.table.ids)
        assert not any(flags & Flag.RECOVERED for flags in session.table.flags)
        assert not session.table.unresolved
        assert {notice.kind for notice in session.notices} <= {"bad-json"}
        session.append_label_change("u1", f"after {run}")
        assert same_as_on_disk(session)
    assert written > 50
    print(f"{written} written, {marks} of 200 kills left a mark")


@pytest.mark.parametrize("at", ["room", "fill"])
@pytest.mark.parametrize("share", [0.0, 0.3, 0.995])
@pytest.mark.parametrize("ended", [True, False])
def test_killed_in_the_middle_of_a_write_over_several_pages(
    write: Write, monkeypatch: pytest.MonkeyPatch, at: str, share: float, ended: bool
) -> None:
    before = TALK if ended else TALK[:-1]
    session = SessionManager.open(write(before))
    real, calls = os.write, []

    def killed() -> str:
        def half(descriptor: int, data: bytes) -> int:
            calls.append(descriptor)
            if len(calls) == (1 if at == "room" else 2):
                real(descriptor, data[: int(len(data) * share)])
                os._exit(0)
            return real(descriptor, data)

        monkeypatch.setattr(os, "write", half)
        session.move_leaf("u1", "x" * 20_000, "label")
        return "not killed"

    assert in_child(killed) == ""
    if path_of(session).read_bytes() == TALK[:-1]:
        append(session, b"\n")  # nothing was written, and whoever opened the file ended its line
    append(session, LATE)
    data = path_of(session).read_bytes()
    assert data.startswith(before)
    assert data.endswith(LATE)
    assert json.loads(data.split(b"\n")[-2])["id"] == "u2"
    session.append_label_change("u1", "after")
    table = session.table
    assert table.ids[:2] == ["u1", "a1"]
    summaries = [Kind.BRANCH_SUMMARY] if at == "fill" and share > 0.9 else []
    assert list(table.kinds[2:-1]) == [*summaries, Kind.USER]
    assert same_as_on_disk(session)


# Two at a time


@pytest.mark.parametrize("count", [500])
def test_two_pitrees_on_one_file(talk: SessionManager, count: int) -> None:
    names = ("ours", "theirs")
    printed = run_together(*(labeller(path_of(talk), count, name) for name in names))
    told = [lines.split() for lines in printed]
    records = records_after(path_of(talk).read_bytes(), TALK)
    assert {record["type"] for record in records} == {"label"}
    assert sorted(record["id"] for record in records) == sorted(told[0] + told[1])
    assert len({record["id"] for record in records}) == 2 * count
    for name, ids in zip(names, told, strict=True):
        own = [record for record in records if record["label"].startswith(name)]
        assert [record["id"] for record in own] == ids
        assert [record["label"] for record in own] == [f"{name} {number}" for number in range(count)]
    # Each read what the other had written: one chain, no two entries below one parent.
    assert [record["parentId"] for record in records] == ["a1", *(record["id"] for record in records[:-1])]
    talk.catch_up()
    assert same_as_on_disk(talk)


def test_the_lock_is_waited_for_and_then_said(talk: SessionManager, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(appender_module, "session_lock", lambda path: session_lock(path, 0.2))
    with session_lock(path_of(talk)):
        said = in_child(lambda: _refusal(talk))
        assert said == f"{path_of(talk)}: nothing was written: another pitree is writing to it"
        with pytest.raises(WriteError, match="another pitree is writing to it"):
            talk.append_session_info("n")
    assert path_of(talk).read_bytes() == TALK
    talk.append_session_info("n")


def _refusal(session: SessionManager) -> str:
    try:
        session.append_session_info("n")
    except WriteError as error:
        return str(error)
    return "written"


def test_the_lock_lies_in_the_state_folder_and_is_one_for_all_names(
    talk: SessionManager, tmp_path: Path, state: Path
) -> None:
    link = tmp_path / "link.jsonl"
    link.symlink_to(path_of(talk))
    talk.append_session_info("n")
    SessionManager.open(link).append_session_info("m")
    (lock,) = (state / "locks").iterdir()
    assert stat.S_IMODE(lock.stat().st_mode) == 0o600
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.jsonl", "session.jsonl"]
    with session_lock(link), pytest.raises(WriteError), session_lock(path_of(talk), 0):
        pass


def test_without_a_state_folder_writing_goes_on(talk: SessionManager, state: Path) -> None:
    state.write_text("in the way")
    talk.append_session_info("n")
    assert talk.get_session_name() == "n"
    assert state.read_text() == "in the way"


def test_where_there_are_no_locks_writing_goes_on(
    talk: SessionManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(descriptor: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("pitree.session.lock._lock", none)
    start = time.monotonic()
    talk.append_session_info("n")
    assert time.monotonic() - start < 1


# Anything in any order

TEXTS = st.text(st.characters(codec="utf-8"), max_size=30) | st.just("half\ud83d") | st.just("x" * 5000)
DEEDS = st.one_of(
    st.tuples(st.just("label"), st.integers(0, 40), st.none() | TEXTS),
    st.tuples(st.just("name"), st.just(0), TEXTS),
    st.tuples(st.just("move"), st.integers(-1, 40), st.none() | TEXTS),
    st.tuples(st.just("summary"), st.integers(-1, 40), TEXTS),
    st.tuples(st.just("branch"), st.integers(-1, 40), st.just("")),
    st.tuples(st.just("message"), st.just(0), TEXTS),
    st.tuples(st.just("compaction"), st.integers(0, 40), TEXTS),
    st.tuples(st.just("edit"), st.integers(0, 40), st.none() | TEXTS),
    st.tuples(st.just("custom"), st.just(0), TEXTS),
    st.tuples(st.just("reopen"), st.just(0), st.just("")),
    st.tuples(
        st.just("foreign"),
        st.integers(0, 40),
        st.just("\n") | st.just("") | st.just("\r\n") | st.just("\n\n"),
    ),
    st.tuples(st.just("garbage"), st.just(0), st.just("")),
)


def do(session: SessionManager, kind: str, number: int, text: str | None, place: int) -> SessionManager:
    ids = session.table.ids
    target = ids[number % len(ids)] if number >= 0 else None
    match kind:
        case "label":
            session.append_label_change(target or ids[0], text)
        case "name":
            session.append_session_info(text or "")
        case "move":
            session.move_leaf(target, None, text)
        case "summary":
            session.move_leaf(target, text or "", text)
        case "branch":
            session.branch(target) if target is not None else session.reset_leaf()
        case "message":
            session.append_message({"role": "user", "content": text})
        case "compaction":
            session.append_compaction(text or "", target, number)
        case "edit":
            try:
                session.append_context_edit(target or "", None if text is None else {"content": text})
            except ValueError:
                pass
        case "custom":
            session.append_custom_entry(text or "", text)
        case "reopen":
            return SessionManager.open(path_of(session))
        case "foreign":
            if path_of(session).read_bytes().endswith(b"\n"):
                append(session, encode(message(f"f{place}", target))[:-1] + (text or "").encode())
        case "garbage":
            if path_of(session).read_bytes().endswith(b"\n"):
                append(session, b'{"type":"mess\n')
    return session


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(DEEDS, max_size=25))
def test_old_bytes_are_a_prefix_after_every_write(tmp_path: Path, deeds: list[Any]) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(TALK)
    session = SessionManager.open(path)
    before = TALK
    for place, (kind, number, text) in enumerate(deeds):
        session = do(session, kind, number, text, place)
        data = path.read_bytes()
        assert data[: len(before)] == before
        before = data
    session.catch_up()
    again = SessionManager.open(path)
    assert state(again)[:5] == state(session)[:5]
    assert state(again)[6:] == state(session)[6:]
