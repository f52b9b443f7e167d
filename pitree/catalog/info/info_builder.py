"""Gathers what a list shows of a session from its lines, so that it can continue where it left off."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from orjson import loads

from pitree.session.format.jsonl import parse
from pitree.session.format.times import time_ms
from pitree.session.manager.activity import Activity, activity_of
from pitree.session.storage.line_reader import LineHead, ReadPosition, UnterminatedLine

FIRST_MESSAGE_KEPT = 16 * 1024
"""Characters of the first message kept."""
PREVIEW_KEPT = 600
"""Characters kept of each other message of a preview."""

_MESSAGE_HEAD = re.compile(rb'\A\s*\{\s*"type"\s*:\s*"message"')
LATEST_TIME = 8.64e15
"""The last millisecond a JavaScript date can hold."""


@dataclass(slots=True)
class InfoBuilder:
    """What the lines after the header say, by Pi's rules.

    Attributes:
        count: entries of type `message`.
        name: name by the last `session_info`; None when there is none or it was cleared.
        talked: time of the latest user or assistant message, in ms since 1970; 0 if none tells one.
        first_message: the first user text that is not empty, up to `FIRST_MESSAGE_KEPT` characters.
        first_message_whole: False when it was cut.
        first_answer: the first assistant text after it, up to `PREVIEW_KEPT` characters.
        asked, answered: the last exchange, likewise.
        activity: the state that the last message leaves the session in.
        active: time of that message, in ms since 1970; 0 if it tells none.
    """

    count: int = 0
    name: str | None = None
    talked: float = 0.0
    first_message: str = ""
    first_message_whole: bool = True
    first_answer: str = ""
    asked: str = ""
    answered: str = ""
    activity: Activity = Activity.NONE
    active: float = 0.0

    def add_lines(self, lines: Iterable[bytes], keep: int, reached: ReadPosition) -> list[str] | None:
        """Take more lines; the fields are right once all were taken.

        Args:
            lines: the lines, as `lines_of` gives them.
            keep: characters of message text that may be kept.
            reached: told when a last line without LF was whole, and so was taken.

        Returns:
            The texts of users and assistants in these lines; None if they are longer than `keep`.
        """
        # Every line of every session passes here: one loop, local names, no calls that can be avoided.
        count, kept, talked = self.count, 0, self.talked
        first_message, first_answer = self.first_message, self.first_answer
        asked, answered = self.asked, self.answered
        last: dict[str, Any] | None = None
        texts: list[str] = []
        for line in lines:
            # A line without these bytes cannot hold a message or a name, however its letters are escaped.
            if b'"message"' not in line and b"session_info" not in line and b"\\u" not in line:
                continue
            try:
                record = loads(line)
            except ValueError:
                # What is not plain bytes, but marked as something special, always comes here.
                if isinstance(line, LineHead):
                    count += _MESSAGE_HEAD.match(line) is not None
                    continue
                try:
                    record = parse(bytes(line))
                except ValueError:
                    continue
                if isinstance(line, UnterminatedLine) and isinstance(record, dict):
                    reached.take(line)
            if not isinstance(record, dict):
                continue
            kind = record.get("type")
            if kind == "session_info":
                name = record.get("name")
                self.name = (name.strip() or None) if isinstance(name, str) else None
            if kind != "message":
                continue
            count += 1
            message = record.get("message")
            if not isinstance(message, dict):
                continue
            role = message.get("role")
            if role == "toolResult":
                last = record
                continue
            if (role != "user" and role != "assistant") or "content" not in message:
                continue
            last = record
            time = message.get("timestamp")
            if type(time) is not int and type(time) is not float:
                time = time_ms(record.get("timestamp"))
            if talked < time <= LATEST_TIME:
                talked = time
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
        if not self.first_message:
            self.first_message_whole = len(first_message) <= FIRST_MESSAGE_KEPT
        self.count, self.talked = count, talked
        self.first_message = first_message[:FIRST_MESSAGE_KEPT]
        self.first_answer = first_answer[:PREVIEW_KEPT]
        self.asked, self.answered = asked[:PREVIEW_KEPT], answered[:PREVIEW_KEPT]
        if last is not None:
            self.activity = activity_of(last["message"])
            time = time_of(last, last["message"])
            self.active = time if 0 < time <= LATEST_TIME else 0.0
        return texts if kept <= keep else None


def time_of(record: dict[str, Any], message: dict[str, Any]) -> float:
    """The time of a message in ms since 1970: its own, else that of its entry; nan if neither tells one."""
    time = message.get("timestamp")
    return time if type(time) is int or type(time) is float else time_ms(record.get("timestamp"))


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
