"""`pitree tree`: the rows of a session's tree, as the screen shows them."""

from __future__ import annotations

from argparse import Namespace
from contextlib import closing
from typing import Any

from pitree.commands.findings import HARMLESS
from pitree.commands.output import Output, Style, UsageError
from pitree.commands.sessions import SessionLookup, for_each, heading
from pitree.config import table
from pitree.outline.filters import FilterMode
from pitree.outline.outline import Outline
from pitree.outline.row_words import FOLDABLE, Row
from pitree.query.entries.text_store import TextStore
from pitree.query.language.query import Query
from pitree.session.format.entry_summary import short_path
from pitree.session.format.entry_type import ASSISTANT_KINDS, Flag, Kind
from pitree.session.manager.manager import SessionManager
from pitree.text.cells import cell_len, cut
from pitree.text.sanitize import visible


def run(args: Namespace, out: Output, where: SessionLookup) -> None:
    """Print the tree of each session.

    Raises:
        UsageError: the query is a pattern that cannot be used.
    """
    mode = FilterMode.of(where.setting(table.FILTER, out, args.filter))
    if error := Query.parse(args.search).error:
        raise UsageError(f"--search: {error}")
    where.shelf.refresh()

    def print_one(file: str, session: SessionManager) -> None:
        with closing(TextStore(session)) as texts:
            outline = make_outline(session, mode, args.search, texts)
            outline.set_archived(where.shelf.of(session.get_session_id(), file).branches, show=True)
            if error := outline.query.error:
                out.error(f"{file}: --search: {error}")
            elif args.json:
                out.json(as_json(file, session, outline))
            else:
                _print(file, session, outline, out)

    for_each(args.sessions, out, where, print_one)


def make_outline(session: SessionManager, mode: FilterMode, search: str, texts: TextStore) -> Outline:
    """The outline of a session in a filter, narrowed by a query if there is one."""
    outline = Outline(session, mode, texts=texts)
    if search:
        texts.cover(session.get_entry_count())
        outline.set_query(search)
    return outline


def as_json(file: str, session: SessionManager, outline: Outline) -> dict[str, Any]:
    """The rows as a JSON object; entries go by their place in the file, from 0."""
    header = session.get_header()
    start = outline.initial_row
    return {
        "file": file,
        "session": {
            "id": session.get_session_id(),
            "cwd": session.get_cwd(),
            "name": session.get_session_name(),
            "version": session.version,
            "parentSession": header.get("parentSession"),
        },
        "leaf": session.leaf_index if session.leaf_index >= 0 else None,
        "entries": session.get_entry_count(),
        "filter": str(outline.filter),
        "rows": [_row_as_json(row) for row in outline.rows()],
        "selected": outline.index_at(start) if start >= 0 else None,
        "notices": [
            {"kind": notice.kind, "line": notice.line, "message": notice.message}
            for notice in session.notices
        ],
    }


def _row_as_json(row: Row) -> dict[str, Any]:
    return {
        "index": row.index,
        "id": row.id,
        "type": row.type,
        "role": row.role or None,
        "indent": row.indent,
        "label": row.label,
        "onPath": row.on_path,
        "archived": bool(row.archived),
        "text": row.body,
    }


_ID_WIDTH = 8

_STYLE_OF_KIND: dict[Kind, Style] = {
    Kind.USER: Style.USER,
    Kind.TOOL_RESULT: Style.TOOL,
    Kind.BASH: Style.TOOL,
    **dict.fromkeys(ASSISTANT_KINDS, Style.ASSISTANT),
}


def _print(file: str, session: SessionManager, outline: Outline, out: Output) -> None:
    facts = [short_path(session.get_cwd()), f"{len(outline):,} of {session.get_entry_count():,} entries"]
    if outline.filter is not FilterMode.DEFAULT:
        facts.append(str(outline.filter))
    heading(file, session, facts, out)
    for row in outline.rows():
        out.line(_line(row, outline.leaf, out))
    if not len(outline):
        what = "no entry matches" if not outline.query.empty else "no entries under this filter"
        out.line(f"  {what if session.get_entry_count() else 'no entries yet'}")
    for notice in session.notices:
        place = f"line {notice.line}: " if notice.line is not None else ""
        style = Style.DIM if notice.kind in HARMLESS else Style.WARNING
        out.line(out.style(f"! {place}{visible(notice.message)}", style))


def _line(row: Row, leaf_index: int, out: Output) -> str:
    """Id, guides, mark of the path, label, text, oddities: cut to the width of the terminal."""
    entry_id = cut(row.id, _ID_WIDTH, "")
    lead = f"{entry_id:{_ID_WIDTH}}  {row.guides.replace(FOLDABLE, '─')}"
    path = "• " if row.on_path else "  "
    label = f"[{row.label}] " if row.label else ""
    marks = "".join(f"  ! {mark}" for mark in row.marks)
    marks += "  (archived)" if row.archived == "start" else ""
    leaf = ("  ← leaf" if row.index == leaf_index else "  ← leaf below") if row.is_leaf else ""
    room = out.width - sum(map(cell_len, (lead, path, label, marks, leaf)))
    body = cut(row.body, max(20, room))
    failed = row.flags & (Flag.ERROR | Flag.ABORTED)
    style = Style.ERROR if failed else _STYLE_OF_KIND.get(row.kind, Style.DIM)
    return "".join(
        (
            out.style(lead, Style.DIM),
            path,
            out.style(label, Style.LABEL),
            _styled_body(row, body, style, out),
            out.style(marks, Style.WARNING),
            out.style(leaf, Style.DIM),
        )
    )


def _styled_body(row: Row, body: str, style: Style, out: Output) -> str:
    """Of a message only the role is coloured, of others the whole text."""
    if row.kind is Kind.USER or (row.kind in ASSISTANT_KINDS and style is not Style.ERROR):
        return out.style(body[: len(row.prefix)], style) + body[len(row.prefix) :]
    return out.style(body, style)
