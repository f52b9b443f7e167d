"""Forking as a person does it: before or after an entry, here or elsewhere, the file written at once."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from pitree.pi.places import find_places
from pitree.session.format.new_records import file_name, header, new_session_id, now
from pitree.session.manager.continuation import continuation
from pitree.session.manager.fork import branch_records, whole_records
from pitree.session.manager.queries import ReadOperations
from pitree.session.storage.atomic_file import write_new_file


@dataclass(frozen=True, slots=True)
class Fork:
    """A new session made from another.

    Attributes:
        path: its file.
        session_id: its id.
        text: text of the user message it was forked before, to be edited and sent; None if it was forked
            after an entry.
        entries: how many entries it holds.
    """

    path: Path
    session_id: str
    text: str | None
    entries: int


def fork_at(
    session: ReadOperations,
    index: int,
    cwd: str | os.PathLike[str] | None = None,
    folder: Path | None = None,
) -> Fork:
    """Fork a session at an entry: before a user or custom message, whose text is kept, else after the entry.

    The source stays as it is. Unlike Pi, which keeps a fork without messages in memory, the new file is
    written at once: it carries the link to its parent.

    Args:
        session: the source; it lies in a file.
        index: the entry.
        cwd: working directory of the new session, whose session folder it then goes to; the source's own by
            default, in the source's folder.
        folder: with `cwd`, the session folder to go to in place of that directory's own.

    Raises:
        WriteError: the new file cannot be written.
    """
    chosen = continuation(session, index)
    leaf = session.table.by_id[chosen.leaf_id] if chosen.leaf_id is not None else -1
    return _fork(session, leaf, chosen.text, cwd, folder)


def clone(
    session: ReadOperations, cwd: str | os.PathLike[str] | None = None, folder: Path | None = None
) -> Fork:
    """Fork a session at its leaf; see `fork_at`."""
    return _fork(session, session.leaf_index, None, cwd, folder)


def _fork(
    session: ReadOperations,
    leaf: int,
    text: str | None,
    cwd: str | os.PathLike[str] | None,
    chosen: Path | None,
) -> Fork:
    assert session.path is not None, "only a session with a file can be forked"
    if cwd is None:
        where, folder = session.get_cwd() or os.getcwd(), session.get_session_dir() or session.path.parent
    else:
        where = os.path.abspath(os.path.expanduser(cwd))
        folder = chosen if chosen is not None else Path(find_places(where).folder)
    made = header(new_session_id(), now(), where, str(session.path))
    entries = list(branch_records(whole_records(session, session.branch_indexes(leaf)), session.labels))
    path = folder / file_name(made["timestamp"], made["id"])
    write_new_file(path, [made, *entries])
    return Fork(path, made["id"], text, len(entries))
