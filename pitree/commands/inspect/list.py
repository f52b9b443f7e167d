"""`pitree list`: the sessions of a folder, or all."""

from __future__ import annotations

import asyncio
import time
from argparse import Namespace
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from pitree.catalog.arranging import SessionRow, Sort, arrange
from pitree.catalog.info.info_cache import InfoCache
from pitree.catalog.info.session_info import SessionInfo
from pitree.catalog.loading.lister import SessionList, list_all_sessions, list_sessions
from pitree.catalog.matching import search
from pitree.commands.output import Output, Style, UsageError
from pitree.commands.where import SessionLookup
from pitree.config import table
from pitree.pi.places import SkippedFile
from pitree.query.language.query import Query
from pitree.session.format.entry_summary import short_path
from pitree.text.cells import cell_len, cut, pad
from pitree.text.figures import DATE_STYLES, moment_or_age
from pitree.text.sanitize import visible

_SHORTEST_ID = 8
_NAMED = 3
_WAIT_FOR_CACHE = 1.0
"""Seconds that writing the cache may take, once all is printed."""


def run(args: Namespace, out: Output, where: SessionLookup) -> None:
    """Print the sessions: the one talked in last first; with a query those that match, the best first.

    Raises:
        UsageError: the query is a pattern that cannot be used.
    """
    places = where.places
    query = Query.parse(" ".join(args.query))
    if query.error:
        raise UsageError(f"QUERY: {query.error}")
    for notice in places.notices:
        if notice.kind != "no-settings":
            out.warn(notice.message)
    kept = where.cache_file(args.no_cache)
    cache = InfoCache(kept) if kept is not None else None
    listed = list_all_sessions if args.all else list_sessions
    found: SessionList = asyncio.run(listed(places=places, cache=cache))
    try:
        _tell(found, query, args, out, where)
        out.flush()
    finally:
        if cache is not None:
            cache.finish(_WAIT_FOR_CACHE)


def _tell(found: SessionList, query: Query, args: Namespace, out: Output, where: SessionLookup) -> None:
    shelf = where.shelf
    shelf.refresh()
    if shelf.trouble:
        out.warn(shelf.trouble)
    rows = arrange(
        found,
        sort=Sort.RELEVANCE,
        scores=None if query.empty else scores_of(found, query),
        starred_only=args.starred,
        archived=args.archived,
        kept=(lambda info: shelf.of(info.id, info.path)) if shelf else None,
    )
    shown = [row for row in rows.rows if isinstance(row, SessionRow)]
    if found.strangers:
        out.warn(passed_over(found.strangers))
    if rows.archived:
        out.warn(f"{rows.archived:,} archived not shown; --archived lists them too")
    if not shown:
        out.warn(_nothing(args, where))
    if args.json:
        for row in shown:
            out.json(as_json(row.info) | {"starred": row.starred, "archived": row.archived})
    else:
        _print(shown, args.all, where.setting(table.DATE_STYLE, out), out)


def scores_of(infos: Sequence[SessionInfo], query: Query) -> dict[str, float]:
    """Path → score of the sessions that match a query, the best the lowest, as in Pi's `/resume`."""
    scores: dict[str, float] = {}
    for step in search(infos, query):
        scores = step.scores
    return scores


def passed_over(strangers: Sequence[SkippedFile]) -> str:
    """How many files are not sessions, and why the first ones are not."""
    some = "; ".join(f"{short_path(stranger.path)}: {stranger.reason}" for stranger in strangers[:_NAMED])
    more = ", …" if len(strangers) > _NAMED else ""
    return (
        f"{len(strangers):,} skipped, not {'a session' if len(strangers) == 1 else 'sessions'}: {some}{more}"
    )


def _nothing(args: Namespace, where: SessionLookup) -> str:
    places = where.places
    if args.starred:
        return "no session is starred" + (f" and matches {' '.join(args.query)}" if args.query else "")
    if args.query:
        return f"no session matches {' '.join(args.query)}"
    if args.all:
        return f"no sessions in {short_path(places.everything)}; --demo has some"
    return f"no sessions for {short_path(places.cwd)}; --all lists the sessions of all folders"


def as_json(info: SessionInfo) -> dict[str, Any]:
    """A session as a JSON object; times in ms since 1970."""
    return {
        "path": info.path,
        "id": info.id,
        "cwd": info.cwd,
        "name": info.name,
        "firstMessage": info.read_first_message(),
        "messageCount": info.message_count,
        "created": info.created,
        "modified": info.modified,
        "parentSession": info.parent_session,
    }


def _print(rows: Sequence[SessionRow], with_folder: bool, date_style: str, out: Output) -> None:
    """A table: beginning of the id, age, messages, the folder if asked for, a star if there is one, title."""
    now = time.time() * 1000
    infos = [row.info for row in rows]
    length = unique_length([info.id for info in infos])
    folders = [visible(short_path(info.cwd)) if with_folder else "" for info in infos]
    width = min(max(map(cell_len, folders), default=0), max(20, out.width // 3))
    for row, folder in zip(rows, folders, strict=True):
        info = row.info
        time_told = f"{moment_or_age(info.modified, now, date_style):>{DATE_STYLES[date_style]}}"
        lead = f"{visible(info.id[:length]):{length}}  {time_told}  {info.message_count:>5,}"
        if with_folder:
            lead += "  " + pad(cut(folder, width), width)
        star, archived = "★ " * row.starred, " (archived)" * row.archived
        room = max(20, out.width - cell_len(lead) - len(star) - len(archived) - 2)
        title = cut(visible(" ".join(info.title.split())), room)
        style = Style.DIM if row.archived else Style.BOLD if info.name else Style.PLAIN
        out.line(f"{out.style(lead, Style.DIM)}  {star}{out.style(title + archived, style)}")


def unique_length(ids: Sequence[str]) -> int:
    """How many characters it takes to tell these ids apart, at least eight."""
    shared = (_shared(one, other) for one, other in pairwise(sorted(set(ids))))
    return max(_SHORTEST_ID, 1 + max(shared, default=0))


def _shared(one: str, other: str) -> int:
    return next((place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), len(one))
