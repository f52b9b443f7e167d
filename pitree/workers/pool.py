"""Processes that answer questions, so that this one stays free for keys.

A question and its answer are bytes. Where processes cannot be started, or end, their questions go unanswered,
and whoever asked does the work.
"""

from __future__ import annotations

import os
import selectors
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Self

from pitree.workers import Cancelled
from pitree.workers.framing import LENGTH
from pitree.workers.spawn import enlarge_pipe

_MOST_PROCESSES = 4
_PIPE_BYTES = 1 << 20
"""So that a process can continue while its last answer is not taken yet."""
_ASKED_AHEAD = 3
_READ_AT_ONCE = 1 << 20
_LOOK_UP = 0.05
"""Seconds between two looks at whether to give up."""


@dataclass(slots=True, eq=False)
class _Process:
    """One process, what it is yet to be told, and what it was asked and has not answered yet."""

    process: subprocess.Popen[bytes]
    asked: deque[int] = field(default_factory=deque)
    telling: bytearray = field(default_factory=bytearray)
    answer: bytearray = field(default_factory=bytearray)

    @property
    def question_end(self) -> int:
        assert self.process.stdin is not None
        return self.process.stdin.fileno()

    @property
    def answer_end(self) -> int:
        assert self.process.stdout is not None
        return self.process.stdout.fileno()

    def tell(self) -> bool:
        """Pass on as much of the questions as there is room for; return whether that is all."""
        try:
            while self.telling:
                del self.telling[: os.write(self.question_end, self.telling)]
        except BlockingIOError:
            return False
        except OSError:
            self.telling.clear()  # it is gone, as its other pipe will tell
        return True


class Workers:
    """Processes of one kind. A context manager: at its end they are gone.

    Args:
        module: the module that they run, `python -m MODULE ARGUMENTS`. It reads questions from its standard
            input and answers them, in the same order, as `answering` does.
        arguments: what it is told.
        descriptors: opened files it gets.
        count: how many; by default one for each processor, up to four, but at least two.
    """

    def __init__(
        self, module: str, arguments: Sequence[str], descriptors: Sequence[int], count: int | None = None
    ) -> None:
        self._module = module
        self._arguments = arguments
        self._descriptors = descriptors
        self._count = count or min(_MOST_PROCESSES, max(2, os.cpu_count() or 1))
        self._processes: list[_Process] = []

    def __enter__(self) -> Self:
        try:
            for _ in range(self._count):
                self._processes.append(_Process(start(self._module, self._arguments, self._descriptors)))
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

    def answers(
        self, questions: Iterable[bytes], cancelled: Callable[[], bool] | None
    ) -> Iterator[tuple[int, bytes]]:
        """The answers as they come, each with the number of its question.

        Args:
            questions: taken as there is use for them.
            cancelled: asked now and then.

        Yields:
            Number and answer; an empty one where the question went unanswered. Where all processes have
            ended, only the questions that were asked by then are told of.

        Raises:
            Cancelled: `cancelled` said so.
        """
        if sys.platform == "win32":  # no process was started
            return
        waiting = enumerate(questions)
        with selectors.DefaultSelector() as selector:
            for one in self._processes:
                os.set_blocking(one.question_end, False)
                os.set_blocking(one.answer_end, False)
                selector.register(one.answer_end, selectors.EVENT_READ, one)
            for one in list(self._processes):
                self._ask(one, waiting, selector)
            while any(one.asked for one in self._processes):
                if cancelled is not None and cancelled():
                    raise Cancelled
                for key, _ in selector.select(_LOOK_UP):
                    one = key.data
                    if key.fd == one.answer_end:
                        yield from self._take(one, waiting, selector)
                    elif one.tell():
                        selector.unregister(key.fd)

    def _ask(
        self, one: _Process, waiting: Iterator[tuple[int, bytes]], selector: selectors.BaseSelector
    ) -> None:
        while len(one.asked) < _ASKED_AHEAD:
            number, question = next(waiting, (-1, b""))
            if number < 0:
                break
            one.asked.append(number)
            one.telling += question
        if not one.tell() and one.question_end not in selector.get_map():
            selector.register(one.question_end, selectors.EVENT_WRITE, one)

    def _take(
        self, one: _Process, waiting: Iterator[tuple[int, bytes]], selector: selectors.BaseSelector
    ) -> Iterator[tuple[int, bytes]]:
        """Take what a process has answered, and ask it more."""
        try:
            data = os.read(one.answer_end, _READ_AT_ONCE)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            selector.unregister(one.answer_end)
            if one.question_end in selector.get_map():
                selector.unregister(one.question_end)
            yield from ((number, b"") for number in one.asked)
            one.asked.clear()
            return
        answer = one.answer
        answer += data
        while len(answer) >= LENGTH.size:
            (length,) = LENGTH.unpack_from(answer)
            end = LENGTH.size + length
            if len(answer) < end:
                return
            told = bytes(memoryview(answer)[LENGTH.size : end])
            del answer[:end]
            number = one.asked.popleft()
            self._ask(one, waiting, selector)
            yield number, told


def start(module: str, arguments: Sequence[str], descriptors: Sequence[int]) -> subprocess.Popen[bytes]:
    """Start a process that runs a module and gets opened files.

    Raises:
        OSError, ValueError: it cannot be started.
    """
    if sys.platform == "win32" or not sys.executable or getattr(sys, "frozen", False):
        raise OSError("open files cannot be passed on")
    process = subprocess.Popen(
        # Without the site's own start-up: it takes time, and the path it would find is known here.
        [sys.executable, "-P", "-S", "-m", module, *arguments],
        bufsize=0,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        pass_fds=tuple(descriptors),
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        start_new_session=True,  # keys that end this program are not for it
    )
    if process.stdout is not None:
        enlarge_pipe(process.stdout.fileno(), _PIPE_BYTES)
    return process
