"""What a thread that searches a session tells the tree pane."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from pitree.ui.tree_pane import TreePane


class QueryAnswered(Message):
    """A thread has looked for this query; showing its hits takes no time now."""

    def __init__(self, pane: TreePane, query: str) -> None:
        super().__init__()
        self.pane = pane
        self.query = query
