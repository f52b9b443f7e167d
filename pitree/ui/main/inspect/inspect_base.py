"""What the reading actions need of the main screen."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from textual.screen import Screen

from pitree.outline.row_words import row_text
from pitree.session.format.entry_type import Flag, Kind
from pitree.text.sanitize import visible

if TYPE_CHECKING:
    from pitree.session.manager.manager import SessionManager
    from pitree.ui.app.app import PitreeApp
    from pitree.ui.main.session_loading import OpenedSession
    from pitree.ui.tree.tree_rows import TreeRows


def row_words(session: SessionManager, index: int) -> str:
    """What the row of an entry says, safe."""
    table = session.table
    if table.kinds[index] == Kind.ASSISTANT_SILENT and table.flags[index] & Flag.CALLS:
        return "assistant: (tool calls)"
    body = table.texts[index].decode("utf-8", "replace")
    text = row_text(Kind(table.kinds[index]), table.flags[index], body)
    return visible(f"{text.prefix}{text.text}{text.suffix}")


class ReadingBase(Screen[None], inherit_bindings=False):
    """Says which session and entry are meant; the browsing half does so in its place."""

    app: PitreeApp

    @property
    def opened(self) -> OpenedSession | None:
        """The session shown."""
        raise NotImplementedError

    @property
    def entry_index(self) -> int:
        """Index of the entry under the cursor, -1 for none."""
        raise NotImplementedError

    @property
    def tree_rows(self) -> TreeRows:
        """The rows of the tree."""
        raise NotImplementedError

    def open_path(self, path: Path, entry_id: str | None = None) -> None:
        """Open a session, at an entry if one is given."""
        raise NotImplementedError

    def go_to_entry(self, index: int) -> None:
        """Put the cursor on an entry."""
        raise NotImplementedError

    def ready(self) -> OpenedSession | None:
        """The session shown, once it is whole and the cursor is on an entry; says so where it is not."""
        opened = self.opened
        if opened is None or self.entry_index < 0:
            self.app.report("No entry is selected", warning=True)
        elif opened.provisional:
            self.app.report("The session is still loading; try again in a moment", warning=True)
        else:
            return opened
        return None
