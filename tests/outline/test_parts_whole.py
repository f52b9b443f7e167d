"""Whole sessions taken apart: raw records, copied text, hostile and real files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pitree.outline.parts import copy_text, parts_of, raw_part
from pitree.session.manager import SessionManager
from tests.outline.taking_apart import CWD, Story, bodies, call, text, titles, walk

DATA = Path(__file__).parent.parent / "data"

# -- raw, copied, hostile -----------------------------------------------------------------------------------


def test_the_raw_record_is_whole() -> None:
    story = Story().say("u1", "user", "hi", odd=[1, {"a": None}])
    body = raw_part(story.session(), 0).body
    assert body is not None
    assert json.loads(body.text) == story.entries[0]


def test_records_that_are_hard_to_write_are_laid_out() -> None:
    deep: Any = "bottom"
    for _ in range(300):
        deep = [deep]
    session = SessionManager.in_memory(
        CWD, [Story().add("x", "custom", data={"i": 10**30, "s": "\ud800", "deep": deep}).entries[0]]
    )
    laid_out = raw_part(session, 0).body
    assert laid_out is not None
    assert str(10**30) in laid_out.text
    assert "bottom" in laid_out.text
    assert "bottom" in "".join(bodies(parts_of(session, 0)))


def test_copied_text_is_what_pi_copies_and_more() -> None:
    story = (
        Story()
        .say("u1", "user", "do it")
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
    assert copied["u1"] == "do it"
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
        assert (raw_part(session, index).body or pytest.fail("no body")).text.startswith("{")
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
