"""Hostile text on screen, kind by kind: in a row, in the entry, in a dialog, in a toast.

Checked is what goes to the terminal: each piece of each line, with its style. Nothing in it may steer the
terminal, carry a link or an action, or make a line wider than it is counted.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from textual.app import App
from textual.pilot import Pilot

from pitree.text import cells
from pitree.text.sanitize import visible
from pitree.ui.main.arrangement import Page
from pitree.ui.toolkit.choice_window import Choice, ChoiceResult, ChoiceWindow
from pitree.ui.toolkit.line_window import LineWindow
from tests.support.seeing import text as screen_text
from tests.support.seeing import until, words
from tests.support.stories import Story
from tests.ui.main.test_main_screen import Store, opened, store  # noqa: F401 (a fixture)

KINDS = {
    "OSC 8": "\x1b]8;;https://evil.example\x07click\x1b]8;;\x07 \x1b]8;;x\x1b\\y\x1b]8;;\x1b\\",
    "OSC 52": "\x1b]52;c;ZXZpbA==\x07 \x1b]52;c;?\x1b\\",
    "title": "\x1b]0;pwned\x07 \x1b]2;pwned\x1b\\ \x1b[22t\x1b[21t",
    "cursor": "\x1b[2J\x1b[H\x1b[9;9Hx \x1b[?1049l\x1b[?25l\x1b7\x1b8\x1bM\x1bc\b\b\r\v\f",
    "colours": "\x1b[31mred\x1b[8m hidden \x1b[38;2;1;2;3mdark\x1b[0m \x1b[5mblink",
    "C1": "\x9b31m\x9d0;pwned\x9c\x90q#0\x9c \x85 \x8d",
    "bidi": "\u202egnp.exe\u202c \u2066x\u2069 \u200f\u061c",
    "zero width": "pass\u200bword\u2060\ufeff\u00ad\u200d\u3164\U000e0041",
    "surrogates": "\ud800x\udfff \udc80",
    "Rich markup": "[bold red]x[/] [link=https://evil.example]y[/link] [/] [reverse",
    "Textual markup": "[@click=app.quit]z[/] [$accent on $error]w[/] [@click='screen.delete']",
    "marks": "e" + "\u0301" * 1_000 + " " + "\u20e3" * 50,
    "javascript": "[go](javascript:alert(1)) <javascript:alert(1)> ![i](javascript:alert(1))",
    "script": "<script>alert(1)</script><img src=x onerror=alert(1)><!-- x -->",
}
LITERAL = {
    "Rich markup": "[bold red]x[/]",
    "Textual markup": "[@click=app.quit]z[/]",
    "javascript": "javascript:alert(1)",
    "script": "<script>alert(1)</script>",
}
"""Kinds that are harmless as text, and what of them is to be read."""
SIZE = (120, 36)

Place = Callable[[Pilot[Any], str], Awaitable[None]]


def check(app: App[Any]) -> None:
    """Nothing on screen does anything but show."""
    for strip in app.screen._compositor.render_strips(app.size):
        line = ""
        for text, style, control in strip:
            assert not control
            assert style is None or style.link is None
            assert style is None or not any("click" in str(key) for key in style.meta)
            line += text
        odd = {
            character
            for character in line
            if unicodedata.category(character) in ("Cc", "Cs", "Cf") and character != "\u200d"
        }
        assert not odd, f"{odd!r} in {line!r}"
        assert "\u0301" * 9 not in line
        assert cells.cell_len(line) == app.size.width, line


def session(said: str) -> Story:
    """A session with the text wherever a session has texts."""
    story = Story().user("u1", said)
    story.assistant("a1", said, model=said, provider=said, errorMessage=said)
    story.tool("t1", "bash", {"command": said, said: said}, said)
    story.tool("t2", "read", {"path": said}, said)
    story.tool("t3", "edit", {"path": said, "oldText": said, "newText": said + "x"}, said)
    story.tool("t4", "grep", {"pattern": said, "path": said}, f"{said}:1: {said}")
    story.tool("t5", said, {"a": {said: [said]}}, said)
    story.add("c1", "custom_message", customType=said, content=said, display=False, details={said: said})
    story.add("n1", "session_info", name=said).label("u1", said)
    story.add("x1", said, data=said)
    return story.user("u9", said)


async def in_a_row(pilot: Pilot[Any], kind: str) -> None:
    await pilot.press("ctrl+a", "home")
    for _ in range(3):
        check(pilot.app)
        await pilot.press("pagedown")
    assert LITERAL.get(kind, "")[:12] in screen_text(pilot.app)


async def in_the_entry(pilot: Pilot[Any], kind: str) -> None:
    screen: Any = pilot.app.screen
    pane = screen.detail_pane
    screen.show_page(Page.DETAIL)
    seen = ""
    for index in range(len(screen.opened.session.table)):
        pane.show_entry(screen.opened.session, index)
        await until(pilot, lambda index=index: pane._shown.index == index)  # type: ignore[misc]
        pane.action_toggle_all()
        await until(pilot, lambda: not pane._styling)
        for _ in range(2):
            check(pilot.app)
            seen += words(pilot.app)
            pane.action_page_down()
            await pilot.pause()
    pane.action_toggle_raw()
    await until(pilot, lambda: pane._shown.raw)
    check(pilot.app)
    assert LITERAL.get(kind, "") in seen


async def in_a_dialog(pilot: Pilot[Any], kind: str) -> None:
    for key in ("enter", "l", "f", "r", "b"):
        await pilot.press(key)
        await pilot.pause()
        assert len(pilot.app.screen_stack) > 1, f"{key} opens no window"
        check(pilot.app)
        await pilot.press("escape")
        await until(pilot, lambda: len(pilot.app.screen_stack) == 1)


async def in_a_toast(pilot: Pilot[Any], kind: str) -> None:
    app: Any = pilot.app
    app.report(KINDS[kind])
    start = visible(KINDS[kind]).split()[0][:10]
    await until(pilot, lambda: start in screen_text(app))
    check(app)


@pytest.mark.parametrize("place", [in_a_row, in_the_entry, in_a_dialog, in_a_toast])
@pytest.mark.parametrize("kind", KINDS)
async def test_hostile_text_shows_and_does_nothing(store: Store, kind: str, place: Place) -> None:  # noqa: F811
    path = store.add("s", session(KINDS[kind]))
    app = store.app(path)
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await opened(pilot, "user")
        await place(pilot, kind)
        assert app.is_running


class Asking(App[None]):
    """An app that asks something at once."""

    def __init__(self, window: Callable[[], Any]) -> None:
        super().__init__()
        self.window = window
        self.answers: list[Any] = []

    def on_mount(self) -> None:
        self.push_screen(self.window(), self.answers.append)


@pytest.mark.parametrize(("typed", "kept"), [((), True), (("x",), False)])
async def test_a_text_that_nobody_edits_comes_back_as_it_was(typed: tuple[str, ...], kept: bool) -> None:
    raw = "a\x1b[2Jb\u202e\tc"
    app = Asking(lambda: LineWindow("Label", [], value=raw))
    async with app.run_test(size=(60, 20)) as pilot:
        check(app)
        await pilot.press(*typed, "enter")
        assert app.answers == [raw if kept else "a␛b◦ cx"]
    app = Asking(lambda: ChoiceWindow("Go on", [], [Choice("go", "", "go on")], text=raw))
    async with app.run_test(size=(60, 20)) as pilot:
        check(app)
        await pilot.press("tab", *typed, "tab", "1")
        assert app.answers == [ChoiceResult("go", raw if kept else "xa␛b◦\tc")]
