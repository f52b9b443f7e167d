"""Draws the picture of pitree inside Pi: `python screenshots/inside.py` writes `inside.svg` beside this file.

Above, pitree as `/pitree` shows it on the demo, a message chosen; below, the real Pi a moment later, which is
run for it (see `tests/interop/real_pi.py` for where it is looked for).
"""

from __future__ import annotations

import asyncio
import io
import os
import re
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from make import NOW, settle  # noqa: E402  # stops the clock
from rich.console import Console  # noqa: E402
from rich.style import Style  # noqa: E402
from rich.terminal_theme import DIMMED_MONOKAI  # noqa: E402
from rich.text import Text  # noqa: E402

from pitree.demo import copy_store, main_project  # noqa: E402
from pitree.pi.pick_result import Picking  # noqa: E402
from pitree.ui.app.app import PitreeApp  # noqa: E402
from pitree.ui.app.options import AppOptions  # noqa: E402
from tests.interop.inside import Inside, put_pitree, row_under_cursor  # noqa: E402
from tests.interop.real_pi import RealPi, find_pi  # noqa: E402
from tests.interop.scripted_model import NAME, scripted_model  # noqa: E402
from tests.interop.test_live import typed  # noqa: E402
from tests.support.pty_app import PtyApp  # noqa: E402

SESSION, LABELLED, CHOSEN = "019cae5b", "517f5000", "aaaa897f"
LEGIBLE = {"0000cd": "5f87d7", "0000ee": "5f87d7"}
"""Blue as the emulator has it → as it can be read."""
LABEL = "try this first"
COLUMNS, ROWS_ABOVE, ROWS_BELOW = 110, 28, 22


async def above(path: Path, agent: Path) -> str:
    """pitree with a label pending and a message chosen."""
    options = AppOptions(
        path=path, agent_dir=agent, cwd=main_project(agent), theme="pitree-dark", picking=Picking(path)
    )
    app = PitreeApp(options)
    async with app.run_test(size=(COLUMNS, ROWS_ABOVE)) as pilot:
        await settle(pilot)
        screen = app.screen
        by_id = screen.opened.session.table.by_id  # type: ignore[attr-defined]
        screen.go_to_entry(by_id[LABELLED])  # type: ignore[attr-defined]
        await pilot.press("l", *["backspace"] * 20, *LABEL, "enter")
        await settle(pilot)
        screen.go_to_entry(by_id[CHOSEN])  # type: ignore[attr-defined]
        await settle(pilot)
        await pilot.press("enter")
        await settle(pilot)
        app.clear_notifications()
        await settle(pilot)
        return app.export_screenshot(title="/pitree")


def below(pi: RealPi, path: Path, agent: Path, folder: Path) -> str:
    """The real Pi, once the same was chosen in it."""
    program = folder / "bin" / "pitree"
    program.parent.mkdir()
    put_pitree(program)
    from pitree.extension.placing import FILE

    env = {
        **os.environ,
        "PATH": f"{program.parent}:{os.environ['PATH']}",
        "PI_CODING_AGENT_DIR": str(agent),
        "PITREE_STATE_DIR": str(folder / "state"),
        "PI_OFFLINE": "1",
        "LANG": "C.UTF-8",
    }
    command = [
        pi.node,
        pi.package / "dist/cli.js",
        "--offline",
        "--no-approve",
        "-e",
        FILE,
        "--session",
        path,
    ]
    with scripted_model() as model:
        model.be_the_only_one(agent)
        with PtyApp(command, columns=COLUMNS, rows=ROWS_BELOW, env=env, cwd=main_project(agent)) as app:
            inside = Inside(app, model, path.parent, program)
            inside.wait(NAME)
            app.settle()
            inside.open()
            search(inside, "Five tries", "[limit: redis]")
            app.send("l")
            inside.wait("╭─ Label")
            app.send("ctrl-u")
            app.settle(0.3)
            app.send(LABEL, "enter")
            inside.wait("1 pending")
            search(inside, "log a warning", "user: Let people in")
            app.send("enter")
            inside.wait("go on from here")
            app.send("m")
            inside.wait(lambda text: typed(text).startswith("Let people in"))
            app.settle(0.3)
            return picture_of(app)


def search(inside: Inside, words: str, row: str) -> None:
    """Go to the row that is found by some words."""
    inside.app.send("/")
    inside.wait("Esc clear")
    inside.app.send(words)
    inside.app.settle(0.3)
    for _ in range(9):
        if row_under_cursor(inside.app.text).startswith(row):
            break
        inside.app.send("up")
        inside.app.settle(0.3)
    inside.app.send("enter")
    inside.wait("n/N match")
    inside.app.send("escape")  # the search; the cursor stays
    inside.wait(lambda text: "n/N match" not in text)


def picture_of(app: PtyApp) -> str:
    """The screen of a terminal as SVG."""
    screen = app._screen
    console = Console(
        record=True, file=io.StringIO(), width=screen.columns, force_terminal=True, color_system="truecolor"
    )
    for row in range(screen.lines):
        line = Text(no_wrap=True, end="\n")
        for column in range(screen.columns):
            cell = screen.buffer[row][column]
            line.append(cell.data, Style(color=colour(cell.fg), bgcolor=colour(cell.bg), bold=cell.bold))
        console.print(line, overflow="crop")
    return console.export_svg(title="pi", unique_id="pi", theme=DIMMED_MONOKAI)


def colour(name: str) -> str | None:
    """A colour of the emulator as Rich names it."""
    if re.fullmatch("[0-9a-f]{6}", name):
        return f"#{LEGIBLE.get(name, name)}"
    if name == "default":
        return None
    return {"brown": "yellow"}.get(name, name.replace("bright", "bright_"))


def joined(*pictures: str) -> str:
    """Pictures below one another, as one."""
    boxes = [re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', picture) for picture in pictures]
    sizes = [(float(box[1]), float(box[2])) for box in boxes if box]
    width, height = max(size[0] for size in sizes), sum(size[1] for size in sizes)
    parts, top = [], 0.0
    for picture, size in zip(pictures, sizes, strict=True):
        placed = f'<svg x="0" y="{top}" width="{size[0]}" height="{size[1]}" '
        parts.append(re.sub(r"^\s*<svg ", placed, picture, count=1))
        top += size[1]
    head = f'<svg viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">'
    return "\n".join([head, *parts, "</svg>\n"])


def main() -> None:
    """Draw it."""
    pi = find_pi()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["HOME"] = name
        agent = copy_store(folder, NOW)
        path = next(agent.glob(f"sessions/*/*_{SESSION}*.jsonl"))
        picture = joined(asyncio.run(above(path, agent)), below(pi, path, agent, folder))
        (HERE / "inside.svg").write_text(picture, encoding="utf-8")
        print(HERE / "inside.svg", len(picture))


if __name__ == "__main__":
    main()
