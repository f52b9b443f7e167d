"""What a reader does with a part: copy it, open its file, see its image."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message

from pitree.entry.parts import Part
from pitree.entry.parts.model import FilePlace, Picture
from pitree.ui.entry.pane.finding_view import FindingView

if TYPE_CHECKING:
    from pitree.entry.parts.copying import Copyable


class ReadingView(FindingView):
    """Parts whose texts, files and images can be taken along. It says what is wanted; others do it."""

    class CopyRequested(Message):
        """The reader wants this text copied; it is raw text of the file."""

        def __init__(self, view: ReadingView, text: str) -> None:
            super().__init__()
            self.view = view
            self.text = text

        @property
        def control(self) -> ReadingView:
            return self.view

    class CopyChoice(Message):
        """The reader wants one of several texts copied."""

        def __init__(self, view: ReadingView, choices: list[Copyable]) -> None:
            super().__init__()
            self.view = view
            self.choices = choices

        @property
        def control(self) -> ReadingView:
            return self.view

    class FileRequested(Message):
        """The reader wants to open a file that a part names, or to copy its path.

        Attributes:
            place: the file as the session names it; None if no part here names one.
            copy: whether the path is to be copied.
        """

        def __init__(self, view: ReadingView, place: FilePlace | None, copy: bool) -> None:
            super().__init__()
            self.view = view
            self.place = place
            self.copy = copy

        @property
        def control(self) -> ReadingView:
            return self.view

    class PictureRequested(Message):
        """The reader wants to see an image; None if there is none here.

        Attributes:
            here: whether in this terminal, rather than in the system's viewer.
        """

        def __init__(self, view: ReadingView, picture: Picture | None, here: bool) -> None:
            super().__init__()
            self.view = view
            self.picture = picture
            self.here = here

        @property
        def control(self) -> ReadingView:
            return self.view

    def action_copy_part(self) -> None:
        """Copy the current part, or ask which of its texts."""
        from pitree.entry.parts.copying import copyables

        part = self.current_part
        if part is None:
            return
        choices = copyables(part)
        if len(choices) == 1:
            self.post_message(self.CopyRequested(self, choices[0].text))
        else:
            self.post_message(self.CopyChoice(self, choices))

    def action_copy_path(self) -> None:
        """Copy the path of the file that the current part names, or the first one here."""
        self.post_message(self.FileRequested(self, self._place(), copy=True))

    def action_open_file(self) -> None:
        """Open that file."""
        self.post_message(self.FileRequested(self, self._place(), copy=False))

    def action_view_picture(self, here: bool = False) -> None:
        """See the current image, or the first one there is, in the system's viewer or in this terminal."""
        picture = next((part.picture for part in self._nearest() if part.picture), None)
        self.post_message(self.PictureRequested(self, picture, here))

    def _place(self) -> FilePlace | None:
        return next((part.place for part in self._nearest() if part.place is not None), None)

    def _nearest(self) -> list[Part]:
        """The current part with what is in it, then all others."""
        here = self.current_part
        found: list[Part] = []
        waiting = [*reversed(self._parts), *([here] if here is not None else [])]
        while waiting:
            part = waiting.pop()
            found.append(part)
            waiting += reversed(part.children)
        return found
