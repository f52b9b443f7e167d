"""Writing from the main screen: what is asked, what is written, what is taken back. On real files."""

from __future__ import annotations

import json
import os
import shutil
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from pitree.session import SessionManager
from pitree.ui.app.app import PitreeApp
from pitree.ui.app.options import AppOptions
from tests.support.seeing import text as screen_text
from tests.support.seeing import until

DATA = Path(__file__).parents[3] / "data"
SIZE = (100, 30)


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """A copy of a real session in a store of its own."""
    folder = tmp_path / "agent" / "sessions" / "--home-dev-project--"
    folder.mkdir(parents=True)
    return Path(shutil.copy(DATA / "v3-generated-9001.jsonl", folder / "one.jsonl"))


def app_for(path: Path, **more: Any) -> PitreeApp:
    agent = next(parent for parent in path.parents if parent.name == "agent")
    return PitreeApp(AppOptions(path=path, agent_dir=agent, cwd=Path("/home/dev/project"), **more))


async def opened(pilot: Pilot[Any]) -> Any:
    """The main screen once the session is shown."""

    def shown() -> bool:
        screen: Any = pilot.app.screen
        return getattr(screen, "opened", None) is not None and screen.entry_index >= 0

    await until(pilot, shown)
    return pilot.app.screen


def added(path: Path, before: bytes) -> list[dict[str, Any]]:
    """Records appended since, up to one that is just being written; what was there before must still be."""
    now = path.read_bytes()
    assert now.startswith(before)
    records = []
    with suppress(json.JSONDecodeError):  # a page of the file is written, the next one not yet
        for line in now[len(before) :].split(b"\n")[:-1]:
            records.append(json.loads(line))
    return records


async def test_a_label_is_set_shown_and_taken_back(session: Path) -> None:
    before = session.read_bytes()
    app = app_for(session)
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        screen = await opened(pilot)
        target = screen.opened.session.entry(screen.entry_index).id
        await pilot.press("l", *"well", "enter")
        await until(pilot, lambda: "[well]" in screen_text(app))
        assert [(r["type"], r["targetId"], r["label"]) for r in added(session, before)] == [
            ("label", target, "well")
        ]
        await until(pilot, lambda: "u undoes it" in screen_text(app))
        assert screen.opened.session.entry(screen.entry_index).id == target
        await pilot.press("u")
        await until(pilot, lambda: len(added(session, before)) == 2)
        assert "label" not in added(session, before)[1]
        await until(pilot, lambda: "[well]" not in screen_text(app).split("Undone")[0])


async def test_escape_leaves_a_label_alone_and_gives_the_focus_back(session: Path) -> None:
    before = session.read_bytes()
    app = app_for(session)
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        screen = await opened(pilot)
        focus, entry = screen.focused, screen.entry_index
        await pilot.press("l", "x", "escape")
        assert (screen.focused, screen.entry_index) == (focus, entry)
        assert session.read_bytes() == before


@pytest.mark.parametrize("key", ["l", "r", "enter", "f", "C", "b", "question_mark", "exclamation_mark"])
async def test_every_window_gives_the_focus_back_to_the_same_row(session: Path, key: str) -> None:
    with session.open("ab") as file:
        file.write(b"no JSON\n")
    before = session.read_bytes()
    app = app_for(session)
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        screen = await opened(pilot)
        await go_to(pilot, screen, 5)
        focus, row, top = screen.focused, screen.tree_pane.rows.cursor, screen.tree_pane.rows.scroll_offset
        await pilot.press(key)
        await until(pilot, lambda: app.screen is not screen)
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is screen)
        assert (screen.focused, screen.entry_index, screen.tree_pane.rows.cursor) == (focus, 5, row)
        assert screen.tree_pane.rows.scroll_offset == top
        assert session.read_bytes() == before
        assert len(list(session.parent.iterdir())) == 1


@pytest.mark.parametrize("size", [(40, 12), (20, 8)])
async def test_no_window_leaves_a_narrow_terminal(session: Path, size: tuple[int, int]) -> None:
    app = app_for(session)
    async with app.run_test(size=size) as pilot:
        screen = await opened(pilot)
        await go_to(pilot, screen, 5)
        for key in ("l", "r", "enter", "f", "C", "b", "question_mark"):
            await pilot.press(key)
            await until(pilot, lambda: app.screen is not screen)
            await pilot.pause()
            assert {strip.cell_length for strip in app.screen._compositor.render_strips()} == {size[0]}
            await pilot.press("escape")
            await until(pilot, lambda: app.screen is screen)


@pytest.mark.parametrize(
    ("index", "words"),
    [(0, "The new session ends before this message"), (2, "The new session ends with this entry")],
)
async def test_where_a_fork_will_end_is_said_before_it_is_made(session: Path, index: int, words: str) -> None:
    app = app_for(session)
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(pilot)
        await go_to(pilot, screen, index)
        assert screen.opened.session.entry(index).record["message"]["role"] == (
            "assistant" if index else "user"
        )
        await pilot.press("f")
        await until(pilot, lambda: words in screen_text(app))
        await pilot.press("escape")
        assert len(list(session.parent.iterdir())) == 1


async def test_a_session_is_named(session: Path) -> None:
    before = session.read_bytes()
    app = app_for(session)
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await opened(pilot)
        await pilot.press("r", "ctrl+u", *"new name", "enter")
        await until(pilot, lambda: "new name" in screen_text(app).splitlines()[0])
        assert [r["name"] for r in added(session, before)] == ["new name"]


async def go_to(pilot: Pilot[Any], screen: Any, index: int) -> None:
    screen.tree_pane.go_to(index)
    await until(pilot, lambda: screen.entry_index == index)


async def test_the_leaf_moves_after_an_assistant_message(session: Path) -> None:
    before = session.read_bytes()
    app = app_for(session)
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        screen = await opened(pilot)
        await go_to(pilot, screen, 2)
        target = screen.opened.session.entry(2)
        await pilot.press("enter")
        await until(pilot, lambda: "Continue from here" in screen_text(app))
        assert "move the leaf" in screen_text(app)
        left = screen.opened.session.get_leaf_id()
        await pilot.press("m")
        await until(pilot, lambda: added(session, before))
        (record,) = added(session, before)
        assert (record["customType"], record["parentId"], record["data"]) == (
            "pitree.leaf",
            target.id,
            {"from": left},
        )
        reopened = SessionManager.open(session)
        assert [entry.id for entry in reopened.get_branch()][-2] == target.id
        await pilot.press("u")
        await until(pilot, lambda: len(added(session, before)) == 2)
        assert added(session, before)[1]["parentId"] == left


async def test_a_user_message_is_resent_from_before_it(session: Path) -> None:
    app = app_for(session)
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        screen = await opened(pilot)
        await go_to(pilot, screen, 0)
        await pilot.press("enter")
        await until(pilot, lambda: "Edit and resend" in screen_text(app))
        assert "before any entry" in screen_text(app)
        assert "deadlock index parser" in screen_text(app)


async def test_a_move_with_a_summary(session: Path) -> None:
    before = session.read_bytes()
    app = app_for(session)
    async with app.run_test(size=(100, 40)) as pilot:
        screen = await opened(pilot)
        await go_to(pilot, screen, 2)
        await pilot.press("enter", "s")
        await until(pilot, lambda: "## Goal" in screen_text(app))
        await pilot.press("tab", *"left", "ctrl+s")
        await until(pilot, lambda: len(added(session, before)) == 2)
        summary, label = added(session, before)
        assert summary["type"] == "branch_summary"
        assert summary["parentId"] == screen.opened.session.entry(2).id
        assert "## Goal" in summary["summary"]
        assert set(summary["details"]) == {"readFiles", "modifiedFiles"}
        assert (label["targetId"], label["label"]) == (summary["id"], "left")


async def test_a_leaf_that_moved_meanwhile_is_asked_about(session: Path) -> None:
    before = session.read_bytes()
    app = app_for(session)
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        screen = await opened(pilot)
        leaf = screen.opened.session.get_leaf_id()
        await go_to(pilot, screen, 2)
        await pilot.press("enter")
        line = {"type": "custom", "customType": "x", "id": "ffffffff", "parentId": leaf, "timestamp": ""}
        with session.open("ab") as file:
            file.write(json.dumps(line).encode() + b"\n")
        await pilot.press("m")
        await until(pilot, lambda: "has changed" in screen_text(app))
        assert added(session, before) == [line]
        await pilot.press("escape")
        assert added(session, before) == [line]


async def test_a_fork_before_a_user_message_keeps_its_text(session: Path) -> None:
    before = session.read_bytes()
    app = app_for(session)
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        screen = await opened(pilot)
        await go_to(pilot, screen, 0)
        await pilot.press("f", "h")
        await until(pilot, lambda: "Forked" in screen_text(app))
        assert "deadlock index parser" in screen_text(app)
        (made,) = (path for path in session.parent.glob("*.jsonl") if path != session)
        header = json.loads(made.read_bytes())
        assert header["parentSession"] == str(session)
        assert session.read_bytes() == before
        await pilot.press("o")
        await until(pilot, lambda: screen.opened is not None and screen.opened.path == made)


async def test_read_only_refuses_and_says_why(session: Path) -> None:
    before = session.read_bytes()
    app = app_for(session, read_only=True)
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await opened(pilot)
        await pilot.press("l")
        await until(pilot, lambda: "Nothing was written" in screen_text(app))
        await pilot.press("r", "enter")
        await until(pilot, lambda: "m  move the leaf — pitree was started read-only" in screen_text(app))
        await pilot.press("m", "escape", "f")
        await pilot.pause()
        assert session.read_bytes() == before
        assert len(list(session.parent.iterdir())) == 1


async def test_a_session_that_cannot_be_written_to_says_so_at_once(session: Path) -> None:
    app = app_for(session, read_only=True)
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await opened(pilot)
        assert "read-only" in screen_text(app).splitlines()[0]
    app = app_for(session)
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await opened(pilot)
        assert "read-only" not in screen_text(app).splitlines()[0]


async def test_an_old_format_asks_first_and_keeps_the_old_file(session: Path) -> None:
    shutil.copy(DATA / "v2.jsonl", session)
    before = session.read_bytes()
    app = app_for(session)
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await opened(pilot)
        await pilot.press("l", *"old", "enter")
        await until(pilot, lambda: "format version 2" in screen_text(app))
        assert session.read_bytes() == before
        await pilot.press("b")
        await until(pilot, lambda: b'"label":"old"' in session.read_bytes())
        assert session.with_name("one.jsonl.v2.bak").read_bytes() == before
        assert json.loads(session.read_bytes().split(b"\n")[0])["version"] == 3


async def test_bookmarks_of_all_sessions_are_found_and_jumped_to(session: Path) -> None:
    other = session.with_name("two.jsonl")
    shutil.copy(DATA / "v3-generated-9002.jsonl", other)
    app = app_for(session)
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        screen = await opened(pilot)
        own = len(screen.opened.session.labels)
        await pilot.press("b")
        await until(pilot, lambda: f"{own} of {own}" in screen_text(app))
        await pilot.press("tab")
        everywhere = own + len(SessionManager.open(other).labels)
        await until(pilot, lambda: f"of {everywhere}   " in screen_text(app))
        window = app.screen
        wanted = next(mark for mark in window._all if mark.path == other)  # type: ignore[attr-defined]
        window.choose(window.rows.bookmarks.index(wanted))  # type: ignore[attr-defined]
        await until(pilot, lambda: screen.opened.path == other)
        await until(
            pilot,
            lambda: screen.opened.session.entry(screen.entry_index).id == wanted.entry_id,
        )


async def test_deleting_asks_and_refuses_the_session_on_screen(
    session: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    trash = tools / "trash"
    trash.write_text(f'#!/bin/sh\nmv -- "$1" {tmp_path}/trashed\n')
    trash.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}{os.pathsep}{os.environ['PATH']}")
    other = session.with_name("two.jsonl")
    shutil.copy(DATA / "v3-generated-9002.jsonl", other)
    app = app_for(session)
    async with app.run_test(size=(140, 40), notifications=True) as pilot:
        screen = await opened(pilot)
        await pilot.press("s")
        await until(pilot, lambda: screen.listed_session is not None)

        async def select(path: Path) -> None:
            for _ in range(5):
                if screen.listed_session is not None and Path(screen.listed_session.path) == path:
                    return
                await pilot.press("down")
                await pilot.pause()
            raise AssertionError(f"{path} is not in the list")

        await select(session)
        await pilot.press("ctrl+d")
        await until(pilot, lambda: "Not deleted" in screen_text(app))
        await select(other)
        await pilot.press("ctrl+d")
        await until(pilot, lambda: "restore it from the trash" in screen_text(app))
        assert other.exists()
        await pilot.press("d")
        await until(pilot, lambda: not other.exists())
        assert (tmp_path / "trashed").exists()
        assert session.exists()


async def test_a_session_that_is_only_looked_at_can_be_deleted(
    session: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(session.parent))
    monkeypatch.setitem(sys.modules, "send2trash", None)
    other = session.with_name("two.jsonl")
    shutil.copy(DATA / "v3-generated-9002.jsonl", other)
    app = PitreeApp(AppOptions(agent_dir=tmp_path / "agent", cwd=tmp_path, scope_all=True))
    async with app.run_test(size=(140, 40), notifications=True) as pilot:
        screen = await opened(pilot)
        looked_at = screen.opened.path
        await until(pilot, lambda: screen.listed_session is not None)
        assert Path(screen.listed_session.path) == looked_at
        await pilot.press("ctrl+d")
        await until(pilot, lambda: "Delete a session" in screen_text(app))
        await pilot.press("d")
        await until(pilot, lambda: not looked_at.exists())
        await until(pilot, lambda: screen.opened is not None and screen.opened.path != looked_at)
        assert [one for one in (session, other) if one.exists()] == [screen.opened.path]


async def test_without_a_trash_it_is_said_that_a_deletion_is_for_good(
    session: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(session.parent))
    monkeypatch.setitem(sys.modules, "send2trash", None)
    other = session.with_name("-two.jsonl")
    shutil.copy(DATA / "v3-generated-9002.jsonl", other)
    app = app_for(session)
    async with app.run_test(size=(140, 40), notifications=True) as pilot:
        screen = await opened(pilot)
        await pilot.press("s")
        await until(pilot, lambda: screen.listed_session is not None)
        for _ in range(5):
            if Path(screen.listed_session.path) == other:
                break
            await pilot.press("down")
            await pilot.pause()
        await pilot.press("ctrl+d")
        await until(pilot, lambda: "PERMANENTLY" in screen_text(app))
        assert "PERMANENTLY" in screen_text(app)
        await pilot.press("escape")
        await pilot.pause()
        assert other.exists()
        await pilot.press("ctrl+d", "d")
        await until(pilot, lambda: not other.exists())
        await until(pilot, lambda: Path(screen.listed_session.path) == session)
        assert session.exists()
