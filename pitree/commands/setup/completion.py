"""`pitree completion`: prints a shell's completion of pitree, or the sessions that complete a word."""

from __future__ import annotations

import asyncio
import re
from argparse import Namespace
from itertools import islice

from pitree.catalog.loading.lister import list_all_sessions, list_sessions
from pitree.commands.output import Output
from pitree.commands.where import SessionLookup
from pitree.text.sanitize import visible

_MOST = 200
_PLAIN = re.compile(r"[A-Za-z0-9._-]+")


def run(args: Namespace, out: Output, where: SessionLookup) -> None:
    """Print the script of a shell, or the sessions."""
    if args.sessions:
        _print_sessions(out, where)
        return
    from pitree.commands.shells import SCRIPTS
    from pitree.commands.shells.said import everything

    out.raw(SCRIPTS[args.shell](everything()).encode())


def _print_sessions(out: Output, where: SessionLookup) -> None:
    """Id and title of the sessions of this folder, the newest first; of all folders where it has none.

    Ids that a shell could take for more than a word are left out.
    """
    places = where.places
    found = asyncio.run(list_sessions(places=places)) or asyncio.run(list_all_sessions(places=places))
    for info in islice((info for info in found if _PLAIN.fullmatch(info.id)), _MOST):
        title = " ".join(visible(info.title[:_MOST]).split())
        out.line(f"{info.id}\t{title}")
