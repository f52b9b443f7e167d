"""`pitree show`: one entry in full."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from pitree.commands.entries import EntryNotFound, find_entry
from pitree.commands.output import Output, Style
from pitree.commands.sessions import SessionLookup, for_each
from pitree.entry.parts import Body, Part, PartKind, Syntax, Tone, parts_of
from pitree.session.manager.manager import SessionManager
from pitree.session.reading.entry import Entry
from pitree.text.sanitize import visible


def run(args: Namespace, out: Output, where: SessionLookup) -> None:
    """Print one entry of a session."""

    def print_one(file: str, session: SessionManager) -> None:
        try:
            entry = find_entry(session, args.entry)
        except EntryNotFound as error:
            out.error(f"{file}: {error}")
            return
        if args.json:
            out.json(as_json(file, session, entry))
        else:
            _print_all(parts_of(session, entry.index), out)

    for_each([args.session], out, where, print_one)


def as_json(file: str, session: SessionManager, entry: Entry) -> dict[str, Any]:
    """An entry as a JSON object: where it stands, and its record (in version 3 form)."""
    return {
        "file": file,
        "index": entry.index,
        "line": entry.line,
        "id": entry.id,
        "parentId": entry.parent_id,
        "type": entry.type,
        "role": entry.role,
        "timestamp": entry.timestamp,
        "label": session.get_label(entry.id),
        "onPath": entry.index in set(session.branch_indexes(session.leaf_index)),
        "record": entry.record,
    }


_STYLE_OF_TONE = {
    Tone.NORMAL: Style.BOLD,
    Tone.DIM: Style.DIM,
    Tone.WARNING: Style.WARNING,
    Tone.ERROR: Style.ERROR,
}


def _print_all(parts: list[Part], out: Output) -> None:
    """All parts of an entry, an empty line between them; facts stand together."""
    for place, part in enumerate(parts):
        if place and not (part.kind is parts[place - 1].kind is PartKind.FACTS):
            out.line()
        _print(part, "", out)


def _print(part: Part, margin: str, out: Output) -> None:
    """A part: its title line, its words and facts, its text, and what belongs to it, set in."""
    style = _STYLE_OF_TONE[part.tone]
    head = " ".join(filter(None, (out.style(part.title, style), part.subject)))
    if part.note:
        head += out.style(f"{'  ' if head else ''}{part.note}", Style.DIM)
    if head:
        out.line(margin + head)
    if part.words:
        out.line(margin + out.style(" · ".join(part.words), Style.DIM if part.tone is Tone.NORMAL else style))
    inner = margin + "  " if head and margin + "  " else margin
    names = max((len(fact.name) for fact in part.facts), default=0)
    for fact in part.facts:
        out.line(f"{inner}{out.style(f'{fact.name:{names}}', Style.DIM)}  {fact.value}")
    if part.body is not None:
        _print_body(part.body, inner, out)
    for child in part.children:
        _print(child, inner, out)


_DIFF_STYLES = {"+": Style.ASSISTANT, "-": Style.ERROR}


def _print_body(body: Body, margin: str, out: Output) -> None:
    styles = _DIFF_STYLES if body.syntax is Syntax.DIFF else {}
    for line in visible(body.plain, keep_newlines=True).rstrip("\n").split("\n"):
        out.line(margin + out.style(line, styles.get(line[:1], Style.PLAIN)) if line else "")
