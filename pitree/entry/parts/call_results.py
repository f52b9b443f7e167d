"""Which result answers which tool call, and the other way round, found by walking near the entry.

Pi links them by `toolCallId` alone. A session has no index of calls: an interrupted turn leaves calls
without a result, and results follow their call closely, so a bounded walk finds what there is.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from pitree.session.format.entry_summary import tool_calls
from pitree.session.format.entry_type import ASSISTANT_KINDS, Flag, Kind
from pitree.session.manager.manager import SessionManager

_ENTRIES_SCANNED = 20_000
_RECORDS_READ = 2_000
_ANCESTORS = 2_000
_USERS_PASSED = 2
"""User messages above a result that are passed in looking for its call, which is in the turn they began."""
_ENDS_A_TURN = frozenset({Kind.USER, *ASSISTANT_KINDS})


def results_of(
    session: SessionManager, index: int, call_ids: Collection[str]
) -> dict[str, tuple[int, dict[str, Any]]]:
    """The results of an assistant message's calls: call id → index of the result and its message.

    Looks through the entries that descend from `index`, on every branch until a user or assistant message
    follows. In a file an entry comes after its parent, so one pass over the entries behind `index` sees all
    its descendants. Of several results for a call the first in the file counts.
    """
    found: dict[str, tuple[int, dict[str, Any]]] = {}
    missing = set(call_ids)
    table = session.table
    below = {index}
    reads = 0
    parents, kinds = table.parents, table.kinds
    for at in range(index + 1, min(len(table), index + 1 + _ENTRIES_SCANNED)):
        if not missing or reads >= _RECORDS_READ:
            break
        if parents[at] not in below or kinds[at] in _ENDS_A_TURN:
            continue
        below.add(at)
        if kinds[at] == Kind.TOOL_RESULT:
            reads += 1
            message = session.entry(at).record.get("message")
            if not isinstance(message, dict):
                continue
            call_id = message.get("toolCallId")
            if isinstance(call_id, str) and call_id in missing:
                missing.discard(call_id)
                found[call_id] = at, message
    return found


def call_of(session: SessionManager, index: int, call_id: Any) -> tuple[int, dict[str, Any]] | None:
    """The call a result answers: index of the assistant message and the `toolCall` block; None if not found.

    Walks up the ancestors, since a branch has one turn's call above its results.
    """
    table = session.table
    at = table.parents[index]
    users = 0
    for _ in range(_ANCESTORS):
        users += at >= 0 and table.kinds[at] == Kind.USER
        if at < 0 or users > _USERS_PASSED:
            return None
        if table.kinds[at] in ASSISTANT_KINDS and table.flags[at] & Flag.CALLS:
            message = session.entry(at).record.get("message")
            for call in tool_calls(message.get("content") if isinstance(message, dict) else None):
                if call.get("id") == call_id:
                    return at, call
        at = table.parents[at]
    return None
