"""Draws the pictures of the README: `python screenshots/make.py [NAME…]` writes NAME.svg beside this file.

`--check` draws them and tells which of the files say something else by now. To look at and not to keep are
one of each kind of block (`--blocks FOLDER`, see `blocks.py`) and screens in many sizes and colours (`--sheet
FOLDER [NAME…]`, see `sheet.py`).

The real app runs on the demo, in terminals of fixed size and with a clock that stands still, so the same code
gives the same pictures.
"""

from __future__ import annotations

import asyncio
import datetime as datetime_module
import html
import json
import os
import re
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

NOW = datetime_module.datetime(2026, 5, 20, 15, 4, tzinfo=datetime_module.UTC)


class StillDatetime(datetime_module.datetime):
    """A datetime whose `now` is always the same."""

    @classmethod
    def now(cls, tz: datetime_module.tzinfo | None = None) -> StillDatetime:
        return cls.fromtimestamp(NOW.timestamp(), tz)


def stop_the_clock() -> None:
    """Make it NOW, in UTC, for everything that is imported from here on."""
    os.environ["TZ"] = "UTC"
    time.tzset()
    time.time = NOW.timestamp
    datetime_module.datetime = StillDatetime  # type: ignore[misc]


stop_the_clock()

from blocks import draw_blocks, settle  # noqa: E402

from pitree.demo import copy_store, main_project  # noqa: E402
from pitree.ui.app.app import PitreeApp  # noqa: E402
from pitree.ui.app.options import AppOptions  # noqa: E402

if TYPE_CHECKING:
    from textual.pilot import Pilot

HERE = Path(__file__).parent

LOGIN = "019cae5b"
"""How the id of the demo's largest session begins."""


@dataclass(frozen=True)
class Picture:
    """A picture.

    Attributes:
        columns, rows: size of the terminal.
        keys: the keys to press.
        session: how the id of the session begins; None for the list of sessions.
        theme: name of the theme.
        grows: whether an agent goes on in the session while one looks.
    """

    columns: int
    rows: int
    keys: tuple[str, ...] = ()
    session: str | None = LOGIN
    theme: str = "dark"
    grows: bool = False


def searched(words: str) -> tuple[str, ...]:
    """The keys that search for words, and go to the first hit, all rows being there again."""
    return ("slash", *("space" if letter == " " else letter for letter in words), "enter", "escape")


PICTURES = {
    "browse": Picture(150, 42, ("g", *["down"] * 11)),
    "picker": Picture(110, 30, ("a", "down"), session=None),
    "tree": Picture(100, 36, (*["right_square_bracket"] * 5, *["up"] * 4)),
    "search": Picture(120, 34, ("ctrl+t", *searched("redis")[:-1]), theme="light"),
    "label": Picture(100, 24, ("l", *"logged", "space", *"out")),
    "continue": Picture(110, 30, ("up", "up", "up", "up", "enter")),
    "summary": Picture(110, 34, (*searched("put the token into"), "enter", "s")),
    "compare": Picture(
        140, 38, (*searched("kept in memory"), "equals_sign", *searched("counted in redis"), "equals_sign")
    ),
    "live": Picture(120, 34, ("up", "up"), grows=True),
}


async def draw(picture: Picture, agent: Path) -> str:
    """The picture as SVG."""
    path = next(agent.glob(f"sessions/*/*_{picture.session}*.jsonl")) if picture.session else None
    options = AppOptions(
        path=path, agent_dir=agent, cwd=main_project(agent), theme=picture.theme, demo=True, lines="unicode"
    )
    app = PitreeApp(options)
    async with app.run_test(size=(picture.columns, picture.rows)) as pilot:
        await settle(pilot)
        for key in picture.keys:
            await pilot.press(key)
            await settle(pilot)
        if picture.grows and path is not None:
            await grow(pilot, path)
        for field in app.screen.query("Input, TextArea"):
            field.cursor_blink = False  # type: ignore[attr-defined]
        await settle(pilot)
        return app.export_screenshot(title="pitree")


async def grow(pilot: Pilot[Any], path: Path) -> None:
    """Have an agent answer in the session, as Pi writes it, and wait until that is on the screen."""
    last = json.loads(path.read_bytes().splitlines()[-1])["id"]
    asked = {"role": "user", "content": [{"type": "text", "text": "Write it down in the README, too."}]}
    read = {"type": "toolCall", "id": "call_1", "name": "read", "arguments": {"path": "README.md"}}
    answered = {"role": "assistant", "content": [read], "stopReason": "toolUse", "model": "claude-sonnet-4-5"}
    with path.open("a", encoding="utf-8", newline="\n") as file:
        for number, message in enumerate((asked, answered)):
            when = NOW - datetime_module.timedelta(seconds=5 - number)
            entry = {
                "type": "message",
                "id": f"5eed000{number}",
                "parentId": last,
                "timestamp": when.strftime("%Y-%m-%dT%H:%M:%S.000Z"),
                "message": message | {"timestamp": int(when.timestamp() * 1000)},
            }
            file.write(json.dumps(entry, separators=(",", ":")) + "\n")
            last = str(entry["id"])
    while "working" not in (said := screen_text(pilot.app.export_screenshot())) or "new" not in said:
        await pilot.pause(0.05)


def screen_text(svg: str) -> str:
    """What is to be read in a picture, line by line."""
    lines: dict[float, str] = {}
    for place, text in re.findall(r'<text[^>]* y="([0-9.]+)"[^>]*>([^<]*)</text>', svg):
        lines[float(place)] = lines.get(float(place), "") + html.unescape(text).replace("\xa0", " ")
    return "\n".join(lines[place].rstrip() for place in sorted(lines))


def of_the_same_world(folder: Path) -> Path:
    """Make a home in a folder, with the demo in it and nothing else on the PATH than something called pi."""
    os.environ["HOME"] = str(folder)  # so that paths are short, and the same each time
    for name in ("NO_COLOR", "PITREE_CONFIG"):
        os.environ.pop(name, None)
    os.environ.update(TERM="xterm-256color", COLORTERM="truecolor", PITREE_STATE_DIR=str(folder / "state"))
    pi = folder / "bin/pi"
    pi.parent.mkdir()
    pi.touch(mode=0o755)
    os.environ["PATH"] = str(pi.parent)
    return copy_store(folder, NOW)


def drawn(name: str) -> str:
    """A picture by name, drawn in a world of its own."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(draw(PICTURES[name], of_the_same_world(Path(folder))))


def out_of_date() -> list[str]:
    """The pictures whose files say something else by now, or are missing."""
    old = []
    for name in PICTURES:
        file = HERE / f"{name}.svg"
        if not file.exists() or screen_text(file.read_text(encoding="utf-8")) != screen_text(drawn(name)):
            old.append(name)
    return old


def main(arguments: list[str]) -> int:
    """Draw the pictures named, all by default, or do what is asked for instead; the exit status."""
    path = os.environ.get("PATH", "")
    if arguments[:1] == ["--check"]:
        old = out_of_date()
        if old:
            print(f"out of date: {', '.join(old)}; python screenshots/make.py draws them anew")
        return 1 if old else 0
    if arguments[:1] in (["--sheet"], ["--blocks"]):
        with tempfile.TemporaryDirectory() as folder:
            agent = of_the_same_world(Path(folder))
            os.environ["PATH"] = path  # to find what makes PNG of them
            if arguments[0] == "--blocks":
                asyncio.run(draw_blocks(agent, Path(arguments[1])))
            else:
                from sheet import sheet

                asyncio.run(sheet(agent, Path(arguments[1]), settle, arguments[2:]))
        return 0
    for name in arguments or PICTURES:
        svg = drawn(name)
        (HERE / f"{name}.svg").write_text(svg, encoding="utf-8")
        print(HERE / f"{name}.svg", len(svg))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
