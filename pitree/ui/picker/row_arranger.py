"""Has the picker's rows arranged, in a thread, one request after the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING

from textual.message import Message
from textual.widget import Widget
from textual.worker import get_current_worker

from pitree.catalog.loading.text_loader import ReadTexts
from pitree.query.language.query import Query
from pitree.ui.picker.list_loader import Folders, RowRequest, RowsArranged, rows_for
from pitree.ui.toolkit.background import in_thread
from pitree.workers.failures import Failure

if TYPE_CHECKING:
    from pitree.catalog.matching import SessionMatch


class NotArranged(Message):
    """The rows for the newest request could not be arranged."""

    def __init__(self, failure: Failure) -> None:
        super().__init__()
        self.failure = failure


class Arranger:
    """Runs requests for rows; the rows come as messages `RowsArranged`, or else `NotArranged`.

    Args:
        host: the widget whose worker it is, and which gets the messages.
        folders: what is known of paths.
        wanted: gives the request for what is wanted at the time.
        clock: tells the time now, in seconds since 1970, from which days are counted.
    """

    def __init__(
        self, host: Widget, folders: Folders, wanted: Callable[[], RowRequest], clock: Callable[[], float]
    ) -> None:
        self._host = host
        self._folders = folders
        self._wanted = wanted
        self._clock = clock
        self._request = RowRequest()
        self._busy = False
        self._again = False
        self._again_live = False
        self._query = Query()
        self._texts = ReadTexts()
        self._outcomes: Mapping[str, SessionMatch] = {}

    def arrange(self, *, at_once: bool = True, live: bool = False) -> None:
        """Have the rows arranged again.

        What the reader asks for goes at once, whatever is being done. What only more sessions ask for waits
        its turn, or a search over a list that grows would never come to its end.

        Args:
            at_once: whether the reader asked for it.
            live: whether only sessions changed, so that everything has to stay where the reader sees it.
        """
        if self._busy and not at_once:
            self._again_live = live and (self._again_live or not self._again)
            self._again = True
            return
        request = self._start(live)
        in_thread(
            self._host,
            "arrange the sessions",
            lambda: self._work(request),
            group="arrange",
            exclusive=True,
            failed=self._not_arranged,
        )

    def _not_arranged(self, failure: Failure) -> None:
        """Leave the rows as they are; the next request is tried for itself."""
        self._busy = self._again = False
        self._host.post_message(NotArranged(failure))

    def arrange_here(self) -> RowsArranged:
        """Arrange the rows in this thread, where there is nothing to search yet."""
        now = datetime.fromtimestamp(self._clock())
        return next(rows_for(self._start(live=False), self._folders, lambda: False, now))

    def _start(self, live: bool) -> RowRequest:
        self._busy, self._again = True, False
        request = self._request = self._wanted()
        request.live = live
        request.texts = self._texts
        if request.query == self._query:
            request.before = self._outcomes
        return request

    def _work(self, request: RowRequest) -> None:
        worker = get_current_worker()
        now = datetime.fromtimestamp(self._clock())
        for arranged in rows_for(request, self._folders, lambda: worker.is_cancelled, now):
            if worker.is_cancelled:
                return
            self._host.post_message(arranged)

    def takes(self, event: RowsArranged) -> bool:
        """Whether these rows are those that were asked for last."""
        if event.request is not self._request:
            return False
        self._query, self._outcomes = event.request.query, event.outcomes
        return True

    def shown(self, event: RowsArranged) -> None:
        """Rows were shown: continue with what had to wait, if that was the last of them."""
        if not event.unread:
            self._busy = False
            if self._again:
                self.arrange(live=self._again_live)
