"""The picker's work off the screen's thread: reading sessions, arranging and searching them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING

from textual.message import Message

from pitree.catalog.arranging import SessionRows, Sort, arrange
from pitree.catalog.info.session_info import SessionInfo
from pitree.catalog.loading.lister import OnProgress, SessionList, list_all_sessions, list_sessions
from pitree.pi.places import Places
from pitree.query.language.query import Query
from pitree.state.stars_and_archive import Shelf

if TYPE_CHECKING:
    from pitree.catalog.info.info_cache import InfoCache
    from pitree.catalog.loading.text_loader import ReadTexts
    from pitree.catalog.matching import SessionMatch


class ListScope(StrEnum):
    """Whose sessions are listed."""

    FOLDER = "this folder"
    ALL = "all"

    @property
    def other(self) -> ListScope:
        """The other scope."""
        return ListScope.ALL if self is ListScope.FOLDER else ListScope.FOLDER


class ListRead(Message):
    """More of the sessions of a scope were read, or all of them.

    Attributes:
        sessions: those read so far, newest first; None when only the count is new.
        done: whether that is all.
    """

    def __init__(
        self, scope: ListScope, loaded: int, total: int, sessions: SessionList | None, done: bool
    ) -> None:
        super().__init__()
        self.scope = scope
        self.loaded = loaded
        self.total = total
        self.sessions = sessions
        self.done = done


class RowsArranged(Message):
    """The rows for a request are there, all or those found so far.

    Attributes:
        unread: sessions that are still to be searched.
        gone: working directories among the sessions that do not exist any more.
        outcomes: path → what was found of each session that was searched.
    """

    def __init__(
        self,
        request: RowRequest,
        rows: SessionRows,
        unread: int,
        gone: frozenset[str],
        outcomes: Mapping[str, SessionMatch],
    ) -> None:
        super().__init__()
        self.outcomes = outcomes
        self.request = request
        self.rows = rows
        self.unread = unread
        self.gone = gone


async def read_list(
    scope: ListScope,
    places: Places,
    known: dict[str, SessionInfo],
    post: Callable[[Message], object],
    cache: InfoCache | None = None,
) -> None:
    """Read the sessions of a scope; tell of it with `ListRead`.

    Args:
        known: sessions read before, by path.
        post: takes the messages.
        cache: sessions read at earlier starts.
    """

    def progress(loaded: int, total: int, partial: SessionList | None) -> None:
        post(ListRead(scope, loaded, total, partial, False))

    told: OnProgress = progress
    if scope is ListScope.ALL:
        found = await list_all_sessions(on_progress=told, places=places, known=known, cache=cache)
    else:
        found = await list_sessions(on_progress=told, places=places, known=known, cache=cache)
    post(ListRead(scope, len(found), len(found), found, True))


@dataclass(slots=True, eq=False)
class RowRequest:
    """What rows are wanted.

    Attributes:
        sessions: the sessions, newest first.
        query: what is looked for.
        sort, named_only, starred_only, children, archived: as for `arrange`.
        shelf: tells what is starred and archived.
        complete: whether these are all the sessions there are in the scope.
        live: whether it is wanted only because sessions changed.
        before: what the last search for the query found.
        texts: texts read for searches.
    """

    sessions: SessionList = field(default_factory=SessionList)
    query: Query = field(default_factory=Query)
    sort: Sort = Sort.THREADED
    named_only: bool = False
    starred_only: bool = False
    children: bool = True
    archived: bool = False
    shelf: Shelf = field(default_factory=Shelf)
    complete: bool = False
    live: bool = False
    before: Mapping[str, SessionMatch] = field(default_factory=dict)
    texts: ReadTexts | None = None


class Folders:
    """What the file system says of paths, asked once: real paths of files, folders that are gone."""

    def __init__(self) -> None:
        self._real: dict[str, str] = {}
        self._exists: dict[str, bool] = {}

    def real_path(self, path: str) -> str:
        """The real path of a file."""
        found = self._real.get(path)
        if found is None:
            folder, name = os.path.split(path)
            if os.path.islink(path) or name in ("", ".", ".."):
                found = os.path.realpath(path)
            else:  # Of a thousand files in a folder the way to it is followed once.
                real = self._real.get(folder) or self._real.setdefault(folder, os.path.realpath(folder))
                found = os.path.join(real, name)
            self._real[path] = found
        return found

    def gone(self, sessions: SessionList) -> frozenset[str]:
        """The working directories named by sessions that do not exist."""
        for cwd in {info.cwd for info in sessions} - self._exists.keys():
            self._exists[cwd] = not cwd or os.path.isdir(cwd)
        return frozenset(cwd for cwd, exists in self._exists.items() if not exists)

    def forget(self) -> None:
        """Ask again from now on."""
        self._real = {}
        self._exists = {}

    def forget_files(self, paths: Iterable[str]) -> None:
        """These files are gone, or lie elsewhere."""
        for path in paths:
            self._real.pop(path, None)


def rows_for(
    request: RowRequest, folders: Folders, stopped: Callable[[], bool], now: datetime | None = None
) -> Iterator[RowsArranged]:
    """The rows for a request; where files have to be searched, also those found in the meantime."""
    query, gone, shelf = request.query, folders.gone(request.sessions), request.shelf
    shelf.refresh()

    def arranged(scores: dict[str, float] | None) -> SessionRows:
        return arrange(
            request.sessions,
            sort=request.sort,
            named_only=request.named_only,
            starred_only=request.starred_only,
            children=request.children,
            archived=request.archived,
            kept=(lambda info: shelf.of(info.id, info.path)) if shelf else None,
            scores=scores,
            now=now,
            real_path=folders.real_path,
        )

    if query.empty or query.error:
        rows = arranged({} if query.error else None)
        rows.error = query.error
        yield RowsArranged(request, rows, 0, gone, {})
        return
    from pitree.catalog.matching import search

    for found in search(request.sessions, query, stopped, request.before, request.texts):
        rows = arranged(found.scores if query.error is None else {})
        rows.error = query.error
        yield RowsArranged(request, rows, found.unread, gone, found.outcomes)
