"""Columns with figures in the tree."""

from __future__ import annotations

from pitree.config import table
from pitree.ui.main.inspect.inspect_base import ReadingBase


class ColumnActions(ReadingBase):
    """`i`, and the columns that the settings want from the start."""

    def on_mount(self) -> None:
        if self.app.options.config[table.COLUMNS]:
            self.action_columns()

    def action_columns(self) -> None:
        from pitree.ui.tree.tree_columns import TreeColumns

        rows, wanted = self.tree_rows, self.app.options.config[table.COLUMNS]
        if rows.columns is None:
            rows.show_columns(
                TreeColumns(lambda: self.opened.session if self.opened is not None else None, wanted)
            )
        else:
            rows.show_columns(None)
