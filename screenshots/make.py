"""Draws the pictures of the README: `python screenshots/make.py [NAME…]` writes NAME.svg beside this file.

`--blocks FOLDER` draws one of each kind of block instead, to look at (`blocks.py`).

The real app runs on the demo, in terminals of fixed size and with a clock that stands still, so the same code
gives the same pictures.
"""

from __future__ import annotations

import asyncio
import datetime as datetime_module
import os
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

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
from pitree.ui.app import PitreeApp  # noqa: E402
from pitree.ui.options import AppOptions  # noqa: E402

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Picture:
    """A picture: size of the terminal, the beginning of a session's id, other options, the keys to press."""

    columns: int
    rows: int
    session: str
    keys: tuple[str, ...] = ()
    theme: str | None = None
    scope_all: bool = False


PICTURES = {
    "browse": Picture(150, 42, "019cae5b", ("g", *["down"] * 11)),
    "light": Picture(120, 36, "019cae5b", ("slash", *"redis", "enter"), "pitree-light", scope_all=True),
    "small": Picture(80, 24, "019ca45a"),
    "continue": Picture(110, 30, "019cae5b", ("up", "up", "up", "up", "enter")),
    "bookmarks": Picture(110, 30, "019cae5b", ("b", "tab")),
}


async def draw(picture: Picture, agent: Path) -> str:
    """The picture as SVG."""
    options = AppOptions(
        path=next(agent.glob(f"sessions/*/*_{picture.session}*.jsonl")),
        scope_all=picture.scope_all,
        agent_dir=agent,
        cwd=main_project(agent),
        theme=picture.theme,
        demo=True,
    )
    app = PitreeApp(options)
    async with app.run_test(size=(picture.columns, picture.rows)) as pilot:
        await settle(pilot)
        for key in picture.keys:
            await pilot.press(key)
        await settle(pilot)
        return app.export_screenshot(title="pitree")


def main(names: list[str]) -> None:
    """Draw the pictures named, all by default."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HOME"] = folder  # so that paths are short, and the same each time
        agent = copy_store(Path(folder), NOW)
        if names[:1] == ["--sheet"]:
            from sheet import sheet

            asyncio.run(sheet(agent, Path(names[1]), settle, names[2:]))
            return
        if names[:1] == ["--blocks"]:
            asyncio.run(draw_blocks(agent, Path(names[1])))
            return
        for name in names or PICTURES:
            svg = asyncio.run(draw(PICTURES[name], agent))
            (HERE / f"{name}.svg").write_text(svg, encoding="utf-8")
            print(HERE / f"{name}.svg", len(svg))


if __name__ == "__main__":
    main(sys.argv[1:])
