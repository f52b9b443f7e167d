"""Drawing the rows of the picker: a session's title, folder, message count and age, in columns."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from pitree.catalog.arranging import Heading, Row, SessionRow, SessionRows
from pitree.catalog.info.session_info import SessionInfo
from pitree.query.language.query import Query
from pitree.session.format.entry_summary import short_path
from pitree.session.manager.activity import Activity
from pitree.session.storage.open_files import FileId
from pitree.text.cells import cell_len, cut, pad, snap
from pitree.text.figures import DATE_STYLES, moment_or_age
from pitree.text.sanitize import visible
from pitree.ui.picker.activity_marks import IN_PI, SIGNS, in_use, mark_of
from pitree.ui.toolkit import keys
from pitree.ui.toolkit.line_list import LineList

if TYPE_CHECKING:
    from pitree.ui.picker.list_loader import RowsArranged

GUTTER = 3
"""Cells before the title: the cursor's sign, the sign of what the session is doing, a blank."""
TITLE_LEAST = 12
"""Cells below which no other column may press the title."""
PLACE_LEAST = 6
"""Cells below which a column of folders or paths says too little."""
WIDE = 44
"""Cells from which on a folder and the count of messages both have room."""
CELLS_A_LEVEL = 10
"""Cells of room for each level of a thread that is drawn; of deeper ones only the last."""
PI_PAGE = 10
"""Sessions that Pi's /resume shows at a time."""
TITLE_READ = 400
"""Characters of a title that are looked at; a first message can be long."""

STYLES = (
    "title",
    "first-message",
    "dim",
    "guides",
    "sign",
    "heading",
    "open",
    "gone",
    "hit",
    "folded",
    "star",
    *(state.value for state in SIGNS if state is not Activity.NONE),
)


@dataclass(frozen=True, slots=True)
class RowExtras:
    """What the rows show besides the sessions themselves.

    Attributes:
        folders: whether a column tells the working directory.
        paths: whether that column tells the file's path instead.
        query: what is searched for, to be marked in titles.
        gone: working directories that do not exist any more.
        open: path of the session that is open; empty when none is.
        in_use: the files that other processes have open for writing.
    """

    folders: bool = False
    paths: bool = False
    query: Query = field(default_factory=Query)
    gone: frozenset[str] = frozenset()
    open: str = ""
    in_use: frozenset[FileId] = frozenset()


class PickerRows(LineList):
    """The sessions, one a line.

    Args:
        clock: tells the time now in seconds since 1970, for the ages.
        date_style: how times are told, a key of `dates.DATE_STYLES`.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"picker-rows--{name}" for name in STYLES}

    def __init__(
        self, *, clock: Callable[[], float] = time.time, date_style: str = "age", id: str | None = None
    ) -> None:
        super().__init__(id=id)
        self._date_style = date_style
        self.sessions = SessionRows()
        self.shown = RowExtras()
        self.words_when_empty = ""
        self.moved_by_hand = False
        """Whether the reader has moved the cursor since the list was put up."""
        self.selected_path = ""
        """The session under the cursor; empty when there is none."""
        self._waited_for = ""
        self._asked: object = None
        self._clock = clock
        self._count_width = 1
        self._cwds: frozenset[str] = frozenset()
        self._folders: list[str] = []
        self._folder_widths: dict[int, int] = {}
        self._named: dict[str, Style] = {}

    @property
    def page_size(self) -> int:
        """As many rows as Pi's /resume shows, where keys are as in Pi."""
        return PI_PAGE if keys.table_of(self).typing else super().page_size

    @property
    def goes_around(self) -> bool:
        """Pi's /resume stays at the ends."""
        return not keys.table_of(self).typing

    def show(self, sessions: SessionRows, shown: RowExtras, cursor: int, *, live: bool = False) -> None:
        """Show these rows, with the cursor on one of them.

        Args:
            live: whether they are other rows only because sessions changed. Then what the reader looks at
                stays where it is: the row of the cursor, or if that is out of sight the first one in sight;
                at the top of the list, the top.
        """
        place = self._place() if live else None
        before, looked = self.sessions.rows, self.shown
        self.sessions, self.shown = sessions, shown
        same_looks = self._fit_columns() and looked == shown
        changed = _changed(before, sessions.rows) if live and same_looks and cursor == self.cursor else None
        if changed is not None:
            self.redraw(changed)
            return
        self.rows_changed(cursor, keep_screen_row=self.moved_by_hand and not live)
        if place is not None:
            self._restore(*place)

    def cursor_for(self, sessions: SessionRows, complete: bool) -> int:
        """Where the cursor belongs in other rows: on the session it is on, wherever that is now.

        A session that is not there yet is waited for. In place of one that is gone comes the one below it.

        Args:
            sessions: the rows to come.
            complete: whether these are all there are.
        """
        wanted = self._waited_for or self.selected_path
        row = sessions.row_of(wanted)
        if row is not None:
            self._waited_for = ""
            return row
        self._waited_for = "" if complete else wanted
        before = self.sessions
        for at in (*range(self.cursor, len(before)), *range(self.cursor - 1, -1, -1)):
            info = before.session(at)
            if info is not None and (row := sessions.row_of(info.path)) is not None:
                return row
        return self.cursor

    def cursor_in_place(self, arranged: RowsArranged) -> int | None:
        """Where Pi's /resume puts its cursor when something else is asked for: it stays at its place.

        Returns:
            The row; None if nothing else is asked for than before, or keys are not as in Pi.
        """
        request, before = arranged.request, self._asked
        asked = (request.query, request.sort, request.named_only)
        if not arranged.unread:
            self._asked = asked
        if request.live or before in (None, asked) or not keys.table_of(self).typing:
            return None
        return arranged.rows.row_at(self.sessions.place_of(self.cursor) if self.cursor >= 0 else 1)

    def start_over(self) -> None:
        """Forget where the reader was: other sessions are looked for."""
        self.moved_by_hand = False
        self._waited_for = ""
        if keys.table_of(self).typing:
            self.move_cursor(0)

    def _fit_columns(self) -> bool:
        """Fit the columns to the sessions; whether they are as wide as before."""
        infos = [row.info for row in self.sessions.rows if isinstance(row, SessionRow)]
        width = len(f"{max((info.message_count for info in infos), default=0):,}")
        cwds = frozenset(info.cwd for info in infos) if self.shown.folders else frozenset()
        if width == self._count_width and cwds == self._cwds:
            return True
        if cwds != self._cwds:
            self._cwds = cwds
            self._folders = [visible(short_path(folder)) for folder in cwds]
            self._folder_widths.clear()
        self._count_width = width
        return False

    def _place(self) -> tuple[int, bool, str, int]:
        """Where the reader is: first row in sight, is the cursor in sight, a session, its line on screen."""
        seen, top = self.visible_rows, self.scroll_offset.y
        in_sight = self.cursor in seen
        at = self.cursor if in_sight else next((row for row in seen if self.sessions.session(row)), -1)
        info = self.sessions.session(at)
        return top, in_sight, info.path if info is not None and top > 0 else "", at - top

    def _restore(self, top: int, in_sight: bool, path: str, line: int) -> None:
        row = self.sessions.row_of(path) if path else None
        self.scroll_to(y=top if row is None else row - line, animate=False, force=True)
        if in_sight:
            self.scroll_to_cursor()

    @property
    def selected(self) -> SessionInfo | None:
        """The session under the cursor."""
        return self.sessions.session(self.cursor)

    @property
    def now(self) -> float:
        """The time now, in ms since 1970."""
        return self._clock() * 1000

    def row_count(self) -> int:
        return len(self.sessions)

    def selectable(self, row: int) -> bool:
        return isinstance(self.sessions.rows[row], SessionRow)

    def empty_text(self) -> str:
        return self.words_when_empty

    def cannot_be_arranged(self, words: str) -> None:
        """Say in place of rows, where there are none, why they cannot be arranged."""
        if not len(self.sessions):
            self.words_when_empty = visible(words)
            self.refresh()

    def move_cursor(self, row: int, *, center: bool = False) -> None:
        self.moved_by_hand = True
        super().move_cursor(row, center=center)

    def cursor_settled(self) -> None:
        selected = self.selected
        self.selected_path = selected.path if selected is not None else ""

    # -- drawing ----------------------------------------------------------------------------------

    def render_row(self, row: int, width: int, selected: bool, focused: bool) -> Strip:
        named = self._named or self._name_styles()
        item = self.sessions.rows[row]
        if isinstance(item, Heading):
            return Strip([Segment(cut(" " + item.text, width), named["heading"])])
        right = self._right(item.info, width)
        room = width - GUTTER - cell_len(right)
        state = mark_of(item.info, self.now, self.shown.in_use)
        segments = [
            Segment("›" if selected else " ", named["sign"]),
            Segment(SIGNS[state] + " ", named["dim" if state is Activity.NONE else state.value]),
            *self._left(item, room, named),
        ]
        used = sum(cell_len(segment.text) for segment in segments)
        segments.append(Segment(" " * (width - used - cell_len(right)) + right, named["dim"]))
        return Strip(segments)

    def _left(self, item: SessionRow, room: int, named: dict[str, Style]) -> list[Segment]:
        """Guides, marks and title, in at most `room` cells."""
        info, shown = item.info, self.shown
        segments: list[Segment] = []

        def add(text: str, style: str) -> None:
            nonlocal room
            text = cut(text, room)
            room -= cell_len(text)
            segments.append(Segment(text, named[style]))

        if item.guides:
            levels = max(1, room // CELLS_A_LEVEL)
            add(item.guides if item.depth <= levels else "… " + item.guides[-3:], "guides")
        gone = info.cwd in shown.gone
        if info.path == shown.open:
            add("• ", "open")
        if gone:
            add("⚠ ", "gone")
        if item.starred:
            add("★ ", "star")
        if item.archived:
            add("⊖ ", "dim")
        after = f" +{item.folded}" if item.folded else ""
        title = title_of(info)
        words = " (folder gone)" if gone else f" ({IN_PI})" if in_use(info, shown.in_use) else ""
        words = " (archived)" if item.archived else words
        if cell_len(title) + len(words) + len(after) > room:
            words = ""
        title = cut(title, max(0, room - len(words) - len(after)))
        style = "open" if info.path == shown.open else "title" if info.name else "first-message"
        style = "dim" if item.archived else style
        for text, hit in _marked(title, shown.query):
            add(text, style)
            if hit:
                segments[-1] = Segment(text, named[style] + named["hit"])
        if words:
            add(words, "dim")
        if after:
            add(after, "folded")
        return segments

    def _right(self, info: SessionInfo, width: int) -> str:
        """The columns at the right: folder or path, messages, age. Narrow lists have fewer of them."""
        style = self._date_style if width >= WIDE else "age"
        age_text = " " + pad(moment_or_age(info.modified, self.now, style), DATE_STYLES[style], right=True)
        count = " " + pad(f"{info.message_count:,}", self._count_width, right=True)
        room = width - GUTTER - TITLE_LEAST - len(age_text)
        if not (self.shown.folders or self.shown.paths):
            return (count if room >= len(count) else "") + (age_text if room >= 0 else "")
        if self.shown.paths:
            most = place_width = min(room, width * 50 // 100)
            whole = short_path(info.path)
        else:
            most = min(room, width * 30 // 100)
            place_width = self._folder_width(most)
            whole = short_path(info.cwd)
        place = "  " + pad(fit_path(visible(whole), place_width), place_width) if most >= PLACE_LEAST else ""
        return place + (count if width >= WIDE or not place else "") + age_text

    def _folder_width(self, most: int) -> int:
        """Cells for the column of folders, at most so many: what the longest takes once it is fitted."""
        if most not in self._folder_widths:
            fitted = (cell_len(fit_path(folder, most)) for folder in self._folders)
            self._folder_widths[most] = max(fitted, default=0)
        return self._folder_widths[most]

    def _name_styles(self) -> dict[str, Style]:
        self._named = {name: self.style_of(f"picker-rows--{name}") for name in STYLES}
        return self._named

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._named = {}


def _changed(before: list[Row], now: list[Row]) -> list[int] | None:
    """Which rows show a session that changed; None if more has changed than that."""
    if len(before) != len(now):
        return None
    changed = []
    for at, (old, new) in enumerate(zip(before, now, strict=True)):
        if isinstance(old, SessionRow) and isinstance(new, SessionRow):
            if (old.info.path, old.guides, old.folded) != (new.info.path, new.guides, new.folded):
                return None
            if old.info is not new.info or (old.starred, old.archived) != (new.starred, new.archived):
                changed.append(at)
        elif old != new:
            return None
    return changed


def title_of(info: SessionInfo) -> str:
    """A session's title as one line that is safe to show."""
    return " ".join(visible(info.title[:TITLE_READ]).split()) or "(blank)"


def fit_path(path: str, width: int) -> str:
    """A path in at most `width` cells; of a longer one the end, from a folder's name on where that fits."""
    if cell_len(path) <= width:
        return path
    parts = path.replace("\\", "/").split("/")
    kept = parts.pop()
    while parts and cell_len(kept) + cell_len(parts[-1]) + 3 <= width:
        kept = f"{parts.pop()}{os.sep}{kept}"
    longer = f"…{os.sep}{kept}"
    return longer if cell_len(longer) <= width else cut(kept, width)


def _marked(title: str, query: Query) -> list[tuple[str, bool]]:
    """A title in pieces, each with whether it is what the query looks for."""
    pieces: list[tuple[str, bool]] = []
    at = 0
    for start, end in snap(title, query.spans(title)) if not query.empty else ():
        pieces += [(title[at:start], False), (title[start:end], True)]
        at = end
    pieces.append((title[at:], False))
    return [(text, hit) for text, hit in pieces if text]
