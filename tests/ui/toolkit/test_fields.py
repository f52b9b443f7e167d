"""Fields of one line: whatever is pasted is in them, on one line."""

from __future__ import annotations

import pytest
from textual.app import App, ComposeResult
from textual.events import Paste

from pitree.ui.toolkit.fields import LineField, as_one_line
from pitree.ui.toolkit.keys import KeyContext
from pitree.ui.windows.help_window import HelpWindow


class Fields(App[None]):
    def compose(self) -> ComposeResult:
        yield LineField("ab", select_on_focus=False)


@pytest.mark.parametrize(
    ("pasted", "line"),
    [
        ("one\ntwo", "one two"),
        ("one\r\ntwo\rthree\n", "one two three"),
        ("  one line as it is\t", "  one line as it is\t"),
        ("if x:\n    y\n\n    z\n", "if x: y z"),
        ("one\x0btwo\u2028three", "one two three"),
        ("\n\n", ""),
    ],
)
async def test_fault_21_breaks_of_a_paste_become_blanks(pasted: str, line: str) -> None:
    assert as_one_line(pasted) == line
    app = Fields()
    async with app.run_test() as pilot:
        field = app.query_one(LineField)
        field.cursor_position = 1
        app.post_message(Paste(pasted))
        await pilot.pause()
        assert field.value == f"a{line}b"
        assert field.cursor_position == 1 + len(line)
        field.select_all()
        app.post_message(Paste(pasted))
        await pilot.pause()
        assert field.value == line


async def test_fault_21_a_paste_into_the_search_of_a_window() -> None:
    class Host(App[None]):
        def on_mount(self) -> None:
            self.push_screen(HelpWindow([KeyContext.LIST, KeyContext.TREE, KeyContext.GLOBAL]))

    app = Host()
    async with app.run_test(size=(80, 40)) as pilot:
        app.post_message(Paste("copy the\nentry"))
        await pilot.pause()
        assert app.screen.query_one(LineField).value == "copy the entry"
