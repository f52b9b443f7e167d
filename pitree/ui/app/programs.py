"""Giving another program the terminal, and taking it back whatever happens."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from textual.app import App, SuspendNotSupported

from pitree.workers.programs import Ended, ProgramError, run_in_foreground


@contextmanager
def suspended(app: App[int]) -> Iterator[None]:
    """Let go of the terminal for a block, and take it again at its end, however the block ends.

    Textual's own `suspend` does not take it again after an exception.

    Raises:
        ProgramError: this terminal cannot be let go of.
    """
    failed: BaseException | None = None
    try:
        with app.suspend():
            try:
                yield
            except BaseException as error:  # whatever it is, the screen comes back first
                failed = error
    except SuspendNotSupported as error:
        raise ProgramError("was not started: this terminal cannot be passed on") from error
    finally:
        app.refresh()
    if failed is not None:
        raise failed


def run_on_terminal(
    app: App[int],
    command: Sequence[str],
    cwd: str | None = None,
    environment: Mapping[str, str] | None = None,
) -> Ended:
    """Give a program the terminal until it ends; see `run_in_foreground`.

    Raises:
        ProgramError: it could not be started; the screen is back.
    """
    with suspended(app):
        return run_in_foreground(command, cwd, environment)


def wait_for_enter(before: str = "") -> None:
    """Leave what is on the terminal until Enter, whatever else comes: it need not be UTF-8.

    Args:
        before: a sentence to say first.
    """
    print(f"{before} Press Enter to return to pitree ".lstrip(), end="", flush=True)
    try:
        sys.stdin.buffer.readline()
    except (OSError, KeyboardInterrupt):
        pass
