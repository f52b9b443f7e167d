"""The picker: what it lists, where its cursor goes, what it says, and that typing never waits."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.app import App, ComposeResult
from textual.containers import Vertical

from pitree.catalog import matching
from pitree.catalog.info.info_cache import InfoCache
from pitree.catalog.info.session_info import SessionInfo
from pitree.catalog.loading import parallel_reader
from pitree.catalog.loading.lister import SessionList, list_all_sessions
from pitree.config import table
from pitree.config.config import Config
from pitree.pi.places import find_places, folder_name
from pitree.resources import styles_dir
from pitree.state.memory import Memory
from pitree.text.cells import cell_len
from pitree.ui.app import theme
from pitree.ui.picker import list_loader
from pitree.ui.picker.list_loader import ListRead, ListScope
from pitree.ui.picker.picker import SessionPicker
from pitree.ui.picker.session_rows import fit_path
from tests.support.infos import info
from tests.support.seeing import line_with, lines, text, until, words
from tests.support.stores import START, Store
from tests.support.waiting import PATIENCE

HOUR = 3_600_000
NOW = START + 24 * HOUR
"""The time at which the tests look."""

FAR = Path("/w/q")
"""A directory in whose name no query of a test stands, not even scattered, wherever the tests run."""


class Host(App[None]):
    CSS_PATH = sorted(styles_dir().glob("*.tcss"))
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, store: Store, cwd: str | Path, load: bool = True, **more: Any) -> None:
        super().__init__()
        self.register_theme(theme.DARK)
        self.theme = theme.DARK.name
        places = find_places(cwd, more.pop("session_dir", None), {"PI_CODING_AGENT_DIR": str(store.agent)})
        self.picker = SessionPicker(places, clock=lambda: NOW / 1000, **more)
        self.load = load
        self.opened: list[str] = []
        self.previewed: list[str] = []

    def compose(self) -> ComposeResult:
        with Vertical():
            yield self.picker

    def on_mount(self) -> None:
        self.picker.styles.width = "100%"
        self.picker.styles.min_width = 0
        self.picker.styles.max_width = "100%"
        self.picker.focus_target.focus()
        if self.load:
            self.picker.load()

    def on_session_picker_opened(self, message: SessionPicker.Opened) -> None:
        self.opened.append(message.path)

    def on_session_picker_previewed(self, message: SessionPicker.Previewed) -> None:
        self.previewed.append(message.path)

    @property
    def selected(self) -> str:
        """Id of the session under the cursor."""
        found = self.picker.selected
        return found.id if found is not None else ""

    @property
    def ids(self) -> list[str]:
        """Ids of the sessions listed, from the top."""
        rows = self.picker.rows.sessions
        return [found.id for at in range(len(rows)) if (found := rows.session(at)) is not None]


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """An empty store; the home folder is beside it."""
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "app").mkdir()
    return Store(tmp_path)


@pytest.fixture
def app_dir(tmp_path: Path) -> Path:
    """A project."""
    return tmp_path / "app"


def some(store: Store, cwd: Path, count: int) -> None:
    """Sessions `s0`, `s1`… of a directory, each an hour older than the one before."""
    for number in range(count):
        store.add(
            cwd, f"question {number}", f"answer {number}", id=f"s{number}", at=NOW - (number + 1) * HOUR
        )


class TestRows:
    async def test_title_messages_and_age_in_columns(self, store: Store, app_dir: Path) -> None:
        store.add(app_dir, "fix the\n\tlogin", "done", id="a", at=NOW - 3 * HOUR - 1000)
        store.add(app_dir, "hi", id="b", name="Refactor", at=NOW - 240 * HOUR)
        app = Host(store, app_dir)
        async with app.run_test(size=(60, 14)) as pilot:
            await until(pilot, lambda: app.ids == ["a", "b"])
            assert line_with(app, "fix the").strip("│ ").split() == ["›○", "fix", "the", "login", "2", "2h"]
            assert line_with(app, "Refactor").strip("│ ").split() == ["Refactor", "1", "1w"]
            ends = {len(line.rstrip("│ ")) for line in lines(app) if "2h" in line or "1w" in line}
            assert len(ends) == 1
            assert "Sessions · this folder" in lines(app)[0]
            assert "1 of 2" in text(app)

    async def test_without_messages_it_says_so(self, store: Store, app_dir: Path) -> None:
        store.add(app_dir, id="a")
        app = Host(store, app_dir)
        async with app.run_test(size=(60, 14)) as pilot:
            await until(pilot, lambda: line_with(app, "(no messages)"))

    async def test_forks_stand_under_their_parent(self, store: Store, app_dir: Path) -> None:
        parent = store.add(app_dir, "root", id="root")
        store.add(app_dir, "one", id="one", parent=parent)
        store.add(app_dir, "two", id="two", parent=parent)
        app = Host(store, app_dir)
        async with app.run_test(size=(60, 14)) as pilot:
            await until(pilot, lambda: app.ids == ["root", "two", "one"])
            assert "├─ two" in line_with(app, "two")
            assert "└─ one" in line_with(app, "one")

    @pytest.mark.parametrize("width", [30, 40, 62, 120])
    async def test_wide_and_joined_characters_stay_in_their_pane(
        self, store: Store, app_dir: Path, width: int
    ) -> None:
        store.add(app_dir, "hi", name="日本語👨‍👩‍👧‍👦क्षि" * 12, id="a", at=NOW - HOUR)
        store.add(app_dir, "plain " * 40, id="b", at=NOW - 2 * HOUR)
        app = Host(store, app_dir, config=Config().given({table.SCOPE: "all"}))
        async with app.run_test(size=(width, 14)) as pilot:
            await until(pilot, lambda: len(app.ids) == 2)
            strips = app.screen._compositor.render_strips(app.size)
            assert {strip.cell_length for strip in strips} == {width}
            assert line_with(app, "日本語").rstrip("│").endswith(" 59m ")

    async def test_at_any_width_no_line_leaves_the_pane_and_the_ages_stand_in_one_column(
        self, store: Store, app_dir: Path
    ) -> None:
        store.add(app_dir, "hi", name="日本語👨‍👩‍👧‍👦क्षि", id="a", at=NOW - HOUR)
        store.add(app_dir, "hi", name="日本語👨‍👩‍👧‍👦क्षि" * 3, id="b", at=NOW - 2 * HOUR)
        store.add(app_dir, "plain " * 40, id="c", at=NOW - 240 * HOUR)
        app = Host(store, app_dir, config=Config().given({table.SCOPE: "all"}))
        async with app.run_test(size=(40, 14)) as pilot:
            await until(pilot, lambda: len(app.ids) == 3)
            for width in range(40, 9, -1):
                await pilot.resize_terminal(width, 14)
                await until(pilot, lambda width=width: app.picker.size.width == width - 2)
                strips = app.screen._compositor.render_strips(app.size)
                assert {strip.cell_length for strip in strips} == {width}
                rows = [app.picker.rows.render_line(y) for y in range(app.picker.rows.size.height)]
                inside = app.picker.rows.scrollable_content_region.width
                assert {row.cell_length for row in rows} == {inside}
                aged = [row for row in rows if row.text.rstrip().endswith(("59m", "1h", "1w"))]
                assert len(aged) == 3 or (not aged and width < 30)
                assert {cell_len(row.text.rstrip()) for row in aged} <= {inside}

    async def test_control_characters_become_one_clean_line(self, store: Store, app_dir: Path) -> None:
        store.add(app_dir, "a\x1b[2J\x07\tb\rc\x9bd", id="a")
        app = Host(store, app_dir)
        async with app.run_test(size=(60, 22)) as pilot:
            await until(pilot, lambda: app.ids == ["a"])
            assert not [
                character for character in text(app) if character != "\n" and not character.isprintable()
            ]

    async def test_a_folder_that_is_gone_is_marked_with_the_way_on(
        self, store: Store, tmp_path: Path
    ) -> None:
        store.add(tmp_path / "nowhere", "hi", id="gone-1")
        app = Host(store, tmp_path / "nowhere")
        async with app.run_test(size=(80, 24)) as pilot:
            await until(pilot, lambda: app.ids == ["gone-1"])
            assert "⚠ hi (folder gone)" in line_with(app, "(folder gone)")
            assert "~/nowhere is gone. Continue elsewhere with: pi --fork gone-1" in words(app)
            await pilot.press("enter")
            assert len(app.opened) == 1

    async def test_the_open_session_is_marked(self, store: Store, app_dir: Path) -> None:
        some(store, app_dir, 3)
        app = Host(store, app_dir)
        async with app.run_test(size=(60, 14)) as pilot:
            await until(pilot, lambda: len(app.ids) == 3)
            await pilot.press("down", "enter")
            assert [Path(path).name.endswith("_s1.jsonl") for path in app.opened] == [True]
            assert "›○ • question 1" in line_with(app, "question 1")


class TestScope:
    async def test_all_shows_the_folders(self, store: Store, app_dir: Path, tmp_path: Path) -> None:
        store.add(app_dir, "here", id="a", at=NOW - HOUR)
        store.add(tmp_path / "src/elsewhere", "there", id="b", at=NOW - 2 * HOUR)
        app = Host(store, app_dir)
        async with app.run_test(size=(70, 14)) as pilot:
            await until(pilot, lambda: app.ids == ["a"])
            await pilot.press("a")
            await until(pilot, lambda: app.ids == ["a", "b"])
            assert "Sessions · all" in lines(app)[0]
            assert "~/app" in line_with(app, "here")
            assert "~/src/elsewhere" in line_with(app, "there")
            await pilot.press("a")
            await until(pilot, lambda: app.ids == ["a"])

    async def test_an_empty_folder_says_the_way_out_and_stays(self, store: Store, app_dir: Path) -> None:
        app = Host(store, app_dir)
        async with app.run_test(size=(70, 14)) as pilot:
            await until(pilot, lambda: "No sessions of ~/app. Tab or a" in words(app))
            assert "pitree --demo" in words(app)
            assert str(store.root.relative_to(app_dir.parent)) in words(app)
            await pilot.press("tab")
            await until(pilot, lambda: "in the folders of ~/agent/sessions." in words(app))
            await pilot.press("enter")
            assert app.opened == []
            assert app.picker.scope is ListScope.ALL

    async def test_tab_goes_elsewhere_once_there_are_rows(self, store: Store, app_dir: Path) -> None:
        some(store, app_dir, 2)
        app = Host(store, app_dir)
        async with app.run_test(size=(70, 14)) as pilot:
            await until(pilot, lambda: len(app.ids) == 2)
            await pilot.press("tab")
            assert app.picker.scope is ListScope.FOLDER

    async def test_a_custom_folder_is_read(self, store: Store, app_dir: Path, tmp_path: Path) -> None:
        store.add(app_dir, "mine", folder=tmp_path / "flat", id="a")
        store.add("/w/other", "other", folder=tmp_path / "flat", id="b")
        app = Host(store, app_dir, session_dir=str(tmp_path / "flat"))
        async with app.run_test(size=(70, 14)) as pilot:
            await until(pilot, lambda: app.ids == ["a"])
            await pilot.press("a")
            await until(pilot, lambda: sorted(app.ids) == ["a", "b"])


class TestSearch:
    async def test_a_changed_query_selects_the_best_hit_and_the_caret_does_not(self, store: Store) -> None:
        some(store, FAR, 8)
        store.add(FAR, "x", name="qux bar", id="name", at=NOW - 50 * HOUR)
        store.add(FAR, "a qux in the text", id="text", at=NOW - 10_000)
        app = Host(store, FAR)
        async with app.run_test(size=(60, 20)) as pilot:
            await until(pilot, lambda: len(app.ids) == 10)
            await pilot.press("down", "down", "down", "down", "down", "slash", "q", "u", "x")
            await until(pilot, lambda: app.ids == ["name", "text"])
            assert app.selected == "name"
            assert "2 matches" in text(app)
            await pilot.press("down")
            assert app.selected == "text"
            await pilot.press("left", "end", "space")
            await until(pilot, lambda: not app.picker._arranger._busy)
            assert app.selected == "text"
            await pilot.press("enter")
            assert [Path(path).name.endswith("_text.jsonl") for path in app.opened] == [True]

    async def test_letters_are_letters_in_the_box(self, store: Store) -> None:
        some(store, FAR, 2)
        app = Host(store, FAR)
        async with app.run_test(size=(60, 14)) as pilot:
            await until(pilot, lambda: len(app.ids) == 2)
            await pilot.press("slash", "a", "t", "r", "q", "j")
            assert app.picker.search_box.text == "atrqj"
            assert app.picker.scope is ListScope.FOLDER
            await until(pilot, lambda: "No session matches atrqj." in words(app))
            assert "Esc clears the search" in words(app)
            await pilot.press("tab")
            assert app.picker.scope is ListScope.ALL
            await pilot.press("escape")
            await until(pilot, lambda: len(app.ids) == 2)

    async def test_escape_in_the_list_clears_first(self, store: Store) -> None:
        some(store, FAR, 3)
        app = Host(store, FAR)
        async with app.run_test(size=(60, 14)) as pilot:
            await until(pilot, lambda: len(app.ids) == 3)
            await pilot.press("slash", "1")
            await until(pilot, lambda: app.ids == ["s1"])
            app.picker.rows.focus()
            await pilot.press("escape")
            await until(pilot, lambda: len(app.ids) == 3)
            assert app.picker.check_action("clear", ()) is False

    async def test_a_bad_pattern_says_what_is_wrong(self, store: Store) -> None:
        some(store, FAR, 2)
        app = Host(store, FAR)
        async with app.run_test(size=(70, 14)) as pilot:
            await until(pilot, lambda: len(app.ids) == 2)
            app.picker.search_box.text = "re:("
            await until(pilot, lambda: "bad pattern" in text(app))
            assert app.ids == []
            assert "a ( is never closed" in words(app)
            app.picker.search_box.text = "re:1|zzz"
            await until(pilot, lambda: app.ids == ["s1"])

    async def test_hits_in_titles_are_marked(self, store: Store) -> None:
        store.add(FAR, "look for the Needle here", id="a")
        app = Host(store, FAR)
        async with app.run_test(size=(60, 14)) as pilot:
            await until(pilot, lambda: app.ids == ["a"])
            app.picker.search_box.text = "needle"
            await until(pilot, lambda: app.picker.rows.shown.query.words == ("needle",))
            strip = app.picker.rows.render_row(0, 58, False, False)
            assert [segment.text for segment in strip if segment.style and segment.style.underline] == [
                "Needle"
            ]

    async def test_text_that_was_not_kept_is_searched_in_the_files(
        self, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(parallel_reader, "TEXT_KEPT", 0)
        some(store, FAR, 5)
        app = Host(store, FAR)
        async with app.run_test(size=(60, 14)) as pilot:
            await until(pilot, lambda: len(app.ids) == 5)
            app.picker.search_box.text = '"answer 3"'
            await until(pilot, lambda: app.ids == ["s3"])

    async def test_with_a_cache_no_session_is_read_until_somebody_searches(
        self, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("pitree.session.storage.line_reader.SETTLED_AFTER", -(10**12))
        some(store, FAR, 5)
        kept = InfoCache(tmp_path / "cache" / "sessions.sqlite3")
        await list_all_sessions(store.root / folder_name(str(FAR)), cache=kept)
        await asyncio.to_thread(kept.finish, 60)
        monkeypatch.setattr(parallel_reader, "read_info", None)
        app = Host(store, FAR, cache=kept)
        async with app.run_test(size=(60, 14)) as pilot:
            await until(pilot, lambda: len(app.ids) == 5)
            app.picker.search_box.text = '"answer 3"'
            await until(pilot, lambda: app.ids == ["s3"])


class TestOrder:
    async def test_sort_named_forks_and_paths(self, store: Store, app_dir: Path) -> None:
        parent = store.add(app_dir, "root", id="root", at=NOW - 9 * HOUR)
        store.add(app_dir, "fork", id="fork", parent=parent, at=NOW - 1 * HOUR, name="The fork")
        store.add(app_dir, "lone", id="lone", at=NOW - 5 * HOUR)
        app = Host(store, app_dir)
        async with app.run_test(size=(80, 24)) as pilot:
            await until(pilot, lambda: app.ids == ["root", "fork", "lone"])
            await pilot.press("ctrl+s")
            await until(pilot, lambda: app.ids == ["fork", "lone", "root"])
            assert "Sessions · this folder · recent" in lines(app)[0]
            await pilot.press("ctrl+s", "ctrl+s", "t")
            await until(pilot, lambda: app.ids == ["root", "lone"])
            assert "root +1" in text(app)
            await pilot.press("t", "ctrl+n")
            await until(pilot, lambda: app.ids == ["fork"])
            assert "· named" in lines(app)[0]
            await pilot.press("ctrl+n", "P")
            await until(pilot, lambda: len(app.ids) == 3)
            assert "_root.jsonl" in "".join(words(app).split())
            assert app.selected == "root" or "_fork.jsonl" in text(app)

    async def test_it_is_remembered_that_forks_are_folded(
        self, store: Store, app_dir: Path, tmp_path: Path
    ) -> None:
        file = tmp_path / "state/choices.json"
        parents = [store.add(app_dir, "root", id=f"root{number}") for number in range(2)]
        for number in range(9):
            store.add(app_dir, "child", id=f"c{number}", parent=parents[0])
        app = Host(store, app_dir, memory=Memory(file))
        async with app.run_test(size=(60, 24)) as pilot:
            await until(pilot, lambda: len(app.ids) == 11)
            await pilot.press("t")
            await until(pilot, lambda: sorted(app.ids) == ["root0", "root1"] and file.exists())
            assert "root +9" in text(app)
        again = Host(store, app_dir, memory=Memory(file))
        async with again.run_test(size=(60, 24)) as pilot:
            await until(pilot, lambda: len(again.ids) == 2)

    async def test_named_only_without_names_says_the_way_out(self, store: Store, app_dir: Path) -> None:
        some(store, app_dir, 1)
        app = Host(store, app_dir)
        async with app.run_test(size=(70, 14)) as pilot:
            await until(pilot, lambda: len(app.ids) == 1)
            await pilot.press("ctrl+n")
            await until(pilot, lambda: "No session has a name. ^n: all sessions" in words(app))


class TestSelection:
    async def test_it_stays_on_its_session_when_others_come_and_go(self, store: Store, app_dir: Path) -> None:
        some(store, app_dir, 10)
        app = Host(store, app_dir)
        async with app.run_test(size=(60, 30)) as pilot:
            await until(pilot, lambda: len(app.ids) == 10)
            await pilot.press("down", "down")
            assert app.selected == "s2"
            store.add(app_dir, "new", id="new", at=NOW - 1000)
            app.picker.reload()
            await until(pilot, lambda: len(app.ids) == 11)
            assert app.selected == "s2"
            Path(app.picker.rows.selected_path).unlink()
            app.picker.reload()
            await until(pilot, lambda: len(app.ids) == 10)
            assert app.selected == "s3"

    async def test_until_it_was_moved_it_stays_at_the_top(self, store: Store, app_dir: Path) -> None:
        some(store, app_dir, 3)
        app = Host(store, app_dir)
        async with app.run_test(size=(60, 30)) as pilot:
            await until(pilot, lambda: len(app.ids) == 3)
            store.add(app_dir, "new", id="new", at=NOW - 1000)
            app.picker.reload()
            await until(pilot, lambda: len(app.ids) == 4)
            assert app.selected == "new"

    async def test_a_session_that_has_not_come_yet_is_waited_for(self, store: Store, app_dir: Path) -> None:
        every = [info(f"s{number}", modified=NOW - number * HOUR) for number in range(6)]
        app = Host(store, app_dir, load=False)

        def read(*numbers: int, done: bool = False) -> None:
            some = SessionList(every[number] for number in numbers)
            app.picker.post_message(ListRead(ListScope.FOLDER, len(some), 6, some, done))

        async with app.run_test(size=(60, 30)) as pilot:
            read(1, 2, 4)
            await until(pilot, lambda: len(app.ids) == 3)
            await pilot.press("down", "down")
            assert app.selected == "s4"
            read(1, 2, 3)
            await until(pilot, lambda: app.ids == ["s1", "s2", "s3"])
            read(0, 1, 2, 3, 4, 5, done=True)
            await until(pilot, lambda: len(app.ids) == 6)
            assert app.selected == "s4"

    async def test_a_session_deleted_while_the_list_is_read_gives_way_to_the_next(
        self, store: Store, app_dir: Path
    ) -> None:
        every = [info(f"s{number}", modified=NOW - number * HOUR) for number in range(14)]
        app = Host(store, app_dir, load=False)

        def read(infos: list[SessionInfo], done: bool = False) -> None:
            app.picker.post_message(ListRead(ListScope.FOLDER, len(infos), 14, SessionList(infos), done))

        async with app.run_test(size=(60, 30)) as pilot:
            read(every[:10])
            await until(pilot, lambda: len(app.ids) == 10)
            await pilot.press("down", "down")
            assert app.selected == "s2"
            left = [info for info in every if info.id != "s2"]
            read(left[:10])
            await until(pilot, lambda: "s2" not in app.ids)
            assert app.selected == "s3"
            read(left, done=True)
            await until(pilot, lambda: len(app.ids) == 13)
            assert app.selected == "s3"


class TestPreview:
    async def test_first_and_last_exchange(self, store: Store, app_dir: Path) -> None:
        store.add(
            app_dir,
            "first question",
            "first answer",
            "middle",
            "middle",
            "last question",
            "last answer",
            id="a",
        )
        app = Host(store, app_dir)
        async with app.run_test(size=(62, 22)) as pilot:
            exchange = "user first question pi first answer ⋯ user last question pi last answer"
            await until(pilot, lambda: exchange in words(app))
            seen = words(app)
            assert "middle" not in seen
            assert "6 messages" in seen
            await until(pilot, lambda: bool(app.previewed))
            assert app.previewed[-1].endswith("_a.jsonl")

    async def test_it_follows_the_cursor(self, store: Store, app_dir: Path) -> None:
        some(store, app_dir, 3)
        app = Host(store, app_dir)
        async with app.run_test(size=(62, 22)) as pilot:
            await until(pilot, lambda: len(app.ids) == 3)
            await until(pilot, lambda: "user question 0 pi answer 0" in words(app))
            await pilot.press("down")
            await until(pilot, lambda: "user question 1 pi answer 1" in words(app))
            assert "answer 0" not in text(app)

    async def test_a_low_pane_has_none(self, store: Store, app_dir: Path) -> None:
        some(store, app_dir, 3)
        app = Host(store, app_dir)
        async with app.run_test(size=(40, 12)) as pilot:
            await until(pilot, lambda: len(app.ids) == 3)
            assert "answer 0" not in text(app)
            assert "question 2" in text(app)


class TestReading:
    async def test_strangers_are_counted_and_named(self, store: Store, app_dir: Path) -> None:
        folder = store.add(app_dir, "hi", id="a").parent
        (folder / "README.jsonl").write_text("# hi")
        (folder / "empty.jsonl").write_text("")
        app = Host(store, app_dir)
        async with app.run_test(size=(70, 22)) as pilot:
            await until(pilot, lambda: "! 2 skipped" in text(app))
            await pilot.press("exclamation_mark")
            await until(pilot, lambda: "it has no session header" in words(app))
            assert "empty.jsonl: it is empty" in words(app)

    async def test_broken_settings_are_told(self, store: Store, app_dir: Path) -> None:
        (store.agent / "settings.json").write_text("{\n oops")
        some(store, app_dir, 1)
        app = Host(store, app_dir)
        async with app.run_test(size=(70, 22)) as pilot:
            await until(pilot, lambda: "! settings" in text(app))
            await pilot.press("exclamation_mark")
            await until(pilot, lambda: "settings.json, line 2" in words(app))

    async def test_rows_are_there_and_typing_works_while_the_rest_is_read(
        self, store: Store, app_dir: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        ready = asyncio.Event()

        async def slowly(on_progress: Callable[..., None], **more: object) -> SessionList:
            first = SessionList([info("first", "needle", modified=NOW - HOUR)])
            on_progress(1, 300, first)
            await ready.wait()
            return SessionList([*first, info("last", "needle", modified=NOW - 2 * HOUR)])

        monkeypatch.setattr(list_loader, "list_sessions", slowly)
        app = Host(store, app_dir)
        async with app.run_test(size=(60, 22)) as pilot:
            await until(pilot, lambda: app.ids == ["first"])
            assert "reading 1 of 300" in text(app)
            await pilot.press("slash", "n", "e", "e")
            await until(pilot, lambda: "1 match" in text(app))
            ready.set()
            await until(pilot, lambda: app.ids == ["first", "last"])
            assert "reading" not in text(app)

    async def test_a_slow_search_delays_no_key(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        some(store, FAR, 3)
        search = matching.search

        may_end = threading.Event()

        def slow(*arguments: Any) -> Any:
            assert may_end.wait(PATIENCE)
            yield from search(*arguments)

        monkeypatch.setattr(matching, "search", slow)
        app = Host(store, FAR)
        async with app.run_test(size=(60, 22)) as pilot:
            await until(pilot, lambda: len(app.ids) == 3)
            await pilot.press("slash")
            await pilot.press("1")
            assert app.picker.search_box.text == "1"
            assert len(app.ids) == 3
            may_end.set()
            await until(pilot, lambda: app.ids == ["s1"])

    async def test_looking_alters_nothing(self, store: Store, app_dir: Path) -> None:
        some(store, app_dir, 3)
        files = sorted(store.root.rglob("*"))
        before = [(path, os.stat(path).st_mtime_ns, os.stat(path).st_size) for path in files]
        app = Host(store, app_dir)
        async with app.run_test(size=(60, 22)) as pilot:
            await until(pilot, lambda: len(app.ids) == 3)
            await pilot.press("a", "ctrl+s", "ctrl+n", "P", "t", "r", "slash", "1", "enter")
        assert before == [(path, os.stat(path).st_mtime_ns, os.stat(path).st_size) for path in files]
        assert files == sorted(store.root.rglob("*"))


@pytest.mark.parametrize(
    ("width", "fitted"),
    [
        (40, "~/src/infra/terraform"),
        (21, "~/src/infra/terraform"),
        (20, "…/infra/terraform"),
        (12, "…/terraform"),
        (9, "terraform"),
        (6, "terra…"),
    ],
)
def test_of_a_path_the_end_is_kept(width: int, fitted: str) -> None:
    assert fit_path("~/src/infra/terraform", width) == fitted
