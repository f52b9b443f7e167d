"""Whole sessions taken apart: raw records, copied text, hostile and real files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pitree.entry.parts import copy_text, parts_of
from pitree.entry.parts.copying import copyables
from pitree.entry.parts.json_parts import folding, json_part
from pitree.session.manager.manager import SessionManager
from tests.support.taking_apart import CWD, Story, bodies, call, text, titles, walk

DATA = Path(__file__).parents[2] / "data"

# -- raw, copied, hostile -----------------------------------------------------------------------------------


def test_the_raw_record_is_whole() -> None:
    story = Story().say("u1", "user", "hi", odd=[1, {"a": None}])
    said = " ".join(" ".join(bodies([json_part(story.session().entry(0).record, "raw")])).split())
    for value in ('"id": "u1"', '"parentId": null', '"role": "user"', '"odd": [ 1, { "a": null } ]'):
        assert value in said


def test_records_that_are_hard_to_write_are_laid_out() -> None:
    deep: Any = "bottom"
    for _ in range(300):
        deep = [deep]
    session = SessionManager.in_memory(
        CWD, [Story().add("x", "custom", data={"i": 10**30, "s": "\ud800", "deep": deep}).entries[0]]
    )
    laid_out = "".join(bodies([json_part(session.entry(0).record, "raw")]))
    assert "1e+30" in laid_out  # as JavaScript has it
    assert "bottom" in laid_out
    assert "bottom" in "".join(bodies(parts_of(session, 0)))


def test_copied_text_is_what_pi_copies_and_more() -> None:
    story = (
        Story()
        .say("u1", "user", "run")
        .say("a1", "assistant", [text("Trying."), call("c1", command="npm test")])
    )
    story.say("t1", "toolResult", [text("14 passed")], toolCallId="c1", toolName="bash", isError=False)
    story.say("b1", "bashExecution", command="git status", output="M a")
    story.say("a2", "assistant", [{"type": "thinking", "thinking": "hm"}, text("one"), text("two")])
    story.say("a3", "assistant", [], errorMessage="overloaded")
    story.say("a4", "assistant", [call("c9", command="ls")])
    story.add("k1", "compaction", summary="sum", firstKeptEntryId="a4", tokensBefore=1)
    story.add("m1", "model_change", provider="openai", modelId="gpt-5")
    story.add("l1", "label", targetId="a2", label="here")
    story.add("l2", "label", targetId="a2")
    session = story.session()
    copied = {session.table.ids[at]: copy_text(session, at) for at in range(len(session.table))}
    assert copied["u1"] == "run"
    assert copied["t1"] == "14 passed"
    assert copied["b1"] == "git status"
    assert copied["a2"] == "onetwo"
    assert copied["a3"] == "overloaded"
    assert copied["a4"] == "[bash: ls]"
    assert copied["k1"] == "sum"
    assert copied["m1"] == "openai/gpt-5"
    assert copied["l1"] == "here"
    assert json.loads(copied["l2"])["targetId"] == "a2"


HOSTILE = "\x1b]0;t\x07\x1b[2J\x9b31m\u202egnp\u202c\u200b[bold]x[/]\ud800" + "e" + "\u0301" * 1_000


@pytest.mark.parametrize("kind", ["label", "session_info", "model_change", "custom", "usage", "wormhole"])
def test_titles_and_facts_are_safe_whatever_stands_in_the_file(kind: str) -> None:
    fields = dict.fromkeys(("label", "name", "modelId", "provider", "customType", "kind", "model"), HOSTILE)
    story = Story().say("u1", "user", HOSTILE, toolName=HOSTILE, model=HOSTILE)
    story.say("a1", "assistant", [call(HOSTILE, HOSTILE, command=HOSTILE, **{HOSTILE: HOSTILE})])
    story.add("x1", kind, targetId="u1", **fields)
    session = story.session()
    for index in range(len(session.table)):
        for part in walk(parts_of(session, index)):
            shown = [part.title, part.subject, part.note, *part.words]
            shown += [said for fact in part.facts for said in (fact.name, fact.value)]
            for said in shown:
                assert not set(said) & set("\x1b\x07\x9b\u202e\u202c\u200b\ud800\n\t")
                assert "\u0301" * 9 not in said


@pytest.mark.parametrize("file", sorted(DATA.glob("*.jsonl")), ids=lambda path: path.stem)
def test_every_entry_of_real_files_is_taken_apart(file: Path) -> None:
    session = SessionManager.open(file)
    for index in range(len(session.table)):
        parts = list(walk(parts_of(session, index)))
        keys = [part.key for part in parts]
        assert len(keys) == len(set(keys)), keys
        assert parts[0].title
        assert copy_text(session, index).strip()
        assert bodies([json_part(session.entry(index).record, "raw")])
    session.close()


def test_a_record_that_can_no_longer_be_read_says_so(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    header = {"type": "session", "version": 3, "id": "s", "cwd": "/"}
    entry = Story().say("u1", "user", "hi").entries[0]
    path.write_text(json.dumps(header) + "\n" + json.dumps(entry) + "\n")
    session = SessionManager.open(path)
    path.write_bytes(b"")
    assert "its record can no longer be read from the file" in titles(parts_of(session, 0))
    session.close()


# -- records and signatures -------------------------------------------------------------------------


def test_a_record_folds_at_its_larger_fields_and_says_it_all() -> None:
    record = {
        "type": "message",
        "id": "a1",
        "message": {"role": "user", "content": [{"type": "text", "text": f"line {n}"} for n in range(40)]},
        "small": {"a": 1},
        "deep": {"deeper": {"deepest": {"list": list(range(100))}}},
    }
    part = json_part(record, "raw")
    assert [child.title for child in part.children] == ["", '"message"', "", '"deep"']
    message = part.children[1]
    assert message.subject == "{… 2 keys}"
    assert not message.folded
    content = next(child for child in message.children if child.title)
    assert (content.title, content.subject) == ('"content"', "[… 40 items]")
    said = "\n".join(bodies([part]))
    for value in ('"id": "a1",', '"small": {', '"line 39"', "99"):
        assert value in said
    deepest = next(child for child in walk([part]) if child.title == '"list"')
    assert deepest.folded


def test_json_that_an_entry_holds_folds_at_its_larger_fields() -> None:
    value = {"todo": [{"n": n, "text": "x"} for n in range(40)], "few": {"a": 1, "b": 2}, "n": 3}
    story = Story().add("c1", "custom", customType="todo", data=value)
    (part,) = [part for part in folding(story.parts("c1")) if part.key == "data"]
    assert part.whole is not None
    assert json.loads(part.whole.text) == value
    assert copyables(part)[0].text == part.whole.text
    todo = part.children[0]
    assert (todo.title, todo.subject, todo.folded) == ('"todo"', "[… 40 items]", True)
    assert '"few": {' in bodies([part])[-1]


def test_small_or_odd_json_stays_as_it_is() -> None:
    for value in ({"a": [1, 2]}, "text", [1] * 1_000, {"a": "\ud800" * 3, "b": list(range(50))}):
        parts = Story().add("c1", "custom", customType="todo", data=value).parts("c1")
        assert folding(parts) == parts


def test_records_of_any_shape_and_depth_are_laid_out() -> None:
    deep: Any = 1
    for _ in range(900):
        deep = [deep]
    for value in (deep, {}, [], {"": {"\x1b": ["\ud800"] * 20}}, [[]] * 1_000, 7, None):
        assert bodies([json_part(value, "raw")]) or value in ({}, [])


def test_signatures_lie_folded_among_the_details() -> None:
    content = [
        {"type": "thinking", "thinking": "hm", "thinkingSignature": "s" * 400},
        {"type": "text", "text": "yes", "textSignature": "t"},
        {"type": "toolCall", "id": "c", "name": "ls", "arguments": {}, "thoughtSignature": "u"},
    ]
    details = Story().say("a1", "assistant", content).parts("a1")[-1]
    assert [(part.title, part.note) for part in details.children] == [
        ("signature of block 1, thinking", "400 characters"),
        ("signature of block 2, text", "1 character"),
        ("signature of block 3, call", "1 character"),
    ]
    assert all(part.folded for part in details.children)
