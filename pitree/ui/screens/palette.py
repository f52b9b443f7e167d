"""What the command palette offers on the main screen, and what comes of choosing it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from textual.dom import DOMNode

from pitree.outline.palette import Offer
from pitree.outline.safe import visible
from pitree.ui import keys
from pitree.ui.screens.arrangement import Page
from pitree.ui.screens.browse import BrowseScreen

if TYPE_CHECKING:
    from pitree.session.bookmarks import Bookmark
    from pitree.session.info import SessionInfo
    from pitree.session.manager import SessionManager
    from pitree.ui.app import PitreeApp
    from pitree.ui.dialogs.palette import PaletteWindow

_PAGES = {
    keys.Place.TREE: Page.TREE,
    keys.Place.HITS: Page.TREE,
    keys.Place.PICKER: Page.SESSIONS,
    keys.Place.DETAIL: Page.DETAIL,
}
"""The panes whose actions are offered, beside those of the screen itself."""

_KINDS = {place: place.heading for place in keys.Place} | {keys.Place.HITS: "Hits"}


class PaletteScreen(BrowseScreen):
    """`ctrl+p`."""

    app: PitreeApp

    def action_palette(self) -> None:
        from pitree.ui.dialogs.palette import PaletteWindow

        session = self.opened.session if self.opened is not None else None
        offered: set[str] = set()

        def look() -> None:
            """Offer what has been read of sessions since the last look."""
            known = [info for info in self.picker.known_sessions() if info.path not in offered]
            if known:
                offered.update(info.path for info in known)
                self._offer(window, partial(session_offers, known, time.time() * 1000))

        window = PaletteWindow([*self._actions(), *self._topics()], look)
        self.app.push_screen(window, self._chosen_in_palette)
        self._offer(window, partial(label_offers, session))
        self.picker.load_everything()

    def _offer(self, window: PaletteWindow, offers: Callable[[], Iterable[Offer]]) -> None:
        """Offer more, made in a thread."""

        def work() -> None:
            made = list(offers())
            self.app.call_from_thread(window.add, made)

        self.run_worker(work, thread=True, group="palette")

    def _actions(self) -> Iterator[Offer]:
        """Every action that can be done from here, those of the pane with the focus first."""
        table = keys.table_of(self)
        here = [place for place in self.places_of_keys() if place in _PAGES]
        others = [place for place in _PAGES if place not in here]
        if not self.tree_pane.searching:
            others = [place for place in others if place is not keys.Place.HITS]
        for place in (*here, keys.Place.GLOBAL, *others):
            sentence = ""
            for action in keys.actions_of(place):
                sentence = action.help or sentence
                signs = " ".join(map(keys.key_sign, table.of(action)))
                *_, group, name = ("", *action.id.split("."))
                words = sentence if action.help else f"{sentence} ({name})"
                if action.id.count(".") > 1:
                    words = f"{group.capitalize()}: {words}"
                yield Offer(_KINDS[place], words, signs, action, f"{action.id} {action.words}")

    def _topics(self) -> Iterator[Offer]:
        """The topics of the manual."""
        from pitree.docs.topics import TOPICS, title_of

        for topic in TOPICS:
            yield Offer("Manual", title_of(topic), topic, partial(self._show_topic, topic))

    def _show_topic(self, topic: str) -> None:
        from pitree.ui.manual.topics import show_manual

        show_manual(self.app, topic)

    async def _chosen_in_palette(self, offer: Offer | None) -> None:
        meant = offer.meant if offer is not None else None
        if isinstance(meant, keys.Action):
            await self._do(meant)
        elif isinstance(meant, Path):
            self.choose_session(meant)
        elif callable(meant):
            meant()
        elif isinstance(meant, str) and self.opened is not None:
            index = self.opened.session.table.by_id.get(meant)
            if index is not None:
                self.go_to_entry(index)

    async def _do(self, action: keys.Action) -> None:
        """Do what a key would do in the pane it is for."""
        node: DOMNode = self
        if (page := _PAGES.get(action.place)) is not None:
            if page is not self.page:
                self.show_page(page)
            node = self.pane(page)
        await self.app.run_action(action.action, node)

    def go_to_entry(self, index: int) -> None:
        """Put the cursor on an entry."""
        raise NotImplementedError


def label_offers(session: SessionManager | None) -> Iterator[Offer]:
    """The labels of a session, the newest first; read off the screen's thread."""
    from pitree.session.bookmarks import bookmarks_of

    marks: list[Bookmark] = bookmarks_of(session) if session is not None else []
    for mark in marks:
        yield Offer("Label", f"[{visible(mark.label)}] {visible(mark.text[:200])}", "", mark.entry_id)


def session_offers(sessions: list[SessionInfo], now_ms: float) -> Iterator[Offer]:
    """The sessions of a list by their names, else their first messages."""
    from pitree.outline.sessions import age
    from pitree.session.summary import short_path

    for info in sessions:
        name = visible((info.name or info.first_message)[:200])
        more = f"{visible(info.first_message[:200])} {visible(short_path(info.cwd))} {info.id}"
        yield Offer("Session", name, age(info.modified, now_ms), Path(info.path), more)
