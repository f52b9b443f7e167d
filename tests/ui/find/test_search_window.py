"""ctrl+f: the window that searches all sessions, and how it leads to an entry."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from pitree.config import table
from pitree.config.config import Config
from pitree.pi.places import Places, folder_name
from pitree.query.index.index import Index, index_folder
from pitree.query.index.index_update import update
from pitree.query.index.scope import all_files
from pitree.session.manager.manager import SessionManager
from pitree.ui.app.app import PitreeApp
from pitree.ui.app.options import AppOptions
from pitree.ui.find.hit_rows import rows_of
from pitree.ui.find.search_window import SearchWindow
from pitree.ui.main.main_screen import MainScreen
from tests.support.seeing import line_with, text, until, until_still, words
from tests.support.stories import Story, login_story


@pytest.fixture
def options(tmp_path: Path) -> AppOptions:
    """A store of two sessions in two folders; no index."""
    cwd = tmp_path / "app"
    cwd.mkdir()
    login_story().write(tmp_path / "agent" / "sessions" / folder_name(str(cwd)) / "login.jsonl", cwd)
    other = Story(600).user("o1", "Where is the\nmarmalade \x1b[31mfactory?").assistant("o2", "In the pantry")
    other.write(tmp_path / "agent" / "sessions" / "--elsewhere--" / "other.jsonl", "/elsewhere")
    return AppOptions(agent_dir=tmp_path / "agent", cwd=cwd, config=Config().given({table.INDEX: False}))


@asynccontextmanager
async def searching(
    options: AppOptions, typed: str, size: tuple[int, int] = (100, 40)
) -> AsyncIterator[tuple[Pilot[Any], SearchWindow]]:
    """The window over the main screen, with an answered query in it."""
    app = PitreeApp(options)
    async with app.run_test(size=size) as pilot:
        await until(pilot, lambda: isinstance(app.screen, MainScreen))
        await pilot.press("ctrl+f")
        await until(pilot, lambda: isinstance(app.screen, SearchWindow) and app.screen.is_mounted)
        window = app.screen
        assert isinstance(window, SearchWindow)
        window.box.text = typed
        await until(pilot, lambda: answered(window, typed))
        await until_still(pilot)
        yield pilot, window


def answered(window: SearchWindow, typed: str) -> bool:
    """Whether all of the answer to what was typed is shown."""
    return window._kept.text == typed and window._found.done and window._answered == window._number


def main_screen(pilot: Pilot[Any]) -> MainScreen:
    screen = pilot.app.screen
    assert isinstance(screen, MainScreen)
    return screen


async def test_hits_stand_below_their_sessions_the_newest_first(options: AppOptions) -> None:
    async with searching(options, "marma") as (pilot, window):
        shown = text(pilot.app)
        assert shown.index("Where is the") < shown.index("Add a login form") < shown.index("secret word")
        assert "marmalade ␛" in line_with(pilot.app, "› user")
        assert "2 matches in 2 sessions" in shown
        await pilot.press("tab")
        await until(pilot, lambda: window._found.done and "1 match in 1 session" in words(pilot.app))
        await until(pilot, lambda: "pantry" not in text(pilot.app))


async def test_enter_opens_the_session_at_the_entry_and_lights_the_words(options: AppOptions) -> None:
    async with searching(options, "javascript role:user") as (pilot, _):
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, MainScreen))
        screen = main_screen(pilot)
        await until(pilot, lambda: screen.opened is not None and screen.entry_index >= 0)
        assert screen.opened is not None
        assert screen.opened.session.table.ids[screen.entry_index] == "u2"
        assert screen.focused is screen.tree_pane.rows
        await until(pilot, lambda: screen.detail_pane.hits_words == "match 1 of 1")
        assert len(screen.tree_pane.outline or ()) > 1


async def test_a_call_without_words_leads_to_its_result(options: AppOptions) -> None:
    async with searching(options, "login.tsx") as (pilot, window):
        assert window.rows.selected is not None
        assert window.rows.selected.hit is not None
        assert window.rows.selected.hit.entry_id == "t1-call"
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, MainScreen) and main_screen(pilot).opened)
        screen = main_screen(pilot)
        await until(pilot, lambda: screen.entry_index >= 0)
        assert screen.opened is not None
        assert screen.opened.session.table.ids[screen.entry_index] == "t1"


async def test_escape_goes_back_and_the_query_is_kept(options: AppOptions) -> None:
    async with searching(options, "pantry") as (pilot, _):
        focused = pilot.app.screen_stack[-2].focused
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, MainScreen))
        assert main_screen(pilot).focused is focused
        await pilot.press("ctrl+f")
        await until(pilot, lambda: "In the pantry" in text(pilot.app))


async def test_what_is_not_understood_is_said(options: AppOptions) -> None:
    async with searching(options, "pantry role:cook") as (pilot, _):
        assert "role:cook: must be one of" in words(pilot.app)
        assert "In the pantry" in text(pilot.app)


async def test_without_a_query_the_language_is_told_and_without_a_hit_so_much(options: AppOptions) -> None:
    async with searching(options, "no-such-word", (80, 24)) as (pilot, window):
        assert "No entry of 2 sessions matches" in words(pilot.app)
        window.box.text = ""
        await until(pilot, lambda: "Words match whole words" in words(pilot.app))
        assert "after:2026-10-01" in words(pilot.app)


async def test_where_there_is_no_session_to_look_in_it_is_said_why(
    options: AppOptions, tmp_path: Path
) -> None:
    nothing = replace(options, agent_dir=tmp_path / "none")
    async with searching(nothing, "word") as (pilot, window):
        assert f"No sessions yet under {tmp_path}/none/sessions. Esc goes back." in words(pilot.app)
        await pilot.press("tab")
        await until(
            pilot, lambda: answered(window, "word") and "yet. Tab searches all folders." in words(pilot.app)
        )
    async with searching(replace(options, config=Config()), "a dir:nowhere after:2020-01-01") as (pilot, _):
        until_read = "None of 2 sessions matches dir: and after:."
        await until(pilot, lambda: until_read in words(pilot.app))


async def test_best_first_puts_what_the_user_said_before_the_rest(options: AppOptions) -> None:
    async with searching(options, "form", (60, 24)) as (pilot, window):
        assert [row.hit.role for row in window.rows.rows if row.hit] == ["assistant", "assistant", "user"]
        await pilot.press("ctrl+s")
        assert [row.hit.role for row in window.rows.rows if row.hit] == ["user", "assistant", "assistant"]


@pytest.mark.parametrize("indexed", [0, 1])
async def test_where_no_index_can_be_written_all_sessions_are_read(
    options: AppOptions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, indexed: int
) -> None:
    monkeypatch.setenv("PITREE_CACHE_DIR", str(tmp_path / "cache"))
    places = Places(str(options.cwd), str(options.agent_dir))
    update(Index(index_folder()), all_files(places)[:indexed])
    (index_folder() / "lock").mkdir(parents=True)
    async with searching(AppOptions(agent_dir=options.agent_dir, cwd=options.cwd), "marma") as (
        pilot,
        window,
    ):
        await until(pilot, lambda: "the index cannot be written" in words(pilot.app))
        await until(pilot, lambda: "2 matches in 2 sessions" in words(pilot.app))
        assert window._found.done


async def test_the_index_is_made_beside_it_and_follows_what_comes(
    options: AppOptions, tmp_path: Path
) -> None:
    indexed = AppOptions(agent_dir=options.agent_dir, cwd=options.cwd)
    async with searching(indexed, "marma") as (pilot, _):
        await until(pilot, lambda: "2 matches in 2 sessions" in words(pilot.app))
        entry = {"type": "message", "id": "o3", "parentId": "o2", "timestamp": "2026-03-10T10:00:00Z"}
        entry["message"] = {"role": "user", "content": "More marmalade!"}  # type: ignore[assignment]
        with (tmp_path / "agent" / "sessions" / "--elsewhere--" / "other.jsonl").open("a") as file:
            file.write(json.dumps(entry) + "\n")
        await until(pilot, lambda: "3 matches in 2 sessions" in words(pilot.app))
        await until(pilot, lambda: "indexing" not in words(pilot.app))
        assert (tmp_path.with_name(f"{tmp_path.name}-cache") / "search").stat().st_mode & 0o077 == 0


async def test_fault_25_the_cursor_is_on_the_first_hit_until_it_is_moved(options: AppOptions) -> None:
    async with searching(options, "marma") as (pilot, window):
        first, second = window._found.groups
        for early, late in [((first,), (second, first)), ((second,), (first, second))]:
            window.rows.show([], stay=False)
            window.rows.show(rows_of(early), stay=True)
            window.rows.show(rows_of(late), stay=True)
            assert window.rows.selected is not None
            assert window.rows.selected.hit == late[0].hits[0]
        await pilot.press("down")
        assert window.rows.selected.hit == second.hits[0]
        window.rows.show(rows_of((second, first)), stay=True)
        assert window.rows.selected.hit == second.hits[0]
        window.rows.show(rows_of((first, second)), stay=True)
        assert window.rows.selected.hit == second.hits[0]


@pytest.mark.parametrize("size", [(60, 20), (100, 40), (200, 60)])
async def test_fault_25_a_copy_in_a_fork_is_one_row(options: AppOptions, size: tuple[int, int]) -> None:
    assert options.agent_dir is not None
    folder = options.agent_dir / "sessions" / "--elsewhere--"
    SessionManager.fork_from(folder / "other.jsonl", "/elsewhere", folder)
    async with searching(options, "where marmalade", size) as (pilot, _):
        assert "1 match in 1 session" in words(pilot.app)
        (row,) = [line for line in text(pilot.app).splitlines() if "› user" in line]
        assert ("also in 1 other session" in row) is (size[0] > 70)
        assert ("+1" in row) is (size[0] < 70)
        assert "marmalade" in row
