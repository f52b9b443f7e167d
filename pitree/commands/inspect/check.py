"""`pitree check`: what is wrong with session files, line by line, and what Pi makes of it."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from pitree.commands.findings import HARMLESS, PI_DOES, findings
from pitree.commands.output import Output, Style
from pitree.commands.sessions import SessionLookup
from pitree.session.format.errors import Notice, SessionError
from pitree.session.manager.manager import SessionManager
from pitree.text.sanitize import visible


def run(args: Namespace, out: Output, where: SessionLookup) -> None:
    """Check each file; the status is 1 if any has a problem."""
    for file in args.files:
        try:
            session = SessionManager.open(Path(file))
        except SessionError as error:
            out.error(error)
            continue
        try:
            _report(file, session, findings(session), out)
        finally:
            session.close()


def _report(file: str, session: SessionManager, found: list[Notice], out: Output) -> None:
    problems = sum(notice.kind not in HARMLESS for notice in found)
    entries = session.get_entry_count()
    count = f"{entries:,} {'entry' if entries == 1 else 'entries'}, version {session.version}"
    verdict = "no problems" if not problems else f"{problems:,} {'problem' if problems == 1 else 'problems'}"
    style = Style.ERROR if problems else Style.ASSISTANT
    out.line(f"{out.style(visible(file), Style.BOLD)}  {count}: {out.style(verdict, style)}")
    places = [f"line {notice.line:,}" if notice.line is not None else "" for notice in found]
    width = max(map(len, places), default=0)
    kinds = max((len(notice.kind) for notice in found), default=0)
    said: set[str] = set()
    for place, notice in zip(places, found, strict=True):
        style = Style.DIM if notice.kind in HARMLESS else Style.WARNING
        kind = out.style(f"{notice.kind:{kinds}}", style)
        out.line(f"  {out.style(f'{place:>{width}}', Style.DIM)}  {kind}  {visible(notice.message)}")
        does = PI_DOES.get(notice.kind)
        if does is not None and notice.kind not in said:
            said.add(notice.kind)
            out.line(f"  {'':{width}}  {'':{kinds}}  {out.style('Pi: ' + does, Style.DIM)}")
    if problems:
        out.status = 1
