"""The manual on the screen: reached from the help, the palette and a key; read, searched, left."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitree.commands.manual import command_helps
from pitree.config.table import SETTINGS
from pitree.docs.topics import TOPICS, BlockKind, blocks_of, title_of
from pitree.keys.actions import ACTIONS
from pitree.keys.keytable import KeyTable
from pitree.ui.app.app import PitreeApp
from pitree.ui.app.options import AppOptions
from pitree.ui.main.main_screen import MainScreen
from pitree.ui.windows.help_window import HelpWindow
from pitree.ui.windows.manual_page import ManualWindow
from pitree.ui.windows.manual_parts import text_of, topic_parts
from pitree.ui.windows.manual_topics import TopicsWindow
from tests.support.seeing import lines, text, until


@pytest.fixture
def app(tmp_path: Path) -> PitreeApp:
    return PitreeApp(AppOptions(agent_dir=tmp_path / "agent", cwd=tmp_path, command_helps=command_helps))


def said(topic: str, keys: KeyTable | None = None, width: int = 100) -> str:
    return text_of(topic_parts(topic, keys or KeyTable(), command_helps, width))


async def test_from_the_help_to_a_word_of_the_manual_and_back_by_steps(app: PitreeApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, MainScreen))
        await pilot.press("question_mark", "tab")
        await until(pilot, lambda: all(title_of(topic) in text(app) for topic in TOPICS))

        await pilot.press(*"shelf.json")
        await until(pilot, lambda: "1 match" in text(app) and title_of("live") not in text(app))
        await pilot.press("enter")
        await until(pilot, lambda: "match 1 of 1" in text(app))
        assert sum("shelf.json" in line for line in lines(app)) == 2  # in the page, and in the box
        assert "Manual · The list of sessions" in text(app)

        await pilot.press("escape")
        await until(pilot, lambda: "match 1" not in text(app))
        assert isinstance(app.screen, ManualWindow)
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, TopicsWindow))
        await pilot.press("escape")
        await until(pilot, lambda: title_of("live") in text(app))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, HelpWindow))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, MainScreen))


async def test_a_topic_found_by_its_name_alone_is_shown_from_its_beginning(app: PitreeApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, MainScreen))
        await pilot.press("M")
        await until(pilot, lambda: isinstance(app.screen, TopicsWindow) and app.screen._texts)
        await pilot.press(*"live")
        await until(pilot, lambda: title_of("live") in text(app) and title_of("format") not in text(app))
        await pilot.press("enter")
        await until(pilot, lambda: "pitree shows what Pi writes" in text(app))
        assert "match" not in text(app)


async def test_a_page_scrolls_folds_and_is_searched_as_an_entry_is(app: PitreeApp) -> None:
    async with app.run_test(size=(60, 16)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, MainScreen))
        await pilot.press("ctrl+p", *"manual plain")
        await until(pilot, lambda: "Plain commands" in text(app))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ManualWindow))
        await until(pilot, lambda: "For scripts and pipes" in text(app))
        page = app.screen.page  # type: ignore[attr-defined]
        await pilot.press("G")
        await until(pilot, lambda: page.scroll_offset.y > 0 and "▸ pitree help" in text(app))
        await pilot.press("enter")
        await until(pilot, lambda: page.document.height > 60 and "usage: pitree" in said("commands"))

        await pilot.press("slash", *"trash")
        await until(pilot, lambda: "match 1 of " in text(app) and "trash" in text(app))
        await pilot.press("enter", "n")
        await until(pilot, lambda: "match 2 of " in text(app))
        await pilot.press("escape", "tab")
        await until(
            pilot, lambda: "Manual · Session files" in text(app) and "A session is a file" in text(app)
        )
        await pilot.press("shift+tab", "shift+tab")
        await until(
            pilot, lambda: "pitree opens no connection" in text(app) or "Looking changes" in text(app)
        )
        await pilot.press("q")
        await until(pilot, lambda: isinstance(app.screen, MainScreen))


@pytest.mark.parametrize("width", [100, 36])
def test_tables_of_keys_settings_and_commands_are_there(width: int) -> None:
    keys = said("keys", width=width)
    assert all(f"`{action.id}`" in keys for action in ACTIONS)
    assert ("| Key |" in keys) == (width == 100)
    assert all(f"{setting.name} = " in said("settings") for setting in SETTINGS)
    commands = topic_parts("commands", KeyTable(), command_helps, width)
    assert [part.title for part in commands if part.folded] == [name for name, _ in command_helps()]
    assert any("usage: pitree list" in part.body.text for part in commands if part.body)


def test_code_has_room_on_a_page_of_80_columns() -> None:
    for topic in TOPICS:
        for block in blocks_of(topic, KeyTable()):
            if block.kind is BlockKind.CODE:
                assert max(map(len, block.texts)) <= 70, topic


def test_keys_are_named_as_they_are_set() -> None:
    assert "`ctrl+b` undoes the last change" in said("safety", KeyTable({"undo": ("ctrl+b",)}))
