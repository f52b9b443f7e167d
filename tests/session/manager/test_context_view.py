"""What becomes of each entry in the context, and the rule of thumb for tokens."""

from __future__ import annotations

from typing import Any

import pytest

from pitree.session.context.tokens import estimate_tokens
from pitree.session.manager.context_view import ContextView, Fate, context_view
from pitree.session.manager.manager import SessionManager
from tests.support.stories import Story


def fates(session: SessionManager, entry_id: str | None = None) -> dict[str, str]:
    view = view_of(session, entry_id)
    return {session.table.ids[line.index]: line.fate.value for line in view.lines}


def view_of(session: SessionManager, entry_id: str | None = None) -> ContextView:
    return context_view(session, session.table.by_id[entry_id] if entry_id else session.leaf_index)


def edited() -> SessionManager:
    story = Story().add("m", "model_change", provider="test", modelId="big")
    story.user("u1", "x" * 400).assistant("a1", "secret").user("u2", "on")
    story.add("e1", "context_edit", targetId="a1", replacement=None)
    story.add("e2", "context_edit", targetId="u1", replacement={"content": "short"})
    bash = {"role": "bashExecution", "command": "ls", "output": "x", "excludeFromContext": True}
    story.add("b1", "message", message=bash)
    return story.user("u3", "elsewhere", parent="u2").session()


def test_edits_count_on_their_branch_only() -> None:
    session = edited()
    assert fates(session, "b1") == {
        "m": "bookkeeping",
        "u1": "edited",
        "a1": "omitted",
        "u2": "whole",
        "e1": "bookkeeping",
        "e2": "bookkeeping",
        "b1": "kept out",
    }
    assert fates(session, "u3") == {
        "m": "bookkeeping",
        "u1": "whole",
        "a1": "whole",
        "u2": "whole",
        "u3": "whole",
    }
    line = view_of(session, "b1").lines[1]
    assert (line.tokens, line.original) == (2, 100)


def test_a_compaction_stands_for_what_it_dropped() -> None:
    story = Story().user("u1", "old").assistant("a1", "older")
    story.add("c1", "compaction", summary="first", firstKeptEntryId="a1", tokensBefore=9)
    story.user("u2", "kept").assistant("a2", "kept", usage={"input": 90, "output": 10})
    story.add("c2", "compaction", summary="x" * 40, firstKeptEntryId="u2", tokensBefore=99)
    story.user("u3", "after")
    session = story.session()
    assert fates(session) == {
        "u1": "summarized",
        "a1": "summarized",
        "c1": "summarized",
        "u2": "whole",
        "a2": "whole",
        "c2": "whole",
        "u3": "whole",
    }
    view = view_of(session)
    assert (view.size.reported, view.size.reporter) == (0, None)  # reported before the compaction
    assert view.size.tokens == 10 + 1 + 1 + 2
    assert view.messages == 4
    assert view.count(Fate.SUMMARIZED) == 3
    assert fates(session, "u2")["u1"] == "summarized"
    assert fates(session, "u2")["a1"] == "whole"


def test_what_was_reported_counts_until_something_is_edited() -> None:
    story = Story().user("u1", "go").assistant("a1", "x", usage={"totalTokens": 5_000, "input": 1})
    story.user("u2", "y" * 40)
    story.add("e1", "context_edit", targetId="u1", replacement=None)
    session = story.session()
    before, after = view_of(session, "u2"), view_of(session, "e1")
    assert (before.size.tokens, before.size.reported, before.size.estimated) == (5_010, 5_000, 10)
    assert before.size.reporter == 1
    assert (after.size.tokens, after.size.reported) == (11, 0)
    assert before.model == "test/claude-test"


@pytest.mark.parametrize("stop", ["aborted", "error"])
def test_a_broken_off_answer_reports_nothing(stop: str) -> None:
    story = Story().user("u1", "go").assistant("a1", "x", stopReason=stop, usage={"input": 9_000})
    assert view_of(story.session()).size.reported == 0


def test_an_empty_session() -> None:
    session = SessionManager.in_memory("/w")
    view = context_view(session, session.leaf_index)
    assert (view.lines, view.messages, view.size.tokens) == ([], 0, 0)


@pytest.mark.parametrize(
    ("message", "tokens"),
    [
        ({"role": "user", "content": "12345"}, 2),
        (
            {
                "role": "user",
                "content": [{"type": "text", "text": "1234"}, {"type": "image", "data": "x" * 99}],
            },
            1_201,
        ),
        ({"role": "user", "content": "😀😀"}, 1),
        ({"role": "assistant", "content": [{"type": "thinking", "thinking": "1234"}, {"type": "image"}]}, 1),
        (
            {
                "role": "assistant",
                "content": [{"type": "toolCall", "name": "ab", "arguments": {"é": [1, True]}, "id": "x"}],
            },
            4,  # ab{"é":[1,true]}
        ),
        ({"role": "bashExecution", "command": "ls", "output": "ab"}, 1),
        ({"role": "compactionSummary", "summary": "12345678"}, 2),
        (
            {"role": "system", "content": "1234", "sections": {"a": "12345678", "b": None}, "toolsAdded": []},
            4,
        ),
        ({"role": "alien", "content": "12345"}, 0),
        ({"role": "user", "content": 3}, 0),
        ({"role": "assistant", "content": "not a list"}, 0),
        ({"role": "bashExecution"}, 0),
        ({}, 0),
    ],
)
def test_the_rule_of_thumb(message: dict[str, Any], tokens: int) -> None:
    assert estimate_tokens(message) == tokens
