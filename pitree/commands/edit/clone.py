"""`pitree clone`: a new session with the branch that another one is on."""

from __future__ import annotations

from argparse import Namespace

from pitree.commands.entries import entry_words
from pitree.commands.output import Output
from pitree.commands.where import SessionLookup
from pitree.commands.writing import other_folder, tell_fork, write_to
from pitree.session.manager.forking import clone
from pitree.session.manager.manager import SessionManager


def run(args: Namespace, out: Output, where: SessionLookup) -> None:
    """Fork a session at its leaf."""

    def clone_it(file: str, session: SessionManager) -> None:
        leaf = session.get_leaf_entry()
        if leaf is None:
            out.error(f"{file}: nothing was written: the session has no entries to clone")
            return
        cwd, folder = other_folder(args, where)
        tell_fork(clone(session, cwd, folder), f"cloned up to {entry_words(leaf)}", args, out)

    write_to(args, out, where, clone_it)
