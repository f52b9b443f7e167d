"""`pitree search`: entries of all sessions that match, by session."""

from __future__ import annotations

import time
from argparse import Namespace
from typing import Any

from pitree.commands.output import Output, Style, UsageError
from pitree.commands.setup.index import bring_up_to_date
from pitree.commands.where import SessionLookup
from pitree.config import table
from pitree.query.index.copies import also_words, each_once
from pitree.query.index.finder import Group, Limits, SearchProgress, search
from pitree.query.index.hits import Hit
from pitree.query.index.index import Index, index_folder
from pitree.query.index.index_update import IndexNotWritten
from pitree.query.index.scope import SearchScope, all_files
from pitree.query.index.session_facts import SessionFacts
from pitree.query.language.query_parser import SearchQuery
from pitree.query.language.tokenizer import Term, spans
from pitree.session.format.entry_summary import short_path
from pitree.session.format.entry_type import ASSISTANT_KINDS, Kind
from pitree.state.stars_and_archive import Marks
from pitree.text.cells import cut
from pitree.text.figures import age, counted, moment
from pitree.text.sanitize import visible

_ROLE_WIDTH = 10
_ID_SHOWN = 8


def run(args: Namespace, out: Output, where: SessionLookup) -> None:
    """Print the matches of a query, grouped by session.

    Raises:
        UsageError: the query is empty, or part of it is not understood.
    """
    asked = SearchQuery.parse(" ".join(args.query))
    if asked.problems:
        raise UsageError(f"QUERY: {'; '.join(asked.problems)}")
    if asked.empty:
        raise UsageError("QUERY: empty; give a word or a filter such as role:user")
    scope = SearchScope(where.places, args.all)
    index = (
        None
        if args.no_index or not where.config[table.INDEX] or where.demo is not None
        else _index(scope, out)
    )
    where.shelf.refresh()
    found = SearchProgress()
    limits = Limits(hits=args.limit or None)
    for step in search(asked, scope, index, limits):
        found = step
    groups = each_once(found.groups)
    if not groups:
        out.warn(_nothing(args, where))
    for number, group in enumerate(groups):
        if args.json:
            for hit in group.hits:
                out.json(as_json(hit, group.facts) | {"alsoIn": list(group.also.get(hit.offset, ()))})
        else:
            kept = where.shelf.of(group.facts.id, group.facts.path)
            _print(group, asked.terms, number == 0, out, kept)
    if found.cut:
        out.warn(f"stopped after {counted(args.limit, 'match', 'matches')}; --limit 0 prints all")


def _index(scope: SearchScope, out: Output) -> Index | None:
    """The index, as far up to date as can be; what it lacks is read by the search."""
    index = Index(index_folder())
    try:
        bring_up_to_date(index, all_files(scope.places))
    except IndexNotWritten as error:
        out.warn(error)
    index.refresh()
    return index


def _nothing(args: Namespace, where: SessionLookup) -> str:
    asked = " ".join(args.query)
    if args.all:
        return f"no session in {short_path(where.places.everything)} matches {asked}"
    return f"no session of {short_path(where.places.cwd)} matches {asked}; --all searches all folders"


def as_json(hit: Hit, facts: SessionFacts) -> dict[str, Any]:
    """A match as a JSON object; its time in ms since 1970, `spans` in characters of the line."""
    return {
        "path": hit.path,
        "session": facts.id,
        "name": facts.name or None,
        "cwd": facts.cwd,
        "entryId": hit.entry_id or None,
        "role": hit.role,
        "time": None if hit.time != hit.time else int(hit.time),
        "line": hit.line,
        "spans": [list(span) for span in hit.spans],
        "offset": hit.offset,
    }


def _print(group: Group, terms: tuple[Term, ...], first: bool, out: Output, kept: Marks) -> None:
    if not first:
        out.line()
    facts = group.facts
    title = visible(" ".join(facts.title.split()))
    about = " · ".join(
        (
            visible(facts.id[:_ID_SHOWN]),
            visible(short_path(facts.cwd)),
            age(int(facts.talked), time.time() * 1000),
            *["★ starred"] * kept.starred,
            *["archived"] * kept.archived,
        )
    )
    out.line(f"{out.style(title, Style.BOLD)}  {out.style(about, Style.DIM)}")
    for hit in group.hits:
        role = f"{visible(hit.role)[:_ROLE_WIDTH]:{_ROLE_WIDTH}}"
        when = moment(hit.time)
        lead = f"  {out.style(role, _style(hit.kind))}  {out.style(f'{when:16}', Style.DIM)}"
        others = len(group.also.get(hit.offset, ()))
        tail = f"  {also_words(others)}" if others else ""
        line = _line(hit, terms, out, out.width - _ROLE_WIDTH - 22 - len(tail))
        out.line(f"{lead}  {line}{out.style(tail, Style.DIM)}")
    if group.more:
        out.line(out.style("  …", Style.DIM))


def _line(hit: Hit, terms: tuple[Term, ...], out: Output, room: int) -> str:
    """The line of a match, what matches in bold, in so many cells, or a few in a very narrow terminal."""
    shown = cut(visible(hit.line), max(20, room))
    parts = []
    at = 0
    for start, end in (*spans(terms, shown), (len(shown), len(shown))):
        parts += [shown[at:start], out.style(shown[start:end], Style.WARNING)]
        at = end
    return "".join(parts)


def _style(kind: Kind) -> Style:
    if kind is Kind.USER:
        return Style.USER
    if kind in ASSISTANT_KINDS:
        return Style.ASSISTANT
    return Style.LABEL if kind is Kind.LABEL else Style.TOOL
