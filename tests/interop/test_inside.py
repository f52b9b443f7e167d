"""pitree inside the real Pi: what is chosen there happens in that Pi; whatever goes wrong, Pi goes on."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.interop.inside import (
    COLUMNS,
    NOT_SAVED,
    ROWS,
    Inside,
    editor_is_whole,
    pi_with_pitree,
    put_pitree,
    session_from_the_root,
    text_of,
)
from tests.interop.real_pi import RealPi
from tests.interop.test_live import typed

ALT_T = "\x1bt"
FIRST, SECOND, THIRD = "first question", "second question", "third question"


@pytest.fixture
def inside(pi: RealPi, tmp_path: Path) -> Iterator[Inside]:
    with pi_with_pitree(pi, tmp_path) as running:
        yield running


def test_what_is_chosen_happens_in_pi(inside: Inside) -> None:
    app = inside.app
    inside.in_pi(NOT_SAVED)
    for question in (FIRST, SECOND, THIRD):
        inside.say(question)
    file = inside.file

    # While an answer runs: the key says to wait, the command waits.
    inside.model.may_answer.clear()
    asked = len(inside.model.requests)
    inside.type("a slow question")
    inside.until(lambda: len(inside.model.requests) > asked)
    app.send(ALT_T)
    inside.wait("Pi is working; open pitree when it has finished")
    app.send("/pitree")
    inside.wait(re.compile("^/pitree", re.MULTILINE))
    app.send("enter")
    inside.wait("pitree opens as soon as Pi has finished")
    inside.model.may_answer.set()
    inside.in_pitree("assistant: Answer to: a slow question")
    app.send("escape")
    inside.in_pi()

    # Cancelled: nothing changes.
    before = file.read_bytes()
    inside.open()
    app.send("escape")
    inside.in_pi()
    assert file.read_bytes() == before

    # A label and a name: Pi knows them at once, and writes them itself.
    inside.open()
    inside.label("assistant: Answer to: first question", "good")
    app.send("r")
    inside.wait("Session name")
    app.send("a better name", "enter")
    inside.wait("a better name (pending)")
    assert file.read_bytes() == before
    app.send("q")
    inside.in_pi("pitree: labeled [good], named “a better name”")
    assert file.read_bytes().startswith(before)
    label, name = inside.records()[-2:]
    target = inside.entry("Answer to: first question")["id"]
    assert (label["type"], label["targetId"], label["label"]) == ("label", target, "good")
    assert (name["type"], name["name"]) == ("session_info", "a better name")
    inside.type("/tree")
    inside.wait(lambda text: "Session Tree" in text and "[good] assistant: Answer to: first" in text)
    app.send("escape")
    inside.in_pi()

    # An assistant entry: the next prompt hangs on it.
    inside.open()
    inside.choose("assistant: Answer to: first question")
    inside.wait(lambda text: "Navigated to selected point" in text and "Answer to: third" not in text)
    assert inside.say("after the first")["parentId"] == target

    # A user entry: its text is in the editor, and what is sent is its sibling.
    inside.open()
    inside.choose("user: third question")
    assert inside.say(" once more", after=THIRD)["parentId"] == inside.entry(THIRD)["parentId"]

    # The root of the file, which is no message.
    inside.open()
    app.send("ctrl-a")
    inside.in_pitree("Tree · all")
    root = inside.records()[1]
    inside.choose("[model: scripted-1]")
    inside.wait(lambda text: "Navigated to selected point" in text and "once more" not in text)
    assert (root["type"], root["parentId"]) == ("model_change", None)
    at_root = inside.say("at the root")
    assert said_before(inside, at_root) == []
    assert lineage(inside, at_root)[-1]["id"] == root["id"]

    # A summary of one's own: no model is asked.
    asked = len(inside.model.requests)
    inside.open()
    inside.choose("user: at the root", "s")
    inside.wait("## Goal")
    app.send("ctrl-a", "ctrl-k")
    inside.wait(lambda text: "## Goal" not in text)
    app.send("That way is closed. ")
    inside.wait("That way is closed. ")
    app.send("ctrl-s")
    inside.wait(lambda text: typed(text) == "at the root")
    summary = inside.records()[-1]
    assert (summary["type"], summary["fromHook"]) == ("branch_summary", True)
    assert "That way is closed." in summary["summary"]
    assert summary["parentId"] == at_root["parentId"]
    assert len(inside.model.requests) == asked
    assert inside.say(" again", after="at the root")["parentId"] == summary["id"]

    # Forks: at an entry, and before a message.
    left = file.read_bytes()
    inside.open()
    inside.choose("assistant: Answer to: second question", "f")
    inside.wait("Forked to new session")
    above = ["Answer to: second question", SECOND, "Answer to: first question", FIRST]
    assert said_before(inside, inside.say("in the fork")) == above
    fork = inside.file
    assert fork != file
    assert inside.records(fork)[0]["parentSession"] == str(file)
    assert THIRD.encode() not in fork.read_bytes()

    inside.open()
    inside.choose("user: in the fork", "f")
    assert said_before(inside, inside.say(", but another", after="in the fork")) == above
    assert inside.file not in (file, fork)
    assert inside.records()[0]["parentSession"] == str(fork)

    # Another session, and there the very beginning.
    other = session_from_the_root(inside.folder, inside.folder.parents[2] / "project")
    forked = inside.paths - {other}
    bytes_of = {path: path.read_bytes() for path in forked}
    inside.open("from the root")
    app.send("s")
    app.send("end")  # the oldest is the last
    inside.wait(re.compile(r"^│›[^│]*from the root", re.MULTILINE))
    app.send("p")
    inside.in_pi("Resumed session", "unanswered")
    inside.open()
    inside.choose("user: unanswered")  # the leaf, from which Pi's own /tree does not go anywhere
    assert said_before(inside, inside.say(" yet", after="unanswered")) == ["grown", "from the root"]
    inside.open()
    inside.choose("user: from the root")
    assert said_before(inside, inside.say(", anew", after="from the root")) == []
    assert inside.file == other
    assert {path: path.read_bytes() for path in forked} == bytes_of
    assert file.read_bytes() == left

    # A place in another session, all at once.
    inside.open()
    app.send("s")
    app.send("home")
    inside.wait(re.compile(r"^│›[^│]*from the root", re.MULTILINE))
    app.send("down")
    inside.wait(re.compile(r"^│›[^│]*a better name", re.MULTILINE))
    app.send("enter")
    inside.in_pitree("assistant: Answer to: second question")
    inside.choose("assistant: Answer to: second question")
    inside.in_pi("Navigated to selected point")
    assert said_before(inside, inside.say("back again")) == above
    assert inside.file == file


def lineage(inside: Inside, entry: dict[str, Any]) -> list[dict[str, Any]]:
    """An entry and those above it, up to its root."""
    by_id = {record["id"]: record for record in inside.records()[1:]}
    found = [entry]
    while found[-1]["parentId"] is not None:
        found.append(by_id[found[-1]["parentId"]])
    return found


def said_before(inside: Inside, entry: dict[str, Any]) -> list[str]:
    """What the user and the model had said above an entry, the last first."""
    above = lineage(inside, entry)[1:]
    talk = ("user", "assistant")
    return [text_of(record) for record in above if record.get("message", {}).get("role") in talk]


def test_ten_rounds_leave_both_screens_whole(inside: Inside) -> None:
    app = inside.app
    inside.say(FIRST)
    for number in range(10):
        columns, rows = (COLUMNS, ROWS) if number % 2 else (110, ROWS - 6)
        if number % 5 == 4:
            app.send(ALT_T)
        else:
            inside.type("/pitree")
        shown = inside.in_pitree("assistant: Answer to: first")
        assert_pitree_is_whole(shown)
        app.resize(columns, rows)
        # In the other direction pitree's screen would be cut by the emulator already, so wait for its own.
        inside.wait(lambda text, width=columns: pitree_is_whole(text, width))
        app.send("escape" if number % 3 else "q")
        inside.wait(lambda text, width=columns: pi_is_whole(text, width))
        assert app.is_raw
        if number % 4 == 3:  # in Pi, too
            app.resize(columns + 10, rows)
            inside.wait(lambda text, width=columns + 10: pi_is_whole(text, width))
    assert inside.say(SECOND)["parentId"] == inside.entry(f"Answer to: {FIRST}")["id"]


def pitree_is_whole(text: str, width: int) -> bool:
    """Whether pitree's screen fills a width: header, frames to the right edge, bar, footer."""
    lines = text.split("\n")
    frames = lines[1:-2]
    return (
        lines[0].startswith(" pitree")
        and all(len(line) == width and line[-1] in "╮│╯▆▁" for line in frames)
        and lines[-2].startswith(" Picking")
        and "help" in lines[-1]
    )


def assert_pitree_is_whole(text: str) -> None:
    width = max(map(len, text.split("\n")))
    assert pitree_is_whole(text, width), text


def pi_is_whole(text: str, width: int) -> bool:
    """Whether Pi's screen is there once: both rulers over the width, question and answer once each."""
    lines = text.split("\n")
    rulers = [line for line in lines if line and not line.strip("─")]
    said = [line.strip() for line in lines]
    return (
        [len(ruler) for ruler in rulers] == [width, width]
        and said.count(FIRST) == said.count(f"Answer to: {FIRST}") == 1
        and not any("Picking" in line or "│" in line for line in lines)
    )


def test_whatever_goes_wrong_pi_goes_on(inside: Inside) -> None:
    app, program = inside.app, inside.pitree
    inside.say(FIRST)
    before = inside.file.read_bytes()

    # Killed: what it had asked of the terminal is taken back.
    inside.open()
    (child,) = children_of(app.pid)
    os.kill(child, signal.SIGKILL)
    inside.in_pi("pitree was ended by SIGKILL, and nothing was changed")
    assert app.is_raw
    inside.open()
    app.send("escape")
    inside.in_pi()

    # Too small.
    app.resize(38, 14)
    inside.type("/pitree")
    inside.in_pi("40 × 10 at least")
    app.resize(COLUMNS, ROWS)
    inside.wait(lambda text: editor_is_whole(text) and max(map(len, text.split("\n"))) == COLUMNS)

    # Older, something else, rubbish, an unknown operation, a failure, another session.
    strange = "gave an answer that the extension does not understand"
    name, unknown = '{"op": "name", "name": "x"}', '{"op": "format"}'
    for script, words in (
        ("echo pitree 0.0.9", "This is pitree 0.0.9; the extension needs"),
        ("echo hello", "is not pitree, or does not start"),
        (pitree_that("echo '{['"), strange),
        (pitree_that(f"echo '{answer(unknown)}'"), strange),
        (pitree_that("echo no >&2; exit 3"), "pitree failed, and nothing was changed: no"),
        (pitree_that("echo no option >&2; exit 2"), "it may be too old for the extension: no option"),
        (pitree_that(f"echo '{answer(name)}'"), "pitree answered for another session"),
    ):
        put_pitree(program, script)
        told = app.text.count(words)
        inside.type("/pitree")
        inside.wait(lambda text, words=words, told=told: text.count(words) > told and editor_is_whole(text))

    assert "pitree extension --install updates it to 99.0" in app.text  # the extension is the older one

    # Gone.
    program.unlink()
    inside.type("/pitree")
    inside.in_pi("pitree was not found")

    put_pitree(program)
    assert inside.file.read_bytes() == before
    assert inside.say(SECOND)["parentId"] == inside.entry(f"Answer to: {FIRST}")["id"]
    app.send("ctrl-d")
    assert app.wait_exit(60) == 0
    assert not app.is_raw
    assert app.cursor_visible


def pitree_that(does: str) -> str:
    """A pitree new enough, which then does something else than to let anybody choose."""
    return f'[ "$1" = --version ] && exec echo pitree 99.0\n{does}'


def answer(operation: str) -> str:
    """An answer about a session that nobody is in."""
    return f'{{"session": "/elsewhere", "operations": [{operation}]}}'


def children_of(pid: int) -> list[int]:
    """Ids of the processes that a process has started and that are still there."""
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]
