"""Whatever a worker raises, the screen goes on: a line says what failed, the log has the traceback."""

from __future__ import annotations

from itertools import cycle
from pathlib import Path

import pytest

from pitree.ui.main.main_screen import MainScreen
from tests.support.failing import ERRORS
from tests.support.living import Living
from tests.support.seeing import until, words
from tests.support.workers import (
    OPENS_THE_SCREEN,
    ROOT,
    WORKERS,
    WRITES,
    Stage,
    break_work,
    calls_of,
    started,
)

CASES = [
    *((*work, how) for work, how in zip(sorted(WORKERS), cycle(ERRORS), strict=False)),
    *(("pitree.ui.entry.pane.entry_pane", "read the entry", how) for how in ERRORS),
    *(("pitree.ui.picker.picker", "list the sessions", how) for how in ERRORS),
]


def test_fault_01_the_table_names_every_worker() -> None:
    assert started("in_thread", "compute_in_thread", "contained", "on_loop") == {
        *WORKERS,
        OPENS_THE_SCREEN,
        WRITES,
    }


def test_fault_01_nothing_else_starts_workers() -> None:
    assert calls_of("run_worker") == {("pitree.ui.toolkit.background", "run_worker")}
    assert not [file for file in ROOT.rglob("*.py") if "from textual import work" in file.read_text()]
    assert calls_of("create_task", "ensure_future", "run_in_executor", "create_subprocess_exec") == set()


@pytest.mark.parametrize(
    ("module", "doing", "how"), CASES, ids=[f"{module[10:]}-{doing}-{how}" for module, doing, how in CASES]
)
async def test_fault_01_a_worker_that_fails_leaves_the_screen(
    module: str,
    doing: str,
    how: str,
    tmp_path: Path,
    state: Path,
    monkeypatch: pytest.MonkeyPatch,
    failures: list[str],
) -> None:
    living = Living(tmp_path)
    demo = tmp_path / "demo"
    options = {"make_demo": lambda: (demo, demo)}
    async with living.shown(notifications=True, **options) as watching:
        app, pilot = watching.app, watching.pilot
        stage = Stage(living, watching, monkeypatch)
        break_work(monkeypatch, module, doing, how)
        await WORKERS[module, doing](stage)
        await until(pilot, lambda: f"Could not {doing}:" in words(app))
        log = state / "log/failures.log"
        assert f"could not {doing}\n" in log.read_text()
        assert "support/failing.py" in log.read_text()
        monkeypatch.undo()
        for _ in range(5):
            if isinstance(app.screen, MainScreen):
                break
            await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, MainScreen))
        app.set_focus(None)
        await pilot.press("q")
        await until(pilot, lambda: app._exit)
        assert app.return_code == 0
