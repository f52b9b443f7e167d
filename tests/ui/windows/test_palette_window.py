"""The command palette on the screen: opens at once, finds all three kinds, and does what is chosen."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from threading import get_ident
from typing import Any

import pytest
from textual.app import App

from pitree.catalog.info.session_info import SessionInfo
from pitree.catalog.loading import lister
from pitree.pi.places import folder_name
from pitree.ui.app.app import PitreeApp
from pitree.ui.app.options import AppOptions
from pitree.ui.main.arrangement import Page
from pitree.ui.main.main_screen import MainScreen
from pitree.ui.main.palette import SessionOffers
from pitree.ui.picker import picker
from pitree.ui.picker.picker import SessionPicker
from pitree.ui.toolkit import keys
from pitree.ui.windows.command_ranking import PaletteItem
from pitree.ui.windows.palette_window import PaletteWindow
from tests.support.seeing import line_with, text, until
from tests.support.stories import Story, login_story


@pytest.fixture
def app(tmp_path: Path) -> PitreeApp:
    """A session is open; another lies in another folder."""
    here, there = tmp_path / "here", tmp_path / "there"
    for folder in (here, there):
        folder.mkdir()
    sessions = tmp_path / "agent/sessions"
    path = sessions / folder_name(str(here)) / "login.jsonl"
    login_story().write(path, here)
    Story(-90).user("u1", "Why is the sky blue?").assistant("a1", "It scatters.").label(
        "a1", "physics"
    ).write(sessions / folder_name(str(there)) / "sky.jsonl", there)
    return PitreeApp(AppOptions(path=path, agent_dir=tmp_path / "agent", cwd=here))


async def test_it_finds_actions_labels_and_sessions_and_does_them(app: PitreeApp) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, MainScreen) and "assistant" in text(app))
        screen = app.screen
        assert isinstance(screen, MainScreen)

        await pilot.press("ctrl+p")
        await until(pilot, lambda: isinstance(app.screen, PaletteWindow))
        offered = [offer.meant for offer in app.screen.rows.offers]  # type: ignore[attr-defined]
        wanted = keys.actions_of(
            keys.KeyContext.TREE, keys.KeyContext.GLOBAL, keys.KeyContext.DETAIL, keys.KeyContext.PICKER
        )
        assert set(wanted) <= {meant for meant in offered if isinstance(meant, keys.Action)}

        await pilot.press(*"checkp")
        await until(pilot, lambda: "[checkpoint] Use TypeScript" in text(app))
        await pilot.press("enter")
        await until(pilot, lambda: app.screen is screen)
        assert screen.opened is not None
        assert screen.opened.session.table.ids[screen.entry_index] == "u3"

        await pilot.press("colon", *"raw")
        await until(pilot, lambda: "Show the record as JSON" in text(app))
        await pilot.press("enter")
        await until(pilot, lambda: app.screen is screen and screen.page is Page.DETAIL)
        await until(pilot, lambda: '"parentId"' in text(app))

        await pilot.press("ctrl+p", *"sky")
        await until(pilot, lambda: "Why is the sky blue?" in text(app))
        await pilot.press("enter")
        await until(pilot, lambda: screen.opened is not None and screen.opened.path.name == "sky.jsonl")
        assert screen.page is Page.TREE


async def test_a_label_of_another_session_leads_to_its_entry(app: PitreeApp) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, MainScreen) and "assistant" in text(app))
        screen = app.screen
        assert isinstance(screen, MainScreen)
        await pilot.press("s", "ctrl+p", *"physics")
        await until(pilot, lambda: "[physics] It scatters." in text(app))
        assert line_with(app, "[physics]").rstrip(" │").endswith("Why is the sky blue?")
        await pilot.press("enter")
        await until(pilot, lambda: screen.opened is not None and screen.opened.path.name == "sky.jsonl")
        await until(pilot, lambda: screen.opened.session.table.ids[screen.entry_index] == "a1")  # type: ignore[union-attr]
        assert screen.page is Page.TREE


async def test_what_comes_in_later_moves_no_row_from_under_the_cursor() -> None:
    app = App[None]()
    first = [PaletteItem("Action", f"find this {number}", "", number) for number in range(40)]
    async with app.run_test(size=(80, 24)) as pilot:
        window = PaletteWindow(first, lambda: None)
        await app.push_screen(window)
        await pilot.press(*"this", "pagedown", "down")
        rows = window.rows
        await until(pilot, lambda: window.box.text == "this" and rows.cursor > 10 and rows.scroll_offset.y)
        chosen, height = rows.offers[rows.cursor], rows.cursor - rows.scroll_offset.y
        window.add([PaletteItem("Label", f"this is better {number}", "", -number) for number in range(30)])
        await pilot.pause()
        assert rows.offers[0].text == "this is better 0"
        assert (rows.offers[rows.cursor], rows.cursor - rows.scroll_offset.y) == (chosen, height)
        assert len(rows.offers) == 70


async def test_esc_clears_then_leaves_and_the_focus_is_where_it_was(app: PitreeApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, MainScreen) and "assistant" in text(app))
        screen, focused = app.screen, app.focused
        await pilot.press("ctrl+p", *"qqq:")
        await until(pilot, lambda: "No action, session or label matches" in text(app))
        await pilot.press("escape")
        await until(pilot, lambda: "No action" not in text(app))
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is screen)
        assert app.focused is focused


async def test_fault_11_the_open_palette_sorts_no_sessions_on_the_loop(
    app: PitreeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    made_in: list[int] = []
    sorted_in: list[int] = []
    looks: list[int] = []
    make, lists_read, newest_first = SessionOffers.make, SessionPicker.lists_read, lister.newest_first

    def making(*arguments: Any) -> list[PaletteItem]:
        made_in.append(get_ident())
        return make(*arguments)

    def sorting(infos: Iterable[SessionInfo]) -> list[SessionInfo]:
        sorted_in.append(get_ident())
        return newest_first(infos)

    def looking(list_pane: SessionPicker) -> tuple[lister.SessionList, ...]:
        looks.append(len(made_in))
        return lists_read(list_pane)

    monkeypatch.setattr("pitree.ui.windows.palette_window.LOOK_AGAIN", 0.02)
    monkeypatch.setattr(SessionOffers, "make", making)
    monkeypatch.setattr(SessionPicker, "lists_read", looking)
    async with app.run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, MainScreen) and "assistant" in text(app))
        await pilot.press("ctrl+p")
        await until(pilot, lambda: isinstance(app.screen, PaletteWindow))
        window = app.screen
        assert isinstance(window, PaletteWindow)
        await until(pilot, lambda: sum(offer.kind == "Session" for offer in window.rows.offers) == 2)
        assert made_in
        assert get_ident() not in made_in
        looks.clear()
        monkeypatch.setattr(lister, "newest_first", sorting)
        monkeypatch.setattr(picker, "newest_first", sorting)
        await until(pilot, lambda: len(looks) > 10)
        assert len(set(looks)) == 1  # nothing is new, so nothing is made
        assert sorted_in == []
