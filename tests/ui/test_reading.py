"""Reading in other ways, from the main screen: exports. On real files."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitree.session.manager import SessionManager
from pitree.ui.app import PitreeApp
from pitree.ui.options import AppOptions
from tests.ui.seeing import text, until, words
from tests.ui.sessions import login_story

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
        await until(pilot, lambda: "There is a file of this name" in words(app))
        assert other.read_text() == "mine"
        await pilot.press("enter")
        await until(pilot, lambda: other.read_text().startswith("<!DOCTYPE html>"))
        await pilot.press("E", "m")
        await until(pilot, lambda: "Export to" in text(app))
        app.screen.query_one("Input").value = str(file)  # type: ignore[attr-defined]
        await pilot.press("enter")
        await until(pilot, lambda: "Nothing can be written there: it is a session" in words(app))
        assert file.read_bytes() == before
