"""What a row shows of an entry: its text in the words of Pi's /tree, its marks, its label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from pitree.session.format.entry_type import ROLE_OF_KIND, TYPE_OF_KIND, Flag, Kind
from pitree.session.format.times import time_ms
from pitree.session.reading.entry_table import EntryTable
from pitree.text.sanitize import visible

FOLDED = "⊞"
FOLDABLE = "⊟"


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the outline. All strings are safe to show.

    Attributes:
        index: the entry's place in the file.
        id: entry id.
        kind: kind of the entry.
        flags: its flags.
        type: entry type as the file has it.
        role: message role; empty for an entry that is no message.
        indent: indent as Pi counts it.
        display_indent: levels drawn before the row.
        guides: the lines before the row, three cells a level.
        guides_from: the level `guides` starts at; more than 0 where levels were left out.
        fold: "open" if the row can be folded, "closed" if it is, else "".
        connector: whether `guides` end in the row's own connector, which then shows the fold too.
        hidden: rows hidden by its fold.
        on_path: whether it lies on the path to the leaf.
        archived: "start" if an archived branch starts here, "below" if it is in one, else "".
        away: rows of archived branches that are out of sight and hang here.
        is_leaf: whether it is the leaf, or the nearest shown entry above a leaf that is not shown.
        match: whether it matches the query; False without one.
        label: the entry's label.
        label_time: when the label was set, short, in local time.
        prefix, text, suffix: the row's text: what it is, what it says, and a closing bracket, if any.
        marks: what is odd about the entry, in words.
    """

    index: int
    id: str
    kind: Kind
    flags: Flag
    type: str
    role: str
    indent: int
    display_indent: int
    guides: str
    guides_from: int
    fold: str
    connector: bool
    hidden: int
    on_path: bool
    archived: str
    away: int
    is_leaf: bool
    hit: bool
    label: str | None
    label_time: str | None
    prefix: str
    text: str
    suffix: str
    marks: tuple[str, ...]

    @property
    def body(self) -> str:
        """The row's text, whole."""
        return f"{self.prefix}{self.text}{self.suffix}"

    @property
    def plain(self) -> str:
        """The row as Pi draws it: guides, fold, path mark, label and text."""
        fold = f"{FOLDED} " if self.fold == "closed" and not self.connector else ""
        path = "• " if self.on_path else ""
        label = f"[{self.label}] " if self.label else ""
        return f"{self.guides}{fold}{path}{label}{self.body}"


@dataclass(frozen=True, slots=True)
class RowText:
    """The parts of a row's text."""

    prefix: str
    text: str
    suffix: str


_AROUND: dict[Kind, tuple[str, str]] = {
    Kind.USER: ("user: ", ""),
    Kind.ASSISTANT: ("assistant: ", ""),
    Kind.ASSISTANT_SILENT: ("assistant: ", ""),
    Kind.BASH: ("[bash]: ", ""),
    Kind.OTHER_ROLE: ("[", "]"),
    Kind.BRANCH_SUMMARY: ("[branch summary]: ", ""),
    Kind.MODEL_CHANGE: ("[model: ", "]"),
    Kind.THINKING_LEVEL_CHANGE: ("[thinking: ", "]"),
    Kind.CUSTOM: ("[custom: ", "]"),
    Kind.LABEL: ("[label: ", "]"),
    Kind.SESSION_INFO: ("[title: ", "]"),
    Kind.USAGE: ("[usage: ", "]"),
    Kind.UNKNOWN: ("[", "]"),
}
"""Kind → what is before and after the entry's text; the kinds not here are told apart in `row_text`."""

_IF_EMPTY: dict[Kind, str] = {Kind.LABEL: "(cleared)", Kind.SESSION_INFO: "empty"}


def row_text(kind: Kind, flags: int, body: str) -> RowText:
    """The text of a row from the body kept of an entry. To show a new kind of entry, add it here.

    An entry of unknown type shows its type and a system message that it is one; else the words are Pi's.
    """
    around = _AROUND.get(kind)
    if around is not None:
        return RowText(around[0], body or _IF_EMPTY.get(kind, ""), around[1])
    match kind:
        case Kind.SYSTEM:
            return RowText("", "[system]", "")
        case Kind.TOOL_RESULT:
            # The body is the call, as in "[read: path]".
            name, colon, arguments = body.partition(": ")
            if colon and arguments.endswith("]"):
                return RowText(name + colon, arguments[:-1], "]")
            return RowText("", body, "")
        case Kind.CUSTOM_MESSAGE:
            custom_type, colon, content = body.partition("]: ")
            return RowText(custom_type + colon, content, "")
        case Kind.COMPACTION:
            return RowText("[compaction: ", body, "]") if body else RowText("", "[compaction]", "")
        case Kind.CONTEXT_EDIT:
            return RowText(f"[context {'omit' if flags & Flag.OMIT else 'replace'}: ", body, "]")
        case _:
            return RowText("", body, "")


def row_line(table: EntryTable, index: int) -> str:
    """What the row of an entry says, in one line, safe to show; of a silent answer, that it calls tools."""
    if table.kinds[index] == Kind.ASSISTANT_SILENT and table.flags[index] & Flag.CALLS:
        return "assistant: (tool calls)"
    body = visible(table.texts[index].decode("utf-8", "replace"))
    text = row_text(Kind(table.kinds[index]), table.flags[index], body)
    return f"{text.prefix}{text.text}{text.suffix}"


def type_and_role(kind: Kind, body: str) -> tuple[str, str]:
    """Entry type and message role ("" for none); where the kind leaves them open, they are the body kept."""
    if kind is Kind.UNKNOWN:
        return body, ""
    return TYPE_OF_KIND[kind], body if kind is Kind.OTHER_ROLE else ROLE_OF_KIND.get(kind, "")


_MARKS: Sequence[tuple[Flag, str]] = (
    (Flag.BROKEN_CHAIN, "its parents form a loop"),
    (Flag.REPEATED_ID, "id is repeated"),
    (Flag.MISSING_ID, "no id"),
    (Flag.RECOVERED, "recovered from a damaged line"),
)


def marks(table: EntryTable, index: int) -> tuple[str, ...]:
    """What is odd about an entry, in words; a missing parent is named, as it is a gap in the history."""
    flags = table.flags[index]
    if not flags & _ODD:
        return ()
    found = [words for flag, words in _MARKS if flags & flag]
    if flags & Flag.MISSING_PARENT:
        found.insert(0, gap(table, index))
    return tuple(found)


def gap(table: EntryTable, index: int) -> str:
    """That the history before an entry is missing, in words."""
    return f"parent {visible(table.parent_id(index) or '?')} missing"


_ODD = Flag.MISSING_PARENT
for _flag, _ in _MARKS:
    _ODD |= _flag


def label_time(iso_time: str, now: datetime | None = None) -> str | None:
    """When a label was set, in local time: `HH:MM` today, `M/D HH:MM` this year, else `YY/M/D HH:MM`.

    Args:
        iso_time: the time as it is in the file.
        now: the local time now; asked of the system if not given.

    Returns:
        None if the time cannot be read.
    """
    try:
        time = datetime.fromtimestamp(time_ms(iso_time) / 1000)
    except (ValueError, OverflowError, OSError):
        return None
    if now is None:
        now = datetime.now()
    if time.date() == now.date():
        return f"{time:%H:%M}"
    day = f"{time.month}/{time.day} {time:%H:%M}"
    return day if time.year == now.year else f"{time.year % 100:02d}/{day}"
