"""The first sessions read ahead: they are what a list would show, and nobody needs them."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from pitree.catalog.info.info_cache import InfoCache
from pitree.catalog.info.session_info import SessionInfo
from pitree.catalog.loading import prefetch as ahead_module
from pitree.catalog.loading.lister import list_all_sessions, list_sessions
from pitree.catalog.loading.prefetch import Prefetch
from pitree.pi.places import Places, find_places
from pitree.session.storage import line_reader
from tests.catalog.info.test_info_cache import SOON, facts, settle
from tests.catalog.loading.test_parallel_reader import alive
from tests.support.stores import Store
from tests.support.together import ROOT
from tests.support.waiting import until

WAIT = 60.0


@pytest.fixture(autouse=True)
def two_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ahead_module, "cores", lambda: 2)


@pytest.fixture
def places(store: Store) -> Places:
    for number in range(12):
        path = store.add(f"/w/{number % 3}", f"Grüße {number}", "answer", id=f"s{number}")
        os.utime(path, (1_700_000_000 + number, 1_700_000_000 + number))
    return find_places("/w/0", None, {"PI_CODING_AGENT_DIR": str(store.agent)})


def facts_of(infos: Iterable[SessionInfo]) -> dict[str, object]:
    return {info.path: facts(info) for info in infos}


def until_ended(ahead: Prefetch) -> Prefetch:
    """Wait until the process has sent all it will."""

    def ended() -> bool:
        if ahead._process is not None:
            ahead.look()
        return ahead._process is None

    until(ended)
    return ahead


def test_all_are_there_the_newest_files_first(places: Places) -> None:
    ahead = until_ended(Prefetch(places, True, None))
    assert [info.id for info in ahead.sessions] == [f"s{number}" for number in reversed(range(12))]
    assert (ahead.total, ahead.whole, ahead.read) == (12, True, ahead.sessions)
    assert facts_of(ahead.sessions) == facts_of(asyncio.run(list_all_sessions(places=places)))


def test_what_is_not_read_ahead_is_left_to_the_list(places: Places, store: Store) -> None:
    (next(store.root.glob("--w-1*")) / "notes.jsonl").write_text("# notes\n")
    with store.add("/w/0", "big").open("r+b") as file:
        file.truncate(9 << 20)
    ahead = until_ended(Prefetch(places, True, None))
    assert (ahead.total, len(ahead.sessions), ahead.whole) == (14, 12, False)


def test_only_the_sessions_of_the_working_directory(places: Places) -> None:
    ahead = until_ended(Prefetch(places, False, None))
    assert facts_of(ahead.sessions) == facts_of(asyncio.run(list_sessions(places=places)))
    assert not ahead.whole  # other folders may name it, too


def test_what_the_cache_knows_is_not_read(
    places: Places, tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line_reader, "SETTLED_AFTER", SOON)
    cache = InfoCache(tmp_path / "cache.sqlite3")
    settle()
    asyncio.run(list_all_sessions(places=places, cache=cache))
    cache.finish(WAIT)
    store.add("/w/2", "new", id="new")
    ahead = until_ended(Prefetch(places, True, tmp_path / "cache.sqlite3"))
    assert [info.id for info in ahead.read] == ["new"]
    assert facts_of(ahead.sessions) == facts_of(asyncio.run(list_all_sessions(places=places)))


@pytest.mark.parametrize("executable", ["", "/nowhere/python", "/bin/false", "/bin/echo"])
def test_without_a_process_nothing_comes(
    places: Places, monkeypatch: pytest.MonkeyPatch, executable: str
) -> None:
    monkeypatch.setattr(sys, "executable", executable)
    assert until_ended(Prefetch(places, True, None)).sessions == []


def test_with_one_core_nothing_is_started(places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ahead_module, "cores", lambda: 1)
    assert Prefetch(places, True, None)._process is None


def test_killed_in_the_middle(places: Places) -> None:
    ahead = Prefetch(places, True, None)
    assert ahead._process is not None
    ahead._process.send_signal(signal.SIGKILL)
    found = until_ended(ahead)
    assert len(found.sessions) <= 12


def test_it_goes_when_the_program_is_killed(store: Store) -> None:
    for number in range(100):  # more than its pipe has room for, so that it waits
        store.add("/w/0", "x" * 16_000, id=f"s{number}")
    program = (
        "from pitree.catalog.loading import prefetch\n"
        "from pitree.pi.places import find_places\n"
        "import signal\n"
        "prefetch.cores = lambda: 2\n"
        "one = prefetch.Prefetch(find_places(), True, None)\n"
        "print(one._process.pid, flush=True)\n"
        "signal.pause()\n"
    )
    environment = {**os.environ, "PI_CODING_AGENT_DIR": str(store.agent)}
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, cwd=ROOT, env=environment
    ) as running:
        assert running.stdout is not None
        pid = int(running.stdout.readline())
        assert alive(pid)
        running.kill()
    until(lambda: not alive(pid))
