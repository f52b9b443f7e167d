"""The window that searches all sessions, as one types; a thread searches, so that no key waits."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar

from textual import events, on
from textual.binding import BindingType
from textual.containers import Container
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.worker import get_current_worker

from pitree.pi.places import Places, SessionFile
from pitree.query.index.copies import each_once
from pitree.query.index.finder import Limits, SearchProgress, best_first, search
from pitree.query.index.hits import Hit
from pitree.query.index.index import Index
from pitree.query.index.scope import SearchScope
from pitree.query.language.query_parser import SearchQuery
from pitree.query.language.tokenizer import Term
from pitree.session.format.entry_summary import short_path
from pitree.text.cells import cut
from pitree.text.figures import counted
from pitree.text.sanitize import visible
from pitree.ui.find import hit_preview
from pitree.ui.find.hit_preview import HitPreview, PreviewContent
from pitree.ui.find.hit_rows import HitRows, rows_of
from pitree.ui.find.index_progress import IndexKeeper
from pitree.ui.toolkit import keys
from pitree.ui.toolkit.background import in_thread
from pitree.ui.toolkit.line_list import LineList
from pitree.ui.toolkit.list_window import SearchedWindow
from pitree.workers.failures import Failure

LIMITS = Limits(hits=2_000, of_session=200)
"""Hits after which there are enough to look at."""
BESIDE, BELOW = 120, 30
"""Columns from which on the preview is beside the rows, and lines from which on it is below them."""
PAUSE = 0.03
"""Seconds that a query waits for the next key before it is looked for."""
FILES_FOR = 2.0
"""Seconds for which it counts as known which files there are."""

LANGUAGE = (
    'Words match whole words; the last one also matches the start of a word. "a phrase" matches exactly, '
    "-word excludes. role:user role:assistant role:tool tool:bash model:opus select entries; dir:app "
    "name:login label:done select sessions; after:2026-10-01 before:7d select times."
)


@dataclass
class SearchWindowState:
    """What the window keeps from one time it is opened to the next.

    Attributes:
        text: the query.
        everywhere: whether all sessions are searched, not only those of this folder.
        best: whether the best matches come first, not the newest.
        index: the index; None to do without.
        keeper: who makes it; None likewise.
    """

    text: str = ""
    everywhere: bool = True
    best: bool = False
    index: Index | None = None
    keeper: IndexKeeper | None = None
    place: tuple[str, int] = ("", -1)
    files: dict[bool, tuple[float, list[SessionFile]]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ChosenHit:
    """The match the reader wants to see, and what was asked for."""

    hit: Hit
    asked: SearchQuery


class SearchWindow(SearchedWindow[ChosenHit], inherit_bindings=False):
    """Searches all sessions. Enter gives the match under the cursor, Esc gives None.

    Args:
        places: where the sessions lie.
        kept: what was asked for the last time, and the index; the window brings it up to date.
        clock: tells the time now, in seconds since 1970.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        *keys.bindings(keys.KeyContext.EVERYWHERE, keys.KeyContext.DIALOG)
    ]
    PLACES = (keys.KeyContext.EVERYWHERE,)

    class HitsFound(Message):
        """A thread has found something."""

        def __init__(self, window: SearchWindow, number: int, found: SearchProgress) -> None:
            super().__init__()
            self.window = window
            self.number = number
            self.found = found

        def can_replace(self, message: Message) -> bool:
            """Only the newest answer counts."""
            return isinstance(message, SearchWindow.HitsFound)

    class HitPreviewed(Message):
        """A thread has read an entry."""

        def __init__(self, hit: Hit, shown: PreviewContent) -> None:
            super().__init__()
            self.hit = hit
            self.shown = shown

    def __init__(
        self, places: Places, kept: SearchWindowState, clock: Callable[[], float] = time.time
    ) -> None:
        self.rows = HitRows(clock)
        super().__init__('words, "a phrase", -without, role:user, tool:bash, after:7d …', self.rows)
        self._places = places
        self._kept = kept
        self._preview = HitPreview()
        self._asked = SearchQuery()
        self._found = SearchProgress()
        self._number = 0
        self._answered = 0
        self._started = 0.0
        self._problem = self._failed = ""
        self.seconds = 0.0
        """How long the newest query took to its first answer."""

    def below(self) -> Iterable[Widget]:
        yield Container(self.rows, self._preview, id="found")

    def on_mount(self) -> None:
        self.box.text = self._kept.text
        self._arrange()
        self._ask()

    def on_resize(self, event: events.Resize) -> None:
        self._arrange()
        self._tell()

    def _arrange(self) -> None:
        width, height = self.size
        found = self.query_one("#found")
        found.set_class(width >= BESIDE, "beside")
        room = width >= BESIDE or height >= BELOW
        self._preview.display = room and self.rows.selected is not None

    # -- asking -----------------------------------------------------------------------------------

    def edited(self) -> None:
        if self.box.text != self._kept.text:
            self._kept.text = self.box.text
            self._ask()

    def index_changed(self) -> None:
        """The index has grown, and there may be more matches; or it cannot be made, and all is to be read."""
        keeper = self._kept.keeper
        if keeper is not None and self.is_open:
            before, self._problem = self._problem, keeper.problem
            more = self._found.unread or keeper.words or not self._found.done
            if keeper.problem != before or (more and not keeper.problem):
                self._ask(again=True)
            self._tell()

    def _ask(self, *, again: bool = False) -> None:
        """Look for what is typed, in place of what was looked for before.

        Args:
            again: whether it is the same question, so that what is shown stays until there is an answer.
        """
        self._asked = SearchQuery.parse(self._kept.text)
        self._number += 1
        self._failed = ""
        number, asked = self._number, self._asked
        if asked.empty:
            self.workers.cancel_group(self, "search")
            self._found = SearchProgress(done=True)
            self._show(stay=False)
            # Have the index at hand by the time there is a question.
            in_thread(
                self,
                "read the index",
                self._refresh,
                group="search",
                exclusive=True,
                failed=self._not_searched,
            )
            return
        self._started = time.monotonic()
        if again:
            self._answered = number
        self._tell()
        in_thread(
            self,
            "search the sessions",
            lambda: self._look(number, asked, 0.0 if again else PAUSE),
            group="search",
            exclusive=True,
            failed=self._not_searched,
        )

    def _not_searched(self, failure: Failure) -> None:
        """Say in place of more matches why there are none."""
        self._failed = visible(failure.words)
        self._answered = self._number
        self._found = replace(self._found, done=True)
        self._show(stay=True)

    def _refresh(self) -> None:
        if self._kept.index is not None:
            self._kept.index.refresh()
        self._files()

    def _look(self, number: int, asked: SearchQuery, pause: float) -> None:
        worker = get_current_worker()
        time.sleep(pause)
        if worker.is_cancelled:
            return
        self._refresh()
        kept = self._kept
        scope = SearchScope(self._places, kept.everywhere)
        index = kept.index
        incomplete = index is not None and kept.keeper is not None and bool(kept.keeper.problem)
        if incomplete and index is not None and not index.files:
            index, incomplete = None, False
        found = SearchProgress()
        for all_read in (False, True):
            for found in search(
                asked,
                scope,
                index,
                LIMITS,
                all_read=all_read,
                files=self._files(),
                stopped=lambda: worker.is_cancelled,
            ):
                if worker.is_cancelled:
                    return
                # What no index will ever have is read after what it has.
                more = incomplete and found.unread > 0
                self.post_message(self.HitsFound(self, number, replace(found, done=found.done and not more)))
            if not incomplete or not found.unread:
                return

    def _files(self) -> list[SessionFile]:
        everywhere = self._kept.everywhere
        known = self._kept.files.get(everywhere)
        now = time.monotonic()
        if known is None or now - known[0] > FILES_FOR:
            known = self._kept.files[everywhere] = (now, SearchScope(self._places, everywhere).files())
        return known[1]

    @on(HitsFound)
    def _answer(self, event: HitsFound) -> None:
        event.stop()
        if event.number != self._number or not self.is_open:
            return
        first = self._answered != event.number
        found = replace(event.found, groups=each_once(event.found.groups))
        if first:
            self.seconds = time.monotonic() - self._started
        elif not found.done and found.hits < self._found.hits:
            return  # the same question once more: what is shown is better until all is known
        self._answered = event.number
        self._found = found
        self._show(stay=not first)

    # -- showing ----------------------------------------------------------------------------------

    def _show(self, *, stay: bool) -> None:
        groups = best_first(self._found.groups) if self._kept.best else self._found.groups
        rows = rows_of(groups)
        self.rows.words = self._why_empty()
        self.rows.terms = self._asked.terms
        self.rows.show(rows, stay=stay)
        self._arrange()
        if not stay and self._kept.place[0]:
            place, self._kept.place = self._kept.place, ("", -1)
            at = next((at for at, row in enumerate(rows) if row.place == place), -1)
            if at >= 0:
                self.rows.move_cursor(at, center=True)
        self._tell()

    def _why_empty(self) -> str:
        if self._failed:
            return self._failed
        if self._asked.empty:
            return LANGUAGE
        if not self._found.done:
            return "Searching …"
        scope, leave = keys.key_label(self, "everywhere.scope"), keys.key_label(self, "everywhere.leave")
        other = "" if self._kept.everywhere else f" {scope} searches all folders."
        keeper = self._kept.keeper
        if self._found.unread and keeper is not None and not keeper.problem:
            return (
                f"No match in the index so far; {self._found.unread:,} sessions are still to be read.{other}"
            )
        if not self._found.sessions:
            return f"{self._why_no_session()}{other} {leave} goes back."
        return f"No entry of {counted(self._found.sessions, 'session')} matches.{other} {leave} goes back."

    def _why_no_session(self) -> str:
        """Why there is no session in which to look."""
        everywhere, places = self._kept.everywhere, self._places
        _, files = self._kept.files.get(everywhere, (0.0, []))
        if not files and everywhere:
            return f"No sessions yet under {visible(short_path(places.everything))}."
        if not files:
            return f"No sessions of {visible(short_path(places.cwd))} yet."
        asked = " and ".join(self._asked.of_sessions)
        if not asked:
            return f"None of {counted(len(files), 'file')} is a session."
        return f"None of {counted(len(files), 'session')} matches {asked}."

    def _tell(self) -> None:
        """Say beside the query what was found, and in the border what is searched."""
        if not self.is_open:
            return
        kept, found = self._kept, self._found
        problems = "; ".join(self._asked.problems)
        if problems:
            self.box.show_found(problems, bad=True)
        elif self._failed:
            self.box.show_found("the search failed", bad=True)
        elif self._asked.empty:
            self.box.show_found("")
        else:
            self.box.show_found(self._counted())
        window = self.query_one("#window")
        scope = "all sessions" if kept.everywhere else "this folder"
        order = "best first" if kept.best else "newest first"
        state = ""
        if kept.keeper is not None and (kept.keeper.problem or kept.keeper.words):
            state = f" · {kept.keeper.problem or kept.keeper.words}"
        elif kept.index is None and not found.done:
            state = f" · no index: {found.searched:,} of {found.sessions:,} sessions read"
        title = f"Search · {scope} · {order}{state}"
        window.border_title = Content(cut(visible(title), max(1, self.size.width - 8)))
        self.tell_keys()

    def words_of_keys(self) -> Mapping[str, str]:
        return {
            "everywhere.scope": "this folder" if self._kept.everywhere else "all sessions",
            "everywhere.sort": "newest first" if self._kept.best else "best first",
            "dialog.close": "",
        }

    def _counted(self) -> str:
        found = self._found
        if self._answered != self._number and not found.groups:
            return "searching"
        more = "+" if found.cut or not found.done else ""
        hits, sessions = found.hits, len(found.groups)
        if not hits:
            return "searching" if not found.done else "no match yet" if found.unread else "no match"
        return (
            f"{hits:,}{more} {'match' if hits == 1 else 'matches'} in {sessions:,}{more} "
            f"{'session' if sessions == 1 else 'sessions'}"
        )

    @on(LineList.Highlighted)
    def _row_highlighted(self, event: LineList.Highlighted) -> None:
        event.stop()
        row = self.rows.selected
        if row is None or row.hit is None or not self._preview.display:
            self._preview.show(PreviewContent())
            return
        hit, terms = row.hit, self._asked.terms
        in_thread(
            self,
            "read the entry",
            lambda: self._read(hit, terms) if not get_current_worker().is_cancelled else None,
            group="preview",
            exclusive=True,
        )

    def _read(self, hit: Hit, terms: tuple[Term, ...]) -> None:
        self.post_message(self.HitPreviewed(hit, hit_preview.read(hit, terms)))

    @on(HitPreviewed)
    def _previewed(self, event: HitPreviewed) -> None:
        event.stop()
        row = self.rows.selected
        if row is not None and row.hit == event.hit:
            self._preview.show(event.shown)

    # -- keys -------------------------------------------------------------------------------------

    def action_scope(self) -> None:
        self._kept.everywhere = not self._kept.everywhere
        self._found = SearchProgress()
        self._ask()

    def action_sort(self) -> None:
        self._kept.best = not self._kept.best
        self._show(stay=False)

    def action_leave(self) -> None:
        self._remember()
        self.dismiss(None)

    def action_open(self) -> None:
        self.choose(self.rows.cursor)

    def _remember(self) -> None:
        row = self.rows.selected
        self._kept.place = row.place if row is not None else ("", -1)

    def choose(self, row: int) -> None:
        chosen = self.rows.selected
        if chosen is not None and chosen.hit is not None:
            self._remember()
            self.dismiss(ChosenHit(chosen.hit, self._asked))
