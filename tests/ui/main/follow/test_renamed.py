"""The list and the open session while files and folders get other names, told by nobody but the watcher."""

from __future__ import annotations

import shutil
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot

from pitree.catalog.arranging import SessionRow
from pitree.catalog.info.session_info import SessionInfo
from pitree.ui.app.app import PitreeApp
from pitree.ui.app.options import AppOptions
from pitree.ui.main.main_screen import MainScreen
from tests.support.seeing import text, until
from tests.support.stores import Store, encode, records

PATIENCE = 60.0


@pytest.fixture(params=[False, True], ids=["events", "poll"])
def poll(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


class Renaming:
    """The main screen, and what it lists."""

    def __init__(self, pilot: Pilot[None]) -> None:
        self.pilot = pilot

    @property
    def screen(self) -> MainScreen:
        screen = self.pilot.app.screen_stack[0]
        assert isinstance(screen, MainScreen)
        return screen

    @property
    def listed(self) -> dict[str, str]:
        """Session id → path of the rows."""
        rows = self.screen.picker.rows.sessions.rows
        return {row.info.id: row.info.path for row in rows if isinstance(row, SessionRow)}

    @property
    def known(self) -> list[SessionInfo]:
        """What is known of the sessions read."""
        return [info for sessions in self.screen.picker.lists_read() for info in sessions]

    async def until(self, holds: Callable[[], object]) -> None:
        await until(self.pilot, holds, PATIENCE)

    async def until_listed(self, **paths: Path) -> None:
        """Wait until these are the rows, in any order."""
        await self.until(lambda: self.listed == {id: str(path) for id, path in paths.items()})

    def say(self, path: Path, words: str) -> None:
        """Append a question to a session."""
        with path.open("ab") as file:
            file.write(encode(records("x", "/", words, at=int(time.time() * 1000))[1:]))

    async def until_said(self, id: str, path: Path) -> None:
        """Append to a session under its new name, and wait until its row counts it."""
        before = next(info.message_count for info in self.known if info.id == id)
        self.say(path, "something more")
        await self.until(
            lambda: any(
                info.id == id and info.path == str(path) and info.message_count == before + 1
                for info in self.known
            )
        )


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


@asynccontextmanager
async def shown(
    store: Store, tmp_path: Path, poll: bool, path: Path | None = None, scope_all: bool = True
) -> AsyncIterator[Renaming]:
    """The main screen with sessions listed, `path` open; `tmp_path/app` is "this folder"."""
    cwd = tmp_path / "app"
    cwd.mkdir(exist_ok=True)
    app = PitreeApp(AppOptions(path=path, agent_dir=store.agent, cwd=cwd, poll=poll, scope_all=scope_all))
    async with app.run_test(size=(140, 30)) as pilot:
        await until(pilot, lambda: isinstance(app.screen_stack[0], MainScreen), PATIENCE)
        seen = Renaming(pilot)
        await seen.until(lambda: seen.screen.following.watcher._folders is not None)
        yield seen


@pytest.mark.parametrize("where", ["same folder", "another folder", "new folder"])
async def test_fault_10_a_session_that_is_renamed_keeps_its_row(
    store: Store, tmp_path: Path, poll: bool, where: str
) -> None:
    one, far = store.add("/w/app", "one", id="one"), store.add("/w/far", "far", id="far")
    async with shown(store, tmp_path, poll) as seen:
        await seen.until_listed(one=one, far=far)
        folder = {
            "same folder": one.parent,
            "another folder": far.parent,
            "new folder": store.root / "--new--",
        }[where]
        folder.mkdir(exist_ok=True)
        there = folder / "renamed.jsonl"
        one.rename(there)
        await seen.until_listed(one=there, far=far)
        await seen.until_said("one", there)
        there.rename(one)
        await seen.until_listed(one=one, far=far)
        await seen.until_said("one", one)
        await seen.until_listed(one=one, far=far)


@pytest.mark.parametrize("scope_all", [True, False], ids=["all", "this folder"])
async def test_fault_10_a_folder_that_is_renamed_keeps_its_rows(
    store: Store, tmp_path: Path, poll: bool, scope_all: bool
) -> None:
    app = tmp_path / "app"
    one, two = store.add(app, "one", id="one"), store.add(app, "two", id="two")
    far = store.add("/w/far", "far", id="far")
    others = {"far": far} if scope_all else {}
    async with shown(store, tmp_path, poll, scope_all=scope_all) as seen:
        await seen.until_listed(one=one, two=two, **others)
        folder = one.parent
        there = folder.with_name("--renamed--")
        folder.rename(there)
        await seen.until_listed(one=there / one.name, two=there / two.name, **others)
        await seen.until_said("two", there / two.name)
        there.rename(folder)
        await seen.until_listed(one=one, two=two, **others)
        await seen.until_said("one", one)


async def test_fault_10_a_folder_that_goes_takes_its_rows_and_brings_them_back(
    store: Store, tmp_path: Path, poll: bool
) -> None:
    one, far = store.add("/w/app", "one", id="one"), store.add("/w/far", "far", id="far")
    async with shown(store, tmp_path, poll) as seen:
        await seen.until_listed(one=one, far=far)
        away = tmp_path / "away"
        one.parent.rename(away)
        await seen.until_listed(far=far)
        one.parent.mkdir()
        shutil.copy(away / one.name, one)
        await seen.until_listed(one=one, far=far)
        shutil.rmtree(one.parent)
        await seen.until_listed(far=far)
        away.rename(one.parent)
        await seen.until_listed(one=one, far=far)
        await seen.until_said("one", one)


async def test_fault_10_a_folder_by_a_symlink_that_points_elsewhere(
    store: Store, tmp_path: Path, poll: bool
) -> None:
    far = store.add("/w/far", "far", id="far")
    first, second = tmp_path / "first", tmp_path / "second"
    one = store.add("/w/app", "one", id="one", folder=first)
    two = store.add("/w/app", "two", id="two", folder=second)
    link = store.root / "--link--"
    link.symlink_to(first)
    async with shown(store, tmp_path, poll) as seen:
        await seen.until_listed(one=link / one.name, far=far)
        link.unlink()
        link.symlink_to(second)
        await seen.until_listed(two=link / two.name, far=far)
        await seen.until_said("two", link / two.name)
        link.unlink()
        await seen.until_listed(far=far)
        link.symlink_to(first)
        await seen.until_listed(one=link / one.name, far=far)
        await seen.until_said("one", link / one.name)


async def test_fault_10_a_session_deleted_and_made_again(store: Store, tmp_path: Path, poll: bool) -> None:
    one, far = store.add("/w/app", "one", id="one"), store.add("/w/far", "far", id="far")
    async with shown(store, tmp_path, poll) as seen:
        await seen.until_listed(one=one, far=far)
        data = one.read_bytes()
        one.unlink()
        await seen.until_listed(far=far)
        one.write_bytes(data)
        await seen.until_listed(one=one, far=far)
        await seen.until_said("one", one)


@pytest.mark.parametrize("what", ["file", "folder", "to another folder"])
async def test_fault_10_the_open_session_is_followed_under_its_new_name(
    store: Store, tmp_path: Path, poll: bool, what: str
) -> None:
    one, far = store.add("/w/app", "one", id="one"), store.add("/w/far", "far", id="far")
    async with shown(store, tmp_path, poll, one) as seen:
        await seen.until_listed(one=one, far=far)
        await seen.until(lambda: seen.screen.following.followed is not None)
        if what == "folder":
            there = one.parent.with_name("--renamed--") / one.name
            one.parent.rename(there.parent)
        else:
            there = (one.parent if what == "file" else far.parent) / "renamed.jsonl"
            one.rename(there)
        await seen.until_listed(one=there, far=far)
        await seen.until(lambda: seen.screen.opened is not None and seen.screen.opened.path == there)
        await seen.until(lambda: seen.screen.picker.rows.shown.open == str(there))
        await seen.until(
            lambda: (
                seen.screen.following.followed is not None and seen.screen.following.followed.path == there
            )
        )
        seen.say(there, "said under the new name")
        await seen.until(lambda: "said under the new name" in text(seen.pilot.app))
