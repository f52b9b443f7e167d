"""Keeps the picker's list up to date while others write: looks at what changed, as often as eyes follow."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from textual.message import Message
from textual.timer import Timer
from textual.widget import Widget
from textual.worker import get_current_worker

from pitree.catalog.info.info_cache import InfoCache
from pitree.catalog.watch.refresh import ListChanges, ListUpdater
from pitree.session.storage.line_reader import ReadCancelled
from pitree.session.storage.open_files import FileId, files_in_use
from pitree.ui.picker.list_loader import ListScope
from pitree.ui.picker.picker_state import SessionLists
from pitree.ui.toolkit.background import in_thread, show_failure
from pitree.workers.failures import Failure

LOOK_EVERY = 0.25
"""Seconds between two looks at changed files, and so between two redraws."""
DOUBT = 0.3
"""Seconds after which a session that seemed gone or damaged counts as that."""
IN_USE_EVERY = 5.0
"""Seconds between two looks at which files other processes have open."""
IN_USE_AFTER = 1.0
"""Seconds from when the list comes into sight to the first of these."""
IN_USE_SHARE = 500
"""That is done more rarely where it takes long: after so many times as long as it took."""


class ListChanged(Message):
    """Some files were looked at.

    Attributes:
        paths: which.
        changes: what was found.
        big: whether these were the big files, which are looked at on their own.
    """

    def __init__(self, paths: set[str], changes: ListChanges, big: bool) -> None:
        super().__init__()
        self.paths = paths
        self.changes = changes
        self.big = big


class FilesInUse(Message):
    """Which files other processes have open for writing.

    Attributes:
        files: which.
        cost: how long it took to find out, in seconds.
    """

    def __init__(self, files: frozenset[FileId], cost: float) -> None:
        super().__init__()
        self.files = files
        self.cost = cost


class LiveList:
    """Has changed files looked at, in a thread; what is found comes as messages `ListChanged`.

    Nothing is done while the list is hidden or still being read; what changes meanwhile waits.

    Args:
        host: the widget whose workers and timers are used, and which gets the messages.
        updater: looks at files.
        lists: the lists that are kept up to date.
        scope: tells which one is shown.
        cache: is given what was read.
    """

    def __init__(
        self,
        host: Widget,
        updater: ListUpdater,
        lists: SessionLists,
        scope: Callable[[], ListScope],
        cache: InfoCache | None = None,
    ) -> None:
        self._host = host
        self._updater = updater
        self._lists = lists
        self._scope = scope
        self._cache = cache
        self._pending: set[str] = set()
        self._big: set[str] = set()
        self._unsettled: set[str] = set()
        self._doubts: dict[str, float] = {}
        self._looking = self._looking_big = False
        self._next = 0.0
        self._timer: Timer | None = None

    def changed(self, paths: set[str]) -> None:
        """These files, or files in these folders, may have changed."""
        self._pending |= paths
        if self._lists.reading:
            # A list that is being read may have passed them already, and brings them as they were.
            self._unsettled |= paths
        self.resume()

    def resume(self) -> None:
        """Look at what waits, if it can be looked at now.

        To be called when a list was read, and when the list comes into sight.
        """
        if not self._lists.reading and self._unsettled:
            self._pending |= self._unsettled
            self._unsettled = set()
        if not (self._settled() and displayed(self._host)):
            return
        if self._big and not self._looking_big:
            paths, self._big = self._big, set()
            self._looking_big = True
            self._run(paths, big=True)
        if self._pending and not self._looking and self._timer is None:
            wait = self._next - time.monotonic()
            if wait > 0:
                self._timer = self._host.set_timer(wait, self._look)
            else:
                self._look()

    def _settled(self) -> bool:
        scope = self._scope()
        return self._lists.whole(scope) and scope not in self._lists.reading

    def _look(self) -> None:
        self._timer = None
        if self._settled() and displayed(self._host):
            paths, self._pending = self._pending, set()
            self._looking = True
            self._next = time.monotonic() + LOOK_EVERY
            self._run(paths, big=False)

    def _run(self, paths: set[str], *, big: bool) -> None:
        now = time.monotonic()
        look = partial(
            self._updater.look,
            paths,
            self._lists.known(),
            strangers=self._lists.strangers(),
            everything=self._lists.whole(ListScope.ALL),
            sure=frozenset(path for path in paths if self._doubts.get(path, now + 1) <= now),
            big=big,
        )

        def work() -> None:
            worker = get_current_worker()
            try:
                changes = look(stopped=lambda: worker.is_cancelled)
            except ReadCancelled:
                return
            self._host.post_message(ListChanged(paths, changes, big))

        def failed(failure: Failure) -> None:
            """Look at these files again only when something else changes."""
            if big:
                self._looking_big = False
            else:
                self._looking = False
            self._unsettled |= paths
            show_failure(self._host, failure)

        in_thread(self._host, "read the sessions that changed", work, group="live", failed=failed)

    def take(self, event: ListChanged) -> set[ListScope]:
        """Take what was found into the lists; the scopes whose lists are others now."""
        if event.big:
            self._looking_big = False
        else:
            self._looking = False
        changes = event.changes
        changed: set[ListScope] = set()
        if self._settled():
            changed = self._lists.apply(changes)
            if self._cache is not None:
                self._cache.keep(changes.infos.values())
                self._cache.forget(changes.gone)
            self._doubt(event)
        else:
            self._pending |= event.paths
        self._big |= changes.big
        self.resume()
        return changed

    def _doubt(self, event: ListChanged) -> None:
        for path in event.paths - event.changes.doubtful:
            self._doubts.pop(path, None)
        fresh = event.changes.doubtful - self._doubts.keys()
        if fresh:
            self._doubts |= dict.fromkeys(fresh, time.monotonic() + DOUBT)
            self._host.set_timer(DOUBT + 0.01, partial(self.changed, fresh))


class OpenFilesPoll:
    """Looks again and again at which files other processes have open, while the list is on screen.

    Args:
        host: the widget whose workers and timers are used; it gets `FilesInUse`.
    """

    def __init__(self, host: Widget) -> None:
        self._host = host
        self._timer: Timer | None = None
        self._looking = self._failed = False

    def resume(self) -> None:
        """Go on with it; to be called when the list comes into sight."""
        if self._timer is None and not self._looking:
            self._timer = self._host.set_timer(IN_USE_AFTER, self._look)

    def took(self, cost: float) -> None:
        """A look was taken, and cost so many seconds."""
        self._looking = False
        self._timer = self._host.set_timer(max(IN_USE_EVERY, cost * IN_USE_SHARE), self._look)

    def _look(self) -> None:
        self._timer = None
        if not displayed(self._host):
            return
        self._looking = True

        def work() -> None:
            start = time.perf_counter()
            files = files_in_use()
            self._host.post_message(FilesInUse(files, time.perf_counter() - start))

        def failed(failure: Failure) -> None:
            self.took(0.0)
            if not self._failed:  # it is tried again and again
                self._failed = True
                show_failure(self._host, failure)

        in_thread(self._host, "see which sessions are in use", work, group="in use", failed=failed)


def displayed(widget: Widget) -> bool:
    """Whether a widget is to be seen as far as styles tell.

    Textual's messages for it (`Show`, `Hide`) do not come where something scrolls at the same time.
    """
    return all(node.display for node in widget.ancestors_with_self if isinstance(node, Widget))
