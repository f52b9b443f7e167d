"""Has a process of its own read the first sessions of a list while this one still loads the screen's code."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pitree.pi.places import Places
from pitree.workers.framing import LENGTH, send
from pitree.workers.spawn import cores, enlarge_pipe, start

if TYPE_CHECKING:
    from pitree.catalog.info.session_info import SessionInfo

ROOM = 1 << 20
"""Bytes that may wait to be looked at, where the system allows that; then the process waits, too."""

TOTAL, KNOWN, READ, ALL = b"n", b"k", b"s", b"."
"""What a message starts with: how many files there are, a session from the cache, one read from its file, and
that these were all."""


class Prefetch:
    """Sessions of a list as far as a process has read them, the newest files first.

    Nothing is done in this process until it is asked what there is, so that what it does meanwhile takes no
    longer: the messages wait in their pipe. Where no process can be started, or there is no second core for
    it to run on, nothing comes.

    Args:
        places: where sessions lie.
        everything: whether the sessions of all folders are wanted, not only those of the working directory.
        cache: the file with sessions read at earlier starts, if there is one.

    Attributes:
        total: files there are; 0 while that is not known.
        whole: whether all of them were read.
    """

    def __init__(self, places: Places, everything: bool, cache: Path | None) -> None:
        self.places = places
        self.everything = everything
        self.total = 0
        self.whole = False
        self._data = bytearray()
        self._sessions: list[SessionInfo] = []
        self._read: list[SessionInfo] = []
        self._process: subprocess.Popen[bytes] | None = None
        try:
            if sys.platform != "win32" and cores() > 1:
                self._process = start("pitree.catalog.loading.prefetch_worker")
                self._ask(self._process, cache)
        except (OSError, ValueError, TypeError):
            self.stop()

    def _ask(self, process: subprocess.Popen[bytes], cache: Path | None) -> None:
        if sys.platform == "win32":  # no process was started
            return
        assert process.stdin is not None
        assert process.stdout is not None
        places = self.places
        asked = (places.cwd, places.agent_dir, places.session_dir or "", cache or "")
        send(process.stdin, b"\0".join([b"all" if self.everything else b"", *map(os.fsencode, asked)]))
        out = process.stdout.fileno()
        os.set_blocking(out, False)
        enlarge_pipe(out, ROOM)

    @property
    def sessions(self) -> list[SessionInfo]:
        """The sessions taken so far."""
        return self._sessions

    @property
    def read(self) -> list[SessionInfo]:
        """Of these the ones that were read from their files, which the cache does not know."""
        return self._read

    def look(self) -> bool:
        """Take what the process has sent by now; whether there was anything."""
        process = self._process
        if process is None or process.stdout is None:
            return False
        before = len(self._sessions), self.total, self.whole
        ended = False
        try:
            while piece := os.read(process.stdout.fileno(), ROOM):
                self._data += piece
            ended = True
        except BlockingIOError:
            pass
        except OSError:
            ended = True
        try:
            self._take()
        except Exception:  # no session of ours; what comes next would be none either
            ended = True
        if ended or self.whole:
            self.stop()
        return before != (len(self._sessions), self.total, self.whole)

    def _take(self) -> None:
        from pitree.catalog.info.info_codec import decoded

        at = 0
        while len(self._data) >= at + LENGTH.size:
            end = at + LENGTH.size + LENGTH.unpack_from(self._data, at)[0]
            if len(self._data) < end:
                break
            message = bytes(self._data[at + LENGTH.size : end])
            kind, rest, at = message[:1], message[1:], end
            if kind == TOTAL:
                self.total = int(rest)
            elif kind == ALL:
                self.whole = True
            else:
                path, device, facts = rest.split(b"\0", 2)
                info = decoded(facts, os.fsdecode(path), int(device))
                self._sessions.append(info)
                if kind == READ:
                    self._read.append(info)
        del self._data[:at]

    def stop(self) -> None:
        """End the process; what it has sent and nobody looked at is lost."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:
                    pass
        process.wait()
