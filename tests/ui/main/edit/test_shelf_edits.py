"""Stars and the archive on the screen: marked, hidden, counted, taken back; no session is touched."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from pitree.state.stars_and_archive import Shelf
from pitree.ui.app.app import PitreeApp
from pitree.ui.app.options import AppOptions
from tests.support import seeing
from tests.support.seeing import line_with, text, words
from tests.support.stores import START, Store, encode, records

until = partial(seeing.until, seconds=60.0)


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """A store with three sessions of `/w`, the first the parent of the second."""
    monkeypatch.setenv("HOME", str(tmp_path))
    made = Store(tmp_path)
    first = made.add("/w", "the first", "yes", id="s1")
    made.add("/w", "its child", "yes", id="s2", parent=first)
    made.add("/w", "the last", "yes", id="s3")
    return made


def app_for(store: Store, **more: Any) -> PitreeApp:
    file = store.agent.parent / "state/shelf.json"
    return PitreeApp(AppOptions(agent_dir=store.agent, cwd=Path("/w"), shelf=Shelf(file), **more))


def ids(app: PitreeApp) -> list[str]:
    """Ids of the sessions listed, from the top."""
    screen: Any = app.screen
    rows = screen.picker.rows.sessions if hasattr(screen, "picker") else []
    return [info.id for at in range(len(rows)) if (info := rows.session(at)) is not None]


def contents(store: Store) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in store.root.rglob("*") if path.is_file()}


async def test_stars_and_archive_of_sessions(store: Store) -> None:
    before = contents(store)
    app = app_for(store, read_only=True)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await until(pilot, lambda: ids(app) == ["s3", "s1", "s2"])
        await pilot.press("asterisk")
        await until(pilot, lambda: "★ the last" in text(app) and "Session starred" in text(app))
        await pilot.press("S")
        await until(pilot, lambda: ids(app) == ["s3"] and "· starred" in text(app))
        await pilot.press("S")
        await until(pilot, lambda: len(ids(app)) == 3)
        await pilot.press("j", "A")
        await until(pilot, lambda: ids(app) == ["s3"] and "2 archived" in text(app))
        await pilot.press("H")
        await until(pilot, lambda: ids(app) == ["s3", "s1", "s2"])
        assert "the first (archived)" in line_with(app, "the first")
        assert "its child (archived)" in line_with(app, "its child")
        await pilot.press("H", "u")
        await until(pilot, lambda: ids(app) == ["s3", "s1", "s2"] and "(archived)" not in text(app))
        await pilot.press("u")
        await until(pilot, lambda: "★" not in text(app))
    assert contents(store) == before


async def test_the_next_pitree_knows_and_a_broken_file_is_told(store: Store) -> None:
    file = store.agent.parent / "state/shelf.json"
    for number, path in enumerate(sorted(store.root.rglob("*.jsonl"))):
        Shelf(file).change(f"s{number + 1}", str(path), archived=True)
    app = app_for(store)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "Archived: the 3 sessions of this list" in words(app))
    file.write_text("no JSON")
    app = app_for(store)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await until(pilot, lambda: len(ids(app)) == 3 and "shelf.json.broken" in words(app).replace(" ", ""))


async def test_what_another_pitree_keeps_is_shown(store: Store) -> None:
    path = branched(store)
    app = app_for(store, path=path)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot, lambda screen: screen.entry_index == 5)
        await until(pilot, lambda: screen.following.watcher._thread is not None)
        other = Shelf(app.options.shelf.path)
        session = screen.opened.session
        archived = session.table.ids[2]
        other.change(session.get_session_id(), str(path), archive_branches=[archived])
        await until(pilot, lambda: len(screen.tree_pane.outline) == 4 and screen.entry_index == 5)
        await pilot.press("s")
        await until(pilot, lambda: "s3" in ids(app) and "★" not in text(app))
        other.change("s3", str(next(store.root.rglob("*s3*"))), starred=True)
        await until(pilot, lambda: "★ the last" in text(app))


def branched(store: Store) -> Path:
    """A session: `u0 a1`, below it the branch `u2 a3` and the branch `u4 a5` with the leaf."""
    made = records("tree", "/w", "start", "yes", "left", "left too", "right", "right too", at=START)
    made[5]["parentId"] = made[2]["id"]
    path = store.root / "--w--" / "tree.jsonl"
    path.write_bytes(encode(made))
    return path


async def opened(pilot: Pilot[Any], holds: Callable[[Any], object]) -> Any:
    await until(pilot, lambda: getattr(pilot.app.screen, "opened", None) and holds(pilot.app.screen))
    return pilot.app.screen


async def test_a_branch_goes_out_of_sight_and_comes_back(store: Store) -> None:
    path = branched(store)
    before = path.read_bytes()
    app = app_for(store, path=path)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        screen = await opened(pilot, lambda screen: screen.entry_index == 5)
        outline = screen.tree_pane.outline
        await pilot.press("A")
        await until(pilot, lambda: "Not archived: this is the branch" in text(app))
        await pilot.press("G", "A")
        await until(pilot, lambda: len(outline) == 4 and "2 archived" in line_with(app, "assistant: yes"))
        assert screen.entry_index == 1
        await until(pilot, lambda: "left" not in text(app))
        assert "2 archived · 4 of 6" in text(app)
        await pilot.press("H")
        await until(pilot, lambda: len(outline) == 6)
        assert line_with(app, "user: left").rstrip(" │").endswith("archived")
        assert "archived shown" in text(app)
        await pilot.press("G", "A")
        await until(pilot, lambda: not outline.is_archived(2))
        await pilot.press("u")
        await until(pilot, lambda: outline.is_archived(2))
        await pilot.press("H")
        await until(pilot, lambda: len(outline) == 4)
        await pilot.press("slash", *"left")
        await until(pilot, lambda: "2 matches" in text(app) and "user: left" in text(app))
        await pilot.press("escape", "escape")
        await until(pilot, lambda: len(outline) == 4)
        screen.go_to_entry(3)
        await until(pilot, lambda: screen.entry_index == 3)
    assert path.read_bytes() == before
    app = app_for(store, path=path)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot, lambda screen: screen.tree_pane.outline)
        await until(pilot, lambda: len(screen.tree_pane.outline) == 4)
