"""`pitree fork`: a new session that ends at an entry of another."""

from __future__ import annotations

from argparse import Namespace

from pitree.commands.entries import entry_words, find_entry
from pitree.commands.output import Output
from pitree.commands.where import SessionLookup
from pitree.commands.writing import other_folder, tell_fork, write_to
from pitree.session.manager.forking import fork_at
from pitree.session.manager.manager import SessionManager


def run(args: Namespace, out: Output, where: SessionLookup) -> None:
    """Fork a session before a user or custom message, or after another entry."""

    def fork(file: str, session: SessionManager) -> None:
        entry = find_entry(session, args.entry)
        cwd, folder = other_folder(args, where)
        made = fork_at(session, entry.index, cwd, folder)
        words = "after" if made.text is None else "before"
        tell_fork(made, f"forked {words} {entry_words(entry)}", args, out)

    write_to(args, out, where, fork)
