"""The application: themes, style sheets, clipboard, and the one screen it starts with."""

from __future__ import annotations

import os
from typing import ClassVar

from textual.app import App
from textual.screen import Screen

from pitree.outline.safe import visible
from pitree.resources import styles_dir
from pitree.ui import clipboard, theme
from pitree.ui.options import AppOptions
from pitree.ui.screens.browse import BrowseScreen


class PitreeApp(App[int]):
    """pitree full screen."""

    CSS_PATH: ClassVar = sorted(styles_dir().glob("*.tcss"))
    TITLE = "pitree"
    ENABLE_COMMAND_PALETTE = False
    NOTIFICATION_TIMEOUT = 4.0

    def __init__(self, options: AppOptions) -> None:
        # Textual takes NO_COLOR for itself, so it has to be asked for before.
        first_theme = theme.initial_theme(options.theme, os.environ)
        super().__init__()
        self.options = options
        for known in theme.THEMES:
            self.register_theme(known)
        self.theme = first_theme

    def get_default_screen(self) -> Screen[None]:
        return BrowseScreen(self.options)

    def tell(self, message: str, *, warning: bool = False) -> None:
        """Show a short message for a few seconds. Whatever it quotes is shown as text."""
        self.notify(visible(message), severity="warning" if warning else "information", markup=False)

    def copy_text(self, text: str) -> None:
        """Copy a text through the terminal and the local tool, and say so."""
        if not text:
            self.tell("Nothing to copy: the entry has no text", warning=True)
            return
        self.copy_to_clipboard(text.encode("utf-8", "replace").decode())
        self.run_worker(lambda: self._copy_locally(text), thread=True, group="clipboard")

    def _copy_locally(self, text: str) -> None:
        tool = clipboard.local_tool()
        took = tool[0] if tool and clipboard.run_tool(tool, text) else None
        message, doubtful = clipboard.report(text, took)
        self.call_from_thread(self.tell, message, warning=doubtful)


def run(options: AppOptions) -> int:
    """Show the screen until the reader leaves it; the exit status."""
    app = PitreeApp(options)
    app.run()
    return app.return_code or 0
