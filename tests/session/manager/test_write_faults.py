"""No room, and killed: old bytes stay, nothing half is taken for whole, the next line can be read."""

from __future__ import annotations

import errno
import json
import os
import random
import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from pitree.session.format.entry_type import Flag, Kind
from pitree.session.format.errors import WriteError
from pitree.session.manager.manager import SessionManager
from pitree.session.reading import appender as appender_module
from tests.support.beside import (
    LATE,
    TALK,
    append,
    in_child,
    in_memory,
    path_of,
    records_after,
    same_as_on_disk,
)
from tests.support.killed import write_until_killed
from tests.support.records import encode, message
from tests.support.small_disk import on_small_disk

Write = Callable[[bytes], Path]


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
    known = in_memory(session)
    for room in range(160):
        with files_up_to(len(before) + room), pytest.raises(WriteError) as caught:
            session.move_leaf("u1", "a summary that takes some room" * 3, "label")
        assert caught.value.reason in (
            "nothing was written: the disk is full",
            "nothing was written: File too large",
        )
        assert path_of(session).read_bytes() == before
        assert in_memory(session) == known
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
    known = in_memory(session)
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
    assert in_memory(session) == known
    session.append_label_change("u2", "fits")
    assert same_as_on_disk(session)


def test_a_torn_line_that_cannot_be_taken_back_is_said(
    talk: SessionManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*args: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "ftruncate", broken)
    with files_up_to(len(TALK) + 20), pytest.raises(WriteError, match="and its last line is now incomplete"):
        talk.append_session_info("a name that takes some room")
    assert path_of(talk).read_bytes().startswith(TALK)


def test_a_full_disk(tmp_path: Path) -> None:
    on_small_disk(tmp_path, "tests.support.full_disk", "all refused, all intact\n")


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
