"""The screen while picking: decisions show as if done, can be taken back, and are told; no file changes."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from pitree.pi.pick_result import Form, Picking
from pitree.ui.app.app import PitreeApp
from pitree.ui.app.options import AppOptions
from tests.support.seeing import text as screen_text
from tests.support.seeing import until
from tests.support.stories import Story, login_story
from tests.ui.main.edit.test_edit import opened

CWD = "/home/me/app"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Path]:
    """A folder with two sessions; at the end both are as they were, and nothing is beside them."""
    folder = tmp_path / "agent/sessions/--home-me-app--"
    login_story().write(folder / "login.jsonl")
    Story(600).user("b1", "Build it").assistant("b2", "Built").user("b3", "Ship it").write(
        folder / "ship.jsonl"
    )
    before = {path: path.read_bytes() for path in folder.iterdir()}
    yield folder
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def picking_app(store: Path, picking: Picking) -> PitreeApp:
    agent = store.parents[1]
    return PitreeApp(AppOptions(path=picking.session, agent_dir=agent, cwd=Path(CWD), picking=picking))


async def at(pilot: Pilot[Any], entry: str) -> Any:
    """The screen with the cursor on an entry of the session shown."""
    screen = await opened(pilot)
    screen.go_to_entry(screen.opened.session.table.by_id[entry])
    await pilot.pause()
    assert screen.opened.session.table.ids[screen.entry_index] == entry
    return screen


def answer(app: PitreeApp) -> list[dict[str, Any]]:
    """The operations told at the end, which was no cancel."""
    assert app.options.picking is not None
    assert not app.return_code
    told: list[dict[str, Any]] = json.loads(app.options.picking.answer())["operations"]
    return told


async def test_labels_and_a_name_are_shown_pending_taken_back_and_handed_over(store: Path) -> None:
    app = picking_app(store, Picking(store / "login.jsonl"))
    async with app.run_test(size=(130, 30)) as pilot:
        screen = await at(pilot, "a4")
        await pilot.press("l", *"well", "enter")
        await until(pilot, lambda: "[well · pending] assistant" in screen_text(app))
        assert "1 pending" in screen_text(app)
        await pilot.press("r", *"mine", "enter")
        await until(pilot, lambda: "mine (pending)" in screen_text(app))
        await at(pilot, "u3")
        await pilot.press("l", *["backspace"] * 10, "enter")
        await until(pilot, lambda: "[no label · pending]" in screen_text(app))
        await pilot.press("ctrl+l")  # the labelled ones only, by what is decided
        await until(pilot, lambda: "1 of 11" in screen.tree_pane.border_subtitle)
        await pilot.press("u")
        await until(pilot, lambda: "2 of 11" in screen.tree_pane.border_subtitle)
        assert "[checkpoint] user" in screen_text(app)
        await pilot.press("U")
        await until(pilot, lambda: "name the session “mine”" in screen_text(app))
        assert "label [well] of assistant: Converted to TS" in screen_text(app)
        await pilot.press("escape", "q")
    assert answer(app) == [{"op": "label", "entry": "a4", "label": "well"}, {"op": "name", "name": "mine"}]


@pytest.mark.parametrize(
    ("entry", "keys", "told"),
    [
        ("a3", ["enter", "m"], {"op": "move", "entry": "a3"}),
        ("u2", ["enter", "m"], {"op": "move", "entry": "u2", "text": "Actually use JavaScript"}),
        ("u2", ["enter", "tab", "!", "tab", "m"], {"op": "move", "entry": "u2", "text": "edited"}),
        ("u4", ["enter", "m"], {"op": "move", "entry": "u4", "text": "Thanks"}),
        ("u1", ["enter", "f"], {"op": "fork", "entry": "u1", "position": "before"}),
        (
            "u1",
            ["enter", "tab", "!", "tab", "f"],
            {"op": "fork", "entry": "u1", "position": "before", "text": "edited"},
        ),
        ("a1", ["f"], {"op": "fork", "entry": "a1", "position": "at"}),
        ("a1", ["C"], {"op": "fork", "entry": "u4", "position": "at"}),
    ],
)
async def test_where_to_go_on_ends_it(store: Path, entry: str, keys: list[str], told: dict[str, str]) -> None:
    app = picking_app(store, Picking(store / "login.jsonl"))
    async with app.run_test(size=(100, 40)) as pilot:
        await at(pilot, entry)
        await pilot.press(*keys)
        await until(pilot, lambda: not app.is_running)
    (found,) = answer(app)
    if told.get("text") == "edited":
        assert "!" in found["text"]
        told = {**told, "text": found["text"]}
    assert found == told


async def test_a_summary_goes_along(store: Path) -> None:
    app = picking_app(store, Picking(store / "login.jsonl"))
    async with app.run_test(size=(100, 40)) as pilot:
        await at(pilot, "a3")
        await pilot.press("enter", "s")
        await until(pilot, lambda: "Summary of the old branch" in screen_text(app))
        await pilot.press("ctrl+a", "ctrl+k", "N", "o", "tab", "d", "ctrl+s")
        await until(pilot, lambda: not app.is_running)
    (move,) = answer(app)
    assert (move["op"], move["entry"], move["label"]) == ("move", "a3", "d")
    assert "No" in move["summary"]


@pytest.mark.parametrize("goes_on", [False, True])
async def test_another_session_is_opened_from_the_list_or_gone_on_in(store: Path, goes_on: bool) -> None:
    ship = store / "ship.jsonl"
    app = picking_app(store, Picking(store / "login.jsonl"))
    async with app.run_test(size=(130, 30)) as pilot:
        screen = await opened(pilot)
        await until(pilot, lambda: "Build it" in screen_text(app))
        await pilot.press("s", "g")
        await until(pilot, lambda: screen.listed_session.path == str(ship))
        if goes_on:
            await pilot.press("enter")
            await until(pilot, lambda: screen.opened.path == ship)
            await at(pilot, "b2")
            await pilot.press("l")
            assert app.screen is screen  # labels are for the session at hand
            await pilot.press("enter", "m")
        else:
            await pilot.press("p")
        await until(pilot, lambda: not app.is_running)
    more = [{"op": "move", "entry": "b2"}] if goes_on else []
    assert answer(app) == [{"op": "switch", "path": str(ship)}, *more]


@pytest.mark.parametrize(
    ("keys", "status"), [(["escape"], 130), (["l", "x", "enter", "ctrl+c"], 130), (["q"], 0)]
)
async def test_escape_and_ctrl_c_cancel_and_q_does_not(store: Path, keys: list[str], status: int) -> None:
    app = picking_app(store, Picking(store / "login.jsonl"))
    async with app.run_test(size=(100, 30)) as pilot:
        await at(pilot, "a3")
        await pilot.press(*keys)
        await until(pilot, lambda: not app.is_running)
    assert app.options.picking is not None
    assert (app.return_code or 0) == status
    assert (app.options.picking.answer() == b"") == (status == 130)


async def test_escape_goes_back_step_by_step_and_asks_about_what_is_pending(store: Path) -> None:
    app = picking_app(store, Picking(store / "login.jsonl"))
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await at(pilot, "a3")
        await pilot.press("l", "x", "enter", "tab", "escape")
        assert app.is_running  # back from the entry to the tree
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is not screen)
        await pilot.press("h")
        await until(pilot, lambda: not app.is_running)
    assert answer(app) == [{"op": "label", "entry": "a3", "label": "x"}]


@pytest.mark.parametrize(("leaf", "shown"), [("a3", "a3"), ("root", None), ("nowhere", "u4")])
async def test_the_leaf_is_where_pi_has_it(store: Path, leaf: str, shown: str | None) -> None:
    app = picking_app(store, Picking(store / "login.jsonl", leaf))
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await at(pilot, "u4")
        assert screen.opened.session.get_leaf_id() == shown
        assert screen.tree_pane.outline.leaf == screen.opened.session.leaf_index
        if shown == "a3":
            await pilot.press("enter", "m")
            await until(pilot, lambda: not app.is_running)


async def test_what_comes_meanwhile_is_there_and_what_is_pending_stays(tmp_path: Path) -> None:
    path = login_story().write(tmp_path / "agent/sessions/--home-me-app--/login.jsonl")
    app = picking_app(path.parent, Picking(path, "a3"))
    async with app.run_test(size=(130, 30)) as pilot:
        screen = await at(pilot, "a4")
        await pilot.press("l", *"mine", "enter")
        await until(pilot, lambda: "[mine · pending]" in screen_text(app))
        more = (
            Story(900).add("l9", "label", "a3", targetId="a4", label="theirs").user("u9", "Just now").entries
        )
        with path.open("a") as file:
            file.write("".join(json.dumps(entry) + "\n" for entry in more))
        await until(pilot, lambda: "Just now" in screen_text(app))
        assert screen.opened.session.get_leaf_id() == "u9"
        assert "[mine · pending]" in screen_text(app)
        await pilot.press("u")
        await until(pilot, lambda: "[theirs] assistant" in screen_text(app))


@pytest.mark.parametrize("form", [Form.PATH, Form.ID])
async def test_where_only_a_name_is_asked_for_enter_chooses_it(store: Path, form: Form) -> None:
    picking = Picking(form=form)
    app = picking_app(store, picking)
    async with app.run_test(size=(130, 30)) as pilot:
        await until(pilot, lambda: "Build it" in screen_text(app))
        await pilot.press("g", "enter")
        if form is Form.ID:
            await at(pilot, "b2")
            await pilot.press("l")
            assert len(app.screen_stack) == 1
            await pilot.press("enter")
        await until(pilot, lambda: not app.is_running)
    assert picking.answer() == (b"b2\n" if form is Form.ID else os.fsencode(store / "ship.jsonl") + b"\n")


async def test_what_would_write_is_refused_or_collected_whatever_the_file(store: Path) -> None:
    old = store / "login.jsonl"
    old.chmod(0o400)
    app = picking_app(store, Picking(old))
    async with app.run_test(size=(130, 30), notifications=True) as pilot:
        screen = await at(pilot, "a3")
        assert not screen.header.locked
        await pilot.press("s", "g", "ctrl+d")
        await until(pilot, lambda: "Nothing is deleted" in screen_text(app))
        await pilot.press("r")
        await until(pilot, lambda: "can be renamed here" in screen_text(app))
        await pilot.press("u")
        await until(pilot, lambda: "Nothing to undo" in screen_text(app))
        await pilot.press("escape", "l", "x", "enter", "q")
    assert answer(app) == [{"op": "label", "entry": "a3", "label": "x"}]
