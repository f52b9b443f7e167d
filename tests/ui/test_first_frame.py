"""The first frame shows what is read meanwhile, as list and tree will; keys pressed then are obeyed later."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from pitree.catalog.loading import prefetch as ahead_module
from pitree.catalog.loading.prefetch import Prefetch
from pitree.outline import first_tree
from pitree.outline.filters import FilterMode
from pitree.pi.places import find_places
from pitree.ui.app.app import PitreeApp
from pitree.ui.app.options import AppOptions
from pitree.ui.main import session_loading
from pitree.ui.main.main_screen import MainScreen
from pitree.ui.main.opening_screen import OpeningScreen
from tests.support.pty_app import PtyApp
from tests.support.seeing import lines, text, until
from tests.support.stores import START, Store
from tests.support.waiting import until as until_it

DAY = 86_400_000


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "agent")


def some(store: Store) -> None:
    for number in range(4):
        store.add(f"/w/{number % 2}", f"question {number}", f"answer {number}", at=START + number * DAY)


def listed(app: PitreeApp) -> list[str]:
    """The lines of the list of sessions, with those above it."""
    pane = app.screen.query_one("#sessions").region
    return [line[: pane.right] for line in lines(app)[: pane.bottom]]


@pytest.mark.parametrize("size", [(80, 24), (200, 50), (50, 16)])
async def test_the_list_comes_in_place_of_one_that_looks_the_same(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    some(store)
    monkeypatch.setattr(ahead_module, "cores", lambda: 2)
    ahead = Prefetch(find_places(tmp_path, None, {"PI_CODING_AGENT_DIR": str(store.agent)}), True, None)

    def whole() -> bool:
        ahead.look()
        return ahead.whole

    until_it(whole)
    load = PitreeApp._load
    monkeypatch.setattr(PitreeApp, "_load", lambda self: None)
    app = PitreeApp(
        AppOptions(agent_dir=store.agent, cwd=tmp_path, scope_all=True, theme="dark", ahead=ahead)
    )
    async with app.run_test(size=size) as pilot:
        assert isinstance(app.screen, OpeningScreen)
        await until(pilot, lambda: "question 0" in text(app))
        first = listed(app)
        assert "Sessions · all" in first[1]
        load(app)
        await until(pilot, lambda: isinstance(app.screen, MainScreen) and "question 0" in text(app))
        assert listed(app) == first


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_keys_pressed_in_the_first_frame_are_obeyed(store: Store, tmp_path: Path) -> None:
    some(store)
    env = {**os.environ, "PI_CODING_AGENT_DIR": str(store.agent), "PITREE_STATE_DIR": str(tmp_path / "state")}
    env |= {"PITREE_CACHE_DIR": str(tmp_path / "cache"), "LANG": "C.UTF-8"}
    command = [sys.executable, "-m", "pitree", "--all"]
    with PtyApp(command, env=env, cwd=tmp_path, columns=100, rows=30) as app:
        app.wait_for("Sessions", 60)
        app.send("down", "enter")
        app.wait_for("user: question 2", 60)
        app.send("q")
        assert app.wait_exit(60) == 0, app.picture()


def shown_tree(app: PitreeApp) -> list[str]:
    """The lines of the tree, without its scroll bar."""
    pane = app.screen.query_one("#tree").region
    return [line[pane.x : pane.right - 2] for line in lines(app)[pane.y : pane.bottom]]


@pytest.mark.parametrize("size", [(80, 24), (200, 20)])
@pytest.mark.parametrize("large", [False, True])
async def test_the_tree_comes_in_place_of_one_that_looks_the_same(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int], large: bool
) -> None:
    file = store.add("/w", *(f"said {number}" for number in range(200)))
    if large:
        for module in (first_tree, session_loading):
            monkeypatch.setattr(module, "LARGE", 10_000)
            monkeypatch.setattr(module, "TAIL", 10_000)
    first = first_tree.FirstTree(file, FilterMode.DEFAULT)
    assert first.wait(60) is not None
    load = PitreeApp._load
    monkeypatch.setattr(PitreeApp, "_load", lambda self: None)
    app = PitreeApp(
        AppOptions(path=file, agent_dir=store.agent, cwd=tmp_path, theme="dark", first_tree=first)
    )
    async with app.run_test(size=size) as pilot:
        await until(pilot, lambda: "said 199" in text(app))
        before = shown_tree(app)
        load(app)
        await until(pilot, lambda: isinstance(app.screen, MainScreen) and "200 of 200" in text(app))
        after = shown_tree(app)
        assert after[:-1] == before[:-1]  # the lower border tells how many entries are read
        assert (after == before) is not large
