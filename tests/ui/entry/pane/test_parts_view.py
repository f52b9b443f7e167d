"""Finding words in the detail pane: what is lit, the counts, going from hit to hit, what is folded away."""

from __future__ import annotations

from typing import Any

import pytest
from textual.pilot import Pilot

from pitree.query.language.query import Query
from tests.support.seeing import lines, until
from tests.support.seeing import text as screen
from tests.support.taking_apart import Story, call, text
from tests.ui.entry.pane.test_entry_pane import Host, settled, show, turn


def lit(host: Host, style: str = "hit") -> list[str]:
    """What is lit on screen, row by row."""
    wanted = host.pane.palette[style].bgcolor
    found = []
    for strip in host.screen._compositor.render_strips(host.size):
        row = "".join(
            segment.text if segment.style and segment.style.bgcolor == wanted else "\0" for segment in strip
        )
        found += [piece for piece in row.split("\0") if piece]
    return found


def footer(host: Host) -> str:
    return lines(host)[-1]


async def find(pilot: Pilot[Any], words: str) -> None:
    pilot.app.query_one(type(pilot.app.pane)).find(words)  # type: ignore[attr-defined]
    await settled(pilot)


async def test_hits_are_lit_and_counted_in_titles_prose_and_output() -> None:
    story = Story().say("a1", "assistant", [text("The **parser** works."), call("c1", command="run parser")])
    story.say("t1", "toolResult", [text("Parser ok\nno")], toolCallId="c1", toolName="bash", isError=False)
    host = Host()
    async with host.run_test(size=(60, 20)) as pilot:
        await show(pilot, story.session(), 0)
        await find(pilot, "parser")
        assert lit(host, "hit-here") == ["parser"]
        assert lit(host) == ["parser", "Parser"]
        assert "match 1 of 3" in footer(host)
        await pilot.press("n")
        assert "match 2 of 3" in footer(host)
        await pilot.press("n", "n")
        assert "match 1 of 3" in footer(host)
        await pilot.press("N")
        assert "match 3 of 3" in footer(host)
        assert lit(host, "hit-here") == ["Parser"]
        await find(pilot, "")
        assert not lit(host)
        assert "match" not in footer(host)


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("nothing-like-it", "no match"),
        ("re:(", "("),
        ('"14 passed"', "match 1 of 1"),
        ("re:1\\d p", "match 1 of 1"),
    ],
)
async def test_any_query_says_how_it_stands(query: str, words: str) -> None:
    host = Host()
    async with host.run_test(size=(60, 20)) as pilot:
        await show(pilot, turn().session(), 1)
        await find(pilot, query)
        assert words in footer(host)


async def test_what_is_folded_is_counted_and_unfolded_when_it_is_its_turn() -> None:
    host = Host()
    async with host.run_test(size=(60, 30)) as pilot:
        await show(pilot, turn().session(), 1)
        await find(pilot, "types")
        assert "The user wants types." in screen(host)
        assert lit(host, "hit-here") == ["types"]


async def test_what_is_left_out_of_a_long_output_is_found() -> None:
    output = "\n".join(f"line {number}" for number in range(1_000))
    story = Story().say("a1", "assistant", [call("c1", command="seq")])
    story.say("t1", "toolResult", [text(output)], toolCallId="c1", toolName="bash", isError=False)
    host = Host()
    async with host.run_test(size=(60, 30)) as pilot:
        await show(pilot, story.session(), 0)
        await find(pilot, '"line 500"')
        assert lit(host, "hit-here") == ["line 500"]
        assert "match 1 of 1" in footer(host)


async def test_a_very_long_text_is_searched_in_a_thread_and_its_hits_are_gone_to() -> None:
    output = "x" * 3_000_000 + " needle " + "y" * 3_000_000 + " needle"
    story = Story().say("b1", "bashExecution", command="cat", output=output, exitCode=0)
    host = Host()
    async with host.run_test(size=(60, 30)) as pilot:
        await show(pilot, story.session(), 0)
        await find(pilot, "needle")
        await until(pilot, lambda: "of 2" in footer(host))
        await pilot.press("n")
        await until(pilot, lambda: lit(host, "hit-here") == ["needle"])


async def test_very_many_hits_are_not_counted_to_the_end() -> None:
    story = Story().say("b1", "bashExecution", command="cat", output="a " * 200_000, exitCode=0)
    host = Host()
    async with host.run_test(size=(60, 30)) as pilot:
        await show(pilot, story.session(), 0)
        await pilot.press("z")
        await find(pilot, "a")
        await until(pilot, lambda: "10,000+" in footer(host))


async def test_hits_stay_right_when_prose_is_styled_late(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitree.ui.entry.pane.entry_loader.fulfil", lambda wish, palette: None)
    said = "# Title\n\n" + "word **needle** word\n\n" * 30
    story = Story().say("u1", "user", said)
    host = Host()
    async with host.run_test(size=(60, 20)) as pilot:
        host.pane.find("needle")
        await show(pilot, story.session(), 0)
        assert "30" in footer(host)
        await pilot.press("n", "n", "n")
        assert "match 3 of 30" in footer(host)
        assert lit(host, "hit-here") == ["needle"]


async def test_the_tree_s_search_is_lit_and_its_first_hit_comes_into_view() -> None:
    story = Story().say("u1", "user", "\n".join(f"line {number}" for number in range(200)))
    story.say("u2", "user", "nothing of it")
    host = Host()
    async with host.run_test(size=(60, 20)) as pilot:
        session = story.session()
        await show(pilot, session, 1)
        host.pane.light(Query.parse('"line 150"'))
        await show(pilot, session, 0)
        assert lit(host, "hit-here") == ["line 150"]
        host.pane.find("line")
        await settled(pilot)
        assert "of 200" in footer(host)
        host.pane.find("")
        await settled(pilot)
        assert "1 match" in footer(host)
        host.pane.light(None)
        await settled(pilot)
        assert not lit(host)


async def test_the_record_is_searched_as_it_shows() -> None:
    host = Host()
    async with host.run_test(size=(60, 30)) as pilot:
        await show(pilot, turn().session(), 0)
        await pilot.press("R")
        await until(pilot, lambda: "raw record" in footer(host))
        await find(pilot, "parentId")
        assert lit(host, "hit-here") == ["parentId"]


async def test_wide_and_joined_letters_are_lit_whole() -> None:
    story = Story().say(
        "b1", "bashExecution", command="x", output="日本語 q\u0301tudq 👩‍👧 nq\u0308iv", exitCode=0
    )
    host = Host()
    async with host.run_test(size=(60, 20)) as pilot:
        await show(pilot, story.session(), 0)
        await find(pilot, "本 q nq")  # no letter of its own is made of these and their marks
        assert set(lit(host) + lit(host, "hit-here")) == {"本", "q\u0301", "q", "nq\u0308"}
