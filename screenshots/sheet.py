"""Draws screens in many ways on one sheet, to look at: `python screenshots/make.py --sheet FOLDER [NAME…]`.

Each screen of the demo is drawn at four sizes and in four ways to be coloured, as `FOLDER/NAME.svg`; with
`rsvg-convert` on this machine also as PNG.
"""

from __future__ import annotations

import io
import os
import shutil
import subprocess
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.terminal_theme import DEFAULT_TERMINAL_THEME, DIMMED_MONOKAI, TerminalTheme

from pitree.demo import main_project
from pitree.ui.app.app import PitreeApp
from pitree.ui.app.options import AppOptions

if TYPE_CHECKING:
    from textual.pilot import Pilot

Settle = Callable[["Pilot[Any]"], Awaitable[None]]

SIZES = ((40, 12), (80, 24), (120, 40), (200, 60))

LOGIN, PARSER = "019cae5b", "019ca45a"
"""How the ids of two of the demo's sessions begin."""

_FRAMELESS = """\
<svg class="rich-terminal" viewBox="0 0 {terminal_width} {terminal_height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{
    font-family: Fira Code, DejaVu Sans Mono, monospace;
    font-size: {char_height}px;
    line-height: {line_height}px;
}}
{styles}
</style>
<defs>{lines}</defs>
<rect fill="GROUND" width="{terminal_width}" height="{terminal_height}"/>
{backgrounds}
<g class="{unique_id}-matrix">{matrix}</g>
</svg>
"""
"""How a picture is written: nothing around the terminal."""


@dataclass(frozen=True, slots=True)
class Way:
    """A way to be coloured."""

    name: str
    theme: str
    terminal: TerminalTheme
    lines: str | None = None
    no_color: bool = False


WAYS = (
    Way("dark", "dark", DIMMED_MONOKAI),
    Way("light", "light", DEFAULT_TERMINAL_THEME),
    Way("ansi", "ansi-dark", DIMMED_MONOKAI),
    Way("NO_COLOR", "ansi-light", DEFAULT_TERMINAL_THEME, "ascii", no_color=True),
)

SCREENS: dict[str, tuple[str | None, tuple[str, ...]]] = {
    "picker": (None, ()),
    "tree": (LOGIN, ("g", *["down"] * 11)),
    "entry": (LOGIN, ("g", *["down"] * 11, "tab")),
    "search": (LOGIN, ("slash", *"redis", "enter")),
    "drawer": (LOGIN, ("s",)),
    "help": (LOGIN, ("question_mark",)),
    "continue": (LOGIN, ("up", "up", "up", "up", "enter")),
    "label": (LOGIN, ("l", *"it works")),
    "bookmarks": (LOGIN, ("b", "tab")),
    "money": (LOGIN, ("dollar_sign",)),
    "columns": (PARSER, ("i",)),
    "palette": (LOGIN, ("ctrl+p", *"fork")),
    "topics": (LOGIN, ("M",)),
    "manual": (LOGIN, ("M", "down", "enter")),
    "summary": (LOGIN, ("up", "up", "up", "up", "enter", "s")),
    "fork": (LOGIN, ("up", "up", "up", "up", "f")),
}
"""What is drawn: name → the session opened, if any, and the keys pressed."""


def drawn(app: PitreeApp, terminal: TerminalTheme) -> str:
    """The screen as SVG without a window around it, in a terminal's own colours where none are given."""
    console = Console(
        width=app.size.width,
        height=app.size.height,
        file=io.StringIO(),
        force_terminal=True,
        color_system="truecolor",
        record=True,
        legacy_windows=False,
        safe_box=False,
    )
    console.print(app.screen._compositor.render_update(full=True, screen_stack=app._background_screens))
    ground = "#{:02x}{:02x}{:02x}".format(*terminal.background_color)
    return console.export_svg(theme=terminal, code_format=_FRAMELESS.replace("GROUND", ground))


@contextmanager
def environment(way: Way) -> Iterator[None]:
    """The environment of a way to be coloured."""
    before = dict(os.environ)
    os.environ.pop("NO_COLOR", None)
    os.environ.update(
        TERM="xterm-256color", COLORTERM="truecolor", **({"NO_COLOR": "1"} if way.no_color else {})
    )
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


async def sheet(agent: Path, folder: Path, settle: Settle, names: list[str]) -> None:
    """Draw the sheets of some screens, or of all, into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in names or SCREENS:
        session, keys = SCREENS[name]
        pictures: list[list[tuple[tuple[int, int], str]]] = []
        for way in WAYS:
            row = []
            for size in SIZES:
                with environment(way):
                    row.append((size, await _picture(agent, way, size, session, keys, settle)))
            pictures.append(row)
        svg = folder / f"{name}.svg"
        svg.write_text(_joined(pictures), encoding="utf-8")
        if shutil.which("rsvg-convert"):
            subprocess.run(
                ["rsvg-convert", "-w", "3400", "-o", str(svg.with_suffix(".png")), str(svg)], check=False
            )
        print(svg)


async def _picture(
    agent: Path, way: Way, size: tuple[int, int], session: str | None, keys: tuple[str, ...], settle: Settle
) -> str:
    path = next(agent.glob(f"sessions/*/*_{session}*.jsonl")) if session is not None else None
    cwd = main_project(agent)
    app = PitreeApp(
        AppOptions(path=path, agent_dir=agent, cwd=cwd, theme=way.theme, lines=way.lines, demo=True)
    )
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        for key in keys:
            await pilot.press(key)
        await settle(pilot)
        return drawn(app, way.terminal)


def _joined(rows: list[list[tuple[tuple[int, int], str]]]) -> str:
    """The pictures side by side, one way to be coloured a row."""
    cell, line, gap = 12.2, 24.4, 30
    parts, top, width = [], float(gap), 0.0
    for row in rows:
        left = float(gap)
        for (columns, lines), svg in row:
            at = f'x="{left:.0f}" y="{top:.0f}" width="{columns * cell:.0f}" height="{lines * line:.0f}"'
            placed = svg.replace("<svg ", f"<svg {at} ", 1)
            parts.append(placed.replace("<text ", '<text xml:space="preserve" ').replace("&#160;", " "))
            left += columns * cell + gap
        width = max(width, left)
        top += max(lines for (_, lines), _ in row) * line + gap
    opening = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{top:.0f}">'
    return f'{opening}<rect width="100%" height="100%" fill="#888"/>{"".join(parts)}</svg>'
