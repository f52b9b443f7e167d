"""The rows of a list of sessions, as data: children under their parent, days, order, stars, ages."""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import accumulate, chain

from pitree.catalog.fork_forest import Node, forest
from pitree.catalog.info.session_info import SessionInfo
from pitree.state.stars_and_archive import Marks

DEEPEST = 12
"""Levels of a thread that are drawn; what lies deeper is drawn at the last."""


class Sort(StrEnum):
    """Orders of the list, in the order in which a key goes through them."""

    THREADED = "threaded"
    """Forks under the session they were made from; the thread with the newest message first."""
    RECENT = "recent"
    """Newest message first."""
    RELEVANCE = "relevance"
    """Best match first; without a query the newest message."""

    def next(self) -> Sort:
        """The order after this one."""
        every = list(Sort)
        return every[(every.index(self) + 1) % len(every)]


@dataclass(frozen=True, slots=True)
class Heading:
    """A row that names the days of the sessions below it."""

    text: str


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A session's row.

    Attributes:
        info: the session.
        depth: how many sessions above it in its thread.
        guides: the lines that lead to its parent, three cells a level; empty for the first of a thread.
        folded: sessions below it that are not shown.
        starred: whether it is starred.
        archived: whether it is archived, or hangs on a session that is.
    """

    info: SessionInfo
    depth: int = 0
    guides: str = ""
    folded: int = 0
    starred: bool = False
    archived: bool = False


Row = Heading | SessionRow


@dataclass(slots=True)
class SessionRows:
    """The rows of a list, and where each session is among them.

    Attributes:
        rows: headings and sessions.
        shown: sessions among the rows.
        total: sessions there are, whatever hides them.
        archived: sessions that only the archive hides.
        error: what is wrong with the query, None if nothing is; then there are no rows.
    """

    rows: list[Row] = field(default_factory=list)
    shown: int = 0
    total: int = 0
    archived: int = 0
    error: str | None = None
    _row_of: dict[str, int] = field(default_factory=dict)
    _places: list[int] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.rows)

    def session(self, row: int) -> SessionInfo | None:
        """The session of a row, None for a heading or a row there is not."""
        found = self.rows[row] if 0 <= row < len(self.rows) else None
        return found.info if isinstance(found, SessionRow) else None

    def place_of(self, row: int) -> int:
        """Which of the sessions shown the one of a row is, counted from 1."""
        if not self._places:
            self._places = list(accumulate(isinstance(row, SessionRow) for row in self.rows))
        return self._places[row]

    def row_at(self, place: int) -> int:
        """The row of the session at a place, counted from 1; the nearest there is."""
        if not self.rows:
            return -1
        self.place_of(0)
        return bisect_left(self._places, min(max(place, 1), self._places[-1]))

    def row_of(self, path: str) -> int | None:
        """The row of a session, None if it is not shown."""
        if not self._row_of:
            self._row_of = {
                row.info.path: i for i, row in enumerate(self.rows) if isinstance(row, SessionRow)
            }
        return self._row_of.get(path)


def arrange(
    infos: Sequence[SessionInfo],
    *,
    sort: Sort = Sort.THREADED,
    named_only: bool = False,
    starred_only: bool = False,
    children: bool = True,
    archived: bool = False,
    kept: Callable[[SessionInfo], Marks] | None = None,
    scores: Mapping[str, float] | None = None,
    now: datetime | None = None,
    real_path: Callable[[str], str] = os.path.realpath,
) -> SessionRows:
    """The rows for a list of sessions.

    Threads are only shown without a query. With one, the order is that of relevance, unless `recent` is asked
    for (Pi's rules), and children are found like others. Without one, and but for `relevance`, headings tell
    the days.

    Args:
        infos: the sessions, the latest modified first.
        sort: the order.
        named_only: leave out sessions without a name.
        starred_only: leave out sessions without a star; of those with one, children are shown too.
        children: without a query show the sessions made from others (forks, runs of subagents), too; else
            only how many hang on each.
        archived: show archived sessions, too. One that hangs on an archived one counts as archived itself.
        kept: tells what is starred and archived; None if nothing is.
        scores: path → score of the sessions that match the query, the best the lowest; None without a query.
        now: the time now, for the headings; asked of the system if not given.
        real_path: tells the real path of a file.
    """
    away = _archived(infos, kept, real_path) if kept is not None else frozenset[str]()
    chosen = [info for info in infos if info.name] if named_only else list(infos)
    if scores is not None:
        chosen = [info for info in chosen if info.path in scores]
    if starred_only:
        chosen = [info for info in chosen if kept is not None and kept(info).starred]
    left_out = 0
    if away and not archived:
        left_out = len(chosen)
        chosen = [info for info in chosen if info.path not in away]
        left_out -= len(chosen)
    rows: list[Row]
    if scores is not None:
        if sort is not Sort.RECENT:
            chosen.sort(key=lambda info: (scores[info.path], -info.modified))
        rows = [SessionRow(info) for info in chosen]
    else:
        groups = _groups(chosen, sort, children or starred_only, real_path)
        flat = sort is Sort.RELEVANCE
        rows = list(chain.from_iterable(group for _, group in groups)) if flat else _with_days(groups, now)
    if kept is not None:
        rows = [_marked(row, kept, away) for row in rows]
    return SessionRows(rows, sum(isinstance(row, SessionRow) for row in rows), len(infos), left_out)


def _archived(
    infos: Sequence[SessionInfo], kept: Callable[[SessionInfo], Marks], real_path: Callable[[str], str]
) -> frozenset[str]:
    """Paths of the sessions that are archived, or hang on one that is."""
    found = {info.path for info in infos if kept(info).archived}
    if found:
        for node in forest(infos, real_path).nodes:
            if node.above is not None and node.above.info.path in found:
                found.add(node.info.path)
    return frozenset(found)


def _marked(row: Row, kept: Callable[[SessionInfo], Marks], away: frozenset[str]) -> Row:
    """A row that tells whether its session is starred and archived."""
    if isinstance(row, Heading):
        return row
    starred, archived = kept(row.info).starred, row.info.path in away
    return replace(row, starred=starred, archived=archived) if starred or archived else row


def _groups(
    infos: list[SessionInfo], sort: Sort, children: bool, real_path: Callable[[str], str]
) -> list[tuple[int, list[SessionRow]]]:
    """The rows without a query, in groups that stay together: the time each goes by, and its rows."""
    if sort is not Sort.THREADED and children:
        return [(info.modified, [SessionRow(info)]) for info in infos]
    roots = forest(infos, real_path).roots
    if sort is Sort.THREADED:
        return [
            (root.latest, _rows_of_thread(root) if children else [SessionRow(root.info, folded=root.below)])
            for root in roots
        ]
    below = {root.info.path: root.below for root in roots}
    return [
        (info.modified, [SessionRow(info, folded=below[info.path])]) for info in infos if info.path in below
    ]


def _rows_of_thread(root: Node) -> list[SessionRow]:
    """The rows of a session and of all below it, with guides."""
    rows: list[SessionRow] = []
    waiting = [(root, 0, "", "")]
    while waiting:
        node, depth, before, guides = waiting.pop()
        rows.append(SessionRow(node.info, depth, guides))
        last = len(node.children) - 1
        for place in range(last, -1, -1):
            own, further = ("└─ ", "   ") if place == last else ("├─ ", "│  ")
            if depth >= DEEPEST:
                own = further = ""
            waiting.append((node.children[place], depth + 1, before + further, before + own))
    return rows


def _with_days(groups: Iterable[tuple[int, list[SessionRow]]], now: datetime | None) -> list[Row]:
    """Rows with a heading wherever the days change; the groups have the newest first."""
    days = Days(now or datetime.now())
    rows: list[Row] = []
    last = ""
    for time, group in groups:
        name = days.name(time)
        if name != last:
            rows.append(Heading(name))
            last = name
        rows += group
    return rows


class Days:
    """Names for the days before one, in its time zone.

    Args:
        now: the local time from which they are counted.
    """

    def __init__(self, now: datetime) -> None:
        today = now.replace(hour=0, minute=0, second=0, microsecond=0)
        self._starts = [
            ((today - timedelta(days=days)).timestamp() * 1000, name)
            for days, name in ((0, "Today"), (1, "Yesterday"), (7, "Last 7 days"), (30, "Last 30 days"))
        ]

    def name(self, time: int) -> str:
        """The name for a time in ms since 1970; the future is today."""
        return next((name for start, name in self._starts if time >= start), "Older")
