"""Starring and archiving, sessions and branches: kept beside pitree's other choices, never in a session."""

from __future__ import annotations

from pitree.state.shelf_edits import ShelfChange, set_archived, set_branches, set_star
from pitree.state.stars_and_archive import Shelf
from pitree.ui.main.edit.edits import Edits
from pitree.ui.main.host import Controller, Host


class ShelfEdits(Controller):
    """`*` and `A`, in the list and in the tree.

    Each turns what holds when its turn comes, so that a key pressed twice leaves everything as it was.
    """

    def __init__(self, host: Host, edits: Edits, shelf: Shelf) -> None:
        super().__init__(host)
        self._shelve = edits.shelve
        self._shelf = shelf

    def action_star(self) -> None:
        if (meant := self._meant()) is not None:
            self._shelve(lambda: set_star(self._shelf, *meant, not self._shelf.of(*meant).starred))

    def action_archive_session(self) -> None:
        if (meant := self._meant()) is not None:
            self._shelve(lambda: set_archived(self._shelf, *meant, not self._shelf.of(*meant).archived))

    def action_archive_branch(self) -> None:
        opened, index = self.opened, self.entry_index
        if opened is None or index < 0:
            return
        if opened.provisional:
            self.app.report("The session is still loading; try again in a moment", warning=True)
            return
        outline, ids = opened.outline, opened.session.table.ids
        meant = opened.session.get_session_id(), str(opened.path)
        starts = outline.archived_from(index)
        if not starts:
            starts = [outline.branch_start(index)]
            if outline.is_on_path(starts[0]):
                self.app.report(
                    ("Not archived: this is the branch of the leaf. Move the leaf to another branch first"),
                    warning=True,
                )
                return
        branches = [ids[start] for start in starts]

        def turn() -> ShelfChange:
            archived = self._shelf.of(*meant).branches
            if restored := [branch for branch in branches if branch in archived]:
                return set_branches(self._shelf, *meant, restore=restored)
            return set_branches(self._shelf, *meant, archive=branches)

        self._shelve(turn)

    def _meant(self) -> tuple[str, str] | None:
        """Id and file of the session meant: the one under the cursor of the list, else the one shown."""
        if (listed := self.host.listed_session) is not None:
            return listed.id, listed.path
        opened = self.opened
        return (opened.session.get_session_id(), str(opened.path)) if opened is not None else None
