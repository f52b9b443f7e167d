"""Every piece of work that the screen does beside itself, and how a test has it done.

`WORKERS` is checked against the program's source, so that a new one cannot be left out.
"""

from __future__ import annotations

import ast
import importlib
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import pitree
from pitree.session.manager.manager import SessionManager
from pitree.ui.app.app import PitreeApp
from pitree.ui.entry import DetailPane
from pitree.ui.main.arrangement import Page
from pitree.ui.main.follow.live_reading import ReloadRequest
from pitree.ui.main.main_screen import MainScreen
from pitree.ui.toolkit.background import compute_in_thread, contained, in_thread, on_loop
from pitree.ui.toolkit.choice_window import ChoiceResult
from tests.support.failing import ERRORS
from tests.support.living import Living, Watching

ROOT = Path(pitree.__file__).parent


def started(*names: str) -> set[tuple[str, str]]:
    """Module and name of all work that calls of these functions start, by the source of the program."""
    found = set()
    for file in ROOT.rglob("*.py"):
        module = ".".join(file.relative_to(ROOT.parent).with_suffix("").parts)
        for call in _calls(ast.parse(file.read_text())):
            meant = [call.func, *call.args]
            ours = module == "pitree.ui.toolkit.background"
            if not ours and any(isinstance(one, ast.Name) and one.id in names for one in meant):
                words = [one.value for one in call.args if isinstance(one, ast.Constant)]
                found.add((module, str(words[-1] if words else "not a literal")))
    return found


def calls_of(*names: str) -> set[tuple[str, str]]:
    """Module and name of all functions or methods of these names that the program calls."""
    found = set()
    for file in ROOT.rglob("*.py"):
        module = ".".join(file.relative_to(ROOT.parent).with_suffix("").parts)
        for call in _calls(ast.parse(file.read_text())):
            name = getattr(call.func, "attr", getattr(call.func, "id", ""))
            if name in names:
                found.add((module, name))
    return found


def _calls(tree: ast.AST) -> Iterator[ast.Call]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.Call))


def break_work(patch: pytest.MonkeyPatch, module: str, doing: str, how: str) -> None:
    """Have some work of a module fail as soon as it is started."""
    owner: Any = importlib.import_module(module)

    def failing(*_: object) -> None:
        ERRORS[how]()

    async def failing_task() -> None:
        ERRORS[how]()

    starters = (
        ("in_thread", in_thread, failing),
        ("contained", contained, failing),
        ("compute_in_thread", compute_in_thread, failing),
        ("on_loop", on_loop, failing_task),
    )
    for name, real, work in starters:

        def start(
            host: Any,
            words: str,
            wanted: Any,
            *more: Any,
            real: Callable[..., Any] = real,
            work: Callable[[], Any] = work,
            **named: Any,
        ) -> Any:
            return real(host, words, work if words == doing else wanted, *more, **named)

        if hasattr(owner, name):
            patch.setattr(owner, name, start)


@dataclass(frozen=True)
class Stage:
    """The screen with a session open, and what a test needs to have some work done."""

    living: Living
    watching: Watching
    patch: pytest.MonkeyPatch

    @property
    def app(self) -> PitreeApp:
        return self.watching.app

    @property
    def screen(self) -> MainScreen:
        return self.watching.screen

    @property
    def session(self) -> SessionManager:
        opened = self.screen.opened
        assert opened is not None
        return opened.session

    @property
    def detail(self) -> Any:
        return self.screen.detail_pane

    async def window(self, name: str) -> Any:
        """The window of a class, once it is there."""
        await self.watching.until(
            lambda: type(self.app.screen).__name__ == name and self.app.screen.is_mounted
        )
        return self.app.screen

    async def transcript(self) -> None:
        """Show the branch as one text."""
        self.detail.action_transcript()
        await self.watching.until(lambda: self.detail._transcript.branch is not None)


Do = Callable[[Stage], Awaitable[object]]


def _action(name: str) -> Do:
    async def do(stage: Stage) -> None:
        await stage.app.run_action(name, stage.screen)

    return do


async def _arrange(stage: Stage) -> None:
    stage.screen.picker._arranger.arrange()


async def _changed(stage: Stage) -> None:
    stage.screen.show_page(Page.SESSIONS)
    picker = stage.screen.picker
    await stage.watching.until(lambda: picker._lists.whole(picker.scope))
    picker.files_changed({str(stage.living.path)})


async def _in_use(stage: Stage) -> None:
    stage.screen.show_page(Page.SESSIONS)
    stage.screen.picker._in_use._look()


async def _find_in_entry(stage: Stage) -> None:
    stage.patch.setattr("pitree.ui.entry.pane.part_search.AT_ONCE", -1)
    await stage.watching.until(lambda: stage.detail._shown is not None)
    stage.detail.find("text")


async def _style(stage: Stage) -> None:
    markdown = "".join(f"- **item {at}** of many\n" for at in range(4000))
    entry = {
        "type": "message",
        "id": "styled",
        "parentId": None,
        "timestamp": "2026-03-09T14:02:00Z",
        "message": {"role": "assistant", "content": [{"type": "text", "text": markdown}]},
    }
    stage.living.append(entry)
    await stage.watching.until(lambda: "styled" in stage.session.table.by_id)
    index = stage.session.table.by_id["styled"]
    stage.detail.show_entry(stage.session, index)
    await stage.watching.until(lambda: stage.detail._shown is not None and stage.detail._shown.index == index)
    stage.detail.action_cursor_last()


async def _hits_of_branch(stage: Stage) -> None:
    await stage.transcript()
    stage.detail.find("text")


async def _next_hit_of_branch(stage: Stage) -> None:
    await _hits_of_branch(stage)
    await stage.watching.until(lambda: (hits := stage.detail._transcript.hits) is not None and hits.whole)
    stage.detail._search.spots = []
    stage.detail.action_hit(1)


async def _everywhere(stage: Stage) -> Any:
    stage.screen.action_everywhere()
    return await stage.window("SearchWindow")


async def _search_everywhere(stage: Stage) -> None:
    (await _everywhere(stage)).box.text = "text"


async def _go_to_hit(stage: Stage) -> None:
    stage.screen.search_all._go_to_hit(object())  # type: ignore[arg-type]


async def _upgrade(stage: Stage) -> None:
    stage.screen.edits._ask_upgrade(stage.session, lambda: None)
    (await stage.window("ChoiceWindow")).dismiss(ChoiceResult("upgrade", None))


async def _ask_pi(stage: Stage) -> None:
    from pitree.ui.main.edit.pi_summary import ask_pi

    ask_pi(stage.screen, stage.session, [], lambda text: None, stage.app.report)


async def _search_tree(stage: Stage) -> None:
    stage.patch.setattr("pitree.ui.tree.tree_query.SEARCH_AT_ONCE", 0)
    stage.screen.tree_pane.look_for("text")


async def _export(stage: Stage) -> None:
    stage.screen.exporting._ask_file(stage.session, 0, "md")
    (await stage.window("LineWindow")).dismiss(str(stage.living.cwd / "out.md"))


async def _compare(stage: Stage) -> None:
    stage.screen.comparing._marked = stage.living.path, "m0"
    stage.screen.comparing.action_compare()


async def _manual_page(stage: Stage) -> None:
    from pitree.ui.windows.manual_topics import show_manual

    show_manual(stage.app, "safety")


async def _read_again(stage: Stage) -> None:
    stage.screen.reloading.reload(ReloadRequest(stage.living.path))


async def _who_writes(stage: Stage) -> None:
    stage.screen.following.state._asked_at = 0.0
    stage.screen.following.state._ask_who_writes()


async def _follow(stage: Stage) -> None:
    stage.screen.following.session_shown()


async def _bookmarks(stage: Stage) -> None:
    stage.screen.action_bookmarks()
    window = await stage.window("BookmarksWindow")
    if not window._loading:
        window.action_scope()


async def _copy_made(stage: Stage) -> None:
    from pitree.entry.parts.copying import Copyable

    made = [Copyable("one", "", lambda: "made"), Copyable("two", "", lambda: "made")]
    stage.screen.post_message(DetailPane.CopyChoice(made))
    (await stage.window("ChoiceWindow")).dismiss(ChoiceResult("0", None))


async def _picture(stage: Stage) -> None:
    from pitree.entry.parts.model import Picture

    picture = Picture.__new__(Picture)
    object.__setattr__(picture, "data", "")
    stage.screen.post_message(DetailPane.PictureRequested(picture, here=False))


async def _copy(stage: Stage) -> None:
    stage.app.copy_text("some text")


def _do(call: Callable[[Stage], object]) -> Do:
    async def do(stage: Stage) -> None:
        call(stage)

    return do


_UI = "pitree.ui."
WORKERS: dict[tuple[str, str], Do] = {
    (_UI + "app.app", "copy with the local tool"): _copy,
    (_UI + "entry.pane.entry_pane", "read the branch"): _do(lambda stage: stage.detail.action_transcript()),
    (_UI + "entry.pane.parts_view", "search this entry"): _find_in_entry,
    (_UI + "entry.pane.entry_pane", "copy the entry"): _do(lambda stage: stage.detail.action_copy()),
    (_UI + "entry.pane.entry_pane", "read the entry"): _do(
        lambda stage: stage.detail.show_entry(stage.session, 1)
    ),
    (_UI + "entry.pane.entry_pane", "count the matches in the branch"): _hits_of_branch,
    (_UI + "entry.pane.entry_pane", "search the branch"): _next_hit_of_branch,
    (_UI + "entry.document.document_window", "style the text"): _style,
    (_UI + "main.follow.following", "follow the session"): _follow,
    (_UI + "main.follow.following", "read stars and archive"): _do(
        lambda stage: stage.screen.following.watcher._tell(beside=True)
    ),
    (_UI + "main.follow.reloading", "read the session again"): _read_again,
    (_UI + "main.follow.live_state", "see who writes to the session"): _who_writes,
    (_UI + "windows.manual_page", "show this manual page"): _manual_page,
    (_UI + "windows.manual_topics", "search the manual"): _action("manual"),
    (_UI + "main.edit.pi_summary", "ask Pi for a summary"): _ask_pi,
    (_UI + "picker.picker", "list the sessions"): _do(lambda stage: stage.screen.picker.reload()),
    (_UI + "picker.picker", "save the choice"): _do(lambda stage: stage.screen.picker.action_sort()),
    (_UI + "picker.row_arranger", "arrange the sessions"): _arrange,
    (_UI + "picker.live_list", "read the sessions that changed"): _changed,
    (_UI + "picker.live_list", "see which sessions are in use"): _in_use,
    (_UI + "main.inspect.comparing", "compare the entries"): _compare,
    (_UI + "main.inspect.figures_shown", "read the context"): _action("context"),
    (_UI + "main.inspect.search_all", "go to the match"): _go_to_hit,
    (_UI + "main.inspect.exporting", "export the branch"): _export,
    (_UI + "main.inspect.figures_shown", "add up cost and tokens"): _action("money"),
    (_UI + "main.bookmarks", "read all labels"): _bookmarks,
    (_UI + "main.opening", "read the session"): _do(lambda stage: stage.screen.open_path(stage.living.path)),
    (_UI + "main.appearance", "copy the demo"): _action("demo"),
    (_UI + "main.appearance", "open the demo"): _action("demo"),
    (_UI + "main.entry_requests", "copy"): _copy_made,
    (_UI + "main.entry_requests", "show the image"): _picture,
    (_UI + "main.palette", "fill the palette"): _action("palette"),
    (_UI + "main.palette", "read all labels"): _action("palette"),
    (_UI + "main.panes", "save the choice"): _action("layout"),
    (_UI + "find.search_window", "read the entry"): _search_everywhere,
    (_UI + "find.search_window", "read the index"): _everywhere,
    (_UI + "find.search_window", "search the sessions"): _search_everywhere,
    (_UI + "tree.tree_query", "read the text to search"): _search_tree,
    (_UI + "tree.tree_query", "search the tree"): _search_tree,
    (_UI + "main.edit.edits", "upgrade the session's format"): _upgrade,
    (_UI + "main.edit.edits", "save stars and archive"): _do(
        lambda stage: stage.screen.edits.shelve(lambda: None)  # type: ignore[arg-type, return-value]
    ),
    (_UI + "main.edit.edits", "undo what was written"): _do(lambda stage: stage.screen.edits.action_undo()),
    (_UI + "main.edit.edits", "open the session"): _do(
        lambda stage: stage.screen.edits.open_quietly(stage.living.path, lambda session: None)
    ),
    (_UI + "main.edit.edits", "write to the session"): _do(
        lambda stage: stage.screen.edits.write(stage.session, lambda: None)  # type: ignore[arg-type, return-value]
    ),
    (_UI + "main.edit.deletion", "delete the session"): _do(
        lambda stage: stage.screen.deletion._delete(stage.living.path, for_good=True)
    ),
    (_UI + "main.edit.forking", "fork the session"): _do(
        lambda stage: stage.screen.leaf_edits.forking.fork(stage.session, 0, None)
    ),
}
"""Module of the work and what it does → how to have it done, with a session open."""

WRITES = (_UI + "main.edit.edits", "continue writing")
"""The thread of what is written: its jobs are contained one by one."""

OPENS_THE_SCREEN = (_UI + "app.app", "open the main screen")
"""The one whose failure ends the program: there is nothing to go on with."""
