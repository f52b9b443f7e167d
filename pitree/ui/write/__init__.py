"""The writing half of the main screen: what it changes, asked for, told and undoable."""

from __future__ import annotations

from pitree.ui.write.deletes import DeleteActions
from pitree.ui.write.labels import LabelActions
from pitree.ui.write.leaf import LeafActions
from pitree.ui.write.shelf import ShelfActions


class WritingScreen(LabelActions, LeafActions, DeleteActions, ShelfActions):
    """All writing actions; the browsing half implements what `WritingBase` leaves open."""
