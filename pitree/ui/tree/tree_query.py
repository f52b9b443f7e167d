"""Searches a session for what is typed in the tree pane, in threads: the keys have the screen meanwhile."""

from __future__ import annotations

import time
from functools import partial

from textual import on
from textual.message import Message
from textual.timer import Timer
from textual.worker import get_current_worker

from pitree.outline.outline import Outline
from pitree.query.entries.text_store import TextStore
from pitree.query.language.query import Query
from pitree.ui.toolkit.background import in_thread, show_failure
from pitree.ui.toolkit.type_to_search import Typing
from pitree.workers.failures import Failure

SEARCH_AT_ONCE = 5_000
"""Entries up to which a query is answered on the spot; with more, a thread looks first."""

REFRESH_EVERY = 0.15
"""Seconds between two looks at how many texts have been read, while a search waits for them; at least."""


class QueryAnswered(Message):
    """A thread has looked for this query; showing its matches takes no time now.

    Attributes:
        query: the query as typed.
        so_far: the matches found by now, one byte for each entry, if the search continues.
    """

    def __init__(self, query: str, so_far: bytes | None = None) -> None:
        super().__init__()
        self.query = query
        self.so_far = so_far


class TreeQuery(Typing):
    """The part of the tree pane that searches."""

    _query: str
    _entry: int

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._texts: TextStore | None = None
        self._filling: TextStore | None = None
        self._looking: Timer | None = None
        self._sought: str | None = None  # the query that a thread looks for

    @property
    def outline(self) -> Outline | None:
        """The rows shown."""
        raise NotImplementedError

    @property
    def entry_index(self) -> int:
        """The entry under the cursor, -1 when no row is shown."""
        raise NotImplementedError

    def refresh_rows(self) -> None:
        """Take what the session, or the texts that are searched, gained."""
        raise NotImplementedError

    def set_query(self, query: str, so_far: bytes | None = None) -> None:
        """Search, on top of the filter; "" ends the search."""
        raise NotImplementedError

    def look_for(self, query: str) -> None:
        """Search, on the spot if that takes no time."""
        if query == (self._query if self._sought is None else self._sought):
            return
        self._read_texts()
        outline = self.outline
        if outline is None or outline.entry_count <= SEARCH_AT_ONCE or not query:
            self._sought = None
            self.workers.cancel_group(self, "search")
            self.set_query(query)
        else:
            self._sought = query
            in_thread(
                self,
                "search the tree",
                partial(self._look_ahead, query, self._entry),
                group="search",
                exclusive=True,
                failed=self._not_searched,
            )

    def _not_searched(self, failure: Failure) -> None:
        """Say that matches are missing; the rows stay."""
        self._sought = None
        self._end_reading()
        self.search_box.show_found("the search failed", bad=True)
        show_failure(self, failure)

    def _look_ahead(self, text: str, near: int) -> None:
        """Answer a query in a thread, what stands near an entry first."""
        worker, texts = get_current_worker(), self._texts
        query = Query.parse(text)

        def tell(so_far: bytes) -> None:
            self.post_message(QueryAnswered(text, so_far))

        if (
            query.empty
            or query.error
            or texts is None
            or texts.prepare(query, lambda: worker.is_cancelled, near, tell)
        ):
            self.post_message(QueryAnswered(text))

    @on(QueryAnswered)
    def _query_answered(self, event: QueryAnswered) -> None:
        event.stop()
        if event.query == self._sought and event.so_far is None:
            self._sought = None
        if event.query == self.search_box.text:  # else more was typed since
            self.set_query(event.query, event.so_far)

    def _read_texts(self) -> None:
        """Have the texts that are searched read, and the matches shown as they come."""
        if self._texts is None or self._texts.complete or self._texts is self._filling:
            return
        self._filling = self._texts
        in_thread(
            self,
            "read the text to search",
            partial(self._fill, self._texts),
            group="texts",
            exclusive=True,
            failed=self._not_searched,
        )
        if self._looking is None:
            self._looking = self.set_timer(REFRESH_EVERY, self._look)

    def _fill(self, texts: TextStore) -> None:
        worker = get_current_worker()
        texts.fill(lambda: worker.is_cancelled)

    def _look(self) -> None:
        """Show the matches among the texts read since the last time."""
        done = self._texts is None or self._texts.complete
        start = time.monotonic()
        if self._query:
            self.refresh_rows()
        if done:
            self._end_reading()
        else:  # where this takes long, the keys have most of the time between two looks
            self._looking = self.set_timer(max(REFRESH_EVERY, 8 * (time.monotonic() - start)), self._look)

    def _stop_reading(self) -> None:
        """Have nothing searched and no texts read any more: another session is shown."""
        self._sought = None
        self.workers.cancel_group(self, "search")
        self._end_reading()

    def _end_reading(self) -> None:
        """Have no texts read any more."""
        self._filling = None
        self.workers.cancel_group(self, "texts")
        if self._looking is not None:
            self._looking.stop()
            self._looking = None
