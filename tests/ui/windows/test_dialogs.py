"""The windows that ask, by keyboard alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from textual.app import App, ComposeResult
from textual.widgets import Static

from pitree.catalog.bookmarks import Bookmark
from pitree.resources import styles_dir
from pitree.ui.toolkit.choice_window import Choice, ChoiceResult, ChoiceWindow
from pitree.ui.toolkit.line_window import LineWindow
from pitree.ui.windows.bookmarks_window import BookmarksWindow
from pitree.ui.windows.summary_window import Summary, SummaryRequest, SummaryWindow

NOTHING = object()


class Host(App[None]):
    """Shows one window and keeps what it gave."""

    CSS_PATH = sorted(styles_dir().glob("*.tcss"))

    def __init__(self, window: Callable[[], Any]) -> None:
        super().__init__()
        self.window = window
        self.result: Any = NOTHING

    def compose(self) -> ComposeResult:
        yield Static("below")

    def on_mount(self) -> None:
        self.push_screen(self.window(), self._keep)

    def _keep(self, result: Any) -> None:
        self.result = result


def shown(app: App[Any]) -> str:
    """The text on the screen, a line a row."""
    lines = app.screen._compositor.render_strips()
    return "\n".join(strip.text for strip in lines)


async def test_a_line_is_prefilled_and_given_on_enter() -> None:
    app = Host(lambda: LineWindow("Label", ["[bold]user[/] said \x1b[2J"], value="check"))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert "[bold]user[/] said ␛" in shown(app)
        await pilot.press("q", "l", "enter")
        assert app.result == "checkql"


MARKS = [
    Bookmark(None, session, "e1", label, time, "the text of the entry, which is a long one")
    for session, label, time in [
        ("one", "cookie works", "2020-01-05T10:00:00Z"),
        ("another session", "localStorage", "2020-01-04T10:00:00Z"),
    ]
]


async def test_on_a_low_screen_all_of_a_window_is_in_sight() -> None:
    asked = ["what is asked " * 7, "in two paragraphs"]
    choices = [Choice("one", "", "first"), Choice("two", "", "second")]
    app = Host(lambda: ChoiceWindow("Which?", asked, choices))
    async with app.run_test(size=(40, 12)) as pilot:
        await pilot.pause()
        assert "in two paragraphs" in shown(app)
        assert "second" in shown(app)
    app = Host(lambda: SummaryWindow(["the next message " * 7], "a draft\n" * 20))
    async with app.run_test(size=(40, 12)) as pilot:
        await pilot.pause()
        assert "a draft" in shown(app)
        assert "label for the summary" in shown(app)


async def test_labels_have_the_first_room_of_bookmarks() -> None:
    app = Host(lambda: BookmarksWindow(MARKS, lambda found, done: None))
    async with app.run_test(size=(40, 12)) as pilot:
        await pilot.pause()
        assert "[cookie works]" in shown(app)
        assert "[localStorage]" in shown(app)


async def test_bookmarks_of_all_sessions_stand_in_columns() -> None:
    def load_all(found: Callable[[list[Bookmark]], None], done: Callable[[], None]) -> None:
        found(MARKS)
        done()

    app = Host(lambda: BookmarksWindow([], load_all))
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        one, two = (line for line in shown(app).splitlines() if "the text of" in line)
        assert one.index("  one ") == two.index("  another session ")


async def test_fault_03_bookmarks_found_for_a_closed_window_are_not_shown() -> None:
    calls: list[Callable[..., Any]] = []
    app = Host(lambda: BookmarksWindow([], lambda *later: calls.extend(later)))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        found, done = calls
        await pilot.press("escape")
        await pilot.pause()
        assert app.result is None
        found(MARKS)
        done()
        await pilot.pause()
        assert "below" in shown(app)


@pytest.mark.parametrize(
    ("window", "said"),
    [
        (lambda: LineWindow("Label", [], value="check"), "check"),
        (lambda: SummaryWindow([], "a draft"), "a draft"),
    ],
)
async def test_the_terminals_cursor_is_in_the_field_before_the_first_letter(
    window: Callable[[], Any], said: str
) -> None:
    app = Host(window)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert said in shown(app).splitlines()[app.cursor_position.y]
        assert app.cursor_position.x > 1


async def test_escape_gives_nothing() -> None:
    app = Host(lambda: LineWindow("Label", [], value="check"))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("x", "escape")
        assert app.result is None


async def test_a_wrong_line_is_told_and_not_taken() -> None:
    app = Host(
        lambda: LineWindow("Folder", [], check=lambda line: None if line == "/ok" else "No such folder")
    )
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("slash", "enter")
        assert "No such folder" in shown(app)
        assert app.result is NOTHING
        await pilot.press("o", "k", "enter")
        assert app.result == "/ok"


CHOICES = [
    Choice("move", "continue.move", "move the leaf", refused="it is the leaf already"),
    Choice("summary", "continue.summary", "move with a summary"),
    Choice("fork", "continue.fork", "fork here"),
]


@pytest.mark.parametrize(
    ("presses", "expected"),
    [
        (["f"], "fork"),
        (["enter"], "summary"),
        (["down", "enter"], "fork"),
        (["m", "s"], "summary"),
        (["escape"], None),
    ],
)
async def test_choices(presses: list[str], expected: str | None) -> None:
    app = Host(lambda: ChoiceWindow("Continue", ["from here"], CHOICES))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(*presses)
        assert app.result == (None if expected is None else ChoiceResult(expected, None))


async def test_letters_in_the_text_are_letters() -> None:
    app = Host(lambda: ChoiceWindow("Resend", [], CHOICES, text="say"))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("tab", "f", "s", "tab", "f")
        assert app.result == ChoiceResult("fork", "fssay")


@pytest.mark.parametrize("size", [(80, 24), (40, 12)])
async def test_a_refused_choice_says_why(size: tuple[int, int]) -> None:
    app = Host(lambda: ChoiceWindow("Continue", ["from here " * 30], CHOICES))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        text = shown(app)
        assert "it is the le" in text
        assert "fork here" in text


class Fake(SummaryRequest):
    def __init__(self, written: Callable[[str], None], failed: Callable[[str], None]) -> None:
        self.written, self.failed, self.cancelled = written, failed, False

    def cancel(self) -> None:
        self.cancelled = True


async def test_a_summary_is_edited_and_labelled() -> None:
    app = Host(lambda: SummaryWindow(["You leave 6 entries."], "## Goal\n1. ask"))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("x", "tab", "l", "a", "b", "ctrl+s")
        assert app.result == Summary("x## Goal\n1. ask", "lab")


async def test_pi_writes_the_summary_or_says_why_not() -> None:
    asked: list[Fake] = []

    def ask(written: Callable[[str], None], failed: Callable[[str], None]) -> SummaryRequest:
        asked.append(Fake(written, failed))
        return asked[-1]

    app = Host(lambda: SummaryWindow([], "draft", ask))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("ctrl+g", "x")
        assert "Pi is writing" in shown(app)
        asked[0].failed("no model")
        await pilot.pause()
        assert "no model" in shown(app)
        await pilot.press("ctrl+g", "escape")
        assert asked[1].cancelled
        asked[1].written("too late")
        await pilot.press("ctrl+g")
        asked[2].written("from Pi")
        await pilot.press("ctrl+s")
        assert app.result == Summary("from Pi", "")


async def test_an_empty_summary_is_refused() -> None:
    app = Host(lambda: SummaryWindow([], ""))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("ctrl+s")
        assert "summary is empty" in shown(app)
        assert app.result is NOTHING
