"""Keys from the config file and the preset `pi`, on the screen: what they do, what footer and help say."""

from __future__ import annotations

import string
from pathlib import Path

from pitree.config import table
from pitree.config.config import load
from pitree.keys.actions import ACTIONS
from pitree.outline.filters import FilterMode
from pitree.ui.main.arrangement import Page
from pitree.ui.toolkit.keys import key_label
from pitree.ui.toolkit.line_window import LineWindow
from pitree.ui.toolkit.text_window import ReadingWindow
from tests.support.seeing import line_with, lines, text, until, words
from tests.support.stories import Story
from tests.ui.main.follow.test_other_writers import append
from tests.ui.main.test_main_screen import Store, browse, login, opened, store

__all__ = ["login", "store"]


async def test_keys_of_the_config_file_hold(store: Store, login: Path, config_file: Path) -> None:
    config_file.parent.mkdir()
    config_file.write_text(
        'filter = "nothing"\n[keys]\n"tree.filter.user_only" = "x"\n"tree.label" = ["ctrl+g"]\nhelp = "f1"\n'
    )
    app = store.app(login, config=load())
    async with app.run_test(size=(200, 40), notifications=True) as pilot:
        await until(pilot, lambda: any("filter cannot be" in one.message for one in app._notifications))
        (told,) = [notification.message for notification in app._notifications]
        assert told.startswith(f"{config_file}, line 1: filter cannot be ")
        await until(pilot, lambda: "1 more: ! in the session list" in words(app))
        screen = await opened(pilot)
        clash = "x now means tree.filter.user_only there, not context"
        assert str(app.problems[1]) == f"{config_file}, line 3: tree.filter.user_only: {clash}"
        await pilot.press("x")
        assert screen.tree_pane.filter_mode is FilterMode.USER_ONLY
        await pilot.press("l", "ctrl+u")  # no keys any more
        assert screen.tree_pane.filter_mode is FilterMode.USER_ONLY
        assert "^g label" in lines(app)[-1]
        assert "F1 help" in lines(app)[-1]
        await pilot.press("f1")
        await until(pilot, lambda: isinstance(app.screen, ReadingWindow))
        assert " ^g " in line_with(app, "Set or remove the entry's label")
        await pilot.press("escape", "ctrl+g")
        await until(pilot, lambda: isinstance(app.screen, LineWindow))


async def test_typing_searches_the_tree_as_in_pi(store: Store, login: Path) -> None:
    app = store.app(login, config=load({"PITREE_KEYS": "pi"}))
    async with app.run_test(size=(150, 30)) as pilot:
        screen = await opened(pilot)
        tree = screen.tree_pane
        rows, every = tree.rows, len(tree.outline or ())
        await pilot.press(*"lt q")
        assert (tree.search_box.text, rows.has_focus) == ("lt q", True)
        await pilot.press("backspace", "backspace", "backspace", "backspace", "ctrl+u")
        assert (tree.search_box.text, tree.filter_mode) == ("", FilterMode.USER_ONLY)
        await pilot.press("ctrl+u", *"thanks")
        await until(pilot, lambda: len(tree.outline or ()) == 1)
        await pilot.press("escape")
        assert (tree.search_box.text, len(tree.outline or ())) == ("", every)
        await pilot.press("home", "right")
        assert rows.cursor == min(every - 1, 15)  # half the height of the screen, as in Pi
        await pilot.press("T")
        assert rows.label_times
        footer = lines(app)[-1]
        assert all(words in footer for words in ("L label", "F1 help", "alt+f fork"))
        await pilot.press("tab", "s")  # a letter does what it does where nothing searches
        assert screen.page is Page.SESSIONS


async def test_the_list_answers_as_in_pi(store: Store, login: Path) -> None:
    for number, letter in enumerate("bcdfghjklmpqvx"):
        # Folders are searched, too, and those of a test have any digits in their names, but no such words.
        said = f"number {6 * letter}"
        store.add(f"other{number:02}", Story(number).user("u", said).assistant("a", "yes"))
    app = store.app(config=load({"PITREE_KEYS": "pi"}))
    async with app.run_test(size=(150, 40)) as pilot:
        screen = await browse(pilot)
        picker = screen.picker
        await until(pilot, lambda: picker.rows.sessions.shown == 15)
        place = lambda: picker.rows.sessions.place_of(picker.rows.cursor)  # noqa: E731
        await pilot.press("up")
        assert place() == 1
        await pilot.press("pagedown")
        assert place() == 11
        await pilot.press("pagedown", "down")
        assert place() == 15
        await pilot.press(*"number kkkkkk")
        await until(pilot, lambda: picker.rows.sessions.shown == 1)
        assert "number kkkkkk" in text(app)
        await pilot.press("ctrl+a", "ctrl+f", "ctrl+k")
        assert picker.search_box.text == "n"
        await pilot.press("ctrl+s")
        assert "recent" in str(picker.border_title)
        await pilot.press("escape")  # leaves the list for the session shown, as in Pi
        assert (screen.page, picker.search_box.text) == (Page.TREE, "")
        await pilot.press("alt+s")
        await pilot.press(*"number ffffff")
        await until(pilot, lambda: picker.rows.sessions.shown == 1)
        await pilot.press("enter")
        await until(pilot, lambda: screen.opened is not None and screen.page is Page.TREE)
        await pilot.press("alt+s")
        assert (screen.page, app.focused) == (Page.SESSIONS, picker.search_box.field)
        await pilot.press("escape")
        assert (screen.page, picker.search_box.text) == (Page.TREE, "")


async def test_a_setting_of_pi_chooses_the_filter(store: Store, login: Path) -> None:
    (store.agent / "settings.json").write_text('{"treeFilterMode": "user-only"}')
    app = store.app(login)
    async with app.run_test() as pilot:
        screen = await opened(pilot)
        assert screen.tree_pane.filter_mode is FilterMode.USER_ONLY
        assert screen.config.held(table.FILTER).source == "Pi's settings"


async def test_words_name_the_keys_that_hold(store: Store, login: Path, config_file: Path) -> None:
    config_file.parent.mkdir()
    config_file.write_text('[keys]\n"tree.filter.all" = "ctrl+g"\n')
    app = store.app(login, config=load())
    async with app.run_test(size=(150, 30)) as pilot:
        await opened(pilot)
        await pilot.press("slash", *"zzz")
        await until(pilot, lambda: "^g searches all entries" in words(app))
        wider = key_label(app.screen, "picker.scope_at_need", "picker.search.scope", "picker.scope")
        assert wider == "Tab or a"


async def test_fault_16_notices_name_the_keys_that_hold(store: Store, login: Path, config_file: Path) -> None:
    config_file.parent.mkdir()
    config_file.write_text('[keys]\nends = "f7"\n"tree.newest" = "f8"\n')
    app = store.app(login, config=load())
    async with app.run_test(size=(100, 40), notifications=True) as pilot:
        await opened(pilot)
        append(login, Story(60).user("x1", "from one program", parent="u4"))
        append(login, Story(61).user("y1", "from another program", parent="u4"))
        await until(pilot, lambda: "2 growing branches · F7" in words(app))
        await until(pilot, lambda: "F7 shows the 2 growing branches" in words(app))
        append(login, Story(62).assistant("x2", "answer to the one", parent="x1"))
        append(login, Story(63).assistant("y2", "answer to the other", parent="y1"))
        await until(pilot, lambda: "write to it in turn. F7 shows them" in words(app))
        append(login, Story(64).add("n1", "session_info", parent="a1", name="renamed"))
        await until(pilot, lambda: "leaf is an old bookkeeping entry · F8 newest" in words(app))


async def test_fault_16_footers_name_no_key_that_was_changed(
    store: Store, login: Path, config_file: Path
) -> None:
    """Every action with a character for its key gets another one; on no pane an old one is named."""
    changed = [action for action in ACTIONS if any(len(key) == 1 for key in action.keys)]
    signs = string.ascii_lowercase + string.digits
    pool = [f"{modifier}+{sign}" for modifier in ("alt", "ctrl+alt", "ctrl+alt+shift") for sign in signs]
    given = dict(zip((action.id for action in changed), pool, strict=False))
    assert given.keys() == {action.id for action in changed}
    config_file.parent.mkdir()
    config_file.write_text("[keys]\n" + "".join(f'"{name}" = "{key}"\n' for name, key in given.items()))
    app = store.app(login, config=load())
    old = {key for action in changed for key in action.keys if len(key) == 1}
    async with app.run_test(size=(160, 40)) as pilot:
        screen = await opened(pilot)
        assert app.problems == ()
        for pane in (screen.picker.rows, screen.tree_pane.rows, screen.detail_pane):
            pane.focus()
            await until(pilot, lambda pane=pane: pane.has_focus)
            await until(pilot, lambda: "alt+" in lines(app)[-1])
            assert not set(lines(app)[-1].split()) & old
