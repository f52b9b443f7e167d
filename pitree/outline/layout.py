"""Where rows stand: the visible parts of segments, in display order, with indents, connectors and folds.

The rules are those of Pi's /tree: what is visible hangs on its nearest visible ancestor; children of a branch
point are indented by one, and so is the first generation below them; several roots are children of a root
that is not drawn.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Collection, Sequence

from pitree.outline.fenwick import RowCounts
from pitree.outline.segments import Segment, SegmentTree, by_time, place

MAX_GUIDE_LEVELS = 100
"""Levels of guides drawn left of a row at most."""

CELLS_A_LEVEL = 3


class RowBlock:
    """The visible rows of one segment: each is the only visible child of the one before.

    Attributes:
        segment: where the rows come from.
        rows: entry indexes, from the top.
        above: the block whose last row is the visible parent of the first row here; None at the top.
        first_child, last_child, children: the blocks that hang on the last row: the ends, and how many.
        slot: place in display order.
        indent: indent of the first row, as Pi counts it.
        rest_indent: indent of the other rows.
        connector: whether the first row is drawn with a connector.
        is_last: whether the first row is the last among its siblings.
        closed: whether the last row is folded, so that nothing below it is shown.
        hidden: rows that this fold hides.
    """

    __slots__ = (
        "above",
        "children",
        "closed",
        "connector",
        "first_child",
        "hidden",
        "indent",
        "is_last",
        "last_child",
        "rail",
        "rest_indent",
        "rows",
        "segment",
        "slot",
    )

    def __init__(self, segment: Segment, rows: array[int], above: RowBlock | None, slot: int) -> None:
        self.segment = segment
        self.rows = rows
        self.above = above
        self.slot = slot
        self.children = 0
        self.first_child: RowBlock | None = None
        self.last_child: RowBlock | None = None
        self.indent = self.rest_indent = 0
        self.connector = self.is_last = self.closed = False
        self.hidden = 0
        self.rail: RowBlock | None = None  # the nearest block further up whose first row has a connector

    def place_of(self, index: int) -> int | None:
        """Which row of the block an entry is; None if it is none."""
        found = place(self.rows, index, self.segment.ascending)
        return found if found < len(self.rows) and self.rows[found] == index else None

    def rows_up_to(self, index: int) -> int:
        """How many rows are the given entry of the segment, or stand above it."""
        segment = self.segment
        if segment.ascending:
            return bisect_right(self.rows, index)
        return len(set(self.rows).intersection(segment.entries[: segment.position(index) + 1]))


def display_order(tree: SegmentTree, on_path: bytes | bytearray, by_time_only: bool) -> list[Segment]:
    """All segments in the order of their rows: depth first, at each branch point by time.

    Args:
        tree: the segments.
        on_path: by segment number, whether it lies on the path to the leaf. Such a segment goes before its
            siblings, and among roots, which are in file order otherwise.
        by_time_only: order by time alone, roots too.
    """
    times = tree.table.times
    order = []
    roots = by_time(tree.roots, times) if by_time_only else _path_first(tree.roots, on_path)
    stack = roots[::-1]
    while stack:
        segment = stack.pop()
        order.append(segment)
        if segment.children:
            children = segment.children_by_time(times)
            if not by_time_only and on_path[segment.number]:
                children = _path_first(children, on_path)
            stack.extend(reversed(children))
    return order


def _path_first(siblings: list[Segment], on_path: bytes | bytearray) -> list[Segment]:
    for segment in siblings:
        if on_path[segment.number]:
            return [segment, *(other for other in siblings if other is not segment)]
    return siblings


class RowLayout:
    """The blocks of an outline.

    Args:
        tree: the segments.
        order: them in display order.
        rows: the visible entries of each segment, by number, whatever is folded.
        folds: entries whose rows are folded; those that are not visible count for nothing.

    Attributes:
        blocks: in display order.
        several_roots: whether more than one row has no visible parent.
        counts: rows of the blocks.
    """

    def __init__(
        self,
        tree: SegmentTree,
        order: Sequence[Segment],
        rows: Sequence[array[int]],
        folds: Collection[int] = (),
    ) -> None:
        self._block_of: list[RowBlock | None] = [None] * len(tree.segments)
        self._above: list[RowBlock | None] = [None] * len(tree.segments)
        self.blocks: list[RowBlock] = []
        self._collect(order, rows, _cuts(tree, rows, folds))
        self.several_roots = sum(block.above is None for block in self.blocks) > 1
        self._indent()
        self.counts = RowCounts(len(block.rows) for block in self.blocks)

    def block_of(self, segment: Segment) -> RowBlock | None:
        """The block with a segment's rows; None if none is shown."""
        return self._block_of[segment.number]

    def above(self, segment: Segment) -> RowBlock | None:
        """The block on whose last row the rows of a segment hang, or would hang; or whose fold hides them."""
        return self._above[segment.number]

    def _collect(self, order: Sequence[Segment], rows: Sequence[array[int]], cuts: dict[int, int]) -> None:
        """Make the blocks and hang them on each other."""
        block_of, above_of, blocks = self._block_of, self._above, self.blocks
        for segment in order:
            number = segment.number
            parent = segment.parent
            shown = rows[number]
            above = None
            if parent is not None:
                above = block_of[parent.number] or above_of[parent.number]
                if above is not None:
                    above_of[number] = above
                    if above.closed:
                        above.hidden += len(shown)
                        continue
            if not shown:
                continue
            block = RowBlock(segment, shown, above, len(blocks))
            if number in cuts:
                block.closed = True
                block.rows = shown[: cuts[number]]
                block.hidden = len(shown) - len(block.rows)
            if above is not None:
                if above.first_child is None:
                    above.first_child = block
                above.last_child = block
                above.children += 1
            block_of[number] = block
            blocks.append(block)

    def _indent(self) -> None:
        last_root = next((block for block in reversed(self.blocks) if block.above is None), None)
        for block in self.blocks:
            above = block.above
            if above is None:
                block.is_last = block is last_root
                branched = self.several_roots
                block.indent = int(branched)
            else:
                block.is_last = above.last_child is block
                block.rail = above if above.connector else above.rail
                branched = block.connector = above.children > 1
                if branched:
                    block.indent = (above.indent if len(above.rows) == 1 else above.rest_indent) + 1
                else:
                    block.indent = above.rest_indent
            block.rest_indent = block.indent + 1 if branched and block.indent else block.indent

    def display_indent(self, indent: int) -> int:
        """Levels drawn before a row: several roots stand at the margin, not one level in."""
        return max(0, indent - 1) if self.several_roots else indent

    def guides(self, block: RowBlock, row: int, fold_mark: str, first_level: int = 0) -> tuple[str, int]:
        """The lines drawn left of a row, three cells a level, and the level that they start at.

        Args:
            block: the block of the row.
            row: its place in the block.
            fold_mark: what is in the row's own connector.
            first_level: leave out the levels before this one; of the rest the last 100 are drawn.
        """
        shift = int(self.several_roots)
        levels = self.display_indent(block.rest_indent if row else block.indent)
        first = max(first_level, levels - MAX_GUIDE_LEVELS)
        if levels <= first:
            return "", first
        cells = ["   "] * (levels - first)
        rail = block.rail
        if block.connector:
            if row:
                rail = block
            else:
                cells[-1] = f"{'└' if block.is_last else '├'}{fold_mark} "
        while rail is not None:
            level = rail.indent - shift - 1
            if level < first:
                break
            if not rail.is_last:
                cells[level - first] = "│  "
            rail = rail.rail
        return "".join(cells), first


def _cuts(tree: SegmentTree, rows: Sequence[array[int]], folds: Collection[int]) -> dict[int, int]:
    """Number of a segment with a folded row → rows of it that stay."""
    cuts: dict[int, int] = {}
    for index in folds:
        segment = tree.segment_of(index)
        shown = rows[segment.number]
        found = place(shown, index, segment.ascending)
        if found < len(shown) and shown[found] == index:
            cuts[segment.number] = min(found + 1, cuts.get(segment.number, found + 1))
    return cuts
