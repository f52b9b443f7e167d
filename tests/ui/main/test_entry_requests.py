"""The main screen around an entry: finding, going between the user's messages, copying, files, images."""

from __future__ import annotations

import base64
import os
import stat
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from pitree.entry.parts.copying import copyables
from pitree.entry.parts.images import file_ending
from pitree.entry.parts.model import Body, Part, PartKind, Syntax
from pitree.entry.parts.tools import resolved
from pitree.ui.app import editor, image_viewer
from pitree.ui.main.arrangement import Page
from pitree.ui.main.main_screen import MainScreen
from pitree.workers.programs import Ended
from tests.support.seeing import lines, until, words
from tests.support.seeing import text as screen_text
from tests.support.stories import Story
from tests.ui.main.test_main_screen import Store, login, opened, store  # noqa: F401 (fixtures)

PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(40)).decode()


async def at_entry(pilot: Pilot[Any], said: str = "Thanks") -> MainScreen:
    """The screen with the focus on the entry."""
    screen = await opened(pilot, said)
    screen.show_page(Page.DETAIL)
    await pilot.pause()
    return screen


# -- finding ------------------------------------------------------------------------------------------


async def test_words_are_typed_in_a_box_and_found_as_they_are_typed(store: Store, login: Path) -> None:  # noqa: F811
    app = store.app(login)
    async with app.run_test(notifications=True, size=(120, 40)) as pilot:
        screen = await at_entry(pilot)
        await pilot.press("slash", "h", "a", "n")
        await until(pilot, lambda: "match 1 of 1" in screen_text(app))
        assert screen.detail_pane.finding
        await pilot.press("enter")
        assert app.focused is screen.detail_pane
        await pilot.press("escape")
        assert not screen.detail_pane.finding
        assert screen.page is Page.DETAIL
        await pilot.press("escape")
        assert screen.page is Page.TREE


async def test_letters_type_in_the_box_and_arrows_step_from_hit_to_hit(store: Store, login: Path) -> None:  # noqa: F811
    app = store.app(login)
    async with app.run_test(notifications=True, size=(120, 40)) as pilot:
        screen = await at_entry(pilot)
        await pilot.press("slash", "q", "n")
        await pilot.press("backspace", "backspace", "e", "down")
        assert "match 2 of" in screen.detail_pane.hits_words
        await pilot.press("backspace", "escape")
        assert not screen.detail_pane.finding
        assert app.focused is screen.detail_pane


async def test_a_search_of_the_tree_is_lit_in_the_entry(store: Store) -> None:  # noqa: F811
    path = store.add("s", Story().user("u1", "one\n" * 80 + "marmalade").user("u2", "other"))
    app = store.app(path)
    async with app.run_test(notifications=True, size=(120, 30)) as pilot:
        screen = await opened(pilot, "other")
        await pilot.press("slash", *"marm")
        await until(pilot, lambda: "match 1 of 1" in screen.detail_pane.hits_words)
        assert "marmalade" in screen_text(app)
        await pilot.press("escape")
        await until(pilot, lambda: not screen.detail_pane.hits_words)


# -- the user's messages --------------------------------------------------------------------------------


async def test_braces_go_between_the_user_s_messages(store: Store, login: Path) -> None:  # noqa: F811
    app = store.app(login)
    async with app.run_test(notifications=True, size=(120, 40)) as pilot:
        screen = await opened(pilot)
        assert screen.opened is not None
        ids = screen.opened.session.table.ids
        seen = []
        for _ in range(3):
            await pilot.press("left_curly_bracket")
            seen.append(ids[screen.entry_index])
        assert seen == ["u3", "u1", "u1"]
        await until(pilot, lambda: "No user message above" in words(app))
        await pilot.press("right_curly_bracket")
        assert ids[screen.entry_index] == "u3"


# -- copying ----------------------------------------------------------------------------------------------


def test_what_can_be_copied_of_a_part() -> None:
    said = "Try:\n```py\nx = 1\ny = 2\n```\nor\n~~~\nz\n~~~\n"
    prose = Part(PartKind.PROSE, "p", body=Body(said, Syntax.MARKDOWN))
    assert [(each.name, each.text) for each in copyables(prose)] == [
        ("the text", said),
        ("code block 1 · py · 2 lines", "x = 1\ny = 2"),
        ("code block 2 · 1 line", "z"),
    ]
    result = Part(PartKind.RESULT, "r", body=Body("14 passed"))
    call = Part(PartKind.CALL, "c", title="bash", body=Body("npm test"), children=(result,))
    assert [(each.name, each.text) for each in copyables(call)] == [
        ("the tool call", "npm test"),
        ("the result", "14 passed"),
    ]
    assert [each.text for each in copyables(Part(PartKind.WORDS, "w", title="model set"))] == ["model set"]


async def test_one_of_several_texts_is_asked_for_and_copied(
    store: Store,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = store.add("s", Story().user("u1", "Try\n```py\nx = 1\n```\n"))
    app = store.app(path)
    copied: list[str] = []
    monkeypatch.setattr(app, "copy_text", copied.append)
    async with app.run_test(notifications=True, size=(120, 30)) as pilot:
        await at_entry(pilot, "Try")
        await pilot.press("C")
        await until(pilot, lambda: "code block 1 · py · 1 line" in screen_text(app))
        await pilot.press("2")
        assert copied == ["x = 1"]


# -- files ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "whole"),
    [
        ("src/a.py", "/srv/src/a.py"),
        ("@src/a.py", "/srv/src/a.py"),
        ("/etc/hosts", "/etc/hosts"),
        ("../x", "/x"),
        ("~/y", os.path.expanduser("~/y")),
        ("a\u202fb", "/srv/a b"),
        ("-rf", "/srv/-rf"),
    ],
)
def test_paths_are_read_as_the_tools_read_them(path: str, whole: str) -> None:
    assert resolved(path, "/srv") == whole


@pytest.mark.parametrize(
    ("env", "line", "command"),
    [
        ({"EDITOR": "vim"}, 7, ["vim", "+7", "/f"]),
        ({"VISUAL": "code --wait", "EDITOR": "vi"}, 7, ["code", "--wait", "--goto", "/f:7"]),
        ({"EDITOR": "/usr/bin/hx"}, 7, ["/usr/bin/hx", "/f:7"]),
        ({"EDITOR": "ed"}, 7, ["ed", "/f"]),
        ({"EDITOR": "vim"}, 0, ["vim", "/f"]),
        ({"EDITOR": 'vim "'}, 0, None),
        ({"PATH": ""}, 0, None),
    ],
)
def test_the_editor_is_the_reader_s_own(env: dict[str, str], line: int, command: list[str] | None) -> None:
    found = editor.editor({"PATH": "", **env})
    assert (editor.command(found, "/f", line) if found else None) == command


async def test_a_file_is_opened_copied_or_said_to_be_gone(
    store: Store,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    story = Story().tool("t1", "read", {"path": "there.py", "offset": 3}, "x = 1")
    path = store.add("s", story)
    app = store.app(path)
    ran: list[list[str]] = []
    copied: list[str] = []
    monkeypatch.setenv("EDITOR", "vim")

    def run(app: object, command: list[str]) -> Ended:
        ran.append(command)
        return Ended(0)

    monkeypatch.setattr("pitree.ui.main.entry_requests.run_on_terminal", run)
    monkeypatch.setattr(app, "copy_text", copied.append)
    async with app.run_test(notifications=True, size=(120, 30)) as pilot:
        await at_entry(pilot, "there.py")
        await pilot.press("O")
        await until(pilot, lambda: "no longer exists" in words(app))
        assert not ran
        (store.cwd / "there.py").write_text("x = 1")
        await pilot.press("O", "P")
        assert ran == [["vim", "+3", str(store.cwd / "there.py")]]
        assert copied == [str(store.cwd / "there.py")]


async def test_without_a_file_or_an_image_it_says_so(store: Store, login: Path) -> None:  # noqa: F811
    app = store.app(login)
    async with app.run_test(notifications=True, size=(120, 40)) as pilot:
        await at_entry(pilot)
        await pilot.press("O", "v")
        await until(pilot, lambda: "This part names no file" in words(app))
        await until(pilot, lambda: "This part has no image" in words(app))


# -- images ----------------------------------------------------------------------------------------------


def test_an_image_is_kept_where_only_its_reader_can_see_it() -> None:
    path = image_viewer.keep(b"x", ".png")
    assert path.suffix == ".png"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (base64.b64encode(b"<svg onload=alert(1)>").decode(), "not an image of a known format"),
        (base64.b64encode(b"#!/bin/sh\nrm").decode(), "not an image of a known format"),
        ("", "not an image of a known format"),
        (PNG + "A", "not base64"),
        (PNG, "No image viewer here"),
    ],
)
def test_only_images_are_written_out(data: str, problem: str) -> None:
    assert problem in image_viewer.show(data, {"PATH": ""})


def test_the_ending_comes_from_the_bytes_not_from_the_session() -> None:
    assert file_ending(PNG) == ".png"
    assert file_ending("data:text/html;base64," + PNG) == ".png"
    assert file_ending(base64.b64encode(b"RIFF....WAVEfmt ").decode()) is None


async def test_an_image_is_handed_to_the_viewer(
    store: Store,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    note = tmp_path / "seen"
    tool = tmp_path / "bin" / "xdg-open"
    tool.parent.mkdir()
    tool.write_text(f'#!/bin/sh\nwc -c < "$1" > {note}\n')
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tool.parent}:{os.environ['PATH']}")
    monkeypatch.setenv("DISPLAY", ":9")
    monkeypatch.delenv("SSH_CONNECTION", raising=False)
    monkeypatch.delenv("SSH_TTY", raising=False)
    story = Story().add(
        "u1",
        "message",
        message={"role": "user", "content": [{"type": "image", "data": PNG, "mimeType": "text/html"}]},
    )
    app = store.app(store.add("s", story))
    async with app.run_test(notifications=True, size=(120, 30)) as pilot:
        await at_entry(pilot, "image")
        await pilot.press("v")
        await until(pilot, lambda: note.exists() and note.read_text().strip() == "48")


async def test_the_box_takes_no_room_until_it_is_opened(store: Store, login: Path) -> None:  # noqa: F811
    app = store.app(login)
    async with app.run_test(notifications=True, size=(80, 24)) as pilot:
        await at_entry(pilot)
        before = lines(app)
        assert len(before) == 24
        await pilot.press("slash")
        await pilot.pause()
        assert lines(app)[-2].lstrip().startswith("/")
        await pilot.press("escape")
        await pilot.pause()
        assert lines(app)[:-1] == before[:-1]
