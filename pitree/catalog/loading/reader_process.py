"""A process of its own that reads sessions for a list, since one process parses on one core only."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Sequence

from pitree.catalog.info.info_codec import decoded
from pitree.catalog.info.session_info import SessionInfo
from pitree.catalog.loading.reader_worker import READY, SESSION
from pitree.pi.places import SessionFile, SkippedFile
from pitree.workers.framing import receive, send
from pitree.workers.spawn import start


class ProcessFailed(Exception):
    """A process could not be started, or has ended."""


class ReadingProcess:
    """A process that reads sessions. It is started at once, and ends when it is stopped or this process ends.

    To be used in one thread, save for `stop`.

    Raises:
        ProcessFailed: it cannot be started.
    """

    def __init__(self) -> None:
        try:
            self._process = start("pitree.catalog.loading.reader_worker")
        except (OSError, ValueError, TypeError) as error:
            raise ProcessFailed(str(error)) from error
        self._stopped = False
        self._ending = threading.Lock()

    def wait_until_ready(self) -> None:
        """Wait until it can read.

        Raises:
            ProcessFailed: it ended instead.
        """
        if self._receive() != READY:
            raise ProcessFailed("it gave an unexpected answer")

    def read(self, files: Sequence[SessionFile]) -> Iterator[SessionInfo | SkippedFile]:
        """Read files: what is found of each, in this order, once it is found.

        Raises:
            ProcessFailed: it has ended, or says something else.
        """
        assert self._process.stdin is not None
        try:
            for file in files:
                send(self._process.stdin, os.fsencode(file.path))
        except (OSError, ValueError) as error:
            raise ProcessFailed(str(error)) from error
        for file in files:
            answer = self._receive()
            try:
                found = (
                    decoded(answer[1:], file.path, file.stamp[0])
                    if answer[:1] == SESSION
                    else SkippedFile(file.path, answer[1:].decode())
                )
            except (ValueError, TypeError) as error:  # the program was exchanged under this one's feet
                raise ProcessFailed("it gave an unexpected answer") from error
            yield found

    def _receive(self) -> bytes:
        assert self._process.stdout is not None
        try:
            message = receive(self._process.stdout)
        except (OSError, ValueError, MemoryError) as error:  # what says something else may name any length
            raise ProcessFailed(str(error)) from error
        if message is None:
            raise ProcessFailed("it has ended")
        return message

    def stop(self) -> None:
        """End it, whatever it is doing. May be called in any thread, and more than once."""
        with self._ending:
            if self._stopped:
                return
            self._stopped = True
        self._process.kill()

    def close(self) -> None:
        """End it, and let go of what belongs to it; in the thread that uses it."""
        self.stop()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:
                    pass
