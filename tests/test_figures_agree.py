"""The same number looks the same wherever it is shown: list, header, tree, entry, costs, stats, export."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from pitree.commands.inspect import stats
from pitree.commands.output import Output
from pitree.entry.export.markdown import markdown
from pitree.entry.parts.registry import parts_of
from pitree.session.manager.costs import Ledger
from pitree.session.manager.manager import SessionManager
from pitree.text import figures
from pitree.ui.main.header_facts import FactsKeeper
from pitree.ui.tree.tree_columns import figures_of
from pitree.ui.windows.cost_rows import money_rows
from tests.conftest import Run
from tests.support.stories import Story


def session_with(cost: float, tokens: int) -> SessionManager:
    """A question and an answer that used so much."""
    usage = {"input": 0, "output": tokens, "cacheRead": 0, "cacheWrite": 0, "cost": {"total": cost}}
    return Story().user("u1", "how much").assistant("a1", "that much", usage=usage).session()


@pytest.mark.parametrize(
    ("cost", "tokens", "cost_words", "token_words"),
    [
        (0.0031, 50_000, "$0.0031", "50k"),
        (0.25, 823, "$0.25", "823"),
        (1.5, 12_345, "$1.50", "12.3k"),
        (1_234.5, 4_100_000, "$1,234.50", "4.1M"),
    ],
)
def test_fault_16_costs_and_tokens_agree(cost: float, tokens: int, cost_words: str, token_words: str) -> None:
    session = session_with(cost, tokens)
    facts = FactsKeeper(session).facts()
    assert (facts.cost, facts.tokens) == (cost_words, f"{token_words} tokens")
    words = parts_of(session, 1)[0].words
    assert cost_words in words
    assert any(word.endswith(f" {token_words}") for word in words), words
    columns = figures_of(session, 1)
    assert (columns["cost"], columns["tokens"]) == (cost_words, token_words)
    ledger = Ledger(session)
    ledger.fill()
    rows = [row.figures for row in money_rows(session, ledger, 1) if row.text == "this entry"]
    assert rows[0][-2:] == (token_words, cost_words)
    printed = io.StringIO()
    stats._print("s.jsonl", session, session.stats(), Output(printed, printed, {}))
    assert printed.getvalue().count(cost_words) == 2
    exported = "".join(markdown(session, 1)).replace("\\", "")
    assert cost_words in exported
    assert f" {token_words}" in exported


def test_fault_16_json_has_exact_numbers(run: Run, tmp_path: Path) -> None:
    usage = {"input": 0, "output": 12_345, "cacheRead": 0, "cacheWrite": 0, "cost": {"total": 0.00312345}}
    path = tmp_path / "s.jsonl"
    story = Story().user("u1", "x").assistant("a1", "y", usage=usage)
    header = {"type": "session", "version": 3, "id": "s1", "timestamp": "2026-03-09T14:00:00Z", "cwd": "/x"}
    path.write_text("".join(json.dumps(record) + "\n" for record in [header, *story.entries]))
    (found,) = run("stats", "--json", path).json
    assert (found["cost"], found["tokens"]["output"]) == (0.00312345, 12_345)
    assert f"in {figures.size(1)}".endswith("1 B")
