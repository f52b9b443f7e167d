"""Reads a session: bytes in, any amount at a time, entries out. Opening and following are this one path."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import orjson

from pitree.session.format.entry_summary import TEXT_KEPT, Summarizer, trim, utf8
from pitree.session.format.entry_type import Flag, Kind
from pitree.session.format.errors import Notice
from pitree.session.format.jsonl import BOM, LineSplitter, objects_within, parse
from pitree.session.format.migrate import CURRENT_VERSION, to_current, version_of
from pitree.session.format.record_check import described, is_header, looks_like_entry
from pitree.session.format.times import time_ms
from pitree.session.reading.entry_table import EntryTable
from pitree.session.reading.usage import SessionStats
from pitree.session.storage.byte_source import FileSource, Source

if TYPE_CHECKING:
    from pitree.session.reading.column_block import ColumnBlock

_HEADER_SEARCH = 16 * 1024 * 1024
_NOTICES_A_KIND = 200
_FINGERPRINT = 64


class NoSession(Exception):
    """The bytes read are no session; the text says why."""


@dataclass(frozen=True, slots=True)
class Label:
    """A bookmark on an entry.

    Attributes:
        text: the label.
        time: ISO time of the `label` entry that set it, as it is in the file.
    """

    text: str
    time: str


@dataclass(slots=True)
class SessionData:
    """All that reading a session file yields.

    Attributes:
        table: the entries.
        header: the header record as it is in the file; empty for an empty file.
        version: format version of the file.
        labels: entry id → label, replayed in file order.
        name: session name by the last `session_info`; None when there is none or it was cleared.
        stats: totals over the whole file.
        notices: findings, in file order, at most 200 of a kind (`hidden_notices` counts the rest).
        headers: places of the headers among all records.
        refusal: why Pi refuses the file, in words; empty if it opens it. Its loader wants the first line that
            is JSON to be the header, of type `session` with an id.
    """

    table: EntryTable = field(default_factory=EntryTable)
    header: dict[str, Any] = field(default_factory=dict)
    version: int = CURRENT_VERSION
    labels: dict[str, Label] = field(default_factory=dict)
    name: str | None = None
    stats: SessionStats = field(default_factory=SessionStats)
    notices: list[Notice] = field(default_factory=list)
    hidden_notices: dict[str, int] = field(default_factory=dict)
    headers: list[int] = field(default_factory=list)
    refusal: str = ""
    _count_of_kind: dict[str, int] = field(default_factory=dict)

    def tell(self, kind: str, line: int | None, message: str) -> None:
        """Record a finding."""
        count = self._count_of_kind.get(kind, 0) + 1
        self._count_of_kind[kind] = count
        if count > _NOTICES_A_KIND:
            self.hidden_notices[kind] = count - _NOTICES_A_KIND
        else:
            self.notices.append(Notice(kind, line, message))

    def refuse(self, kind: str, line: int, reason: str) -> None:
        """Record a finding for which Pi refuses the file."""
        self.refusal = self.refusal or reason
        self.tell(kind, line, f"{reason}; Pi refuses this file")


class SessionReader:
    """Feeds a `SessionData` with the bytes of a session file.

    Lines end at LF. Blank lines are skipped. The last line, while it lacks its LF, counts once it parses
    (`settle_tail`); until then it waits.

    Args:
        data: what to fill; a fresh one by default.
        headless: take records without waiting for a header (the tail of a file, whose header is elsewhere).
        offset: position in the file of the first byte that will be fed.
    """

    def __init__(self, data: SessionData | None = None, *, headless: bool = False, offset: int = 0) -> None:
        self.data = data if data is not None else SessionData()
        self._lines = LineSplitter(offset)
        self._line_number = 0
        self._records = 0
        self._found_header = headless
        self._summarizer = Summarizer()
        self._tail_taken = False
        self._taken_tail = b""
        self._known = b""
        self._start = offset == 0

    @property
    def end(self) -> int:
        """Position in the file up to which bytes were fed."""
        return self._lines.offset + self._lines.waiting

    def fits(self, source: Source) -> bool:
        """Whether the bytes of a file still are, at the end of what was fed, those that were fed."""
        known = self._known
        return source.size() >= self.end and source.read(self.end - len(known), len(known)) == known

    def why_not_same(self, source: FileSource, there: os.stat_result) -> str:
        """What happened to a file, in words, if it is not the one that was read; empty if it is.

        It is the same if it is the same inode, no shorter than what was read, and its bytes just before that
        place are what they were: Pi's own migration rewrites a file in place, and it grows by that.

        Args:
            source: the file that was read.
            there: what the system says of the file that bears its name now.
        """
        if not os.path.samestat(there, source.stat()):
            return "another file has taken its place"
        if there.st_size < self.end:
            return "the file was cut short"
        return "" if self.fits(source) else "the file was rewritten"

    @property
    def waiting(self) -> int:
        """Bytes of a last line that has no LF yet."""
        return self._lines.waiting

    @property
    def unfinished(self) -> bool:
        """Whether the last line has no LF and is not whole: somebody is, or was, in the middle of it."""
        return bool(self._lines.waiting) and not self._tail_taken and not self._lines.rest().isspace()

    def feed(self, data: bytes) -> int:
        """Take the next bytes of the file; return how many lines they completed that are entries.

        Raises:
            NoSession: what was read so far cannot be a session.
        """
        if data:
            self._known = (
                data[-_FINGERPRINT:] if len(data) >= _FINGERPRINT else self._known[-_FINGERPRINT:] + data
            )
        before = self.data.table.taken
        offset = self._lines.offset
        loads = orjson.loads
        plain = self._found_header and not self._start and not self._tail_taken
        for line in self._lines.feed(data):
            self._line_number += 1
            if plain and line:
                try:
                    record = loads(line)
                    if record["type"] != "session":
                        self._entry(record, offset, len(line), 0)
                        offset += len(line) + 1
                        continue
                except (ValueError, KeyError, TypeError):
                    pass  # anything out of the ordinary takes the long way below
            if self._tail_taken:
                self._tail_taken = False
                self._after_taken_tail(line)
            else:
                self._line(line, offset)
                plain = self._found_header and not self._start
            offset += len(line) + 1
        self.data.table.settle()
        return self.data.table.taken - before

    def take(self, block: ColumnBlock) -> bool:
        """Take a block, as `feed` would take its bytes.

        Returns:
            False, and nothing is taken, if it does not start where reading stands, or has an id that an
            earlier entry has: then feed its bytes.
        """
        data = self.data
        table, base = data.table, len(data.table)
        ready = self._found_header and not self._lines.waiting and data.version >= CURRENT_VERSION
        if not ready or self.end != block.start or not table.extend(block, self._line_number):
            return False
        calls = self._summarizer.calls
        for place, call_id in block.unnamed:
            if (text := calls.get(call_id)) is not None:
                table.texts.replace(base + place, utf8(text[:TEXT_KEPT]))
        calls.take(block.calls)
        data.stats.take(block)
        for kind, record in block.effects:
            _EFFECTS[kind](data, record)
        self._start = False
        self._lines.offset = block.end
        self._line_number += block.line_count
        self._records += len(block)
        self._known = block.known
        table.settle()
        return True

    def settle_tail(self) -> int:
        """Take the last line although it lacks its LF, if it is whole; return how many entries that gave."""
        rest = self._lines.rest()
        if self._tail_taken or not rest.strip(b" \t\r"):
            return 0
        try:
            value = parse(rest.removeprefix(BOM) if self._start else rest)
        except ValueError:
            return 0
        if not isinstance(value, dict):
            return 0
        before = self.data.table.taken
        self._tail_taken = True
        self._taken_tail = rest
        self._line_number += 1
        try:
            self._line(rest, self._lines.offset)
        finally:
            self._line_number -= 1
        self.data.table.settle()
        return self.data.table.taken - before

    def finish(self) -> None:
        """Say that no more bytes are there for now: take a whole last line, note a torn one.

        Raises:
            NoSession: there were bytes, and no header among them.
        """
        self.settle_tail()
        if not self._found_header and self.end:
            raise NoSession("no session header in it (a line with type 'session' and an id)")

    def _after_taken_tail(self, line: bytes) -> None:
        more = line[len(self._taken_tail) :]
        if more.strip(b" \t\r"):
            self.data.tell("bad-json", self._line_number, "extra data follows the record on its line")

    def _line(self, line: bytes, offset: int) -> None:
        if self._start:
            self._start = False
            if line.startswith(BOM):
                line = line[len(BOM) :]
                offset += len(BOM)
                self.data.refuse("bom", 1, "the file starts with a byte order mark")
        if not line or line.isspace():
            return
        try:
            value = parse(line)
        except ValueError:
            self._damaged(line, offset)
            return
        if not isinstance(value, dict):
            self.data.tell("not-object", self._line_number, "the line is not a JSON object")
            if value:
                self._records += 1
            return
        self._record(value, offset, len(line), 0)

    def _damaged(self, line: bytes, offset: int) -> None:
        taken = 0
        used = 0
        for start, end, value in objects_within(line):
            if looks_like_entry(value) or (not self._found_header and is_header(value)):
                self._record(value, offset + start, end - start, int(Flag.RECOVERED))
                taken += 1
                used += end - start
        lost = len(line) - used
        found = f"{taken} whole record{'s' if taken != 1 else ''} recovered, " if taken else ""
        self.data.tell("bad-json", self._line_number, f"the line is not JSON: {found}{lost:,} bytes unread")

    def _record(self, record: dict[str, Any], offset: int, length: int, flags: int) -> None:
        if (not self._found_header or record.get("type") == "session") and self._header(record, flags):
            return
        self._entry(record, offset, length, flags)

    def _entry(self, record: dict[str, Any], offset: int, length: int, flags: int) -> None:
        data = self.data
        index = len(data.table)
        if data.version < CURRENT_VERSION:
            record = to_current(record, data.version, index, data.headers)
        self._records += 1
        entry_id = record.get("id")
        if not isinstance(entry_id, str):
            flags |= int(Flag.MISSING_ID)
            data.tell("missing-id", self._line_number, "the entry has no id")
            entry_id = f"?{self._line_number}"
        parent_id = record.get("parentId")
        if parent_id is not None and not isinstance(parent_id, str):
            parent_id = str(parent_id)
        if parent_id == "header" and data.header.get("type") == "header":
            parent_id = None
        elif parent_id is None and "parentId" not in record:
            data.tell("missing-id", self._line_number, "the entry names no parent")
        kind, more, text = self._summarizer.summarize(record)
        data.table.append(
            entry_id,
            parent_id,
            kind,
            flags | more,
            time_ms(record.get("timestamp")),
            offset,
            length,
            self._line_number,
            text,
        )
        data.stats.add(record)
        effect = _EFFECTS.get(kind)
        if effect is not None:
            effect(data, record)

    def _header(self, record: dict[str, Any], flags: int) -> bool:
        """Whether a record is a header, and so no entry; the first one is taken as the session's."""
        data = self.data
        if is_header(record) or (self._found_header and record.get("type") == "session"):
            if self._found_header:
                data.tell("extra-header", self._line_number, "a second header; skipped")
            else:
                self._found_header = True
                data.header = record
                data.version = version_of(record)
                if self._records:
                    data.refuse("late-header", self._line_number, "the header is not the first record")
                    # Places count from the header, as they would without the strangers before it.
                    self._records = 0
                if record.get("type") == "header":
                    data.refuse("header-form", self._line_number, 'the header has the type "header"')
                elif flags & Flag.RECOVERED:
                    data.refuse("header-form", self._line_number, "the header is on a damaged line")
                if data.version < CURRENT_VERSION:
                    data.tell(
                        "migrated",
                        self._line_number,
                        (
                            f"format version {data.version}, shown as {CURRENT_VERSION}; the file is "
                            "not changed"
                        ),
                    )
            data.headers.append(self._records)
            self._records += 1
            return True
        if looks_like_entry(record):
            raise NoSession(f"line {self._line_number} holds an entry, but no session header comes before it")
        if record.get("type") == "session":
            raise NoSession(f"line {self._line_number}: the session header has no id")
        self._records += 1
        what = " ".join(filter(None, ("a record", described(record), "comes before the header")))
        data.tell("stranger", self._line_number, f"{what}; not an entry, skipped")
        if self.end > _HEADER_SEARCH:
            raise NoSession("no session header in its first 16 MB")
        return True


def _label(data: SessionData, record: dict[str, Any]) -> None:
    target = record.get("targetId")
    if not isinstance(target, str):
        return
    text = record.get("label")
    if isinstance(text, str) and text:
        time = record.get("timestamp")
        data.labels[target] = Label(text, time if isinstance(time, str) else "")
    else:
        data.labels.pop(target, None)


def _name(data: SessionData, record: dict[str, Any]) -> None:
    name = record.get("name")
    data.name = (trim(name) or None) if isinstance(name, str) else None


_EFFECTS: dict[int, Callable[[SessionData, dict[str, Any]], None]] = {
    Kind.LABEL: _label,
    Kind.SESSION_INFO: _name,
}
"""Kinds of entries that change the session as a whole → what they change."""
