"""A branch read as one document: the parts of its entries, each tool result shown once, with its call."""

from __future__ import annotations

import math
from collections import OrderedDict
from functools import cached_property
from typing import Any

from pitree.entry.parts.build_context import BranchContext, mapping
from pitree.entry.parts.model import Part
from pitree.entry.parts.registry import parts_of
from pitree.session.format.entry_summary import tool_calls
from pitree.session.format.entry_type import ASSISTANT_KINDS, Flag, Kind
from pitree.session.manager.manager import SessionManager

Answers = dict[str, int]
"""Call id → index of its result."""

FULL_DATES = -math.inf
"""As the present, a time that makes every clock time show its date."""

_TURNS_KEPT = 64
_LONGEST_TURN = 2_000
"""Entries after a message among which the results of its calls are looked for."""


class Branch:
    """The path from the root to an entry, of which any place can be read without those before it.

    What a branch says of an entry may differ from what the entry alone says: of several results of a call
    the one on this branch counts, and the edits that are in force at its end.

    Args:
        session: the session.
        end: index of its last entry; -1 for an empty branch.
        now_ms: the time that clock times are told from, in ms since 1970; with their date by default.
    """

    def __init__(self, session: SessionManager, end: int, now_ms: float = FULL_DATES) -> None:
        self.session = session
        self.path = session.branch_indexes(end)
        self._now_ms = now_ms
        self._turns: OrderedDict[int, Answers] = OrderedDict()
        self._edits = self._edits_in_force()

    def __len__(self) -> int:
        return len(self.path)

    @cached_property
    def places(self) -> dict[int, int]:
        """Index of an entry → its place on the path."""
        return {index: place for place, index in enumerate(self.path)}

    def place(self, index: int) -> int:
        """The place of an entry; 0 for one that is not on the path."""
        return self.places.get(index, 0)

    def parts(self, place: int) -> list[Part]:
        """The parts of the entry at a place of the path, its heading first; none if its call shows it."""
        index = self.path[place]
        table = self.session.table
        kind = table.kinds[index]
        results: dict[str, tuple[int, dict[str, Any]]] = {}
        call = None
        if kind in ASSISTANT_KINDS and table.flags[index] & Flag.CALLS:
            results = {call_id: (at, self._message(at)) for call_id, at in self._answers(place).items()}
        elif kind == Kind.TOOL_RESULT:
            call = self._call(place)
            if call is not None and self._answers(call[0]).get(call[2]["id"]) == index:
                return []
        around = BranchContext(results, call[1:] if call is not None else None, self._edits)
        return parts_of(self.session, index, now_ms=self._now_ms, around=around)

    def _edits_in_force(self) -> dict[int, tuple[int, dict[str, Any]]]:
        """Index of an edited entry → the last edit of it on this branch."""
        table = self.session.table
        edits = [index for index in self.path if table.kinds[index] == Kind.CONTEXT_EDIT]
        if not edits:
            return {}
        on_path = {table.ids[index]: index for index in self.path}
        found: dict[int, tuple[int, dict[str, Any]]] = {}
        for edit in edits:
            record = self.session.entry(edit).record
            target = record.get("targetId")
            index = on_path.get(target) if isinstance(target, str) else None
            if index is not None and "replacement" in record:
                found[index] = edit, record
        return found

    def _message(self, index: int) -> dict[str, Any]:
        return mapping(self.session.entry(index).record.get("message"))

    def _answers(self, place: int) -> Answers:
        """The results of the calls at a place: those before the next user or assistant message."""
        found = self._turns.get(place)
        if found is not None:
            return found
        table = self.session.table
        calls = tool_calls(self._message(self.path[place]).get("content"))
        missing = {call["id"] for call in calls if isinstance(call.get("id"), str)}
        found = {}
        for index in self.path[place + 1 : place + 1 + _LONGEST_TURN]:
            kind = table.kinds[index]
            if not missing or kind == Kind.USER or kind in ASSISTANT_KINDS:
                break
            if kind == Kind.TOOL_RESULT:
                call_id = self._message(index).get("toolCallId")
                if isinstance(call_id, str) and call_id in missing:
                    missing.discard(call_id)
                    found[call_id] = index
        self._turns[place] = found
        if len(self._turns) > _TURNS_KEPT:
            self._turns.popitem(last=False)
        return found

    def _call(self, place: int) -> tuple[int, int, dict[str, Any]] | None:
        """The call that a result answers: its place on the path, its entry's index, the block."""
        table = self.session.table
        call_id = self._message(self.path[place]).get("toolCallId")
        if not isinstance(call_id, str):
            return None
        for at in range(place - 1, max(-1, place - 1 - _LONGEST_TURN), -1):
            index = self.path[at]
            kind = table.kinds[index]
            if kind == Kind.USER:
                return None
            if kind in ASSISTANT_KINDS:
                for call in tool_calls(self._message(index).get("content")):
                    if call.get("id") == call_id:
                        return at, index, call
                return None
        return None
