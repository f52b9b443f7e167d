"""The smallest Textual app with three panes: what no program of this kind can start faster than."""

from __future__ import annotations

from textual.app import App, ComposeResult
from textual.containers import Horizontal
from textual.widgets import Static


class Smallest(App[None]):
    """Three panes with a word each; q quits."""

    CSS = "Static { width: 1fr; height: 1fr; border: round $accent; }"
    BINDINGS = [("q", "quit", "Quit")]  # noqa: RUF012

    def compose(self) -> ComposeResult:
        with Horizontal():
            yield Static("left")
            yield Static("middle")
            yield Static("right")


if __name__ == "__main__":
    Smallest().run()
