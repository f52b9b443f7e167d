"""The end of the screen by an error of its own: the log, what was being typed, the line for the reader."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path

from rich.traceback import Traceback
from textual.screen import Screen
from textual.widgets import Input, TextArea

from pitree.ui.toolkit.search_box import SearchBox
from pitree.workers.failures import Crashed, logs_folder, record

TYPED_KEPT = 10
"""Files with what was being typed that are kept."""


def crash(error: BaseException, screens: Iterable[Screen[object]] = ()) -> Crashed:
    """Record an error that ends the screen, and save what is being typed.

    Args:
        error: what was raised.
        screens: the screens there are, for the fields in their windows.
    """
    failure = record("continue", error)
    try:
        return Crashed(failure, _saved("\n\n".join(_typed_in(screens))))
    except Exception as other:  # the screens are in no good state
        record("save what was being typed", other)
        return Crashed(failure)


def error_drawn(drawn: Iterable[object]) -> Exception:
    """The error that a traceback drawn by Rich is about, as far as it tells."""
    for one in drawn:
        if isinstance(one, Traceback) and one.trace.stacks:
            stack = one.trace.stacks[0]
            calls = "".join(f"\n  {call.filename}:{call.lineno} {call.name}" for call in stack.frames[-20:])
            return RuntimeError(f"{stack.exc_type}: {stack.exc_value[:200]}{calls}")
    return RuntimeError("the terminal cannot be read")


def _typed_in(screens: Iterable[Screen[object]]) -> Iterator[str]:
    """The texts in fields of windows. What is looked for is not among them."""
    for screen in screens:
        for field in screen.query("*") if screen.is_modal else ():
            if isinstance(field, TextArea):
                yield from filter(str.strip, (field.text,))
            elif isinstance(field, Input) and not isinstance(field.parent, SearchBox):
                yield from filter(str.strip, (field.value,))


def _saved(text: str) -> Path | None:
    """Keep a text where only the user can read it; the file, None if there is no text.

    Raises:
        OSError, RuntimeError: it cannot be kept.
    """
    if not text:
        return None
    folder = logs_folder()
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    path = folder / f"typed-{datetime.now():%Y%m%d-%H%M%S}-{os.getpid()}.txt"
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(text.encode("utf-8", "surrogatepass") + b"\n")
    for old in sorted(folder.glob("typed-*.txt"))[:-TYPED_KEPT]:
        old.unlink(missing_ok=True)
    return path
