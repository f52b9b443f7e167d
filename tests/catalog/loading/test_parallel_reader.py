"""Much is read by processes: they give what threads give, go when nobody waits, and can be done without."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pitree.catalog.loading import parallel_reader
from pitree.catalog.loading.lister import SessionList, list_all_sessions, list_sessions
from pitree.catalog.loading.reader_process import ReadingProcess
from pitree.pi.places import Places, find_places
from tests.catalog.info.test_info_cache import shown
from tests.support.stores import Store
from tests.support.together import ROOT
from tests.support.waiting import until

WAIT = 60.0


@pytest.fixture
def places(store: Store) -> Places:
    return find_places("/w/0", None, {"PI_CODING_AGENT_DIR": str(store.agent)})


@pytest.fixture
def expected(store: Store, places: Places) -> dict[str, object]:
    """What a list shows of some sessions, and of some that are none."""
    for number in range(30):
        store.add(f"/w/{number % 3}", f"Grüße {number}", "answer " * 50, id=f"s{number}")
    (store.root / "none.jsonl").mkdir()
    folder = next(store.root.glob("--w-0*"))
    (folder / "notes.jsonl").write_text("# notes\n")
    (folder / "empty.jsonl").write_text("")
    os.mkfifo(folder / "pipe.jsonl")
    return shown(asyncio.run(list_all_sessions(places=places)))


@pytest.fixture
def processes(monkeypatch: pytest.MonkeyPatch) -> list[ReadingProcess]:
    """Have everything read by processes from now on; those that were started."""
    started: list[ReadingProcess] = []

    class Noted(ReadingProcess):
        def __init__(self) -> None:
            super().__init__()
            started.append(self)

    monkeypatch.setattr(parallel_reader, "ReadingProcess", Noted)
    monkeypatch.setattr(parallel_reader, "MUCH", 0)
    monkeypatch.setattr(parallel_reader, "A_SHARE", 1)
    monkeypatch.setattr(parallel_reader.Readers, "_beside_processes", lambda self: None)
    return started


def is_over(process: ReadingProcess) -> bool:
    return process._process.poll() is not None


class TestProcesses:
    def test_they_give_what_threads_give(
        self, places: Places, expected: dict[str, object], processes: list[ReadingProcess]
    ) -> None:
        assert shown(asyncio.run(list_all_sessions(places=places))) == expected
        assert processes
        until(lambda: all(map(is_over, processes)))

    def test_of_one_folder(
        self, places: Places, expected: dict[str, object], processes: list[ReadingProcess]
    ) -> None:
        found = asyncio.run(list_sessions(places=places))
        assert {info.id for info in found} == {f"s{number}" for number in range(0, 30, 3)}
        assert {path: one for path, one in expected.items() if path in shown(found)} == shown(found)

    def test_in_a_flat_folder_the_header_says_whose_a_session_is(
        self, store: Store, tmp_path: Path, processes: list[ReadingProcess]
    ) -> None:
        flat = tmp_path / "flat"
        for number in range(9):
            store.add(f"/w/{number % 2}", "hi", folder=flat, id=str(number))
        places = find_places("/w/0", str(flat), {"PI_CODING_AGENT_DIR": str(store.agent)})
        assert {info.id for info in asyncio.run(list_sessions(places=places))} == set("02468")

    def test_big_ones_come_last_and_hold_nobody_up(
        self, store: Store, places: Places, processes: list[ReadingProcess], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(parallel_reader, "BIG_FILE", 100_000)
        big = {str(store.add("/w/0", *["word " * 1000] * 200, id=f"b{number}")) for number in range(3)}
        small = {str(store.add("/w/0", "hi", id=f"s{number}")) for number in range(20)}
        order: list[str] = []
        took = parallel_reader.Readers._took

        def noted(self: parallel_reader.Readers, file: object, found: object) -> None:
            order.append(file.path)  # type: ignore[attr-defined]
            took(self, file, found)  # type: ignore[arg-type]

        monkeypatch.setattr(parallel_reader.Readers, "_took", noted)
        monkeypatch.setattr(parallel_reader, "cores", lambda: 1)
        found = asyncio.run(list_all_sessions(places=places))
        assert {info.path for info in found} == big | small
        assert set(order[-3:]) == big

    @pytest.mark.parametrize("executable", ["", "/nowhere/python", "/bin/false", "/bin/echo"])
    def test_without_them_it_is_done_here(
        self,
        places: Places,
        expected: dict[str, object],
        processes: list[ReadingProcess],
        monkeypatch: pytest.MonkeyPatch,
        executable: str,
    ) -> None:
        monkeypatch.setattr(sys, "executable", executable)
        assert shown(asyncio.run(list_all_sessions(places=places))) == expected

    def test_killed_in_the_middle(
        self,
        places: Places,
        expected: dict[str, object],
        processes: list[ReadingProcess],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        took = parallel_reader.Readers._took

        def killing(self: parallel_reader.Readers, file: object, found: object) -> None:
            took(self, file, found)  # type: ignore[arg-type]
            if self.loaded == 7:
                for process in processes:
                    process._process.send_signal(signal.SIGKILL)

        monkeypatch.setattr(parallel_reader.Readers, "_took", killing)
        assert shown(asyncio.run(list_all_sessions(places=places))) == expected

    async def test_they_go_at_once_when_the_task_is_cancelled(
        self, store: Store, places: Places, processes: list[ReadingProcess]
    ) -> None:
        store.add("/w/0", "small")
        huge = store.add("/w/0", "huge")
        with huge.open("r+b") as file:
            file.truncate(8 << 30)  # a hole: it takes seconds to be read, and no room
        begun = asyncio.Event()

        def progress(loaded: int, total: int, partial: SessionList | None) -> None:
            if loaded:
                begun.set()

        task = asyncio.create_task(list_all_sessions(places=places, on_progress=progress))
        await asyncio.wait_for(begun.wait(), WAIT)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert processes
        await asyncio.to_thread(until, lambda: all(map(is_over, processes)))

    def test_they_go_when_the_program_is_killed(self, store: Store) -> None:
        huge = store.add("/w/0", "huge")
        with huge.open("r+b") as file:
            file.truncate(8 << 30)
        program = (
            "from pitree.catalog.loading.reader_process import ReadingProcess\n"
            "from pitree.pi.places import session_file\n"
            "import sys\n"
            "one = ReadingProcess()\n"
            "one.wait_until_ready()\n"
            "print(one._process.pid, flush=True)\n"
            "list(one.read([session_file(sys.argv[1])]))\n"
        )
        with subprocess.Popen(
            [sys.executable, "-c", program, huge], stdout=subprocess.PIPE, cwd=ROOT
        ) as running:
            assert running.stdout is not None
            pid = int(running.stdout.readline())
            running.kill()
        until(lambda: not alive(pid))


def alive(pid: int) -> bool:
    """Whether a process is there, and no zombie that nobody waits for."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
