"""Reading in other ways, from the main screen: exports, the context, what it cost. On real files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pitree.session.manager.manager import SessionManager
from pitree.ui.app.app import PitreeApp
from pitree.ui.app.options import AppOptions
from tests.support.seeing import line_with, lines, text, until, words
from tests.support.stories import Story, login_story

SIZE = (100, 30)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    folder = tmp_path / "agent" / "sessions" / "--home-me-app--"
    return login_story().write(folder / "login.jsonl")


def app_for(file: Path, **more: object) -> PitreeApp:
    work = file.parents[3] / "work"
    work.mkdir(exist_ok=True)
    return PitreeApp(AppOptions(path=file, agent_dir=file.parents[2], cwd=work, **more))  # type: ignore[arg-type]


def shown(app: PitreeApp) -> bool:
    screen = app.screen
    return getattr(screen, "opened", None) is not None and getattr(screen, "entry_index", -1) >= 0


def cursor_entry(app: PitreeApp) -> str:
    """Id of the entry under the cursor; "" while another window is in front."""
    screen: Any = app.screen
    return screen.opened.session.table.ids[screen.entry_index] if shown(app) else ""


async def test_a_branch_is_exported_to_a_file_that_is_asked_for(file: Path) -> None:
    app = app_for(file, read_only=True)
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await until(pilot, lambda: shown(app))
        await pilot.press("E")
        await until(pilot, lambda: "from the root to this entry, 9 entries" in words(app))
        await pilot.press("j")
        await until(pilot, lambda: "Export to" in text(app))
        made = app.options.cwd / "Add-a-login-form.jsonl"
        await pilot.press("enter")
        await until(pilot, made.exists)
        await until(pilot, lambda: "Exported to" in text(app))
        assert [entry.id for entry in SessionManager.open(made).get_entries()][-2:-1] == ["u4"]


async def test_no_session_is_overwritten_and_other_files_only_after_a_second_enter(file: Path) -> None:
    before = file.read_bytes()
    app = app_for(file)
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await until(pilot, lambda: shown(app))
        other = app.options.cwd / "Add-a-login-form.html"
        other.write_text("mine")
        await pilot.press("E", "h")
        await until(pilot, lambda: "Export to" in text(app))
        await pilot.press("enter")
        await until(pilot, lambda: "This file exists" in words(app))
        assert other.read_text() == "mine"
        await pilot.press("enter")
        await until(pilot, lambda: other.read_text().startswith("<!DOCTYPE html>"))
        await pilot.press("E", "m")
        await until(pilot, lambda: "Export to" in text(app))
        app.screen.query_one("Input").value = str(file)  # type: ignore[attr-defined]
        await pilot.press("enter")
        await until(pilot, lambda: "Cannot write there: it is a session" in words(app))
        assert file.read_bytes() == before


async def test_the_context_is_told_entry_by_entry_and_leads_there(file: Path) -> None:
    app = app_for(edited_story().write(file))
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: shown(app))
        await pilot.press("x")
        await until(pilot, lambda: "3 messages" in text(app))
        assert "3 messages · 7 tokens (estimated: no answer has reported it since the last change)" in words(
            app
        )
        assert "2 whole · 1 edited (5) · 1 omitted (2)" in words(app)
        assert "user: first, [bold]x[/]␛" in line_with(app, "edited  ")
        assert line_with(app, "edited  ").rstrip("│ ").endswith(" 5")
        assert line_with(app, "omitted  ").rstrip("│ ").endswith("(2)")
        await pilot.press("home", "enter")
        await until(pilot, lambda: cursor_entry(app) == "u1")


def edited_story() -> Story:
    story = Story().user("u1", "first, [bold]x[/]\x1b[2J").assistant("a1", "a secret").user("u2", "on")
    story.add("e1", "context_edit", targetId="a1", replacement=None)
    story.add("e2", "context_edit", targetId="u1", replacement={"content": "first, but not whole"})
    return story.user("u3", "then")


async def test_what_was_spent_is_told_for_entry_branch_and_file(file: Path) -> None:
    app = app_for(file)
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: shown(app))
        await pilot.press("dollar_sign")
        await until(pilot, lambda: "Models" in text(app))
        found = {line.strip("│› ").rsplit("  ", 1)[0].split("  ")[0]: line.strip("│ ") for line in lines(app)}
        assert found["this entry"].split()[-1] == "$0"
        assert found["from the root to here, 9 entries"].split()[-1] == "$1.00"
        assert found["all of it, 11 entries"].split()[-2:] == ["6.2k", "$1.25"]
        assert found["abandoned branches"].split()[-1] == "$0.25"
        assert found["test/claude-test"].split()[-1] == "$1.25"
        ends = [line for line in lines(app) if line.rstrip("│ ").endswith(("1.00", "0.75"))]
        assert len({line.rstrip("│ ").rfind("$") for line in ends}) == 1, "figures stand in one column"
        await pilot.press("end", "up", "enter")
        await until(pilot, lambda: cursor_entry(app) == "a3")


@pytest.mark.parametrize("size", [(40, 12), (60, 20), (80, 24)])
async def test_the_windows_fit_small_terminals(file: Path, size: tuple[int, int]) -> None:
    app = app_for(file)
    async with app.run_test(size=size) as pilot:
        await until(pilot, lambda: shown(app))
        await pilot.press("dollar_sign")
        await until(pilot, lambda: "this entry" in text(app))
        assert "$0" in line_with(app, "this entry")
        await pilot.press("escape", "x")
        await until(pilot, lambda: "What the model sees" in text(app) and "Thanks" in text(app))
        assert all(len(line) <= size[0] for line in lines(app))
