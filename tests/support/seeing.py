"""What a test sees of an app: the text on its screen, line by line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from textual.app import App
from textual.pilot import Pilot

_NO_BORDERS = dict.fromkeys(map(ord, "│╭╮╰╯─"), " ")


def lines(app: App[Any]) -> list[str]:
    """The text on screen, each line without its trailing blanks."""
    return [strip.text.rstrip() for strip in app.screen._compositor.render_strips(app.size)]


def text(app: App[Any]) -> str:
    """The text on screen."""
    return "\n".join(lines(app))


def words(app: App[Any]) -> str:
    """The words on screen with single blanks between them, borders left out: wrapping does not matter."""
    return " ".join(text(app).translate(_NO_BORDERS).split())


def line_with(app: App[Any], words: str) -> str:
    """The first line on screen that contains the words; "" if there is none."""
    return next((line for line in lines(app) if words in line), "")


async def until(pilot: Pilot[Any], holds: Callable[[], object], seconds: float = 60.0) -> None:
    """Wait until something holds, looking again after each round of the app's work."""
    for _ in range(int(seconds / 0.02)):
        if holds():
            return
        await pilot.pause(0.02)
    raise AssertionError(f"it did not come about within {seconds} s; on screen:\n{text(pilot.app)}")
