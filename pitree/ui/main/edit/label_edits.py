"""Labels of entries and names of sessions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pitree.outline.row_words import row_line
from pitree.ui.main.edit.edits import Edits, quoted
from pitree.ui.main.host import Controller, Host


class LabelEdits(Controller):
    """`l` and `r`."""

    def __init__(self, host: Host, edits: Edits) -> None:
        super().__init__(host)
        self._edits = edits

    def action_label(self) -> None:
        session = self._edits.writable()
        index = self.entry_index
        if session is None or index < 0:
            return
        from pitree.ui.toolkit.line_window import LineWindow

        entry = session.entry(index)
        before = session.get_label(entry.id) or ""

        def given(label: str | None) -> None:
            if label is not None and label.strip() != before:
                self._edits.label_entry(session, entry.id, label)

        window = LineWindow(
            "Label", [(quoted(row_line(session.table, index)), "quote")], value=before, placeholder="no label"
        )
        self.app.push_screen(window, given)

    def action_rename(self) -> None:
        listed = self.host.listed_session
        if listed is not None and (self.opened is None or Path(listed.path) != self.opened.path):
            self._rename_listed(Path(listed.path), listed.name or "")
            return
        session = self._edits.writable()
        if session is not None:
            before = session.get_session_name() or ""
            self._ask_name(before, lambda name: self._edits.name_session(session, name))

    def _rename_listed(self, path: Path, before: str) -> None:
        if reason := self._edits.read_only_reason(path):
            self.app.report(f"Nothing was written: {reason}", warning=True)
            return

        def write(name: str) -> None:
            self._edits.open_quietly(path, lambda session: self._edits.name_session(session, name))

        self._ask_name(before, write)

    def _ask_name(self, before: str, write: Callable[[str], None]) -> None:
        from pitree.ui.toolkit.line_window import LineWindow

        def given(name: str | None) -> None:
            if name is not None and name.strip() != before:
                write(name)

        window = LineWindow("Session name", [], value=before, placeholder="no name")
        self.app.push_screen(window, given)
