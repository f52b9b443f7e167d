"""What a search knows of a session as a whole, gathered record by record."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

from pitree.catalog.info.session_info import NO_MESSAGES, cwd_of, id_of
from pitree.session.format.entry_summary import cut, one_line, text_of, trim
from pitree.session.format.entry_type import ASSISTANT_KINDS, KIND_OF_TYPE, Kind
from pitree.session.format.migrate import CURRENT_VERSION, version_of
from pitree.session.format.times import time_ms

_TITLE = 200
_KIND_OF_ROLE = {
    "user": Kind.USER,
    "assistant": Kind.ASSISTANT,
    "toolResult": Kind.TOOL_RESULT,
    "bashExecution": Kind.BASH,
    "system": Kind.SYSTEM,
}
_NO_TEXTS = ("~", "", "")
"""The earliest, the latest and the latest talked time as texts, before any."""
_ISO_LENGTH = len("2026-01-01T00:00:00.000Z")
_TALK = ASSISTANT_KINDS | {Kind.USER}


def kind_of(record: dict[str, Any]) -> Kind:
    """The kind of a record in version 3 form; an assistant message is one whether it has text or not."""
    entry_type = record.get("type")
    if entry_type == "message":
        message = record.get("message")
        role = message.get("role") if isinstance(message, dict) else None
        return _KIND_OF_ROLE.get(role, Kind.OTHER_ROLE) if isinstance(role, str) else Kind.OTHER_ROLE
    kind = KIND_OF_TYPE.get(entry_type) if isinstance(entry_type, str) else None
    return Kind.UNKNOWN if kind is None else kind


@dataclass(slots=True)
class SessionFacts:
    """A session as far as its file was read.

    Attributes:
        path: the session file.
        id: session id.
        cwd: working directory by the header; empty when it names none.
        version: format version of the file.
        name: name by the last `session_info`; empty when there is none or it was cleared.
        first: the beginning of the first user text that is not empty.
        labels: entry id → label.
        talked: time of the latest user or assistant entry, else of the header; ms since 1970, 0 for none.
        earliest, latest: times between which its entries lie; infinite while there is none.
        entries: entries so far.
    """

    path: str
    id: str = ""
    cwd: str = ""
    version: int = CURRENT_VERSION
    name: str = ""
    first: str = ""
    labels: dict[str, str] = field(default_factory=dict)
    talked: float = 0.0
    earliest: float = math.inf
    latest: float = -math.inf
    entries: int = 0
    _texts: tuple[str, str, str] = _NO_TEXTS

    @property
    def title(self) -> str:
        """What to call the session: its name, else its first message."""
        return self.name or self.first or NO_MESSAGES

    def take_header(self, header: dict[str, Any]) -> None:
        """Take the header."""
        self.id, self.cwd, self.version = id_of(header, self.path), cwd_of(header), version_of(header)
        created = time_ms(header.get("timestamp"))
        self.talked = 0.0 if math.isnan(created) else created

    def take(self, record: dict[str, Any], kind: Kind) -> None:
        """Take an entry, in version 3 form."""
        self.entries += 1
        self._take_time(record.get("timestamp"), kind in _TALK)
        if kind is Kind.USER and not self.first:
            message = record["message"]
            self.first = one_line(cut(trim(text_of(message.get("content"))), _TITLE))
        elif kind is Kind.SESSION_INFO:
            name = record.get("name")
            self.name = one_line(trim(name)) if isinstance(name, str) else ""
        elif kind is Kind.LABEL:
            target, label = record.get("targetId"), record.get("label")
            if isinstance(target, str):
                if isinstance(label, str) and label:
                    self.labels[target] = label
                else:
                    self.labels.pop(target, None)

    def _take_time(self, time: Any, talk: bool) -> None:
        # Nearly all times are of one form, in which the later one is the greater text: no need to read them.
        if isinstance(time, str) and len(time) == _ISO_LENGTH and time[-1] == "Z" and time[10] == "T":
            first, last, talked = self._texts
            if talk and time > talked:
                self._texts = (min(first, time), max(last, time), time)
            elif time > last or time < first:
                self._texts = (min(first, time), max(last, time), talked)
            return
        moment = time_ms(time)
        if moment == moment:
            self.earliest, self.latest = min(self.earliest, moment), max(self.latest, moment)
            if talk:
                self.talked = max(self.talked, moment)

    def settle(self) -> None:
        """Bring the times up to date, after the last of many records."""
        texts, self._texts = self._texts, _NO_TEXTS
        first, last, talked = map(time_ms, texts)
        if first == first:
            self.earliest = min(self.earliest, first)
        if last == last:
            self.latest = max(self.latest, last)
        if talked == talked:
            self.talked = max(self.talked, talked)

    def copy(self) -> SessionFacts:
        """Facts that continue from here on their own."""
        return replace(self, labels=dict(self.labels))

    def as_row(self) -> dict[str, Any]:
        """The facts as JSON can hold them; `of_row` takes them back."""
        return {name: getattr(self, name) for name in _KEPT} | {
            "earliest": None if math.isinf(self.earliest) else self.earliest,
            "latest": None if math.isinf(self.latest) else self.latest,
        }

    @classmethod
    def of_row(cls, row: dict[str, Any]) -> SessionFacts:
        """Facts that were kept."""
        facts = cls(**{name: row[name] for name in _KEPT})
        facts.earliest = math.inf if row["earliest"] is None else row["earliest"]
        facts.latest = -math.inf if row["latest"] is None else row["latest"]
        return facts


_KEPT = ("path", "id", "cwd", "version", "name", "first", "labels", "talked", "entries")
