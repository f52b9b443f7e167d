"""The index as a whole: the shards there are, and how much of each session file they cover."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from pitree.pi.places import SessionFile
from pitree.query.index.record_reader import RecordPosition
from pitree.query.index.session_facts import SessionFacts
from pitree.query.index.shard import DamagedShard, Shard, ShardName, ShardPart, shard_names
from pitree.state.cache_folder import cache_folder


def index_folder() -> Path:
    """Where the index lies."""
    return cache_folder() / "search"


@dataclass(frozen=True, slots=True)
class Coverage:
    """What the index has of a session file.

    Attributes:
        parts: shard number and part, one after the other from the start of the file.
    """

    parts: tuple[tuple[int, ShardPart], ...]

    @property
    def last(self) -> ShardPart:
        """The part at the end."""
        return self.parts[-1][1]

    @property
    def mark(self) -> RecordPosition | None:
        """Where the reading ended; None if the file could not be read."""
        return self.last.mark

    @property
    def facts(self) -> SessionFacts | None:
        """What is known of the session; None if the file could not be read."""
        return self.last.facts

    def is_all_of(self, file: SessionFile) -> bool:
        """Whether the file is as it was when it was read, and was read to its end."""
        return self.last.stamp == file.stamp and not self.unfinished

    @property
    def unfinished(self) -> bool:
        """Whether the reading stopped, for lack of room, before the end that the file had then.

        What stands behind the last end of a line, if it is no whole record, does not count.
        """
        return self.last.more

    def goes_on(self, file: SessionFile) -> bool:
        """Whether the file may be the same with more at its end."""
        mark = self.mark
        return (
            mark is not None
            and (mark.device, mark.inode) == file.stamp[:2]
            and (file.size > self.last.stamp[2] or (self.unfinished and file.size >= mark.end))
        )


class Index:
    """The shards in a folder. One thread at a time, which holds `lock`, may use them.

    Args:
        folder: where they lie; it need not exist.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.lock = threading.RLock()
        self.shards: dict[int, Shard] = {}
        self.damaged: set[Path] = set()
        self.files: dict[str, Coverage] = {}
        self._names: dict[int, Path] = {}
        self._live: dict[tuple[int, int], str] = {}

    def refresh(self) -> bool:
        """Take the shards that came and let go of those that went; whether there were any."""
        names = {
            one.number: one
            for one in shard_names(self.folder)
            if one.readable and one.path not in self.damaged
        }
        with self.lock:
            gone = [
                number
                for number, path in self._names.items()
                if names.get(number) is None or names[number].path != path
            ]
            came = [number for number in names if number not in self._names or number in gone]
            for number in gone:
                self._close(number)
            for number in sorted(came):
                try:
                    self.shards[number] = Shard(names[number])
                    self._names[number] = names[number].path
                except DamagedShard:
                    self.damaged.add(names[number].path)
            if gone or came:
                self._replay()
        return bool(gone or came)

    def has_another(self, name: ShardName) -> bool:
        """Whether another file with the number of a shard is used in its place."""
        return self._names.get(name.number, name.path) != name.path

    def drop(self, shard: Shard) -> None:
        """Use a shard no more, since it turned out to be damaged."""
        with self.lock:
            self.damaged.add(shard.path)
            self._close(shard.number)
            self._replay()

    def close(self) -> None:
        """Let go of all files."""
        with self.lock:
            for number in list(self.shards):
                self._close(number)
            self._replay()

    def _close(self, number: int) -> None:
        self._names.pop(number, None)
        shard = self.shards.pop(number, None)
        if shard is not None:
            shard.close()

    def _replay(self) -> None:
        """Find out which parts count: the newest shard is right about what it covers."""
        files: dict[str, Coverage] = {}
        for number in sorted(self.shards):
            for part in self.shards[number].parts:
                before = files.get(part.path)
                if part.start == 0 or part.mark is None:
                    files[part.path] = Coverage(((number, part),))
                elif before is not None:
                    kept = tuple(pair for pair in before.parts if pair[1].start < part.start)
                    if kept and kept[-1][1].end == part.start:
                        files[part.path] = Coverage((*kept, (number, part)))
        self.files = files
        self._live = {
            (number, part.number): path for path, covered in files.items() for number, part in covered.parts
        }

    def path_of(self, shard: Shard, part: int) -> str:
        """The session file of a part of a shard; empty if the part does not count any more."""
        return self._live.get((shard.number, part), "")

    @property
    def size(self) -> int:
        """Bytes of its files."""
        return sum(shard.size for shard in self.shards.values())


def missing(index: Index, files: Iterable[SessionFile]) -> tuple[int, int]:
    """How many files, and bytes of them, the index lacks or has as they were before."""
    count = size = 0
    for file in files:
        covered = index.files.get(file.path)
        if covered is None:
            count, size = count + 1, size + file.size
        elif not covered.is_all_of(file):
            end = covered.mark.end if covered.mark is not None and covered.goes_on(file) else 0
            count, size = count + 1, size + file.size - end
    return count, size
