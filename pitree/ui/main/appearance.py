"""What is around the sessions: the theme, the demo, the windows of help, manual and notices."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from pitree.config import table
from pitree.config.setting import Setting
from pitree.ui.main.host import Controller, Host
from pitree.ui.toolkit import keys
from pitree.ui.toolkit.background import in_thread, on_loop

_THEMES = {
    "auto": "auto: follow the terminal",
    "dark": "dark: Pi's",
    "light": "light: Pi's",
    "ansi": "ansi: the terminal's colors",
}
_NAMED_ABOVE = frozenset({"pitree-dark", "pitree-light", "ansi-dark", "ansi-light"})
"""Themes that the words above stand for."""


class Appearance(Controller):
    """`D`, `d`, `?` and `F1`.

    Args:
        host: the screen.
        places: the places whose keys apply where the focus is, the nearest first.
        remember: keeps a setting for the next start; whether it will apply then.
    """

    def __init__(
        self,
        host: Host,
        places: Callable[[], list[keys.KeyContext]],
        remember: Callable[[Setting[str], str], bool],
    ) -> None:
        super().__init__(host)
        self._places = places
        self._remember = remember

    def action_theme(self) -> None:
        """Choose a theme; each is shown while the cursor is on it."""
        from pitree.ui.windows.themes_window import ThemeWindow

        before = self.app.theme_wanted
        others = (name for name in table.THEMES if name not in _THEMES and name not in _NAMED_ABOVE)
        shown = _THEMES | {name: name for name in others}

        def chosen(name: str | None) -> None:
            self.app.show_theme(before if name is None else name)
            if name is not None and name != before and not self._remember(table.THEME, name):
                self.app.report("Until you quit: the settings name another theme")

        self.app.push_screen(ThemeWindow(shown, before, self.app.show_theme), chosen)

    def action_demo(self) -> None:
        """Open the demo from an empty list of sessions."""
        services, app = self.app, self.host.app
        make = services.options.make_demo
        if make is None:
            services.report(
                "This is already the demo" if services.options.demo else "The demo cannot be opened from here"
            )
            return

        def work() -> None:
            agent, cwd = make()
            show = partial(services.show_demo, agent, cwd)
            services.call_from_thread(partial(on_loop, app, "open the demo", show, group="demo"))

        in_thread(app, "copy the demo", work, group="demo copy", exclusive=True)

    def action_help(self) -> None:
        """Show the keys of where the focus is."""
        from pitree.ui.windows.help_window import HelpWindow

        self.app.push_screen(HelpWindow(self._places(), keys.table_of(self.host)))

    def action_manual(self) -> None:
        """Show the manual."""
        from pitree.ui.windows.manual_topics import show_manual

        show_manual(self.host)

    def action_notices(self) -> None:
        """Show what is wrong with the file."""
        from pitree.ui.windows.notices_window import notices_window

        notices = self.opened.session.notices if self.opened is not None else []
        if notices:
            self.app.push_screen(notices_window(notices))
        else:
            self.app.report("This file has no problems" if self.opened else "No session is open")
