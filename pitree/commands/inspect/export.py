"""`pitree export`: a branch of a session as Markdown, as one HTML page, or as a session of its own."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from pitree.commands.entries import EntryNotFound, find_entry
from pitree.commands.output import Output, Style
from pitree.commands.sessions import SessionLookup, for_each
from pitree.entry.export import ExportError, Format, export, save
from pitree.session.manager.manager import SessionManager
from pitree.text.cells import cut
from pitree.text.figures import size
from pitree.text.sanitize import visible


def run(args: Namespace, out: Output, where: SessionLookup) -> None:
    """Export the branch of one session that ends at an entry."""

    def write(file: str, session: SessionManager) -> None:
        try:
            end = find_entry(session, args.at).index if len(session.table) or args.at != "leaf" else -1
        except EntryNotFound as error:
            out.error(f"{file}: {error}")
            return
        to_stdout = args.output in (None, "-")
        form = Format(args.format) if args.format else Format.of_file("" if to_stdout else args.output)
        pieces = export(session, end, form)
        if to_stdout:
            for piece in pieces:
                out.raw(piece)
            return
        try:
            written = save(Path(args.output), pieces)
        except ExportError as error:
            out.error(error)
            return
        count = len(session.branch_indexes(end))
        entries = f"{count:,} {'entry' if count == 1 else 'entries'} in {size(written)}"
        out.line(cut(out.style(visible(args.output), Style.BOLD) + f"  {entries}", out.width))

    for_each([args.session], out, where, write)
