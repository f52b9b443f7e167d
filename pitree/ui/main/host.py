"""What the controllers of the main screen need of it and of the app; tests give them a small one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from pitree.ui.toolkit import keys
from pitree.ui.toolkit.background import WorkHost

if TYPE_CHECKING:
    from textual.message import Message
    from textual.screen import Screen

    from pitree.catalog.info.session_info import SessionInfo
    from pitree.pi.places import Places
    from pitree.ui.app.options import AppOptions
    from pitree.ui.entry import DetailPane
    from pitree.ui.main.arrangement import Page
    from pitree.ui.main.header import Header
    from pitree.ui.main.session_loading import OpenedSession
    from pitree.ui.picker.picker import SessionPicker
    from pitree.ui.toolkit.input_priority import InputPriority
    from pitree.ui.tree.live_tree import LiveTree


class Services(Protocol):
    """What the app does for its screens."""

    options: AppOptions
    input_priority: InputPriority
    problems: Sequence[object]

    @property
    def theme_wanted(self) -> str: ...
    def show_theme(self, wanted: str) -> None: ...
    async def show_demo(self, agent: Path, cwd: Path) -> None: ...
    def report(self, message: str, *, warning: bool = ..., seconds: float | None = ...) -> None: ...
    def copy_text(self, text: str, then: Callable[[], None] | None = ...) -> None: ...
    def call_from_thread(self, callback: Callable[..., Any], *args: Any, **kwargs: Any) -> Any: ...
    def push_screen(self, screen: Screen[Any], callback: Callable[[Any], Any] | None = ...) -> Any: ...
    def exit(self, result: int | None = ..., return_code: int = ...) -> None: ...


@dataclass(frozen=True, slots=True)
class Panes:
    """The widgets of the main screen."""

    header: Header
    picker: SessionPicker
    tree: LiveTree
    detail: DetailPane


class Host(WorkHost, Protocol):
    """The main screen, as its controllers see it."""

    panes: Panes
    places: Places

    @property
    def services(self) -> Services: ...
    @property
    def opened(self) -> OpenedSession | None:
        """The session shown."""

    @property
    def entry_index(self) -> int:
        """Index of the entry under the cursor, -1 for none."""

    @property
    def listed_session(self) -> SessionInfo | None:
        """The session under the cursor of the list, if the list has the focus."""

    @property
    def page(self) -> Page:
        """The pane in front."""

    def show_page(self, page: Page) -> None: ...
    def arrange_panes(self) -> None: ...
    def open_path(self, path: Path, entry_id: str | None = None) -> None:
        """Open a session, at an entry if one is given."""

    def go_to_entry(self, index: int) -> None:
        """Put the cursor on an entry, or report that the filter hides it."""

    def post_message(self, message: Message) -> bool: ...
    def set_timer(self, delay: float, callback: Callable[[], Any]) -> Any: ...


class Controller:
    """Does one kind of thing for the main screen. Its `action_…` methods are actions of the screen.

    Args:
        host: the screen.
    """

    def __init__(self, host: Host) -> None:
        self.host = host

    @property
    def app(self) -> Services:
        """What the app does for its screens."""
        return self.host.services

    @property
    def panes(self) -> Panes:
        """The widgets of the screen."""
        return self.host.panes

    @property
    def opened(self) -> OpenedSession | None:
        """The session shown."""
        return self.host.opened

    @property
    def entry_index(self) -> int:
        """Index of the entry under the cursor, -1 for none."""
        return self.host.entry_index

    def label_of(self, *names: str) -> str:
        """The keys of actions, as people read them."""
        return keys.key_label(self.host, *names)

    def loaded(self) -> OpenedSession | None:
        """The session shown, once it is whole and the cursor is on an entry; reports why not."""
        opened = self.opened
        if opened is None or self.entry_index < 0:
            self.app.report("No entry is selected", warning=True)
        elif opened.provisional:
            self.app.report("The session is still loading; try again in a moment", warning=True)
        else:
            return opened
        return None
