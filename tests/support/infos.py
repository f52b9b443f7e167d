"""Sessions of a list made from as few words as a test takes, without a file."""

from __future__ import annotations

import os

from pitree.catalog.info.message_texts import MessageText
from pitree.catalog.info.session_info import NO_MESSAGES, Exchange, SessionInfo
from pitree.pi.places import SessionFile
from tests.support.stores import START


def info(
    id: str,
    *says: str,
    name: str | None = None,
    cwd: str = "/home/dev/project",
    parent: str | None = None,
    modified: int = START,
    path: str | None = None,
) -> SessionInfo:
    """A session of a list.

    Args:
        id: its id; the file is `/s/<id>.jsonl` unless `path` says otherwise.
        says: its texts, the user's first.
        name, cwd, modified: as in `SessionInfo`.
        parent: id or path of the session it was forked from.
    """
    where = path or f"/s/{id}.jsonl"
    if parent is not None and os.sep not in parent:
        parent = f"/s/{parent}.jsonl"
    return SessionInfo(
        path=where,
        id=id,
        cwd=cwd,
        name=name,
        parent_session=parent,
        created=START,
        modified=modified,
        message_count=len(says),
        first_message=says[0] if says else NO_MESSAGES,
        first_message_whole=True,
        first=Exchange(says[0] if says else "", says[1] if len(says) > 1 else ""),
        last=Exchange(says[-1] if says else "", ""),
        text=MessageText(says),
        file=SessionFile(where, 0, 0.0, (0, 0, 0, 0)),
    )
