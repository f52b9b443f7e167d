"""Following real files as they grow, shrink, go and come back."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from pitree.session import SessionManager
from pitree.session.live import follower as follower_module
from pitree.session.live.branch_tips import Tips, heir
from pitree.session.live.follower import (
    RESTLESS,
    SETTLED,
    SLICE,
    SOON,
    FileCheck,
    Finding,
    Follower,
    without_blanks_at_end,
)
from pitree.session.manager.activity import (
    OVER_AFTER,
    STALE_AFTER,
    Activity,
    LastMessage,
    activity_now,
    activity_of,
)
from pitree.session.manager.newest_message import left_behind
from tests.support.records import HEADER, encode, message

Write = Callable[[bytes], Path]

START = encode(HEADER, message("a", None, "naïve 修正 🙂"))
TAIL = encode(message("b", "a", "zwei 修正 🙂"), message("c", "b", "drei"))


def append(path: Path, data: bytes) -> None:
    with path.open("ab") as file:
        file.write(data)


def test_nothing_happened(write: Write) -> None:
    follower = Follower(SessionManager.open(write(START)))
    for _ in range(3):
        look = follower.look()
        assert (look.finding, look.came, look.again) == (Finding.SAME, 0, None)


def test_every_torn_write_is_read_once_it_is_whole(write: Write) -> None:
    whole = SessionManager.open(write(START + TAIL))
    for cut in range(len(TAIL) + 1):
        path = write(START)
        session = SessionManager.open(path)
        follower = Follower(session)
        append(path, TAIL[:cut])
        first = follower.look()
        append(path, TAIL[cut:])
        second = follower.look()
        assert first.came + second.came == 2, cut
        assert {first.finding, second.finding} <= {Finding.SAME, Finding.GREW}
        assert session.table.ids == whole.table.ids
        assert list(session.table.offsets) == list(whole.table.offsets)
        assert session.table.texts == whole.table.texts
        assert not session.notices
        session.close()


def test_much_is_read_in_slices(write: Write) -> None:
    path = write(START)
    session = SessionManager.open(path)
    follower = Follower(session)
    count = 3 * SLICE // 100
    append(path, encode(*(message(f"m{n}", "a" if n == 0 else f"m{n - 1}") for n in range(count))))
    looks = [follower.look()]
    while looks[-1].again == 0:
        looks.append(follower.look())
    assert len(looks) > 3
    assert sum(look.came for look in looks) == count
    assert [look.first for look in looks[:2]] == [1, 1 + looks[0].came]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda path: path.write_bytes(START[:60] + b"\n"), "cut short"),
        (lambda path: path.write_bytes(encode(HEADER, message("x", None, "long " * 50))), "rewritten"),
        (lambda path: os.replace(_other(path, START + TAIL), path), "another file"),
    ],
)
def test_another_file_is_told(write: Write, change: Callable[[Path], None], words: str) -> None:
    path = write(START)
    follower = Follower(SessionManager.open(path), settled=0)
    change(path)
    look = follower.look()
    assert look.finding is Finding.REPLACED
    assert words in look.words


def _other(path: Path, data: bytes) -> Path:
    other = path.with_suffix(".new")
    other.write_bytes(data)
    return other


def test_a_file_that_goes_and_comes_back(write: Write) -> None:
    path = write(START)
    follower = Follower(SessionManager.open(path), settled=0)
    path.unlink()
    assert follower.look().finding is Finding.GONE
    assert follower.look().finding is Finding.GONE
    path.write_bytes(START + TAIL)
    assert follower.look().finding is Finding.REPLACED


def test_a_file_moved_away_and_back_is_the_same(write: Write) -> None:
    path = write(START)
    follower = Follower(SessionManager.open(path))
    away = path.with_suffix(".away")
    path.rename(away)
    append(away, TAIL)
    assert follower.look().finding is Finding.GONE
    away.rename(path)
    assert follower.look().came == 2


class Clock:
    """A clock for the follower, which goes on as far as it says when to look again."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        monkeypatch.setattr(follower_module, "time", SimpleNamespace(monotonic=lambda: self.now))

    def settle(self, follower: Follower, until: Finding) -> float:
        """Look until the finding is there, and before it nothing new; the seconds it took."""
        started = self.now
        while (look := follower.look()).finding is not until:
            assert look.finding is Finding.SAME
            assert look.again
            self.now += look.again
            assert self.now < started + 20
        return self.now - started


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def test_a_file_that_is_being_rewritten_is_told_once_it_rests(write: Write, clock: Clock) -> None:
    path = write(START + TAIL)
    follower = Follower(SessionManager.open(path))
    path.write_bytes(b"")
    assert follower.look().again
    path.write_bytes(START)
    assert SETTLED <= clock.settle(follower, Finding.REPLACED) < SETTLED + 2 * SOON


def test_a_file_that_never_rests_is_told_all_the_same(write: Write, clock: Clock) -> None:
    path = write(START + TAIL)
    follower = Follower(SessionManager.open(path), settled=1e9)
    path.write_bytes(START)
    assert RESTLESS <= clock.settle(follower, Finding.REPLACED) < RESTLESS + 2 * SOON


def test_a_touched_file_may_have_changed(write: Write, clock: Clock) -> None:
    path = write(START)
    follower = Follower(SessionManager.open(path))
    os.utime(path, (1, 1))
    clock.settle(follower, Finding.TOUCHED)
    assert follower.look() == FileCheck(Finding.SAME, 1)


def test_a_time_that_changes_before_the_size_does_is_no_touch(write: Write) -> None:
    path = write(START)
    follower = Follower(SessionManager.open(path), settled=1e9)
    follower.look()
    os.utime(path, (1, 1))
    assert follower.look().finding is Finding.SAME
    append(path, TAIL)
    look = follower.look()
    assert (look.came, look.again) == (2, None)


def test_a_place_held_free_by_blanks_waits_for_its_lines(write: Write) -> None:
    path = write(START)
    session = SessionManager.open(path)
    follower = Follower(session, settled=0)
    append(path, b" " * (len(TAIL) - 1) + b"\n")
    assert follower.look().came == 0
    assert session.size == len(START)
    with path.open("r+b") as file:
        file.seek(len(START))
        file.write(TAIL)
    look = follower.look()
    assert (look.finding, look.came) == (Finding.GREW, 2)
    assert not session.notices


@pytest.mark.parametrize(
    ("data", "left"),
    [
        (b"", b""),
        (b"{}\n", b"{}\n"),
        (b"{}\n\n\n", b"{}\n\n\n"),
        (b"{}\n  \n", b"{}\n"),
        (b"   ", b""),
        (b"{}\n\n \n", b"{}\n\n"),
        (b'{"a":" ', b'{"a":" '),
        (b"{} \n", b"{} \n"),
        (b"{} \n\t  \n", b"{} \n\t"),
    ],
)
def test_blanks_at_the_end(data: bytes, left: bytes) -> None:
    assert without_blanks_at_end(data) == left


def test_blanks_stay_where_lines_follow(write: Write) -> None:
    path = write(START)
    session = SessionManager.open(path)
    follower = Follower(session)
    append(path, b"   \n")
    follower.look()
    append(path, TAIL)
    assert follower.look().came == 2
    assert session.size == path.stat().st_size


def test_while_another_thread_writes_nothing_is_read(write: Write) -> None:
    path = write(START)
    session = SessionManager.open(path)
    follower = Follower(session)
    append(path, TAIL)
    ahead = follower.probe()
    with held(session):
        assert follower.take(ahead) == FileCheck(Finding.SAME, 1, again=SOON)
        assert follower.look() == FileCheck(Finding.SAME, 1, again=SOON)
    assert follower.look().came == 2
    assert follower.take(ahead) == FileCheck(Finding.SAME, 3, again=SOON)  # another thread was quicker
    assert session.table.ids == ["a", "b", "c"]


@contextmanager
def held(session: SessionManager) -> Iterator[None]:
    """Another thread that reads or writes."""
    has, done = threading.Event(), threading.Event()

    def hold() -> None:
        with session._turn:
            has.set()
            done.wait(20)

    thread = threading.Thread(target=hold)
    thread.start()
    assert has.wait(20)
    yield
    done.set()
    thread.join()


def test_a_file_that_becomes_none_is_told(write: Write) -> None:
    path = write(b"")
    follower = Follower(SessionManager.open(path))
    append(path, encode(message("a", None)))
    look = follower.look()
    assert look.finding is Finding.REPLACED
    assert "no longer a session" in look.words


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ({"role": "user"}, Activity.WORKING),
        ({"role": "toolResult"}, Activity.WORKING),
        ({"role": "assistant", "stopReason": "toolUse"}, Activity.WORKING),
        ({"role": "assistant", "stopReason": "stop"}, Activity.WAITING),
        ({"role": "assistant", "stopReason": "length"}, Activity.WAITING),
        ({"role": "assistant", "stopReason": "error"}, Activity.ERROR),
        ({"role": "assistant", "stopReason": "aborted"}, Activity.ABORTED),
        ({"role": "assistant", "content": [{"type": "toolCall"}]}, Activity.WORKING),
        ({"role": "assistant", "content": []}, Activity.WAITING),
        ({"role": "system"}, Activity.NONE),
        ({"role": 7}, Activity.NONE),
    ],
)
def test_activity(said: dict[str, object], expected: Activity) -> None:
    assert activity_of(said) is expected


def test_working_becomes_stale() -> None:
    assert activity_now(Activity.WORKING, 1000, 1000 + STALE_AFTER - 1) is Activity.WORKING
    assert activity_now(Activity.WORKING, 1000, 1000 + STALE_AFTER) is Activity.STALE
    assert activity_now(Activity.WORKING, float("nan"), 1000) is Activity.STALE


def test_fault_27_a_state_is_one_of_now() -> None:
    for activity, over in [
        (Activity.WAITING, Activity.NONE),
        (Activity.WORKING, Activity.NONE),
        (Activity.ERROR, Activity.ERROR),
        (Activity.ABORTED, Activity.ABORTED),
    ]:
        assert activity_now(activity, 1000, 1000 + OVER_AFTER) is over
    assert activity_now(Activity.WAITING, 1000, 999 + OVER_AFTER) is Activity.WAITING
    assert activity_now(Activity.WAITING, 1000, 1e15, open_in_pi=True) is Activity.WAITING


def test_the_last_message_is_kept_up() -> None:
    session = SessionManager.in_memory(entries=[message("a", None), message("x", "a", role="system")])
    last = LastMessage(session)
    assert last.activity is Activity.WORKING
    assert last.time == session.table.times[0]
    session.append_message({"role": "assistant", "content": [], "stopReason": "error"})
    session.append_session_info("a name")
    last.update()
    assert last.activity is Activity.ERROR
    session.append_message({"role": "bashExecution", "command": "ls"})
    last.update()
    assert last.activity is Activity.ERROR
    session.append_message({"role": "toolResult", "content": []})
    last.update()
    assert last.activity is Activity.WORKING
    assert LastMessage(SessionManager.in_memory()).activity is Activity.NONE


def test_two_branches_that_grow_are_told(write: Write) -> None:
    path = write(START)
    session = SessionManager.open(path)
    follower, tips = Follower(session), Tips(session.table)
    append(path, encode(message("b", "a")))
    follower.look()
    assert not tips.update()
    append(path, encode(message("c", "a")))
    follower.look()
    assert tips.update()
    append(path, encode(message("d", "b"), message("e", "c")))
    follower.look()
    assert not tips.update()
    assert [(session.table.ids[tip.index], tip.grown) for tip in tips.growing] == [("e", 2), ("d", 2)]


def test_an_end_that_was_the_leaf_counts_once_it_has_grown() -> None:
    session = SessionManager.in_memory(entries=[message("a", None), message("b", "a")])
    tips = Tips(session.table, session.leaf_index)
    assert tips.ends == [1]
    assert not tips.growing
    session.branch("a")
    session.append_message({"role": "user", "content": "elsewhere"})
    assert not tips.update()
    assert tips.ends == [1, 2]
    assert [tip.index for tip in tips.growing] == [2]


@pytest.mark.parametrize(
    ("parents", "by_turns"),
    [
        (["0", "1", "2"], False),
        (["0", "0", "2"], False),
        (["0", "0", "1"], True),
        (["0", "0", "2", "1"], True),
        (["0", "1", "0", "3", "4"], False),
    ],
)
def test_two_writers_are_told_from_one_that_moves_on(parents: list[str], by_turns: bool) -> None:
    session = SessionManager.in_memory(entries=[message("0", None)])
    tips = Tips(session.table, session.leaf_index)
    for parent in parents:
        session.branch(session.table.ids[int(parent)])
        session.append_message({"role": "user", "content": "x"})
        tips.update()
    assert tips.by_turns is by_turns


def test_the_heir_of_an_end() -> None:
    records = [message("a", None), message("b", "a"), message("c", "a"), message("d", "b"), message("e", "c")]
    table = SessionManager.in_memory(entries=records).table
    assert heir(table, 0, 1) == 3
    assert heir(table, 2, 3) == 4
    assert heir(table, 3, 4) == 3
    assert heir(table, 4, 5) == 4


def test_bookkeeping_begins_no_branch() -> None:
    label = {"type": "label", "id": "l", "parentId": "a", "timestamp": "", "targetId": "a", "label": "x"}
    session = SessionManager.in_memory(entries=[message("a", None), message("b", "a"), label])
    tips = Tips(session.table)
    tips._seen = 1
    assert not tips.update()
    assert [session.table.ids[tip.index] for tip in tips.growing] == ["b"]
    assert session.table.ids[left_behind(session.table, session.leaf_index)] == "b"


def test_a_leaf_on_the_newest_branch_is_not_left_behind() -> None:
    name = {"type": "session_info", "id": "n", "parentId": "b", "timestamp": "", "name": "x"}
    session = SessionManager.in_memory(entries=[message("a", None), message("b", "a"), name])
    assert left_behind(session.table, session.leaf_index) == -1
    assert left_behind(session.table, 1) == -1
    assert left_behind(session.table, -1) == -1


def test_a_leaf_that_was_moved_on_purpose_is_not_left_behind() -> None:
    session = SessionManager.in_memory(entries=[message("a", None), message("b", "a")])
    session.move_leaf("a")
    session.append_session_info("a name")
    assert left_behind(session.table, session.leaf_index) == -1


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("label", {"targetId": "u1", "label": "x"}),
        ("session_info", {"name": "x"}),
        ("custom", {"customType": "todo"}),
        ("model_change", {"provider": "p", "modelId": "m"}),
        ("thinking_level_change", {"thinkingLevel": "high"}),
        ("context_edit", {"targetId": "u1", "replacement": None}),
        ("usage", {"kind": "title"}),
    ],
)
def test_fault_09_bookkeeping_is_no_tip(write: Write, kind: str, fields: dict[str, object]) -> None:
    """Pi goes on from its own leaf, beside the bookkeeping of another program; later from below it."""

    def kept(entry_id: str, parent: str) -> dict[str, object]:
        return {"type": kind, "id": entry_id, "parentId": parent, "timestamp": HEADER["timestamp"], **fields}

    path = write(encode(HEADER, message("u0", None), kept("k0", "u0")))
    session = SessionManager.open(path)
    follower, tips = Follower(session), Tips(session.table, session.leaf_index)
    table = session.table
    assert [table.ids[end] for end in tips.ends] == ["u0"]
    for grown, (talk, parent) in enumerate([("u1", "u0"), ("a1", "u1"), ("u2", "k2")], 1):
        before = len(table) - 1
        append(path, encode(message(talk, parent)))
        follower.look()
        assert not tips.update()
        assert [(table.ids[tip.index], tip.grown) for tip in tips.growing] == [(talk, grown)]
        assert table.ids[heir(table, before, before + 1)] == talk
        append(path, encode(kept(f"k{grown}", talk)))
        follower.look()
        assert not tips.update()
        assert [(table.ids[tip.index], tip.grown) for tip in tips.growing] == [(talk, grown)]
        assert table.ids[heir(table, len(table) - 2, len(table) - 1)] == f"k{grown}"
    assert not tips.by_turns
    append(path, encode(message("w", "k1")))  # an old place, though only bookkeeping stands there
    follower.look()
    assert tips.update()
    assert [table.ids[tip.index] for tip in tips.growing] == ["w", "u2"]


def test_fault_09_an_end_goes_on_beside_a_chain_of_bookkeeping(write: Write) -> None:
    path = write(encode(HEADER, message("u1", None)))
    session = SessionManager.open(path)
    follower, tips = Follower(session), Tips(session.table, session.leaf_index)
    for number in range(3):
        session.append_label_change("u1", f"label {number}")
    append(path, encode(message("a1", "u1")))
    follower.look()
    assert not tips.update()
    assert [(session.table.ids[tip.index], tip.grown) for tip in tips.growing] == [("a1", 1)]
