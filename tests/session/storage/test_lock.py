"""Two pitrees, or two threads of one, take turns at a session."""

from __future__ import annotations

import errno
import os
import stat
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from pitree.session.format.errors import WriteError
from pitree.session.manager.manager import SessionManager
from pitree.session.reading import appender as appender_module
from pitree.session.storage.lock import session_lock
from tests.support.beside import TALK, append, in_child, path_of, records_after, same_as_on_disk
from tests.support.records import encode, message
from tests.support.together import labeller, run_together
from tests.support.waiting import until

Write = Callable[[bytes], Path]


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

    monkeypatch.setattr("pitree.session.storage.lock._lock", none)
    monkeypatch.setattr(
        "pitree.session.storage.lock.time", SimpleNamespace(monotonic=time.monotonic, sleep=None)
    )
    talk.append_session_info("n")


def read_on(talk: SessionManager) -> None:
    """Take a little of what was added."""
    assert talk.path is not None
    ahead = talk.look_ahead(os.stat(talk.path), 100)
    if ahead is not None:
        talk.take(ahead, last=len(ahead.data) < 100)


def test_threads_that_read_on_and_write_take_turns(talk: SessionManager) -> None:
    append(talk, encode(*(message(f"n{i}", "a1") for i in range(200))))
    stop = threading.Event()
    failed: list[Exception] = []
    rounds: dict[Callable[[int], object], int] = {}

    def work(deed: Callable[[int], object]) -> None:
        while not stop.is_set():
            rounds[deed] = rounds.get(deed, 0) + 1
            try:
                deed(rounds[deed])
            except Exception as error:
                failed.append(error)
                return

    deeds: list[Callable[[int], object]] = [
        lambda place: talk.append_label_change("u1", f"mark {place}"),
        lambda place: talk.append_session_info(f"name {place}"),
        lambda place: read_on(talk),
        lambda place: talk.catch_up(),
        lambda place: append(talk, encode(message(f"p{place}", "a1", "x" * (place % 700)))),
    ]
    threads = [threading.Thread(target=work, args=(deed,)) for deed in deeds]
    for thread in threads:
        thread.start()
    until(lambda: failed or (len(rounds) == len(deeds) and min(rounds.values()) > 30))
    stop.set()
    for thread in threads:
        thread.join()
    assert failed == []
    talk.catch_up()
    assert not talk.table.repeated
    assert same_as_on_disk(talk)
