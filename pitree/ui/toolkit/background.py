"""Work beside the screen, in threads and on the event loop. Whatever it raises, the screen continues.

This is the only place that starts Textual's workers. A worker that fails by itself would end the app, and
Textual would draw all the variables around the error first, which has no end where one holds deep values.
"""

from __future__ import annotations

from asyncio import CancelledError
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Protocol, TypeVar

from textual.worker import get_current_worker

from pitree.text.sanitize import visible
from pitree.workers.failures import Failure, record

Result = TypeVar("Result")
Failed = Callable[[Failure], object]
"""Takes what failed, on the event loop."""

Cancelled = Callable[[], bool]
"""Says whether nobody needs the work any more; for the thread that does it."""


class WorkHost(Protocol):
    """What work is done for: a widget, a screen or the app; of these only what is used here."""

    @property
    def app(self) -> Any: ...
    def call_later(self, callback: Callable[..., Any], *args: Any, **kwargs: Any) -> bool: ...
    def run_worker(
        self,
        work: Any,
        *,
        group: str = ...,
        description: str = ...,
        exclusive: bool = ...,
        thread: bool = ...,
    ) -> Any: ...


TO_READ = 15.0
"""Seconds for which a failure is shown where no pane shows it."""


def in_thread(
    host: WorkHost,
    doing: str,
    work: Callable[[], object],
    *,
    group: str,
    exclusive: bool = False,
    failed: Failed | None = None,
) -> None:
    """Do some work in a thread.

    Args:
        host: the widget, screen or app that it is for. Once this is gone, nobody hears of a failure.
        doing: what the work does, to follow "could not", such as "read the entry".
        work: the work. Once it is cancelled, as at the app's end, no failure counts.
        group: the group of workers, as Textual has it.
        exclusive: whether the other workers of the group are cancelled.
        failed: takes what failed; by default the reader is shown it for a while.
    """

    job = contained(host, doing, work, failed)
    host.run_worker(job, thread=True, exclusive=exclusive, group=group, description=doing)


def compute_in_thread(
    host: WorkHost,
    doing: str,
    work: Callable[[Cancelled], Result],
    on_done: Callable[[Result], object],
    *,
    group: str,
    failed: Failed | None = None,
) -> None:
    """Work out a result in a thread. Newer work of the same group cancels it.

    Args:
        host: as for `in_thread`, like `doing`, `group` and `failed`.
        work: gives the result; what it takes says whether the work was cancelled.
        on_done: takes the result, on the event loop, unless the work was cancelled.
    """

    def job() -> None:
        worker = get_current_worker()
        result = work(lambda: worker.is_cancelled)
        if not worker.is_cancelled:
            host.call_later(partial(on_done, result))

    in_thread(host, doing, job, group=group, exclusive=True, failed=failed)


def contained(
    host: WorkHost, doing: str, work: Callable[[], object], failed: Failed | None = None
) -> Callable[[], None]:
    """Some work for the thread of a worker that does other work as well; arguments as for `in_thread`."""

    def job() -> None:
        try:
            work()
        except BaseException as error:  # SystemExit, too, would end the app from here
            if not get_current_worker().is_cancelled:
                _report(host, record(doing, error), failed)

    return job


def on_loop(
    host: WorkHost,
    doing: str,
    work: Callable[[], Awaitable[object]],
    *,
    group: str,
    exclusive: bool = False,
    failed: Failed | None = None,
) -> None:
    """Do some work on the event loop, beside the handling of messages; else as `in_thread`."""

    async def job() -> None:
        try:
            await work()
        except (CancelledError, GeneratorExit):
            raise
        except BaseException as error:
            _report(host, record(doing, error), failed)

    host.run_worker(job(), exclusive=exclusive, group=group, description=doing)


def _report(host: WorkHost, failure: Failure, failed: Failed | None) -> None:
    try:
        host.call_later(partial(failed or partial(show_failure, host), failure))
    except RuntimeError:  # the event loop has ended
        pass


def show_failure(host: WorkHost, failure: Failure) -> None:
    """Show the reader what failed, for a while."""
    host.app.notify(visible(failure.words), severity="warning", timeout=TO_READ, markup=False)
