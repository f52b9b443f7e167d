"""A branch as a session file that Pi opens."""

from __future__ import annotations

import os
from collections.abc import Iterator

from pitree.session.format.jsonl import dump
from pitree.session.format.new_records import header, new_session_id, now
from pitree.session.manager.fork import branch_records, whole_records
from pitree.session.manager.manager import SessionManager


def session_lines(session: SessionManager, end: int) -> Iterator[bytes]:
    """The lines of a session that holds one branch, with the labels of its entries.

    The entries are those of Pi's `createBranchedSession`: label entries are left out and the rest re-chained,
    then the labels that hold are set at the end. The header has an id of its own, so that the file can lie
    beside the one it was made from; it names no parent session, since an export is to stand by itself and a
    path of this machine says nothing elsewhere. The working directory stays.

    Raises:
        WriteError: the file was rewritten meanwhile.
    """
    yield dump(header(new_session_id(), now(), session.get_cwd() or os.getcwd(), None)) + b"\n"
    path = session.branch_indexes(end)
    for record in branch_records(whole_records(session, path), session.labels):
        yield dump(record) + b"\n"
