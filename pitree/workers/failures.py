"""Errors of pitree itself: what failed in one line for the reader, the traceback in a log of bounded size.

Writing the log never raises, and what it costs is bounded, whatever an exception holds: chains of any length,
stacks as deep as the interpreter allows, words of any size, or words that cannot be had.
"""

from __future__ import annotations

import linecache  # not before something fails
import os
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from pathlib import Path
from types import TracebackType

from pitree import __version__
from pitree.resources import state_folder

LOG_BYTES = 256 * 1024
"""Size from which on the log is put aside for a fresh one; only the last one put aside is kept."""
ENTRY_BYTES = 24 * 1024
"""Of one failure, at most so much is written."""
CHAIN = 6
"""Exceptions of a chain that are written: the last one first, then what it came from."""
FIRST_FRAMES, LAST_FRAMES = 20, 20
"""Calls of a stack that are written."""
WORDS = 2000
"""Characters of an exception's own words that are written."""
REASON = 160
"""Of these, characters that the reader is shown."""


@dataclass(frozen=True, slots=True)
class Failure:
    """What failed.

    Attributes:
        doing: what could not be done, to follow "could not".
        reason: why, in a line.
        log: the log with the traceback; None if it cannot be written.
        error: the exception.
    """

    doing: str
    reason: str
    log: Path | None
    error: BaseException

    @property
    def words(self) -> str:
        """What the reader is shown: one line."""
        return f"Could not {self.doing}: {self.reason}. {self.details}"

    @property
    def details(self) -> str:
        """Where the traceback is."""
        if self.log is None:
            return "The log could not be written."
        return f"Details: {_short(self.log)}"


class Crashed(Exception):
    """The screen ended by an error of its own; `str` is one line for the reader.

    Args:
        failure: what happened.
        typed: the file with what was being typed; None for nothing.

    Attributes:
        STATUS: the exit status it ends with (EX_SOFTWARE of sysexits.h).
    """

    STATUS = 70

    def __init__(self, failure: Failure, typed: Path | None = None) -> None:
        line = f"it crashed: {failure.reason}. {failure.details}"
        if typed is not None:
            line += f" The text you were typing is in {_short(typed)}"
        super().__init__(line)
        self.failure = failure


def logs_folder() -> Path:
    """Where logs lie: `log` in the state folder.

    Raises:
        RuntimeError: there is no home folder.
    """
    return state_folder() / "log"


def record(doing: str, error: BaseException) -> Failure:
    """Write the traceback of a failure to the log.

    Args:
        doing: what could not be done, to follow "could not".
        error: what was raised.
    """
    text = f"{datetime.now().isoformat(timespec='seconds')} could not {doing}\n{traceback_text(error)}"
    return Failure(doing, reason_of(error), append_to_log("failures.log", text), error)


def append_to_log(name: str, text: str) -> Path | None:
    """Add an entry to a log that only the user can read; the log's path, None if it cannot be written.

    Args:
        name: the log's file name in `logs_folder`.
        text: the entry; what is beyond `ENTRY_BYTES` is cut.
    """
    data = text.encode("utf-8", "backslashreplace")[:ENTRY_BYTES]
    where = f"pitree {__version__}, Python {sys.version.split()[0]}, process {os.getpid()}"
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
    try:
        path = logs_folder() / name
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if path.exists() and path.stat().st_size > LOG_BYTES:
            os.replace(path, path.with_name(f"{name}.1"))
        with open(os.open(path, flags, 0o600), "ab", buffering=0) as file:
            file.write(f"== {where}\n".encode() + data + b"\n\n")
    except (OSError, RuntimeError):
        return None
    return path


def reason_of(error: BaseException) -> str:
    """Why something failed, in one line that ends without a full stop."""
    if isinstance(error, RecursionError):
        return "something is nested too deep"
    if isinstance(error, MemoryError):
        return "there is not enough memory"
    words = " ".join(_words(error)[: 4 * REASON].split())
    if isinstance(error, OSError) and isinstance(error.strerror, str):
        words = " ".join(error.strerror[:REASON].split())
        if isinstance(error.filename, str | os.PathLike):
            words = f"{os.fspath(error.filename)}: {words}"
    elif not isinstance(getattr(error, "reason", None), str):  # else its words are for the reader
        words = f"{_name(error)}: {words}" if words else _name(error)
    words = words.rstrip(" .")
    return words if len(words) <= REASON else f"{words[: REASON - 1]}…"


def traceback_text(error: BaseException) -> str:
    """The traceback of an exception and of those it came from, without the values of variables."""
    pieces = []
    for place, one in enumerate(_chain(error)):
        pieces.append("which came from\n" if place else "Traceback, the innermost call last:\n")
        pieces += _stack(one.__traceback__)
        pieces.append(f"{_name(one)}: {_words(one)}\n")
    return "".join(pieces)


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    one: BaseException | None = error
    while one is not None and id(one) not in seen and len(seen) < CHAIN:
        seen.add(id(one))
        yield one
        one = one.__cause__ or (None if one.__suppress_context__ else one.__context__)


def _stack(traceback: TracebackType | None) -> Iterator[str]:
    """The calls, the outermost first; of many the first and the last."""
    calls = _calls(traceback)
    yield from (_line(call) for call in islice(calls, FIRST_FRAMES))
    last: deque[TracebackType] = deque(maxlen=LAST_FRAMES)
    skipped = -LAST_FRAMES
    for call in calls:
        last.append(call)
        skipped += 1
    if skipped > 0:
        yield f"  … {skipped:,} more calls …\n"
    yield from map(_line, last)


def _calls(traceback: TracebackType | None) -> Iterator[TracebackType]:
    while traceback is not None:
        yield traceback
        traceback = traceback.tb_next


def _line(call: TracebackType) -> str:
    code = call.tb_frame.f_code
    try:
        source = linecache.getline(code.co_filename, call.tb_lineno).strip()[:200]
    except Exception:  # a log without the line is better than none
        source = ""
    return f"  {code.co_filename}:{call.tb_lineno} {code.co_name}\n" + (f"    {source}\n" if source else "")


def _name(error: BaseException) -> str:
    return type(error).__name__[:80]


def _words(error: BaseException) -> str:
    """An exception's own words, which come from anywhere."""
    try:
        words = str(error)
        return words if len(words) <= WORDS else f"{words[:WORDS]}… ({len(words):,} characters)"
    except BaseException as other:
        return f"(its text is not available: {_name(other)})"


def _short(path: Path) -> str:
    """A path with `~` for the home folder."""
    home, text = os.path.expanduser("~"), os.fspath(path)
    return f"~{text[len(home) :]}" if text.startswith(f"{home}{os.sep}") else text


def start_thread(
    name: str, doing: str, work: Callable[[], object], failed: Callable[[Failure], object] | None = None
) -> threading.Thread:
    """Start a thread that does not keep the program from ending. Whatever its work raises is recorded.

    Args:
        name: the thread's name.
        doing: what its work does, to follow "could not".
        work: what it does.
        failed: called in the thread with what failed.
    """

    def contained() -> None:
        try:
            work()
        except BaseException as error:
            failure = record(doing, error)
            if failed is not None:
                try:
                    failed(failure)
                except Exception as other:  # who is to be informed has gone
                    record(f"report that pitree could not {doing}", other)

    thread = threading.Thread(target=contained, name=name, daemon=True)
    thread.start()
    return thread
