"""The first frame: the empty panes, painted while the code of what goes into them is still being loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content
from textual.screen import Screen

from pitree.ui.main.arrangement import Page, PaneShares, arrange
from pitree.ui.main.footer import Footer
from pitree.ui.main.header import Header
from pitree.ui.toolkit import keys

if TYPE_CHECKING:
    from pitree.ui.picker.first_list import FirstSessions
    from pitree.ui.tree.first_tree_pane import FirstTreePane


class OpeningScreen(Screen[None], inherit_bindings=False):
    """Looks like the main screen before anything is in it.

    Args:
        page: the pane in front.
        shares: the room of the panes.
        sessions: the list of sessions; by default an empty frame.
        tree: the tree; by default likewise.
    """

    AUTO_FOCUS: ClassVar[str | None] = ""

    def __init__(
        self,
        page: Page,
        shares: PaneShares,
        sessions: FirstSessions | None = None,
        tree: FirstTreePane | None = None,
    ) -> None:
        super().__init__(classes="panes")
        self._page = page
        self._shares = shares
        self._sessions = sessions
        self._tree = tree

    def compose(self) -> ComposeResult:
        yield Header()
        with Container(id="panes"):
            yield self._sessions or frame("sessions", "Sessions")
            with Container(id="work"):
                yield self._tree or frame("tree", "Tree")
                yield frame("detail", "Entry")
        yield Footer()

    def on_mount(self) -> None:
        panes = (self.query_one("#sessions"), self.query_one("#tree"), self.query_one("#detail"))
        arrange(self, self._page, panes, shares=self._shares, empty=True)
        here = keys.KeyContext.PICKER if self._page is Page.SESSIONS else keys.KeyContext.TREE
        self.query_one(Footer).show([keys.KeyContext.LIST, here, keys.KeyContext.GLOBAL])

    def look(self) -> None:
        """Show the sessions that have been read since the last look."""
        if self._sessions is not None:
            self._sessions.look()


def frame(id: str, title: str) -> Container:
    """An empty pane."""
    pane = Container(id=id, classes="frame")
    pane.border_title = Content(title)
    return pane
