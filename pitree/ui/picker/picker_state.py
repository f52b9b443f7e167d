"""What the picker knows: the lists read, what the reader asked for, and the words that tell of both."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pitree.catalog.arranging import SessionRows, Sort
from pitree.catalog.info.session_info import SessionInfo
from pitree.catalog.loading.lister import SessionList, newest_first
from pitree.config import table
from pitree.config.config import Config
from pitree.pi.places import Places
from pitree.query.language.query import Query
from pitree.session.format.entry_summary import short_path
from pitree.session.format.errors import Notice
from pitree.state.memory import Memory
from pitree.state.stars_and_archive import Shelf
from pitree.text.sanitize import visible
from pitree.ui.picker.list_loader import ListRead, ListScope, RowRequest

if TYPE_CHECKING:
    from pitree.catalog.watch.refresh import ListChanges

CHILDREN_SHOWN = "picker.children"
"""Under which name it is remembered whether children are shown."""


@dataclass(slots=True)
class SessionLists:
    """The sessions of each scope, as far as they are read.

    Attributes:
        sessions: scope → its sessions. While a list is read again, the old one stays until the new is whole.
        reading: scope → sessions read and to be read, while it is being read.
        failed: scope → why not all of its sessions could be read.
    """

    sessions: dict[ListScope, SessionList] = field(default_factory=dict)
    reading: dict[ListScope, tuple[int, int]] = field(default_factory=dict)
    failed: dict[ListScope, str] = field(default_factory=dict)
    _whole: set[ListScope] = field(default_factory=set)
    _stale: set[ListScope] = field(default_factory=set)

    def wants(self, scope: ListScope) -> bool:
        """Whether a scope has still to be read."""
        return (scope not in self._whole or scope in self._stale) and scope not in self.reading

    def start(self, scope: ListScope) -> dict[str, SessionInfo]:
        """Note that a scope is being read; the sessions known already, by path."""
        self.reading[scope] = (0, 0)
        self.failed.pop(scope, None)
        return self.known()

    def give_up(self, scope: ListScope, words: str) -> None:
        """Note that the rest of a scope cannot be read, and why."""
        self.reading.pop(scope, None)
        self.failed[scope] = words

    def known(self) -> dict[str, SessionInfo]:
        """All sessions read so far, by path."""
        return {info.path: info for sessions in self.sessions.values() for info in sessions}

    def strangers(self) -> set[str]:
        """Paths of the files that are not sessions."""
        return {one.path for sessions in self.sessions.values() for one in sessions.strangers}

    def apply(self, changes: ListChanges) -> set[ListScope]:
        """Take what a look at changed files found; the scopes whose lists are others now."""
        changed = set()
        for scope, sessions in self.sessions.items():
            infos, strangers = changes.infos, changes.strangers
            if scope is ListScope.FOLDER:
                infos = {path: infos[path] for path in infos.keys() & changes.here}
                strangers = {path: strangers[path] for path in strangers.keys() & changes.here}
            strangers = {path: one for path, one in strangers.items() if one not in sessions.strangers}
            replaced = changes.gone | changes.infos.keys()
            kept = [info for info in sessions if info.path not in replaced]
            other = [one for one in sessions.strangers if one.path not in replaced | strangers.keys()]
            if len(kept) < len(sessions) or len(other) < len(sessions.strangers) or infos or strangers:
                others = sorted([*other, *strangers.values()], key=lambda one: one.path)
                self.sessions[scope] = SessionList(newest_first([*kept, *infos.values()]), others)
                changed.add(scope)
        return changed

    def forget(self, scope: ListScope) -> None:
        """A scope has to be read again before it is shown next; what is known stays until then."""
        self._stale.add(scope)

    def take(self, event: ListRead) -> bool:
        """Take what was read; whether the sessions of the scope are others now."""
        scope = event.scope
        fresh = event.sessions is not None and (event.done or scope not in self._whole)
        if fresh and event.sessions is not None:
            self.sessions[scope] = event.sessions
        if event.done:
            self.reading.pop(scope, None)
            self._whole.add(scope)
            self._stale.discard(scope)
        else:
            self.reading[scope] = (event.loaded, event.total)
        return fresh

    def whole(self, scope: ListScope) -> bool:
        """Whether all sessions of a scope were read."""
        return scope in self._whole

    def of(self, scope: ListScope) -> SessionList:
        """The sessions of a scope read so far."""
        return self.sessions.get(scope) or SessionList()


@dataclass(slots=True)
class ListOptions:
    """What the reader asked for.

    Attributes:
        text: the query as typed.
        shelf: what is starred and archived.
        scope, query, sort, named_only, starred_only, children, archived, paths: see `RowRequest` and `Shown`.
        scope_kept: the scope to be remembered for the next start.
    """

    scope: ListScope = ListScope.FOLDER
    shelf: Shelf = field(default_factory=Shelf)
    text: str = ""
    query: Query = field(default_factory=Query)
    sort: Sort = Sort.THREADED
    named_only: bool = False
    starred_only: bool = False
    children: bool = True
    archived: bool = False
    paths: bool = False
    scope_kept: ListScope = ListScope.FOLDER

    @classmethod
    def at_first(cls, config: Config, memory: Memory, shelf: Shelf | None) -> ListOptions:
        """What holds at the start: by the settings, and by what was chosen before."""
        scope = ListScope.ALL if config[table.SCOPE] == "all" else ListScope.FOLDER
        return cls(
            scope=scope,
            scope_kept=scope,
            shelf=Shelf() if shelf is None else shelf,
            sort=Sort(config[table.SORT]),
            children=memory.get(CHILDREN_SHOWN, True),
        )

    def turn(self) -> None:
        """Go to the other scope, as the reader asks."""
        self.scope = self.scope_kept = self.scope.other

    def turn_to_all(self) -> None:
        """Go to the sessions of all folders for this time only: the reader did not ask for it."""
        self.scope = ListScope.ALL

    def keep(self, memory: Memory) -> None:
        """Have what is kept for the next start remembered."""
        memory.set(table.SCOPE.name, "all" if self.scope_kept is ListScope.ALL else "folder")
        memory.set(table.SORT.name, self.sort.value)
        memory.set(CHILDREN_SHOWN, self.children)
        memory.save()

    def request(self, lists: SessionLists) -> RowRequest:
        """The request for the rows that fulfil them."""
        return RowRequest(
            lists.of(self.scope),
            self.query,
            self.sort,
            named_only=self.named_only,
            starred_only=self.starred_only,
            children=self.children,
            archived=self.archived,
            shelf=self.shelf,
            complete=lists.whole(self.scope),
        )

    def title(self) -> str:
        """The words at the top of the pane: what is listed, and what differs from the usual."""
        words = ["Sessions", self.scope.value]
        if self.sort is not Sort.THREADED:
            words.append(self.sort.value)
        if self.named_only:
            words.append("named")
        if self.starred_only:
            words.append("starred")
        elif not self.children and self.query.empty:
            words.append("forks hidden")
        if self.archived:
            words.append("archived shown")
        return " · ".join(words)


def passed_over(lists: SessionLists, scope: ListScope, places: Places) -> list[Notice]:
    """What was skipped while sessions were looked for: settings that are broken, files that are none."""
    found = [notice for notice in places.notices if notice.kind == "bad-settings"]
    for stranger in lists.of(scope).strangers:
        found.append(Notice("skipped", None, f"{short_path(stranger.path)}: {stranger.reason}"))
    return found


def summary(lists: SessionLists, wishes: ListOptions, rows: SessionRows, cursor: int, places: Places) -> str:
    """The words at the bottom of the pane: how much is listed, how much is still read, what was skipped."""
    words = []
    if any(notice.kind == "bad-settings" for notice in places.notices):
        words.append("! settings")
    if skipped := len(lists.of(wishes.scope).strangers):
        words.append(f"! {skipped:,} skipped")
    if wishes.scope in lists.reading:
        loaded, total = lists.reading[wishes.scope]
        words.append(f"reading {loaded:,} of {total:,}" if total else "looking")
    elif wishes.scope in lists.failed:
        words.append("! list incomplete")
    if rows.archived:
        words.append(f"{rows.archived:,} archived")
    if rows.shown:
        selected = rows.session(cursor)
        place = rows.place_of(cursor) if selected is not None else 0
        words.append(f"{place:,} of {rows.shown:,}")
    return " · ".join(words)


def hits_words(wishes: ListOptions, rows: SessionRows, unread: int) -> str:
    """The words beside the query: how many sessions match, and how many are still to be searched."""
    if wishes.query.empty:
        return ""
    if rows.error:
        return "bad pattern"
    hits = f"{rows.shown:,} match{'' if rows.shown == 1 else 'es'}" if rows.shown else "no match"
    return f"{hits} · {unread:,} to search" if unread else hits


_DEMO = "the demo sessions (pitree --demo)."


def why_empty(
    lists: SessionLists, wishes: ListOptions, rows: SessionRows, places: Places, sign: Callable[..., str]
) -> str:
    """The words for a list without rows: why there are none, and the way out.

    Args:
        sign: tells the keys of actions.
    """
    here = wishes.scope is ListScope.FOLDER
    demo = f"{sign('picker.demo')}: {_DEMO}"
    clear = sign("picker.search.clear")
    scope = sign("picker.scope_at_need", "picker.search.scope", "picker.scope")
    if rows.error:
        return f"Cannot search: {visible(rows.error)}. {clear} clears the search."
    if wishes.scope in lists.reading and not rows.total:
        return "Looking for sessions …"
    if wishes.scope in lists.failed and not rows.total:
        return f"{visible(lists.failed[wishes.scope])} {sign('picker.reload')} tries again."
    if not rows.total:
        where = visible(short_path(places.folder if here else places.everything))
        if here:
            words = f"No sessions of {visible(short_path(places.cwd))}. {scope}: the sessions of all folders."
            return f"{words} pitree looked in {where}.\n\n{demo}"
        return (
            f"No sessions yet.\n\npitree looks where Pi keeps them: in the folders of {where}. Pi "
            f"writes a session with its first answer; it then appears here.\n\n{demo}"
        )
    if rows.archived:
        words = "Archived: the session" if rows.archived == 1 else f"Archived: the {rows.archived:,} sessions"
        return f"{words} of this list. {sign('picker.archived')} shows the archive."
    if wishes.starred_only:
        wider = f", {scope}: the sessions of all folders" if here else ""
        star, starred = sign("picker.star"), sign("picker.starred")
        return f"No session is starred. {star} stars one, {starred}: all sessions{wider}."
    if not wishes.query.empty:
        wider = f"{scope} searches all folders, " if here else ""
        named = f"{sign('picker.named')} those without a name, " if wishes.named_only else ""
        return f"No session matches {visible(wishes.text.strip())}. {wider}{named}{clear} clears the search."
    if wishes.named_only:
        wider = f", {scope}: the sessions of all folders" if here else ""
        return f"No session has a name. {sign('picker.named')}: all sessions{wider}."
    return ""
