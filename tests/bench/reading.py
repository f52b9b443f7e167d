"""How fast the detail pane shows and scrolls very large entries: `python -m tests.bench.reading`.

Prints, in ms of processor time: from asking for an entry to its first frame, and one frame of scrolling
(median and 95th percentile); and the rows drawn at the end, few whatever the length of the text.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from typing import Any

from textual._compositor import Compositor

from pitree.session.manager import SessionManager
from pitree.ui.detail.views import LazyText
from tests.outline.taking_apart import Story, call, text
from tests.ui.test_detail import Host

WORDS = "alpha beta gamma delta epsilon zeta eta theta parser login cache"


def result(said: str, **more: Any) -> SessionManager:
    """A session whose second entry is the result of a tool."""
    story = Story().say("a1", "assistant", [call("c1", command="cat")])
    story.say("t1", "toolResult", [text(said)], toolCallId="c1", toolName="bash", isError=False, **more)
    return story.session()


def answer(said: str) -> SessionManager:
    """A session whose second entry is an answer."""
    return Story().say("u1", "user", "go").say("a1", "assistant", [text(said)]).session()


def cases() -> dict[str, SessionManager]:
    """The entries measured, by name."""
    markdown = (
        f"## {WORDS}\n\n{WORDS} **{WORDS}** `code`\n\n- {WORDS}\n- {WORDS}\n\n```py\nx = '{WORDS}'\n```\n\n"
    )
    signs = "+- "
    diff = "\n".join(f"{signs[number % 3]}{number:6d} {WORDS}" for number in range(100_000))
    return {
        "small answer": answer(markdown),
        "10 MB tool result": result("\n".join(f"{number:7d} {WORDS}" for number in range(137_000))),
        "5 MB single line": result("x" * 5_000_000),
        "6 MB of wide letters": result("日本語のログ — é " * 400_000),
        "1 MB Markdown answer": answer(markdown * (1_000_000 // len(markdown))),
        "30 KB Markdown answer": answer(markdown * (30_000 // len(markdown))),
        "diff of 100,000 lines": result("ok", details={"diff": diff}),
    }


class Frames:
    """Notes when each frame has been put together."""

    def __init__(self) -> None:
        self.cpu: list[float] = []
        original = Compositor.render_update
        frames = self

        def render_update(self: Compositor, *args: Any, **kwargs: Any) -> Any:
            update = original(self, *args, **kwargs)
            draw = getattr(update, "render_segments", None)
            if draw is not None:
                draw(host.console)
            frames.cpu.append(time.process_time())
            return update

        Compositor.render_update = render_update  # type: ignore[method-assign]

    async def next(self, patience: float = 2.0) -> float | None:
        """Processor time at the next frame, None if there is none."""
        end = time.perf_counter() + patience
        while not self.cpu and time.perf_counter() < end:
            await asyncio.sleep(0.001)
        return self.cpu[-1] if self.cpu else None


async def first_frame(session: SessionManager, frames: Frames) -> float:
    """Processor time until the first frame of the second entry, in ms."""
    here = host.pane
    here.show_entry(session, 0)
    await asyncio.sleep(0.6)
    start = time.process_time()
    here.show_entry(session, 1)
    while here._shown is None or here._shown.index != 1 or here._shown.session is not session:
        await asyncio.sleep(0.001)
    frames.cpu.clear()
    return ((await frames.next() or start) - start) * 1_000


async def scrolling(frames: Frames) -> list[float]:
    """Processor time of frames while scrolling, in ms."""
    here = host.pane
    steps = [here.action_cursor_down] * 20 + [here.action_page_down] * 40 + [here.action_cursor_last]
    found = []
    for step in steps + [here.action_page_up] * 20:
        frames.cpu.clear()
        start = time.process_time()
        step()
        if (end := await frames.next(0.1)) is not None:
            found.append((end - start) * 1_000)
    return found


async def main() -> None:
    frames = Frames()
    async with host.run_test(size=(100, 45)):
        print(f"{'entry':24}{'first frame':>14}{'scroll p50':>14}{'p95':>8}{'rows':>10}{'drawn':>8}")
        for name, session in cases().items():
            first = statistics.median([await first_frame(session, frames) for _ in range(5)])
            host.pane.action_toggle_all()
            await asyncio.sleep(0.3)
            scrolled = sorted(await scrolling(frames)) or [0.0]
            views = [item.view for item in host.pane.document.items if isinstance(item.view, LazyText)]
            drawn = sum(len(laid.rows) for view in views for laid in view._drawn.values())
            print(
                f"{name:24}{first:11.1f} ms{statistics.median(scrolled):11.1f} ms"
                f"{scrolled[int(len(scrolled) * 0.95)]:8.1f}{host.pane.document.height:10,}{drawn:8,}"
            )


host = Host()
if __name__ == "__main__":
    asyncio.run(main())
