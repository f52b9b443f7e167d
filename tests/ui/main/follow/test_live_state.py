"""The parts of following a session, each for itself: words and their ages, places, borders, added rows."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from textual.app import App, ComposeResult
from textual.containers import Vertical
from textual.strip import Strip

from pitree.session.live.branch_tips import Tips
from pitree.session.manager.activity import OVER_AFTER, STALE_AFTER, Activity
from pitree.session.manager.manager import SessionManager
from pitree.ui.main.follow import live_state as live_state
from pitree.ui.main.follow.branch_ends import ends_window
from pitree.ui.main.follow.live_reading import same_entries
from pitree.ui.main.follow.live_state import IN_USE_AFTER, IN_USE_EVERY, LiveState
from pitree.ui.main.follow.live_words import LiveStatus, state_of
from pitree.ui.main.follow.restore_point import place_in
from pitree.ui.toolkit.line_list import LineList
from pitree.ui.tree.tree_captions import Bordered
from tests.support.living import Living, lines, said
from tests.support.seeing import lines as screen_lines
from tests.support.stories import Story, login_story

NOW = 1_800_000_000_000.0


# -- words --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("activity", "ago", "words", "holds"),
    [
        (Activity.WORKING, 0, "● working 0 s", 1),
        (Activity.WORKING, 2.25, "● working 2 s", 0.75),
        (Activity.WORKING, 59.5, "● working 59 s", 0.5),
        (Activity.WORKING, 60, "● working 1 min", 60),
        (Activity.WORKING, STALE_AFTER / 1000, "… stale 30 min", 60),
        (Activity.WAITING, 3 * 3600 + 600, "○ waiting for you 3 h", 3000),
        (Activity.ERROR, 7_200, "✗ ended with an error 2 h", 3_600),
        (Activity.ABORTED, 1, "◌ aborted 1 s", 1),
        (Activity.WORKING, -5, "● working 0 s", 1),
    ],
)
def test_states_with_their_age(activity: Activity, ago: float, words: str, holds: float) -> None:
    state = state_of(activity, NOW - 1000 * ago, NOW)
    assert state.words == words
    assert state.holds == pytest.approx(holds, abs=0.06)


@pytest.mark.parametrize("days", [0.5, 1, 343])
def test_fault_27_a_session_left_long_ago_neither_works_nor_waits(days: float) -> None:
    then = NOW - days * 86_400_000
    for activity in (Activity.WORKING, Activity.WAITING):
        assert state_of(activity, then, NOW) == LiveStatus()
    assert state_of(Activity.ERROR, then, NOW) == LiveStatus("✗ ended with an error")
    assert state_of(Activity.ABORTED, then, NOW) == LiveStatus("◌ aborted")


def test_fault_27_it_waits_up_to_then_and_longer_where_pi_has_it_open() -> None:
    almost = NOW - OVER_AFTER + 2_000
    assert state_of(Activity.WAITING, almost, NOW) == LiveStatus("○ waiting for you 11 h", pytest.approx(2))
    then = NOW - 2 * 86_400_000
    assert state_of(Activity.WAITING, then, NOW, open_in_pi=True).words == "○ waiting for you 2 d"


def test_states_without_a_time_or_without_a_message() -> None:
    assert state_of(Activity.WAITING, math.nan, NOW).words == "○ waiting for you"
    assert state_of(Activity.NONE, NOW, NOW).words == ""
    assert math.isinf(state_of(Activity.NONE, NOW, NOW).holds)


# -- state --------------------------------------------------------------------------------------------


@dataclass
class FakeTimer:
    seconds: float
    callback: Callable[[], object]
    running: bool = True

    def stop(self) -> None:
        self.running = False


@dataclass
class FakeScreen:
    """Timers and workers that run when the test says so."""

    timers: list[FakeTimer] = field(default_factory=list)
    workers: list[Any] = field(default_factory=list)

    def set_timer(self, seconds: float, callback: Callable[[], object]) -> FakeTimer:
        self.timers.append(FakeTimer(seconds, callback))
        return self.timers[-1]

    def run_worker(self, work: Any, **options: Any) -> None:
        self.workers.append(work)

    def post_message(self, message: Any) -> None:
        raise AssertionError(message)

    @property
    def ages(self) -> list[float]:
        """How long the words still hold, for which a timer runs."""
        return [timer.seconds for timer in self.running if timer.callback.__name__ == "tell"]

    @property
    def running(self) -> list[FakeTimer]:
        return [timer for timer in self.timers if timer.running]


def test_the_clock_ticks_only_while_something_changes() -> None:
    screen, shown, now = FakeScreen(), [""], [0.0]
    session = Story().user("u1", "hello").session()
    now[0] = session.table.times[0] / 1000 + 2
    state = LiveState(screen, lambda words: shown.append(words), lambda: now[0])  # type: ignore[arg-type]
    state.watch(Path("/x.jsonl"), session)
    assert shown[-1] == "● working 2 s"
    assert screen.ages == [pytest.approx(1)]
    now[0] += 1
    screen.running[-1].callback()
    assert shown[-1] == "● working 3 s"
    assert len(screen.ages) == 1
    session.append_message({"role": "assistant", "content": "x", "stopReason": "stop"})
    session.table.times[1] = now[0] * 1000 - 7_200_000
    state.grew()
    assert shown[-1] == "○ waiting for you 2 h"
    assert screen.ages == [pytest.approx(3600)]
    session.append_message({"role": "bashExecution", "command": "ls"})
    state.trouble("⚠ the file is gone")
    assert shown[-1] == "⚠ the file is gone"
    assert not screen.ages
    state.trouble("")
    assert shown[-1] == "○ waiting for you 2 h"
    state.stop()
    assert not screen.running


def test_who_writes_is_asked_rarely(monkeypatch: pytest.MonkeyPatch) -> None:
    screen, shown, clock = FakeScreen(), [""], [1000.0]
    monkeypatch.setattr("pitree.ui.main.follow.live_state.time.monotonic", lambda: clock[0])
    session = Story().user("u1", "hello").session()
    state = LiveState(screen, lambda words: shown.append(words))  # type: ignore[arg-type]
    state.watch(Path("/x.jsonl"), session)
    state.grew()
    assert not screen.workers
    next(timer for timer in screen.running if timer.seconds == IN_USE_AFTER).callback()
    for _ in range(5):
        state.grew()
    assert len(screen.workers) == 1
    state.take(Path("/other.jsonl"), True)
    assert "open in Pi" not in shown[-1]
    state.take(Path("/x.jsonl"), True)
    assert shown[-1].endswith("· open in Pi")
    assert IN_USE_EVERY in [timer.seconds for timer in screen.running]
    clock[0] += IN_USE_EVERY
    next(timer for timer in screen.running if timer.seconds == IN_USE_EVERY).callback()
    assert len(screen.workers) == 2
    state.take(Path("/x.jsonl"), False)
    assert "open in Pi" not in shown[-1]


async def test_a_file_open_for_writing_elsewhere_counts_as_open_in_pi(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import subprocess
    import sys

    living = Living(tmp_path)
    script = "import sys; f = open(sys.argv[1], 'ab'); print('open', flush=True); sys.stdin.read()"
    command = [sys.executable, "-c", script, str(living.path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"open\n"
        monkeypatch.setattr(live_state, "IN_USE_EVERY", 0.1)
        async with living.shown() as seen:
            await seen.until(lambda: "open in Pi" in seen.state)
            other.communicate()
            await seen.until(lambda: "open in Pi" not in seen.state)


# -- places, ends, readings ---------------------------------------------------------------------------


def test_a_place_is_found_again_or_the_nearest_above_it() -> None:
    session = login_story().session()
    index = session.table.by_id["a4"]
    place = place_in(session, index, at_leaf=False, folded=[session.table.by_id["u2"]])
    assert place.ids[0] == "a4"
    assert place.folded == ("u2",)
    assert place.find(session) == index
    assert place.is_in(session)
    less = Story().user("u1", "Add a login form").assistant("a1", "x").user("zz", "else").session()
    assert less.table.ids[place.find(less)] == "a1"
    assert not place.is_in(less)
    nothing = SessionManager.in_memory()
    assert place.find(nothing) == -1


def test_a_place_at_the_leaf_is_the_leaf() -> None:
    session = login_story().session()
    place = place_in(session, session.leaf_index, at_leaf=True, folded=[])
    other = Story().user("x", "1").user("y", "2").session()
    assert other.table.ids[place.find(other)] == "y"
    assert place.is_in(other)


def test_ends_are_listed_the_newest_first_and_harmless() -> None:
    session = Story().user("u1", "start").session()
    tips = Tips(session.table, session.leaf_index)
    for text in ("one", "two \x1b[31m red"):
        session.branch("u1")
        session.append_message({"role": "user", "content": text})
        tips.update()
    window = ends_window(session, tips, session.table.times[-1] + 5000)
    words = [choice.words for choice in window._list.choices]
    assert [choice.id for choice in window._list.choices] == ["2", "1"]
    assert words[0].startswith("1 entry · 5 s ago · user: two ")
    assert "\x1b" not in words[0]


def test_the_same_entries(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    story = [said("a", None, "one"), said("b", "a", "two")]
    header = {"type": "session", "version": 3, "id": "s", "cwd": "/"}
    path.write_bytes(lines(header, *story))
    one = SessionManager.open(path)
    assert same_entries(one, SessionManager.open(path))
    path.write_bytes(path.read_bytes().replace(b"two", b"TWO"))
    assert not same_entries(one, SessionManager.open(path))


# -- painting -------------------------------------------------------------------------------------------


class Numbers(LineList):
    """Rows that say their number; and count how often each was drawn."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 50
        self.drawn: list[int] = []

    def row_count(self) -> int:
        return self.count

    def render_row(self, row: int, width: int, selected: bool, focused: bool) -> Strip:
        from rich.segment import Segment

        self.drawn.append(row)
        return Strip([Segment(f"{'>' if selected else ' '}row {row} of {self.count}")])


class Pane(Bordered, Vertical):
    DEFAULT_CSS = "Pane { border: round white; }"

    def __init__(self) -> None:
        super().__init__()
        self.numbers = Numbers()

    def compose(self) -> ComposeResult:
        yield self.numbers


class PaneApp(App[None]):
    def compose(self) -> ComposeResult:
        yield Pane()


async def test_added_rows_draw_only_themselves_and_move_nothing() -> None:
    app = PaneApp()
    async with app.run_test(size=(40, 12)) as pilot:
        numbers = app.query_one(Numbers)
        await pilot.pause()
        numbers.move_cursor(45)
        await pilot.pause()
        top = numbers.scroll_offset.y
        numbers.drawn.clear()
        numbers.count = 60
        numbers.rows_grew(50, 45, top)
        await pilot.pause()
        assert numbers.drawn == []
        assert (numbers.cursor, numbers.scroll_offset.y, numbers.max_scroll_y) == (45, top, 50)
        numbers.count = 61
        numbers.rows_grew(44, 45, top)
        await pilot.pause()
        assert set(numbers.drawn) == {row for row in range(top, top + 10) if row >= 44}
        assert ">row 45 of 61" in "\n".join(screen_lines(app))
        numbers.move_cursor(60)
        await pilot.pause()
        assert ">row 60 of 61" in "\n".join(screen_lines(app))


async def test_the_first_rows_beyond_the_screen_bring_a_scroll_bar() -> None:
    app = PaneApp()
    async with app.run_test(size=(40, 12)) as pilot:
        numbers = app.query_one(Numbers)
        numbers.count = 3
        numbers.rows_changed(0)
        await pilot.pause()
        assert not numbers.show_vertical_scrollbar
        numbers.count = 30
        numbers.rows_grew(3, 0, 0)
        await pilot.pause()
        assert numbers.show_vertical_scrollbar


async def test_words_in_the_border_paint_the_border_alone() -> None:
    app = PaneApp()
    async with app.run_test(size=(40, 12)) as pilot:
        pane = app.query_one(Pane)
        pane.tell_border("above", "below")
        await pilot.pause()
        assert "above" in screen_lines(app)[0]
        assert "below" in screen_lines(app)[-1]
        pane._exchange_repaint_regions()
        pane.tell_border("above", "other")
        regions = [(region.y, region.height) for region in pane._repaint_regions]
        assert regions == [(11, 1)]
        await pilot.pause()
        assert "other" in screen_lines(app)[-1]
        assert "above" in screen_lines(app)[0]
        pane.tell_border("new", "other")
        await pilot.pause()
        assert "new" in screen_lines(app)[0]
