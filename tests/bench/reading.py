"""How fast entries are read: `python -m tests.bench.reading [large] [held] [transcript] [export]`.

First the detail pane alone with very large entries: from asking for an entry to its first frame, one frame of
scrolling once everything is unfolded, and the time to find a word in it. Then the whole screen with ↓ held
through 1,000 mixed entries; then a branch of 100,000 entries as one text, and as a file. Figures are given in
ms of the main thread's processor time and of wall clock, since other work on the machine delays the one but
not the other; the load is printed beside them.
"""

from __future__ import annotations

import asyncio
import gc
import os
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from textual._compositor import Compositor

from pitree.entry.export import Format, export
from pitree.session.manager.manager import SessionManager
from pitree.ui.app.app import PitreeApp
from pitree.ui.app.options import AppOptions
from pitree.ui.entry.document.views import LazyText
from pitree.ui.main.arrangement import Page
from pitree.ui.main.main_screen import MainScreen
from tests.bench.sessions import temporary, write_session
from tests.support.stories import Story as FileStory
from tests.support.taking_apart import Story, call, text
from tests.ui.entry.pane.test_entry_pane import Host

WORDS = "alpha beta gamma delta epsilon zeta eta theta parser login cache"
HELD = 1_000
EVERY = 1 / 30
"""Seconds between two repeats of a held key, as terminals send them by default."""


def result(said: str, name: str = "bash", **more: Any) -> SessionManager:
    """A session whose second entry is the result of a tool."""
    arguments = {"command": "cat"} if name == "bash" else {"path": "a.py"}
    story = Story().say("a1", "assistant", [call("c1", name, **arguments)])
    story.say("t1", "toolResult", [text(said)], toolCallId="c1", toolName=name, isError=False, **more)
    return story.session()


def answer(said: str) -> SessionManager:
    """A session whose second entry is an answer."""
    return Story().say("u1", "user", "go").say("a1", "assistant", [text(said)]).session()


def markdown(chars: int) -> str:
    """Markdown of about that many characters."""
    piece = (
        f"## {WORDS}\n\n{WORDS} **{WORDS}** `code`\n\n- {WORDS}\n- {WORDS}\n\n```py\nx = '{WORDS}'\n```\n\n"
    )
    return piece * max(1, chars // len(piece))


def cases() -> dict[str, SessionManager]:
    """The entries measured, by name."""
    signs = "+- "
    diff = "\n".join(f"{signs[number % 3]}{number:6d} {WORDS} {number % 7}" for number in range(100_000))
    coloured = "\n".join(
        f"\x1b[32m{number:7d}\x1b[0m \x1b[1;38;5;{number % 256}m{WORDS}\x1b[m" for number in range(85_000)
    )
    code = "\n".join(f"def f{number}(x): return '{WORDS}' + str(x)  # {number}" for number in range(12_000))
    return {
        "small answer": answer(markdown(400)),
        "10 MB tool result": result("\n".join(f"{number:7d} {WORDS}" for number in range(137_000))),
        "9 MB in colours": result(coloured),
        "5 MB single line": result("x" * 5_000_000),
        "6 MB of wide letters": result("日本語のログ — é " * 400_000),
        "1 MB Markdown answer": answer(markdown(1_000_000)),
        "30 KB Markdown answer": answer(markdown(30_000)),
        "1 MB of code": result(code, "read"),
        "diff of 100,000 lines": result("ok", details={"diff": diff}),
    }


class Moment(NamedTuple):
    """A point in time, in seconds of the main thread's processor time and of wall clock."""

    cpu: float
    wall: float

    @classmethod
    def now(cls) -> Moment:
        return cls(time.thread_time(), time.perf_counter())

    def since(self, start: Moment) -> Moment:
        """What passed since then, in ms."""
        return Moment((self.cpu - start.cpu) * 1_000, (self.wall - start.wall) * 1_000)


class Frames:
    """Notes when each frame has been put together, and what it took to."""

    def __init__(self, console: Callable[[], Any]) -> None:
        self.ends: list[Moment] = []
        self.took: list[Moment] = []
        self._original = original = Compositor.render_update
        frames = self

        def render_update(self: Compositor, *args: Any, **kwargs: Any) -> Any:
            start = Moment.now()
            update = original(self, *args, **kwargs)
            draw = getattr(update, "render_segments", None)
            if draw is not None:
                draw(console())
            end = Moment.now()
            frames.ends.append(end)
            frames.took.append(end.since(start))
            return update

        Compositor.render_update = render_update  # type: ignore[method-assign]

    def stop(self) -> None:
        """Note no more."""
        Compositor.render_update = self._original  # type: ignore[method-assign]

    async def next(self, patience: float = 2.0) -> Moment | None:
        """The end of the next frame, None if there is none."""
        end = time.perf_counter() + patience
        while not self.ends and time.perf_counter() < end:
            await asyncio.sleep(0.001)
        return self.ends[-1] if self.ends else None


async def first_frame(host: Host, session: SessionManager, frames: Frames) -> Moment:
    """What passes until the first frame of the second entry, in ms; the processor time is the process's."""
    here = host.pane
    here.show_entry(session, 0)
    await asyncio.sleep(0.6)
    start, process = Moment.now(), time.process_time()
    here.show_entry(session, 1)
    while here._shown is None or here._shown.index != 1 or here._shown.session is not session:
        await asyncio.sleep(0.001)
    frames.ends.clear()
    end = await frames.next() or start
    return Moment((time.process_time() - process) * 1_000, end.since(start).wall)


async def scrolling(host: Host, frames: Frames) -> list[Moment]:
    """What frames take while scrolling, from the key to the frame, in ms."""
    here = host.pane
    steps = [here.action_cursor_down] * 20 + [here.action_page_down] * 40 + [here.action_cursor_last]
    found = []
    for step in steps + [here.action_page_up] * 20:
        frames.ends.clear()
        start = Moment.now()
        step()
        if (end := await frames.next(0.1)) is not None:
            found.append(end.since(start))
        await asyncio.sleep(0.01)
    return found


async def finding(host: Host) -> float:
    """Seconds of wall clock until all hits of a word are counted, in ms."""
    start = time.perf_counter()
    host.pane.find("login")
    while host.pane._search.running:
        await asyncio.sleep(0.001)
    took = time.perf_counter() - start
    host.pane.find("")
    return took * 1_000


def at(values: list[float], part: float) -> float:
    """The value below which that part of the values lies."""
    return sorted(values)[min(len(values) - 1, int(len(values) * part))] if values else 0.0


def both(moments: list[Moment], part: float) -> str:
    """Processor time / wall clock."""
    return f"{at([m.cpu for m in moments], part):.1f}/{at([m.wall for m in moments], part):.1f}"


def load() -> str:
    """The machine's load over the last minute."""
    return f"load {os.getloadavg()[0]:.1f}"


async def large_entries() -> None:
    """Measure the pane with the large entries."""
    host = Host()
    frames = Frames(lambda: host.console)
    async with host.run_test(size=(100, 45)):
        print(
            f"{'entry':23}{'first frame':>15}{'scroll p50':>15}{'p95':>15}{'find':>9}"
            f"{'rows':>9}{'drawn':>8}  ms cpu/wall"
        )
        measured = cases()
        gc.freeze()  # as the program does, once it is there
        for name, session in measured.items():
            first = [await first_frame(host, session, frames) for _ in range(5)]
            host.pane.action_toggle_all()
            await asyncio.sleep(0.3)
            scrolled = await scrolling(host, frames)
            found = await finding(host)
            views = [item.view for item in host.pane.document.items if isinstance(item.view, LazyText)]
            drawn = sum(len(laid.rows) for view in views for laid in view._drawn.values())
            print(
                f"{name:23}{both(first, 0.5):>15}{both(scrolled, 0.5):>15}{both(scrolled, 0.95):>15}"
                f"{found:9.0f}{host.pane.document.height:9,}{drawn:8,}  {load()}"
            )
    frames.stop()
    print(f"memory at most: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


def mixed(count: int) -> FileStory:
    """Entries of every kind, short and long."""
    story = FileStory()
    number = 0
    while len(story.entries) < count:
        number += 1
        story.user(f"u{number}", f"Please look at {WORDS} {number}").assistant(
            f"a{number}", markdown(200 * (number % 20))
        )
        story.tool(f"r{number}", "read", {"path": "a.py"}, "x = 1  # word\n" * (number % 400))
        story.tool(
            f"b{number}", "bash", {"command": "npm test"}, f"\x1b[32mok\x1b[0m {WORDS}\n" * (number % 900)
        )
        story.tool(
            f"e{number}", "edit", {"path": "a.py", "oldText": "a\nb\n" * 20, "newText": "a\nc\n" * 20}, "ok"
        )
    return story


async def held() -> None:
    """Hold ↓ through mixed entries on the whole screen."""
    with tempfile.TemporaryDirectory() as folder:
        path = mixed(HELD + 100).write(Path(folder) / "s.jsonl")
        app = PitreeApp(AppOptions(path=path, agent_dir=Path(folder), cwd=Path(folder), theme="dark"))
        frames = Frames(lambda: app.console)
        async with app.run_test(size=(150, 45)):
            while not isinstance(app.screen, MainScreen) or app.screen.opened is None:
                await asyncio.sleep(0.05)
            screen = app.screen
            await asyncio.sleep(1)
            screen.tree_pane.action_filter("all")
            rows = screen.tree_pane.rows
            rows.action_cursor_first()
            await asyncio.sleep(0.5)
            frames.ends.clear()
            frames.took.clear()
            keys: list[Moment] = []
            late: list[float] = []
            began = time.perf_counter()
            for number in range(HELD):
                due = began + number * EVERY
                await asyncio.sleep(max(0.0, due - time.perf_counter()))
                late.append((time.perf_counter() - due) * 1_000)
                frames.ends.clear()
                start = Moment.now()
                rows.action_cursor_down()
                if (end := await frames.next(0.05)) is not None:
                    keys.append(end.since(start))
            last = screen.entry_index
            start_of_rest = time.perf_counter()
            pane = screen.detail_pane
            while pane._shown is None or pane._shown.index != last:
                await asyncio.sleep(0.001)
            settled = (time.perf_counter() - start_of_rest) * 1_000
        frames.stop()
    print(f"\n↓ held through {HELD:,} mixed entries, {1 / EVERY:.0f} a second, {load()}")
    print(f"key to frame     p50 {both(keys, 0.5)}  p95 {both(keys, 0.95)} ms cpu/wall")
    print(f"one frame        p50 {both(frames.took, 0.5)}  p95 {both(frames.took, 0.95)} ms cpu/wall")
    print(f"keys taken late  p50 {statistics.median(late):.1f}  p95 {at(late, 0.95):.1f} ms")
    print(f"the entry is that of the last row {settled:.0f} ms after it")


async def transcript(path: Path) -> None:
    """A long branch as one text: until it shows, scrolling, from end to end, until all hits are counted."""
    app = PitreeApp(AppOptions(path=path, agent_dir=path.parent, cwd=path.parent, theme="dark"))
    frames = Frames(lambda: app.console)
    async with app.run_test(size=(150, 45)):
        while not isinstance(app.screen, MainScreen) or app.screen.opened is None:
            await asyncio.sleep(0.05)
        screen = app.screen
        while screen.opened is None or screen.opened.provisional:
            await asyncio.sleep(0.05)
        pane = screen.detail_pane
        screen.show_page(Page.DETAIL)
        await asyncio.sleep(0.5)

        async def until(holds: Callable[[], object]) -> float:
            start = time.perf_counter()
            while not holds():
                await asyncio.sleep(0.001)
            return (time.perf_counter() - start) * 1_000

        pane.action_transcript()
        shown = await until(lambda: len(pane._transcript.stretch.parts) > 0)
        await asyncio.sleep(0.5)
        moments = []
        for step in [pane.action_page_up] * 60 + [pane.action_cursor_up] * 60:
            frames.ends.clear()
            start = Moment.now()
            step()
            if (end := await frames.next(0.1)) is not None:
                moments.append(end.since(start))
            await asyncio.sleep(0.01)
        pane.action_cursor_first()
        ends = await until(lambda: pane._transcript.stretch.first == 0)
        pane.find("naïve")
        counted = await until(lambda: (hits := pane._transcript.hits) is not None and hits.whole)
        hits = pane.hits_words
    frames.stop()
    print(f"\na branch of 100,000 entries as one text, {load()}")
    print(f"until it shows {shown:.0f} ms, to its other end {ends:.0f} ms")
    print(f"scrolling        p50 {both(moments, 0.5)}  p95 {both(moments, 0.95)} ms cpu/wall")
    print(f"all hits counted after {counted / 1_000:.1f} s: {hits}")


def exported(path: Path) -> None:
    """The same branch in each format."""
    session = SessionManager.open(path)
    print(f"\nthe same branch as a file, {load()}")
    for form in Format:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        wall, cpu, size = time.perf_counter(), time.process_time(), 0
        for piece in export(session, session.leaf_index, form):
            size += len(piece)
        grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
        print(
            f"{form:8} {time.process_time() - cpu:5.1f}/{time.perf_counter() - wall:.1f} s cpu/wall,"
            f" {size / 1e6:.0f} MB, {grown:.0f} MB of memory more"
        )
    session.close()


def long_branch() -> Path:
    """A session of 100,000 entries on one branch, kept from one run to the next."""
    path = temporary() / "100000-0.jsonl"
    return path if path.exists() else write_session(path, entries=100_000, branches=0)


async def main() -> None:
    """Measure all of it, or what the command line names."""
    asked = sys.argv[1:] or ["large", "held", "transcript", "export"]
    if "large" in asked:
        await large_entries()
    if "held" in asked:
        await held()
    if "transcript" in asked:
        await transcript(long_branch())
    if "export" in asked:
        exported(long_branch())


if __name__ == "__main__":
    asyncio.run(main())
