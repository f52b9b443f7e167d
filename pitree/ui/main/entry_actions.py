"""What the main screen does for the entry shown: finding in it, copying of it, its files and images."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual import on
from textual.app import ComposeResult

from pitree.query.language.query import Query
from pitree.session.format.entry_type import Kind
from pitree.ui.app.programs import run_on_terminal, suspended, wait_for_enter
from pitree.ui.entry import DetailPane
from pitree.ui.main.arrangement import Page
from pitree.ui.main.browse import BrowseScreen
from pitree.ui.toolkit.background import in_thread
from pitree.ui.toolkit.search_box import SearchBox
from pitree.ui.tree.tree_pane import TreePane
from pitree.workers.programs import ProgramError

if TYPE_CHECKING:
    from pitree.entry.parts.copying import Copyable
    from pitree.entry.parts.model import FilePlace
    from pitree.ui.app.app import PitreeApp


class EntryScreen(BrowseScreen):
    """Does what the detail pane asks for."""

    app: PitreeApp

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.find_box = SearchBox('words, "a phrase" or re:pattern, in this entry', id="find")

    def compose(self) -> ComposeResult:
        for widget in super().compose():
            if widget is self.footer:
                yield self.find_box
            yield widget

    # -- images -----------------------------------------------------------------------------------

    def on_mount(self) -> None:
        # Another program may have had the terminal meanwhile, which then forgets what it was sent.
        self.app.app_resume_signal.subscribe(self, lambda _: self._send_images_again())

    def _send_images_again(self) -> None:
        from pitree.ui.entry.styling import image_drawing

        if image_drawing.send is not None:
            self.detail_pane.redraw()

    def on_unmount(self) -> None:
        from pitree.ui.entry.styling import image_drawing

        image_drawing.forget()

    # -- finding ----------------------------------------------------------------------------------

    @on(DetailPane.FindRequested)
    def _find_requested(self) -> None:
        self.find_box.open()

    @on(SearchBox.Edited, "#find")
    def _find_edited(self, event: SearchBox.Edited) -> None:
        self.detail_pane.find(event.query)

    @on(SearchBox.Stepped, "#find")
    def _find_stepped(self, event: SearchBox.Stepped) -> None:
        self.detail_pane.action_hit(1 if event.step > 0 else -1)

    @on(SearchBox.Left, "#find")
    def _find_left(self) -> None:
        if not self.find_box.text:
            self.find_box.close()
        self.set_focus(self.detail_pane, scroll_visible=False)

    @on(DetailPane.HitsChanged)
    def _hits_changed(self) -> None:
        pane = self.detail_pane
        bad = pane.wanted is not None and bool(pane.wanted.error)
        self.find_box.show_found(pane.hits_words if pane.finding else "", bad=bad)

    def action_back(self) -> None:
        if self.page is Page.DETAIL and self.detail_pane.finding:
            self.find_box.text = ""
            self.find_box.close()
            self.detail_pane.find("")
        else:
            super().action_back()

    @on(TreePane.KeysChanged)
    def _tree_query_changed(self) -> None:
        """What the tree is searched for is lit in the entry too."""
        self.detail_pane.light(Query.parse(self.tree_pane.search_box.text))

    # -- going from message to message --------------------------------------------------------------

    def action_user(self, step: int) -> None:
        """Put the tree's cursor on the next or previous row with a message of the user."""
        outline, row = self.tree_pane.outline, self.tree_pane.rows.cursor
        if outline is None or self.opened is None:
            return
        kinds = self.opened.session.table.kinds
        row += step
        while 0 <= row < len(outline):
            if kinds[outline.index_at(row)] == Kind.USER:
                self.tree_pane.rows.move_cursor(row)
                return
            row += step
        self.app.report(f"No user message {'below' if step > 0 else 'above'}")

    # -- taking along -----------------------------------------------------------------------------

    @on(DetailPane.CopyChoice)
    def _copy_choice(self, event: DetailPane.CopyChoice) -> None:
        from pitree.ui.toolkit.choice_window import Choice, ChoiceResult, ChoiceWindow

        choices: dict[str, Copyable] = {str(at): one for at, one in enumerate(event.choices)}

        def chosen(answer: ChoiceResult | None) -> None:
            if answer is None:
                return
            copyable = choices[answer.id]
            if copyable.make is None:
                self.app.copy_text(copyable.text)
            else:
                in_thread(self.app, "copy", partial(self._copy_made, copyable.make), group="copy")

        listed = [Choice(key, "", copyable.name) for key, copyable in choices.items()]
        self.app.push_screen(ChoiceWindow("Copy", [], listed), chosen)

    def _copy_made(self, make: Callable[[], str]) -> None:
        self.app.call_from_thread(self.app.copy_text, make())

    @on(DetailPane.FileRequested)
    def _file_requested(self, event: DetailPane.FileRequested) -> None:
        from pitree.entry.parts.files import resolved

        if event.place is None:
            self.app.report("This part names no file")
            return
        path = resolved(event.place.path, self.detail_pane.cwd)
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
                ended = run_on_terminal(self.app, command(words, path, place.line))
            except ProgramError as error:
                self.app.report(f"The editor {words[0]} {error}", warning=True)
            else:
                if ended.status:
                    self.app.report(f"The editor {words[0]} {ended.words}", warning=True)

    @on(DetailPane.PictureRequested)
    def _picture_requested(self, event: DetailPane.PictureRequested) -> None:
        if event.picture is None:
            self.app.report("This part has no image")
            return
        if event.here:
            self._show_large(event.picture.data)
            return
        from pitree.ui.app.image_viewer import show

        showing = partial(self._told, partial(show, event.picture.data))
        in_thread(self.app, "show the image", showing, group="pictures")

    def _show_large(self, data: str) -> None:
        """Print an image where the screen is, which stands aside until Enter."""
        from pitree.ui.entry.styling import image_drawing

        if not image_drawing.available():
            self.app.report("To draw images: pip install 'pitree[images]'", warning=True)
            return
        try:
            with suspended(self.app):
                image_drawing.show_large(data)
                wait_for_enter()
        except (image_drawing.NotDrawn, ProgramError, OSError) as reason:
            self.app.report(f"This image cannot be drawn: {reason}", warning=True)

    def _told(self, show: partial[str]) -> None:
        if problem := show():
            self.app.call_from_thread(self.app.report, problem, warning=True)
