"""Searches a session for what is typed in the tree pane, in threads: the keys have the screen meanwhile."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from textual.timer import Timer
from textual.widget import Widget
from textual.worker import get_current_worker

from pitree.outline.outline import Outline
from pitree.query.entries.text_store import TextStore
from pitree.query.language.query import Query
from pitree.ui.toolkit.background import in_thread, show_failure
from pitree.ui.toolkit.search_box import SearchBox
from pitree.workers.failures import Failure

SEARCH_AT_ONCE = 5_000
"""Entries up to which a query is answered on the spot; with more, a thread looks first."""

REFRESH_EVERY = 0.15
"""Seconds between two looks at how many texts have been read, while a search waits for them; at least."""


class TreeSearch:
    """What the tree pane searches with: the texts of a session, and the threads that read them.

    Args:
        host: the pane, whose workers and timers are used.
        box: its search box.
        show: shows what a query finds; with it, what was found so far if the search continues, one byte
            for each entry.
        refresh: takes what the texts that are searched gained.
    """

    def __init__(
        self,
        host: Widget,
        box: SearchBox,
        show: Callable[[str, bytes | None], None],
        refresh: Callable[[], None],
    ) -> None:
        self._host = host
        self._box = box
        self._show = show
        self._refresh = refresh
        self.texts: TextStore | None = None
        self.sought: str | None = None
        """The query that a thread looks for."""
        self._filling: TextStore | None = None
        self._looking: Timer | None = None

    @property
    def reading(self) -> bool:
        """Whether texts are being read."""
        return self._filling is not None

    def look_for(self, query: str, shown: str, outline: Outline | None, near: int) -> None:
        """Search, on the spot if that takes no time.

        Args:
            query: what to look for.
            shown: the query whose matches are shown.
            outline: the rows shown.
            near: index of the entry around which a thread looks first.
        """
        if query == (shown if self.sought is None else self.sought):
            return
        self.read_texts()
        if outline is None or outline.entry_count <= SEARCH_AT_ONCE or not query:
            self.sought = None
            self._host.workers.cancel_group(self._host, "search")
            self._show(query, None)
        else:
            self.sought = query
            in_thread(
                self._host,
                "search the tree",
                partial(self._look_ahead, query, near),
                group="search",
                exclusive=True,
                failed=self._not_searched,
            )

    def _not_searched(self, failure: Failure) -> None:
        """Say that matches are missing; the rows stay."""
        self.sought = None
        self._end_reading()
        self._box.show_found("the search failed", bad=True)
        show_failure(self._host, failure)

    def _look_ahead(self, text: str, near: int) -> None:
        """Answer a query in a thread, what stands near an entry first."""
        worker, texts = get_current_worker(), self.texts
        query = Query.parse(text)

        def tell(so_far: bytes) -> None:
            self._host.call_later(self._answered, text, so_far)

        if (
            query.empty
            or query.error
            or texts is None
            or texts.prepare(query, lambda: worker.is_cancelled, near, tell)
        ):
            self._host.call_later(self._answered, text, None)

    def _answered(self, query: str, so_far: bytes | None) -> None:
        """A thread has looked for this query; showing its matches takes no time now."""
        if query == self.sought and so_far is None:
            self.sought = None
        if query == self._box.text:  # else more was typed since
            self._show(query, so_far)

    def read_texts(self) -> None:
        """Have the texts that are searched read, and the matches shown as they come."""
        if self.texts is None or self.texts.complete or self.texts is self._filling:
            return
        self._filling = self.texts
        in_thread(
            self._host,
            "read the text to search",
            partial(self._fill, self.texts),
            group="texts",
            exclusive=True,
            failed=self._not_searched,
        )
        if self._looking is None:
            self._looking = self._host.set_timer(REFRESH_EVERY, self._look)

    def read_more(self) -> None:
        """Have the texts of entries that came read as well."""
        self._filling = None
        self.read_texts()

    def _fill(self, texts: TextStore) -> None:
        worker = get_current_worker()
        texts.fill(lambda: worker.is_cancelled)

    def _look(self) -> None:
        """Show the matches among the texts read since the last time."""
        done = self.texts is None or self.texts.complete
        start = time.monotonic()
        self._refresh()
        if done:
            self._end_reading()
        else:  # where this takes long, the keys have most of the time between two looks
            self._looking = self._host.set_timer(
                max(REFRESH_EVERY, 8 * (time.monotonic() - start)), self._look
            )

    def stop(self) -> None:
        """Have nothing searched and no texts read any more: another session is shown."""
        self.sought = None
        self._host.workers.cancel_group(self._host, "search")
        self._end_reading()

    def _end_reading(self) -> None:
        """Have no texts read any more."""
        self._filling = None
        self._host.workers.cancel_group(self._host, "texts")
        if self._looking is not None:
            self._looking.stop()
            self._looking = None
