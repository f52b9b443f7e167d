"""Figures in columns at the right of the tree's rows: when, how long, tokens, cost, size of the context."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from pitree.session.context.projection import messages_of
from pitree.session.context.tokens import estimate_tokens, reported_tokens
from pitree.session.format.entry_type import ASSISTANT_KINDS, Kind
from pitree.session.manager.costs import SPENDING_KINDS
from pitree.session.manager.manager import SessionManager
from pitree.session.reading.usage import Usage, usage_of
from pitree.text.figures import duration, moment, money, tokens

COLUMNS = (("time", 11), ("took", 8), ("tokens", 6), ("cost", 8), ("context", 7))
"""Name and cells of each column, from the left."""

_DROPPED_FIRST = ("took", "context", "tokens", "time", "cost")
_TEXT_KEPT = 32
"""Cells that stay for the text of a row; columns for which there is no room then are left out."""
_BETWEEN = 1
_READ = 512 * 1024
"""Bytes of a record up to which it is read for its figures; a larger one is estimated by its size."""
_ASCENT = 500
"""Ancestors looked at for the last answer that reported the size of the context."""
_KEPT = 4_000
_LONGEST = 24 * 3_600_000.0


class TreeColumns:
    """The figures of entries as texts of fixed width.

    Args:
        session: gives the session whose rows are drawn.
        names: the columns wanted; none for all.
    """

    def __init__(self, session: Callable[[], SessionManager | None], names: Sequence[str] = ()) -> None:
        self._session = session
        self._columns = [column for column in COLUMNS if not names or column[0] in names]
        self._of: SessionManager | None = None
        self._known: dict[int, dict[str, str]] = {}

    def shown(self, room: int) -> list[tuple[str, int]]:
        """The columns for which a row of so many cells has room, with their cells."""
        left = self._columns
        for name in _DROPPED_FIRST:
            if sum(cells + _BETWEEN for _, cells in left) + _TEXT_KEPT <= room:
                break
            left = [column for column in left if column[0] != name]
        return left

    def width(self, room: int) -> int:
        """Cells that the columns take of a row of so many cells."""
        return sum(cells + _BETWEEN for _, cells in self.shown(room))

    def names(self, room: int) -> str:
        """The names of the columns, in the words of a title."""
        return ", ".join(name for name, _ in self.shown(room))

    def text(self, index: int, room: int) -> str:
        """The figures of an entry, as wide as `width` says."""
        columns = self.shown(room)
        figures = self._figures(index) if columns else {}
        return "".join(" " * _BETWEEN + figures.get(name, "")[:cells].rjust(cells) for name, cells in columns)

    def _figures(self, index: int) -> dict[str, str]:
        session = self._session()
        if session is None or index >= len(session.table):
            return {}
        if session is not self._of or len(self._known) > _KEPT:
            self._of, self._known = session, {}
        found = self._known.get(index)
        if found is None:
            found = self._known[index] = figures_of(session, index)
        return found


def figures_of(session: SessionManager, index: int) -> dict[str, str]:
    """What the columns say of an entry; a column that is missing stays empty.

    `tokens` are those of the answer for an assistant message, else an estimate of what the entry adds to the
    context. `context` is the size that the last answer up to the entry reported.
    """
    table = session.table
    found = {"time": moment(table.times[index], "date"), "took": _took(session, index)}
    kind = table.kinds[index]
    if table.lengths[index] > _READ and kind not in ASSISTANT_KINDS:
        found["tokens"] = tokens(table.lengths[index] // 4)
        return found
    record = session.entry(index).record
    usage = Usage()
    if kind in SPENDING_KINDS:
        usage.add(usage_of(record)[1])
    if usage.cost:
        found["cost"] = money(usage.cost)
    count = usage.output or (0 if kind == Kind.USAGE else sum(map(estimate_tokens, messages_of(record))))
    if count:
        found["tokens"] = tokens(count)
    if size := _context(session, index, record):
        found["context"] = tokens(size)
    return found


def _took(session: SessionManager, index: int) -> str:
    """The time since the entry before it, where somebody worked: an answer, or a tool."""
    table = session.table
    parent = table.parents[index]
    if parent < 0 or table.kinds[index] not in _WORKED:
        return ""
    ms = table.times[index] - table.times[parent]
    return duration(ms) if math.isfinite(ms) and 0 <= ms < _LONGEST else ""


_WORKED = frozenset({*ASSISTANT_KINDS, Kind.TOOL_RESULT, Kind.COMPACTION, Kind.BRANCH_SUMMARY})


def _context(session: SessionManager, index: int, record: dict[str, Any]) -> float:
    """The size of the context as the last answer reported it; 0 if none has since a compaction."""
    table = session.table
    at = index
    for _ in range(_ASCENT):
        if at < 0 or table.kinds[at] == Kind.COMPACTION:
            return 0
        if table.kinds[at] in ASSISTANT_KINDS:
            message = (record if at == index else session.entry(at).record).get("message")
            size = reported_tokens(message) if isinstance(message, dict) else 0
            if size:
                return size
        at = table.parents[at]
    return 0
