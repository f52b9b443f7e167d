"""`pitree archive`: takes a session out of the lists, or a branch out of the tree, and puts it back."""

from __future__ import annotations

from argparse import Namespace

from pitree.commands.entries import EntryNotFound, entry_words, find_entry
from pitree.commands.output import Output
from pitree.commands.sessions import SessionLookup, for_each, title
from pitree.outline.outline import Outline
from pitree.session.manager.manager import SessionManager
from pitree.state.shelf_edits import ShelfChange, set_archived, set_branches
from pitree.text.cells import cut


def run(args: Namespace, out: Output, where: SessionLookup) -> None:
    """Archive a session or the branch of an entry, or put it back. Nothing is written to the session."""

    def archive(file: str, session: SessionManager) -> None:
        if args.entry is None:
            done = set_archived(where.shelf, session.get_session_id(), file, not args.restore)
            out.line(cut(f"{done.words}: {title(session)}", out.width))
            return
        try:
            done, start = _branch(file, session, args, where)
        except (EntryNotFound, ValueError) as error:
            out.error(f"{file}: {error}")
        else:
            out.line(cut(f"{done.words}: {entry_words(session.entry(start))}", out.width))

    for_each([args.session], out, where, archive)


def _branch(
    file: str, session: SessionManager, args: Namespace, where: SessionLookup
) -> tuple[ShelfChange, int]:
    """Archive the branch of an entry, or put back those that it belongs to; what was done, and its start.

    Raises:
        EntryNotFound: there is no such entry.
        ValueError: the branch cannot be archived, or is not.
    """
    entry, ids = find_entry(session, args.entry), session.table.ids
    session_id, outline = session.get_session_id(), Outline(session)
    where.shelf.refresh()
    if not args.restore:
        start = outline.branch_start(entry.index)
        if outline.is_on_path(start):
            raise ValueError(
                "not archived: this is the branch of the leaf; move the leaf to another branch first"
            )
        return set_branches(where.shelf, session_id, file, archive=[ids[start]]), start
    outline.set_archived(where.shelf.of(session_id, file).branches, show=True)
    starts = outline.archived_from(entry.index)
    if not starts:
        raise ValueError("the branch is not archived")
    return set_branches(where.shelf, session_id, file, restore=[ids[one] for one in starts]), starts[0]
