"""What all windows share."""

from __future__ import annotations

from textual.app import App

from pitree.resources import styles_dir
from pitree.ui.toolkit.choice_window import Choice, ChoiceResult, ChoiceWindow
from pitree.ui.toolkit.keys import KeyContext
from pitree.ui.windows.help_window import HelpWindow


class Host(App[None]):
    CSS_PATH = sorted(styles_dir().glob("*.tcss"))


async def test_fault_03_a_covered_window_closes_after_the_one_above_it() -> None:
    app = Host()
    results: list[ChoiceResult | None] = []
    async with app.run_test(size=(80, 24)) as pilot:
        lower = ChoiceWindow("Export", [], [Choice("md", "export.md", "Markdown")])
        await app.push_screen(lower, results.append)
        await app.push_screen(HelpWindow([KeyContext.TREE]))
        lower.dismiss(ChoiceResult("md", None))
        await pilot.pause()
        assert isinstance(app.screen, HelpWindow)
        assert results == []
        await pilot.press("escape")
        await pilot.pause()
        assert app.screen is not lower
        assert results == [ChoiceResult("md", None)]


async def test_fault_03_a_window_closes_once() -> None:
    app = Host()
    results: list[ChoiceResult | None] = []
    async with app.run_test(size=(80, 24)) as pilot:
        await app.push_screen(
            ChoiceWindow("Export", [], [Choice("md", "export.md", "Markdown")]), results.append
        )
        await pilot.press("escape", "escape", "escape")
        assert results == [None]
        assert len(app.screen_stack) == 1
