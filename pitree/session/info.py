"""What a list of sessions shows of each: read in one pass over the file, in bounded memory."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, nullcontext
from dataclasses import dataclass
from typing import Any

from orjson import loads

from pitree.session.jsonl import parse
from pitree.session.lines import Beginning, Turn, lines_of, never
from pitree.session.places import SUFFIX, SessionFile
from pitree.session.reader import is_header, looks_like_entry, time_ms
from pitree.session.texts import MessageText

HEADER_SEARCH = 16 * 1024 * 1024
FIRST_MESSAGE_KEPT = 16 * 1024
"""Characters of the first message kept; `read_first_message` reads a longer one in full."""
PREVIEW_KEPT = 600
"""Characters kept of each other message of a preview."""
NO_MESSAGES = "(no messages)"
"""What stands for the first message of a session without one, in Pi's words."""

_MESSAGE_HEAD = re.compile(rb'\A\s*\{\s*"type"\s*:\s*"message"')
_LATEST_TIME = 8.64e15
"""The last millisecond a JavaScript date can hold."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A user's message and the answer to it, cut short; empty where there is none."""

    asked: str = ""
    answered: str = ""


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
    """A file is no session; the text says why."""


class NotWanted(Exception):
    """A session is not one of those asked for."""


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
                raise NoSessionFile("an entry comes before any session header")
        found_any = found_any or bool(line)
        if searched > HEADER_SEARCH:
            break
    raise NoSessionFile("it holds no session header" if found_any else "it is empty")


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


def listed_text(content: Any) -> str:
    """The text of a message as Pi's list takes it: a string, or the `text` blocks joined by spaces."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    if len(content) == 1 and isinstance(block := content[0], dict):
        # Most messages are one block, and every message of every session passes here.
        text = block.get("text") if block.get("type") == "text" else ""
        return text if isinstance(text, str) else ""
    texts = [
        block.get("text") for block in content if isinstance(block, dict) and block.get("type") == "text"
    ]
    return " ".join(text if isinstance(text, str) else "" for text in texts)


def _messages(
    lines: Iterable[bytes], worth: Callable[[bytes], bool] | None
) -> Generator[tuple[str, str], None, None]:
    for line in lines:
        if (b'"message"' not in line and b"\\u" not in line) or not (worth is None or worth(line)):
            continue
        try:
            record = parse(line)
        except ValueError:
            continue
        if not isinstance(record, dict) or record.get("type") != "message":
            continue
        message = record.get("message")
        if isinstance(message, dict) and (role := message.get("role")) in ("user", "assistant"):
            text = listed_text(message.get("content"))
            if text:
                yield role, text


def messages(
    path: str, stopped: Callable[[], bool] = never, worth: Callable[[bytes], bool] | None = None
) -> Iterator[tuple[str, str]]:
    """Role and text of the user and assistant messages of a session file, in file order, one at a time.

    Args:
        path: the file.
        stopped: asked once a chunk whether to give up.
        worth: asked of each line whether it is worth parsing; the others are passed over.

    Raises:
        NoSessionFile: the file is no session.
        OSError: the file cannot be read.
        Stopped: `stopped()` said so.
    """
    with closing(lines_of(path, stopped, nullcontext())) as lines:
        _header(lines)
        yield from _messages(lines, worth)


@dataclass(slots=True)
class _Gathered:
    """What one pass over the lines after the header gathers."""

    count: int = 0
    name: str | None = None
    active: float = 0.0
    first_message: str = ""
    first_answer: str = ""
    asked: str = ""
    answered: str = ""
    texts: list[str] | None = None


def _gather(lines: Iterable[bytes], keep: int) -> _Gathered:
    # Every line of every session passes here: one loop, local names, no calls that can be avoided.
    found = _Gathered()
    count = kept = 0
    active = 0.0
    first_message = first_answer = asked = answered = ""
    texts: list[str] = []
    for line in lines:
        # A line without these bytes cannot hold a message or a name, however its letters are escaped.
        if b'"message"' not in line and b"session_info" not in line and b"\\u" not in line:
            continue
        try:
            record = loads(line)
        except ValueError:
            if isinstance(line, Beginning):
                count += _MESSAGE_HEAD.match(line) is not None
                continue
            try:
                record = parse(line)
            except ValueError:
                continue
        if not isinstance(record, dict):
            continue
        kind = record.get("type")
        if kind == "session_info":
            name = record.get("name")
            found.name = (name.strip() or None) if isinstance(name, str) else None
        if kind != "message":
            continue
        count += 1
        message = record.get("message")
        if not isinstance(message, dict):
            continue
        role = message.get("role")
        if (role != "user" and role != "assistant") or "content" not in message:
            continue
        time = message.get("timestamp")
        if type(time) is not int and type(time) is not float:
            time = time_ms(record.get("timestamp"))
        if active < time <= _LATEST_TIME:
            active = time
        text = listed_text(message["content"])
        if not text:
            continue
        if kept <= keep:
            kept += len(text) + 1
            texts.append(text)
        if role == "assistant":
            answered = text
            first_answer = first_answer or (text if first_message else "")
        else:
            first_message = first_message or text
            asked, answered = text, ""
    found.count, found.active = count, active
    found.first_message, found.first_answer = first_message, first_answer
    found.asked, found.answered = asked, answered
    found.texts = texts if kept <= keep else None
    return found


def read_info(
    file: SessionFile,
    keep: int = 0,
    *,
    stopped: Callable[[], bool] = never,
    wanted: Callable[[str], bool] | None = None,
    turn: Turn | None = None,
) -> SessionInfo:
    """Read what a list shows of one session.

    Memory is bounded by the longest line (lines above 32 MB are not held) and by `keep`.

    Args:
        file: the file, as `session_files` found it.
        keep: characters of message text that may be kept for searching; a session with more keeps none.
        stopped: asked once a chunk whether to give up.
        wanted: asked, with the working directory in the header, whether to read on.
        turn: held while there is something to compute, not while the disk is waited for.

    Raises:
        NoSessionFile: it is no session; an empty file is none either (Pi's list skips it too).
        NotWanted: `wanted` said no.
        OSError: it cannot be read.
        Stopped: `stopped()` said so.
    """
    with closing(lines_of(file.path, stopped, turn or nullcontext())) as lines:
        header = _header(lines)
        cwd = cwd_of(header)
        if wanted is not None and not wanted(cwd):
            raise NotWanted
        found = _gather(lines, keep)
    created = time_ms(header.get("timestamp"))
    modified = found.active if found.active > 0 else created
    first = found.first_message
    parent = header.get("parentSession")
    return SessionInfo(
        path=file.path,
        id=id_of(header, file.path),
        cwd=cwd,
        name=found.name,
        parent_session=parent if isinstance(parent, str) and parent else None,
        created=None if math.isnan(created) else int(created),
        modified=int(file.mtime if math.isnan(modified) else modified),
        message_count=found.count,
        first_message=first[:FIRST_MESSAGE_KEPT] or NO_MESSAGES,
        first_message_whole=len(first) <= FIRST_MESSAGE_KEPT,
        first=Exchange(first[:PREVIEW_KEPT], found.first_answer[:PREVIEW_KEPT]),
        last=Exchange(found.asked[:PREVIEW_KEPT], found.answered[:PREVIEW_KEPT]),
        text=None if found.texts is None else MessageText(found.texts),
        file=file,
    )
