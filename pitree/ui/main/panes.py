"""The panes of the main screen: which is in front, how they stand, how much room each has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from enum import Enum, auto
from typing import cast

from textual import events
from textual.screen import Screen
from textual.widget import Widget

from pitree.config import table
from pitree.config.config import Source
from pitree.config.setting import Number, Setting
from pitree.ui.app.options import AppOptions
from pitree.ui.main.arrangement import Arrangement, Page, PaneLayout, PaneShares, arrange
from pitree.ui.main.host import Services
from pitree.ui.toolkit.background import in_thread
from pitree.ui.toolkit.input_priority import redraw_after_key

_FIXED = (Source.LINE, Source.ENVIRONMENT, Source.FILE)
"""What goes before a choice made on the screen, at the next start."""


class Divider(Enum):
    """The border between two panes, which can be dragged."""

    SESSIONS = auto()
    """Between the list and what is beside it."""
    ENTRY = auto()
    """Between the tree and the entry."""


class PanesScreen(Screen[None], inherit_bindings=False):
    """A screen with three panes. It knows nothing of what is in them.

    Args:
        options: how the program was started.

    Attributes:
        pages: the widget of each page; set before the screen is composed.
        nothing_shown: whether no session is shown, so that the list may take all the room.
    """

    def __init__(self, options: AppOptions) -> None:
        super().__init__(classes="panes")
        self.pages: Mapping[Page, Widget] = {}
        self.nothing_shown = True
        self._options = options
        self._page = Page.TREE if options.path else Page.SESSIONS
        self._shares = PaneShares.of(options.config)
        self._arrangement = Arrangement.STACKED
        self._dragged: Divider | None = None
        self._alone = False

    @property
    def services(self) -> Services:
        """The app, as far as the screen and its controllers need it."""
        return cast(Services, self.app)

    def pane(self, page: Page) -> Widget:
        """The widget of a page."""
        return self.pages[page]

    @property
    def page(self) -> Page:
        """The pane in front: the one with the focus."""
        return self._page

    def on_idle(self) -> None:
        redraw_after_key(self)

    def on_resize(self, event: events.Resize) -> None:
        self.arrange_panes()

    def arrange_panes(self) -> None:
        """Arrange the panes for the size of the terminal and what is in them."""
        panes = (self.pane(Page.SESSIONS), self.pane(Page.TREE), self.pane(Page.DETAIL))
        # A list that was called up keeps its place from then on.
        self._alone = self._alone and self._page is not Page.SESSIONS
        self._arrangement = arrange(
            self, self._page, panes, shares=self._shares, empty=self.nothing_shown, alone=self._alone
        )

    def give_room_away(self) -> None:
        """Give the room of the list to the other panes, until the reader goes to it."""
        self._alone = True
        self.arrange_panes()

    def show_page(self, page: Page) -> None:
        """Bring a pane to the front and give it the focus."""
        self._page = page
        self.arrange_panes()
        pane = self.pane(page)
        target: Widget = getattr(pane, "focus_target", pane)
        self.set_focus(target, scroll_visible=False)

    def _page_of(self, widget: Widget) -> Page | None:
        """The pane that a widget is in."""
        return next((page for page in Page if self.pane(page) in widget.ancestors_with_self), None)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        page = self._page_of(event.widget)
        if page is not None and page is not self._page:
            self._page = page
            self.arrange_panes()

    # -- choices that are remembered ------------------------------------------------------------------

    def remember(self, setting: Setting[str] | Setting[int], value: str | int) -> bool:
        """Keep a choice made on the screen for the next start; whether it will hold then."""
        self._options.memory.set(setting.name, value)
        in_thread(self, "save the choice", self._options.memory.save, group="memory")
        return self._options.config.held(setting).source not in _FIXED

    def _resize_panes(self, shares: PaneShares) -> None:
        """Give the panes other room, within the limits of the settings."""
        within = replace(
            shares,
            tree=_nearest(table.TREE_SHARE, shares.tree),
            sessions=_nearest(table.SESSIONS_SHARE, shares.sessions),
        )
        if within != self._shares:
            self._shares = within
            self.arrange_panes()

    def _remember_shares(self) -> None:
        self.remember(table.TREE_SHARE, self._shares.tree)
        self.remember(table.SESSIONS_SHARE, self._shares.sessions)

    # -- actions (named in the table of keys) -----------------------------------------------------------

    def action_next_pane(self, step: int) -> None:
        pages = list(Page)
        if self._arrangement is Arrangement.STACKED and self._page is not Page.SESSIONS:
            pages.remove(Page.SESSIONS)
        self.show_page(pages[(pages.index(self._page) + step) % len(pages)])

    def action_sessions(self) -> None:
        self.show_page(Page.TREE if self._page is Page.SESSIONS else Page.SESSIONS)

    def action_split(self, change: int) -> None:
        self._resize_panes(replace(self._shares, tree=self._shares.tree + change))
        self._remember_shares()

    def action_sessions_width(self, change: int) -> None:
        if self._arrangement is not Arrangement.WIDE:
            self.services.report("The session list can be resized only when the panes are side by side")
            return
        self._resize_panes(replace(self._shares, sessions=self._shares.sessions + change))
        self._remember_shares()

    def action_layout(self) -> None:
        layouts = list(PaneLayout)
        layout = layouts[(layouts.index(self._shares.layout) + 1) % len(layouts)]
        self._shares = replace(self._shares, layout=layout)
        self.arrange_panes()
        self.remember(table.LAYOUT, layout.value)
        wanted = {PaneLayout.WIDE: Arrangement.WIDE, PaneLayout.STACKED: Arrangement.STACKED}.get(layout)
        small = " (this terminal is too small for it)" if wanted not in (None, self._arrangement) else ""
        self.services.report(f"Panes: {layout.words}{small}")

    # -- the mouse ------------------------------------------------------------------------------------

    def _divider_at(self, x: int, y: int) -> Divider | None:
        """The border between panes at a place on the screen."""
        sessions, tree, detail = (self.pane(page).region for page in Page)
        if self._arrangement is Arrangement.WIDE and tree.y <= y < tree.bottom:
            if x in (sessions.right - 1, tree.x) and not self._alone:
                return Divider.SESSIONS
            if x in (tree.right - 1, detail.x):
                return Divider.ENTRY
        if self._arrangement is Arrangement.STACKED and self._page is not Page.SESSIONS:
            return Divider.ENTRY if y in (tree.bottom - 1, detail.y) else None
        return None

    def on_mouse_down(self, event: events.MouseDown) -> None:
        self._dragged = self._divider_at(event.screen_x, event.screen_y) if event.button == 1 else None
        if self._dragged is not None:
            event.stop()
            self.pane(Page.TREE).capture_mouse()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if self._dragged is Divider.SESSIONS:
            share = round(100 * (event.screen_x + 1) / max(1, self.size.width))
            self._resize_panes(replace(self._shares, sessions=share))
        elif self._dragged is Divider.ENTRY:
            tree, detail = self.pane(Page.TREE).region, self.pane(Page.DETAIL).region
            if self._arrangement is Arrangement.WIDE:
                at, room = event.screen_x + 1 - tree.x, tree.width + detail.width
            else:
                at, room = event.screen_y + 1 - tree.y, tree.height + detail.height
            self._resize_panes(replace(self._shares, tree=round(100 * at / max(1, room))))

    def on_mouse_up(self, event: events.MouseUp) -> None:
        if self._dragged is not None:
            self._dragged = None
            self.pane(Page.TREE).release_mouse()
            self._remember_shares()


def _nearest(setting: Setting[int], value: int) -> int:
    """The value that a setting allows which is next to any."""
    kind = setting.kind
    return kind.nearest(value) if isinstance(kind, Number) else value
