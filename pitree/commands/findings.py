"""What a check finds in a session beyond what reading shows, and what Pi does about each kind of finding."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

from pitree.session.context.projection import first_kept
from pitree.session.format.entry_summary import tool_calls
from pitree.session.format.entry_type import ASSISTANT_KINDS, Flag, Kind
from pitree.session.format.errors import Notice
from pitree.session.manager.manager import SessionManager
from pitree.session.reading.entry import Entry

MOST_OF_A_KIND = 200
"""Findings of one kind that are listed; the rest is counted."""

PI_DOES: dict[str, str] = {
    "empty": "would write a header to the file",
    "bad-json": "skips the line",
    "not-object": "treats a value that is not an object as an entry, and may stop there",
    "unfinished-line": "skips the line and adds a line end to it",
    "bom": "cannot read the first line and refuses the file",
    "missing-id": "reads the entry, but it cannot have children",
    "extra-header": "skips it",
    "late-header": "refuses the file",
    "header-form": "refuses the file",
    "stranger": "refuses the file",
    "migrated": "rewrites the file in version 3 on opening it",
    "left-behind": "continues from the leaf, with the context of its branch",
    "missing-parent": "shows the entry as a root; the context starts there",
    "broken-chain": "hangs in an endless loop",
    "repeated-id": "uses the last entry with the id as the parent",
    "repeated-line": "shows the entry again; the last such line in the file is the leaf",
    "bad-time": "sorts the entry among its siblings arbitrarily",
    "unknown-type": "keeps the entry and shows nothing",
    "missing-target": "skips it",
    "missing-kept": "keeps nothing from before the compaction",
    "no-result": "answers the call with an error on continuing from there",
}
"""Kind of finding → what Pi makes of it. Findings of kinds that are not here need no word."""

HARMLESS = frozenset({"migrated", "no-result", "empty", "unknown-type", "left-behind"})
"""Kinds that are told, but are no problems: what Pi itself writes or is built to take."""


def findings(session: SessionManager) -> list[Notice]:
    """All that is to be told about a session, by line: what reading found, and what looking closer finds.

    Reads every record once.
    """
    found = session.notices + _limited(_look_closer(session))
    return sorted(found, key=lambda notice: (notice.line is None, notice.line or 0))


def _limited(notices: Iterator[Notice]) -> list[Notice]:
    kept: list[Notice] = []
    counts: dict[str, int] = {}
    for notice in notices:
        counts[notice.kind] = counts.get(notice.kind, 0) + 1
        if counts[notice.kind] <= MOST_OF_A_KIND:
            kept.append(notice)
    for kind, count in counts.items():
        if count > MOST_OF_A_KIND:
            kept.append(Notice(kind, None, f"{count - MOST_OF_A_KIND:,} more of the kind {kind}"))
    return kept


def _look_closer(session: SessionManager) -> Iterator[Notice]:
    calls: dict[str, tuple[int, str]] = {}
    for entry in session.get_entries():
        if math.isnan(entry.time_ms):
            yield Notice("bad-time", entry.line, f"entry {entry.id}: its timestamp cannot be read")
        look = _LOOKS.get(entry.kind)
        if look is not None:
            yield from look(session, entry)
        if entry.kind in ASSISTANT_KINDS and entry.flags & Flag.CALLS:
            for call in tool_calls(_message(entry).get("content")):
                calls[str(call.get("id"))] = entry.line, str(call.get("name"))
        elif entry.kind is Kind.TOOL_RESULT:
            calls.pop(str(_message(entry).get("toolCallId")), None)
    for line, name in calls.values():
        yield Notice("no-result", line, f"the call of {name} has no result")


def _message(entry: Entry) -> dict[str, Any]:
    message = entry.record.get("message")
    return message if isinstance(message, dict) else {}


def _target(session: SessionManager, entry: Entry) -> Iterator[Notice]:
    target = entry.record.get("targetId")
    table = session.table
    index = table.by_id.get(target, -1) if isinstance(target, str) else -1
    where = "" if index >= 0 else "in the file"
    if not where and entry.kind is Kind.CONTEXT_EDIT and not table.is_above(index, entry.index):
        where = "on its branch"
    if where:
        what = entry.type.replace("_", " ")
        yield Notice("missing-target", entry.line, f"{what} {entry.id}: its target {target} is not {where}")


def _kept(session: SessionManager, entry: Entry) -> Iterator[Notice]:
    """The first kept entry has to lie on the path to the compaction; its own id says that nothing is kept."""
    kept = entry.record.get("firstKeptEntryId")
    if kept != entry.id and first_kept(session.table, entry) < 0:
        where = "on its branch" if isinstance(kept, str) and kept in session.table.by_id else "in the file"
        words = f"compaction {entry.id}: its first kept entry {kept} is not {where}"
        yield Notice("missing-kept", entry.line, words)


def _unknown(session: SessionManager, entry: Entry) -> Iterator[Notice]:
    yield Notice("unknown-type", entry.line, f"entry {entry.id}: the type {entry.type!r} is not known")


_LOOKS: dict[Kind, Callable[[SessionManager, Entry], Iterator[Notice]]] = {
    Kind.LABEL: _target,
    Kind.CONTEXT_EDIT: _target,
    Kind.COMPACTION: _kept,
    Kind.UNKNOWN: _unknown,
}
"""Kind of entry → what to look for in it."""
