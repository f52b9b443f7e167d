"""One file of the index: written once, in one go, then only read; its name tells whether it is whole.

A shard is an SQLite database. Its FTS5 table has a row for each entry, with the entry's words and no text;
the number of a row is made of a part and of the place of the entry's record in the session file. A *part* is
a stretch of a session file that the shard covers. The name holds the checksum of the bytes, so that a file
that was cut short or changed is known as such before anything is read from it, and the version of what is in
it.
"""

from __future__ import annotations

import gc
import json
import os
import re
import sqlite3
import unicodedata
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import orjson

from pitree.catalog.info.session_info import NoSessionFile
from pitree.query.entries.searchable import searchable_text
from pitree.query.index.hits import models_of, tools_of
from pitree.query.index.record_reader import Placed, RecordPosition, RecordReader
from pitree.query.index.session_facts import SessionFacts
from pitree.query.language.query_parser import ROLES
from pitree.query.language.tokenizer import indexed, words_in
from pitree.session.format.entry_type import Kind
from pitree.session.storage.line_reader import FileReplaced, ReadCancelled
from pitree.state.cache_folder import make_private_file

VERSION = f"3u{unicodedata.unidata_version.replace('.', '')}"
"""What a shard holds, and by which Unicode its words were told apart; others are not read."""

OFFSET_BITS = 40
OFFSETS = (1 << OFFSET_BITS) - 1

ROLE, TOOL, MODEL = "\ue000", "\ue001", "\ue002"
"""What the words for filters start with; no word of a text has such characters in it."""

_NAME = re.compile(r"(?P<version>\w+)-(?P<number>\d{8})-(?P<sum>[0-9a-f]{8})\.words")
_UNFINISHED = ".unfinished"
_HASH_BYTES = 48_000_000
_SCHEMA = """
create table parts (
    number integer primary key, path blob, device integer, inode text, start integer, size integer,
    written integer, reached integer, known blob, head blob, facts blob, fault text, more integer
);
create virtual table words using fts5 (said, content='', detail=full, columnsize=0, tokenize='ascii');
insert into words (words, rank) values ('hashsize', {hash});
insert into words (words, rank) values ('automerge', 0);
"""

ROLE_WORDS = dict.fromkeys(Kind, ROLE) | {
    kind: ROLE + name for name, kinds in ROLES.items() for kind in kinds
}
_NAME_KEPT = 1000


@dataclass(frozen=True, slots=True)
class ShardPart:
    """A stretch of a session file that a shard covers.

    Attributes:
        number: within the shard.
        path: the session file.
        start: where the stretch starts, in bytes.
        stamp: device, inode, size and time of writing (ns) of the file when it was read.
        mark: where the reading ended; None for a file that could not be read as a session.
        facts: what was known of the session then; None likewise.
        fault: why it could not be read, in words.
        more: whether the reading stopped for lack of room.
    """

    number: int
    path: str
    start: int
    stamp: tuple[int, int, int, int]
    mark: RecordPosition | None
    facts: SessionFacts | None
    fault: str = ""
    more: bool = False

    @property
    def end(self) -> int:
        """The place behind the stretch."""
        return self.mark.end if self.mark is not None else self.start


@dataclass(frozen=True, slots=True)
class ReadJob:
    """A stretch of a session file to be read: from a mark on, to the end or so far as there is room.

    Attributes:
        path: the session file.
        mark, facts: where an earlier reading ended; None for the start.
        until: where to stop, which is the end of a line; None for the end of the file.
    """

    path: str
    mark: RecordPosition | None = None
    facts: SessionFacts | None = None
    until: int | None = None


def words_of(record: Placed) -> str:
    """What the index gets of an entry."""
    _, content, kind = record
    words = [ROLE_WORDS[kind]]
    words += [_marked(TOOL, name) for name in tools_of(content, kind)]
    words += [_marked(MODEL, name) for name in models_of(content, kind)]
    words.append(indexed(searchable_text(content, kind)))
    return " ".join(words)


@lru_cache(maxsize=1000)
def _marked(mark: str, name: str) -> str:
    return " ".join(mark + word for word in words_in(name[:_NAME_KEPT]))


def write_shard(folder: Path, number: int, jobs: Iterable[ReadJob], most: int) -> Path | None:
    """Read session files and write a shard of them.

    Files that cannot be read are noted as such. The shard bears its name once it is whole, so that one who is
    interrupted, or finds no room on the disk, leaves nothing that counts.

    Args:
        folder: where shards lie.
        number: of the shard; no other may have it.
        jobs: what to read, the newest first.
        most: bytes of session files after which the shard is full.

    Returns:
        The file; None if there was nothing to be read.

    Raises:
        OSError, sqlite3.Error: it cannot be written.
    """
    unfinished = folder / f"{number:08d}-{os.getpid()}{_UNFINISHED}"
    try:
        make_private_file(unfinished)
        base = sqlite3.connect(unfinished, isolation_level=None)
        try:
            base.execute("pragma journal_mode=off")
            base.execute("pragma synchronous=off")
            base.execute("pragma temp_store=memory")
            base.executescript(_SCHEMA.format(hash=_HASH_BYTES))
            base.execute("begin")
            # Records are many small things that go by themselves; looking for circles takes a third more.
            collecting = gc.isenabled()
            gc.disable()
            try:
                count = _fill(base, jobs, most)
            finally:
                if collecting:
                    gc.enable()
            base.execute("commit")
        finally:
            base.close()
        if not count:
            return None
        final = folder / f"{VERSION}-{number:08d}-{_checksum(unfinished):08x}.words"
        os.replace(unfinished, final)
        return final
    finally:
        unfinished.unlink(missing_ok=True)


def _fill(base: sqlite3.Connection, jobs: Iterable[ReadJob], most: int) -> int:
    """Read session files into a shard; how many parts that made."""
    taken = count = 0
    for job in jobs:
        if taken >= most:
            break
        count += 1
        start = job.mark.end if job.mark is not None else 0
        facts = job.facts.copy() if job.facts is not None else None
        reader = RecordReader(job.path, job.mark, facts, most=most - taken, until=job.until)
        fault = ""
        try:
            base.executemany("insert into words (rowid, said) values (?, ?)", _rows(reader, count))
        except NoSessionFile as error:
            fault = str(error)
        except (FileReplaced, ReadCancelled):
            count -= 1
            continue
        except OSError as error:
            fault = error.strerror or str(error)
        _write_part(base, count, job.path, start, reader, fault)
        if not fault and reader.mark is not None:
            taken += reader.mark.end - start
    return count


def _rows(reader: RecordReader, part: int) -> Iterator[tuple[int, str]]:
    first = part << OFFSET_BITS
    for placed in reader:
        yield first + placed[0], words_of(placed)


def _write_part(
    base: sqlite3.Connection, number: int, path: str, start: int, reader: RecordReader, fault: str
) -> None:
    mark = None if fault else reader.mark
    facts = b"" if mark is None else orjson.dumps(_clean(reader.facts.as_row()))
    base.execute(
        "insert into parts values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            number,
            os.fsencode(path),
            reader.stamp[0],
            str(reader.stamp[1]),
            start,
            reader.stamp[2],
            reader.stamp[3],
            mark.end if mark is not None else None,
            mark.known if mark is not None else None,
            mark.head if mark is not None else None,
            facts,
            fault,
            reader.more,
        ),
    )


def _clean(row: dict[str, object]) -> dict[str, object]:
    """Facts with no half characters in their texts."""
    try:
        orjson.dumps(row)
        return row
    except TypeError:
        cleaned: dict[str, object] = json.loads(
            json.dumps(row, ensure_ascii=False).encode("utf-8", "replace")
        )
        return cleaned


def _checksum(path: Path) -> int:
    found = 0
    with path.open("rb", buffering=0) as file:
        while piece := file.read(1 << 20):
            found = zlib.crc32(piece, found)
    return found


@dataclass(frozen=True, slots=True)
class ShardName:
    """What the name of a shard's file tells."""

    path: Path
    number: int
    checksum: int
    readable: bool


def shard_names(folder: Path) -> list[ShardName]:
    """The shards in a folder, by number; none if there is no such folder."""
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    found = []
    for name in names:
        if match := _NAME.fullmatch(name):
            readable = match["version"] == VERSION
            found.append(ShardName(folder / name, int(match["number"]), int(match["sum"], 16), readable))
    return sorted(found, key=lambda one: one.number)


def leftovers(folder: Path) -> list[Path]:
    """Files of writers that did not come to an end."""
    try:
        return [folder / name for name in os.listdir(folder) if name.endswith(_UNFINISHED)]
    except OSError:
        return []


class DamagedShard(Exception):
    """A shard's file is not what was written."""


class Shard:
    """A shard to be read. One thread at a time may use it.

    Raises:
        DamagedShard: its file is not what was written, or is gone.
    """

    def __init__(self, name: ShardName) -> None:
        self.path, self.number = name.path, name.number
        try:
            self.size = self.path.stat().st_size
            if _checksum(self.path) != name.checksum:
                raise DamagedShard(f"{self.path} is damaged")
            self._base = sqlite3.connect(
                f"{self.path.absolute().as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False
            )
            self._base.execute("pragma temp_store=memory")
            self.parts = [_part(row) for row in self._base.execute("select * from parts order by number")]
        except (OSError, sqlite3.Error, ValueError, TypeError, KeyError, orjson.JSONDecodeError) as error:
            raise DamagedShard(f"{self.path}: {error}") from error

    def candidates(self, expression: str) -> Iterator[list[int]]:
        """The rows that an FTS5 expression finds, by number, in lists; the session read first comes first.

        Raises:
            DamagedShard: it cannot be read.
        """
        try:
            cursor = self._base.execute(
                "select rowid from words where words match ? order by rowid", (expression,)
            )
            size = 256
            while rows := cursor.fetchmany(size):
                yield [row[0] for row in rows]
                size = 8192
        except sqlite3.Error as error:
            raise DamagedShard(f"{self.path}: {error}") from error

    def stop(self) -> None:
        """Have a search that runs in another thread end."""
        self._base.interrupt()

    def close(self) -> None:
        """Let go of the file."""
        self._base.close()


def _part(
    row: tuple[int, bytes, int, str, int, int, int, int | None, bytes, bytes, bytes, str, int],
) -> ShardPart:
    number, path, device, inode, start, size, written, reached, known, head, facts, fault, more = row
    stamp = (device, int(inode), size, written)
    if reached is None:
        return ShardPart(number, os.fsdecode(path), start, stamp, None, None, fault)
    mark = RecordPosition(device, int(inode), reached, known, head)
    return ShardPart(
        number,
        os.fsdecode(path),
        start,
        stamp,
        mark,
        SessionFacts.of_row(orjson.loads(facts)),
        more=bool(more),
    )
