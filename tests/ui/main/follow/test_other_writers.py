"""The main screen while other programs write the file it shows: nothing is lost, nothing gone stays."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.seeing import line_with, text, until, words
from tests.support.stories import Story, login_story
from tests.ui.main.test_main_screen import Store, opened

SIZE = (100, 40)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


@pytest.fixture
def login(store: Store) -> Path:
    """Its leaf is `u4`, below `a4`."""
    return store.add("login", login_story())


def append(path: Path, *stories: Story) -> None:
    """What another program does: each entry is a write of its own."""
    for story in stories:
        for record in story.entries:
            with path.open("a") as file:
                file.write(json.dumps(record) + "\n")


def records(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


async def test_two_programs_that_write_by_turns_are_told_and_both_branches_shown(
    store: Store, login: Path
) -> None:
    app = store.app(login)
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        screen = await opened(pilot)
        append(login, Story(60).user("x1", "from one program", parent="u4"))
        append(login, Story(61).user("y1", "from another program", parent="u4"))
        await until(pilot, lambda: "from one program" in text(app) and "from another program" in text(app))
        await until(pilot, lambda: "2 growing branches" in words(app))
        append(login, Story(62).assistant("x2", "answer to the one", parent="x1"))
        append(login, Story(63).assistant("y2", "answer to the other", parent="y1"))
        await until(pilot, lambda: "This file has 2 growing branches" in words(app))
        for said in ("answer to the one", "answer to the other"):
            assert line_with(app, said)
        assert screen.opened is not None
        assert len(screen.opened.session.table) == len(records(login)) - 1


async def test_a_label_goes_behind_what_came_while_it_was_typed(store: Store, login: Path) -> None:
    app = store.app(login)
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(pilot)
        screen.tree_pane.go_to(0)
        await until(pilot, lambda: screen.entry_index == 0)
        await pilot.press("l", *"mark")
        came = Story(60).assistant("b1", "first that came", parent="u4").user("b2", "second")
        append(login, came.assistant("b3", "third"))
        before = login.read_bytes()
        await pilot.press("enter")
        await until(pilot, lambda: "[mark] user: Add a login form" in text(app))
        assert login.read_bytes().startswith(before)
        (label,) = [json.loads(line) for line in login.read_bytes()[len(before) :].splitlines()]
        assert (label["type"], label["targetId"], label["label"], label["parentId"]) == (
            "label",
            "u1",
            "mark",
            "b3",
        )
        await until(pilot, lambda: line_with(app, "third"))


@pytest.mark.parametrize("how", ["renamed over it", "in place"])
async def test_a_file_written_anew_with_an_entry_less_leaves_no_row_of_it(
    store: Store, login: Path, how: str
) -> None:
    app = store.app(login)
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(pilot)
        assert screen.opened is not None
        at = screen.opened.session.table.by_id["a4"]
        screen.tree_pane.go_to(at)
        await until(pilot, lambda: screen.entry_index == at)
        less = [record for record in records(login) if record["id"] not in ("a3", "u4")]
        data = "".join(json.dumps(record) + "\n" for record in less).encode()
        if how == "in place":
            login.write_bytes(data)
        else:
            other = login.with_suffix(".tmp")
            other.write_bytes(data)
            other.replace(login)
        await until(pilot, lambda: "Converted to JS" not in text(app) and "Thanks" not in text(app))
        assert screen.opened is not None
        session = screen.opened.session
        await until(pilot, lambda: screen.entry_index == session.table.by_id["a4"])
        assert len(session.table) == len(less) - 1
        assert "Converted to TS" in line_with(app, "›")
        assert login.read_bytes() == data
