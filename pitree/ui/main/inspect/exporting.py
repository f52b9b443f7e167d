"""Exporting from the main screen: asks for the format and the file, writes in a thread."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from pitree.session.format.errors import SessionError
from pitree.text.figures import counted, size
from pitree.ui.main.host import Controller
from pitree.ui.toolkit.background import in_thread
from pitree.ui.toolkit.choice_window import Choice, ChoiceWindow

if TYPE_CHECKING:
    from pitree.entry.export import Format
    from pitree.session.manager.manager import SessionManager
    from pitree.ui.toolkit.choice_window import ChoiceResult

_FORMATS = (
    ("html", "export.html", "one HTML page, for any browser"),
    ("md", "export.md", "Markdown"),
    ("jsonl", "export.jsonl", "a new session, for Pi to open"),
)
"""Format, the action that chooses it, and what it is."""


class Exporting(Controller):
    """`E`."""

    def action_export(self) -> None:
        opened = self.loaded()
        if opened is None:
            return
        session, end = opened.session, self.entry_index
        entries = len(session.branch_indexes(end))

        def chosen(choice: ChoiceResult | None) -> None:
            if choice is not None:
                self._ask_file(session, end, choice.id)

        self.app.push_screen(
            ChoiceWindow(
                "Export",
                [f"The branch from the root to this entry, {counted(entries, 'entry', 'entries')}, as"],
                [Choice(form, action, words) for form, action, words in _FORMATS],
            ),
            chosen,
        )

    def _ask_file(self, session: SessionManager, end: int, form: str) -> None:
        from pitree.entry.export import Format, suggested_name
        from pitree.entry.export.saving import refusal
        from pitree.ui.toolkit.line_window import LineWindow

        kind = Format(form)
        agreed: set[Path] = set()

        def check(line: str) -> str | None:
            path = _path(line)
            if reason := refusal(path):
                return f"Cannot write there: {reason}."
            if path.exists() and path not in agreed:
                agreed.add(path)
                again = self.label_of("line.save")
                return f"This file exists. Press {again} again to replace it."
            return None

        def given(line: str | None) -> None:
            if line is not None:
                writing = partial(self._write_export, session, end, kind, _path(line))
                in_thread(self.host, "export the branch", writing, group="export")

        value = str(self.app.options.cwd / suggested_name(session, kind))
        self.app.push_screen(LineWindow("Export to", [], value=value, check=check), given)

    def _write_export(self, session: SessionManager, end: int, kind: Format, path: Path) -> None:
        from pitree.entry.export import ExportError, export, save

        try:
            written = save(path, export(session, end, kind))
        except (ExportError, SessionError) as error:
            self.app.call_from_thread(self.app.report, str(error), warning=True)
        else:
            self.app.call_from_thread(self.app.report, f"Exported to {path}, {size(written)}")


def _path(line: str) -> Path:
    return Path(os.path.abspath(os.path.expanduser(line.strip())))
