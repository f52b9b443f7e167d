"""Children in Pi's order, and the session as a tree of nodes."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cmp_to_key

from pitree.session.reading.entry import Entry
from pitree.session.reading.entry_table import EntryTable
from pitree.session.reading.reader import Label


@dataclass(slots=True, eq=False)
class TreeNode:
    """An entry with its children, oldest first.

    Attributes:
        entry: the entry.
        children: nodes of the entries whose parent it is.
        label: its label, if any.
        label_timestamp: ISO time at which the label was set.
    """

    entry: Entry
    children: list[TreeNode] = field(default_factory=list)
    label: str | None = None
    label_timestamp: str | None = None


def sort_by_time(indexes: list[int], table: EntryTable) -> None:
    """Sort siblings by entry time, oldest first, in place and stable.

    A time that cannot be read compares equal to every other, as in Pi.
    """
    times = table.times
    if any(math.isnan(times[index]) for index in indexes):

        def compare(a: int, b: int) -> int:
            difference = times[a] - times[b]
            return 0 if math.isnan(difference) else (difference > 0) - (difference < 0)

        indexes.sort(key=cmp_to_key(compare))
    else:
        indexes.sort(key=times.__getitem__)


def roots_and_children(table: EntryTable) -> tuple[list[int], dict[int, list[int]]]:
    """Roots in file order, and for each entry that has children their indexes, oldest first."""
    roots: list[int] = []
    children: dict[int, list[int]] = {}
    for index, parent in enumerate(table.parents):
        if parent < 0:
            roots.append(index)
        elif parent in children:
            children[parent].append(index)
        else:
            children[parent] = [index]
    for siblings in children.values():
        if len(siblings) > 1:
            sort_by_time(siblings, table)
    return roots, children


def build_tree(table: EntryTable, labels: dict[str, Label], entry: Callable[[int], Entry]) -> list[TreeNode]:
    """The session as nodes: its roots in file order, children sorted by time. Linear, without recursion."""
    roots, children = roots_and_children(table)
    nodes = []
    for index in range(len(table)):
        label = labels.get(table.ids[index])
        node = TreeNode(entry(index))
        if label is not None:
            node.label, node.label_timestamp = label.text, label.time
        nodes.append(node)
    for parent, siblings in children.items():
        nodes[parent].children = [nodes[index] for index in siblings]
    return [nodes[index] for index in roots]
