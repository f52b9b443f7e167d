"""Entries that are no messages, and what the model sees of entries, taken apart for reading."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pitree.entry.branch_parts import Branch
from pitree.entry.parts import PartKind, Tone, parts_of
from tests.support.taking_apart import USAGE, Story, bodies, call, one, text, titles

# -- entries that are no messages -----------------------------------------------------------------------


def test_an_unknown_type_is_shown_as_json_without_what_every_entry_has() -> None:
    parts = Story().add("w1", "wormhole", shape={"a": [1]}).parts("w1")
    assert "unknown entry type: wormhole" in titles(parts)
    assert json.loads(bodies(parts)[0]) == {"shape": {"a": [1]}}


def test_a_compaction_tells_size_kept_entry_and_files() -> None:
    story = Story().say("u1", "user", "first").say("u2", "user", "second")
    story.add(
        "k1",
        "compaction",
        summary="# Goal",
        firstKeptEntryId="u2",
        tokensBefore=50_000,
        details={"readFiles": ["a.ts", "b.ts"], "modifiedFiles": ["c.ts"], "odd": 1},
        usage=USAGE,
        fromHook=True,
    )
    parts = story.parts("k1")
    assert parts[0].words[0] == "in 12.3k"
    kept = next(part for part in parts if part.key == "kept")
    assert (kept.title, kept.target) == ("50k tokens before it · kept from user “second” on", 1)
    assert "# Goal" in bodies(parts)
    assert {"read 2 files", "modified 1 file", "made by an extension"} <= set(titles(parts))
    assert "a.ts\nb.ts" in bodies(parts)


@pytest.mark.parametrize(
    ("kept", "words"),
    [
        ("k1", "nothing before it is kept"),
        ("gone", "first kept entry gone is not in the file"),
        (None, "first kept entry unknown is not in the file"),
    ],
)
def test_a_compaction_that_keeps_nothing_or_something_lost(kept: str | None, words: str) -> None:
    story = Story().add("k1", "compaction", summary="s", firstKeptEntryId=kept, tokensBefore=1)
    assert next(part for part in story.parts("k1") if part.key == "kept").title.endswith(words)


@pytest.mark.parametrize("source", ["u1", "missing", None, "root"])
def test_a_branch_summary_of_an_unknown_source_says_so(source: str | None) -> None:
    story = Story().say("u1", "user", "hi").add("b1", "branch_summary", summary="Tried.", fromId=source)
    part = next(part for part in story.parts("b1") if part.key == "source")
    assert part.title.startswith("source unknown")
    assert part.target is None


def test_a_branch_summary_refers_to_the_branch_it_sums_up() -> None:
    story = Story().say("u1", "user", "hi").say("u2", "user", "cookies")
    story.add("b1", "branch_summary", "u1", summary="Tried.", fromId="u2")
    parts = story.parts("b1")
    part = next(part for part in parts if part.key == "source")
    assert (part.title, part.target) == ("summarizes the branch that ended at user “cookies”", 1)
    assert "Tried." in bodies(parts)


@pytest.mark.parametrize(
    ("kind", "fields", "words"),
    [
        ("model_change", {"provider": "openai", "modelId": "gpt-5"}, "model set to gpt-5 of openai"),
        ("thinking_level_change", {"thinkingLevel": "high"}, "thinking level set to high"),
        ("session_info", {"name": "fix\nit"}, "session named “fix it”"),
        ("session_info", {"name": ""}, "session name cleared"),
        ("label", {"targetId": "u1", "label": "here"}, "label [here] set on user “hi”"),
        ("label", {"targetId": "u1"}, "label removed from user “hi”"),
        ("label", {"targetId": "zz", "label": "x"}, "label [x] set on an entry not in the file (zz)"),
        ("usage", {"kind": "cache_warm", "usage": USAGE}, "usage outside the conversation: cache_warm"),
        ("custom", {"customType": "ext"}, "state kept by the extension ext; the model does not see it"),
    ],
)
def test_bookkeeping_is_told_in_words(kind: str, fields: dict[str, Any], words: str) -> None:
    parts = Story().say("u1", "user", "hi").add("x1", kind, **fields).parts("x1")
    assert one(parts, PartKind.WORDS).title == words


def test_a_label_that_no_longer_stands_says_what_does() -> None:
    story = Story().say("u1", "user", "hi").add("l1", "label", targetId="u1", label="old")
    story.add("l2", "label", targetId="u1", label="new")
    assert "its label is now [new]" in titles(story.parts("l1"))
    assert "its label is now [new]" not in titles(story.parts("l2"))


# -- what the model sees ----------------------------------------------------------------------------------


def edited(replacement: Any) -> Story:
    story = Story().say("u1", "user", "hi").say("a1", "assistant", [text("long answer")])
    return story.add("e1", "context_edit", targetId="a1", replacement=replacement)


def test_an_entry_omitted_on_the_active_path_says_so() -> None:
    part = next(part for part in edited(None).parts("a1") if part.key == "edit")
    assert part.title == "omitted from the context: the model does not see this entry"
    assert part.target == 2
    assert "long answer" in bodies(edited(None).parts("a1"))


def test_an_edited_entry_shows_both_versions() -> None:
    parts = edited({"content": "short"}).parts("a1")
    assert [body for body in bodies(parts) if body in ("short", "long answer")] == ["short", "long answer"]


def test_an_edit_counts_only_on_the_path_to_the_leaf() -> None:
    session = edited(None).session()
    session.branch("a1")
    (part,) = [part for part in parts_of(session, 1) if part.key == "edit"]
    assert part.title == "unchanged on this branch; another branch omits it from the context"
    assert part.tone is Tone.DIM
    session.branch("e1")
    (part,) = [part for part in parts_of(session, 1) if part.key == "edit"]
    assert part.title.startswith("omitted from the context")


def test_both_versions_can_be_read_where_the_edit_is_on_another_branch() -> None:
    story = edited({"content": "short"}).say("u2", "user", "again", "a1")
    (part,) = [part for part in story.parts("a1") if part.key == "edit"]
    assert part.title == "unchanged on this branch; another branch replaces it for the model"
    assert part.target == 2
    assert [said for said in bodies(story.parts("a1")) if said in ("short", "long answer")] == [
        "short",
        "long answer",
    ]
    elsewhere = Story().say("u1", "user", "hi").say("a1", "assistant", "x", "u1").say("b1", "user", "y", "u1")
    elsewhere.add("e1", "context_edit", targetId="a1", replacement=None)
    assert not [part for part in elsewhere.parts("a1") if part.key == "edit"], "no branch has both"


def test_an_answer_tells_that_the_result_of_its_call_is_edited() -> None:
    story = Story().say("a1", "assistant", [call("c1", command="ls")])
    story.say("r1", "toolResult", [text("a very long list")], toolCallId="c1", toolName="bash")
    story.add("e1", "context_edit", targetId="r1", replacement={"content": "a list"})
    (made,) = [part for part in story.parts("a1") if part.kind is PartKind.CALL]
    assert [part.key for part in made.children] == ["content.0.edit", "content.0.result.0"]
    assert bodies(list(made.children)) == ["a list", "a very long list"]
    session = story.session()
    (told,) = [part for part in Branch(session, 2).parts(0) if part.kind is PartKind.CALL]
    assert bodies(list(told.children)) == ["a list", "a very long list"]
    (before,) = [part for part in Branch(session, 1).parts(0) if part.kind is PartKind.CALL]
    assert bodies(list(before.children)) == ["a very long list"]


def test_the_last_edit_wins() -> None:
    story = edited(None).add("e2", "context_edit", targetId="a1", replacement={"content": [text("short")]})
    part = next(part for part in story.parts("a1") if part.key == "edit")
    assert part.body is not None
    assert part.body.text == "short"
    assert "not in effect: a later edit applies" in titles(story.parts("e1"))
    assert not [title for title in titles(story.parts("e2")) if "not in effect" in title]


def test_a_context_edit_shows_what_it_replaces() -> None:
    parts = edited({"content": "short"}).parts("e1")
    assert "replaces for the model: assistant “long answer”" in titles(parts)
    assert bodies(parts) == ["short", "long answer"]


def test_the_original_of_an_edit_does_not_claim_that_results_are_missing() -> None:
    story = Story().say("a1", "assistant", [call("c1", command="ls")])
    story.add("e1", "context_edit", targetId="a1", replacement=None)
    assert "no result · interrupted" not in titles(story.parts("e1"))
