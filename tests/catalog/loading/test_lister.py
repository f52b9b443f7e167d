"""Listing and finding sessions: what is listed, in which order, meanwhile, and when called off."""

from __future__ import annotations

import asyncio
import os
import threading
import tracemalloc
from pathlib import Path

import pytest

from pitree.catalog.info.lookup import find_session
from pitree.catalog.loading import lister, parallel_reader
from pitree.catalog.loading.lister import SessionList, list_all_sessions, list_sessions
from pitree.pi.places import default_places, find_places
from pitree.session import SessionManager
from pitree.session.format.errors import SessionError
from tests.support.stores import START, Store, encode, iso, records
from tests.support.waiting import until_async


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """An empty store, which the environment names."""
    made = Store(tmp_path)
    monkeypatch.setenv("PI_CODING_AGENT_DIR", str(made.agent))
    monkeypatch.delenv("PI_CODING_AGENT_SESSION_DIR", raising=False)
    return made


def ids(found: SessionList) -> list[str]:
    return [info.id for info in found]


class TestWhatIsListed:
    async def test_this_folder_and_all(self, store: Store) -> None:
        store.add("/w/a", "one", id="a1")
        store.add("/w/b", "two", id="b1")
        store.add("/w/a", "three", id="a2")
        assert ids(await list_sessions("/w/a")) == ["a2", "a1"]
        assert ids(await list_all_sessions()) == ["a2", "b1", "a1"]
        assert ids(await SessionManager.list("/w/b")) == ["b1"]
        assert ids(await SessionManager.list_all()) == ["a2", "b1", "a1"]

    async def test_a_custom_folder_is_flat_and_told_apart_by_header(
        self, store: Store, tmp_path: Path
    ) -> None:
        flat = tmp_path / "flat"
        for cwd, id in (("/w/a", "a1"), ("/w/b", "b1"), ("/w/a", "a2")):
            store.add(cwd, "hi", folder=flat, id=id)
        store.add("/w/a", "elsewhere", id="a9")
        assert ids(await list_sessions("/w/a", flat)) == ["a2", "a1"]
        assert ids(await list_all_sessions(flat)) == ["a2", "b1", "a1"]

    async def test_settings_say_where_when_asked(self, store: Store, tmp_path: Path) -> None:
        store.add("/w/a", "hi", folder=tmp_path / "flat", id="a1")
        (store.agent / "settings.json").write_text(f'{{"sessionDir": "{tmp_path}/flat"}}')
        places = find_places("/w/a")
        assert (
            ids(await list_sessions(places=places)) == ids(await list_all_sessions(places=places)) == ["a1"]
        )

    async def test_what_lies_in_the_folder_is_listed_though_its_header_names_a_moved_directory(
        self, store: Store
    ) -> None:
        folder = store.add("/w/new", "hi", id="n1").parent
        store.add("/w/old", "hi", folder=folder, id="o1")
        store.add("", "no directory at all", folder=folder, id="v1")
        assert ids(await list_sessions("/w/new")) == ["v1", "o1", "n1"]

    async def test_a_directory_with_the_same_folder_name_is_another(self, store: Store) -> None:
        store.add("/w/my-app", "mine", id="mine")
        store.add("/w/my/app", "other", id="other")
        assert len(os.listdir(store.root)) == 1
        assert ids(await list_sessions("/w/my-app")) == ["mine"]
        assert ids(await list_sessions("/w/my/app")) == ["other"]

    async def test_strangers_are_skipped_and_counted(self, store: Store) -> None:
        folder = store.add("/w/a", "hi", id="a1").parent
        (folder / "README.jsonl").write_text("# Read me\n")
        (folder / "empty.jsonl").write_text("")
        (folder / "x.jsonl").mkdir()
        (folder / "secret.jsonl").symlink_to("/proc/1/mem")
        (folder / "notes.txt").write_text("x")
        found = await list_sessions("/w/a")
        assert ids(found) == ["a1"]
        reasons = {os.path.basename(stranger.path): stranger.reason for stranger in found.strangers}
        assert reasons.pop("secret.jsonl")
        assert reasons == {
            "README.jsonl": "it has no session header",
            "empty.jsonl": "it is empty",
            "x.jsonl": "a folder",
        }
        assert found.strangers == (await list_all_sessions()).strangers

    async def test_no_folder_at_all(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PI_CODING_AGENT_DIR", str(tmp_path / "none"))
        assert await list_sessions("/w") == await list_all_sessions() == []


class TestOneFolderUnderManyNames:
    async def test_a_linked_session_folder_is_listed_once(self, store: Store) -> None:
        folder = store.add("/w/a", "hi", id="a1").parent
        (store.root / "link").symlink_to(folder)
        (folder / "again.jsonl").symlink_to(next(folder.glob("*_a1.jsonl")))
        assert ids(await list_all_sessions()) == ids(await list_sessions("/w/a")) == ["a1"]

    async def test_a_linked_working_directory_is_the_same(self, store: Store, tmp_path: Path) -> None:
        (tmp_path / "real").mkdir()
        (tmp_path / "link").symlink_to("real")
        store.add(tmp_path / "real", "hi", id="r1")
        store.add(tmp_path / "link", "hi", id="l1")
        assert ids(await list_sessions(tmp_path / "real")) == ["l1", "r1"]
        assert ids(await list_sessions(tmp_path / "link")) == ["l1", "r1"]

    async def test_the_case_of_a_drive_letter_makes_no_other_directory(self, store: Store) -> None:
        store.add("c:\\x", "hi", id="small")
        store.add("C:\\x", "hi", id="large")
        places = default_places()
        here = lister.CwdMatcher(type(places)("C:\\X", places.agent_dir))
        assert [here.is_here(cwd) for cwd in ("c:\\x", "C:\\x", "C:/X/", "C:\\y", "")] == [
            True,
            True,
            True,
            False,
            False,
        ]
        found = await list_sessions(places=type(places)("C:\\x", places.agent_dir))
        assert ids(found) == ["large", "small"]


class TestOrder:
    async def test_by_the_last_message_not_by_the_file(self, store: Store) -> None:
        old = store.add("/w/a", "old", id="old", at=START)
        new = store.add("/w/a", "new", id="new", at=START + 5_000)
        os.utime(new, (1, 1))
        before = ids(await list_all_sessions())
        with old.open("ab") as file:
            file.write(
                encode(
                    [
                        {
                            "type": "session_info",
                            "id": "z",
                            "parentId": None,
                            "timestamp": iso(START * 2),
                            "name": "Renamed",
                        }
                    ]
                )
            )
        assert before == ids(await list_all_sessions()) == ["new", "old"]

    async def test_of_one_time_by_file_name_the_last_first(self, store: Store) -> None:
        for id in ("b", "a", "c"):
            store.add("/w/a", "hi", id=id, at=START)
        assert ids(await list_all_sessions()) == ["c", "b", "a"]


class TestProgress:
    async def test_partial_lists_are_sorted_and_the_last_call_has_all(self, store: Store) -> None:
        for number in range(30):
            store.add("/w/a", f"number {number}")
        told: list[tuple[int, int, SessionList | None]] = []
        found = await list_all_sessions(on_progress=lambda *progress: told.append(progress))
        assert told[0] == (0, 30, None)
        loaded, total, partial = told[-1]
        assert (loaded, total) == (30, 30)
        assert partial == found
        for _, _, part in told:
            assert part is None or [i.modified for i in part] == sorted(
                (i.modified for i in part), reverse=True
            )

    async def test_big_files_come_last(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(parallel_reader, "BIG_FILE", 50_000)
        monkeypatch.setattr(lister, "_PUBLISH_EVERY", 0)
        big = store.add("/w/a", *["x" * 1000] * 400, at=START + 10**9, id="big")
        os.utime(big, (2e9, 2e9))
        for _ in range(20):
            store.add("/w/a", "small")
        order: list[str] = []
        read = parallel_reader.read_info

        def watched(file, *rest, **more):  # type: ignore[no-untyped-def]
            order.append(file.path)
            return read(file, *rest, **more)

        monkeypatch.setattr(parallel_reader, "read_info", watched)
        assert (await list_all_sessions())[0].id == "big"
        assert order[-1] == str(big)

    async def test_a_big_file_keeps_no_other_waiting(
        self, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(parallel_reader, "BIG_FILE", 50_000)
        big = store.add("/w/a", *["x" * 1000] * 400, id="big")
        for number in range(20):
            store.add("/w/a", "small", id=f"s{number}")
        begun, others_are_told = threading.Event(), threading.Event()
        read = parallel_reader.read_info

        def held_up(file, *rest, **more):  # type: ignore[no-untyped-def]
            if file.path == str(big):
                assert others_are_told.wait(10)
            elif not file.path.endswith("_s19.jsonl"):
                assert begun.wait(10)  # so that they come right after something was told
            return read(file, *rest, **more)

        def progress(loaded: int, total: int, partial: SessionList | None) -> None:
            if partial:
                begun.set()
            if (loaded, total) == (20, 21) and len(partial or []) == 20:
                others_are_told.set()

        monkeypatch.setattr(parallel_reader, "read_info", held_up)
        found = await list_all_sessions(on_progress=progress)
        assert others_are_told.is_set()
        assert (len(found), found.strangers) == (21, [])

    async def test_unchanged_sessions_are_not_read_again(
        self, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        first = store.add("/w/a", "one", id="one")
        store.add("/w/a", "two", id="two")
        before = {info.path: info for info in await list_all_sessions()}
        first.write_bytes(encode(records("one", "/w/a", "one", "answer", at=START)))
        monkeypatch.setattr(parallel_reader, "READERS", 1)
        found = {info.id: info for info in await list_all_sessions(known=before)}
        assert found["two"] is before[found["two"].path]
        assert found["one"].message_count == 2

    async def test_text_is_kept_up_to_a_budget(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(parallel_reader, "READERS", 1)
        monkeypatch.setattr(parallel_reader, "TEXT_KEPT", 2500)
        for number in range(5):
            path = store.add("/w/a", "x" * 1000, id=str(number))
            os.utime(path, (START / 1000 + number, START / 1000 + number))
        assert [info.text is not None for info in await list_all_sessions()] == [
            True,
            True,
            False,
            False,
            False,
        ]

    async def test_memory_is_bounded_however_many_sessions(
        self, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(parallel_reader, "TEXT_KEPT", 500_000)
        for _ in range(60):
            store.add("/w/a", *["y" * 5_000] * 200)
        tracemalloc.start()
        try:
            found = await list_all_sessions()
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert len(found) == 60
        assert (
            sum(info.text.size for info in found if info.text)
            <= 500_000 + parallel_reader.READERS * 1_000_200
        )
        assert peak < 12_000_000 < sum(info.file.size for info in found) / 5


class TestCancelling:
    async def test_threads_end_when_the_task_is_cancelled(
        self, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("pitree.session.storage.line_reader.CHUNK", 4096)
        for _ in range(4):
            store.add("/w/a", *["word " * 2000] * 2_000)
        store.add("/w/a", "small")

        def progress(loaded: int, total: int, partial: SessionList | None) -> None:
            if loaded:
                task.cancel()

        task = asyncio.create_task(list_all_sessions(on_progress=progress))
        with pytest.raises(asyncio.CancelledError):
            await task
        await until_async(lambda: all(thread.name != "pitree-list" for thread in threading.enumerate()))


class TestFinding:
    def test_by_path(self, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        path = store.add("/w/a", "hi")
        assert find_session(str(path)) == path
        monkeypatch.chdir(path.parent)
        assert find_session(path.name) == path
        with pytest.raises(SessionError, match="no such file"):
            find_session(str(tmp_path / "none.jsonl"))

    def test_by_id_and_its_beginning_here_before_elsewhere(self, store: Store) -> None:
        here = store.add("/w/a", "hi", id="abc-1")
        there = store.add("/w/b", "hi", id="abc-2")
        store.add("/w/b", "hi", id="abc-22")
        places = find_places("/w/a")
        assert find_session("abc", places) == here
        assert find_session("abc-2", places) == there

    def test_several_that_fit_are_named(self, store: Store) -> None:
        paths = [store.add("/w/b", "hi", id=id) for id in ("abc-1", "abc-2")]
        with pytest.raises(SessionError) as caught:
            find_session("abc", find_places("/w/a"))
        assert all(str(path) in caught.value.reason for path in paths)
        assert caught.value.reason.startswith("2 sessions have an id that starts with it: ")

    def test_nothing_that_fits_says_where_was_looked(self, store: Store) -> None:
        store.add("/w/b", "hi", id="abc-1")
        words = f"xyz: none of the 1 session in {store.root} has an id that starts with it"
        with pytest.raises(SessionError, match=words):
            find_session("xyz", find_places("/w/a"))

    def test_in_a_flat_folder_the_header_says_whose_it_is(self, store: Store, tmp_path: Path) -> None:
        flat = tmp_path / "flat"
        store.add("/w/b", "hi", folder=flat, id="abc-1")
        mine = store.add("/w/a", "hi", folder=flat, id="abc-2")
        assert find_session("abc", find_places("/w/a", flat)) == mine
