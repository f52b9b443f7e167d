"""Several processes read a large session file at once, while this one stays free for keys.

Where they cannot be started, or end, the file is read by this process alone, as smaller ones are.
"""

from __future__ import annotations

import os
import selectors
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from pitree.session.block import LENGTH, RANGE, Block, from_bytes
from pitree.session.notices import Cancelled
from pitree.session.source import FileSource

RANGE_BYTES = 2_000_000
"""Bytes of a file that are read at a time: some ten milliseconds of work for this process."""

_MOST_PROCESSES = 4
_PIPE_BYTES = 1 << 20
"""So that a process can go on while its last answer is not taken yet."""
_ASKED_AHEAD = 3
_READ_AT_ONCE = 1 << 20
_LOOK_UP = 0.05
"""Seconds between two looks at whether to give up."""

Range = tuple[int, int]


@dataclass(slots=True)
class _Process:
    """One process, and what it was asked and has not answered yet."""

    process: subprocess.Popen[bytes]
    asked: deque[int] = field(default_factory=deque)
    answer: bytearray = field(default_factory=bytearray)

    @property
    def question_end(self) -> int:
        assert self.process.stdin is not None
        return self.process.stdin.fileno()

    @property
    def answer_end(self) -> int:
        assert self.process.stdout is not None
        return self.process.stdout.fileno()


class Scanners:
    """Processes that make blocks of a file. A context manager: at its end they are gone.

    Args:
        source: the file.
        size: bytes of it that count.
        processes: how many; by default one for each processor, up to four, but at least two.
    """

    def __init__(self, source: FileSource, size: int, processes: int | None = None) -> None:
        self._source = source
        self._size = size
        self._count = processes or min(_MOST_PROCESSES, max(2, os.cpu_count() or 1))
        self._processes: list[_Process] = []

    def __enter__(self) -> Scanners:
        try:
            for _ in range(self._count):
                self._processes.append(_Process(_start(self._source.descriptor, self._size)))
        except (OSError, ValueError):
            self._end()
        return self

    def __exit__(self, *why: object) -> None:
        self._end()

    def _end(self) -> None:
        for one in self._processes:
            one.process.kill()
        for one in self._processes:
            with one.process:  # closes the pipes and waits
                pass
        self._processes.clear()

    def __bool__(self) -> bool:
        return bool(self._processes)

    def blocks(
        self, ranges: Sequence[Range], order: Sequence[int], cancelled: Callable[[], bool] | None
    ) -> Iterator[tuple[int, Block | None]]:
        """The blocks of ranges as they come, each with the place of its range.

        Args:
            ranges: ranges of the file.
            order: in which order to have them read, by their places.
            cancelled: asked now and then.

        Yields:
            Place and block; None where the range is to be read otherwise.

        Raises:
            Cancelled: `cancelled` said so.
        """
        waiting = deque(order)
        with selectors.DefaultSelector() as selector:
            for one in self._processes:
                os.set_blocking(one.answer_end, False)
                selector.register(one.answer_end, selectors.EVENT_READ, one)
            for one in list(self._processes):
                self._ask(one, ranges, waiting)
            while any(one.asked for one in self._processes):
                if cancelled is not None and cancelled():
                    raise Cancelled
                for key, _ in selector.select(_LOOK_UP):
                    yield from self._take(key.data, ranges, waiting, selector)
        yield from ((place, None) for place in waiting)

    def _ask(self, one: _Process, ranges: Sequence[Range], waiting: deque[int]) -> None:
        while waiting and len(one.asked) < _ASKED_AHEAD:
            place = waiting.popleft()
            one.asked.append(place)
            try:
                os.write(one.question_end, RANGE.pack(*ranges[place]))
            except OSError:
                return  # it is gone, as its other pipe will tell

    def _take(
        self, one: _Process, ranges: Sequence[Range], waiting: deque[int], selector: selectors.BaseSelector
    ) -> Iterator[tuple[int, Block | None]]:
        """Take what a process has answered, and ask it more."""
        try:
            data = os.read(one.answer_end, _READ_AT_ONCE)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            selector.unregister(one.answer_end)
            yield from ((place, None) for place in one.asked)
            one.asked.clear()
            return
        answer = one.answer
        answer += data
        while len(answer) >= LENGTH.size:
            (length,) = LENGTH.unpack_from(answer)
            end = LENGTH.size + length
            if len(answer) < end:
                return
            block = _block(bytes(memoryview(answer)[LENGTH.size : end]))
            del answer[:end]
            place = one.asked.popleft()
            self._ask(one, ranges, waiting)
            yield place, block


def _block(answer: bytes) -> Block | None:
    """The block of an answer; None for none, or from a program that was exchanged under this one's feet."""
    try:
        return from_bytes(answer) if answer else None
    except (EOFError, TypeError, ValueError):
        return None


def ranges_of(start: int, size: int) -> list[Range]:
    """The ranges that a file is read in, from a place on."""
    return [(at, min(size, at + RANGE_BYTES)) for at in range(start, size, RANGE_BYTES)]


def _start(descriptor: int, size: int) -> subprocess.Popen[bytes]:
    """Start a process that reads an opened file.

    Raises:
        OSError, ValueError: it cannot be started.
    """
    if os.name != "posix" or not sys.executable or getattr(sys, "frozen", False):
        raise OSError("opened files cannot be handed on")
    # Without the site's own start-up: it takes time, and the path it would find is known here.
    command = [sys.executable, "-P", "-S", "-m", "pitree.session.scanner", str(descriptor), str(size)]
    process = subprocess.Popen(
        command,
        bufsize=0,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        pass_fds=(descriptor,),
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        start_new_session=True,  # keys that end this program are not for it
    )
    if sys.platform == "linux" and process.stdout is not None:
        import fcntl

        with suppress(OSError):
            fcntl.fcntl(process.stdout.fileno(), fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
    return process
