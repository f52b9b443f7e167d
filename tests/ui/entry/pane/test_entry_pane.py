"""The detail pane at work: what is on its screen, its keys, its messages."""

from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from textual.app import App, ComposeResult
from textual.message import Message
from textual.pilot import Pilot

from pitree.resources import styles_dir
from pitree.session.manager.manager import SessionManager
from pitree.ui.app.theme import DARK, LIGHT
from pitree.ui.entry import DetailPane
from pitree.ui.entry.document.views import LazyText
from pitree.ui.entry.pane.entry_loader import LoadedEntry, ViewOptions, load
from tests.support.seeing import line_with, lines, until, words
from tests.support.seeing import text as screen
from tests.support.taking_apart import Story, call, text


class Host(App[None]):
    """The pane alone."""

    CSS_PATH = str(styles_dir() / "detail.tcss")

    def __init__(self) -> None:
        super().__init__()
        self.pane = DetailPane()

    def compose(self) -> ComposeResult:
        yield self.pane

    def on_mount(self) -> None:
        for theme in (DARK, LIGHT):
            self.register_theme(theme)
        self.theme = DARK.name
        self.pane.focus()


async def show(pilot: Pilot[Any], session: SessionManager, index: int) -> None:
    """Show an entry, and wait until it is read and styled."""
    here = pilot.app.query_one(DetailPane)
    here.show_entry(session, index)
    await until(pilot, lambda: here._shown is not None and here._shown.index == index)
    await settled(pilot)


async def settled(pilot: Pilot[Any]) -> None:
    """Wait until nothing is left to be read or styled."""
    await pilot.pause()
    await until(pilot, lambda: not pilot.app.query_one(DetailPane)._styling)
    await pilot.pause()


def _rows(host: Host) -> str:
    """All rows of the document, on screen or not."""
    document = host.pane.document
    return "\n".join(
        "".join(segment.text for segment in document.row(at)[1]) for at in range(min(document.height, 2_000))
    )


def turn() -> Story:
    story = Story().say("u1", "user", "Use **TypeScript**")
    thinking = {"type": "thinking", "thinking": "The user wants types."}
    story.say("a1", "assistant", [thinking, text("# Done\nIt is `typed`."), call("c1", command="npm test")])
    return story.say("t1", "toolResult", [text("14 passed")], toolCallId="c1", toolName="bash", isError=False)


async def test_an_entry_is_shown_whole() -> None:
    host = Host()
    async with host.run_test(size=(60, 20)) as pilot:
        await show(pilot, turn().session(), 1)
        shown = screen(host)
        assert "assistant" in lines(host)[0]
        assert "▸ thinking · 21 characters" in shown
        assert "The user wants types." not in shown
        assert "It is typed." in shown
        assert line_with(host, "npm test").rstrip("│ ").endswith("exit 0 · 1 s")
        assert "│ 14 passed" in shown
        assert "part 1 of 4" in lines(host)[-1]


async def test_prose_is_there_before_it_is_styled(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("document.document_window", "pane.entry_loader"):
        monkeypatch.setattr(f"pitree.ui.entry.{module}.fulfil", lambda wish, palette: None)
    host = Host()
    async with host.run_test(size=(60, 20)) as pilot:
        await show(pilot, turn().session(), 1)
        assert "# Done" in screen(host)
        assert "It is `typed`." in screen(host)


async def test_little_prose_is_styled_from_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    import pitree.ui.entry.styling.markdown  # noqa: F401 (the very first one is not waited for)

    late: list[object] = []
    monkeypatch.setattr(
        "pitree.ui.entry.document.document_window.fulfil", lambda wish, palette: late.append(wish)
    )
    host = Host()
    async with host.run_test(size=(60, 20)) as pilot:
        await show(pilot, turn().session(), 1)
        assert "It is typed." in screen(host)
        assert not late


async def test_the_newest_entry_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    story = Story()
    for number in range(40):
        story.say(f"u{number}", "user", f"message {number}")
    loads: list[int] = []

    def counting(session: SessionManager, index: int, view: ViewOptions, **more: Any) -> LoadedEntry:
        loads.append(index)
        return load(session, index, view, **more)

    monkeypatch.setattr("pitree.ui.entry.pane.entry_pane.load", counting)
    host = Host()
    async with host.run_test(size=(60, 10)) as pilot:
        session = story.session()
        for number in range(40):
            host.pane.show_entry(session, number)
        await until(pilot, lambda: "message 39" in screen(host))
        assert len(loads) < 10


async def test_keys_unfold_and_fold_a_part() -> None:
    host = Host()
    async with host.run_test(size=(60, 20)) as pilot:
        await show(pilot, turn().session(), 1)
        await pilot.press("enter")
        await settled(pilot)
        assert "The user wants types." in screen(host)
        assert "▾ thinking" in screen(host)
        await pilot.press("space")
        assert "The user wants types." not in screen(host)
        await pilot.press("J", "J", "enter")
        assert "part 3 of 4" in lines(host)[-1]
        assert "14 passed" not in screen(host)
        await pilot.press("K", "K", "K")
        assert "part 1 of 4" in lines(host)[-1]


async def test_a_message_that_its_extension_hides_is_shown_on_a_key() -> None:
    story = Story().add("c1", "custom_message", customType="todo", content="buy milk", display=False)
    story.add("c2", "custom_message", customType="todo", content="water plants", display=True)
    host = Host()
    async with host.run_test(size=(60, 20)) as pilot:
        session = story.session()
        await show(pilot, session, 1)
        assert "water plants" in screen(host)
        await show(pilot, session, 0)
        assert "hidden by its extension (display: false)" in screen(host)
        assert "buy milk" not in screen(host)
        await pilot.press("enter")
        await settled(pilot)
        assert "buy milk" in screen(host)
        await pilot.press("enter")
        assert "buy milk" not in screen(host)


async def test_all_parts_unfold_fold_and_are_as_they_were() -> None:
    host = Host()
    async with host.run_test(size=(60, 40)) as pilot:
        await show(pilot, turn().session(), 1)
        first = screen(host)
        await pilot.press("z")
        await settled(pilot)
        assert "The user wants types." in screen(host)
        assert "parent" in screen(host)
        await pilot.press("z")
        assert "14 passed" not in screen(host)
        await pilot.press("z")
        await settled(pilot)
        assert screen(host) == first


async def test_what_was_unfolded_stays_so_when_the_reader_comes_back() -> None:
    host = Host()
    async with host.run_test(size=(60, 20)) as pilot:
        session = turn().session()
        await show(pilot, session, 1)
        await pilot.press("enter")
        await show(pilot, session, 0)
        await show(pilot, session, 1)
        assert "The user wants types." in screen(host)


async def test_a_long_output_shows_head_and_tail_until_asked() -> None:
    output = "\n".join(f"line {number}" for number in range(1_000))
    story = Story().say("a1", "assistant", [call("c1", command="seq")])
    story.say("t1", "toolResult", [text(output)], toolCallId="c1", toolName="bash", isError=False)
    host = Host()
    async with host.run_test(size=(60, 30)) as pilot:
        session = story.session()
        await show(pilot, session, 0)
        assert "… 982 lines more · ⏎ shows all" in screen(host)
        assert "line 999" in screen(host)
        row = next(at for at, line in enumerate(lines(host)) if "lines more" in line)
        await pilot.click(offset=(10, row))
        assert "line 20" in screen(host)
        await pilot.press("end")
        assert "line 999" in screen(host)


async def test_the_record_is_shown_on_a_key() -> None:
    host = Host()
    async with host.run_test(size=(60, 30)) as pilot:
        await show(pilot, turn().session(), 0)
        await pilot.press("R")
        await until(pilot, lambda: "raw record" in lines(host)[-1])
        assert '"parentId": null' in screen(host)
        assert '"content": "Use **TypeScript**"' in screen(host)
        await pilot.press("R")
        await until(pilot, lambda: "raw record" not in lines(host)[-1])
        await settled(pilot)
        assert "Use TypeScript" in screen(host)


async def test_lines_run_on_and_scroll_sideways_when_not_wrapped() -> None:
    story = Story().say("b1", "bashExecution", command="x", output="start " + "-" * 100 + " end", exitCode=0)
    host = Host()
    async with host.run_test(size=(60, 20)) as pilot:
        await show(pilot, story.session(), 0)
        assert " end" in screen(host)
        await pilot.press("w")
        assert "not wrapped" in lines(host)[-1]
        assert "start --" in screen(host)
        assert " end" not in screen(host)
        await pilot.press("right", "right", "right", "right")
        assert " end" in screen(host)
        assert "start --" not in screen(host)
        await pilot.press("w")
        assert "start --" in screen(host)


async def test_copying_and_going_to_another_entry_are_told_by_messages() -> None:
    seen: list[Message] = []
    host = Host()
    async with host.run_test(size=(60, 20), message_hook=seen.append) as pilot:
        session = turn().session()
        await show(pilot, session, 2)
        await pilot.press("c")
        await until(pilot, lambda: any(isinstance(message, DetailPane.CopyRequested) for message in seen))
        copied = next(message for message in seen if isinstance(message, DetailPane.CopyRequested))
        assert copied.text == "14 passed"
        await pilot.press("o")
        await pilot.pause()
        asked = next(message for message in seen if isinstance(message, DetailPane.EntryRequested))
        assert asked.index == 1


async def test_without_an_entry_there_are_words() -> None:
    host = Host()
    async with host.run_test(size=(40, 10)) as pilot:
        host.pane.clear("The entry under the cursor is shown here [bold]in full[/].")
        await pilot.pause()
        assert "The entry under the cursor is shown here [bold]in full[/]." in words(host)
        for key in ("enter", "J", "K", "z", "w", "end", "home", "down", "up", "pagedown", "c", "o", "R"):
            await pilot.press(key)


async def test_what_cannot_be_shown_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    host = Host()
    async with host.run_test(size=(60, 10)) as pilot:
        await show(pilot, turn().session(), 99)
        assert "This entry cannot be shown: IndexError" in screen(host)


async def test_the_same_entry_shown_again_stays_where_the_reader_is() -> None:
    story = Story().say("u1", "user", "\n".join(f"line {number}" for number in range(200)))
    host = Host()
    async with host.run_test(size=(60, 20)) as pilot:
        session = story.session()
        await show(pilot, session, 0)
        await pilot.press("pagedown", "pagedown")
        before = screen(host)
        host.pane.show_entry(session, 0)
        await settled(pilot)
        assert screen(host) == before
        await pilot.resize_terminal(50, 20)
        await settled(pilot)
        assert lines(host)[1].split()[:3] == before.split("\n")[1].split()[:3]


async def test_colours_follow_the_theme() -> None:
    host = Host()
    async with host.run_test(size=(60, 20)) as pilot:
        await show(pilot, turn().session(), 1)
        dark = host.pane.palette
        before = screen(host)
        host.theme = LIGHT.name
        await settled(pilot)
        assert host.pane.palette != dark
        now = host.pane.get_component_rich_style("detail--title")
        assert host.pane.palette["title"].color == now.color
        assert screen(host) == before


HOSTILE = "\x1b]0;title\x07\x1b[2J\x9b31m[bold]x[/bold] [@click=app.quit]y[/] \u202eevil\u202c \ud800 " + (
    "e" + "\u0301" * 1_000
)


@pytest.mark.parametrize("width", [20, 60, 200])
async def test_hostile_text_is_harmless_and_readable(width: int) -> None:
    said = HOSTILE + "\n[link](javascript:alert(1)) <script>go()</script> &#x202e;"
    story = Story().say("u1", "user", said)
    story.say(
        "a1", "assistant", [call(said, "\x1b[1m" + said, **{said: said})], model=said, errorMessage=said
    )
    story.say("t1", "toolResult", [text(said)], toolCallId=said, toolName=said, isError=True)
    story.add("c1", "custom", customType=said, data={said: said})
    session = story.session()
    host = Host()
    async with host.run_test(size=(width, 40)) as pilot:
        for index in range(4):
            await show(pilot, session, index)
            shown = screen(host)
            assert not set(shown) & set("\x1b\x07\x9b\u202e\u202c\ud800")
            assert "\u0301" * 9 not in shown
            assert all(len(line.rstrip()) <= width + 8 * line.count("\u0301") for line in lines(host))
        await show(pilot, session, 0)
        if width > 20:
            assert "[bold]x[/bold]" in words(host)
            assert "[@click=app.quit]y[/] ◦evil◦" in words(host)
            assert "[link](javascript:alert(1)) <script>go()</script>" in words(host)


async def test_a_line_of_megabytes_is_drawn_only_where_it_is_seen() -> None:
    story = Story().say("a1", "assistant", [call("c1", command="cat")])
    story.say("t1", "toolResult", [text("x" * 5_000_000)], toolCallId="c1", toolName="bash", isError=False)
    host = Host()
    async with host.run_test(size=(80, 24)) as pilot:
        await show(pilot, story.session(), 1)
        assert "… 4,980,000 characters more" in _rows(host)
        await pilot.press("enter")
        assert host.pane.document.height > 60_000
        await pilot.press("end", "pageup", "home", "pagedown")
        views = [item.view for item in host.pane.document.items if isinstance(item.view, LazyText)]
        assert sum(len(view._drawn) for view in views) < 12


async def test_images_are_told_not_shown() -> None:
    data = base64.b64encode(b"\x89PNG\r\n\x1a\n".ljust(786_432, b"\0")).decode()
    block = {"type": "image", "data": data, "mimeType": "image/png"}
    host = Host()
    async with host.run_test(size=(60, 12)) as pilot:
        await show(pilot, Story().say("u1", "user", [block]).session(), 0)
        assert "image  image/png 768 KB" in screen(host)


async def test_a_long_command_is_read_whole_and_nothing_is_written(tmp_path: Path) -> None:
    command = "\n".join(f"echo step {number}" for number in range(200))
    story = Story().say("a1", "assistant", [call("c1", command=command)])
    story.say("t1", "toolResult", [text("ok")], toolCallId="c1", toolName="bash", isError=False)
    path = tmp_path / "s.jsonl"
    header = {"type": "session", "version": 3, "id": "s", "cwd": "/"}
    path.write_text("\n".join(json.dumps(record) for record in (header, *story.entries)) + "\n")
    before = (hashlib.sha256(path.read_bytes()).digest(), path.stat().st_mtime_ns)
    host = Host()
    async with host.run_test(size=(60, 24)) as pilot:
        session = SessionManager.open(path)
        await show(pilot, session, 1)
        await pilot.press("z")
        seen = ""
        for _ in range(16):
            seen += screen(host)
            await pilot.press("pagedown")
        assert all(f"echo step {number}" in seen for number in range(200))
        session.close()
    assert (hashlib.sha256(path.read_bytes()).digest(), path.stat().st_mtime_ns) == before


async def test_a_click_on_a_title_folds_it() -> None:
    host = Host()
    async with host.run_test(size=(60, 20)) as pilot:
        await show(pilot, turn().session(), 1)
        row = next(at for at, line in enumerate(lines(host)) if "npm test" in line)
        await pilot.click(offset=(6, row))
        assert "14 passed" not in screen(host)
        await pilot.click(offset=(6, row))
        assert "14 passed" in screen(host)
        assert "part 3 of 4" in lines(host)[-1]


@pytest.mark.parametrize("size", [(20, 6), (40, 12), (200, 60)])
async def test_any_size_will_do(size: tuple[int, int]) -> None:
    host = Host()
    async with host.run_test(size=size) as pilot:
        session = turn().session()
        for index in range(3):
            await show(pilot, session, index)
            await pilot.press("z", "end", "home")
        assert "tool result" in lines(host)[0]


async def test_fault_19_output_is_drawn_as_a_terminal_leaves_it() -> None:
    printed = (
        "\x1b]0;t\x07\x1b]8;;https://a.org\x1b\\the \x1b[31mdocs\x1b[0m\x1b]8;;\x1b\\\n 1%\r 2%\n|\b/\b-"
    )
    story = Story().say("u1", "user", "go").say("a1", "assistant", [call("c1", command="x")])
    story.say("t1", "toolResult", [text(printed)], toolCallId="c1", toolName="bash", isError=False)
    session = story.session()
    host = Host()
    async with host.run_test(size=(60, 20)) as pilot:
        for index in (1, 2):
            await show(pilot, session, index)
            shown = words(host).replace("▎ ", "")
            assert "the docs (https://a.org) 2% -" in shown
            assert not set(screen(host)) & set("␛␇\x1b\x07\r\b")


async def test_fault_24_a_bad_definition_takes_no_good_one_with_it() -> None:
    said = "see [good][g] and [bad][b]\n\n[b]: javascript:alert(1)\n[g]: https://a.org"
    host = Host()
    async with host.run_test(size=(80, 20)) as pilot:
        await show(pilot, Story().say("u1", "user", said).session(), 0)
        assert "see good (https://a.org) and [bad][b] [b]: javascript:alert(1)" in words(host).replace(
            "▎ ▎", ""
        ).replace("▎", "")
        assert "[g]:" not in screen(host)
