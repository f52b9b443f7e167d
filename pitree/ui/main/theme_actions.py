"""Choosing other colors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitree.config import table
from pitree.ui.main.panes import PanesScreen

if TYPE_CHECKING:
    from pitree.ui.app.app import PitreeApp

_WORDS = {
    "auto": "auto: follow the terminal",
    "dark": "dark: Pi's",
    "light": "light: Pi's",
    "ansi": "ansi: the terminal's colors",
}


class ThemesScreen(PanesScreen):
    """`D`."""

    app: PitreeApp

    def action_theme(self) -> None:
        from pitree.ui.windows.themes_window import ThemeWindow

        before = self.app.theme_wanted
        others = (name for name in table.THEMES if name not in _WORDS and name not in _SPOKEN_OF)
        shown = _WORDS | {name: name for name in others}

        def chosen(name: str | None) -> None:
            self.app.show_theme(before if name is None else name)
            if name is not None and name != before and not self.remember(table.THEME, name):
                self.app.report("Until you quit: the settings name another theme")

        self.app.push_screen(ThemeWindow(shown, before, self.app.show_theme), chosen)


_SPOKEN_OF = frozenset({"pitree-dark", "pitree-light", "ansi-dark", "ansi-light"})
"""Themes that the words above stand for."""
