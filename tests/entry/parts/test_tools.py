"""Tool calls and results of each kind, in the forms Pi's own tools write."""

from __future__ import annotations

from typing import Any

import pytest

from pitree.entry.parts import Part, PartKind, Syntax, Tone
from pitree.entry.parts.line_diff import line_diff
from pitree.entry.parts.model import FilePlace
from tests.support.taking_apart import Story, bodies, call, of_kind, one, text, titles, walk


def read_back(name: str, arguments: dict[str, Any], said: str, **more: Any) -> list[Part]:
    """The parts of a result of a tool."""
    story = Story().say("a1", "assistant", [call("c1", name, **arguments)])
    content = more.pop("content", [text(said)])
    story.say("t1", "toolResult", content, toolCallId="c1", toolName=name, **{"isError": False, **more})
    return story.parts("t1")


def result_of(parts: list[Part]) -> Part:
    return one(parts, PartKind.RESULT)


@pytest.mark.parametrize(
    ("arguments", "first"),
    [({}, 1), ({"offset": 40, "limit": 2}, 40), ({"offset": "x"}, 1), ({"offset": -3}, 1)],
)
def test_a_file_read_has_its_line_numbers_and_its_language(arguments: dict[str, Any], first: int) -> None:
    body = result_of(read_back("read", {"path": "src/a.py", **arguments}, "x = 1\ny = 2")).body
    assert body is not None
    assert (body.syntax, body.language, body.first_line) == (Syntax.CODE, "src/a.py", first)


@pytest.mark.parametrize(
    "remark",
    [
        "12 more lines in file. Use offset=3 to continue.",
        "Showing lines 1-2 of 900 (50.0KB limit). Use offset=3 to continue.",
    ],
)
def test_what_the_read_tool_says_is_told_apart_from_the_file(remark: str) -> None:
    parts = read_back("read", {"path": "a.py"}, f"x = 1\ny = [2]\n\n[{remark}]")
    assert bodies(parts)[-1] == "x = 1\ny = [2]"
    assert remark in titles(parts)


def test_a_file_that_ends_in_brackets_is_kept_whole_if_they_follow_no_empty_line() -> None:
    assert bodies(read_back("read", {"path": "a.toml"}, "a = 1\n[table]"))[-1] == "a = 1\n[table]"


def test_a_line_too_long_to_be_read_is_said_and_an_image_is_no_code() -> None:
    remark = "Line 1 is 60.0KB, exceeds 50.0KB limit. Use bash: sed -n '1p' a | head -c 51200"
    parts = read_back("read", {"path": "a"}, f"[{remark}]")
    assert remark in titles(parts)
    assert not of_kind(parts, PartKind.RESULT)
    image = {"type": "image", "data": "AAAA", "mimeType": "image/png"}
    parts = read_back("read", {"path": "a.png"}, "", content=[text("Read image file [image/png]"), image])
    assert "Read image file [image/png]" in titles(parts)
    assert one(parts, PartKind.IMAGE).picture is not None


def test_a_file_written_is_numbered_from_one() -> None:
    body = one(read_back("write", {"path": "a.py", "content": "x"}, "ok"), PartKind.CALL).body
    assert body is not None
    assert (body.text, body.first_line, body.language) == ("x", 1, "a.py")


@pytest.mark.parametrize(
    ("said", "kept", "remarks"),
    [
        ("oops\n\nCommand exited with code 3", "oops", ["Command exited with code 3"]),
        ("Command aborted", None, ["Command aborted"]),
        (
            "z\n\n[Showing lines 9-9 of 9. Full output: /tmp/x.log]\n\nCommand timed out after 5 seconds",
            "z",
            ["Showing lines 9-9 of 9. Full output: /tmp/x.log", "Command timed out after 5 seconds"],
        ),
    ],
)
def test_how_a_command_ended_is_told_apart_from_its_output(
    said: str, kept: str | None, remarks: list[str]
) -> None:
    parts = read_back("bash", {"command": "x"}, said, isError=True)
    found = of_kind(parts, PartKind.RESULT)
    assert [part.body.text for part in found if part.body] == ([kept] if kept else [])
    assert [title for title in titles(parts) if title in remarks] == remarks


@pytest.mark.parametrize(
    ("name", "syntax", "nothing"),
    [
        ("grep", Syntax.MATCHES, "No matches found"),
        ("find", Syntax.PATHS, "No files found matching pattern"),
        ("ls", Syntax.NAMES, "(empty directory)"),
    ],
)
def test_lists_are_read_as_lists(name: str, syntax: Syntax, nothing: str) -> None:
    remark = "500 limit reached. Use limit=1000 for more"
    parts = read_back(name, {"pattern": "x", "path": "src"}, f"a:1: x\nb\n\n[{remark}]")
    body = result_of(parts).body
    assert body is not None
    assert (body.text, body.syntax) == ("a:1: x\nb", syntax)
    assert remark in titles(parts)
    assert nothing in titles(read_back(name, {"pattern": "x"}, nothing))


def test_a_failed_read_is_no_code() -> None:
    body = result_of(read_back("read", {"path": "a.py"}, "ENOENT", isError=True)).body
    assert body is not None
    assert (body.syntax, body.first_line) == (Syntax.OUTPUT, 0)


def test_calls_name_their_file_and_where_in_it() -> None:
    def place(name: str, arguments: dict[str, Any], **more: Any) -> FilePlace | None:
        return one(read_back(name, arguments, "ok", **more), PartKind.CALL).place

    assert place("read", {"path": "a.py", "offset": 7}) == FilePlace("a.py", 7)
    assert place("write", {"path": "a.py", "content": "x"}) == FilePlace("a.py")
    assert place("edit", {"file_path": "a.py"}, details={"firstChangedLine": 12}) == FilePlace("a.py", 12)
    assert place("bash", {"command": "ls"}) is None
    parts = read_back("bash", {"command": "x"}, "y", details={"fullOutputPath": "/tmp/o.log"})
    assert FilePlace("/tmp/o.log") in [part.place for part in walk(parts)]


def test_nested_calls_stand_under_their_call_in_their_own_forms() -> None:
    calls = [
        {
            "id": "1",
            "name": "read",
            "arguments": {"path": "a.py", "offset": 3},
            "status": "ok",
            "durationMs": 40,
        },
        {"id": "2", "name": "bash", "argumentsBytes": 4096, "status": "error", "error": "boom\x1b[2J"},
        {"id": "3", "name": "odd", "status": "unfinished"},
        "no call",
    ]
    parts = read_back("codemode", {"code": "x"}, "done", nestedCalls={"calls": calls, "complete": True})
    section = next(part for part in walk(parts) if part.title == "4 calls within it")
    assert [(part.title, part.subject, part.note, part.tone) for part in section.children] == [
        ("read", "a.py", "from line 3 · ok · 40 ms", Tone.NORMAL),
        ("bash", "", "error · 4 KB of arguments not kept in the session", Tone.ERROR),
        ("odd", "", "unfinished", Tone.WARNING),
        ("tool", "", "unfinished", Tone.WARNING),
    ]
    assert section.children[1].children[0].title == "boom␛"


def test_very_many_nested_calls_are_counted_not_shown() -> None:
    calls = [{"name": "read", "status": "ok"}] * 1_000
    parts = read_back("codemode", {}, "done", nestedCalls={"calls": calls, "complete": True})
    assert "800 more calls: the raw record has them" in titles(parts)


@pytest.mark.parametrize(
    ("old", "new", "shown"),
    [
        ("", "a", "+ a"),
        ("a", "", "- a"),
        ("a\nb\nc", "a\nB\nc", "  a\n- b\n+ B\n  c"),
        ("a\nb\nc\nd", "a\nx\nc\ny", "  a\n- b\n+ x\n  c\n- d\n+ y"),
        ("same", "same", "  same"),
    ],
)
def test_a_diff_tells_what_went_what_came_and_what_stayed(old: str, new: str, shown: str) -> None:
    assert line_diff(old, new) == shown


def test_a_diff_leaves_out_most_of_what_stayed() -> None:
    many = "\n".join(f"line {number}" for number in range(100))
    assert line_diff(many + "\nold", many + "\nnew").split("\n") == [
        "⋯",
        *(f"  line {number}" for number in range(96, 100)),
        "- old",
        "+ new",
    ]


def test_a_diff_of_very_much_takes_no_time() -> None:
    old = "\n".join(f"a{number % 7}" for number in range(50_000))
    new = "\n".join(f"b{number % 7}" for number in range(50_000))
    assert len(line_diff(old, new).split("\n")) == 100_000
