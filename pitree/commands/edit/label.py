"""`pitree label`: sets or removes the label of an entry."""

from __future__ import annotations

from argparse import Namespace

from pitree.commands.entries import entry_words, find_entry
from pitree.commands.output import Output
from pitree.commands.where import SessionLookup
from pitree.commands.writing import bring_to_current, tell_change, tell_nothing, write_to
from pitree.session.manager.manager import SessionManager
from pitree.session.manager.undoable_edits import clean_label, set_label
from pitree.text.sanitize import visible


def run(args: Namespace, out: Output, where: SessionLookup) -> None:
    """Label an entry; without a text, or with an empty one, remove its label."""

    def label(file: str, session: SessionManager) -> None:
        entry = find_entry(session, args.entry)
        before = session.get_label(entry.id)
        if clean_label(args.text) == before:
            has = f"has the label [{visible(before)}] already" if before else "has no label"
            tell_nothing(file, f"{entry_words(entry)}: it {has}", args, out)
            return
        bring_to_current(file, session, out)
        change = set_label(session, entry.id, args.text)
        tell_change(file, change, [f"{visible(change.words)}: {entry_words(entry)}"], args, out)

    write_to(args, out, where, label)
