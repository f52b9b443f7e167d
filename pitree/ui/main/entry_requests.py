"""What the main screen does for the entry shown: finding in it, copying of it, its files and images."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from textual.widget import Widget

from pitree.entry.parts.copying import copy_text
from pitree.entry.parts.tools import resolved
from pitree.query.language.query import Query
from pitree.session.format.entry_type import Kind
from pitree.ui.app.programs import run_on_terminal, suspended, wait_for_enter
from pitree.ui.entry import DetailPane
from pitree.ui.entry.styling import image_drawing
from pitree.ui.main.arrangement import Page
from pitree.ui.main.host import Controller, Host
from pitree.ui.toolkit.background import in_thread
from pitree.ui.toolkit.choice_window import Choice, ChoiceResult, ChoiceWindow
from pitree.ui.toolkit.search_box import SearchBox
from pitree.workers.programs import ProgramError

if TYPE_CHECKING:
    from pitree.entry.parts.copying import Copyable
    from pitree.entry.parts.model import FilePlace


class EntryRequests(Controller):
    """Does what the detail pane asks for.

    Args:
        host: the screen.
        box: the line in which words in the entry are searched for.
        focus: gives a widget the focus.
    """

    def __init__(self, host: Host, box: SearchBox, focus: Callable[[Widget], None]) -> None:
        super().__init__(host)
        self._box = box
        self._focus = focus

    # -- images -----------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin to keep images on the screen."""
        # Another program may have had the terminal meanwhile, which then forgets what it was sent.
        self.host.app.app_resume_signal.subscribe(self.host, lambda _: self._send_images_again())

    def _send_images_again(self) -> None:
        if image_drawing.send is not None:
            self.panes.detail.redraw()

    def stop(self) -> None:
        """End with the screen."""
        image_drawing.forget()

    # -- finding ----------------------------------------------------------------------------------

    def find(self, query: str) -> None:
        """Search the entry as the reader types."""
        self.panes.detail.find(query)

    def leave_box(self) -> None:
        """Go from the box to the entry; an empty box closes."""
        if not self._box.text:
            self._box.close()
        self._focus(self.panes.detail)

    def show_hits(self) -> None:
        """Show beside the query how many matches there are."""
        pane = self.panes.detail
        bad = pane.wanted is not None and bool(pane.wanted.error)
        self._box.show_found(pane.hits_words if pane.finding else "", bad=bad)

    def end_finding(self) -> bool:
        """End a search in the entry that has the focus; whether there was one."""
        if self.host.page is not Page.DETAIL or not self.panes.detail.finding:
            return False
        self._box.text = ""
        self._box.close()
        self.panes.detail.find("")
        return True

    def light_tree_query(self) -> None:
        """What the tree is searched for is lit in the entry too."""
        self.panes.detail.light(Query.parse(self.panes.tree.search_box.text))

    # -- going from message to message --------------------------------------------------------------

    def action_user(self, step: int) -> None:
        """Put the tree's cursor on the next or previous row with a message of the user."""
        outline, row = self.panes.tree.outline, self.panes.tree.rows.cursor
        if outline is None or self.opened is None:
            return
        kinds = self.opened.session.table.kinds
        row += step
        while 0 <= row < len(outline):
            if kinds[outline.index_at(row)] == Kind.USER:
                self.panes.tree.rows.move_cursor(row)
                return
            row += step
        self.app.report(f"No user message {'below' if step > 0 else 'above'}")

    def copy_entry(self, index: int) -> None:
        """Copy an entry's text."""
        if self.opened is not None:
            self.app.copy_text(copy_text(self.opened.session, index))

    # -- taking along -----------------------------------------------------------------------------

    def copy_choice(self, event: DetailPane.CopyChoice) -> None:
        choices: dict[str, Copyable] = {str(at): one for at, one in enumerate(event.choices)}

        def chosen(answer: ChoiceResult | None) -> None:
            if answer is None:
                return
            copyable = choices[answer.id]
            if copyable.make is None:
                self.app.copy_text(copyable.text)
            else:
                in_thread(self.host.app, "copy", partial(self._copy_made, copyable.make), group="copy")

        listed = [Choice(key, "", copyable.name) for key, copyable in choices.items()]
        self.app.push_screen(ChoiceWindow("Copy", [], listed), chosen)

    def _copy_made(self, make: Callable[[], str]) -> None:
        self.app.call_from_thread(self.app.copy_text, make())

    def open_file(self, event: DetailPane.FileRequested) -> None:
        if event.place is None:
            self.app.report("This part names no file")
            return
        path = resolved(event.place.path, self.panes.detail.cwd)
        if event.copy:
            self.app.copy_text(path)
        else:
            self._edit(path, event.place)

    def _edit(self, path: str, place: FilePlace) -> None:
        """Open a file in the reader's editor, this program standing aside meanwhile."""
        from pitree.ui.app.editor import command, editor

        words = editor()
        try:
            there = Path(path).is_file()
            reason = f"{path} no longer exists" if not Path(path).exists() else f"{path} is not a file"
        except (OSError, ValueError):
            there, reason = False, f"{path} cannot be read"
        if not there:
            self.app.report(reason, warning=True)
        elif words is None:
            self.app.report("No editor: set the variable EDITOR", warning=True)
        else:
            try:
                ended = run_on_terminal(self.host.app, command(words, path, place.line))
            except ProgramError as error:
                self.app.report(f"The editor {words[0]} {error}", warning=True)
            else:
                if ended.status:
                    self.app.report(f"The editor {words[0]} {ended.words}", warning=True)

    def show_picture(self, event: DetailPane.PictureRequested) -> None:
        if event.picture is None:
            self.app.report("This part has no image")
            return
        if event.here:
            self._show_large(event.picture.data)
            return
        from pitree.ui.app.image_viewer import show

        showing = partial(self._told, partial(show, event.picture.data))
        in_thread(self.host.app, "show the image", showing, group="pictures")

    def _show_large(self, data: str) -> None:
        """Print an image where the screen is, which stands aside until Enter."""
        if not image_drawing.available():
            self.app.report("To draw images: pip install 'pitree[images]'", warning=True)
            return
        try:
            with suspended(self.host.app):
                image_drawing.show_large(data)
                wait_for_enter()
        except (image_drawing.NotDrawn, ProgramError, OSError) as reason:
            self.app.report(f"This image cannot be drawn: {reason}", warning=True)

    def _told(self, show: partial[str]) -> None:
        if problem := show():
            self.app.call_from_thread(self.app.report, problem, warning=True)
