"""Which session was made from which: forks and the runs of subagents under their parents."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from pitree.catalog.info.session_info import SessionInfo


@dataclass(slots=True, eq=False)
class Node:
    """A session among others.

    Attributes:
        info: the session.
        latest: time of the newest message in it and in all below it, in ms.
        above: the session it was made from, if that is among them.
        children: those made from it, the one with the newest message first.
        below: how many sessions hang on it, at any depth.
    """

    info: SessionInfo
    latest: int
    above: Node | None = None
    children: list[Node] = field(default_factory=list)
    below: int = 0


@dataclass(slots=True)
class Forest:
    """Sessions and those they were made from.

    Attributes:
        roots: the sessions that hang on no other one, the thread with the newest message first.
        nodes: all, each before those below it.
    """

    roots: list[Node]
    nodes: list[Node]


def forest(infos: Iterable[SessionInfo], real_path: Callable[[str], str]) -> Forest:
    """Hang sessions on their parents, told by the real paths of their files.

    A session whose parent is not among them is a root, and so is one of each ring of sessions that name each
    other as parents.
    """
    nodes = {real_path(info.path): Node(info, info.modified) for info in infos}
    roots: list[Node] = []
    for node in nodes.values():
        parent = node.info.parent_session
        above = nodes.get(real_path(parent)) if parent else None
        if above is None or above is node:
            roots.append(node)
        else:
            above.children.append(node)
            node.above = above
    order = _below(roots)
    if len(order) < len(nodes):
        seen = set(map(id, order))
        for node in nodes.values():
            if id(node) in seen:
                continue
            climbed: set[int] = set()
            while id(node) not in climbed and node.above is not None:
                climbed.add(id(node))
                node = node.above
            if node.above is not None:
                node.above.children.remove(node)
                node.above = None
            roots.append(node)
            seen.update(map(id, _below([node])))
        order = _below(roots)
    for node in reversed(order):
        if node.above is not None:
            node.above.latest = max(node.above.latest, node.latest)
            node.above.below += node.below + 1
    for node in order:
        node.children.sort(key=lambda child: -child.latest)
    roots.sort(key=lambda root: -root.latest)
    return Forest(roots, order)


def _below(roots: list[Node]) -> list[Node]:
    """All nodes under some, themselves included, each before those under it."""
    order = list(roots)
    for node in order:
        order.extend(node.children)
    return order
