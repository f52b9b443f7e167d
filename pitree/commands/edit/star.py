"""`pitree star`: stars sessions, or takes their stars away."""

from __future__ import annotations

from argparse import Namespace

from pitree.commands.output import Output
from pitree.commands.sessions import SessionLookup, for_each, title
from pitree.session.manager.manager import SessionManager
from pitree.state.shelf_edits import set_star
from pitree.text.cells import cut


def run(args: Namespace, out: Output, where: SessionLookup) -> None:
    """Star each session, or take its star away. Nothing is written to them."""

    def star(file: str, session: SessionManager) -> None:
        done = set_star(where.shelf, session.get_session_id(), file, not args.remove)
        out.line(cut(f"{done.words}: {title(session)}", out.width))

    for_each(args.sessions, out, where, star)
