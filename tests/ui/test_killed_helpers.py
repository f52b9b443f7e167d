"""Helper processes killed in the running program: the answer is right all the same, or their end is said."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

import pytest

from pitree.catalog.loading import prefetch_worker, reader_worker
from pitree.pi.places import folder_name
from pitree.query.entries import text_worker
from pitree.query.index import indexer, shard_writers
from pitree.query.index.index_update import FEW_BYTES
from pitree.workers.spawn import cores
from tests.support.pty_app import PtyApp
from tests.support.stories import Story

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")

SESSIONS = 60


@pytest.fixture
def agent(tmp_path: Path) -> Path:
    """A store of many sessions, each with a word of its own."""
    cwd = tmp_path / "work"
    cwd.mkdir()
    folder = tmp_path / "agent/sessions" / folder_name(str(cwd))
    for number in range(SESSIONS):
        story = (
            Story(number).user("u1", f"question {number}").assistant("a1", f"needle{number} is the answer")
        )
        story.write(folder / f"s{number:02}.jsonl", cwd)
    return tmp_path / "agent"


def start(agent: Path, *arguments: str) -> PtyApp:
    """The program on the store, in a terminal."""
    root = agent.parent
    env = {
        "HOME": str(root),
        "PITREE_STATE_DIR": str(root / "state"),
        "PITREE_CACHE_DIR": str(root / "cache"),
        "PI_CODING_AGENT_DIR": str(agent),
        "PYTHONPATH": str(Path(__file__).parents[2]),
        "LANG": "C.UTF-8",
    }
    command = [sys.executable, "-m", "tests.support.many_helpers", *arguments]
    line = 'cd "$0" && exec "$@"'
    return PtyApp(["/bin/sh", "-c", line, str(root / "work"), *command], env=env, columns=120, rows=30)


def below(pid: int) -> Iterator[int]:
    """The processes that a process has started, and those that these have."""
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                stat = Path(f"/proc/{entry}/stat").read_text()
            except OSError:
                continue
            if int(stat.rpartition(")")[2].split()[1]) == pid:
                yield int(entry)
                yield from below(int(entry))


@contextmanager
def killing(app: PtyApp, *modules: str) -> Iterator[list[str]]:
    """Kill helpers that run these modules, as soon as they are seen; gives the modules of the killed ones."""
    killed: list[str] = []
    ended = Event()

    def kill() -> None:
        while not ended.wait(0.002):
            for pid in below(app.pid):
                try:
                    command = Path(f"/proc/{pid}/cmdline").read_bytes()
                    for module in modules:
                        if module.encode() in command:
                            os.kill(pid, signal.SIGKILL)
                            killed.append(module)
                except OSError:
                    continue

    thread = Thread(target=kill, daemon=True)
    thread.start()
    try:
        yield killed
    finally:
        ended.set()
        thread.join()


def test_fault_01_the_list_is_whole_though_its_readers_are_killed(agent: Path) -> None:
    modules = {reader_worker.__name__, prefetch_worker.__name__}
    with start(agent) as app, killing(app, *modules) as killed:
        app.wait_for(f"1 of {SESSIONS}", 60)
        assert app.leave() == 0, app.picture()
    assert set(killed) == modules if cores() > 1 else {reader_worker.__name__}


def test_fault_01_the_tree_finds_though_its_text_workers_are_killed(agent: Path) -> None:
    path = next(agent.rglob("s07.jsonl"))
    with start(agent, str(path)) as app, killing(app, text_worker.__name__) as killed:
        app.wait_for("needle7", 60)
        app.send("/", *"needle7")
        app.wait_for("1 match", 60)
        assert app.leave() == 0, app.picture()
    assert killed


def test_fault_01_the_search_answers_though_the_writers_of_its_index_are_killed(agent: Path) -> None:
    for number, file in enumerate(agent.rglob("*.jsonl")):  # else the process that makes it writes it itself
        long = Story(number).user("long", f"filler{number} " * (FEW_BYTES // SESSIONS // 8)).entries[0]
        with file.open("a") as session:
            session.write(json.dumps({**long, "parentId": "a1"}) + "\n")
    with start(agent) as app, killing(app, shard_writers.__name__) as killed:
        app.wait_for(f"1 of {SESSIONS}", 60)
        app.send("ctrl-f")
        app.wait_for("ended", 60)
        app.send(*"needle31")
        app.wait_for("1 match in 1 session", 60)
        assert app.leave() == 0, app.picture()
    assert killed


def test_fault_01_the_search_answers_though_its_index_is_not_made(agent: Path) -> None:
    with start(agent) as app, killing(app, indexer.__name__) as killed:
        app.wait_for(f"1 of {SESSIONS}", 60)
        app.send("ctrl-f")
        app.wait_for("Search · all sessions", 60)
        app.send(*"needle31")
        app.wait_for("1 match in 1 session", 60)
        app.wait_for("the index process has ended", 60)
        assert app.leave() == 0, app.picture()
    assert killed
