"""The main screen: panes arranged for the size, wired to each other, and files opened in the background."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot

from pitree.outline.filters import FilterMode
from pitree.pi.places import folder_name
from pitree.session.manager.manager import SessionManager
from pitree.session.reading import block_pool, file_reader
from pitree.state.memory import Memory
from pitree.ui.app import clipboard
from pitree.ui.app.app import PitreeApp
from pitree.ui.app.options import AppOptions
from pitree.ui.main import session_loading
from pitree.ui.main.arrangement import Page
from pitree.ui.main.main_screen import MainScreen
from pitree.ui.main.opening import PREVIEW_PAUSE
from pitree.ui.picker.list_loader import ListScope
from pitree.ui.toolkit.text_window import ReadingWindow
from tests.support.seeing import line_with, lines, text, until, until_after, words
from tests.support.stories import Story, deep_story, login_story


class Store:
    """An agent folder with the sessions of one working directory."""

    def __init__(self, root: Path) -> None:
        self.agent = root / "agent"
        self.cwd = root / "work"
        self.cwd.mkdir()
        self.folder = self.agent / "sessions" / folder_name(str(self.cwd))

    def add(self, name: str, story: Story) -> Path:
        return story.write(self.folder / f"{name}.jsonl", self.cwd)

    def app(self, path: Path | None = None, **options: Any) -> PitreeApp:
        return PitreeApp(AppOptions(path=path, agent_dir=self.agent, cwd=self.cwd, theme="dark", **options))


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


@pytest.fixture
def login(store: Store) -> Path:
    return store.add("login", login_story())


async def browse(pilot: Pilot[Any]) -> MainScreen:
    """The main screen, once it is there."""
    await until(pilot, lambda: isinstance(pilot.app.screen_stack[0], MainScreen))
    screen = pilot.app.screen_stack[0]
    assert isinstance(screen, MainScreen)
    return screen


async def opened(pilot: Pilot[Any], said: str = "Thanks") -> MainScreen:
    """Wait until the session is shown, in tree and detail."""
    screen = await browse(pilot)
    await until(pilot, lambda: screen.opened is not None and not screen.opened.provisional)
    await until(pilot, lambda: said in text(pilot.app))
    await until(pilot, lambda: screen.detail_pane.border_title != "Entry")
    return screen


# -- arrangement ----------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(120, 40), (200, 60)])
async def test_wide_shows_three_panes_side_by_side(store: Store, login: Path, size: tuple[int, int]) -> None:
    app = store.app(login)
    async with app.run_test(size=size) as pilot:
        await opened(pilot)
        top = lines(app)[1]
        assert top.index("Sessions") < top.index("Tree · default") < top.index("user ·")
        assert all(len(line) <= size[0] for line in lines(app))


async def test_eighty_columns_stack_tree_and_entry_and_the_list_is_a_drawer(
    store: Store, login: Path
) -> None:
    app = store.app(login)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot)
        assert "Sessions" not in text(app)
        assert "Tree" in lines(app)[1]
        assert next(at for at, line in enumerate(lines(app)) if "user ·" in line) > 8
        await pilot.press("s")
        await until(pilot, lambda: "Sessions" in text(app))
        assert screen.page is Page.SESSIONS
        await pilot.press("escape")
        await until(pilot, lambda: "Sessions" not in text(app))
        assert app.focused is screen.tree_pane.rows


async def test_forty_by_twelve_shows_one_pane_and_tab_turns_the_page(store: Store, login: Path) -> None:
    app = store.app(login)
    async with app.run_test(size=(40, 12)) as pilot:
        await opened(pilot)
        assert "Tree" in lines(app)[1]
        assert "user ·" not in text(app)
        await pilot.press("tab")
        await until(pilot, lambda: "user ·" in lines(app)[1])
        assert "Tree" not in text(app)
        await pilot.press("tab")
        await until(pilot, lambda: "Sessions" in lines(app)[1])
        await pilot.press("shift+tab")
        await until(pilot, lambda: "user ·" in lines(app)[1])


async def test_another_size_arranges_the_panes_anew(store: Store, login: Path) -> None:
    app = store.app(login)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.resize_terminal(140, 40)
        await until(pilot, lambda: "Sessions" in text(app))
        await pilot.resize_terminal(40, 12)
        await until(pilot, lambda: "Sessions" not in text(app) and "Thanks" in text(app))


@pytest.mark.parametrize("size", [(20, 5), (30, 10), (59, 17)])
async def test_tiny_terminals_do_no_harm(store: Store, login: Path, size: tuple[int, int]) -> None:
    app = store.app(login)
    async with app.run_test(size=size) as pilot:
        screen = await browse(pilot)
        await until(pilot, lambda: screen.opened is not None)
        await pilot.press("tab", "tab", "tab", "question_mark", "escape", "escape")
        assert all(len(line) <= size[0] for line in lines(app))


async def test_the_split_moves(store: Store, login: Path) -> None:
    app = store.app(login)
    async with app.run_test(size=(140, 30)) as pilot:
        screen = await opened(pilot)
        before = screen.tree_pane.size.width
        await pilot.press("right_square_bracket")
        await until(pilot, lambda: screen.tree_pane.size.width > before)
        await pilot.press("left_square_bracket", "left_square_bracket")
        await until(pilot, lambda: screen.tree_pane.size.width < before)


# -- wiring -----------------------------------------------------------------------------------------


async def test_the_entry_follows_the_cursor(store: Store, login: Path) -> None:
    app = store.app(login)
    async with app.run_test(size=(140, 30)) as pilot:
        screen = await opened(pilot)
        await pilot.press("home")
        await until(pilot, lambda: screen.detail_pane.index == 0)
        await until(pilot, lambda: text(app).count("Add a login form") >= 2)


async def test_tab_goes_round_the_panes_and_esc_back_to_the_tree(store: Store, login: Path) -> None:
    app = store.app(login)
    async with app.run_test(size=(140, 30)) as pilot:
        screen = await opened(pilot)
        pages = []
        for _ in range(3):
            await pilot.press("tab")
            pages.append(screen.page)
        assert pages == [Page.DETAIL, Page.SESSIONS, Page.TREE]
        await pilot.press("tab")
        assert app.focused is screen.detail_pane
        await pilot.press("escape")
        assert app.focused is screen.tree_pane.rows


async def test_enter_opens_the_session_of_the_list(store: Store, login: Path) -> None:
    app = store.app()
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "Add a login form" in text(app))
        await pilot.press("enter")
        screen = await opened(pilot)
        assert app.focused is screen.tree_pane.rows
        assert "Sessions" not in text(app)
        assert "Add a login form" in lines(app)[0]


async def test_wide_shows_the_tree_of_the_listed_session_until_one_is_chosen(store: Store) -> None:
    store.add("one", Story().user("u1", "the first question").assistant("a1", "an answer to it"))
    store.add("two", Story().user("u1", "another question").assistant("a1", "quite another answer"))
    app = store.app()
    async with app.run_test(size=(140, 30)) as pilot:
        screen = await browse(pilot)
        await until(pilot, lambda: screen.opened is not None)
        first = screen.opened
        assert app.focused is screen.picker.rows
        await pilot.press("down")
        await until(pilot, lambda: screen.opened is not first)
        second = screen.opened
        await pilot.press("enter")
        assert app.focused is screen.tree_pane.rows
        await pilot.press("s", "up")
        await until_after(pilot, PREVIEW_PAUSE)
        assert screen.opened is second


async def test_the_footer_tells_the_keys_of_where_the_focus_is(store: Store, login: Path) -> None:
    app = store.app(login)
    async with app.run_test(size=(140, 30)) as pilot:
        await opened(pilot)
        assert "^o filter" in lines(app)[-1]
        assert "n/N match" not in lines(app)[-1]
        await pilot.press("tab")
        assert "R raw" in lines(app)[-1]
        await pilot.press("shift+tab", "slash", "e")
        await until(pilot, lambda: "Esc clear" in lines(app)[-1])
        await pilot.press("enter")
        assert "n/N match" in lines(app)[-1]


async def test_esc_clears_the_search_then_leaves(store: Store, login: Path) -> None:
    app = store.app(login)
    async with app.run_test(size=(140, 30)) as pilot:
        screen = await opened(pilot)
        await pilot.press("slash", *"converted", "enter")
        await until(pilot, lambda: "2 matches" in text(app))
        await pilot.press("escape")
        assert not screen.tree_pane.searching
        assert screen.page is Page.TREE
        await pilot.press("escape")
        assert screen.page is Page.SESSIONS


async def test_help_is_about_the_pane_with_the_focus(store: Store, login: Path) -> None:
    app = store.app(login)
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await opened(pilot)
        await pilot.press("question_mark")
        assert isinstance(app.screen, ReadingWindow)
        assert "Go to the leaf" in text(app)
        assert "Show the record as JSON" not in text(app)
        await pilot.press("escape")
        assert app.focused is screen.tree_pane.rows
        await pilot.press("tab", "question_mark")
        assert "Show the record as JSON" in text(app)


async def test_q_quits_but_not_in_a_search_box(store: Store, login: Path) -> None:
    app = store.app(login)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot)
        await pilot.press("slash", "q")
        assert screen.tree_pane.search_box.text == "q"
        assert app.is_running
        await pilot.press("escape", "escape", "q")
    assert app.return_code == 0


async def test_copying_goes_to_the_terminal_and_the_local_tool(
    store: Store, login: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[str] = []
    monkeypatch.setattr(clipboard, "local_tool", lambda: ["xclip"])
    monkeypatch.setattr(clipboard, "run_tool", lambda tool, said: given.append(said) or True)
    app = store.app(login)
    async with app.run_test(size=(100, 30), notifications=True) as pilot:
        await opened(pilot)
        await pilot.press("c")
        await until(pilot, lambda: "Copied 6 characters (xclip)" in words(app))
        assert app.clipboard == "Thanks"
        assert given == ["Thanks"]


# -- opening ----------------------------------------------------------------------------------------


async def test_the_header_tells_the_session(store: Store, login: Path) -> None:
    app = store.app(login)
    async with app.run_test(size=(140, 30)) as pilot:
        await opened(pilot)
        assert "pitree  Add a login form · " in lines(app)[0]
        assert "claude-test · 11 entries · 6.2k tokens · $1.25" in lines(app)[0]


@pytest.mark.parametrize(
    ("options", "settings", "mode"),
    [
        ({}, "{}", FilterMode.DEFAULT),
        ({}, '{"treeFilterMode": "user-only"}', FilterMode.USER_ONLY),
        ({}, '{"treeFilterMode": "nonsense"}', FilterMode.DEFAULT),
        ({"filter": "all"}, '{"treeFilterMode": "user-only"}', FilterMode.ALL),
    ],
)
async def test_the_first_filter_is_the_asked_for_else_the_one_of_pis_settings(
    store: Store, login: Path, options: dict[str, Any], settings: str, mode: FilterMode
) -> None:
    (store.agent / "settings.json").write_text(settings)
    app = store.app(login, **options)
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await opened(pilot)
        assert screen.tree_pane.filter_mode is mode


async def test_damage_is_told_in_the_border_and_listed_by_line(store: Store, login: Path) -> None:
    with login.open("a") as file:
        file.write(
            "this is no JSON [red]\n" + '{"type":"custom","id":"z1","parentId":"u4","customType":"x"}\n'
        )
    app = store.app(login)
    async with app.run_test(size=(100, 30)) as pilot:
        await opened(pilot)
        assert "! 1 notice" in text(app)
        await pilot.press("exclamation_mark")
        assert "line 13" in text(app)


async def test_a_sound_file_has_no_notices(store: Store, login: Path) -> None:
    app = store.app(login)
    async with app.run_test(size=(100, 30), notifications=True) as pilot:
        await opened(pilot)
        assert "notice" not in text(app)
        await pilot.press("exclamation_mark")
        await until(pilot, lambda: "This file has no problems" in words(app))


async def test_a_file_that_is_no_session_is_an_error_and_stays_as_it_is(store: Store) -> None:
    store.folder.mkdir(parents=True)
    path = store.folder / "notes.jsonl"
    path.write_text('{"a":1}\n')
    before = path.stat().st_mtime_ns
    app = store.app(path)
    async with app.run_test(size=(100, 30), notifications=True) as pilot:
        await until(pilot, lambda: "cannot be shown" in words(app))
        await until(pilot, lambda: words(app).count("notes.jsonl") == 2)
    assert path.read_text() == '{"a":1}\n'
    assert path.stat().st_mtime_ns == before


async def test_a_file_that_is_gone_is_an_error(store: Store) -> None:
    app = store.app(store.folder / "gone.jsonl")
    async with app.run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: "cannot be shown" in words(app))


async def test_an_empty_file_is_an_empty_session(store: Store) -> None:
    store.folder.mkdir(parents=True)
    path = store.folder / "new.jsonl"
    path.touch()
    app = store.app(path)
    async with app.run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: "no entries yet" in words(app))
    assert path.stat().st_size == 0


async def test_a_name_with_markup_and_escapes_is_shown_as_text(store: Store) -> None:
    path = store.add("evil", Story().user("u1", "hi").add("n1", "session_info", name="[red]\x1b[2Jx\ny"))
    app = store.app(path)
    async with app.run_test(size=(100, 30)) as pilot:
        await opened(pilot, "hi")
        assert "[red]" in lines(app)[0]
        assert "\x1b" not in text(app)


@pytest.mark.parametrize("processes", [False, True], ids=["alone", "by processes"])
async def test_a_large_file_shows_its_end_first_and_keeps_the_entry_when_the_rest_comes(
    store: Store, monkeypatch: pytest.MonkeyPatch, processes: bool
) -> None:
    story = Story().user("start", "the very beginning")
    for number in range(400):
        story.user(f"u{number}", f"question {number} " + "x" * 500).assistant(
            f"a{number}", f"answer {number}"
        )
    path = store.add("long", story)
    monkeypatch.setattr(session_loading, "LARGE", 10_000)
    monkeypatch.setattr(session_loading, "TAIL", 60_000)
    if processes:
        monkeypatch.setattr(file_reader, "FROM", 10_000)
        monkeypatch.setattr(block_pool, "RANGE_BYTES", 30_000)
    go_on = threading.Event()
    whole = SessionManager.open

    def slowly(*args: Any, **options: Any) -> SessionManager:
        go_on.wait(10)
        return whole(*args, **options)

    monkeypatch.setattr(SessionManager, "open", slowly)
    app = store.app(path)
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await browse(pilot)
        await until(pilot, lambda: screen.opened is not None and "answer 399" in text(app))
        assert screen.opened is not None
        assert screen.opened.provisional
        assert "loading" in lines(app)[0]
        await pilot.press("up", "up", "up", "up", "up")
        table = screen.opened.session.table
        entry = table.ids[screen.entry_index]
        assert entry == "u397"
        assert len(table) < 200
        rows = screen.tree_pane.rows
        height = rows.cursor - rows.scroll_offset.y
        go_on.set()
        await until(pilot, lambda: screen.opened is not None and not screen.opened.provisional)
        assert len(screen.opened.session.table) == 801
        assert screen.opened.session.table.ids[screen.entry_index] == entry
        await pilot.pause()
        assert rows.cursor - rows.scroll_offset.y == height
        assert "loading" not in lines(app)[0]
        await pilot.press("home")
        assert "the very beginning" in line_with(app, "›")


async def test_a_branch_summary_leads_to_the_branch_it_sums_up_where_that_is_known(store: Store) -> None:
    story = login_story().add("b1", "branch_summary", parent="a2", summary="Tried JavaScript", fromId="a3")
    path = store.add("summed", story.add("b2", "branch_summary", summary="Who knows", fromId="b1"))
    app = store.app(path)
    async with app.run_test(size=(110, 40)) as pilot:
        screen = await opened(pilot, "Tried JavaScript")
        assert screen.opened is not None
        by_id = screen.opened.session.table.by_id
        await until(pilot, lambda: "source unknown" in words(app))
        screen.show_page(Page.DETAIL)
        await pilot.press("o")
        await pilot.pause()
        assert screen.entry_index == by_id["b2"]
        screen.tree_pane.go_to(by_id["b1"])
        await until(
            pilot, lambda: "summarizes the branch that ended at assistant “Converted to JS”" in words(app)
        )
        await pilot.press("o")
        await until(pilot, lambda: screen.entry_index == by_id["a3"])
        assert "Converted to JS" in line_with(app, "›")


async def test_looking_alters_no_file(store: Store, login: Path) -> None:
    before = login.read_bytes(), login.stat().st_mtime_ns, sorted(store.folder.iterdir())
    app = store.app(login)
    async with app.run_test(size=(140, 30)) as pilot:
        await opened(pilot)
        await pilot.press("ctrl+a", "home", "pagedown", "slash", *"form", "enter", "n", "c", "T", "s", "tab")
    assert (login.read_bytes(), login.stat().st_mtime_ns, sorted(store.folder.iterdir())) == before


async def test_keys_pressed_before_the_panes_are_there_are_not_lost(store: Store, login: Path) -> None:
    app = store.app(login)
    async with app.run_test(size=(80, 24)) as pilot:
        app.simulate_key("s")
        screen = await browse(pilot)
        await until(pilot, lambda: screen.page is Page.SESSIONS)


async def test_the_first_frame_looks_like_the_main_screen(store: Store, login: Path) -> None:
    app = store.app()
    first: list[str] = []
    file_reader = app._open_main_screen

    async def look() -> None:
        first.extend(lines(app))
        await file_reader()

    app._open_main_screen = look  # type: ignore[method-assign]
    async with app.run_test(size=(140, 30)) as pilot:
        await browse(pilot)
        assert "Sessions" in first[1]
        assert "Tree" in first[1]
        assert "? help" in first[-1]
        await until(pilot, lambda: [line[:1] for line in first] == [line[:1] for line in lines(app)])


async def test_no_color_takes_the_colours_of_the_terminal_and_marks_the_cursor_without_any(
    store: Store, login: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = PitreeApp(AppOptions(path=login, agent_dir=store.agent, cwd=store.cwd))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot)
        rows = screen.tree_pane.rows
        assert app.theme == "ansi-dark"
        strips = app.screen._compositor.render_strips(app.size)
        colours = {
            colour.name
            for strip in strips
            for segment in strip
            if segment.style is not None
            for colour in (segment.style.color, segment.style.bgcolor)
            if colour is not None
        }
        assert colours <= {"default"}
        cursor = rows.render_line(rows.cursor - rows.scroll_offset.y)
        assert all(segment.style is not None and segment.style.reverse for segment in cursor)


async def test_fault_11_an_entry_without_a_name_takes_no_cursor(store: Store) -> None:
    story = Story().user("u1", "first").assistant("", "nameless")
    path = store.add("nameless", story.user("u2", "second").assistant("a2", "Thanks"))
    app = store.app(path)
    async with app.run_test(size=(150, 40)) as pilot:
        screen = await opened(pilot)
        assert screen.opened is not None
        by_id = screen.opened.session.table.by_id
        assert screen.entry_index == by_id["a2"]
        screen.open_path(path)
        await until(pilot, lambda: screen.opened is not None and screen.header.state != "loading")
        assert screen.entry_index == by_id["a2"]
        screen.open_path(path, "")
        await until(pilot, lambda: screen.entry_index == by_id[""])


# -- keys in one go -------------------------------------------------------------------------------


async def test_keys_that_come_in_one_go_do_what_they_do_one_by_one(store: Store, login: Path) -> None:
    app = store.app(login)

    def send(*names: str) -> None:
        for name in names:
            app.post_message(events.Key(name, name if len(name) == 1 else None))

    async with app.run_test(size=(150, 40)) as pilot:
        screen = await opened(pilot)
        screen.show_page(Page.TREE)
        send("slash", *"rlq")
        await until(pilot, lambda: screen.tree_pane.search_box.text == "rlq")
        assert app.screen is screen
        await pilot.press("escape", "escape")
        await until(pilot, lambda: screen.tree_pane.rows.has_focus)
        send("l", *"done", "enter")
        await until(pilot, lambda: b'"label":"done"' in login.read_bytes())
        await until(pilot, lambda: app.screen is screen)


@pytest.mark.parametrize("size", [(80, 24), (200, 60)])
async def test_fault_28_a_session_of_another_folder_stands_among_its_own(
    store: Store, login: Path, tmp_path: Path, size: tuple[int, int]
) -> None:
    store.add("other", deep_story(3))
    nowhere = tmp_path / "nowhere"
    nowhere.mkdir()
    memory = Memory(tmp_path / "memory.json")
    app = PitreeApp(AppOptions(path=login, agent_dir=store.agent, cwd=nowhere, memory=memory))
    async with app.run_test(size=size) as pilot:
        screen = await browse(pilot)
        await until(pilot, lambda: len(screen.picker.rows.sessions) == 3)
        await until(pilot, lambda: screen.opened is not None)
        assert screen.picker.scope is ListScope.ALL
        assert screen.picker.selected is not None
        assert screen.picker.selected.path == str(login)
        assert "No sessions of" not in text(app)
        screen.picker.action_sort()
        await until(pilot, lambda: memory.get("sort", "") == "recent")
        assert memory.get("scope", "") == "folder"
        screen.picker.action_scope()
        await until(pilot, lambda: not len(screen.picker.rows.sessions))
        screen.picker.action_scope()
        await until(pilot, lambda: memory.get("scope", "") == "all")


async def test_fault_28_a_session_among_no_others_has_all_the_room(store: Store, tmp_path: Path) -> None:
    path = login_story().write(tmp_path / "away" / "one.jsonl", store.cwd)
    app = store.app(path)
    async with app.run_test(size=(200, 60)) as pilot:
        screen = await browse(pilot)
        await until(pilot, lambda: screen.opened is not None and not screen.picker.display)
        assert screen.tree_pane.region.x == 0
        assert screen.detail_pane.region.right == 200
        await pilot.press("s")
        await until(pilot, lambda: "No sessions of" in words(app) and screen.picker.region.width > 0)
        await pilot.press("s")
        assert screen.picker.display


async def test_fault_28_where_this_folder_has_sessions_they_are_listed(
    store: Store, login: Path, tmp_path: Path
) -> None:
    path = login_story().write(tmp_path / "away" / "one.jsonl", store.cwd)
    app = store.app(path)
    async with app.run_test(size=(200, 60)) as pilot:
        screen = await browse(pilot)
        await until(pilot, lambda: len(screen.picker.rows.sessions) == 2 and screen.opened is not None)
        assert screen.picker.scope is ListScope.FOLDER
        assert screen.picker.display
