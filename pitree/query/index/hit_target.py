"""From a match to the entry whose row shows it."""

from __future__ import annotations

import os
from typing import Any

from pitree.catalog.info.session_info import NoSessionFile
from pitree.query.entries.searchable import call_answered
from pitree.query.index.hits import Hit
from pitree.query.index.record_reader import RecordPosition, RecordReader, open_file, record_at
from pitree.query.index.session_facts import SessionFacts
from pitree.session.format.entry_summary import text_of, tool_calls, trim
from pitree.session.format.entry_type import ASSISTANT_KINDS, Kind
from pitree.session.storage.line_reader import FileReplaced

_RESULT_WITHIN = 16_000_000
"""Bytes after a call in which its result is looked for."""


def entry_of(hit: Hit) -> str | None:
    """The id of the entry to go to for a match; None if it is best to open the session where Pi would.

    That is the entry itself; the one that a label is on; and for a message of the assistant that says
    nothing but calls tools, which has no row of its own, the first result of these.
    """
    try:
        descriptor = open_file(hit.path)
        try:
            record = record_at(descriptor, hit.offset)
        finally:
            os.close(descriptor)
    except OSError:
        return hit.entry_id or None
    if record is None:
        return hit.entry_id or None
    if hit.kind is Kind.LABEL:
        target = record.get("targetId")
        return target if isinstance(target, str) else hit.entry_id or None
    if hit.kind is Kind.SESSION_INFO:
        return None
    wanted = _silent_calls(record) if hit.kind in ASSISTANT_KINDS else frozenset()
    if wanted:
        return _result_behind(hit, wanted) or hit.entry_id or None
    return hit.entry_id or _id_by_place(hit)


def _silent_calls(record: dict[str, Any]) -> frozenset[str]:
    """The ids of the calls of a message that has no text; none if it has some."""
    message = record.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    if trim(text_of(content)):
        return frozenset()
    return frozenset(call["id"] for call in tool_calls(content) if isinstance(call.get("id"), str))


def _result_behind(hit: Hit, calls: frozenset[str]) -> str | None:
    """The id of the first result of some calls in the lines behind a match; None if there is none."""
    mark = RecordPosition(0, 0, hit.offset, b"", b"")
    reader = RecordReader(hit.path, mark, SessionFacts(hit.path), most=_RESULT_WITHIN, anyway=True)
    try:
        for _, record, kind in reader:
            if kind is Kind.TOOL_RESULT and call_answered(record) in calls:
                return _id(record)
    except (NoSessionFile, OSError):
        pass
    return None


def _id_by_place(hit: Hit) -> str | None:
    """The id of a match's entry that bears none, or "": in old formats it tells the place among them."""
    try:
        for at, record, _ in RecordReader(hit.path):
            if at == hit.offset:
                return _id(record)
    except (NoSessionFile, FileReplaced, OSError):
        pass
    return None


def _id(record: dict[str, Any]) -> str | None:
    entry_id = record.get("id")
    return entry_id if isinstance(entry_id, str) else None
