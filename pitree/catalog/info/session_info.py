"""What a list of sessions shows of each: read in one pass over the file, in bounded memory."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import ExitStack, closing, nullcontext
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

from pitree.catalog.info.info_builder import PREVIEW_KEPT, InfoBuilder
from pitree.catalog.info.message_texts import MessageText
from pitree.pi.places import SUFFIX, SessionFile
from pitree.session.format.jsonl import parse
from pitree.session.format.record_check import is_header, looks_like_entry
from pitree.session.format.times import time_ms
from pitree.session.manager.activity import Activity
from pitree.session.storage.line_reader import (
    FileReplaced,
    LineChunk,
    LineHead,
    ReadPosition,
    Turn,
    UnterminatedLine,
    chunks_of,
    lines_of,
    never,
)

FIRST_BYTES = 8 * 1024
"""Bytes in which the header is looked for before lines are taken many at a time."""
HEADER_SEARCH = 16 * 1024 * 1024
NO_MESSAGES = "(no messages)"
"""What stands for the first message of a session without one, in Pi's words."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A user's message and the answer to it, cut short; empty where there is none."""

    asked: str = ""
    answered: str = ""


@dataclass(frozen=True, slots=True)
class Resume:
    """Where the reading of a session ended, and what it had gathered.

    Attributes:
        reached: the place in the file.
        gathered: what was gathered up to there.
        of: the same object in all that go back to one reading from the start.
    """

    reached: ReadPosition
    gathered: InfoBuilder
    of: object = field(default_factory=object)


@dataclass(frozen=True, slots=True)
class SessionInfo:
    """One session in a list.

    The fields and their rules are Pi's, and so are their limits, save that damage to one message does not
    hide the whole session.

    Attributes:
        path: the session file.
        id: session id.
        cwd: working directory by the header; empty when it names none.
        name: name by the last `session_info`; None when there is none or it was cleared.
        parent_session: path of the session it was forked from, by the header.
        created: time in the header, ms since 1970; None when unreadable.
        modified: time of the latest user or assistant message, else of the header, else of the file; in ms.
        message_count: entries of type `message`.
        first_message: the first user text that is not empty, up to 16,384 characters, or `(no messages)`.
        first_message_whole: False when `first_message` was cut.
        first: the first exchange, in file order.
        last: the last exchange, in file order.
        text: what users and assistants said, for searching; None when not kept.
        file: the file as it was when it was read.
        activity: the state that the last message leaves it in, without regard to the time now.
        active: time of that message, in ms; 0 when there is none.
        resume: what it takes to read only what comes to the file later.
    """

    path: str
    id: str
    cwd: str
    name: str | None
    parent_session: str | None
    created: int | None
    modified: int
    message_count: int
    first_message: str
    first_message_whole: bool
    first: Exchange
    last: Exchange
    text: MessageText | None
    file: SessionFile
    activity: Activity = Activity.NONE
    active: int = 0
    resume: Resume | None = None

    def grown_from(self, before: SessionInfo) -> bool:
        """Whether this is the same session with more at the end of its file, or with nothing new."""
        return self.resume is not None and before.resume is not None and self.resume.of is before.resume.of

    @property
    def title(self) -> str:
        """What a list calls the session: its name, else its first message."""
        return self.name or self.first_message.strip() or NO_MESSAGES

    def read_first_message(self) -> str:
        """The whole first message, read again from the file if it was cut."""
        if self.first_message_whole:
            return self.first_message
        for role, text in messages(self.path):
            if role == "user":
                return text
        return self.first_message


class NoSessionFile(Exception):
    """A file is not a session; the text says why."""


class NotRequested(Exception):
    """A session is not one of those asked for."""


class _Lines(Iterator[bytes]):
    """Lines one at a time, and then, from the next chunk on, many at a time."""

    def __init__(self, chunks: Iterator[LineChunk | LineHead | UnterminatedLine]) -> None:
        self._chunks = chunks
        self._left: Iterator[bytes] = iter(())

    def __next__(self) -> bytes:
        while True:
            for line in self._left:
                return line
            chunk = next(self._chunks)
            if not isinstance(chunk, LineChunk):
                return chunk
            self._left = iter(chunk.lines())

    def pieces(self) -> Iterator[bytes | LineChunk]:
        """What is left: the lines of the chunk that was begun, then chunks."""
        return chain(self._left, self._chunks)


def _header(lines: Iterator[bytes]) -> dict[str, Any]:
    """The session header, looked for in the lines before the first entry."""
    searched = 0
    found_any = False
    for line in lines:
        searched += len(line)
        try:
            record = parse(line) if line and not line.isspace() else None
        except ValueError:
            found_any = True
            continue
        if isinstance(record, dict):
            if is_header(record):
                return record
            if record.get("type") == "session":
                raise NoSessionFile("its header has no id")
            if looks_like_entry(record):
                raise NoSessionFile("an entry comes before the session header")
        found_any = found_any or bool(line)
        if searched > HEADER_SEARCH:
            break
    raise NoSessionFile("it has no session header" if found_any else "it is empty")


def id_of(header: dict[str, Any], path: str) -> str:
    """The session id a header gives; where its form has none, the part of the file name that is the id."""
    value = header.get("id")
    if isinstance(value, str) and value:
        return value
    return os.path.basename(path).removesuffix(SUFFIX).rpartition("_")[2]


def cwd_of(header: dict[str, Any]) -> str:
    """The working directory a header names, empty when it names none."""
    value = header.get("cwd", header.get("workingDirectory"))
    return value if isinstance(value, str) else ""


def read_header(path: str) -> dict[str, Any]:
    """The header of a session file.

    Raises:
        NoSessionFile: there is none.
        OSError: the file cannot be read.
    """
    with closing(lines_of(path, never, nullcontext())) as lines:
        return _header(lines)


def _messages(
    lines: Iterable[bytes], worth: Callable[[bytes], bool] | None
) -> Generator[tuple[str, str], None, None]:
    from pitree.catalog.info.fast_info_builder import (
        said_in,  # Here, since a list needs it only when it is searched.
    )

    for line in lines:
        if (b'"message"' not in line and b"\\u" not in line) or not (worth is None or worth(line)):
            continue
        if (said := said_in(line)) is not None:
            yield said


def messages(
    path: str,
    stopped: Callable[[], bool] = never,
    worth: Callable[[bytes], bool] | None = None,
    reached: ReadPosition | None = None,
) -> Iterator[tuple[str, str]]:
    """Role and text of the user and assistant messages of a session file, in file order, one at a time.

    Args:
        path: the file.
        stopped: asked once a chunk whether to give up.
        worth: asked of each line whether it is worth parsing; the others are skipped.
        reached: where to read on, from an earlier call; see `lines_of`.

    Raises:
        NoSessionFile: the file is not a session.
        Rewritten: it is not the file of the earlier call.
        OSError: the file cannot be read.
        Stopped: `stopped()` said so.
    """
    further = reached is not None and reached.end > 0
    with closing(lines_of(path, stopped, nullcontext(), reached)) as lines:
        if not further:
            _header(lines)
        yield from _messages(lines, worth)


def read_info(
    file: SessionFile,
    keep: int = 0,
    *,
    stopped: Callable[[], bool] = never,
    wanted: Callable[[str], bool] | None = None,
    turn: Turn | None = None,
    quickly: bool = False,
) -> SessionInfo:
    """Read what a list shows of one session.

    Memory is bounded by the longest line (lines above 32 MB are not held) and by `keep`.

    Args:
        file: the file, as `session_files` found it.
        keep: characters of message text that may be kept for searching; a session with more keeps none.
        stopped: asked once a chunk whether to give up.
        wanted: asked, with the working directory in the header, whether to read on.
        turn: held while there is something to compute, not while the disk is waited for.
        quickly: keep no text, and be several times as fast for it, where the library for it is there.

    Raises:
        NoSessionFile: it is not a session; an empty file is none either (Pi's list skips it too).
        NotWanted: `wanted` said no.
        OSError: it cannot be read.
        Stopped: `stopped()` said so.
    """
    reached, gathered = ReadPosition(), InfoBuilder()
    texts: list[str] | None = None
    turn = turn or nullcontext()
    with ExitStack() as opened:
        if quickly:
            lines: Iterator[bytes] = _Lines(
                opened.enter_context(closing(chunks_of(file.path, stopped, turn, reached, FIRST_BYTES)))
            )
        else:
            lines = opened.enter_context(closing(lines_of(file.path, stopped, turn, reached)))
        header = _header(lines)
        cwd = cwd_of(header)
        if wanted is not None and not wanted(cwd):
            raise NotRequested
        if isinstance(lines, _Lines):
            from pitree.catalog.info.fast_info_builder import go_on_quickly

            go_on_quickly(gathered, lines.pieces(), reached)
        else:
            texts = gathered.add_lines(lines, keep, reached)
    created = time_ms(header.get("timestamp"))
    parent = header.get("parentSession")
    return info_from(
        file.path,
        id_of(header, file.path),
        cwd,
        parent if isinstance(parent, str) and parent else None,
        None if math.isnan(created) else int(created),
        None if texts is None else MessageText(texts),
        Resume(reached, gathered),
    )


def read_on(
    known: SessionInfo,
    keep: int = 0,
    *,
    path: str | None = None,
    stopped: Callable[[], bool] = never,
    turn: Turn | None = None,
) -> SessionInfo:
    """Read what came to the end of a session's file since it was read.

    It costs what the new lines cost, however long the file is. A last line without its LF waits, unless it is
    whole.

    Args:
        known: the session as it was read.
        keep: characters of new message text that may be kept; if there are more, or if `known` keeps none, no
            text is kept any more.
        path: where the file lies now, if it was renamed.
        stopped, turn: as for `read_info`.

    Raises:
        Rewritten: the file is another, is shorter, or was written again; it has to be read from the start.
        OSError, Stopped: as for `read_info`.
    """
    if known.resume is None or not known.resume.reached.end:
        raise FileReplaced("nothing is known about it")
    path = path or known.path
    reached, gathered = replace(known.resume.reached), replace(known.resume.gathered)
    with closing(lines_of(path, stopped, turn or nullcontext(), reached)) as lines:
        if reached.open_line:
            after = next(lines, UnterminatedLine())
            if after.strip():
                raise FileReplaced("extra data follows the record on its last line")
            reached.open_line = isinstance(after, UnterminatedLine)
        texts = gathered.add_lines(lines, keep, reached)
    if reached.stamp == known.file.stamp:
        if path == known.path:
            return known
        return replace(known, path=path, file=replace(known.file, path=path, changed=reached.changed))
    if reached.stamp[2] == known.file.size:
        raise FileReplaced("it was written without growing")
    text = None if known.text is None or texts is None else known.text.extended(texts)
    resume = Resume(reached, gathered, known.resume.of)
    return info_from(path, known.id, known.cwd, known.parent_session, known.created, text, resume)


def info_from(
    path: str,
    id: str,
    cwd: str,
    parent_session: str | None,
    created: int | None,
    text: MessageText | None,
    resume: Resume,
) -> SessionInfo:
    """A session out of what its header says and what was gathered from its lines.

    Args:
        path: where the file lies.
        id, cwd, parent_session, created, text: as in `SessionInfo`.
        resume: what was gathered, and how far the file was read.
    """
    gathered, stamp = resume.gathered, resume.reached.stamp
    file = SessionFile(path, stamp[2], stamp[3] / 1e6, stamp, resume.reached.changed)
    talked = gathered.talked if gathered.talked > 0 else created
    first = gathered.first_message
    return SessionInfo(
        path=path,
        id=id,
        cwd=cwd,
        name=gathered.name,
        parent_session=parent_session,
        created=created,
        modified=int(file.mtime if talked is None else talked),
        message_count=gathered.count,
        first_message=first or NO_MESSAGES,
        first_message_whole=gathered.first_message_whole,
        first=Exchange(first[:PREVIEW_KEPT], gathered.first_answer),
        last=Exchange(gathered.asked, gathered.answered),
        text=text,
        file=file,
        activity=gathered.activity,
        active=int(gathered.active),
        resume=resume,
    )
