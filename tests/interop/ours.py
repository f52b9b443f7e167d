"""What pitree makes of a session file, in the shape in which `oracle.mjs` tells what Pi makes of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pitree.outline.filters import FilterMode
from pitree.outline.outline import Outline
from pitree.outline.row_words import Row, row_text
from pitree.query.entries.text_store import TextStore
from pitree.session.format.nesting import Deep
from pitree.session.manager.manager import SessionManager
from pitree.session.reading.entry import Entry

PAGE = 20
"""Rows of a page: half of the 40 lines that `oracle.mjs` gives Pi's list."""


def places(entries: list[Entry]) -> list[int]:
    """Entries named by their place in the file."""
    return [entry.index for entry in entries]


def tree(sm: SessionManager) -> list[list[int]]:
    """Every entry and its depth, depth first."""
    order = []
    stack = [(node, 0) for node in reversed(sm.get_tree())]
    while stack:
        node, depth = stack.pop()
        order.append([node.entry.index, depth])
        stack.extend((child, depth + 1) for child in reversed(node.children))
    return order


def labels(sm: SessionManager) -> dict[str, Any]:
    """Labels by the place of the entry that carries them."""
    found = {}
    stack = sm.get_tree()
    while stack:
        node = stack.pop()
        stack.extend(node.children)
        if node.label is not None:
            found[str(node.entry.index)] = {"text": node.label, "time": node.label_timestamp}
    return found


def stats(sm: SessionManager) -> dict[str, Any]:
    """Session totals under the names of Pi's own statistics."""
    totals = sm.stats()
    counts, usage = totals.messages, totals.usage
    return {
        "userMessages": counts.get("user", 0),
        "assistantMessages": counts.get("assistant", 0),
        "toolCalls": totals.tool_calls,
        "toolResults": counts.get("toolResult", 0),
        "totalMessages": sum(counts.values()),
        "tokens": {
            "input": usage.input,
            "output": usage.output,
            "cacheRead": usage.cache_read,
            "cacheWrite": usage.cache_write,
            "total": usage.total,
        },
        "cost": usage.cost,
    }


def projection(sm: SessionManager) -> list[list[Any]]:
    """Source entry and roles of its messages, for each projected entry."""
    return [
        [projected.entry.index, [message.get("role") for message in projected.messages]]
        for projected in sm.build_session_projection().entries
    ]


SHOWN = 60
"""Levels of a value that `oracle.mjs` writes."""


def shallow(value: Any, levels: int = SHOWN) -> Any:
    """A value as far as `oracle.mjs` writes it."""
    if not isinstance(value, list | dict | Deep):
        return value
    if not levels:
        return "deep"
    if isinstance(value, list):
        return [shallow(member, levels - 1) for member in value]
    return {name: shallow(member, levels - 1) for name, member in value.items()}


def context(sm: SessionManager) -> Any:
    """Messages in full, thinking level and model."""
    made = sm.build_session_context()
    return shallow({"messages": made.messages, "thinkingLevel": made.thinking_level, "model": made.model})


SESSION_PROPERTIES: dict[str, Callable[[SessionManager], Any]] = {
    "id": SessionManager.get_session_id,
    "cwd": SessionManager.get_cwd,
    "name": SessionManager.get_session_name,
    "parent": lambda sm: sm.get_header().get("parentSession"),
    "entries": SessionManager.get_entry_count,
    "leaf": lambda sm: sm.leaf_index if sm.leaf_index >= 0 else None,
    "tree": tree,
    "labels": labels,
    "branch": lambda sm: places(sm.get_branch()),
    "contextEntries": lambda sm: places(sm.build_context_entries()),
    "projection": projection,
    "context": context,
    "stats": stats,
}
"""Key of Pi's answer → what gives pitree's."""


class Walker:
    """Follows Pi's keys in the outline, as the tree pane does: a cursor that is a row, kept on its entry."""

    def __init__(self, sm: SessionManager) -> None:
        self.outline = Outline(sm)
        self.row = self.outline.initial_row
        self.remembered = self._entry()

    def _entry(self) -> int:
        return self.outline.index_at(self.row) if self.row >= 0 else -1

    def press(self, key: str) -> list[int | None]:
        """Press a key; return the selected entry and the number of rows."""
        outline, last = self.outline, len(self.outline) - 1
        match key:
            case "up" | "down" | "page-up" | "page-down" | "fold" | "unfold" if last < 0:
                pass
            case "up":
                self.row = last if self.row == 0 else self.row - 1
            case "down":
                self.row = 0 if self.row == last else self.row + 1
            case "page-up":
                self.row = max(0, self.row - PAGE)
            case "page-down":
                self.row = min(last, self.row + PAGE)
            case "fold":
                self.row = outline.fold_or_up(self.row)
            case "unfold":
                self.row = outline.unfold_or_down(self.row)
            case "cycle-forward":
                self._filter(outline.filter.next())
            case "default":
                self._filter(FilterMode.DEFAULT)
            case _:
                self._filter(outline.filter.toggled(FilterMode(key)))
        return [self._entry() if self.row >= 0 else None, len(self.outline)]

    def _filter(self, mode: FilterMode) -> None:
        self.remembered = self._entry() if self.row >= 0 else self.remembered
        self.outline.set_filter(mode)
        self.row = self.outline.nearest_row(self.remembered)


def rows(sm: SessionManager, mode: str) -> list[Row]:
    """The rows of a filter."""
    return list(Outline(sm, FilterMode(mode)).rows())


def raw_text(sm: SessionManager, row: Row) -> str:
    """A row's text before it is made safe to show: that is what Pi draws."""
    body = sm.table.texts[row.index].decode()
    text = row_text(row.kind, row.flags, body)
    return text.prefix + text.text + text.suffix


def front(sm: SessionManager, row: Row) -> str:
    """What stands before a row's text, the label as it stands in the file."""
    label = sm.labels.get(sm.table.ids[row.index])
    fold = "⊞ " if row.fold == "closed" and not row.connector else ""
    return f"{row.guides}{fold}{'• ' if row.on_path else ''}{f'[{label.text}] ' if label else ''}"


def hits(sm: SessionManager, texts: TextStore, mode: str, query: str) -> list[int]:
    """The entries a query leaves in a filter."""
    outline = Outline(sm, FilterMode(mode), texts=texts)
    outline.set_query(query)
    return [outline.index_at(row) for row in range(len(outline))]
