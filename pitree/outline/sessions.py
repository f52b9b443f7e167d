"""The rows of a list of sessions, as data: forks under their parent, days, order, ages."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import accumulate

from pitree.session.info import SessionInfo

MINUTE = 60_000
HOUR = 60 * MINUTE
DAY = 24 * HOUR
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
    """

    info: SessionInfo
    depth: int = 0
    guides: str = ""
    folded: int = 0


Row = Heading | SessionRow


@dataclass(slots=True)
class SessionRows:
    """The rows of a list, and where each session is among them.

    Attributes:
        rows: headings and sessions.
        shown: sessions among the rows.
        total: sessions there are, whatever hides them.
        error: what is wrong with the query, None if nothing is; then there are no rows.
    """

    rows: list[Row] = field(default_factory=list)
    shown: int = 0
    total: int = 0
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
    forks: bool = True,
    scores: Mapping[str, float] | None = None,
    now: datetime | None = None,
    real_path: Callable[[str], str] = os.path.realpath,
) -> SessionRows:
    """The rows for a list of sessions.

    Threads are only shown without a query. With one, the order is that of relevance, unless `recent` is asked
    for (Pi's rules). Without one, and but for `relevance`, headings tell the days.

    Args:
        infos: the sessions, the latest modified first.
        sort: the order.
        named_only: leave out sessions without a name.
        forks: show the sessions of a thread below its first; else only how many there are.
        scores: path → score of the sessions that match the query, the best the lowest; None without a query.
        now: the time now, for the headings; asked of the system if not given.
        real_path: tells the real path of a file.
    """
    chosen = [info for info in infos if info.name] if named_only else list(infos)
    if scores is not None:
        chosen = [info for info in chosen if info.path in scores]
        if sort is not Sort.RECENT:
            chosen.sort(key=lambda info: (scores[info.path], -info.modified))
        rows: list[Row] = [SessionRow(info) for info in chosen]
    elif sort is Sort.THREADED:
        rows = _with_days(_threads(chosen, real_path, forks), now)
    elif sort is Sort.RECENT:
        rows = _with_days(((info.modified, [SessionRow(info)]) for info in chosen), now)
    else:
        rows = [SessionRow(info) for info in chosen]
    return SessionRows(rows, sum(isinstance(row, SessionRow) for row in rows), len(infos))


@dataclass(slots=True, eq=False)
class _Node:
    info: SessionInfo
    latest: int
    children: list[_Node] = field(default_factory=list)
    below: int = 0


def _threads(
    infos: list[SessionInfo], real_path: Callable[[str], str], forks: bool
) -> Iterable[tuple[int, list[SessionRow]]]:
    """Threads, the one with the newest message first: time of that message, and the rows."""
    nodes = {real_path(info.path): _Node(info, info.modified) for info in infos}
    parent_of: dict[int, _Node] = {}
    roots: list[_Node] = []
    for node in nodes.values():
        parent = node.info.parent_session
        above = nodes.get(real_path(parent)) if parent else None
        if above is None or above is node:
            roots.append(node)
        else:
            above.children.append(node)
            parent_of[id(node)] = above
    order = _below(roots)
    if len(order) < len(nodes):
        # Sessions that name each other as parents hang on no root, so one of each ring becomes one.
        seen = set(map(id, order))
        for node in nodes.values():
            if id(node) in seen:
                continue
            climbed: set[int] = set()
            while id(node) not in climbed:
                climbed.add(id(node))
                node = parent_of[id(node)]
            parent_of.pop(id(node)).children.remove(node)
            roots.append(node)
            seen.update(map(id, _below([node])))
        order = _below(roots)
    for node in reversed(order):
        above = parent_of.get(id(node))
        if above is not None:
            above.latest = max(above.latest, node.latest)
            above.below += node.below + 1
    for node in order:
        node.children.sort(key=lambda child: -child.latest)
    roots.sort(key=lambda root: -root.latest)
    for root in roots:
        yield root.latest, _rows_of_thread(root) if forks else [SessionRow(root.info, folded=root.below)]


def _below(roots: list[_Node]) -> list[_Node]:
    """All nodes under some, themselves included, each before those under it."""
    order = list(roots)
    for node in order:
        order.extend(node.children)
    return order


def _rows_of_thread(root: _Node) -> list[SessionRow]:
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


def age(time: int, now: float) -> str:
    """How long ago a time was, as Pi says it: `now`, `5m`, `3h`, `2d`, `1w`, `4mo`, `1y`.

    Args:
        time: in ms since 1970.
        now: likewise.
    """
    passed = now - time
    days = int(passed // DAY)
    if passed < MINUTE:
        return "now"
    if passed < HOUR:
        return f"{int(passed // MINUTE)}m"
    if passed < DAY:
        return f"{int(passed // HOUR)}h"
    if days < 7:
        return f"{days}d"
    if days < 30:
        return f"{days // 7}w"
    if days < 365:
        return f"{days // 30}mo"
    return f"{days // 365}y"
