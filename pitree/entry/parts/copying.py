"""What copying an entry, or a part of it, yields: the text somebody would want to paste."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pitree.entry.parts.build_context import line, mapping, pretty, text
from pitree.entry.parts.model import Part, PartKind, Syntax, output_body
from pitree.session.format.entry_summary import call_text, text_of, tool_calls
from pitree.session.format.record_check import model_name
from pitree.session.manager.manager import SessionManager
from pitree.text.figures import counted


def copy_text(session: SessionManager, index: int) -> str:
    """The text of an entry, raw; never empty.

    As Pi copies it, but what a tool printed comes as it is read: the text blocks of a message, the command of
    a bash entry, the error of an assistant message without text, a summary. Where Pi has nothing, the next
    best: the calls of an assistant message, its thinking, the value of a bookkeeping entry, then the record.
    """
    record = session.entry(index).record
    for said in _candidates(record):
        if said.strip():
            return said
    return pretty(record)


def _candidates(record: dict[str, Any]) -> list[str]:
    kind = record.get("type")
    if kind == "message":
        return _of_message(mapping(record.get("message")))
    if kind == "custom_message":
        return [text_of(record.get("content"))]
    if kind in ("compaction", "branch_summary"):
        return [text(record.get("summary"))]
    if kind == "context_edit":
        return [text_of(mapping(record.get("replacement")).get("content")), text(record.get("targetId"))]
    if kind == "model_change":
        return ["/".join(filter(None, (text(record.get("provider")), text(model_name(record)))))]
    field = _FIELDS.get(kind) if isinstance(kind, str) else None
    return [text(record.get(field))] if field is not None else []


_FIELDS = {"thinking_level_change": "thinkingLevel", "label": "label", "session_info": "name"}
"""Entry type → the field that is all there is to copy of it."""


def _of_message(message: dict[str, Any]) -> list[str]:
    if message.get("role") == "bashExecution":
        return [text(message.get("command"))]
    content = message.get("content")
    said = text_of(content)
    if message.get("role") == "toolResult":
        said = output_body(said).plain
    calls = "\n".join(call_text(call.get("name"), call.get("arguments")) for call in tool_calls(content))
    blocks = content if isinstance(content, list) else []
    thinking = "\n\n".join(text(mapping(block).get("thinking")) for block in blocks).strip()
    return [
        said,
        text(message.get("errorMessage")),
        calls,
        thinking,
        text(message.get("summary")),
    ]


_MOST_BLOCKS = 30
_FENCED = re.compile(
    r"^ {0,3}(?P<fence>`{3,}|~{3,})[ \t]*(?P<language>[^\s`]*)[^\n]*\n"
    r"(?P<code>.*?)(?:^ {0,3}(?P=fence)[`~]*[ \t]*$|\Z)",
    re.MULTILINE | re.DOTALL,
)
_WHOLES = {
    PartKind.CALL: "the tool call",
    PartKind.BASH: "the command",
    PartKind.THINKING: "the thinking",
    PartKind.SUMMARY: "the summary",
    PartKind.RAW: "the record",
}


@dataclass(frozen=True, slots=True)
class Copyable:
    """A text that can be copied.

    Attributes:
        name: what it is, safe.
        text: the text, raw.
        make: makes the text, where that takes a while; for a thread.
    """

    name: str
    text: str
    make: Callable[[], str] | None = None


def copyables(part: Part) -> list[Copyable]:
    """What of a part can be copied: its text, what came back, each block of code in it; none twice."""
    found = []
    body = part.whole or part.body
    if body is not None and body.text.strip():
        found.append(Copyable(_WHOLES.get(part.kind, "the text"), body.plain))
    results = [child.body.plain for child in part.children if child.kind is PartKind.RESULT and child.body]
    if results:
        found.append(Copyable("the result", "\n".join(results)))
    for child in part.children if part.whole is None else ():
        inner = child.whole or child.body
        if child.kind is not PartKind.RESULT and inner is not None and not child.folded:
            found.append(Copyable(child.title or "the text", inner.plain))
    if part.body is not None and part.body.syntax is Syntax.MARKDOWN:
        found += _code_blocks(part.body.text)
    if not found:
        said = " ".join(filter(None, (part.title, part.subject, part.note, *part.words)))
        facts = "\n".join(f"{fact.name}: {fact.value}" for fact in part.facts)
        found = [Copyable("the text", "\n".join(filter(None, (said, facts))))]
    return list({each.text: each for each in reversed(found)}.values())[::-1]


def _code_blocks(said: str) -> list[Copyable]:
    blocks: list[Copyable] = []
    for found in _FENCED.finditer(said):
        code = found["code"].removesuffix("\n")
        if not code.strip():
            continue
        if len(blocks) == _MOST_BLOCKS:
            break
        what = " · ".join(filter(None, (line(found["language"]), counted(code.count("\n") + 1, "line"))))
        blocks.append(Copyable(f"code block {len(blocks) + 1} · {what}", code))
    return blocks
