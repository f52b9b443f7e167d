"""The picker while others write: sessions come, grow, go and change their state; the reader's place stays."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from textual.pilot import Pilot

from pitree.catalog.info import info_cache
from pitree.catalog.info.info_cache import InfoCache
from pitree.catalog.loading import parallel_reader
from pitree.pi.places import session_file
from pitree.ui.app.app import PitreeApp
from pitree.ui.app.options import AppOptions
from pitree.ui.picker import live_list
from pitree.ui.picker.live_list import FilesInUse
from pitree.ui.picker.picker import SessionPicker
from tests.support.seeing import line_with, lines, text, until, until_after, words
from tests.support.stores import Store, encode, records
from tests.support.waiting import PATIENCE
from tests.ui.picker.test_picker import HOUR, NOW, Host, app_dir, some, store

__all__ = ["app_dir", "store"]

MINUTE = 60_000


class Live:
    """The picker on a store of sessions `s0`, `s1`…, each an hour older than the one before."""

    def __init__(self, app: Host, pilot: Pilot[Any], store: Store) -> None:
        self.app = app
        self.pilot = pilot
        self.store = store

    def path(self, id: str) -> Path:
        """The file of a session."""
        (found,) = self.store.root.rglob(f"*_{id}.jsonl")
        return found

    def changed(self, *paths: Path) -> None:
        """Tell the picker that these files may have changed."""
        self.app.picker.files_changed(set(map(str, paths)))

    def say(self, id: str, *says: str, at: int = NOW - 30_000, **message: Any) -> None:
        """Append messages to a session; `message` is put into the last one."""
        found = records("x", "/", *says, at=at - 1000 * len(says))[1:]
        found[-1]["message"] |= message
        self.append(id, encode(found))

    def append(self, id: str, data: bytes) -> None:
        """Append bytes to a session."""
        path = self.path(id)
        with path.open("ab") as file:
            file.write(data)
        self.changed(path)

    def rename(self, id: str, name: str) -> None:
        """Give a session a name."""
        self.append(id, encode(records("x", "/", at=NOW - 1000, name=name)[1:]))

    async def until(self, holds: Callable[[], object]) -> None:
        await until(self.pilot, holds)

    async def settled(self) -> None:
        """Wait until nothing is left to be done for the list."""
        live, arranger = self.app.picker._live, self.app.picker._arranger
        await self.until(
            lambda: (
                not (live._pending or live._looking or live._looking_big or live._timer or live._doubts)
                and not arranger._busy
            )
        )
        await self.pilot.pause()

    @property
    def cursor_line(self) -> int:
        """The line of the screen the cursor is on."""
        return next(at for at, line in enumerate(lines(self.app)) if line.startswith("│›"))


@asynccontextmanager
async def running(
    store: Store, cwd: Path, count: int, size: tuple[int, int] = (60, 30), cache: InfoCache | None = None
) -> AsyncIterator[Live]:
    some(store, cwd, count)
    count = len(list(store.root.rglob("*.jsonl")))
    app = Host(store, cwd, cache=cache)
    async with app.run_test(size=size) as pilot:
        await until(pilot, lambda: len(app.ids) == count and not app.picker._lists.reading)
        live = Live(app, pilot, store)
        await live.settled()
        yield live


class TestRows:
    async def test_a_new_session_appears_on_top(self, store: Store, app_dir: Path) -> None:
        async with running(store, app_dir, 3) as live:
            live.changed(store.add(app_dir, "brand new", id="new", at=NOW - 2000))
            await live.until(lambda: live.app.ids == ["new", "s0", "s1", "s2"])
            assert "now" in line_with(live.app, "brand new")
            assert live.app.selected == "s0"

    async def test_the_first_session_of_all_is_selected(self, store: Store, app_dir: Path) -> None:
        async with running(store, app_dir, 0) as live:
            live.changed(store.add(app_dir, "brand new", id="new"))
            await live.until(lambda: live.app.selected == "new")
            assert live.app.previewed[-1].endswith("_new.jsonl")

    async def test_count_age_and_order_follow_the_talk(self, store: Store, app_dir: Path) -> None:
        async with running(store, app_dir, 5) as live:
            await live.pilot.press("down")
            live.say("s3", "and this?", "done", at=NOW - 5 * MINUTE)
            await live.until(lambda: live.app.ids == ["s3", "s0", "s1", "s2", "s4"])
            assert line_with(live.app, "question 3").strip("│ ").split() == ["○", "question", "3", "4", "5m"]
            assert live.app.selected == "s1"

    async def test_renaming_shows_the_name_and_moves_nothing(self, store: Store, app_dir: Path) -> None:
        async with running(store, app_dir, 5) as live:
            live.rename("s3", "A name")
            await live.until(lambda: line_with(live.app, "A name"))
            assert live.app.ids == ["s0", "s1", "s2", "s3", "s4"]
            assert "question 3" not in text(live.app)
            live.rename("s3", "")
            await live.until(lambda: line_with(live.app, "question 3"))

    async def test_touching_and_opening_move_nothing(self, store: Store, app_dir: Path) -> None:
        async with running(store, app_dir, 5) as live:
            os.utime(live.path("s3"), (NOW / 1000, NOW / 1000))
            live.changed(live.path("s3"))
            await live.pilot.press("down", "down", "enter")
            await live.settled()
            assert live.app.ids == ["s0", "s1", "s2", "s3", "s4"]
            assert live.app.opened == [str(live.path("s2"))]

    async def test_an_empty_file_becomes_a_session_with_its_header(self, store: Store, app_dir: Path) -> None:
        async with running(store, app_dir, 2) as live:
            path = store.add(app_dir, "late", id="late", at=NOW - 1000)
            data = path.read_bytes()
            path.write_bytes(b"")
            live.changed(path)
            await live.until(lambda: "! 1 skipped" in text(live.app))
            path.write_bytes(data[:40])
            live.changed(path)
            await live.settled()
            assert live.app.ids == ["s0", "s1"]
            path.write_bytes(data)
            live.changed(path)
            await live.until(lambda: live.app.ids == ["late", "s0", "s1"])
            assert "skipped" not in text(live.app)

    async def test_half_a_line_changes_nothing(self, store: Store, app_dir: Path) -> None:
        async with running(store, app_dir, 3) as live:
            line = encode(records("x", "/", "Grüße", at=NOW - 2000)[1:])
            cut = line.index("ü".encode()) + 1
            live.append("s2", line[:cut])
            await live.settled()
            assert live.app.ids == ["s0", "s1", "s2"]
            live.append("s2", line[cut:])
            await live.until(lambda: live.app.ids == ["s2", "s0", "s1"])

    async def test_a_fork_stands_under_its_parent_at_once(self, store: Store, app_dir: Path) -> None:
        async with running(store, app_dir, 3) as live:
            live.changed(store.add(app_dir, "forked", id="fork", parent=live.path("s1"), at=NOW - 1000))
            await live.until(lambda: live.app.ids == ["s1", "fork", "s0", "s2"])
            assert "└─ forked" in line_with(live.app, "forked")

    async def test_sessions_of_other_folders_only_in_the_scope_of_all(
        self, store: Store, app_dir: Path, tmp_path: Path
    ) -> None:
        async with running(store, app_dir, 2) as live:
            live.changed(store.add(tmp_path / "other", "elsewhere", id="other", at=NOW - 1000))
            await live.settled()
            assert live.app.ids == ["s0", "s1"]
            await live.pilot.press("a")
            await live.until(lambda: live.app.ids == ["other", "s0", "s1"])
            live.say("other", "more")
            live.say("s1", "more")
            await live.until(lambda: live.app.ids == ["s1", "other", "s0"] or "s1" in live.app.ids[:2])
            await live.settled()
            await live.pilot.press("a")
            await live.until(lambda: live.app.ids == ["s1", "s0"])


class TestPlace:
    """What can move a list under its reader."""

    async def test_a_deleted_row_gives_way_to_the_one_below_while_others_grow(
        self, store: Store, app_dir: Path
    ) -> None:
        async with running(store, app_dir, 10) as live:
            await live.pilot.press("down", "down")
            assert live.app.selected == "s2"
            for number in range(4, 9):
                live.say(f"s{number}", "more", at=NOW - 10 * HOUR)
            path = live.path("s2")
            path.unlink()
            live.changed(path)
            live.say("s9", "more")
            await live.until(lambda: "s2" not in live.app.ids)
            assert live.app.selected == "s3"
            live.say("s0", "more")
            await live.settled()
            assert live.app.selected == "s3"

    async def test_a_renamed_file_keeps_the_cursor(self, store: Store, app_dir: Path) -> None:
        async with running(store, app_dir, 5) as live:
            await live.pilot.press("down", "down")
            path = live.path("s2")
            other = path.rename(path.with_name("0_moved.jsonl"))
            live.changed(path, other)
            await live.until(lambda: live.app.picker.rows.selected_path == str(other))
            assert live.app.selected == "s2"
            assert live.app.ids == ["s0", "s1", "s2", "s3", "s4"]

    async def test_a_file_that_is_being_rewritten_stays(
        self, store: Store, app_dir: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(live_list, "DOUBT", 1.0)
        async with running(store, app_dir, 5) as live:
            await live.pilot.press("down", "down")
            path = live.path("s2")
            data = path.read_bytes()
            path.unlink()
            live.changed(path)
            await live.until(lambda: live.app.picker._live._doubts)
            assert live.app.ids == ["s0", "s1", "s2", "s3", "s4"]
            path.write_bytes(data.replace(b"question 2", b"rewritten!"))
            live.changed(path)
            await live.until(lambda: line_with(live.app, "rewritten!"))
            await live.settled()
            assert live.app.selected == "s2"
            assert live.app.ids == ["s0", "s1", "s2", "s3", "s4"]

    async def test_the_line_of_the_cursor_stays_when_the_list_is_scrolled(
        self, store: Store, app_dir: Path
    ) -> None:
        async with running(store, app_dir, 60, size=(60, 14)) as live:
            live.app.picker.rows.cursor = 40
            await live.pilot.press("up", "up")
            selected, line = live.app.selected, live.cursor_line
            for number in (50, 51, 59):
                live.say(f"s{number}", "more", at=NOW - number)
            live.changed(store.add(app_dir, "new", id="new", at=NOW - 500))
            await live.until(lambda: live.app.ids[:2] == ["new", "s50"] and live.app.ids[3] == "s59")
            assert (live.app.selected, live.cursor_line) == (selected, line)

    async def test_what_is_in_sight_stays_when_the_cursor_is_not(self, store: Store, app_dir: Path) -> None:
        async with running(store, app_dir, 60, size=(60, 14)) as live:
            await live.pilot.press("down")
            live.app.picker.rows.scroll_to(y=30, animate=False)
            await live.pilot.pause()
            before = [line[:50] for line in lines(live.app)[3:12]]  # without the scrollbar
            live.changed(store.add(app_dir, "new", id="new", at=NOW - 5000))
            live.say("s59", "more", at=NOW - 400)
            await live.until(lambda: live.app.ids[:2] == ["s59", "new"])
            assert [line[:50] for line in lines(live.app)[3:12]] == before
            assert live.app.selected == "s1"

    async def test_at_the_top_the_top_stays_in_sight(self, store: Store, app_dir: Path) -> None:
        async with running(store, app_dir, 60, size=(60, 14)) as live:
            await live.pilot.press("down", "down")
            live.changed(store.add(app_dir, "brand new", id="new", at=NOW - 500))
            await live.until(lambda: line_with(live.app, "brand new"))
            assert live.app.selected == "s2"

    async def test_the_open_session_keeps_its_mark(self, store: Store, app_dir: Path) -> None:
        async with running(store, app_dir, 4) as live:
            await live.pilot.press("down", "enter")
            live.say("s3", "more")
            await live.until(lambda: live.app.ids[0] == "s3")
            assert "• question 1" in line_with(live.app, "question 1")


class TestKept:
    async def test_what_came_is_kept_for_the_next_start(
        self, store: Store, app_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(info_cache, "QUIET", 0.0)
        monkeypatch.setattr("pitree.session.storage.line_reader.SETTLED_AFTER", -(10**12))
        kept = tmp_path / "cache" / "sessions.sqlite3"
        async with running(store, app_dir, 3, cache=InfoCache(kept)) as live:
            grown, gone = live.path("s1"), live.path("s2")
            at_first = [session_file(str(path)) for path in (grown, gone)]
            await live.until(lambda: len(InfoCache(kept).find(at_first)) == 2)
            live.say("s1", "and this?", "done")
            now = session_file(str(grown))
            await live.until(
                lambda: [info.message_count for info in InfoCache(kept).find([now]).values()] == [4]
            )
            gone.unlink()
            live.changed(gone)
            await live.until(lambda: not InfoCache(kept).find(at_first[1:]))


class TestQuery:
    @pytest.mark.parametrize("kept", [0, 1 << 20])
    async def test_it_keeps_applying(
        self, store: Store, app_dir: Path, monkeypatch: pytest.MonkeyPatch, kept: int
    ) -> None:
        monkeypatch.setattr(parallel_reader, "TEXT_KEPT", kept)
        async with running(store, app_dir, 6) as live:
            live.app.picker.search_box.text = "zebra"
            await live.until(lambda: "No session matches zebra." in words(live.app))
            live.say("s4", "a zebra")
            await live.until(lambda: live.app.ids == ["s4"])
            live.say("s2", "nothing")
            live.changed(store.add(app_dir, "the zebra", id="new", at=NOW - 500))
            await live.until(lambda: sorted(live.app.ids) == ["new", "s4"])
            assert live.app.selected == "s4"
            await live.until(lambda: "2 matches" in text(live.app))
            path = live.path("new")
            path.unlink()
            live.changed(path)
            await live.until(lambda: live.app.ids == ["s4"])

    async def test_named_only_keeps_applying(self, store: Store, app_dir: Path) -> None:
        async with running(store, app_dir, 4) as live:
            await live.pilot.press("ctrl+n")
            await live.until(lambda: live.app.ids == [])
            live.rename("s2", "Named")
            await live.until(lambda: live.app.ids == ["s2"])
            live.say("s0", "more")
            await live.settled()
            assert live.app.ids == ["s2"]


class TestState:
    async def test_the_mark_follows_the_last_message(self, store: Store, app_dir: Path) -> None:
        async with running(store, app_dir, 3) as live:
            for message, sign, told in [
                ({"role": "user"}, "●", "● working"),
                ({"role": "assistant", "stopReason": "error"}, "✗", "✗ ended with an error"),
                ({"role": "toolResult"}, "●", "● working"),
                ({"role": "assistant", "stopReason": "aborted"}, "◌", "◌ aborted"),
                ({"role": "assistant", "stopReason": "stop"}, "○", "○ waiting for you"),
            ]:
                live.say("s0", "x", **message)
                await live.until(
                    lambda sign=sign: f"│›{sign} question 0" in line_with(live.app, "question 0")
                )
                assert told in words(live.app)

    async def test_working_turns_into_stale_without_reading(
        self, store: Store, app_dir: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        now = [NOW]
        async with running(store, app_dir, 2) as live:
            live.say("s0", "go on", at=NOW - 1000)
            await live.until(lambda: "›● question 0" in line_with(live.app, "question 0"))
            monkeypatch.setattr(live.app.picker.rows, "_clock", lambda: now[0] / 1000)
            monkeypatch.setattr(os, "stat", None)
            now[0] += 31 * MINUTE
            live.app.picker._grow_older()
            monkeypatch.undo()
            monkeypatch.setattr(live.app.picker.rows, "_clock", lambda: now[0] / 1000)
            await live.until(lambda: "›… question 0" in line_with(live.app, "question 0"))
            assert line_with(live.app, "question 0").rstrip("│ ").endswith("31m")
            assert "… stale" in words(live.app)
            now[0] += 30 * HOUR
            live.app.picker._grow_older()
            await live.until(lambda: "›  question 0" in line_with(live.app, "question 0"))
            assert "… stale" not in words(live.app)

    async def test_fault_27_a_session_left_long_ago_bears_no_mark(self, store: Store, app_dir: Path) -> None:
        store.add(app_dir, "ancient", "answer", id="old", at=NOW - 40 * 24 * HOUR)
        async with running(store, app_dir, 0) as live:
            await live.until(lambda: live.app.ids == ["old"])
            assert "│›  ancient" in line_with(live.app, "ancient")
            assert "waiting" not in words(live.app)
            status = live.path("old").stat()
            live.app.picker.post_message(FilesInUse(frozenset({(status.st_dev, status.st_ino)}), 0.0))
            await live.until(lambda: "│›○ ancient (open in Pi)" in line_with(live.app, "ancient"))
            assert "○ waiting for you · open in Pi" in words(live.app)

    async def test_files_in_use_are_looked_for_while_the_list_is_seen(
        self, store: Store, app_dir: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        looks: list[None] = []

        def look() -> frozenset[tuple[int, int]]:
            looks.append(None)
            return frozenset()

        monkeypatch.setattr(live_list, "files_in_use", look)
        monkeypatch.setattr(live_list, "IN_USE_EVERY", 0.05)
        async with running(store, app_dir, 1) as live:
            await live.until(lambda: len(looks) >= 3)
            live.app.picker.display = False
            in_use = live.app.picker._in_use
            await live.until(lambda: in_use._timer is None and not in_use._looking)
            seen = len(looks)
            await until_after(live.pilot, 3 * live_list.IN_USE_EVERY)
            assert len(looks) == seen


class TestPace:
    async def test_however_fast_files_grow_the_list_is_drawn_four_times_a_second_at_most(
        self, store: Store, app_dir: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async with running(store, app_dir, 10) as live:
            picker, now = live.app.picker, 1e9
            # As the clock stands still, each look but the first is due a whole while after the one before.
            clock = SimpleNamespace(monotonic=lambda: now, perf_counter=time.perf_counter)
            monkeypatch.setattr(live_list, "time", clock)
            drawn, looks, waits = [0], [0], []
            show, look, set_timer = picker.rows.show, picker._live._updater.look, picker.set_timer

            def counted(counts: list[int], deed: Callable[..., Any]) -> Callable[..., Any]:
                def do(*args: Any, **more: Any) -> Any:
                    counts[0] += 1
                    return deed(*args, **more)

                return do

            def timed(wait: float, callback: Any) -> Any:
                if callback == picker._live._look:
                    waits.append(wait)
                return set_timer(wait, callback)

            monkeypatch.setattr(picker.rows, "show", counted(drawn, show))
            monkeypatch.setattr(picker._live._updater, "look", counted(looks, look))
            monkeypatch.setattr(picker, "set_timer", timed)
            rounds = 0

            def grow() -> bool:
                nonlocal rounds
                rounds += 1
                for number in range(10):
                    live.say(f"s{number}", "more")
                return drawn[0] >= 4 and rounds > 20

            await live.until(grow)
            await live.settled()
            assert set(waits) == {live_list.LOOK_EVERY}
            assert live_list.LOOK_EVERY == 0.25
            assert looks[0] == 1 + len(waits)
            assert 4 <= drawn[0] <= looks[0]
            assert all(info.message_count > 20 for info in picker._lists.known().values())

    async def test_a_hidden_list_does_nothing_and_catches_up(
        self, store: Store, app_dir: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async with running(store, app_dir, 3) as live:
            live.app.picker.display = False
            await live.pilot.pause()
            look = live.app.picker._live._updater.look
            monkeypatch.setattr(live.app.picker._live._updater, "look", None)
            live.say("s2", "more")
            await until_after(live.pilot, live_list.LOOK_EVERY)
            assert live.app.ids == ["s0", "s1", "s2"]
            monkeypatch.setattr(live.app.picker._live._updater, "look", look)
            live.app.picker.display = True
            await live.until(lambda: live.app.ids == ["s2", "s0", "s1"])

    async def test_it_catches_up_when_only_the_focus_tells_that_it_is_seen(
        self, store: Store, app_dir: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async with running(store, app_dir, 3) as live:
            live.app.set_focus(None)
            live.app.picker.display = False
            await live.pilot.pause()
            live.say("s2", "more")
            # Textual's own messages are not sent where something scrolls while it lays out.
            monkeypatch.setattr(SessionPicker, "on_show", lambda self: None)
            monkeypatch.setattr(SessionPicker, "on_resize", lambda self: None)
            live.app.picker.display = True
            live.app.picker.rows.focus()
            await live.until(lambda: live.app.ids == ["s2", "s0", "s1"])

    async def test_what_changes_while_the_list_is_read_is_not_lost(self, store: Store, app_dir: Path) -> None:
        async with running(store, app_dir, 3) as live:
            for number in range(12):
                live.app.picker.reload()
                live.say("s2", "more", at=NOW - 20_000 + number)
                await live.pilot.pause()
            await live.settled()
            await live.until(lambda: not live.app.picker._lists.reading)
            await live.settled()
            (found,) = [one for one in live.app.picker._lists.known().values() if one.id == "s2"]
            assert found.message_count == 14

    async def test_only_the_rows_that_changed_are_drawn_anew(
        self, store: Store, app_dir: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async with running(store, app_dir, 10) as live:
            drawn: list[int] = []
            render = live.app.picker.rows.render_row

            def counted(row: int, *rest: Any) -> Any:
                drawn.append(row)
                return render(row, *rest)

            monkeypatch.setattr(live.app.picker.rows, "render_row", counted)
            live.rename("s4", "Named")
            await live.until(lambda: line_with(live.app, "Named"))
            assert len(set(drawn)) == 1

    async def test_a_big_file_holds_nobody_up(
        self, store: Store, app_dir: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(parallel_reader, "BIG_FILE", 5000)
        async with running(store, app_dir, 2) as live:
            updater = live.app.picker._live._updater
            look = updater.look
            reads_it, may_end = threading.Event(), threading.Event()

            def slow(*args: Any, **more: Any) -> Any:
                if more["big"]:
                    reads_it.set()
                    assert may_end.wait(PATIENCE)
                return look(*args, **more)

            monkeypatch.setattr(updater, "look", slow)
            live.changed(store.add(app_dir, "x" * 9000, id="big", at=NOW - 5000))
            await live.until(reads_it.is_set)
            live.say("s1", "more", at=NOW - 500)
            await live.until(lambda: live.app.ids == ["s1", "s0"])
            may_end.set()
            await live.until(lambda: live.app.ids == ["s1", "big", "s0"])

    async def test_at_midnight_the_days_are_named_anew(
        self, store: Store, app_dir: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async with running(store, app_dir, 1) as live:
            before = [line for line in lines(live.app) if "Today" in line or "Yesterday" in line]
            monkeypatch.setattr(live.app.picker.rows, "_clock", lambda: (NOW + 72 * HOUR) / 1000)
            monkeypatch.setattr(live.app.picker._arranger, "_clock", lambda: (NOW + 72 * HOUR) / 1000)
            live.app.picker._grow_older()
            await live.until(lambda: "Last 7 days" in text(live.app))
            assert before


class TestInTheProgram:
    """The list on the main screen, told of changes by nobody but the watcher."""

    @pytest.mark.parametrize("poll", [False, True])
    async def test_sessions_come_grow_get_names_and_go(
        self, store: Store, app_dir: Path, tmp_path: Path, poll: bool
    ) -> None:
        now = int(time.time() * 1000)
        old = store.add(app_dir, "an old one", "answer", id="old", at=now - 3 * HOUR)
        app = PitreeApp(AppOptions(agent_dir=store.agent, cwd=app_dir, poll=poll))
        async with app.run_test(size=(140, 30)) as pilot:
            await until(pilot, lambda: line_with(app, "an old one"))
            new = store.add(app_dir, "a new one", id="new", at=now - 60_000)
            await until(pilot, lambda: line_with(app, "a new one"), seconds=60)
            with old.open("ab") as file:
                file.write(encode(records("x", "/", at=now, name="Its name")[1:]))
            await until(pilot, lambda: line_with(app, "Its name"), seconds=60)
            with new.open("ab") as file:
                file.write(encode(records("x", "/", "and more", at=now)[1:]))
            await until(pilot, lambda: "● a new one" in line_with(app, "a new one"), seconds=60)
            new.unlink()
            await until(pilot, lambda: not line_with(app, "a new one"), seconds=60)
