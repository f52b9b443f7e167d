"""Messages taken apart for reading: every role and block, and how calls and results are joined."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pitree.entry.parts import PartKind, Syntax, Tone, parts_of
from tests.support.taking_apart import CWD, USAGE, Story, bodies, call, of_kind, one, text, titles, walk

# -- facts ------------------------------------------------------------------------------------------


def test_heading_names_the_entry_and_counts_its_usage() -> None:
    story = Story().say("u1", "user", "hi")
    story.say("a1", "assistant", [text("yes")], model="claude-x", stopReason="stop", usage=USAGE)
    heading, place = story.parts("a1")[:2]
    assert (heading.title, heading.subject) == ("assistant", "claude-x")
    assert heading.note.endswith(":01")
    assert heading.words == ("in 12.3k", "out 823", "cache 90.1k", "$0.031", "stop")
    assert place.words == ("59 min ago", "entry 2 of 2", "a1", "leaf")


def test_details_tell_ids_provider_and_cost_without_adding_reasoning() -> None:
    story = Story().say("u1", "user", "hi")
    story.say("a1", "assistant", [], provider="anthropic", thinkingLevel="high", usage=USAGE)
    details = {fact.name: fact.value for fact in story.parts("a1")[-1].facts}
    assert details["id"] == "a1"
    assert details["parent"] == "u1"
    assert details["provider"] == "anthropic"
    assert details["thinking level"] == "high"
    assert details["output"] == "823 · $0.012"
    assert details["reasoning"] == "100"
    assert details["total tokens"] == "103,268"


def test_a_label_stands_among_the_facts_of_its_entry() -> None:
    story = Story().say("u1", "user", "hi").add("l1", "label", targetId="u1", label="start\x1b[2J")
    assert story.parts("u1")[1].words[0] == "[start␛]"


def test_figures_that_are_none_are_left_out() -> None:
    story = Story().say(
        "a1", "assistant", [], usage={"input": "many", "output": None, "cost": [1]}, stopReason=5
    )
    assert story.parts("a1")[0].words == ("5",)


def test_a_missing_parent_and_a_repeated_id_are_told() -> None:
    story = Story().say("u1", "user", "hi", parent="zz").say("u1", "user", "again", parent=None)
    parts = parts_of(story.session(), 0)
    assert "parent zz missing: shown as a root" in titles(parts)
    assert "another entry has the same id; Pi uses the last one" in titles(parts)


# -- content ----------------------------------------------------------------------------------------


def test_text_is_markdown_and_stays_raw() -> None:
    said = "a **b**\x1b[31m\n[bold]c[/]"
    for content in (said, [text(said)]):
        (prose,) = of_kind(Story().say("u1", "user", content).parts("u1"), PartKind.PROSE)
        assert prose.body is not None
        assert (prose.body.text, prose.body.syntax) == (said, Syntax.MARKDOWN)


@pytest.mark.parametrize("content", [None, "", [], [text("  ")]])
def test_no_content_is_said(content: Any) -> None:
    assert "(no content)" in titles(Story().say("u1", "user", content).parts("u1"))


def test_thinking_is_folded_with_its_length() -> None:
    block = {"type": "thinking", "thinking": "hm " * 400, "thinkingSignature": "sig"}
    part = one(Story().say("a1", "assistant", [block]).parts("a1"), PartKind.THINKING)
    assert part.folded
    assert part.title == "thinking · 1,200 characters"
    assert part.body is not None
    assert part.body.text == "hm " * 400


@pytest.mark.parametrize(
    ("block", "title"),
    [
        (
            {"thinking": "", "thinkingSignature": "x" * 500},
            "thinking · signature only · signature of 500 characters",
        ),
        ({"redacted": True, "thinkingSignature": "xx"}, "thinking · redacted · signature of 2 characters"),
        ({"thinking": ""}, "thinking · no text"),
    ],
)
def test_thinking_without_text_says_what_there_is(block: dict[str, Any], title: str) -> None:
    part = one(Story().say("a1", "assistant", [{"type": "thinking", **block}]).parts("a1"), PartKind.THINKING)
    assert (part.title, part.body) == (title, None)


def test_unknown_blocks_are_shown_as_json() -> None:
    block = {"type": "hologram", "pixels": [1, 2]}
    part = one(Story().say("u1", "user", [block, text("and text"), 7]).parts("u1")[:3], PartKind.DATA)
    assert part.title == "unknown block hologram"
    assert part.body is not None
    assert json.loads(part.body.text) == block


def test_very_many_blocks_are_counted_not_shown() -> None:
    parts = Story().say("u1", "user", [text("x")] * 5_000).parts("u1")
    assert len(of_kind(parts, PartKind.PROSE)) == 2_000
    assert "3,000 more blocks: the raw record has them" in titles(parts)


# -- tools ------------------------------------------------------------------------------------------


def turn() -> Story:
    """A turn with two calls of which one was answered: the other was interrupted."""
    story = Story().say("u1", "user", "run")
    calls = [call("c1", command="npm test"), call("c2", command="sleep 9")]
    story.say("a1", "assistant", [text("Trying."), *calls], stopReason="toolUse")
    return story.say("t1", "toolResult", [text("14 passed")], toolCallId="c1", toolName="bash", isError=False)


def test_a_call_is_joined_with_its_result_and_one_without_says_so() -> None:
    first, second = of_kind(turn().parts("a1"), PartKind.CALL)
    assert (first.title, first.subject, first.note) == ("bash", "npm test", "exit 0 · 1 s")
    assert [part.body.text for part in first.children if part.body] == ["14 passed"]
    assert first.target == 2
    assert second.tone is Tone.WARNING
    assert [part.title for part in second.children] == ["no result · interrupted"]


def test_a_result_shows_its_call() -> None:
    part = one(turn().parts("t1"), PartKind.CALL)
    assert (part.title, part.subject, part.note, part.target) == ("bash", "npm test", "exit 0 · 1 s", 1)
    assert [child.body.text for child in part.children if child.body] == ["14 passed"]


def test_results_are_found_past_other_entries_but_not_past_the_next_message() -> None:
    story = turn().add("x1", "custom", customType="ext")
    story.say("t2", "toolResult", [text("woke")], toolCallId="c2", toolName="bash", isError=False)
    assert "woke" in bodies(story.parts("a1"))
    story = turn().say("u2", "user", "stop")
    story.say("t2", "toolResult", [text("woke")], toolCallId="c2", toolName="bash", isError=False)
    assert "woke" not in bodies(story.parts("a1"))


def test_results_on_another_branch_below_the_call_count_and_elsewhere_do_not() -> None:
    story = turn()
    story.say(
        "t2", "toolResult", [text("other")], parent="a1", toolCallId="c2", toolName="bash", isError=False
    )
    assert "other" in bodies(story.parts("a1"))
    story = turn()
    story.say(
        "t2", "toolResult", [text("other")], parent="u1", toolCallId="c2", toolName="bash", isError=False
    )
    assert "other" not in bodies(story.parts("a1"))
    assert "the call of bash that it answers is not on this branch" in titles(story.parts("t2"))


def test_a_failed_command_tells_its_exit_code() -> None:
    story = Story().say("a1", "assistant", [call("c1", command="false")])
    output = "oops\n\nCommand exited with code 3"
    story.say("t1", "toolResult", [text(output)], toolCallId="c1", toolName="bash", isError=True)
    part = one(story.parts("a1"), PartKind.CALL)
    assert part.note.startswith("exit 3")
    assert part.tone is Tone.ERROR


def test_a_command_of_any_length_is_shown_whole() -> None:
    command = "for i in 1 2 3; do\n" + "  echo $i\n" * 300 + "done"
    story = Story().say("a1", "assistant", [call("c1", command=command)])
    assert command in bodies(story.parts("a1"))


@pytest.mark.parametrize(
    ("name", "arguments", "subject", "note"),
    [
        ("read", {"path": f"{CWD}/a/b.py", "offset": 10, "limit": 5}, "a/b.py", "lines 10 to 14"),
        ("read", {"file_path": "/etc/hosts", "offset": 3}, "/etc/hosts", "from line 3"),
        ("read", {"path": "x", "offset": "a", "limit": {}}, "x", "offset a, limit {}"),
        ("grep", {"pattern": "foo|bar", "path": "src", "glob": "*.ts"}, "foo|bar in src", "glob *.ts"),
        ("ls", {}, ".", ""),
        ("bash", {"command": "ls", "timeout": 5}, "ls", "timeout 5 s"),
    ],
)
def test_known_tools_say_what_they_are_about(
    name: str, arguments: dict[str, Any], subject: str, note: str
) -> None:
    part = one(Story().say("a1", "assistant", [call("c", name, **arguments)]).parts("a1"), PartKind.CALL)
    assert (part.subject, part.note) == (subject, note)


def test_an_edit_is_shown_as_a_diff_of_either_form() -> None:
    edit = {"oldText": "one\ntwo", "newText": "one\n2"}
    forms: list[dict[str, Any]] = [edit, {"edits": [edit]}, {"edits": edit}, {"edits": json.dumps([edit])}]
    for form in forms:
        block = call("c1", "edit", path="a.ts", **form)
        part = one(Story().say("a1", "assistant", [block]).parts("a1"), PartKind.CALL)
        assert part.body is not None
        assert (part.body.syntax, part.body.text) == (Syntax.DIFF, "  one\n- two\n+ 2")


def test_a_diff_in_the_result_takes_the_place_of_the_edits() -> None:
    story = Story().say("a1", "assistant", [call("c1", "edit", path="a.ts", oldText="1", newText="2")])
    diff = "-  1 1\n+  1 2"
    story.say("t1", "toolResult", [text("ok")], toolCallId="c1", toolName="edit", details={"diff": diff})
    assert bodies(story.parts("a1")) == ["ok", diff]


def test_other_tools_list_their_arguments() -> None:
    story = Story().say("a1", "assistant", [call("c1", "search", query="login", limit=5, long="x\ny")])
    assert bodies(story.parts("a1")) == ["query: login\nlimit: 5\nlong:\n  x\n  y"]
    nested = {"deep": {"a": [1, None]}}
    story = Story().say("a1", "assistant", [call("c1", "odd", **nested)])
    assert json.loads(bodies(story.parts("a1"))[0]) == nested


def test_what_a_result_tells_besides_its_text() -> None:
    story = Story().say("a1", "assistant", [call("c1", command="x")])
    story.say(
        "t1",
        "toolResult",
        [text("out"), {"type": "image", "data": "", "mimeType": "image/png"}],
        toolCallId="c1",
        toolName="bash",
        usage=USAGE,
        nestedCalls={"calls": [{"name": "read", "status": "ok", "durationMs": 12}], "complete": False},
        details={
            "truncation": {"truncated": True, "outputLines": 60, "totalLines": 3000, "content": "out"},
            "fullOutputPath": "/tmp/full.log",
            "odd": 1,
        },
    )
    parts = story.parts("t1")
    assert "truncated by the tool: 60 of 3000 lines" in titles(parts)
    assert "full output in /tmp/full.log" in titles(parts)
    assert "1 call within it" in titles(parts)
    nested = next(part for part in walk(parts) if part.title == "1 call within it")
    assert [(part.title, part.note) for part in nested.children] == [
        ("read", "ok · 12 ms"),
        ("… and more that were not kept", ""),
    ]
    assert '{\n  "odd": 1\n}' in bodies(parts)
    assert ("used", "in 12.3k", "out 823", "cache 90.1k", "$0.031") in [part.words for part in walk(parts)]


# -- other roles --------------------------------------------------------------------------------------


def test_a_bash_execution_tells_command_output_and_ending() -> None:
    story = Story().say(
        "b1",
        "bashExecution",
        command="git status",
        output="M a\n",
        exitCode=1,
        cancelled=False,
        truncated=True,
        fullOutputPath="/tmp/o.log",
        excludeFromContext=True,
    )
    parts = story.parts("b1")
    part = one(parts, PartKind.BASH)
    assert (part.subject, part.note, part.tone) == ("git status", "exit 1", Tone.ERROR)
    assert "M a\n" in bodies(parts)
    assert titles(parts)[2:5] == [
        "output truncated",
        "full output in /tmp/o.log",
        "excluded from the context: the model does not see it",
    ]


def test_a_cancelled_bash_execution_says_so() -> None:
    story = Story().say("b1", "bashExecution", command="x", output="", exitCode=None, cancelled=True)
    parts = story.parts("b1")
    assert one(parts, PartKind.BASH).note == "cancelled"
    assert "no output" in titles(parts)


@pytest.mark.parametrize(
    ("stop", "error", "title", "tone"),
    [
        ("aborted", "Request was aborted.", "aborted", Tone.WARNING),
        ("error", "400 overloaded", "ended with an error", Tone.ERROR),
        ("length", None, "cut off: the answer reached the length limit", Tone.WARNING),
        ("stop", "odd", "error", Tone.ERROR),
    ],
)
def test_how_an_answer_ended(stop: str, error: str | None, title: str, tone: Tone) -> None:
    story = Story().say("a1", "assistant", [], stopReason=stop, errorMessage=error)
    part = next(part for part in story.parts("a1") if part.key == "stop")
    assert (part.title, part.tone) == (title, tone)
    assert (part.body.text if part.body else None) == error


def test_a_system_message_shows_sections_and_tools() -> None:
    story = Story().say(
        "s1",
        "system",
        "",
        sections={"preamble": "Be brief.", "old": None},
        toolsAdded=[{"name": "read", "description": "Read a file.\nMore."}],
        toolsRemoved=[{"name": "write"}],
    )
    parts = story.parts("s1")
    assert "Be brief." in bodies(parts)
    assert "section old removed" in titles(parts)
    assert "read  Read a file." in bodies(parts)
    assert "1 tool removed" in titles(parts)


def test_a_hidden_message_is_folded_under_a_line_that_says_so() -> None:
    story = Story().add("c1", "custom_message", customType="todo", content="milk", display=False)
    part = next(part for part in story.parts("c1") if part.key == "hidden")
    assert part.folded
    assert part.title == "hidden by its extension (display: false)"
    assert bodies([part]) == ["milk"]
    story = Story().add("c1", "custom_message", customType="todo", content="milk", display=True)
    assert bodies(of_kind(story.parts("c1"), PartKind.PROSE)) == ["milk"]


def test_an_unknown_role_shows_text_and_json() -> None:
    parts = Story().say("o1", "oracle", "I am new", extra=True).parts("o1")
    assert "unknown role: oracle" in titles(parts)
    assert "I am new" in bodies(parts)
    assert one(parts, PartKind.DATA).folded
