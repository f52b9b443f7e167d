"""The panes: how they stand by choice, and their room, by key and by mouse, remembered."""

from __future__ import annotations

from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.geometry import Size
from textual.pilot import Pilot

from pitree.config import table
from pitree.config.config import load
from pitree.pi.places import folder_name
from pitree.state.memory import Memory
from pitree.ui.app.app import PitreeApp
from pitree.ui.app.options import AppOptions
from pitree.ui.main.arrangement import Arrangement, Page, PaneLayout, arrangement_for, sessions_columns
from pitree.ui.main.main_screen import MainScreen
from tests.support.seeing import text, until
from tests.support.stories import login_story


@pytest.mark.parametrize(
    ("size", "layout", "arrangement"),
    [
        ((120, 40), PaneLayout.AUTO, Arrangement.WIDE),
        ((119, 40), PaneLayout.AUTO, Arrangement.STACKED),
        ((80, 24), PaneLayout.WIDE, Arrangement.WIDE),
        ((79, 24), PaneLayout.WIDE, Arrangement.STACKED),
        ((200, 60), PaneLayout.STACKED, Arrangement.STACKED),
        ((40, 12), PaneLayout.STACKED, Arrangement.PAGED),
        ((40, 12), PaneLayout.WIDE, Arrangement.PAGED),
        ((200, 60), PaneLayout.SINGLE, Arrangement.PAGED),
    ],
)
def test_what_is_chosen_holds_where_it_can_be_read(
    size: tuple[int, int], layout: PaneLayout, arrangement: Arrangement
) -> None:
    assert arrangement_for(Size(*size), layout) is arrangement


def test_the_list_leaves_room_for_the_others() -> None:
    assert [sessions_columns(width, 26) for width in (80, 120, 200)] == [24, 31, 52]
    assert sessions_columns(120, 60) == 72
    assert sessions_columns(100, 60) == 52
    assert sessions_columns(120, 10) == 24


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return login_story().write(tmp_path / "sessions" / folder_name(str(tmp_path)) / "s.jsonl", tmp_path)


@asynccontextmanager
async def shown(file: Path, memory: Memory, size: tuple[int, int]) -> Any:
    folder = file.parents[2]
    config = load(memory=memory)
    app = PitreeApp(AppOptions(path=file, agent_dir=folder, cwd=folder, config=config, memory=memory))
    async with app.run_test(size=size) as pilot:
        await until(pilot, lambda: isinstance(app.screen, MainScreen) and "assistant" in text(app))
        yield pilot


def widths(pilot: Pilot[Any]) -> list[int]:
    return [pilot.app.screen.pane(page).outer_size.width for page in Page]  # type: ignore[attr-defined]


def tree_share(pilot: Pilot[Any]) -> int:
    return pilot.app.screen._shares.tree  # type: ignore[attr-defined]


async def drag(pilot: Pilot[Any], start: tuple[int, int], end: tuple[int, int]) -> None:
    await pilot.mouse_down(offset=start)
    await pilot.hover(offset=end)
    await pilot.mouse_up(offset=end)


async def test_keys_and_mouse_give_room_and_it_is_remembered(file: Path, tmp_path: Path) -> None:
    memory_file = tmp_path / "choices.json"
    async with shown(file, Memory(memory_file), (150, 30)) as pilot:
        sessions, tree, _ = widths(pilot)
        await pilot.press("greater_than_sign", "left_square_bracket")
        await until(pilot, lambda: widths(pilot)[0] > sessions and widths(pilot)[1] < tree)

        sessions, tree, _ = widths(pilot)
        await drag(pilot, (sessions - 1, 8), (59, 8))
        await until(pilot, lambda: widths(pilot)[0] == 60)
        border = sum(widths(pilot)[:2]) - 1
        await drag(pilot, (border, 8), (border + 20, 20))
        await until(pilot, lambda: sum(widths(pilot)[:2]) > border + 18)
        before = widths(pilot)
        await drag(pilot, (30, 8), (60, 8))  # no border
        assert widths(pilot) == before
        await until(pilot, lambda: Memory(memory_file).get("sessions_share", 0) == 40)
        await until(pilot, lambda: Memory(memory_file).get("tree_share", 0) == tree_share(pilot))
    again = Memory(memory_file)
    async with shown(file, again, (150, 30)) as pilot:
        assert widths(pilot) == before


async def test_the_layout_is_chosen_by_key_and_the_split_dragged_there(file: Path, tmp_path: Path) -> None:
    memory_file = tmp_path / "choices.json"
    async with shown(file, Memory(memory_file), (150, 30)) as pilot:
        screen = pilot.app.screen
        await pilot.press("W", "W")
        await until(pilot, lambda: screen.has_class("-stacked"))
        tree = screen.pane(Page.TREE)
        await drag(pilot, (40, tree.region.bottom - 1), (40, 9))
        await until(pilot, lambda: 8 <= tree.outer_size.height <= 10)
        await pilot.press("W")
        await until(pilot, lambda: screen.has_class("-paged"))
        await until(pilot, lambda: Memory(memory_file).get("layout", "") == "single")
    assert load(memory=Memory(memory_file))[table.LAYOUT] == "single"


async def test_a_theme_is_shown_as_the_cursor_comes_to_it_and_kept(file: Path, tmp_path: Path) -> None:
    memory_file = tmp_path / "choices.json"
    async with shown(file, Memory(memory_file), (80, 24)) as pilot:
        await pilot.press("D", "down", "down")
        await until(pilot, lambda: pilot.app.theme == "pitree-light")
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.theme == "pitree-dark")
        await pilot.press("D", "down", "down", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, MainScreen))
        assert pilot.app.theme == "pitree-light"
        await until(pilot, lambda: Memory(memory_file).get("theme", "") == "light")
    assert load(memory=Memory(memory_file))[table.THEME] == "light"
