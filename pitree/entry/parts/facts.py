"""The facts every entry has: what it is, when it was, what it cost, where it is in the session."""

from __future__ import annotations

import math
from typing import Any

from pitree.entry.parts.blocks import usage_words
from pitree.entry.parts.build_context import BuildContext, line, mapping, notice, role_words
from pitree.entry.parts.model import GLANCE, Body, Fact, Part, PartKind, Tone
from pitree.session.format.entry_type import Flag
from pitree.text import figures


def heading(scene: BuildContext) -> list[Part]:
    """The first parts of an entry: its heading with figures, its place, what is odd about it.

    On a branch that is read as a whole nobody asks for the place of each.
    """
    message = scene.message
    usage = message.get("usage") if scene.record.get("type") == "message" else scene.record.get("usage")
    role = scene.entry.role
    title = role_words(role) if role is not None else scene.entry.type.replace("_", " ")
    stop = line(message.get("stopReason")) if role == "assistant" else ""
    figures_shown = usage_words(usage) if role in ("assistant", None) else ()
    first = Part(
        PartKind.FACTS,
        "heading",
        title=line(title),
        subject=_subject(scene),
        note=figures.clock(scene.entry.time_ms, scene.now_ms),
        words=figures_shown + ((stop,) if stop else ()),
    )
    if scene.around is not None:
        return [first, *_oddities(scene)]
    return [first, Part(PartKind.FACTS, "place", words=_place(scene), tone=Tone.DIM), *_oddities(scene)]


def _subject(scene: BuildContext) -> str:
    """What is beside the role: the model, the tool, the extension."""
    message = scene.message
    for value in (message.get("model"), message.get("toolName"), message.get("customType")):
        if isinstance(value, str) and value:
            return line(value)
    return line(scene.record.get("customType"))


def _place(scene: BuildContext) -> tuple[str, ...]:
    entry, session = scene.entry, scene.session
    label = session.labels.get(entry.id)
    found = [
        figures.ago(entry.time_ms, scene.now_ms),
        f"entry {figures.count(entry.index + 1)} of {figures.count(session.get_entry_count())}",
        line(entry.id),
    ]
    if label is not None:
        found.insert(0, f"[{line(label.text)}]")
    if entry.index == session.leaf_index:
        found.append("leaf")
    return tuple(filter(None, found))


_ODD = Flag.MISSING_PARENT | Flag.BROKEN_CHAIN | Flag.REPEATED_ID | Flag.MISSING_ID | Flag.RECOVERED


def _oddities(scene: BuildContext) -> list[Part]:
    flags, table = scene.entry.flags, scene.session.table
    parts: list[Part] = []
    if not flags & _ODD and "pitree" not in scene.record:
        return parts
    if flags & Flag.MISSING_PARENT:
        parent = line(table.parent_id(scene.entry.index))
        parts.append(notice("odd.parent", f"parent {parent} missing: shown as a root", Tone.WARNING))
    if flags & Flag.BROKEN_CHAIN:
        parts.append(notice("odd.chain", "its parents form a loop: cut here, shown as a root", Tone.WARNING))
    if flags & Flag.REPEATED_ID:
        parts.append(notice("odd.id", "another entry has the same id; Pi uses the last one", Tone.WARNING))
    if flags & Flag.MISSING_ID:
        parts.append(notice("odd.no-id", "it has no id", Tone.WARNING))
    if flags & Flag.RECOVERED:
        parts.append(notice("odd.recovered", "recovered from a damaged line", Tone.WARNING))
    if scene.record.get("pitree") == "unreadable":
        parts.append(notice("odd.gone", "its record can no longer be read from the file", Tone.ERROR))
    return parts


def details(scene: BuildContext) -> Part:
    """Names and values that are seldom looked for: ids, provider, thinking level, the cost in its parts."""
    entry, message = scene.entry, scene.message
    found = [
        Fact("id", line(entry.id)),
        Fact("parent", line(entry.parent_id) or "none: a root"),
        Fact("line", figures.count(entry.line)),
        Fact("time", line(scene.record.get("timestamp"))),
    ]
    sent = figures.number(message.get("timestamp"))
    if sent is not None and not math.isnan(entry.time_ms):
        found.append(Fact("sent", figures.clock(sent, scene.now_ms)))
    for name, field in _MESSAGE_FIELDS:
        if message.get(field) is not None:
            found.append(Fact(name, line(message[field])))
    usage = message.get("usage") if message else scene.record.get("usage")
    found += _usage_facts(mapping(usage))
    return Part(
        PartKind.DETAILS,
        "details-of-entry",
        title="details",
        facts=tuple(fact for fact in found if fact.value),
        children=tuple(_signatures(message)),
        folded=True,
        tone=Tone.DIM,
    )


_SIGNATURES = (
    ("thinkingSignature", "thinking"),
    ("textSignature", "text"),
    ("thoughtSignature", "call"),
)
_MOST_SIGNATURES = 100


def _signatures(message: dict[str, Any]) -> list[Part]:
    """What providers sign blocks with: nothing to read, but to be seen by who wants to."""
    content = message.get("content")
    found: list[Part] = []
    for place, block in enumerate(content if isinstance(content, list) else ()):
        for field, what in _SIGNATURES:
            signature = mapping(block).get(field)
            if isinstance(signature, str) and signature and len(found) < _MOST_SIGNATURES:
                found.append(
                    Part(
                        PartKind.SECTION,
                        f"signature.{place}.{field}",
                        title=f"signature of block {place + 1}, {what}",
                        note=figures.counted(len(signature), "character"),
                        body=Body(signature),
                        folded=True,
                        preview=GLANCE,
                    )
                )
    return found


_MESSAGE_FIELDS = (
    ("provider", "provider"),
    ("model", "model"),
    ("answered by", "responseModel"),
    ("api", "api"),
    ("thinking level", "thinkingLevel"),
    ("requested provider", "providerThinkingLevel"),
    ("stop reason", "stopReason"),
    ("raw stop reason", "rawStopReason"),
    ("response id", "responseId"),
    ("tool", "toolName"),
    ("call id", "toolCallId"),
)
_USAGE_FIELDS = (
    ("input", "input"),
    ("output", "output"),
    ("reasoning", "reasoning"),
    ("cache read", "cacheRead"),
    ("cache written", "cacheWrite"),
    ("written for 1 h", "cacheWrite1h"),
    ("total tokens", "totalTokens"),
)


def _usage_facts(usage: dict[str, Any]) -> list[Fact]:
    found = []
    cost = mapping(usage.get("cost"))
    for name, field in _USAGE_FIELDS:
        amount = figures.number(usage.get(field))
        if amount is None:
            continue
        price = figures.number(cost.get(field))
        found.append(Fact(name, f"{amount:,}" + (f" · {figures.money(price)}" if price else "")))
    total = figures.number(cost.get("total"))
    if total is not None:
        found.append(Fact("cost", figures.money(total)))
    return found
