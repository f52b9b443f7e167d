"""What was spent: by entry, along branches, on summaries, by model; whatever the file says."""

from __future__ import annotations

from typing import Any

from pitree.session.format.entry_type import Kind
from pitree.session.manager.costs import Ledger
from pitree.session.manager.manager import SessionManager
from pitree.session.reading.usage import TOOLS_AND_SUMMARIES, usage_of
from tests.support.stories import Story


def usage(cost: float, **more: float) -> dict[str, Any]:
    return {"input": 10, "output": 1, "cacheRead": 0, "cacheWrite": 0, "cost": {"total": cost}, **more}


def spent() -> SessionManager:
    """A session of $1 to the branch point, $2 on the branch left, $4 on the other, and what is beside it."""
    story = Story().user("u1", "go").assistant("a1", "one", usage=usage(1))
    story.user("u2", "left").assistant("a2", "two", usage=usage(2, output=5), model="other")
    story.add("c1", "compaction", "a1", summary="s", usage=usage(4))
    story.add("s1", "branch_summary", summary="s", usage=usage(8))
    story.add("x1", "usage", note="title", provider="test", model="small", usage=usage(16))
    result = {"role": "toolResult", "toolCallId": "c", "toolName": "task", "content": [], "usage": usage(32)}
    story.add("r1", "message", message=result)
    return story.session()


def filled(session: SessionManager) -> Ledger:
    ledger = Ledger(session)
    assert ledger.fill()
    return ledger


def test_sums_by_entry_branch_kind_and_file() -> None:
    session = spent()
    ledger = filled(session)
    by_id = session.table.by_id
    assert ledger.of(by_id["a2"]).cost == 2
    assert ledger.of(by_id["u1"]).total == 0
    assert ledger.sum(session.branch_indexes(by_id["a2"])).cost == 3
    assert ledger.sum(session.branch_indexes(session.leaf_index)).cost == 61
    assert ledger.of_kind(Kind.COMPACTION).cost == 4
    assert ledger.of_kind(Kind.COMPACTION, Kind.BRANCH_SUMMARY).cost == 12
    assert ledger.sum(range(len(ledger))) == session.stats().usage


def test_branches_the_dearest_first() -> None:
    session = spent()
    ends = filled(session).branches()
    assert [(session.table.ids[end.tip], end.cost, end.own_cost, end.entries) for end in ends] == [
        ("r1", 61, 60, 6),
        ("a2", 3, 2, 4),
    ]
    assert ends[1].tokens == 26


def test_what_came_later_is_read_later_and_no_entry_twice() -> None:
    session = SessionManager.in_memory("/w", Story().user("u1", "go").entries)
    ledger = filled(session)
    session.append_message({"role": "assistant", "content": [], "usage": usage(1)})
    assert len(ledger) == 1
    assert ledger.branches()[0].cost == 0
    ledger.fill()
    ledger.fill()
    assert len(ledger) == 2
    assert ledger.branches()[0].cost == 1


def test_reading_can_be_ended() -> None:
    ledger = Ledger(spent())
    assert not ledger.fill(lambda: True)
    assert ledger.sum(range(100)).cost == 0


def test_parents_that_come_later_and_chains_without_end() -> None:
    story = Story()
    story.assistant("late", "x", parent="early", usage=usage(1))
    story.assistant("early", "x", parent=None, usage=usage(2))
    story.assistant("p", "x", parent="q", usage=usage(4)).assistant("q", "x", parent="p", usage=usage(8))
    session = story.session()
    costs = {session.table.ids[end.tip]: end.cost for end in filled(session).branches()}
    assert costs["late"] == 3
    assert sum(costs.values()) <= 15


def test_models_as_pi_groups_them() -> None:
    stats = spent().stats()
    assert [(model, used.cost) for model, used in stats.by_model()] == [
        (TOOLS_AND_SUMMARIES, 44),
        ("test/small", 16),
        ("test/other", 2),
        ("test/claude-test", 1),
    ]


def test_the_model_that_answered_counts_and_what_is_unreadable_does_not() -> None:
    answered = {
        "role": "assistant",
        "provider": "p",
        "model": "asked",
        "responseModel": "gave",
        "usage": usage(1),
    }
    assert usage_of({"type": "message", "message": answered})[0] == "p/gave"
    for record in (
        {},
        {"type": "message"},
        {"type": "message", "message": 3},
        {"type": "label", "usage": usage(1)},
    ):
        assert usage_of(record)[1] is None
    odd = {"role": "assistant", "provider": ["x"], "model": None, "usage": usage(1)}
    assert usage_of({"type": "message", "message": odd})[0] == "?/?"
    story = Story().assistant("a", "x", usage={"cost": "much"}).assistant("b", "x", usage=[1])
    assert story.session().stats().by_model() == []
