"""Threads that fail: what they were for is done otherwise, or their end is said; nobody waits for ever."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.failing import ERRORS
from tests.support.living import Living
from tests.support.seeing import until, words
from tests.support.workers import calls_of, started

LISTS = ("pitree.catalog.loading.parallel_reader", "list the sessions")
WATCHES = ("pitree.catalog.watch.watcher", "watch the session files")
CACHES = ("pitree.catalog.info.info_cache", "keep what was listed")
FIRST = ("pitree.outline.first_tree", "read the session while the screen loads")
INDEXES = ("pitree.ui.find.index_progress", "follow the index update")
BOUNDED = {  # whoever waits for these does so for some seconds at most
    ("pitree.session.storage.open_files", "see which files are open"),
    ("pitree.workers.programs", "give a program its input"),
    ("pitree.workers.programs", "read a program's output"),
    ("pitree.workers.programs", "wait for a program"),
}
IN_OTHER_PROCESSES = {
    ("pitree.query.index.indexer", "notice the end of the screen"),
    ("pitree.query.index.shard_writers", "write the index"),  # tests/query/index/test_shard.py
}


def break_thread(patch: pytest.MonkeyPatch, module: str, how: str) -> None:
    """Have the threads that a module starts fail at once."""
    from pitree.workers.failures import start_thread

    def start(name: str, doing: str, work: Callable[[], object], *failed: Any) -> Any:
        return start_thread(name, doing, lambda: ERRORS[how](), *failed)

    patch.setattr(f"{module}.start_thread", start)


def test_fault_01_every_thread_and_process_is_known() -> None:
    assert started("start_thread") == {LISTS, WATCHES, CACHES, FIRST, INDEXES, *BOUNDED, *IN_OTHER_PROCESSES}
    assert calls_of("Thread") == {("pitree.workers.failures", "Thread")}
    assert calls_of("Popen") == {
        (
            "pitree.query.index.shard_writers",
            "Popen",
        ),  # killed in test_killed_helpers.py
        ("pitree.ui.find.index_progress", "Popen"),
        ("pitree.workers.pool", "Popen"),
        ("pitree.workers.spawn", "Popen"),
        ("pitree.workers.programs", "Popen"),  # programs of others
    }


@pytest.mark.parametrize("how", ERRORS)
@pytest.mark.parametrize("work", [LISTS, WATCHES, CACHES, INDEXES], ids=["list", "watch", "cache", "index"])
async def test_fault_01_a_thread_that_fails_leaves_the_screen(
    tmp_path: Path,
    state: Path,
    monkeypatch: pytest.MonkeyPatch,
    work: tuple[str, str],
    how: str,
    failures: list[str],
) -> None:
    break_thread(monkeypatch, work[0], how)
    living = Living(tmp_path)
    log = state / "log/failures.log"
    async with living.shown(notifications=True, cache_file=tmp_path / "cache.db") as watching:
        app, pilot = watching.app, watching.pilot
        if work == CACHES:  # nothing is lost by it but time
            await until(pilot, lambda: watching.screen.picker._lists.whole(watching.screen.picker.scope))
            watching.screen.picker._cache.hurry()
            await until(pilot, log.exists)
            await until(pilot, lambda: len(watching.screen.picker.rows.sessions) > 0)
        else:
            if work == INDEXES:
                watching.screen.action_everywhere()
            await until(pilot, lambda: f"Could not {work[1]}:" in words(app))
        assert f"could not {work[1]}\n" in log.read_text()
        await pilot.press("escape")
        app.set_focus(None)
        await pilot.press("q")
        await until(pilot, lambda: app._exit)
        assert app.return_code == 0


@pytest.mark.parametrize("how", ERRORS)
async def test_fault_01_what_could_not_be_read_ahead_is_read_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str, failures: list[str]
) -> None:
    from pitree.outline.filters import FilterMode
    from pitree.outline.first_tree import FirstTree

    break_thread(monkeypatch, FIRST[0], how)
    living = Living(tmp_path)
    first = FirstTree(living.path, FilterMode.DEFAULT)
    async with living.shown(first_tree=first) as watching:
        await watching.until_last("m5")
