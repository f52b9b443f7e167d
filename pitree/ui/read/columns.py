"""Columns with figures in the tree."""

from __future__ import annotations

from pitree.ui.read.base import ReadingBase


class ColumnActions(ReadingBase):
    """`i`."""

    def action_columns(self) -> None:
        from pitree.ui.tree_columns import TreeColumns

        rows = self.tree_rows
        if rows.columns is None:
            rows.show_columns(TreeColumns(lambda: self.opened.session if self.opened is not None else None))
        else:
            rows.show_columns(None)
