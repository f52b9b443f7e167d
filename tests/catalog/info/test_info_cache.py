"""The cache of lists: it says what reading the files would say, or nothing, whatever becomes of them."""

from __future__ import annotations

import asyncio
import dataclasses
import os
import random
import shutil
import sqlite3
import stat
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pitree.catalog.info import info_cache
from pitree.catalog.info.info_cache import InfoCache
from pitree.catalog.info.info_codec import decoded, encoded
from pitree.catalog.info.session_info import SessionInfo, read_info
from pitree.catalog.loading import parallel_reader
from pitree.catalog.loading.lister import SessionList, list_all_sessions, list_sessions
from pitree.pi.places import Places, find_places, session_file
from pitree.session.storage import line_reader
from tests.catalog.info.test_info_builder import TALK
from tests.support import stores
from tests.support.beside import in_child
from tests.support.records import HEADER, encode, message
from tests.support.small_disk import on_small_disk
from tests.support.stores import START, Store, records
from tests.support.waiting import kill_at_any_moment, until

SOON = 20_000_000
"""Nanoseconds after which tests take a file for settled: more than a step of their file system's clock."""


@pytest.fixture(autouse=True)
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_reader, "SETTLED_AFTER", SOON)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "sessions.sqlite3"


@pytest.fixture
def places(store: Store) -> Places:
    return find_places("/w/0", None, {"PI_CODING_AGENT_DIR": str(store.agent)})


def listed(places: Places, file: Path | None, wait: float = 30) -> SessionList:
    """All sessions, as a start of pitree lists them that finds this cache, and leaves it written."""
    cache = InfoCache(file) if file is not None else None
    found = asyncio.run(list_all_sessions(places=places, cache=cache))
    if cache is not None:
        cache.finish(wait)
    return found


def facts(info: SessionInfo) -> dict[str, Any]:
    """All that a list shows of a session; what was kept for searching is not shown."""
    fields = {field.name: getattr(info, field.name) for field in dataclasses.fields(info)}
    del fields["text"]
    resume = fields.pop("resume")
    return fields | {"gathered": resume.gathered, "reached": (resume.reached.end, resume.reached.known)}


def shown(found: SessionList) -> dict[str, object]:
    """What a list shows, by path."""
    return {info.path: facts(info) for info in found} | {one.path: one.reason for one in found.strangers}


def settle() -> None:
    """Let the files written so far become settled."""
    written = time.time_ns()
    until(lambda: time.time_ns() > written + 1.5 * SOON)


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that are read from their start."""
    names: list[str] = []
    real = parallel_reader.read_info

    def counted(file: Any, *rest: Any, **more: Any) -> SessionInfo:
        names.append(os.path.basename(file.path))
        return real(file, *rest, **more)

    monkeypatch.setattr(parallel_reader, "read_info", counted)
    return names


class TestCode:
    @pytest.mark.parametrize(
        "data",
        [
            encode(*TALK),
            encode(*TALK)[:-1],
            encode(HEADER),
            encode(
                {**HEADER, "parentSession": "/w/é.jsonl", "timestamp": "?"}, message("a", None, "x" * 20_000)
            ),
            encode(HEADER) + b'{"type":"session_info","name":"\\ud800 half"}\n' + encode(message("a", None)),
            encode(HEADER, message("a", None, "\x00\x1b]0;x\x07\u2028"), message("b", "a", timestamp=1.5)),
            b"\xef\xbb\xbf" + encode({**HEADER, "cwd": 3}, message("a", None, timestamp=10**400)),
        ],
    )
    def test_there_and_back(self, tmp_path: Path, data: bytes) -> None:
        path = tmp_path / "2026_id.jsonl"
        path.write_bytes(data)
        info = read_info(session_file(str(path)))
        code = encoded(info)
        assert code is not None
        back = decoded(code, str(path), info.file.stamp[0])
        assert facts(back) == facts(info)
        assert back.resume is not None
        assert info.resume is not None
        assert back.resume.reached == info.resume.reached


class TestFinding:
    def test_what_has_not_changed_is_not_read(
        self, store: Store, places: Places, file: Path, read: Any
    ) -> None:
        for number in range(5):
            store.add(f"/w/{number % 2}", "hi", "there", id=str(number))
        settle()
        first = listed(places, file)
        assert len(read) == 5
        assert shown(listed(places, file)) == shown(first)
        here = asyncio.run(list_sessions(places=places, cache=InfoCache(file)))
        assert {info.id for info in here} == {"0", "2", "4"}
        assert len(read) == 5

    def test_of_what_grew_only_what_came_is_read(
        self, store: Store, places: Places, file: Path, read: Any
    ) -> None:
        path = store.add("/w/0", "hi", "there")
        listed(places, file)
        with path.open("ab") as out:
            out.write(stores.encode(records("x", "/w/0", "more", at=START + 10**9)[1:]))
        (info,) = listed(places, file)
        assert (info.message_count, info.last.asked) == (3, "more")
        assert read == [path.name]
        assert shown(listed(places, None)) == {str(path): facts(info)}

    @pytest.mark.parametrize("times", ["kept", "moving on"])
    def test_written_anew_at_the_same_length(
        self, store: Store, places: Places, file: Path, times: str
    ) -> None:
        path = store.add("/w/0", "one", "answer")
        settle()
        listed(places, file)
        before = path.stat()
        path.write_bytes(path.read_bytes().replace(b"one", b"two"))
        if times == "kept":
            os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        assert listed(places, file)[0].first_message == "two"

    def test_what_was_written_a_moment_ago_is_not_trusted(
        self, store: Store, places: Places, file: Path, monkeypatch: pytest.MonkeyPatch, read: Any
    ) -> None:
        monkeypatch.setattr(line_reader, "SETTLED_AFTER", 3600 * 10**9)
        store.add("/w/0", "one")
        listed(places, file)
        listed(places, file)
        assert len(read) == 2

    def test_files_that_are_gone_are_forgotten(self, store: Store, places: Places, file: Path) -> None:
        gone, stays = store.add("/w/0", "vanishing"), store.add("/w/1", "stays")
        listed(places, file)
        gone.unlink()
        listed(places, file)
        assert rows(file) == [os.fsencode(stays)]
        assert b"vanishing" not in file.read_bytes()

    def test_nobody_else_may_read_it(self, store: Store, places: Places, file: Path) -> None:
        store.add("/w/0", "secret")
        listed(places, file)
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
        file.chmod(0o644)
        store.add("/w/0", "more")
        listed(places, file)
        assert stat.S_IMODE(file.stat().st_mode) == 0o600

    def test_a_name_that_is_no_text(self, store: Store, places: Places, file: Path, read: Any) -> None:
        path = store.add("/w/0", "hi")
        try:
            os.rename(path, os.path.join(os.fsencode(path.parent), b"\xff\n.jsonl"))
        except OSError:
            pytest.skip("this file system takes no such name")
        settle()
        first = listed(places, file)
        assert shown(listed(places, file)) == shown(first)
        assert len(read) == 1


class TestALifeOfChanges:
    @pytest.mark.parametrize("seed", range(4))
    def test_it_never_says_anything_else_than_the_files(
        self, store: Store, places: Places, file: Path, seed: int
    ) -> None:
        chance = random.Random(seed)
        paths = [store.add(f"/w/{number % 3}", "hi", "there", id=str(number)) for number in range(8)]
        for step in range(120):
            number = chance.randrange(len(paths))
            path = paths[number]
            if not path.exists():
                path.write_bytes(stores.encode(records(f"n{step}", "/w/0", "again", at=START + step)))
            match chance.randrange(9):
                case 0:
                    path.unlink()
                case 1:
                    path.write_bytes(
                        stores.encode(records(f"n{step}", "/w/0", *["new"] * chance.randrange(4)))
                    )
                case 2:
                    os.truncate(path, chance.randrange(path.stat().st_size + 1))
                case 3:
                    other = path.with_name("other")
                    other.write_bytes(path.read_bytes() + stores.encode(records("x", "/", "y", name="n")[1:]))
                    other.replace(path)
                case 4:
                    paths[number] = path.rename(path.with_name(f"renamed-{step}.jsonl"))
                case 5:  # the same length, and the same time of writing
                    before = path.stat()
                    path.write_bytes(path.read_bytes().swapcase() if step % 2 else path.read_bytes()[::-1])
                    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
                case 6:
                    one, two = chance.sample([one for one in paths if one.exists()], 2)
                    swap = one.with_name("swap")
                    one.rename(swap)
                    two.rename(one)
                    swap.rename(two)
                case _:
                    line = stores.encode(records("x", "/", f"Grüße {step}", at=START + step * 1000)[1:])
                    with path.open("ab") as out:
                        out.write(line[: chance.choice([len(line), chance.randrange(len(line))])])
            if chance.random() < 0.1:
                settle()
            if chance.random() < 0.4:
                assert shown(listed(places, file)) == shown(listed(places, None)), f"step {step}"


def rows(file: Path) -> list[bytes]:
    """The paths in the cache."""
    with closing(sqlite3.connect(file)) as connection:
        return sorted(path for (path,) in connection.execute("SELECT path FROM sessions"))


@pytest.fixture
def many(store: Store, places: Places) -> dict[str, object]:
    """What a list shows of forty sessions."""
    for number in range(40):
        store.add(f"/w/{number % 3}", f"question {number} " * 20, "answer", id=str(number))
    settle()
    return shown(listed(places, None))


class TestFaults:
    def test_random_bytes_anywhere(self, places: Places, file: Path, many: dict[str, object]) -> None:
        chance = random.Random(7)
        listed(places, file)
        good = file.read_bytes()
        for _ in range(60):
            data = bytearray(good)
            match chance.randrange(4):
                case 0:
                    data = data[: chance.randrange(len(data))]
                case 1:
                    page, other = (4096 * chance.randrange(len(data) // 4096) for _ in range(2))
                    data[page : page + 4096] = good[other : other + 4096]
                case 2:
                    at = chance.randrange(len(data))
                    data[at : at + 200] = chance.randbytes(len(data[at : at + 200]))
                case _:
                    for _ in range(chance.choice([1, 10, 1000])):
                        data[chance.randrange(len(data))] = chance.randrange(256)
            file.write_bytes(data)
            assert shown(listed(places, file)) == many
            assert shown(listed(places, file)) == many
        file.write_bytes(b"no database " * 1000)
        listed(places, file)
        assert len(rows(file)) == 40

    def test_of_another_pitree(
        self, places: Places, file: Path, many: dict[str, object], monkeypatch: pytest.MonkeyPatch, read: Any
    ) -> None:
        with monkeypatch.context() as earlier:
            earlier.setattr(info_cache, "FORMAT", info_cache.FORMAT ^ 1)
            listed(places, file)
        assert shown(listed(places, file)) == many
        assert len(read) == 80
        assert shown(listed(places, file)) == many
        assert len(read) == 80

    def test_locked(
        self, store: Store, places: Places, file: Path, many: dict[str, object], read: Any
    ) -> None:
        listed(places, file)
        with closing(sqlite3.connect(file, isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")
            assert shown(listed(places, file, wait=0.01)) == many
        assert len(read) == 80

    def test_a_folder_where_nothing_can_be_written(
        self, places: Places, tmp_path: Path, many: dict[str, object]
    ) -> None:
        (tmp_path / "file").write_text("")
        assert shown(listed(places, tmp_path / "file" / "cache" / "sessions.sqlite3")) == many
        (tmp_path / "folder").mkdir()
        assert shown(listed(places, tmp_path / "folder")) == many
        os.mkfifo(tmp_path / "pipe")
        assert shown(listed(places, tmp_path / "pipe")) == many

    @pytest.mark.skipif(os.getuid() != 0, reason="only root can become somebody else")
    def test_somebody_elses_folder(self, places: Places, file: Path, many: dict[str, object]) -> None:
        listed(places, file)
        os.chmod(file, 0o000)
        os.chmod(file.parent, 0o500)

        def count() -> str:
            cache = InfoCache(file)
            cache.keep(listed(places, None))
            cache.finish(30)
            return str(len(cache.find([session_file(path) for path in many])))

        for folder in [file.parent.parent, *file.parent.parent.parents][:-2]:
            folder.chmod(folder.stat().st_mode | 0o055)
        assert in_child(count, user=65534) == "0"

    def test_no_room(self, tmp_path: Path) -> None:
        on_small_disk(tmp_path, "tests.support.full_cache", "all listed\n")

    def test_killed_at_any_moment(self, places: Places, file: Path, many: dict[str, object]) -> None:
        chance = random.Random(5)
        infos = listed(places, None)
        for _ in range(25):
            child = os.fork()
            if not child:
                try:
                    while True:
                        cache = InfoCache(file)
                        some = chance.sample(infos, 20)
                        cache.keep(some)
                        cache.forget(info.path for info in some[:5])
                        cache.finish(10)
                finally:
                    os._exit(1)
            kill_at_any_moment(child, chance, 0.02)
            assert shown(listed(places, file)) == many
            if chance.random() < 0.3:
                shutil.rmtree(file.parent, ignore_errors=True)

    def test_several_at_once_share_it(self, places: Places, file: Path, many: dict[str, object]) -> None:
        infos = listed(places, None)
        children = []
        for part in range(3):
            children.append(os.fork())
            if not children[-1]:
                try:
                    for info in infos[part::3]:
                        cache = InfoCache(file)
                        cache.keep([info])
                        cache.finish(30)
                    os._exit(0)
                finally:
                    os._exit(1)
        assert [os.waitpid(child, 0)[1] for child in children] == [0, 0, 0]
        found = InfoCache(file).find([session_file(path) for path in many])
        assert {path: facts(info) for path, info in found.items()} == many


class TestWriting:
    def test_news_wait_for_a_quiet_moment(
        self, places: Places, file: Path, many: dict[str, object], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        infos = listed(places, None)
        cache = InfoCache(file)
        cache.keep(infos)
        cache.keep(infos[:3])
        assert not file.exists()
        cache.finish(30)
        assert len(rows(file)) == 40
        monkeypatch.setattr(info_cache, "QUIET", 0.01)
        file.unlink()
        cache.keep(infos[:5])
        until(lambda: len(InfoCache(file).find([info.file for info in infos])) >= 5)
