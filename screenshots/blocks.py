"""Draws a picture of every kind of block, to look at: `python screenshots/make.py --blocks FOLDER`.

The demo's sessions hold all of them. Each is drawn dark and light, 80 and 160 columns wide, as
`FOLDER/NAME-THEME-COLUMNS.svg`; with `rsvg-convert` on this machine also as PNG.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pitree.demo import main_project
from pitree.session.manager.manager import SessionManager
from pitree.ui.app.app import PitreeApp
from pitree.ui.app.options import AppOptions
from pitree.ui.main.arrangement import WIDE_COLUMNS, Page
from pitree.ui.main.main_screen import MainScreen

if TYPE_CHECKING:
    from textual.pilot import Pilot
    from textual.screen import Screen

Record = dict[str, Any]

THEMES = ("pitree-dark", "pitree-light")
SIZES = ((80, 48), (160, 46))

LOGIN, DEPLOY, FLAKY, CHANGELOG = "019cae5b", "019caa33", "019c9e61", "019c1de8"
"""How the ids of some of the demo's sessions begin."""


@dataclass(frozen=True, slots=True)
class Block:
    """A picture of one kind of block.

    Attributes:
        name: what it shows; also the beginning of the file's name.
        session: how the id of its session begins.
        shows: tells the entry by its record; the first one is taken.
        unfold: key of a part that is unfolded, or how it begins; `*` for all parts.
        keys: keys pressed then.
        back: keys that undo those.
        mark: tells an entry that is marked first, to be compared with.
    """

    name: str
    session: str
    shows: Callable[[Record], bool]
    unfold: str = ""
    keys: tuple[str, ...] = ()
    back: tuple[str, ...] = ()
    mark: Callable[[Record], bool] | None = None


def said(words: str, role: str = "assistant") -> Callable[[Record], bool]:
    """A message of a role that says these words."""

    def shows(record: Record) -> bool:
        message = record.get("message", {})
        return message.get("role") == role and words in json.dumps(message, ensure_ascii=False)

    return shows


def result_of(tool: str, words: str = "") -> Callable[[Record], bool]:
    """A result of a tool that says these words."""
    says = said(words, "toolResult")
    return lambda record: says(record) and record["message"]["toolName"] == tool


def entry(kind: str, **fields: Any) -> Callable[[Record], bool]:
    """An entry of a type with these fields."""
    return lambda record: record["type"] == kind and fields.items() <= record.items()


def called(words: str) -> Callable[[Record], bool]:
    """The message with a call whose arguments say these words."""
    return lambda record: said(words)(record) and '"toolCall"' in json.dumps(record)


BLOCKS = (
    Block("markdown-table", LOGIN, said("readable by any script on the page")),
    Block("markdown-code", LOGIN, said("setErrors(answer.errors ?? {});\\n```")),
    Block("markdown-lists-links", DEPLOY, said("What was done")),
    Block("thinking-folded", LOGIN, said("They are right to ask")),
    Block("thinking-open", LOGIN, said("They are right to ask"), "content.0"),
    Block("bash-failed", LOGIN, result_of("bash", "1 failed")),
    Block("bash-ran", LOGIN, result_of("bash", "Tests  31 passed")),
    Block("bash-long", LOGIN, result_of("bash", "GET /assets")),
    Block("command-ansi", DEPLOY, said("docker compose logs", "bashExecution")),
    Block("command-kept-out", LOGIN, said("SESSION_SECRET", "bashExecution")),
    Block("command-cancelled", DEPLOY, said("psql", "bashExecution")),
    Block("read", LOGIN, result_of("read", "Router")),
    Block("write", LOGIN, result_of("write", "Login.tsx"), "call"),
    Block("edit", LOGIN, result_of("edit", "src/App.tsx")),
    Block("edit-words", LOGIN, result_of("edit", "100dvh")),
    Block("edit-failed", LOGIN, result_of("edit", "Could not find")),
    Block("grep", FLAKY, result_of("grep", "strxfrm")),
    Block("find", FLAKY, result_of("find")),
    Block("ls", LOGIN, result_of("ls")),
    Block("calls-from-the-answer", LOGIN, called("I'll look at how pages")),
    Block("tool-unknown-nested", DEPLOY, result_of("explore"), "*"),
    Block("tool-interrupted", DEPLOY, called("ci_status")),
    Block("answer-aborted", LOGIN, said("Request was aborted.")),
    Block("answer-error", LOGIN, said("overloaded_error")),
    Block("image", LOGIN, said("behind the keyboard", "user"), "content.1"),
    Block("compaction", LOGIN, entry("compaction")),
    Block("branch-summary", LOGIN, entry("branch_summary")),
    Block("edit-omits", LOGIN, entry("context_edit", replacement=None)),
    Block("edit-replaces", LOGIN, lambda r: entry("context_edit")(r) and r["replacement"] is not None),
    Block("omitted-entry", LOGIN, result_of("bash", "GET /assets")),
    Block("edited-entry", LOGIN, result_of("bash", "Tests  31 passed"), "*"),
    Block("custom-shown", LOGIN, entry("custom_message", display=True)),
    Block("custom-hidden", LOGIN, entry("custom_message", display=False)),
    Block("custom-revealed", LOGIN, entry("custom_message", display=False), "hidden"),
    Block("custom-of-format-2", CHANGELOG, said("Changelog lines begin", "custom")),
    Block("custom-state", LOGIN, entry("custom")),
    Block("system-prompt", LOGIN, lambda r: r.get("message", {}).get("role") == "system"),
    Block("label", LOGIN, entry("label")),
    Block("session-name", LOGIN, entry("session_info")),
    Block("model", LOGIN, entry("model_change")),
    Block("thinking-level", LOGIN, entry("thinking_level_change")),
    Block("usage", LOGIN, entry("usage")),
    Block("details", LOGIN, said("They are right to ask"), "*"),
    Block("raw", LOGIN, called("I'll look at how pages"), "", ("R",), ("R",)),
    Block("found", LOGIN, said("readable by any script"), "", ("slash", *"token", "enter"), ("escape",)),
    Block("transcript", LOGIN, said("What about XSS?", "user"), "", ("t",), ("t",)),
    Block("context", LOGIN, said("Committed as"), "", ("x",), ("escape",)),
    Block("money", LOGIN, said("Committed as"), "", ("dollar_sign",), ("escape",)),
    Block(
        "compare",
        LOGIN,
        said("counted in Redis, so both"),
        "",
        ("equals_sign",),
        ("escape",),
        said("kept in memory"),
    ),
)


def index_of(shows: Callable[[Record], bool], session: SessionManager) -> int:
    """Index of the first entry that is meant.

    Raises:
        LookupError: the session has none.
    """
    for index in range(len(session.table)):
        if shows(session.entry(index).record):
            return index
    raise LookupError("the demo has no such entry")


def path_of(block: Block, agent: Path) -> Path:
    """The file of the session a picture shows."""
    return next(agent.glob(f"sessions/*/*_{block.session}*.jsonl"))


async def settle(pilot: Pilot[Any], rounds: int = 4) -> None:
    """Wait until the app has had nothing left to do but to follow the file, so many times in a row."""
    quiet = 0
    while quiet < rounds:
        await pilot.pause(0.05)
        busy = any(not worker.is_finished for worker in pilot.app.workers if worker.group != "follow")
        quiet = 0 if busy or not _reads(pilot.app.screen_stack[0]) else quiet + 1


def _reads(screen: Screen[Any]) -> bool:
    """Whether the entry that was asked for is the one shown."""
    pane = getattr(screen, "detail_pane", None)
    return pane is None or pane.index < 0 or (pane._shown is not None and pane._shown.index == pane.index)


async def pictures(
    agent: Path, theme: str, size: tuple[int, int], blocks: Sequence[Block] = BLOCKS
) -> AsyncIterator[tuple[Block, PitreeApp]]:
    """The screen as each picture shows it, one after the other.

    Args:
        agent: agent folder of a copy of the demo.
        theme: name of the theme.
        size: columns and rows.
        blocks: which pictures.
    """
    options = AppOptions(
        path=path_of(blocks[0], agent), agent_dir=agent, cwd=main_project(agent), theme=theme, demo=True
    )
    app = PitreeApp(options)
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, MainScreen)
        screen.action_split(-20 if size[0] >= WIDE_COLUMNS else -100)
        screen.tree_pane.action_filter("all")
        for block in blocks:
            await _show(screen, block, agent, pilot)
            yield block, app
            await pilot.press(*block.back)


async def _show(screen: MainScreen, block: Block, agent: Path, pilot: Pilot[Any]) -> None:
    """Bring an entry into view, and what is to be seen of it."""
    path = path_of(block, agent)
    if screen.opened is None or screen.opened.path != path:
        screen.open_path(path)
        await settle(pilot)
    assert screen.opened is not None
    session = screen.opened.session
    if block.mark is not None:
        screen.go_to_entry(index_of(block.mark, session))
        await settle(pilot)
        await pilot.press("equals_sign")
    index, pane = index_of(block.shows, session), screen.detail_pane
    screen.go_to_entry(index)
    await settle(pilot)
    if screen.entry_index != index:
        pane.show_entry(session, index)  # no filter shows entries with usage alone
        await settle(pilot)
    screen.show_page(Page.DETAIL)
    if block.unfold == "*":
        pane.action_toggle_all()
    elif block.unfold:
        while pane.current_part is not None and not pane.current_part.key.startswith(block.unfold):
            assert pane.current + 1 < pane.stop_count, f"{block.name} has no part {block.unfold}"
            pane.action_part(1)
        pane.action_toggle_part()
    await settle(pilot)
    await pilot.press(*block.keys)
    await settle(pilot)


async def draw_blocks(agent: Path, folder: Path) -> None:
    """Draw all pictures into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for theme in THEMES:
        for size in SIZES:
            async for block, app in pictures(agent, theme, size):
                name = f"{block.name}-{theme.removeprefix('pitree-')}-{size[0]}"
                svg = folder / f"{name}.svg"
                drawn = app.export_screenshot(title=name)
                svg.write_text(drawn, encoding="utf-8")
                if shutil.which("rsvg-convert"):
                    kept = drawn.replace("<svg ", '<svg xml:space="preserve" ', 1)  # the blanks in it
                    subprocess.run(
                        ["rsvg-convert", "-o", str(svg.with_suffix(".png"))],
                        input=kept.encode(),
                        check=False,
                    )
                print(svg)
