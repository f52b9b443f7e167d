"""The rows of a list of sessions: threads, order, days, ages."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import ClassVar

import pytest

from pitree.catalog.arranging import (
    DEEPEST,
    Days,
    Heading,
    SessionRow,
    SessionRows,
    Sort,
    arrange,
)
from pitree.catalog.info.session_info import SessionInfo
from pitree.state.stars_and_archive import Marks
from tests.support.infos import info

NOW = datetime(2026, 3, 15, 12, 0)


def ms(time: datetime) -> int:
    return int(time.timestamp() * 1000)


def drawn(rows: SessionRows) -> list[str]:
    """Rows as text: headings in brackets, sessions by id behind their guides."""
    return [
        f"[{row.text}]"
        if isinstance(row, Heading)
        else row.guides + row.info.id + (f" +{row.folded}" if row.folded else "")
        for row in rows.rows
    ]


def sessions(rows: SessionRows) -> list[str]:
    return [line for line in drawn(rows) if not line.startswith("[")]


class TestThreads:
    def test_forks_stand_under_their_parent(self) -> None:
        infos = [
            info("c", parent="a", modified=40),
            info("b", modified=30),
            info("d", parent="c", modified=20),
            info("e", parent="a", modified=15),
            info("a", modified=10),
            info("f", parent="gone", modified=5),
        ]
        assert sessions(arrange(infos)) == ["a", "├─ c", "│  └─ d", "└─ e", "b", "f"]

    def test_the_newest_message_anywhere_below_decides(self) -> None:
        infos = [
            info("grandchild", parent="child", modified=30),
            info("lone", modified=20),
            info("child", parent="root", modified=11),
            info("root", modified=10),
        ]
        assert sessions(arrange(infos)) == ["root", "└─ child", "   └─ grandchild", "lone"]

    def test_parents_are_told_by_real_path(self, tmp_path: Path) -> None:
        (tmp_path / "real").mkdir()
        (tmp_path / "link").symlink_to("real")
        for id in "ab":
            (tmp_path / f"real/{id}.jsonl").touch()
        infos = [
            info("b", path=str(tmp_path / "link/b.jsonl"), parent=str(tmp_path / "real/a.jsonl"), modified=2),
            info("a", path=str(tmp_path / "link/a.jsonl"), modified=1),
        ]
        assert sessions(arrange(infos)) == ["a", "└─ b"]

    def test_rings_of_parents_lose_no_session(self) -> None:
        infos = [
            info("hanging", parent="a", modified=4),
            info("a", parent="b", modified=3),
            info("b", parent="a", modified=2),
            info("self", parent="self", modified=1),
        ]
        assert sessions(arrange(infos)) == ["a", "├─ hanging", "└─ b", "self"]

    def test_a_thread_of_any_depth(self) -> None:
        infos = [info(str(i), parent=str(i - 1) if i else None, modified=i) for i in range(5_000)]
        rows = arrange(infos)
        assert rows.shown == 5_000
        last = rows.rows[-1]
        assert isinstance(last, SessionRow)
        assert (last.info.id, last.depth, len(last.guides)) == ("4999", 4_999, 3 * DEEPEST)

    def test_forks_can_be_folded_away(self) -> None:
        infos = [info("a", modified=9), info("b", modified=8)]
        infos += [info(f"a{i}", parent="a" if i < 3 else "a0", modified=i) for i in range(9)]
        assert sessions(arrange(infos, children=False)) == ["a +9", "b"]
        assert arrange(infos, children=False).total == 11

    @pytest.mark.parametrize("sort", list(Sort))
    def test_children_can_be_hidden_in_every_order(self, sort: Sort) -> None:
        infos = [info("c", parent="b", modified=9), info("a", modified=3), info("b", modified=2)]
        expected = ["b +1", "a"] if sort is Sort.THREADED else ["a", "b +1"]
        assert sessions(arrange(infos, children=False, sort=sort)) == expected

    def test_a_search_finds_children_all_the_same(self) -> None:
        infos = [info("c", parent="b"), info("b")]
        assert sessions(arrange(infos, children=False, scores={"/s/c.jsonl": 0.0})) == ["c"]

    def test_named_only_goes_before_the_threads(self) -> None:
        infos = [
            info("c", parent="b", name="C", modified=3),
            info("b", parent="a", modified=2),
            info("a", name="A"),
        ]
        assert sorted(sessions(arrange(infos, named_only=True))) == ["a", "c"]


class TestShelf:
    INFOS: ClassVar = [
        info("d", parent="c", modified=9),
        info("c", parent="a", modified=8),
        info("b", modified=7),
        info("a", modified=6),
        info("e", parent="a", modified=5),
    ]

    @staticmethod
    def kept(*, starred: str = "", archived: str = "") -> Callable[[SessionInfo], Marks]:
        return lambda info: Marks(info.id in starred, info.id in archived)

    def test_archived_sessions_take_along_what_hangs_on_them(self) -> None:
        rows = arrange(self.INFOS, kept=self.kept(archived="c"))
        assert sessions(rows) == ["b", "a", "└─ e"]
        assert (rows.archived, rows.total) == (2, 5)
        for sort in Sort:
            scores = dict.fromkeys([one.path for one in self.INFOS], 0.0)
            found = arrange(self.INFOS, sort=sort, scores=scores, kept=self.kept(archived="ab"))
            assert (found.rows, found.archived) == ([], 5)

    def test_the_archive_can_be_shown(self) -> None:
        rows = arrange(self.INFOS, kept=self.kept(archived="c"), archived=True)
        assert sessions(rows) == ["a", "├─ c", "│  └─ d", "└─ e", "b"]
        assert [row.archived for row in rows.rows if isinstance(row, SessionRow)] == [0, 1, 1, 0, 0]
        assert rows.archived == 0

    def test_starred_ones_alone(self) -> None:
        rows = arrange(
            self.INFOS, kept=self.kept(starred="db", archived="b"), starred_only=True, children=False
        )
        assert sessions(rows) == ["d"]
        assert rows.archived == 1
        assert [row.starred for row in rows.rows if isinstance(row, SessionRow)] == [True]
        assert arrange(self.INFOS, starred_only=True).rows == []


class TestOtherOrders:
    def test_recent_is_flat(self) -> None:
        infos = [info("b", parent="a", modified=2), info("a", modified=1)]
        assert sessions(arrange(infos, sort=Sort.RECENT)) == ["b", "a"]

    @pytest.mark.parametrize(
        ("sort", "expected"),
        [(Sort.THREADED, ["a", "c"]), (Sort.RELEVANCE, ["a", "c"]), (Sort.RECENT, ["c", "a"])],
    )
    def test_with_a_query_the_best_match_first_unless_recent(self, sort: Sort, expected: list[str]) -> None:
        infos = [info("c", modified=3), info("b", modified=2), info("a", parent="c", modified=1)]
        assert drawn(arrange(infos, sort=sort, scores={"/s/a.jsonl": -5.0, "/s/c.jsonl": 7.0})) == expected

    def test_of_equal_matches_the_newest_first(self) -> None:
        infos = [info("a", modified=1), info("b", modified=2)]
        assert drawn(arrange(infos, scores={"/s/a.jsonl": 0.0, "/s/b.jsonl": 0.0})) == ["b", "a"]

    def test_orders_follow_one_another(self) -> None:
        assert [sort.next() for sort in Sort] == [Sort.RECENT, Sort.RELEVANCE, Sort.THREADED]


class TestDays:
    def test_headings_stand_where_the_days_change(self) -> None:
        times = [NOW, NOW - timedelta(hours=3), NOW - timedelta(days=1), NOW - timedelta(days=40)]
        infos = [info(str(i), modified=ms(time)) for i, time in enumerate(times)]
        expected = ["[Today]", "0", "1", "[Yesterday]", "2", "[Older]", "3"]
        assert drawn(arrange(infos, now=NOW)) == drawn(arrange(infos, now=NOW, sort=Sort.RECENT)) == expected

    def test_a_thread_stands_under_the_day_of_its_newest_message(self) -> None:
        infos = [info("b", parent="a", modified=ms(NOW)), info("a", modified=ms(NOW - timedelta(days=90)))]
        assert drawn(arrange(infos, now=NOW)) == ["[Today]", "a", "└─ b"]

    def test_names(self) -> None:
        days = Days(NOW)
        midnight = datetime(2026, 3, 15)
        times = {
            NOW + timedelta(days=1): "Today",
            midnight: "Today",
            midnight - timedelta(seconds=1): "Yesterday",
            midnight - timedelta(days=1, seconds=1): "Last 7 days",
            midnight - timedelta(days=7, seconds=1): "Last 30 days",
            midnight - timedelta(days=30, seconds=1): "Older",
        }
        assert {time: days.name(ms(time)) for time in times} == times


class TestRows:
    def test_where_a_session_is(self) -> None:
        rows = arrange(
            [info("a", modified=ms(NOW)), info("b", modified=ms(NOW - timedelta(days=1)))],
            now=NOW,
        )
        assert [rows.row_of(f"/s/{id}.jsonl") for id in "abc"] == [1, 3, None]
        assert [found and found.id for found in map(rows.session, range(-1, 5))] == [
            None,
            None,
            "a",
            None,
            "b",
            None,
        ]
