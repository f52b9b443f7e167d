"""What a session cost: messages counted and usage added up over the whole file, dead branches included."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import reduce
from itertools import compress
from operator import add
from typing import TYPE_CHECKING, Any

from pitree.session.format.entry_summary import tool_calls

if TYPE_CHECKING:
    from pitree.session.reading.column_block import ColumnBlock


def _number(value: Any) -> float | int:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else 0


@dataclass(slots=True)
class Usage:
    """Tokens and money. `reasoning` is inside output and `cacheWrite1h` inside cacheWrite: never added."""

    input: int | float = 0
    output: int | float = 0
    cache_read: int | float = 0
    cache_write: int | float = 0
    cost: float = 0.0
    """US dollars."""

    @property
    def total(self) -> int | float:
        """All tokens: input, output, cache read and cache write."""
        return self.input + self.output + self.cache_read + self.cache_write

    def add(self, usage: Any) -> None:
        """Add one `usage` object of a record; what is not an object or no number counts as nothing."""
        try:
            spent, given, got = usage["cost"]["total"] + 0.0, usage["input"] + 0, usage["output"] + 0
            read, written = usage["cacheRead"] + 0, usage["cacheWrite"] + 0
        except (KeyError, TypeError):
            self._add_incomplete(usage)
            return
        self.cost += spent
        self.input += given
        self.output += got
        self.cache_read += read
        self.cache_write += written

    def _add_incomplete(self, usage: Any) -> None:
        if not isinstance(usage, dict):
            return
        self.input += _number(usage.get("input"))
        self.output += _number(usage.get("output"))
        self.cache_read += _number(usage.get("cacheRead"))
        self.cache_write += _number(usage.get("cacheWrite"))
        cost = usage.get("cost")
        if isinstance(cost, dict):
            self.cost += _number(cost.get("total"))


@dataclass(slots=True)
class SessionStats:
    """Session totals by the rules of Pi's own session statistics.

    Usage counts for assistant messages, tool results, `usage` entries, compactions and branch summaries.
    """

    entries: int = 0
    messages: dict[str, int] = field(default_factory=dict)
    """Message role → number of `message` entries."""
    tool_calls: int = 0
    usage: Usage = field(default_factory=Usage)
    models: dict[str, Usage] = field(default_factory=dict)
    """`provider/model`, or `TOOLS_AND_SUMMARIES` → what was used; see `usage_of`."""

    def by_model(self) -> list[tuple[str, Usage]]:
        """What each model used, the dearest first, as Pi's `getUsageCostBreakdown` lists it."""
        used = [item for item in self.models.items() if item[1].cost > 0 or item[1].total > 0]
        return sorted(used, key=lambda item: -item[1].cost)

    def add(self, record: dict[str, Any]) -> None:
        """Count one entry's record."""
        self.entries += 1
        entry_type = record.get("type")
        if entry_type == "message":
            message = record.get("message")
            if not isinstance(message, dict):
                return
            role = message.get("role")
            name = role if isinstance(role, str) else "?"
            self.messages[name] = self.messages.get(name, 0) + 1
            if role == "assistant":
                self.tool_calls += len(tool_calls(message.get("content")))
        key, usage = usage_of(record)
        if usage is not None:
            self.usage.add(usage)
            used = self.models.get(key)
            if used is None:
                used = self.models[key] = Usage()
            used.add(usage)

    def take(self, block: ColumnBlock) -> None:
        """Count the records of a block; each cost is added by itself, as the sum depends on their order."""
        self.entries += len(block)
        for role, count in block.messages.items():
            self.messages[role] = self.messages.get(role, 0) + count
        self.tool_calls += block.tool_calls
        for place, (model, tokens) in enumerate(zip(block.models, block.tokens, strict=True)):
            used = self.models.setdefault(model, Usage())
            for usage in (self.usage, used):
                usage.input += tokens[0]
                usage.output += tokens[1]
                usage.cache_read += tokens[2]
                usage.cache_write += tokens[3]
            costs: Iterable[float] = block.costs
            if len(block.models) > 1:
                costs = compress(block.costs, map(place.__eq__, block.payers))
            used.cost = reduce(add, costs, used.cost)
        self.usage.cost = reduce(add, block.costs, self.usage.cost)


TOOLS_AND_SUMMARIES = "Tools/summaries"
"""What usage counts under that no model is named with: of tools, compactions and branch summaries."""


def usage_of(record: dict[str, Any]) -> tuple[str, Any]:
    """What a record's usage counts under, and the usage; None for a record that has none.

    An answer counts under the model that gave it, which need not be the one that was asked.
    """
    entry_type = record.get("type")
    if entry_type == "message":
        message = record.get("message")
        if not isinstance(message, dict):
            return "", None
        role = message.get("role")
        if role == "assistant":
            model = message.get("responseModel")
            return model_key(message.get("provider"), message.get("model") if model is None else model), (
                message.get("usage")
            )
        return TOOLS_AND_SUMMARIES, message.get("usage") if role == "toolResult" else None
    if entry_type == "usage":
        return model_key(record.get("provider"), record.get("model")), record.get("usage")
    if entry_type in ("compaction", "branch_summary"):
        return TOOLS_AND_SUMMARIES, record.get("usage")
    return "", None


def model_key(provider: Any, model: Any) -> str:
    """What usage counts under that a model is named with."""
    if isinstance(provider, str) and isinstance(model, str):
        return f"{provider}/{model}"
    return "/".join(name if isinstance(name, str) else "?" for name in (provider, model))
