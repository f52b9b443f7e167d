"""The entries of a fork: one path of a session, re-chained without its labels, the labels after it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from pitree.session.format.errors import WriteError
from pitree.session.format.new_records import new_entry_id
from pitree.session.manager.queries import ReadOperations
from pitree.session.reading.reader import Label


def branch_records(path: Iterable[dict[str, Any]], labels: dict[str, Label]) -> Iterator[dict[str, Any]]:
    """The entries of a session that holds one path only, by the rules of Pi's `createBranchedSession`.

    Labels are entries of the tree, so dropping them takes re-chaining: every kept entry hangs on the kept one
    before it, and a compaction whose first kept entry was a dropped label names the next kept entry. One
    label entry for each label on the path comes at the end, chained, with the label's own time.

    Args:
        path: records from the root to the leaf of the new session.
        labels: all labels of the session, entry id → label.
    """
    stands_for: dict[str, str] = {}
    dropped: list[str] = []
    taken: set[str] = set()
    parent: str | None = None
    for record in path:
        entry_id = record["id"]
        if record.get("type") == "label":
            dropped.append(entry_id)
            continue
        stands_for.update(dict.fromkeys(dropped, entry_id))
        dropped.clear()
        copy = {**record, "parentId": parent}
        first_kept = record.get("firstKeptEntryId")
        if record.get("type") == "compaction" and isinstance(first_kept, str) and first_kept != entry_id:
            copy["firstKeptEntryId"] = stands_for.get(first_kept, first_kept)
        yield copy
        taken.add(entry_id)
        parent = entry_id
    for target, label in [(target, label) for target, label in labels.items() if target in taken]:
        label_id = new_entry_id(taken)
        taken.add(label_id)
        made = {"type": "label", "id": label_id, "parentId": parent}
        if label.time:
            made["timestamp"] = label.time
        yield {**made, "targetId": target, "label": label.text}
        parent = label_id


def whole_records(session: ReadOperations, indexes: Iterable[int]) -> Iterator[dict[str, Any]]:
    """Records of entries, one at a time, to be written elsewhere.

    Raises:
        WriteError: one can no longer be read, the file was rewritten meanwhile, or only its end was read.
    """
    _check_whole(session)
    try:
        for index in indexes:
            yield session.records.load(index)
    except (OSError, ValueError):
        raise _rewritten(session) from None
    check_unchanged(session)


def whole_lines(session: ReadOperations) -> Iterator[bytes]:
    """All entries as lines of a version 3 file, those of one as they stand.

    Raises:
        WriteError: as for `whole_records`.
    """
    _check_whole(session)
    try:
        for index in range(len(session.table)):
            yield session.records.line(index)
    except (OSError, ValueError):
        raise _rewritten(session) from None
    check_unchanged(session)


def check_unchanged(session: ReadOperations) -> None:
    """Make sure that what was read of a session still lies where it was read.

    Raises:
        WriteError: it does not.
    """
    try:
        if session.fits():
            return
    except OSError:
        pass
    raise _rewritten(session)


def _check_whole(session: ReadOperations) -> None:
    if session.partial:
        raise WriteError(session.path, "nothing was written: the session is still loading")


def _rewritten(session: ReadOperations) -> WriteError:
    return WriteError(session.path, "nothing was written: the file was rewritten meanwhile; reload it")
