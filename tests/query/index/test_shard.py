"""The index killed, shared, damaged or short of room: answers stay right, the next start mends it."""

from __future__ import annotations

import os
import random
import sys
from pathlib import Path
from threading import Thread

import pytest

from pitree.pi.places import Places
from pitree.query.index import index_update
from pitree.query.index import shard_writers as writers_module
from pitree.query.index.index import Index
from pitree.query.index.index_update import IndexNotWritten, index_lock, jobs_for, update
from pitree.query.index.scope import all_files
from pitree.query.index.shard import leftovers, shard_names
from pitree.query.index.shard_writers import WriterProcesses
from pitree.workers.failures import reason_of
from tests.support.failing import WordlessError
from tests.support.search_store import hits_of, write_store
from tests.support.small_disk import on_small_disk
from tests.support.waiting import kill_at_any_moment

QUERIES = ("parse", "foo.ba", "role:user 修正", '"a/b/c.py"', "tool:bash -token")


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Places:
    """A store that fills several small shards."""
    monkeypatch.setattr(index_update, "SHARD_BYTES", 12_000)
    monkeypatch.setattr(index_update, "FIRST_BYTES", 6_000)
    monkeypatch.setattr(index_update, "SMALL_BYTES", 100)
    return write_store(tmp_path / "agent", 7, sessions=16, entries=16)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the index lies."""
    return tmp_path / "index"


def made(folder: Path, places: Places) -> Index:
    """The index, brought up to date."""
    index = Index(folder)
    with index_lock(folder) as ours:
        assert ours
        update(index, all_files(places))
    return index


def assert_right(index: Index, places: Places) -> None:
    """Make sure that the index finds what a plain scan finds."""
    index.refresh()
    for query in QUERIES:
        assert hits_of(query, places, index) == hits_of(query, places, None)


def test_killed_at_any_moment(places: Places, folder: Path) -> None:
    chance = random.Random(3)
    for _ in range(12):
        child = os.fork()
        if not child:
            try:
                made(folder, places)
            finally:
                os._exit(1)
        kill_at_any_moment(child, chance, 0.02)
        assert_right(Index(folder), places)
    before = {one.path for one in shard_names(folder)}
    index = made(folder, places)
    assert before <= {one.path for one in shard_names(folder)}, "what was done is not done again"
    assert not leftovers(folder)
    assert not jobs_for(index, all_files(places))
    assert len(index.shards) > 4
    assert_right(index, places)


def test_random_bytes_in_it(places: Places, folder: Path) -> None:
    chance = random.Random(4)
    made(folder, places)
    for _ in range(6):
        for one in chance.sample(shard_names(folder), 3):
            data = bytearray(one.path.read_bytes())
            for _ in range(chance.choice((1, 1, 30))):
                data[chance.randrange(len(data))] ^= chance.randrange(1, 256)
            if chance.random() < 0.3:
                del data[chance.randrange(len(data)) :]
            one.path.write_bytes(data)
        index = Index(folder)
        assert_right(index, places)
        assert len(index.damaged) == 3
        assert_right(made(folder, places), places)
        assert all(one.path.stat().st_mode & 0o077 == 0 for one in shard_names(folder))


def test_damage_while_it_is_read(places: Places, folder: Path) -> None:
    index = made(folder, places)
    for one in shard_names(folder):
        one.path.write_bytes(b"\0" * one.path.stat().st_size)
    assert_right(index, places)


def test_one_makes_it_while_another_reads(places: Places, folder: Path) -> None:
    reader = Index(folder)
    with index_lock(folder) as ours, index_lock(folder) as also_ours:
        assert ours
        assert not also_ours
        writer = Index(folder)
        looks = 0

        def look(_progress: object) -> None:
            nonlocal looks
            looks += 1
            assert_right(reader, places)

        update(writer, all_files(places), on_progress=look)
    assert looks > 4
    assert len(reader.shards) == len(writer.shards)


def test_room_is_left_on_the_disk(places: Places, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made(folder, places)
    before = [one.path for one in shard_names(folder)]
    monkeypatch.setattr(index_update, "ROOM_LEFT", 1 << 62)
    index = made(folder, places)
    assert_right(index, places)
    write_store(Path(places.agent_dir), 8, sessions=17, entries=16)
    with pytest.raises(index_update.IndexNotWritten, match="TB of free disk space"):
        made(folder, places)
    assert [one.path for one in shard_names(folder)] == before
    assert_right(index, places)


def test_a_writer_that_outlived_its_process_leaves_nothing(places: Places, folder: Path) -> None:
    made(folder, places)
    first, second = shard_names(folder)[:2]
    twin = first.path.with_name(first.path.name.replace(f"{first.number:08d}", f"{second.number:08d}"))
    twin.write_bytes(first.path.read_bytes())
    index = made(folder, places)
    assert len({one.number for one in shard_names(folder)}) == len(shard_names(folder))
    assert_right(index, places)


def test_no_room(tmp_path: Path) -> None:
    on_small_disk(tmp_path, "tests.support.full_index", "all found\n", size="800k")


def test_processes_write_it_and_one_that_dies_is_told(places: Places, folder: Path) -> None:
    index = Index(folder)
    with WriterProcesses(2) as writers, index_lock(folder):
        update(index, all_files(places), writers)
        assert_right(index, places)
        for process in writers._processes:
            process.kill()
            process.wait()
        write_store(Path(places.agent_dir), 8, sessions=17, entries=16)
        with pytest.raises(index_update.IndexNotWritten, match="ended"):
            update(index, all_files(places), writers)
        assert_right(index, places)
    assert_right(made(folder, places), places)


@pytest.mark.parametrize(
    "error", [ValueError("bad pickle"), RecursionError(), SystemExit(1), WordlessError()]
)
def test_fault_11_whatever_a_writer_raises_nobody_waits_for_ever(
    places: Places, folder: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException, failures: list[str]
) -> None:
    def failing(self: WriterProcesses, place: int) -> None:
        raise error

    monkeypatch.setattr(WriterProcesses, "_process", failing)
    ended: list[str] = []

    def make() -> None:
        with index_lock(folder), WriterProcesses(2) as writers:
            try:
                update(Index(folder), all_files(places), writers)
            except IndexNotWritten as problem:
                ended.append(str(problem))

    thread = Thread(target=make, daemon=True)
    thread.start()
    thread.join(60)
    assert not thread.is_alive()
    assert ended == [f"the index cannot be written: {reason_of(error)}"]


def test_fault_11_an_answer_that_is_none_counts_as_an_end(
    places: Places, folder: Path, monkeypatch: pytest.MonkeyPatch, failures: list[str]
) -> None:
    command = [sys.executable, "-c", "print('no pickle at all', flush=True); input()"]
    monkeypatch.setattr(writers_module, "python", lambda code: command)
    with index_lock(folder), WriterProcesses(2) as writers, pytest.raises(IndexNotWritten):
        update(Index(folder), all_files(places), writers)


def test_fault_01_writers_that_are_killed_are_replaced(places: Places, folder: Path) -> None:
    with index_lock(folder), WriterProcesses(2) as writers:
        index = Index(folder)
        for one in (writers._process(0), writers._process(1)):
            one.kill()
            one.wait()
        with pytest.raises(IndexNotWritten, match="ended"):
            update(index, all_files(places), writers)
        writers.end()
        update(index, all_files(places), writers)
    assert_right(index, places)
