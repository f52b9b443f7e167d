"""What the entry under the cursor, its branch and the whole session cost, as rows of a table."""

from __future__ import annotations

from pitree.outline.row_words import row_line
from pitree.session.format.entry_type import Kind
from pitree.session.manager.costs import BranchSpending, Ledger
from pitree.session.manager.manager import SessionManager
from pitree.session.reading.usage import Usage
from pitree.text.figures import counted, money, tokens
from pitree.text.sanitize import visible
from pitree.ui.windows.table_window import TableRow

_BRANCHES = 200
"""Most branches listed, the dearest first."""
COLUMNS = ("in", "out", "cache", "cache write", "tokens", "cost")


def money_rows(session: SessionManager, ledger: Ledger, index: int) -> list[TableRow]:
    """The rows: what the entry and its branch cost, the file and what is in it, models, branches."""
    stats = session.stats()
    path = session.branch_indexes(index)
    leaf_path = session.branch_indexes(session.leaf_index)
    whole = stats.usage
    rows = [TableRow("Here", COLUMNS, tone="heading")]
    rows.append(_row("this entry", ledger.of(index), index))
    rows.append(_row(f"from the root to here, {counted(len(path), 'entry', 'entries')}", ledger.sum(path)))
    rows += [TableRow(), TableRow("Whole file", tone="heading")]
    rows.append(_row(f"all of it, {counted(len(session.table), 'entry', 'entries')}", whole))
    rows.append(_row("the branch to the leaf", ledger.sum(leaf_path), session.leaf_index))
    on_leaf_path = bytearray(len(ledger))
    for place in leaf_path:
        if place < len(on_leaf_path):
            on_leaf_path[place] = 1
    left = ledger.sum(place for place in range(len(ledger)) if not on_leaf_path[place])
    if left.total or left.cost:
        rows.append(_row("abandoned branches", left))
    for words, kinds in (
        ("compactions", (Kind.COMPACTION,)),
        ("branch summaries", (Kind.BRANCH_SUMMARY,)),
        ("tools", (Kind.TOOL_RESULT,)),
        ("outside the conversation", (Kind.USAGE,)),
    ):
        used = ledger.of_kind(*kinds)
        if used.total or used.cost:
            rows.append(_row(words, used))
    models = stats.by_model()
    if models:
        rows += [TableRow(), TableRow("Models", tone="heading")]
        rows += [_row(visible(model), used) for model, used in models]
    branches = ledger.branches()
    if len(branches) > 1:
        rows += [TableRow(), TableRow(f"Branches, {len(branches):,}", _BRANCH_COLUMNS, tone="heading")]
        rows += [_branch(session, end) for end in branches[:_BRANCHES]]
        if len(branches) > _BRANCHES:
            rows.append(TableRow(f"… and {len(branches) - _BRANCHES:,} more", tone="dim"))
    return rows


_BRANCH_COLUMNS = ("", "", "entries", "own", "tokens", "cost")


def _row(text: str, usage: Usage, target: int | None = None) -> TableRow:
    counts = (usage.input, usage.output, usage.cache_read, usage.cache_write, usage.total)
    return TableRow(text, (*map(tokens, counts), money(usage.cost)), target)


def _branch(session: SessionManager, end: BranchSpending) -> TableRow:
    """A branch, named by the last thing said on it."""
    table = session.table
    said = end.tip
    while said >= 0 and table.kinds[said] not in _SAYS:
        said = table.parents[said]
    shown = said if said >= 0 else end.tip
    figures = ("", "", f"{end.entries:,}", money(end.own_cost), tokens(end.tokens), money(end.cost))
    leaf = "◆ " if end.tip == session.leaf_index else ""
    return TableRow(leaf + row_line(session.table, shown), figures, end.tip)


_SAYS = frozenset({Kind.USER, Kind.ASSISTANT, Kind.BASH, Kind.CUSTOM_MESSAGE, Kind.BRANCH_SUMMARY})
