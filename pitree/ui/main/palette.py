"""What the command palette offers on the main screen, and what comes of choosing it."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Iterator
from functools import partial
from operator import is_
from pathlib import Path
from typing import TYPE_CHECKING

from textual.worker import get_current_worker

from pitree.catalog.loading.lister import newest_first
from pitree.session.format.entry_summary import short_path
from pitree.text.figures import age
from pitree.text.sanitize import visible
from pitree.ui.main.arrangement import Page
from pitree.ui.main.bookmarks import Bookmarks
from pitree.ui.main.host import Controller, Host
from pitree.ui.toolkit import keys
from pitree.ui.toolkit.background import in_thread
from pitree.ui.windows.command_ranking import PaletteItem

if TYPE_CHECKING:
    from pitree.catalog.bookmarks import Bookmark
    from pitree.catalog.info.session_info import SessionInfo
    from pitree.catalog.loading.lister import SessionList
    from pitree.session.manager.manager import SessionManager
    from pitree.ui.windows.palette_window import PaletteWindow

_PAGES = {
    keys.KeyContext.TREE: Page.TREE,
    keys.KeyContext.HITS: Page.TREE,
    keys.KeyContext.PICKER: Page.SESSIONS,
    keys.KeyContext.DETAIL: Page.DETAIL,
}
"""The panes whose actions are offered, beside those of the screen itself."""

_KINDS = {place: place.heading for place in keys.KeyContext} | {keys.KeyContext.HITS: "Matches"}


class CommandPalette(Controller):
    """`ctrl+p`.

    Args:
        host: the screen.
        bookmarks: the labels of all sessions.
        choose: opens a session as the reader's choice, at an entry if given.
        places: the places whose keys apply where the focus is, the nearest first.
        run: does an action in a pane, or in the screen itself.
    """

    def __init__(
        self,
        host: Host,
        bookmarks: Bookmarks,
        choose: Callable[[Path, str | None], None],
        places: Callable[[], list[keys.KeyContext]],
        run: Callable[[str, Page | None], Awaitable[object]],
    ) -> None:
        super().__init__(host)
        self._bookmarks = bookmarks
        self._choose = choose
        self._places = places
        self._run = run

    def action_palette(self) -> None:
        from pitree.ui.windows.palette_window import PaletteWindow

        opened = self.opened
        sessions = SessionOffers()
        found: deque[list[Bookmark]] = deque()

        def look() -> None:
            """Offer what has been read of sessions and labels since the last look."""
            lists = self.panes.picker.lists_read()
            if sessions.are_new(lists):
                self._offer(window, partial(sessions.make, lists, time.time() * 1000))
            if found:
                marks = [mark for _ in range(len(found)) for mark in found.popleft()]
                self._offer(window, partial(label_offers, marks, with_session=True))

        def read() -> None:
            """Read the labels of all other sessions, for as long as the palette is there."""
            worker = get_current_worker()
            for marks in self._bookmarks.everywhere(lambda: worker.is_cancelled):
                if opened is None or marks[0].path != opened.path:
                    found.append(marks)

        async def chosen(offer: PaletteItem | None) -> None:
            self.host.app.workers.cancel_group(self.host, "labels")
            await self._chosen_in_palette(offer)

        window = PaletteWindow([*self._actions(), *self._topics()], look)
        self.app.push_screen(window, chosen)
        if opened is not None:
            self._offer(window, partial(_own_labels, opened.session))
        self.panes.picker.load_everything()
        in_thread(self.host, "read all labels", read, group="labels", exclusive=True)

    def _offer(self, window: PaletteWindow, offers: Callable[[], Iterable[PaletteItem]]) -> None:
        """Offer more, made in a thread."""

        def work() -> None:
            if made := list(offers()):
                self.app.call_from_thread(window.add, made)

        in_thread(self.host, "fill the palette", work, group="palette")

    def _actions(self) -> Iterator[PaletteItem]:
        """Every action that can be done from here, those of the pane with the focus first."""
        table = keys.table_of(self.host)
        here = [place for place in self._places() if place in _PAGES]
        others = [place for place in _PAGES if place not in here]
        if not self.panes.tree.searching:
            others = [place for place in others if place is not keys.KeyContext.HITS]
        for place in (*here, keys.KeyContext.GLOBAL, *others):
            sentence = ""
            for action in keys.actions_of(place):
                sentence = action.help or sentence
                signs = " ".join(map(keys.key_sign, table.of(action)))
                *_, group, name = ("", *action.id.split("."))
                words = sentence if action.help else f"{sentence} ({name})"
                if action.id.count(".") > 1:
                    words = f"{group.capitalize()}: {words}"
                yield PaletteItem(_KINDS[place], words, signs, action, f"{action.id} {action.words}")

    def _topics(self) -> Iterator[PaletteItem]:
        """The topics of the manual."""
        from pitree.docs.topics import TOPICS, title_of

        for topic in TOPICS:
            yield PaletteItem("Manual", title_of(topic), topic, partial(self._show_topic, topic))

    def _show_topic(self, topic: str) -> None:
        from pitree.ui.windows.manual_topics import show_manual

        show_manual(self.host, topic)

    async def _chosen_in_palette(self, offer: PaletteItem | None) -> None:
        from pitree.catalog.bookmarks import Bookmark

        meant = offer.meant if offer is not None else None
        if isinstance(meant, keys.Action):
            await self._do(meant)
        elif isinstance(meant, Path):
            self._choose(meant, None)
        elif isinstance(meant, Bookmark):
            self._bookmarks.go_to(meant)
        elif callable(meant):
            meant()

    async def _do(self, action: keys.Action) -> None:
        """Do what a key would do in the pane it is for."""
        page = _PAGES.get(action.place)
        if page is not None and page is not self.host.page:
            self.host.show_page(page)
        await self._run(action.action, page)


def _own_labels(session: SessionManager) -> Iterator[PaletteItem]:
    """The labels of a session, the newest first; read off the screen's thread."""
    from pitree.catalog.bookmarks import bookmarks_of

    return label_offers(bookmarks_of(session))


def label_offers(marks: Iterable[Bookmark], *, with_session: bool = False) -> Iterator[PaletteItem]:
    """Labels with what they are on, and the name of the session if it is to be told."""
    for mark in marks:
        words = f"[{visible(mark.label)}] {visible(mark.text[:200])}"
        session = visible(mark.session[:200])
        yield PaletteItem("Label", words, session if with_session else "", mark, session)


class SessionOffers:
    """Offers sessions once each, as lists of them are read. Only `make` does much; it is for a thread."""

    def __init__(self) -> None:
        self._lists: tuple[SessionList, ...] = ()
        self._offered: set[str] = set()
        self._busy = False

    def are_new(self, lists: tuple[SessionList, ...]) -> bool:
        """Whether there are other lists than before, and nobody makes offers of those yet."""
        same = len(lists) == len(self._lists) and all(map(is_, lists, self._lists))
        if same or self._busy:
            return False
        self._lists, self._busy = lists, True
        return True

    def make(self, lists: tuple[SessionList, ...], now_ms: float) -> list[PaletteItem]:
        """The offers of sessions that were not offered yet, the newest first."""
        fresh = {info.path: info for one in lists for info in one if info.path not in self._offered}
        self._offered |= fresh.keys()
        made = list(session_offers(newest_first(fresh.values()), now_ms))
        self._busy = False
        return made


def session_offers(sessions: list[SessionInfo], now_ms: float) -> Iterator[PaletteItem]:
    """The sessions of a list by their names, else their first messages."""
    for info in sessions:
        name = visible((info.name or info.first_message)[:200])
        more = f"{visible(info.first_message[:200])} {visible(short_path(info.cwd))} {info.id}"
        yield PaletteItem("Session", name, age(info.modified, now_ms), Path(info.path), more)
