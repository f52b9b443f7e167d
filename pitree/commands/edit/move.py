"""`pitree move`: moves the leaf, so that Pi continues from another entry."""

from __future__ import annotations

import sys
from argparse import Namespace

from pitree.commands.entries import entry_words, find_entry
from pitree.commands.output import Output, UsageError
from pitree.commands.where import SessionLookup
from pitree.commands.writing import (
    bring_to_current,
    tell_change,
    tell_nothing,
    tell_text,
    text_as_json,
    write_to,
)
from pitree.session.format.new_records import ABSENT
from pitree.session.manager.appends import LeafMoved
from pitree.session.manager.branch_summary import branch_left, file_lists
from pitree.session.manager.continuation import Continuation, continuation
from pitree.session.manager.manager import SessionManager
from pitree.session.manager.undoable_edits import move

ROOT = "root"
"""What stands for the place before any entry."""


def run(args: Namespace, out: Output, where: SessionLookup) -> None:
    """Move the leaf to an entry, before a user or custom message, or before any entry."""

    def move_leaf(file: str, session: SessionManager) -> None:
        chosen = _chosen(session, args.entry)
        if session.leaf_index < 0 if chosen is None else chosen.current and not chosen.before:
            tell_nothing(file, "this is already the leaf", args, out)
            return
        leaf_id = chosen.leaf_id if chosen is not None else None
        seen = session.get_leaf_id()
        target = session.table.by_id[leaf_id] if leaf_id is not None else -1
        details = file_lists(branch_left(session, session.leaf_index, target)).details
        summary = _summary(args.summary)
        bring_to_current(file, session, out)
        try:
            change = move(
                session,
                leaf_id,
                summary,
                args.label,
                details if summary is not None else ABSENT,
                expected_leaf=seen,
            )
        except LeafMoved as error:
            now = f"at {error.leaf_id}" if error.leaf_id is not None else "before any entry"
            out.error(
                f"{file}: nothing was written: the session has grown meanwhile, and its leaf is "
                f"now {now}; run the command again to move the leaf anyway"
            )
            return
        text = chosen.text if chosen is not None else None
        if args.json:
            out.json({"file": file, "entries": change.records} | text_as_json(text))
            return
        tell_change(file, change, _told(session, change.words, chosen), args, out)
        tell_text(text, out)

    write_to(args, out, where, move_leaf)


def _chosen(session: SessionManager, name: str) -> Continuation | None:
    """The entry to continue from; None for the place before any."""
    if name == ROOT and ROOT not in session.table.by_id:
        return None
    return continuation(session, find_entry(session, name).index)


def _told(session: SessionManager, words: str, chosen: Continuation | None) -> list[str]:
    """What happened, in lines."""
    if chosen is None:
        return [f"{words}: before any entry"]
    if not chosen.before:
        return [f"{words}: after {entry_words(chosen.entry)}"]
    leaf = session.get_entry(chosen.leaf_id) if chosen.leaf_id is not None else None
    there = f"after {entry_words(leaf)}" if leaf is not None else "before any entry"
    return [f"{words}: before {entry_words(chosen.entry)}", f"that is, {there}"]


def _summary(given: str | None) -> str | None:
    """The summary as it was given, or for `-` from standard input.

    Raises:
        UsageError: there is nothing in it.
        ValueError: standard input is not text in UTF-8.
    """
    if given is None:
        return None
    if given == "-":
        data = sys.stdin.buffer.read() if sys.stdin is not None else b""
        try:
            given = data.decode()
        except UnicodeDecodeError:
            raise ValueError("--summary: standard input is not UTF-8") from None
    if not given.strip():
        raise UsageError("--summary: empty; nothing was written")
    return given.strip()
