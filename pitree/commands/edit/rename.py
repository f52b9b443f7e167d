"""`pitree rename`: names a session."""

from __future__ import annotations

from argparse import Namespace

from pitree.commands.output import Output
from pitree.commands.where import SessionLookup
from pitree.commands.writing import bring_to_current, tell_change, tell_nothing, write_to
from pitree.session.format.new_records import clean_name
from pitree.session.manager.manager import SessionManager
from pitree.session.manager.undoable_edits import rename
from pitree.text.sanitize import visible


def run(args: Namespace, out: Output, where: SessionLookup) -> None:
    """Name a session; an empty name clears it."""

    def name(file: str, session: SessionManager) -> None:
        before = session.get_session_name() or ""
        if clean_name(args.name) == before:
            has = f"its name is already “{visible(before)}”" if before else "it has no name"
            tell_nothing(file, has, args, out)
            return
        bring_to_current(file, session, out)
        change = rename(session, args.name)
        tell_change(file, change, [visible(change.words)], args, out)

    write_to(args, out, where, name)
