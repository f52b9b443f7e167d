"""From a record to what the tree keeps of it: kind, flags and the body of its row.

The texts are those of Pi's /tree rows; its limits (200 UTF-16 units of text, 80 of an error, 50 of a command,
40 of arguments) are kept, so that a row reads the same here and there.
"""

from __future__ import annotations

import math
import os
from codecs import utf_16_le_decode, utf_16_le_encode
from typing import Any

from pitree.session.format.entry_type import KIND_OF_TYPE, Flag, Kind
from pitree.session.format.jsonl import dump
from pitree.session.format.record_check import model_name
from pitree.session.format.tool_call_index import ToolCallIndex

TEXT_LIMIT = 200
TEXT_KEPT = 400
"""Characters of a row's body kept in memory; rows are cut to Pi's limits before."""

_ERROR_LIMIT = 80
_COMMAND_LIMIT = 50
_ARGUMENTS_LIMIT = 40

# Plain numbers: arithmetic on the flags themselves costs more than reading a record.
_ERROR, _ABORTED, _CALLS = int(Flag.ERROR), int(Flag.ABORTED), int(Flag.CALLS)
_IMAGE, _EXCLUDED = int(Flag.IMAGE), int(Flag.EXCLUDED)
_HIDDEN, _OMIT = int(Flag.HIDDEN), int(Flag.OMIT)
_ASSISTANT, _SILENT = Kind.ASSISTANT, Kind.ASSISTANT_SILENT  # looked up in an enumeration, they cost more

_WHITE = " \t\n\v\f\r\xa0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff" + "".join(
    map(chr, range(0x2000, 0x200B))
)

Summary = tuple[int, int, str]
"""Kind, flags, and the body of the row (raw text of the file, not made safe)."""


def cut(text: str, units: int) -> str:
    """The first `units` UTF-16 units of a text, as JavaScript's `slice` counts, never half a character."""
    head = text[:units]
    if head.isascii() or 2 * len(head) <= units:
        return head
    # The codec itself: looked up by its name, it takes twice as long, and this runs for most rows.
    encoded, _ = utf_16_le_encode(head, "surrogatepass")
    if len(encoded) <= 2 * units:
        return head
    kept, _ = utf_16_le_decode(encoded[: 2 * units], "surrogatepass")
    # A pair that was cut in two; a lone surrogate of the text itself stays, as it does elsewhere.
    return kept[:-1] if "\ud800" <= kept[-1:] <= "\udbff" and head[len(kept) - 1] > "\uffff" else kept


def utf8(text: str) -> bytes:
    """A text as UTF-8. Two halves of a character that came together are joined, a lone one becomes U+FFFD."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()


def trim(text: str) -> str:
    """A text without white space at its ends, by JavaScript's `trim`: U+FEFF counts, U+001C does not."""
    return text.strip(_WHITE)


def one_line(text: str) -> str:
    """A text as a row shows it: line breaks and tabs as spaces, none at the ends."""
    if "\n" in text or "\t" in text:
        text = text.replace("\n", " ").replace("\t", " ")
    # Most texts have nothing to trim, and this is told faster than trimmed.
    return text if text and "!" <= text[0] <= "~" and "!" <= text[-1] <= "~" else trim(text)


def text_of(content: Any, separator: str = "") -> str:
    """All text of a message's content: a string as it is, of a block list the `text` blocks, joined."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    texts = [
        block["text"]
        for block in content
        if isinstance(block, dict) and block.get("type") == "text" and isinstance(block.get("text"), str)
    ]
    return texts[0] if len(texts) == 1 else separator.join(texts)


def has_block(content: Any, block_type: str) -> bool:
    """Whether a block list holds a block of this type."""
    if isinstance(content, list):
        for block in content:
            if isinstance(block, dict) and block.get("type") == block_type:
                return True
    return False


def tool_calls(content: Any) -> list[dict[str, Any]]:
    """The `toolCall` blocks of an assistant message's content, in order."""
    if not isinstance(content, list):
        return []
    return [block for block in content if isinstance(block, dict) and block.get("type") == "toolCall"]


def _string(value: Any) -> str:
    return value if isinstance(value, str) else "" if value is None else dump(value).decode()


def home_folder() -> str:
    """The user's home folder as the environment names it, without a final slash; empty if it does not."""
    return (os.environ.get("HOME") or os.environ.get("USERPROFILE") or "").rstrip("/\\")


def short_path(path: str, home: str | None = None) -> str:
    """A path with the home folder (by default the user's) written as `~`; a relative one as it is."""
    home = home_folder() if home is None else home.rstrip("/\\")
    if home and path.startswith(home) and (len(path) == len(home) or path[len(home)] in "/\\"):
        return "~" + path[len(home) :]
    return path


def _line_number(value: Any) -> float | None:
    if isinstance(value, str) and value.strip():
        try:
            value = float(value)
        except ValueError:
            return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if value - value == 0 else None


def _line_range(offset: Any, limit: Any) -> str:
    """The `:from-to` of a read call, as Pi writes it; nothing where a bound is malformed."""
    if offset is None and limit is None:
        return ""
    start = 1 if offset is None else _line_number(offset)
    if start is None:
        return ""
    if limit is None:
        return f":{start:.15g}"
    count = _line_number(limit)
    if count is None:
        return ""
    end = start + count - 1
    return f":{start:.15g}-{end:.15g}" if end else f":{start:.15g}"


def call_text(name: Any, arguments: Any, home: str | None = None) -> str:
    """One tool call in a row, as Pi draws it: `[read: path:1-20]`, `[bash: command]`, `[name: arguments]`."""
    given = arguments if isinstance(arguments, dict) else {}
    match name:
        case "bash":
            command = _string(given.get("command") or "")
            if len(cut(command, _COMMAND_LIMIT)) == len(command):
                return f"[bash: {one_line(command)}]"
            return f"[bash: {cut(one_line(command), _COMMAND_LIMIT)}...]"
        case "read" | "write" | "edit":
            path = short_path(_string(given.get("path") or given.get("file_path") or ""), home)
            lines = _line_range(given.get("offset"), given.get("limit")) if name == "read" else ""
            return f"[{name}: {path}{lines}]"
        case "grep" | "find" | "ls":
            where = short_path(_string(given.get("path") or "."), home)
            pattern = _string(given.get("pattern") or "")
            if name == "ls":
                return f"[ls: {where}]"
            return f"[grep: /{pattern}/ in {where}]" if name == "grep" else f"[find: {pattern} in {where}]"
        case _:
            whole = dump(arguments).decode()
            shown = cut(whole, _ARGUMENTS_LIMIT)
            return f"[{_string(name)}: {shown}{'...' if len(shown) < len(whole) else ''}]"


class Summarizer:
    """Summarizes records in file order; remembers tool calls, so that their results can name them.

    Attributes:
        calls: the tool calls so far.
    """

    def __init__(self, calls: ToolCallIndex | None = None) -> None:
        self.calls = ToolCallIndex() if calls is None else calls
        self._home = home_folder()

    def summarize(self, record: dict[str, Any]) -> Summary:
        """Kind, flags and row body of one record (in version 3 form)."""
        kind = record.get("type")
        if kind != "message":
            return _plain(record, kind)
        message = record.get("message")
        if not isinstance(message, dict):
            message = {}
        role = message.get("role")
        content = message.get("content")
        if role == "assistant":
            return self._assistant(message, content)
        if role == "toolResult":
            flags = _ERROR if message.get("isError") is True else 0
            if has_block(content, "image"):
                flags |= _IMAGE
            call_id = message.get("toolCallId")
            call = self.calls.get(call_id) if isinstance(call_id, str) else None
            if call is not None:
                return Kind.TOOL_RESULT, flags, call
            return Kind.TOOL_RESULT, flags, result_row(message.get("toolName"))
        if role == "user":
            flags = _IMAGE if has_block(content, "image") else 0
            return Kind.USER, flags, user_row(text_of(content))
        if role == "bashExecution":
            flags = _EXCLUDED if message.get("excludeFromContext") is True else 0
            if message.get("cancelled") is True:
                flags |= _ABORTED
            if message.get("exitCode") not in (0, None):
                flags |= _ERROR
            return Kind.BASH, flags, one_line(_string(message.get("command")))
        if role == "system":
            return Kind.SYSTEM, 0, ""
        return Kind.OTHER_ROLE, 0, _string(role)

    def _assistant(self, message: dict[str, Any], content: Any) -> Summary:
        flags = 0
        whole = ""
        calls: list[dict[str, Any]] = []
        if isinstance(content, list):
            # One pass: this runs for every second entry of a session.
            for block in content:
                if not isinstance(block, dict):
                    continue
                block_type = block.get("type")
                if block_type == "text":
                    text = block.get("text")
                    if isinstance(text, str):
                        whole += text
                elif block_type == "toolCall":
                    calls.append(block)
        else:
            whole = text_of(content)
        if calls:
            flags |= _CALLS
            for call in calls:
                if isinstance(call.get("id"), str):
                    self.calls.set(call["id"], call_text(call.get("name"), call.get("arguments"), self._home))
        return assistant_row(flags, whole, message.get("stopReason"), message.get("errorMessage"))


def user_row(text: str) -> str:
    """The body of the row of what a user said."""
    return one_line(cut(text, TEXT_LIMIT))


def result_row(tool: Any) -> str:
    """The body of the row of a tool's result whose call is not known, by the tool's name."""
    return f"[{_string(tool) or 'tool'}]"


def assistant_row(flags: int, text: str, stop: Any, error: Any) -> Summary:
    """Kind, flags and row body of an answer.

    Args:
        flags: what is known of it.
        text: all its text.
        stop, error: its `stopReason` and `errorMessage`.
    """
    if stop == "toolUse" and not text and not error:
        return _SILENT, flags, "(no content)"  # most answers
    if stop == "aborted":
        flags |= _ABORTED
    elif stop == "error":
        flags |= _ERROR
    silent = (stop in ("stop", "toolUse") or not stop) and not (
        text and ("!" <= text[0] <= "~" or trim(text))
    )
    kind = _SILENT if silent else _ASSISTANT
    shown = one_line(cut(text, TEXT_LIMIT)) if text else ""
    if shown:
        return kind, flags, shown
    if stop == "aborted":
        return kind, flags, "(aborted)"
    if error:
        return kind, flags | _ERROR, cut(one_line(_string(error)), _ERROR_LIMIT)
    return kind, flags, "(no content)"


def _plain(record: dict[str, Any], entry_type: Any) -> Summary:
    """Summary of an entry that is no message."""
    kind = KIND_OF_TYPE.get(entry_type) if isinstance(entry_type, str) else None
    flags = 0
    match kind:
        case Kind.CUSTOM_MESSAGE:
            content = record.get("content")
            flags = (_HIDDEN if record.get("display") is False else 0) | (
                _IMAGE if has_block(content, "image") else 0
            )
            body = one_line(text_of(content)[: TEXT_LIMIT * 2])
            return kind, flags, f"[{_string(record.get('customType'))}]: {cut(body, TEXT_LIMIT)}"
        case Kind.COMPACTION:
            tokens = record.get("tokensBefore")
            if isinstance(tokens, bool) or not isinstance(tokens, int | float):
                return kind, 0, ""
            return kind, 0, f"{math.floor(tokens / 1000 + 0.5)}k tokens"
        case Kind.BRANCH_SUMMARY:
            return kind, 0, cut(one_line(_string(record.get("summary"))[: TEXT_LIMIT * 2]), TEXT_LIMIT)
        case Kind.MODEL_CHANGE:
            return kind, 0, _string(model_name(record))
        case Kind.THINKING_LEVEL_CHANGE:
            return kind, 0, _string(record.get("thinkingLevel"))
        case Kind.CUSTOM:
            return kind, 0, _string(record.get("customType"))
        case Kind.CONTEXT_EDIT:
            omits = record.get("replacement", 0) is None
            return kind, _OMIT if omits else 0, _string(record.get("targetId"))
        case Kind.LABEL:
            return kind, 0, _string(record.get("label"))
        case Kind.SESSION_INFO:
            return kind, 0, _string(record.get("name"))
        case Kind.USAGE:
            return kind, 0, _string(record.get("kind"))
        case _:
            return Kind.UNKNOWN, 0, _string(entry_type) or "?"
