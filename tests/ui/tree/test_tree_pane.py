"""The tree pane: what its rows show, and what its keys do."""

from __future__ import annotations

from threading import Event
from typing import Any

import pytest
from textual.app import App, ComposeResult

from pitree.outline.filters import FilterMode
from pitree.outline.outline import Outline
from pitree.query.entries import text_store
from pitree.query.entries.text_store import TextStore
from pitree.query.language.query import Query
from pitree.resources import styles_dir
from pitree.session.manager.manager import SessionManager
from pitree.ui.app import theme
from pitree.ui.tree import tree_query
from pitree.ui.tree.tree_pane import TreePane
from tests.support.seeing import line_with, lines, text, until, words
from tests.support.stories import Story, deep_story, login_story


class Host(App[None]):
    CSS_PATH = sorted(styles_dir().glob("*.tcss"))

    def __init__(self, session: SessionManager, mode: FilterMode = FilterMode.DEFAULT) -> None:
        super().__init__()
        self.register_theme(theme.DARK)
        self.theme = theme.DARK.name
        self.session = session
        self.pane = TreePane(mode, id="tree")
        self.seen: list[Any] = []

    def compose(self) -> ComposeResult:
        yield self.pane

    def on_mount(self) -> None:
        self.texts = TextStore(self.session)
        outline = Outline(self.session, texts=self.texts)
        self.pane.show(outline, self.texts, notices=len(self.session.notices))
        self.pane.focus_target.focus()

    def on_tree_pane_entry_highlighted(self, message: TreePane.EntryHighlighted) -> None:
        self.seen.append(("highlighted", message.index))

    def on_tree_pane_entry_chosen(self, message: TreePane.EntryChosen) -> None:
        self.seen.append(("chosen", message.index))

    def on_tree_pane_copy_requested(self, message: TreePane.CopyRequested) -> None:
        self.seen.append(("copy", message.index))

    @property
    def selected(self) -> str:
        """The id of the entry under the cursor."""
        index = self.pane.entry_index
        return self.session.table.ids[index] if index >= 0 else ""


async def test_rows_show_path_leaf_label_role_and_text() -> None:
    app = Host(login_story().session())
    async with app.run_test(size=(80, 20)):
        assert line_with(app, "Add a login form").strip("│ ") == "• user: Add a login form"
        assert line_with(app, "[write").strip("│ ") == "• [write: src/Login.tsx]"
        assert "├⊟ • [checkpoint] user: Use TypeScript" in line_with(app, "Use TypeScript")
        assert "└⊟ user: Actually use JavaScript" in line_with(app, "JavaScript")
        leaf = line_with(app, "Thanks")
        assert "› " in leaf
        assert "◆ user: Thanks" in leaf
        assert leaf.rstrip("│ ").endswith("leaf")


async def test_the_border_tells_the_filter_and_how_much_it_shows() -> None:
    app = Host(login_story().session())
    async with app.run_test(size=(80, 20)) as pilot:
        assert "Tree · default" in lines(app)[0]
        assert "9 of 11" in lines(app)[-1]
        await pilot.press("ctrl+u")
        assert "Tree · user-only" in lines(app)[0]
        assert "4 of 11" in lines(app)[-1]


@pytest.mark.parametrize(
    ("key", "mode"),
    [
        ("ctrl+o", FilterMode.NO_TOOLS),
        ("ctrl+shift+o", FilterMode.ALL),
        ("ctrl+t", FilterMode.NO_TOOLS),
        ("ctrl+u", FilterMode.USER_ONLY),
        ("ctrl+l", FilterMode.LABELED_ONLY),
        ("ctrl+a", FilterMode.ALL),
        ("ctrl+d", FilterMode.DEFAULT),
    ],
)
async def test_a_key_picks_a_filter_and_the_same_again_the_default(key: str, mode: FilterMode) -> None:
    app = Host(login_story().session())
    async with app.run_test(size=(80, 20)) as pilot:
        await pilot.press(key)
        assert app.pane.filter_mode is mode
        if "o" not in key.split("+")[-1]:
            await pilot.press(key)
            assert app.pane.filter_mode is FilterMode.DEFAULT


async def test_the_cursor_stays_on_its_entry_or_goes_to_the_nearest_visible_ancestor() -> None:
    app = Host(login_story().session())
    async with app.run_test(size=(80, 20)) as pilot:
        app.pane.go_to(app.session.table.by_id["a3"])
        await pilot.press("ctrl+t")
        assert app.selected == "a3"
        await pilot.press("ctrl+u")
        assert app.selected == "u2"


async def test_folding_hides_a_branch_and_says_how_much() -> None:
    app = Host(login_story().session())
    async with app.run_test(size=(80, 20)) as pilot:
        await pilot.press("ctrl+left")
        assert app.selected == "u3"
        await pilot.press("ctrl+left")
        assert app.selected == "u3"
        assert "⊞" in line_with(app, "Use TypeScript")
        assert line_with(app, "Use TypeScript").rstrip("│ ").endswith("2 hidden · leaf below")
        assert "Thanks" not in text(app)
        await pilot.press("alt+right")
        assert "Thanks" in text(app)
        await pilot.press("ctrl+right")
        assert app.selected == "u4"


async def test_the_leaf_key_comes_back_even_into_a_fold() -> None:
    app = Host(login_story().session())
    async with app.run_test(size=(80, 20)) as pilot:
        await pilot.press("ctrl+left", "ctrl+left", "home")
        assert app.selected == "u1"
        await pilot.press("full_stop")
        assert app.selected == "u4"


async def test_search_narrows_the_rows_counts_and_clears() -> None:
    app = Host(login_story().session())
    async with app.run_test(size=(80, 20)) as pilot:
        await pilot.press("slash", *"converted")
        await until(pilot, lambda: "2 matches" in text(app))
        assert "Add a login form" not in text(app)
        assert "Converted to JS" in text(app)
        await pilot.press("escape")
        await until(pilot, lambda: "Add a login form" in text(app))
        await pilot.press("escape")
        assert app.focused is app.pane.rows
        assert "match" not in text(app)


async def test_a_long_search_shows_its_hits_near_the_cursor_first_and_then_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In a thread; keys are answered while it goes on."""
    monkeypatch.setattr(tree_query, "SEARCH_AT_ONCE", 0)
    monkeypatch.setattr(text_store, "_MOMENT", 0.0)
    monkeypatch.setattr(text_store, "_SLICE_BYTES", 40)
    app = Host(deep_story(60).session())
    going_on = Event()
    async with app.run_test(size=(80, 20)) as pilot:
        app.texts.cover(app.session.get_entry_count())
        cursor = app.selected
        prepare = app.texts.prepare

        def held(query: Query, cancelled: Any, near: int, tell: Any) -> bool:
            def told(so_far: bytes) -> None:
                tell(so_far)
                going_on.wait(60)

            return prepare(query, cancelled, near, told)

        monkeypatch.setattr(app.texts, "prepare", held)
        try:
            await pilot.press("/", "r", "o")
            await until(pilot, lambda: "so far" in text(app))
            await pilot.press("backspace")
            await pilot.press("o")
            await until(pilot, lambda: "so far" in text(app))
        finally:
            going_on.set()
        await until(pilot, lambda: "matches" in text(app) and "so far" not in text(app))
        fresh = Outline(app.session, texts=app.texts)
        fresh.set_query("ro")
        assert app.pane.outline is not None
        assert [row.id for row in app.pane.outline.rows()] == [row.id for row in fresh.rows()]
        assert app.selected == cursor


async def test_letters_are_letters_in_the_search_box() -> None:
    app = Host(login_story().session())
    async with app.run_test(size=(80, 20)) as pilot:
        await pilot.press("slash", *"qcTn?")
        assert app.pane.search_box.text == "qcTn?"
        assert app.seen.count(("copy", app.pane.entry_index)) == 0


async def test_the_terminals_cursor_is_in_the_search_box_before_the_first_letter() -> None:
    """Input methods open their window there."""
    app = Host(login_story().session())
    async with app.run_test(size=(80, 20)) as pilot:
        await pilot.press("slash")
        await pilot.pause()
        at = app.cursor_position
        assert "/ words" in lines(app)[at.y]
        await pilot.press("a")
        assert app.cursor_position == (at.x + 1, at.y)
        await pilot.press("日")
        assert app.cursor_position == (at.x + 3, at.y)


async def test_search_finds_what_the_row_does_not_show() -> None:
    app = Host(login_story().session())
    async with app.run_test(size=(80, 20)) as pilot:
        await pilot.press("slash", *"marmalade")
        await until(pilot, lambda: "1 match" in text(app))
        assert "[write: src/Login.tsx]" in text(app)


async def test_arrows_move_among_the_hits_while_typing_and_enter_keeps_them() -> None:
    app = Host(login_story().session())
    async with app.run_test(size=(80, 20)) as pilot:
        await pilot.press("slash", *"use")
        await until(pilot, lambda: "matches" in text(app))
        before = app.selected
        await pilot.press("up")
        assert app.selected != before
        await pilot.press("enter")
        assert app.focused is app.pane.rows
        assert "matches" in text(app)


async def test_hits_in_context_are_gone_through_with_n() -> None:
    app = Host(login_story().session())
    async with app.run_test(size=(80, 20)) as pilot:
        await pilot.press("slash", *"converted")
        await until(pilot, lambda: "2 matches" in text(app))
        await pilot.press("enter", "v")
        assert "Add a login form" in text(app)
        await pilot.press("home", "n")
        assert app.selected == "a4"
        await pilot.press("n")
        assert app.selected == "a3"
        await pilot.press("n")
        assert app.selected == "a4"
        await pilot.press("N")
        assert app.selected == "a3"


async def test_no_hit_says_how_to_clear() -> None:
    app = Host(login_story().session(), FilterMode.USER_ONLY)
    async with app.run_test(size=(80, 20)) as pilot:
        await pilot.press("slash", *"zebra")
        await until(pilot, lambda: "No match for zebra" in text(app))
        assert "user-only" in words(app)
        assert "Esc clears the search" in words(app)


async def test_a_bad_pattern_says_so() -> None:
    app = Host(login_story().session())
    async with app.run_test(size=(80, 20)) as pilot:
        await pilot.press("slash", *"re:(")
        await until(pilot, lambda: "bad pattern" in text(app))
        assert "Bad pattern" in text(app)


async def test_an_empty_session_says_so() -> None:
    app = Host(Story().session())
    async with app.run_test(size=(60, 10)):
        assert "This session has no entries yet." in text(app)


async def test_a_filter_that_shows_nothing_says_the_way_out() -> None:
    app = Host(Story().user("u1", "hello").session(), FilterMode.LABELED_ONLY)
    async with app.run_test(size=(70, 10)):
        assert "labeled-only hides all 1 entries. ^d: default, ^a: all." in words(app)


async def test_label_times_show_on_a_key() -> None:
    app = Host(login_story().session())
    async with app.run_test(size=(80, 20)) as pilot:
        assert "3/9" not in text(app)
        await pilot.press("T")
        assert "3/9" in line_with(app, "[checkpoint]")
        assert "label times" in lines(app)[0]


async def test_branches_stand_by_time_on_a_key_and_the_next_session_too() -> None:
    app = Host(login_story().session())
    async with app.run_test(size=(80, 20)) as pilot:

        def order() -> bool:
            """Whether the older branch is above the newer one, which holds the leaf."""
            return text(app).index("Actually use JavaScript") < text(app).index("Use TypeScript")

        assert not order()
        await pilot.press("o")
        assert order()
        assert app.selected == "u4"
        assert "Tree · default · by time" in lines(app)[0]
        app.on_mount()
        await pilot.pause()
        assert order()
        await pilot.press("o")
        assert not order()
        assert "by time" not in text(app)


async def test_a_missing_parent_is_marked_with_a_sign() -> None:
    app = Host(Story().user("u1", "hello").assistant("a9", "from nowhere", parent="zz").session())
    async with app.run_test(size=(80, 10)):
        assert "⚠ parent zz missing" in line_with(app, "from nowhere")


@pytest.mark.parametrize("width", [40, 60, 80])
async def test_deep_rows_keep_twenty_columns_of_text(width: int) -> None:
    app = Host(deep_story(80).session())
    async with app.run_test(size=(width, 20)) as pilot:
        await pilot.pause()
        row = line_with(app, "›")
        shown = row[row.index("◆") + 2 :]
        assert shown.startswith("user: step 80 on a l")
        assert "depth 80 · 161 of 161" in text(app)
        await pilot.press("home")
        assert "• user: the beginning" in text(app)
        assert "depth" not in text(app)


async def test_the_ends_of_a_chain_of_fifty_thousand_are_a_key_away(monkeypatch: pytest.MonkeyPatch) -> None:
    count = 50_000
    story = Story()
    for number in range(count):
        story.user(f"u{number}", f"message {number}")
    app = Host(story.session())
    async with app.run_test(size=(80, 20)) as pilot:
        await until(pilot, lambda: "message 49999" in line_with(app, "›"))
        drawn: list[int] = []
        make = Outline.row
        monkeypatch.setattr(
            Outline, "row", lambda self, number, *rest: drawn.append(number) or make(self, number, *rest)
        )
        await pilot.press("home")
        assert "message 0" in line_with(app, "›")
        await pilot.press("end")
        assert "message 49999" in line_with(app, "›")
        assert "leaf" in line_with(app, "›")
        screenful = app.pane.rows.size.height
        assert len(drawn) < 4 * screenful
        assert all(number < screenful or number >= count - screenful for number in drawn)


@pytest.mark.parametrize("width", range(10, 41, 3))
async def test_wide_and_joined_characters_never_leave_the_pane(width: int) -> None:
    name = "日本語👨‍👩‍👧‍👦क्षि and so on and on"
    app = Host(Story().user("u1", name).assistant("a1", name).label("u1", name).session())
    async with app.run_test(size=(width, 10)):
        for y in range(app.pane.rows.size.height):
            strip = app.pane.rows.render_line(y)
            assert strip.cell_length == app.pane.rows.scrollable_content_region.width


async def test_copy_and_enter_name_the_entry() -> None:
    app = Host(login_story().session())
    async with app.run_test(size=(80, 20)) as pilot:
        app.seen.clear()
        await pilot.press("c", "enter")
        leaf = app.session.leaf_index
        assert ("copy", leaf) in app.seen
        assert ("chosen", leaf) in app.seen


async def test_markup_in_an_entry_is_text() -> None:
    app = Host(Story().user("u1", "[bold red]not red[/] [link=x]").session())
    async with app.run_test(size=(80, 10)) as pilot:
        assert "user: [bold red]not red[/] [link=x]" in text(app)
        await pilot.press("slash", *"[red")
        await until(pilot, lambda: "No match for [red" in text(app))


async def test_hits_that_come_in_late_bring_the_cursor_back_to_its_entry(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tree_query.TreeSearch, "_fill", lambda self, texts: None)
    story = Story()
    for number in range(40):
        story.user(f"u{number}", f"a question about apples, number {number}")
    app = Host(story.session())
    async with app.run_test(size=(80, 20)) as pilot:
        app.pane.go_to(30)
        await pilot.press("slash", *"apples")
        await until(pilot, lambda: "no match · 0% read" in text(app))
        app.texts.cover(10)
        await until(pilot, lambda: "10 matches · 25% read" in text(app))
        assert app.selected == "u9"
        app.texts.cover(20)
        await until(pilot, lambda: "20 matches · 50% read" in text(app))
        app.texts.cover(40)
        await until(pilot, lambda: "40 matches" in text(app) and "read" not in text(app))
        assert app.selected == "u30"


async def test_a_cursor_moved_while_hits_come_in_stays_where_it_was_moved_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tree_query.TreeSearch, "_fill", lambda self, texts: None)
    story = Story()
    for number in range(40):
        story.user(f"u{number}", f"a question about apples, number {number}")
    app = Host(story.session())
    async with app.run_test(size=(80, 20)) as pilot:
        await pilot.press("slash", *"apples")
        app.texts.cover(10)
        await until(pilot, lambda: "10 matches" in text(app))
        await pilot.press("up")
        assert app.selected == "u8"
        app.texts.cover(40)
        await until(pilot, lambda: "40 matches" in text(app))
        assert app.selected == "u8"
