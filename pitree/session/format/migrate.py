"""Formats 1 and 2 in version 3 form, in memory only: the file is never rewritten by looking at it.

Version 1 is linear: entries get ids and each hangs on the one before. Pi draws random ids; here an id tells
the entry's place, so that it is the same on every look. Version 2 calls the role `custom` `hookMessage`.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import Any

CURRENT_VERSION = 3


def version_of(header: dict[str, Any]) -> int:
    """The format version a header states; absent or unreadable means 1 (3 for the `type: header` form)."""
    version = header.get("version")
    if isinstance(version, str) and version.strip().isdigit():
        version = int(version)
    if isinstance(version, int | float) and not isinstance(version, bool):
        return int(version)
    return CURRENT_VERSION if header.get("type") == "header" else 1


def id_of_place(index: int) -> str:
    """The id a version 1 entry goes by: 8 hex digits of its index."""
    return f"{index:08x}"


def to_current(record: dict[str, Any], version: int, index: int, headers: list[int]) -> dict[str, Any]:
    """A record in version 3 form; the record given may be changed.

    Args:
        record: an entry as it is in the file.
        version: the file's format version.
        index: the entry's index.
        headers: places of the headers among all records of the file, ascending; the first record is 0.
    """
    if version < 2:
        record["id"] = id_of_place(index)
        record["parentId"] = id_of_place(index - 1) if index else None
        if record.get("type") == "compaction":
            kept = record.get("firstKeptEntryIndex")
            if isinstance(kept, int) and not isinstance(kept, bool):
                place = bisect_left(headers, kept)
                if kept >= 0 and (place == len(headers) or headers[place] != kept):
                    record["firstKeptEntryId"] = id_of_place(kept - place)
                del record["firstKeptEntryIndex"]
    if version < CURRENT_VERSION and record.get("type") == "message":
        message = record.get("message")
        if isinstance(message, dict) and message.get("role") == "hookMessage":
            message["role"] = "custom"
    return record
