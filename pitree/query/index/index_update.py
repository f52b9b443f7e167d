"""Brings the index up to date: what to read, in which order, into which shards; what to write again."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from pitree.pi.places import SessionFile
from pitree.query.index.index import Coverage, Index, missing
from pitree.query.index.shard import ReadJob, leftovers, shard_names, write_shard
from pitree.session.storage.line_reader import never
from pitree.session.storage.lock import take_lock
from pitree.state.cache_folder import make_private_file
from pitree.text import figures

SHARD_BYTES = 64_000_000
"""Bytes of session files in a shard."""
FIRST_BYTES = 2_000_000
"""The same in the first one, so that there soon is something to search; then twice as much each time."""
SMALL_BYTES = 8_000_000
"""Shards that cover less are put together."""
SMALL_KEPT = 8
"""Once there are more than so many."""
FEW_BYTES = 16_000_000
"""Bytes of session files that are best read in this process: another one takes longer to start."""
ROOM_LEFT = 100_000_000
"""Bytes of room on the disk below which no shard is begun, so that sessions can still be written."""
_ROUNDS = 1000


@dataclass(frozen=True, slots=True)
class ShardTask:
    """A shard to be written: what goes into it, and how many bytes of session files at most."""

    folder: Path
    number: int
    jobs: tuple[ReadJob, ...]
    most: int


class ShardWriters(Protocol):
    """Those who write shards, here or in other processes."""

    def write(self, tasks: Iterator[ShardTask]) -> Iterator[ShardTask]:
        """Write shards, as the tasks come; gives each task that is done.

        Raises:
            OSError, sqlite3.Error: one cannot be written.
        """


class InlineWriter:
    """Writes shards one after the other in this process."""

    def write(self, tasks: Iterator[ShardTask]) -> Iterator[ShardTask]:
        for task in tasks:
            write_shard(task.folder, task.number, task.jobs, task.most)
            yield task


class IndexNotWritten(Exception):
    """The index cannot be brought up to date; the text says why. What there is can still be searched."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the index is: files and bytes of sessions there are, and of these what it lacks."""

    files: int
    files_missing: int
    bytes: int
    bytes_missing: int

    @property
    def complete(self) -> bool:
        """Whether nothing is missing."""
        return not self.files_missing


@contextmanager
def index_lock(folder: Path) -> Iterator[bool]:
    """Be the one who writes the index; gives whether that is so. Another process may be it.

    Raises:
        IndexNotWritten: the folder cannot be written to.
    """
    path = folder / "lock"
    try:
        make_private_file(path)
        os.chmod(folder, 0o700)
        descriptor = os.open(path, os.O_RDWR | getattr(os, "O_CLOEXEC", 0))
    except OSError as error:
        raise IndexNotWritten(f"the index cannot be written: {error.strerror or error}") from error
    try:
        yield take_lock(descriptor, 0.0)
    finally:
        os.close(descriptor)


def update(
    index: Index,
    files: Sequence[SessionFile],
    writers: ShardWriters | None = None,
    on_progress: Callable[[Progress], object] = lambda progress: None,
    stopped: Callable[[], bool] = never,
) -> None:
    """Bring the index up to date with session files; to be called by who holds the `index_lock`.

    What was read once is not read again: of files that grew only what came is, and an update that was broken
    off is continued with. What is said of files that are not among `files`, but exist, stays.

    Args:
        index: the index; it sees each shard as it comes.
        files: the files as they are now.
        writers: who writes the shards; in this process by default.
        on_progress: told at the start and after each shard.
        stopped: asked after each shard whether to give up.

    Raises:
        IndexNotWritten: there is no room, or no right to write.
    """
    writers = writers or InlineWriter()
    try:
        _clear_away(index)
        index.refresh()
        _clear_away(index)
        jobs = jobs_for(index, files)
        if jobs:
            _see_that_there_is_room(index.folder)
        on_progress(progress_of(index, files))
        before = None
        for _ in range(_ROUNDS):
            if not jobs or stopped() or jobs == before:
                break
            before = jobs
            for _ in writers.write(_tasks(index, jobs, files, stopped)):
                index.refresh()
                on_progress(progress_of(index, files))
            jobs = jobs_for(index, files)
        if not stopped() and _has_room(index.folder):
            _put_together(index, writers)
    except (OSError, sqlite3.Error) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise IndexNotWritten(f"the index cannot be written: {reason}") from error


def progress_of(index: Index, files: Sequence[SessionFile]) -> Progress:
    """How far the index is with these files."""
    lacking, size = missing(index, files)
    return Progress(len(files), lacking, sum(file.size for file in files), size)


def clear(folder: Path) -> None:
    """Remove the index.

    Raises:
        OSError: it cannot be removed.
    """
    for path in (*(one.path for one in shard_names(folder)), *leftovers(folder)):
        path.unlink(missing_ok=True)


def jobs_for(index: Index, files: Sequence[SessionFile]) -> list[ReadJob]:
    """What has to be read, the newest first, what takes long last."""
    jobs = []
    for file in sorted(files, key=lambda file: (file.size > SHARD_BYTES, -file.mtime, file.path)):
        covered = index.files.get(file.path)
        if covered is None:
            jobs.append(ReadJob(file.path))
        elif not covered.is_all_of(file):
            goes_on = covered.goes_on(file)
            jobs.append(ReadJob(file.path, covered.mark, covered.facts) if goes_on else ReadJob(file.path))
    return jobs


def _tasks(
    index: Index, jobs: Sequence[ReadJob], files: Sequence[SessionFile], stopped: Callable[[], bool]
) -> Iterator[ShardTask]:
    """Shards to be written, small ones first if there is much to do."""
    sizes = {file.path: file.size for file in files}
    number = max((one.number for one in shard_names(index.folder)), default=0)
    most = FIRST_BYTES
    group: list[ReadJob] = []
    taken = 0
    for job in jobs:
        if stopped():
            return
        group.append(job)
        taken += sizes[job.path] - (job.mark.end if job.mark is not None else 0)
        if taken >= most:
            _see_that_there_is_room(index.folder)
            number += 1
            yield ShardTask(index.folder, number, tuple(group), SHARD_BYTES)
            group, taken, most = [], 0, min(2 * most, SHARD_BYTES // 2)
    if group:
        yield ShardTask(index.folder, number + 1, tuple(group), SHARD_BYTES)


def _see_that_there_is_room(folder: Path) -> None:
    """Raises IndexNotWritten if there is little room on the disk."""
    if not _has_room(folder):
        raise IndexNotWritten(f"no index is written: less than {figures.size(ROOM_LEFT)} of free disk space")


def _has_room(folder: Path) -> bool:
    try:
        return shutil.disk_usage(folder).free >= ROOM_LEFT
    except FileNotFoundError:  # the folder is still to be made
        return True


def _clear_away(index: Index) -> None:
    """Remove what nobody can use: shards that are damaged or of another version, and unfinished ones.

    Of two with the same number, as a writer may leave that outlived the process it wrote for, one goes.
    """
    for path in leftovers(index.folder):
        path.unlink(missing_ok=True)
    for one in shard_names(index.folder):
        if not one.readable or one.path in index.damaged or index.has_another(one):
            one.path.unlink(missing_ok=True)


def _put_together(index: Index, writers: ShardWriters) -> None:
    """Write small shards, and those of which little counts any more, again as one."""
    alive: dict[int, int] = dict.fromkeys(index.shards, 0)
    gone = {path for path in index.files if not os.path.exists(path)}
    for path, covered in index.files.items():
        for number, part in covered.parts:
            alive[number] += part.end - part.start if path not in gone else 0
    whole = {
        number: sum(part.end - part.start for part in shard.parts) for number, shard in index.shards.items()
    }
    small = [number for number in alive if alive[number] < SMALL_BYTES]
    old = {number for number in alive if whole[number] and alive[number] * 2 < whole[number]}
    old |= set(small) if len(small) > SMALL_KEPT else set()
    if not old:
        return
    jobs = [
        job
        for path, covered in index.files.items()
        if path not in gone and (job := _again(path, covered, old)) is not None
    ]
    jobs.sort(key=lambda job: -(job.facts.talked if job.facts is not None else 0.0))
    number = max(one.number for one in shard_names(index.folder)) + 1
    most = 1 << 62
    for _ in writers.write(iter([ShardTask(index.folder, number, tuple(jobs), most)])) if jobs else ():
        pass
    for one in shard_names(index.folder):
        if one.number in old:
            one.path.unlink(missing_ok=True)
    index.refresh()


def _again(path: str, covered: Coverage, old: set[int]) -> ReadJob | None:
    """Reading again what shards have of a file, and what follows it; None if they have nothing."""
    before = None
    for number, part in covered.parts:
        if number in old:
            if before is None or part.mark is None:
                return ReadJob(path)
            return ReadJob(path, before.mark, before.facts, covered.last.end)
        before = part
    return None
