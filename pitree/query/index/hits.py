"""Whether an entry is what was asked for, and the line of it that shows why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pitree.query.entries.searchable import searchable_text
from pitree.query.index.session_facts import SessionFacts
from pitree.query.language.query_parser import SearchQuery
from pitree.query.language.text_forms import keeps_places, with_places, without_case
from pitree.query.language.tokenizer import Term, spans
from pitree.session.format.entry_summary import tool_calls
from pitree.session.format.entry_type import ASSISTANT_KINDS, Kind
from pitree.session.format.record_check import model_name
from pitree.session.format.times import time_ms

LINE_BEFORE, LINE_KEPT = 60, 400
"""Characters shown of a line before a match that stands far in it, and at most."""

_HEAD_FIELDS = ("role", "toolName", "customType")
_FIRST_WORDS = {
    "label": "label ",
    "session_info": "title ",
    "compaction": "compaction ",
    "branch_summary": "branch summary ",
    "model_change": "model ",
}
"""What `searchable_text` puts before the text of entries that are no messages."""
_LINE_BY_LINE = 200_000

_WEIGHTS = {
    Kind.SESSION_INFO: 6.0,
    Kind.LABEL: 5.0,
    Kind.USER: 4.0,
    Kind.COMPACTION: 3.0,
    Kind.BRANCH_SUMMARY: 3.0,
    Kind.ASSISTANT: 2.5,
}


@dataclass(frozen=True, slots=True)
class Hit:
    """An entry that was asked for.

    Attributes:
        path: the session file.
        offset: where its record starts in the file, in bytes.
        entry_id: its id; of a version 1 file, or where the record has none, empty.
        kind: its kind.
        role: in a word or two, who speaks: a role, or the tool's name.
        time: its time in ms since 1970; nan when it cannot be read.
        line: the line of its text that shows the match, raw text of the file.
        spans: where in the line the terms stand.
        weight: how much a match in such a place says.
    """

    path: str
    offset: int
    entry_id: str
    kind: Kind
    role: str
    time: float
    line: str
    spans: tuple[tuple[int, int], ...]
    weight: float


def without_repeats(hits: Sequence[Hit]) -> list[Hit]:
    """Hits of one session, each entry that is in its file more than once, line for line, only once."""
    return list({(hit.entry_id or hit.offset, hit.time, hit.line, hit.spans): hit for hit in hits}.values())


class Matcher:
    """Tells of records whether they are what was asked for.

    Args:
        asked: the query.
    """

    def __init__(self, asked: SearchQuery) -> None:
        self._asked = asked
        # Those that are rare and quickly looked for come first; what stands in the line shown is the longest.
        self._terms = tuple(sorted(asked.terms, key=lambda term: -len(term.text)))

    def session(self, facts: SessionFacts) -> bool:
        """Whether a session as a whole is one that can have matches."""
        asked = self._asked
        return (
            _all_in(asked.names, facts.name)
            and (not asked.dirs or _all_in(asked.dirs, facts.cwd))
            and (not asked.labels or any(_all_in(asked.labels, label) for label in facts.labels.values()))
            and (asked.after is None or facts.latest >= asked.after)
            and (asked.before is None or facts.earliest < asked.before)
        )

    def labelled(self, facts: SessionFacts, hit: Hit) -> bool:
        """Whether an entry carries the label asked for."""
        labels = self._asked.labels
        return not labels or (hit.entry_id in facts.labels and _all_in(labels, facts.labels[hit.entry_id]))

    def hit(self, path: str, offset: int, record: dict[str, Any], kind: Kind) -> Hit | None:
        """The match that a record (in version 3 form) is; None if it is none. Labels are not looked at."""
        asked = self._asked
        if asked.roles is not None and kind not in asked.roles:
            return None
        time = time_ms(record.get("timestamp"))
        if asked.after is not None and not time >= asked.after:
            return None
        if asked.before is not None and not time < asked.before:
            return None
        if asked.tools and not _has_all(asked.tools, tools_of(record, kind)):
            return None
        if asked.models and not _has_all(asked.models, models_of(record, kind)):
            return None
        text = searchable_text(record, kind)
        plain = without_case(text)
        if not all(term.place(plain) >= 0 for term in self._terms):
            return None
        if any(term.place(plain) >= 0 for term in asked.without):
            return None
        line, where = self._line(text, plain, record)
        entry_id = record.get("id")
        return Hit(
            path,
            offset,
            entry_id if isinstance(entry_id, str) else "",
            kind,
            role_of(record, kind),
            time,
            line,
            tuple(where),
            _WEIGHTS.get(kind, 1.0),
        )

    def _line(self, text: str, plain: str, record: dict[str, Any]) -> tuple[str, list[tuple[int, int]]]:
        """The line to show, and where the terms are in it."""
        start = _head(text, record)
        at = after = start
        if self._terms:
            at, after = self._place(text, plain, start)
        begin = max(text.rfind("\n", 0, at) + 1, start if at >= start else 0)
        end = text.find("\n", after)
        end = len(text) if end < 0 else end
        if not self._terms:
            while end < len(text) and not text[begin:end].strip():
                begin, end = end + 1, text.find("\n", end + 1)
                end = len(text) if end < 0 else end
        if at - begin > LINE_BEFORE:
            cut = text.rfind(" ", begin, at - LINE_BEFORE // 2)
            begin = max(begin, cut + 1 if cut > at - LINE_BEFORE else at - LINE_BEFORE // 2)
        line = text[begin : min(end, begin + LINE_KEPT)].replace("\n", " ")
        return line, spans(self._terms, line)

    def _place(self, text: str, plain: str, start: int) -> tuple[int, int]:
        """Where the longest term is in a text, rather behind its first words than in them."""
        term = self._terms[0]
        if keeps_places(text, plain):
            places = list(term.places(plain))
            return next((place for place in places if place[0] >= start), places[0])
        if len(text) <= _LINE_BY_LINE:
            plain, where = with_places(text)
            assert where is not None
            begin, end = next(term.places(plain))
            return where.span(begin, end)
        at = 0
        for line in text.split("\n"):
            if term.found_in(line):
                return at, at
            at += len(line) + 1
        return start, start


def _all_in(wanted: tuple[str, ...], text: str) -> bool:
    if not wanted:
        return True
    plain = without_case(text)
    return all(part in plain for part in wanted)


def _has_all(terms: tuple[Term, ...], texts: list[str]) -> bool:
    return all(any(term.found_in(text) for text in texts) for term in terms)


def tools_of(record: dict[str, Any], kind: Kind) -> list[str]:
    """The names of the tools an entry calls or answers for; that of a command the user ran is `bash`."""
    message = record.get("message")
    if not isinstance(message, dict):
        return []
    if kind in ASSISTANT_KINDS:
        names = [call.get("name") for call in tool_calls(message.get("content"))]
    elif kind is Kind.BASH:
        names = ["bash"]
    else:
        names = [message.get("toolName")]
    return [name for name in names if isinstance(name, str)]


def models_of(record: dict[str, Any], kind: Kind) -> list[str]:
    """Provider and model of the message an entry is, or of the change of model."""
    if kind is Kind.MODEL_CHANGE:
        return [f"{record.get('provider')}/{model_name(record)}"]
    message = record.get("message") if kind in ASSISTANT_KINDS else None
    if not isinstance(message, dict) or not isinstance(message.get("model"), str):
        return []
    return [f"{message.get('provider')}/{message['model']}"]


_ROLE_WORDS = {
    Kind.USER: "user",
    Kind.ASSISTANT: "assistant",
    Kind.ASSISTANT_SILENT: "assistant",
    Kind.BASH: "bash",
    Kind.SYSTEM: "system",
    Kind.COMPACTION: "compaction",
    Kind.BRANCH_SUMMARY: "summary",
    Kind.LABEL: "label",
    Kind.SESSION_INFO: "name",
    Kind.MODEL_CHANGE: "model",
    Kind.THINKING_LEVEL_CHANGE: "thinking",
    Kind.CONTEXT_EDIT: "edit",
    Kind.USAGE: "usage",
}


def role_of(record: dict[str, Any], kind: Kind) -> str:
    """Who speaks in an entry, in a word or two; of a tool's result, the tool."""
    words = _ROLE_WORDS.get(kind)
    if words is not None:
        return words
    message = record.get("message")
    name = None
    if isinstance(message, dict):
        name = message.get("toolName") or message.get("customType") or message.get("role")
    else:
        name = record.get("customType") or record.get("type")
    return name if isinstance(name, str) and name else "tool" if kind is Kind.TOOL_RESULT else "entry"


def text_behind_head(text: str, record: dict[str, Any]) -> str:
    """What is said in an entry, without the words for its role and the like.

    Args:
        text: its searchable text.
        record: its record.
    """
    return text[_head(text, record) :]


def _head(text: str, record: dict[str, Any]) -> int:
    """How much of a message's text is its role and the like, which a line shown need not repeat."""
    message = record.get("message")
    length = 0
    if isinstance(message, dict):
        for field in _HEAD_FIELDS:
            value = message.get(field)
            if isinstance(value, str) and text.startswith(value, length):
                length += len(value) + 1
    else:
        entry_type = record.get("type")
        word = _FIRST_WORDS.get(entry_type, "") if isinstance(entry_type, str) else ""
        length = len(word) if text.startswith(word) else 0
    return min(length, len(text))
