"""What a test sees of an app: the text on its screen, line by line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from textual.app import App
from textual.pilot import Pilot

from tests.support.waiting import PATIENCE, until_async

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


async def until(pilot: Pilot[Any], holds: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Wait until something holds, looking again after each round of the app's work."""
    await until_async(holds, seconds, lambda: f"on screen:\n{text(pilot.app)}", pilot.pause)


async def until_after(pilot: Pilot[Any], seconds: float) -> None:
    """Wait until a timer of the app has rung that was set later than those of as many seconds set by now.

    For what must not happen: the timer that would have brought it has rung too.
    """
    rung: list[None] = []
    pilot.app.set_timer(seconds, lambda: rung.append(None))
    await until(pilot, lambda: rung)
    await pilot.pause()


async def until_still(pilot: Pilot[Any], looks: int = 5) -> None:
    """Wait until the screen is the same at several looks, each after the app had come to rest."""
    seen: list[list[str]] = []

    def still() -> bool:
        seen.append(lines(pilot.app))
        return len(seen) >= looks and all(one == seen[-1] for one in seen[-looks:])

    await until_async(still, pause=lambda step: pilot.pause())
