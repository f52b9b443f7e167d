"""Makes the searchable texts of entries from their lines, many at a time.

Of a line as Pi writes them only what is searched is read. `searchable` has the rule, and takes all others.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from msgspec import Raw, Struct
from msgspec.json import Decoder

from pitree.query.entries.searchable import (
    call_answered,
    call_words,
    said_by,
    searchable_text,
    words_of_calls,
)
from pitree.query.language.folding import SEPARATOR, fold_all
from pitree.query.language.text_forms import fold
from pitree.session.format.entry_type import ASSISTANT_KINDS, MESSAGE_KINDS, Kind
from pitree.session.format.jsonl import parse

_MESSAGES = frozenset(map(int, MESSAGE_KINDS))
_ASSISTANTS = frozenset(map(int, ASSISTANT_KINDS))
_RESULT = int(Kind.TOOL_RESULT)
_KINDS = tuple(Kind(code) if code in frozenset(map(int, Kind)) else Kind.UNKNOWN for code in range(256))

# Names are those of the file.


class _Block(Struct, gc=False):
    """A block of a message's content."""

    type: str = ""
    text: Any = None
    thinking: Any = None
    name: Any = None
    arguments: Raw | None = None
    id: Any = None


class _Message(Struct, gc=False):
    """What is searched of a message."""

    role: Any = None
    toolName: Any = None
    customType: Any = None
    command: Any = None
    output: Any = None
    errorMessage: Any = None
    summary: Any = None
    content: str | list[_Block] | None = None
    toolCallId: Any = None
    sections: Raw | None = None


class _Line(Struct, gc=False):
    """A line."""

    message: _Message | None = None


_decode = Decoder(_Line).decode


@dataclass(slots=True)
class TextPart:
    """The folded texts of some entries that follow one another.

    Attributes:
        blob: the texts, each with a separator behind it.
        starts: where each starts; at the end, where one more would.
        answered: tool results whose call is in no entry before them here: place among the entries, call id.
        calls: id → folded words of calls that no result here answers.
        made: the ids of all calls here.
    """

    blob: bytes = b""
    starts: array[int] = field(default_factory=lambda: array("I", [0]))
    answered: list[tuple[int, str]] = field(default_factory=list)
    calls: dict[str, str] = field(default_factory=dict)
    made: set[str] = field(default_factory=set)

    def add_words(self, words: Sequence[tuple[int, str]]) -> None:
        """Add folded words to texts.

        Args:
            words: places among the entries, ascending, and what to add.
        """
        pieces: list[bytes] = []
        at = longer = 0
        more = array("I", bytes(self.starts.itemsize * len(self.starts)))
        for place, text in words:
            end = self.starts[place + 1] - len(SEPARATOR)
            start = self.starts[place]
            added = (b" " if end > start else b"") + text.encode("utf-8", "surrogatepass")
            pieces += (self.blob[at:end], added)
            at = end
            more[place + 1] = len(added)
        pieces.append(self.blob[at:])
        for place, start in enumerate(self.starts):
            longer += more[place]
            self.starts[place] = start + longer
        self.blob = b"".join(pieces)


class PartMaker:
    """Takes entries one after the other, and makes a part of them."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._part = TextPart()

    def take(self, record: dict[str, Any], kind: Kind, row: str) -> None:
        """Take an entry.

        Args:
            record: its record, in version 3 form.
            kind: its kind.
            row: what its row shows; matters for tool results only.
        """
        text = searchable_text(record, kind)
        if kind is Kind.TOOL_RESULT:
            self._answer(text, row, call_answered(record))
            return
        if kind in ASSISTANT_KINDS:
            self._call(words_of_calls(record))
        self._texts.append(text)

    def take_lines(self, lines: Iterable[bytes], kinds: bytes, rows: Sequence[str]) -> None:
        """Take entries by their lines.

        Args:
            lines: the lines, of a file of version 3.
            kinds: their kinds.
            rows: what the rows of the tool results among them show.

        Raises:
            ValueError: a line is no record.
        """
        row = iter(rows)
        add = self._texts.append
        for line, kind in zip(lines, kinds, strict=True):
            message = None
            if kind in _MESSAGES:
                try:
                    message = _decode(line).message
                except Exception:  # it does not fit
                    message = None
            if message is None or message.sections is not None:
                record = parse(line)
                if not isinstance(record, dict):
                    raise ValueError("no record")
                self.take(record, _KINDS[kind], next(row) if kind == _RESULT else "")
                continue
            text, calls = _said(message)
            if kind == _RESULT:
                answers = message.toolCallId
                self._answer(text, next(row), answers if isinstance(answers, str) else "")
                continue
            if calls and kind in _ASSISTANTS:
                self._call(calls)
            add(text)

    def made(self) -> TextPart:
        """The part."""
        part = self._part
        part.blob, part.starts = fold_all(self._texts)
        part.calls = {call_id: fold(words) for call_id, words in part.calls.items()}
        return part

    def _call(self, calls: dict[str, str]) -> None:
        self._part.calls |= calls
        self._part.made |= calls.keys()

    def _answer(self, text: str, row: str, call_id: str) -> None:
        """Take a tool result: it counts the words of its call as its own."""
        part = self._part
        words = part.calls.pop(call_id, "")
        if not words and call_id not in part.made:
            part.answered.append((len(self._texts), call_id))
        self._texts.append(f"{text} {row} {words}")


def _said(message: _Message) -> tuple[str, dict[str, str]]:
    """What is searched of a message, and the words of the calls in it by their ids."""
    content = message.content
    parts = [
        message.role,
        message.toolName,
        message.customType,
        message.command,
        said_by("output", message.output),
        message.errorMessage,
        message.summary,
    ]
    calls: dict[str, str] = {}
    if content.__class__ is list:
        texts = [one.text for one in content if one.type == "text" and isinstance(one.text, str)]
        parts.append(said_by(message.role, "".join(texts)))
        for one in content:
            if one.type == "thinking":
                parts.append(one.thinking)
            elif one.type == "toolCall":
                arguments = one.arguments
                call = {
                    "name": one.name,
                    "arguments": None if arguments is None else parse(bytes(arguments)),
                }
                words = call_words(call)
                parts.append(words)
                if isinstance(one.id, str):
                    calls[one.id] = words
    else:
        parts.append(said_by(message.role, content))
    return " ".join([part for part in parts if part.__class__ is str]), calls
