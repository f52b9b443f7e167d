"""Reads many session files for a list: in threads, and in processes where there is much to read."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from pitree.catalog.info.session_info import (
    NoSessionFile,
    NotRequested,
    SessionInfo,
    cwd_of,
    read_header,
    read_info,
    read_on,
)
from pitree.catalog.loading.reader_process import ProcessFailed, ReadingProcess
from pitree.pi.places import SessionFile, SkippedFile
from pitree.session.storage.line_reader import FileReplaced, ReadCancelled
from pitree.workers.failures import Failure, reason_of, start_thread
from pitree.workers.spawn import cores

READERS = 4
"""Files read at once. Waiting for the disk is what they do beside each other; see `Readers`."""
BIG_READERS = 2
"""Of these, how many may hold a big file at a time, which bounds memory."""
BIG_FILE = 8 * 1024 * 1024
"""Files above this are read when the smaller ones are done, so that they hold nobody up."""
HUGE_FILE = 32 * BIG_FILE
"""Files above this come last of all."""
TEXT_KEPT = 48 * 1024 * 1024
"""Bytes of message text kept for searching, over all sessions of a list, for the first ones read.

Searching doubles it (`MessageText.folded`). Sessions beyond it are read again when somebody searches."""
TEXT_OF_ONE = 8 * 1024 * 1024
"""Of that, at most so much for one session."""
MUCH = 50 * 1000 * 1000
"""Bytes from which on it is worth starting processes."""
A_SHARE = 16 * 1000 * 1000
"""Bytes from which on one more process is worth it."""
MOST_PROCESSES = 8
"""Each takes some 25 MB of memory."""
ASKED_AT_ONCE = 8
"""Files for which a process is asked in one go, at most."""


class Readers:
    """Reads session files beside each other, in the order given.

    Parsing holds the interpreter's lock, so of the threads only one at a time parses: two would not be
    faster, and the thread of the screen would have to wait for its turn behind both. What they do beside each
    other is wait for the disk, which is what matters on a slow or distant one. Where there is more to read
    than that goes well with, processes read, one a core; they keep no text for searching.

    Args:
        known: sessions read before, by path.
        belongs: tells by working directory and folder whether a session is wanted; None wants all.
        wake: called in any thread when there is news.
        keep: given each session that was read, in any thread.

    Attributes:
        error: what ended one of the threads; `done` may never come true then.
    """

    def __init__(
        self,
        known: Mapping[str, SessionInfo],
        belongs: Callable[[str, str], bool] | None,
        wake: Callable[[], None],
        keep: Callable[[SessionInfo], None] | None = None,
    ) -> None:
        self.stopped = False
        self.error: BaseException | None = None
        self.total = 0
        self.loaded = 0
        self.infos: list[SessionInfo] = []
        self.strangers: list[SkippedFile] = []
        self._known = known
        self._belongs = belongs
        self._wake = wake
        self._keep = keep
        self._grown: deque[SessionFile] = deque()
        self._small: deque[SessionFile] = deque()
        self._big: deque[SessionFile] = deque()
        self._busy_big = 0
        self._threads = 0
        self._processes: list[ReadingProcess] = []
        self._ready = False
        self._kept = 0
        self._lock = threading.Lock()
        self._parsing = threading.Lock()

    def take(self, same: Sequence[tuple[SessionFile, SessionInfo]]) -> None:
        """Take files that need not be read, since they are what they were."""
        with self._lock:
            self.total += len(same)
            self.loaded += len(same)
            self.infos += (info for file, info in same if self._is_wanted(info.cwd, file))
            self._kept += sum(info.text.size for _, info in same if info.text is not None)
        self._wake()

    def add(self, files: Iterable[SessionFile]) -> None:
        """Read these too; the newest first, the big ones at the end."""
        given = sorted(files, key=lambda file: (file.size > HUGE_FILE, -file.mtime))
        grown = [file for file in given if self._may_have_grown(file)]
        fresh = [file for file in given if not self._may_have_grown(file)]
        processes = processes_for(fresh)
        with self._lock:
            self.total += len(given)
            self._grown.extend(grown)
            self._small.extend(file for file in fresh if file.size <= BIG_FILE)
            self._big.extend(file for file in fresh if file.size > BIG_FILE)
            if processes:
                # Until they are ready, the first sessions are read here.
                programs = [self._with_process] * processes + [self._beside_processes]
            else:
                programs = [self._here] * (min(READERS, len(given)) - self._threads)
            self._threads += len(programs)
        for program in programs:
            start_thread("pitree-list", "list the sessions", partial(self._run, program), self._failed)

    @property
    def done(self) -> bool:
        """Whether every file added was read."""
        return self.loaded == self.total

    def stop(self) -> None:
        """Give up; threads end within a chunk of a file, processes at once."""
        with self._lock:
            self.stopped = True
            processes = list(self._processes)
        for process in processes:
            process.stop()

    def snapshot(self) -> tuple[list[SessionInfo], list[SkippedFile]]:
        """What is there so far, in no order."""
        with self._lock:
            return list(self.infos), list(self.strangers)

    # -- threads --------------------------------------------------------------------------------------

    def _run(self, program: Callable[[], None]) -> None:
        try:
            program()
        except ReadCancelled:
            pass
        finally:
            with self._lock:
                self._threads -= 1

    def _failed(self, failure: Failure) -> None:
        """Files may be left that nobody reads: whoever waits for them is to know."""
        self.error = failure.error
        self._wake()

    def _here(self) -> None:
        """Read what there is to be read."""
        while (file := self._next()) is not None:
            self._took(file, self._found(file))

    def _beside_processes(self) -> None:
        """Read what has only grown; and until a process is ready, small files."""
        while (file := self._next(helping=True)) is not None:
            self._took(file, self._found(file))

    def _with_process(self) -> None:
        """Have a process read; continue without it if it fails."""
        process = None
        try:
            process = ReadingProcess()
            with self._lock:
                self._processes.append(process)
                stopped = self.stopped
            if stopped:
                return
            process.wait_until_ready()
            self._ready = True
            while files := self._next_ones():
                waiting = deque(files)
                try:
                    for found in process.read(files):
                        self._took(waiting.popleft(), found)
                finally:
                    self._give_back(waiting)
        except ProcessFailed:
            self._here()
        finally:
            if process is not None:
                process.close()

    def _next(self, *, helping: bool = False) -> SessionFile | None:
        with self._lock:
            if self.stopped:
                return None
            if self._grown:
                return self._grown.popleft()
            if helping and (self._ready or not self._small):
                return None
            return self._pop()

    def _next_ones(self) -> list[SessionFile]:
        """Some files for a process: as many small ones as make it worth asking, or a big one."""
        files: list[SessionFile] = []
        size = 0
        while len(files) < ASKED_AT_ONCE and size < BIG_FILE / 2:
            with self._lock:
                if self.stopped or (files and not self._small):
                    break
                file = self._pop()
            if file is None:
                break
            if self._names_wanted(file):
                files.append(file)
                size += file.size
        return files

    def _pop(self) -> SessionFile | None:
        if self._small:
            return self._small.popleft()
        if self._big and self._busy_big < BIG_READERS:
            self._busy_big += 1
            return self._big.popleft()
        return None

    def _give_back(self, files: Iterable[SessionFile]) -> None:
        """These were not read after all."""
        with self._lock:
            for file in files:
                big = file.size > BIG_FILE
                self._busy_big -= big
                (self._big if big else self._small).appendleft(file)

    def _took(self, file: SessionFile, found: SessionInfo | SkippedFile | None) -> None:
        """A file was read; None if it is not wanted."""
        if isinstance(found, SessionInfo) and self._keep is not None:
            self._keep(found)
        with self._lock:
            if isinstance(found, SkippedFile):
                self.strangers.append(found)
            elif found is not None:
                self._kept += found.text.size if found.text else 0
                self.infos.append(found)
            self.loaded += 1
            self._busy_big -= file.size > BIG_FILE and not self._may_have_grown(file)
        self._wake()

    # -- one file -------------------------------------------------------------------------------------

    def _may_have_grown(self, file: SessionFile) -> bool:
        known = self._known.get(file.path)
        return known is not None and known.file.stamp[:2] == file.stamp[:2] and file.size >= known.file.size

    def _is_wanted(self, cwd: str, file: SessionFile) -> bool:
        return self._belongs is None or self._belongs(cwd, os.path.dirname(file.path))

    def _names_wanted(self, file: SessionFile) -> bool:
        """Whether a file's header names a working directory that is wanted. If not, the file is done with."""
        if self._belongs is None:
            return True
        try:
            if self._is_wanted(cwd_of(read_header(file.path)), file):
                return True
        except (NoSessionFile, OSError):
            return True  # Whoever reads it says why.
        self._took(file, None)
        return False

    def _found(self, file: SessionFile) -> SessionInfo | SkippedFile | None:
        try:
            return self._info(file)
        except ReadCancelled:
            raise
        except NotRequested:
            return None
        except NoSessionFile as error:
            return SkippedFile(file.path, str(error))
        except OSError as error:
            return SkippedFile(file.path, error.strerror or str(error))
        except Exception as error:  # One file, whatever is in it, must not keep the others from being listed.
            return SkippedFile(file.path, f"it cannot be read ({reason_of(error)})")

    def _info(self, file: SessionFile) -> SessionInfo:
        known = self._known.get(file.path)
        keep = room_for_text(known, self._kept)
        if known is not None and self._is_wanted(known.cwd, file):
            try:
                return read_on(known, keep, stopped=lambda: self.stopped, turn=self._parsing)
            except FileReplaced:
                keep = room_for_text(None, self._kept)
        return read_info(
            file,
            keep,
            stopped=lambda: self.stopped,
            wanted=lambda cwd: self._is_wanted(cwd, file),
            turn=self._parsing,
        )


def processes_for(files: Sequence[SessionFile]) -> int:
    """How many processes it takes to read files from the start; none where it is done sooner without."""
    size = sum(file.size for file in files)
    if size <= MUCH:
        return 0
    return max(1, min(cores(), MOST_PROCESSES, len(files), size // A_SHARE))


def room_for_text(known: SessionInfo | None, kept: int) -> int:
    """Characters of text that may be kept of a session beyond what is known of it.

    Args:
        known: the session as far as it was read; None when it is read from the start.
        kept: bytes kept of all sessions.
    """
    of_this = known.text.size if known is not None and known.text is not None else 0
    return max(0, min(TEXT_OF_ONE - of_this, TEXT_KEPT - kept))
