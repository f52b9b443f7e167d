"""New sessions out of old ones: the path to an entry, or a whole file, under a new header."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pitree.session.jsonl import dump
from pitree.session.make import new_entry_id
from pitree.session.notices import WriteError
from pitree.session.reader import Label


def branch_records(path: list[dict[str, Any]], labels: dict[str, Label]) -> list[dict[str, Any]]:
    """The entries of a session that holds one path only, by the rules of Pi's `createBranchedSession`.

    Labels are entries of the tree, so dropping them takes re-chaining: every kept entry hangs on the kept one
    before it, and a compaction whose first kept entry was a dropped label names the next kept entry. One
    label entry for each label on the path comes at the end, chained, with the label's own time.

    Args:
        path: records from the root to the leaf of the new session.
        labels: all labels of the session, entry id → label.
    """
    kept: list[dict[str, Any]] = []
    stands_for: dict[str, str] = {}
    dropped: list[str] = []
    parent: str | None = None
    for record in path:
        if record.get("type") == "label":
            dropped.append(record["id"])
            continue
        stands_for.update(dict.fromkeys(dropped, record["id"]))
        dropped.clear()
        copy = {**record, "parentId": parent}
        if record.get("type") == "compaction" and record.get("firstKeptEntryId") != record["id"]:
            first_kept = record.get("firstKeptEntryId")
            copy["firstKeptEntryId"] = stands_for.get(first_kept, first_kept) if first_kept else first_kept
        kept.append(copy)
        parent = record["id"]
    taken = {record["id"] for record in kept}
    for target, label in [(target, label) for target, label in labels.items() if target in taken]:
        entry_id = new_entry_id(taken)
        taken.add(entry_id)
        kept.append(
            {
                "type": "label",
                "id": entry_id,
                "parentId": parent,
                "timestamp": label.time,
                "targetId": target,
                "label": label.text,
            }
        )
        parent = entry_id
    return kept


def write_new_file(path: Path, records: Iterable[dict[str, Any]]) -> None:
    """Write a new session file, whole or not at all.

    Raises:
        WriteError: a file of this name exists, or it cannot be written; nothing is left behind.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as file:
            try:
                for record in records:
                    file.write(dump(record) + b"\n")
                file.flush()
            except BaseException:
                _remove(path)
                raise
    except FileExistsError:
        raise WriteError(path, "nothing was written: there is a file of this name already") from None
    except OSError as error:
        raise WriteError(path, f"nothing was written: {error.strerror or error}") from error


def _remove(path: Path) -> None:
    try:
        os.unlink(path)
    except OSError:
        pass
