"""The writing half of the main screen: what it changes, asked for, told and undoable."""

from __future__ import annotations

from pitree.ui.main.edit.delete_actions import DeleteActions
from pitree.ui.main.edit.label_actions import LabelActions
from pitree.ui.main.edit.leaf_actions import LeafActions
from pitree.ui.main.edit.shelf_actions import ShelfActions


class WritingScreen(LabelActions, LeafActions, DeleteActions, ShelfActions):
    """All writing actions; the browsing half implements what `WritingBase` leaves open."""
