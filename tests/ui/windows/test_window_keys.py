"""The keys inside windows: those of the config file and of Pi hold, and borders and help tell them."""

from __future__ import annotations

import json
from pathlib import Path

from textual import events

from pitree.config.config import load
from pitree.ui.main.arrangement import Page
from pitree.ui.toolkit.choice_window import ChoiceWindow
from pitree.ui.toolkit.line_window import LineWindow
from pitree.ui.windows.compare_window import CompareWindow
from pitree.ui.windows.help_window import HelpWindow
from pitree.ui.windows.palette_window import PaletteWindow
from pitree.ui.windows.table_window import TableWindow
from tests.support.seeing import line_with, text, until
from tests.ui.main.test_main_screen import Store, browse, login, opened, store

__all__ = ["login", "store"]

OTHER_KEYS = """[keys]
"continue.fork" = "ctrl+b"
"dialog.close" = "ctrl+g"
"dialog.help" = "f4"
"line.save" = "ctrl+s"
"table.go" = "g"
"""


async def test_other_keys_hold_in_windows(store: Store, login: Path, config_file: Path) -> None:
    config_file.parent.mkdir()
    config_file.write_text(OTHER_KEYS)
    app = store.app(login, config=load())
    async with app.run_test(size=(100, 40)) as pilot:
        screen = await opened(pilot)
        assert [str(problem).partition("line ")[2] for problem in app.problems] == [
            "3: dialog.close: ctrl+g was the key of summary.ask, which has no key now",
            "6: table.go: g now means table.go there, not list.first",
        ]
        await pilot.press("enter")
        await until(pilot, lambda: "⏎ choose   Tab edit the text   ^g back   F4 help" in text(app))
        assert "^b  fork here" in text(app)
        await pilot.press("f4")
        await until(pilot, lambda: isinstance(app.screen, HelpWindow) and "Esc" not in text(app))
        assert " ^b " in line_with(app, "Fork at the entry")
        await pilot.press("ctrl+g", "f")
        assert isinstance(app.screen, ChoiceWindow)
        await pilot.press("ctrl+b")
        await until(pilot, lambda: "another folder" in text(app))
        await pilot.press("ctrl+g")
        await until(pilot, lambda: app.screen is screen)

        await pilot.press("l", *"done")
        await until(pilot, lambda: "^s save   ^g back" in text(app))
        await pilot.press("enter", "escape")
        assert isinstance(app.screen, LineWindow)
        await pilot.press("ctrl+s")
        await until(pilot, lambda: app.screen is screen and "[done]" in text(app))

        at = screen.entry_index
        await pilot.press("x")
        await until(pilot, lambda: isinstance(app.screen, TableWindow) and "g go there" in text(app))
        await until(pilot, lambda: app.screen.table.row_count() > 0)  # type: ignore[attr-defined]
        await pilot.press("enter", "up", "g")
        await until(pilot, lambda: app.screen is screen and screen.entry_index != at)


async def test_windows_answer_to_pis_keys(store: Store, login: Path) -> None:
    ours = {
        "tui.select.down": "alt+z",
        "tui.select.confirm": ["ctrl+y", "enter"],
        "tui.select.cancel": "ctrl+g",
        "tui.input.submit": "ctrl+s",
    }
    (store.agent / "keybindings.json").write_text(json.dumps(ours))
    app = store.app(login, config=load({"PITREE_KEYS": "pi"}))
    async with app.run_test(size=(100, 40)) as pilot:
        screen = await opened(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: "^y choose   Tab edit the text   ^g back" in text(app))
        row = app.screen._list.cursor  # type: ignore[attr-defined]
        await pilot.press("alt+z")
        assert app.screen._list.cursor == row + 1  # type: ignore[attr-defined]
        await pilot.press("ctrl+g")
        assert app.screen is screen

        await pilot.press("L", *"pi")
        await until(pilot, lambda: isinstance(app.screen, LineWindow))
        await pilot.press("ctrl+s")
        await until(pilot, lambda: app.screen is screen and "[pi]" in text(app))

        await pilot.press("alt+c", "up", "up", "alt+c")
        await until(pilot, lambda: isinstance(app.screen, CompareWindow))
        await pilot.press("left")
        assert app.screen._lines.side == 0  # type: ignore[attr-defined]
        await pilot.press("ctrl+g")
        assert app.screen is screen

        await pilot.press("alt+p")
        await until(pilot, lambda: isinstance(app.screen, PaletteWindow))
        await pilot.press("alt+z")
        assert app.screen.rows.cursor == 1  # type: ignore[attr-defined]
        await pilot.press("escape")
        assert isinstance(app.screen, PaletteWindow)
        await pilot.press("ctrl+g")
        assert app.screen is screen


async def test_alt_with_a_letter_types_nothing_where_one_types(store: Store, login: Path) -> None:
    """A terminal sends the letter along, as Pilot does not."""
    app = store.app(config=load({"PITREE_KEYS": "pi"}))
    async with app.run_test(size=(100, 40)) as pilot:
        screen = await browse(pilot)
        await until(pilot, lambda: screen.page is Page.SESSIONS and app.focused is not None)
        app.post_message(events.Key("alt+p", "p"))
        await until(pilot, lambda: isinstance(app.screen, PaletteWindow) and app.screen.box.field.has_focus)
        assert screen.picker.search_box.text == ""
        app.post_message(events.Key("alt+q", "q"))
        await pilot.press("x")
        await until(pilot, lambda: app.screen.box.text)  # type: ignore[attr-defined]
        assert app.screen.box.text == "x"  # type: ignore[attr-defined]
