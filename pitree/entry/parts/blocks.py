"""Builders of parts for the blocks of a message's content: text, thinking, images, tool calls."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pitree.entry.parts import images, results, tools
from pitree.entry.parts.build_context import BuildContext, chars, data, line, mapping, notice, text
from pitree.entry.parts.edits import edit_in_force, edit_notice
from pitree.entry.parts.model import (
    GLANCE,
    WHOLE,
    Body,
    FilePlace,
    Part,
    PartKind,
    Picture,
    Preview,
    Syntax,
    Tone,
)
from pitree.session.format.entry_type import Kind
from pitree.text import figures

_MOST_BLOCKS = 2_000
_MOST_NESTED = 200
_EXIT_WORDS = "Command exited with code "


def content_parts(scene: BuildContext, content: Any, key: str = "content") -> list[Part]:
    """Parts of a message's content: a string, a list of blocks, or whatever else stands there."""
    if content is None or content == "":
        return []
    if isinstance(content, str):
        return [Part(PartKind.PROSE, key, body=Body(content, Syntax.MARKDOWN))]
    if not isinstance(content, list):
        return [data(key, content, "content of unknown form")]
    parts: list[Part] = []
    for place, block in enumerate(content[:_MOST_BLOCKS]):
        parts += block_parts(scene, block, f"{key}.{place}")
    if len(content) > _MOST_BLOCKS:
        left = figures.counted(len(content) - _MOST_BLOCKS, "more block")
        parts.append(notice(f"{key}.rest", f"{left}: the raw record has them"))
    return parts


def block_parts(scene: BuildContext, block: Any, key: str) -> list[Part]:
    """Parts of one content block; a block of an unknown type as JSON."""
    kind = block.get("type") if isinstance(block, dict) else None
    build = scene.blocks.get(kind) if isinstance(kind, str) else None
    if build is None:
        return [data(key, block, f"unknown block {line(kind)}".rstrip())]
    return build(scene, block, key)


def text_block(scene: BuildContext, block: dict[str, Any], key: str) -> list[Part]:
    """A `text` block."""
    said = text(block.get("text"))
    return [Part(PartKind.PROSE, key, body=Body(said, Syntax.MARKDOWN))] if said.strip() else []


def thinking_block(scene: BuildContext, block: dict[str, Any], key: str) -> list[Part]:
    """A `thinking` block, folded; what is redacted or only signed is said, since there is nothing to read."""
    said = text(block.get("thinking"))
    signature = text(block.get("thinkingSignature"))
    redacted = block.get("redacted") is True
    if said.strip():
        title = f"thinking · {chars(said)}{' · redacted' if redacted else ''}"
        return [
            Part(
                PartKind.THINKING,
                key,
                title=title,
                body=Body(said, Syntax.MARKDOWN),
                folded=True,
                tone=Tone.DIM,
            )
        ]
    why = "redacted" if redacted else "no text" if not signature else "signature only"
    title = f"thinking · {why}" + (f" · signature of {chars(signature)}" if signature else "")
    return [Part(PartKind.THINKING, key, title=title, tone=Tone.DIM)]


def image_block(scene: BuildContext, block: dict[str, Any], key: str) -> list[Part]:
    """An `image` block: type, bytes and pixels; its data is neither decoded nor kept.

    An image by reference is named and not shown: nothing is fetched.
    """
    encoded = text(block.get("data")) or text((mapping(block.get("source")) or block).get("url"))
    mime = line(block.get("mimeType")) or "unknown type"
    if named := images.reference(encoded):
        return [
            Part(
                PartKind.IMAGE, key, title="image", subject=f"{mime} by reference: {line(named)}", folded=True
            )
        ]
    pixels = images.pixel_size(encoded)
    size = figures.size(images.base64_size(encoded)) if encoded else "no data"
    subject = f"{mime} {size}" + (f" · {pixels[0]} × {pixels[1]} pixels" if pixels else "")
    picture = Picture(encoded, pixels) if encoded else None
    return [Part(PartKind.IMAGE, key, title="image", subject=subject, folded=True, picture=picture)]


def call_block(scene: BuildContext, block: dict[str, Any], key: str) -> list[Part]:
    """A `toolCall` block by itself, outside the message whose results are looked for."""
    return [call_part(scene, block, key, None, alone=True)]


def call_part(
    scene: BuildContext,
    call: dict[str, Any],
    key: str,
    result: tuple[int, dict[str, Any]] | None,
    *,
    seen_from_result: bool = False,
    alone: bool = False,
    target: int | None = None,
) -> Part:
    """A tool call with its result beneath, as one part.

    Args:
        scene: the entry being read.
        call: the `toolCall` block.
        key: key of the part.
        result: index and message of the entry with the result; None when there is none.
        alone: no result was looked for, so nothing is said of one.
        seen_from_result: the entry being read is the result, so that its text shows at length.
        target: entry to go to from here; the result by default.
    """
    described = tools.describe(call.get("name"), call.get("arguments"), scene.session.get_cwd())
    name = line(call.get("name")) or "tool"
    if space := line(call.get("namespace")):
        name = f"{space}.{name}"
    children: tuple[Part, ...] = ()
    outcome, tone = "", Tone.NORMAL
    if result is None:
        if not alone:
            children = (notice(f"{key}.none", "no result · interrupted", Tone.WARNING),)
            tone = Tone.WARNING
    else:
        index, message = result
        preview = WHOLE if seen_from_result else GLANCE
        children = tuple(result_parts(scene, message, f"{key}.result", described, preview))
        edit = None if seen_from_result else edit_in_force(scene, index)
        if edit is not None:
            children = (edit_notice(scene, edit, f"{key}.edit", "the result"), *children)
        outcome = _outcome(scene, message, index)
        tone = Tone.ERROR if message.get("isError") is True else Tone.NORMAL
    body = described.body
    if body is not None and body.syntax is Syntax.DIFF and _has_diff(children):
        body = None
    return Part(
        PartKind.CALL,
        key,
        title=name,
        subject=described.subject,
        note=" · ".join(filter(None, (described.note, outcome))),
        body=body,
        children=children,
        preview=GLANCE if seen_from_result else Preview(40, 10),
        tone=tone,
        target=target if target is not None or result is None else result[0],
        place=_place(described.place, result),
    )


def _place(place: FilePlace | None, result: tuple[int, dict[str, Any]] | None) -> FilePlace | None:
    """The file a call names, at the first line its result says to have changed."""
    if place is None or place.line or result is None:
        return place
    changed = figures.number(mapping(result[1].get("details")).get("firstChangedLine"))
    return replace(place, line=int(changed)) if changed and changed > 0 else place


def _has_diff(parts: tuple[Part, ...]) -> bool:
    """Whether a result brings its own diff, with line numbers, so that the edits need not be told twice."""
    return any(part.body is not None and part.body.syntax is Syntax.DIFF for part in parts)


def _outcome(scene: BuildContext, message: dict[str, Any], index: int) -> str:
    """How a call ended and how long it took: `exit 0 · 2.4 s`, `error`.

    The time is from the entry before the result to the result, as the file has no other.
    """
    table = scene.session.table
    words = []
    failed = message.get("isError") is True
    if message.get("toolName") in ("bash", "powershell"):
        words.append(_exit_words(message, failed))
    elif failed:
        words.append("error")
    parent = table.parents[index]
    if parent >= 0 and table.kinds[parent] in (Kind.ASSISTANT, Kind.ASSISTANT_SILENT, Kind.TOOL_RESULT):
        took = table.times[index] - table.times[parent]
        if 0 <= took < 24 * 3_600_000:
            words.append(figures.duration(took))
    return " · ".join(words)


def _exit_words(message: dict[str, Any], failed: bool) -> str:
    if not failed:
        return "exit 0"
    content = message.get("content")
    last = content[-1] if isinstance(content, list) and content else None
    tail = text(mapping(last).get("text"))[-200:].strip()
    at = tail.rfind(_EXIT_WORDS)
    code = tail[at + len(_EXIT_WORDS) :] if at >= 0 else ""
    return f"exit {code}" if code.lstrip("-").isdecimal() else "error"


def result_parts(
    scene: BuildContext, message: dict[str, Any], key: str, call: tools.Call | None, preview: Preview
) -> list[Part]:
    """What a tool gave back: its text, images and diff, calls nested in it, what it cost, and the rest."""
    content = message.get("content")
    tone = Tone.ERROR if message.get("isError") is True else Tone.NORMAL
    read = call.result if call is not None and tone is Tone.NORMAL else results.output
    blocks = content if isinstance(content, list) else [{"type": "text", "text": content}] if content else []
    parts: list[Part] = []
    details = dict(mapping(message.get("details")))
    diff = details.pop("diff", None)
    for place, block in enumerate(blocks[:_MOST_BLOCKS]):
        name = f"{key}.{place}"
        if mapping(block).get("type") == "text" and isinstance(block.get("text"), str):
            told = read(block["text"])
            if told.body is not None:
                parts.append(Part(PartKind.RESULT, name, body=told.body, preview=preview, tone=tone))
            parts += [
                notice(f"{name}.remark.{number}", line(remark)) for number, remark in enumerate(told.remarks)
            ]
        else:
            parts += block_parts(scene, block, name)
    if isinstance(diff, str) and diff:
        parts.append(Part(PartKind.RESULT, f"{key}.diff", body=Body(diff, Syntax.DIFF), preview=preview))
    if not parts:
        parts.append(notice(f"{key}.empty", "no output"))
    return parts + _about_result(scene, message, key, details)


def _about_result(
    scene: BuildContext, message: dict[str, Any], key: str, details: dict[str, Any]
) -> list[Part]:
    """What a result tells besides its content."""
    parts: list[Part] = []
    truncation = mapping(details.pop("truncation", None))
    full = details.pop("fullOutputPath", None)
    if truncation.get("truncated") is True:
        shown, whole = truncation.get("outputLines"), truncation.get("totalLines")
        of = f": {line(shown)} of {line(whole)} lines" if shown is not None and whole is not None else ""
        parts.append(notice(f"{key}.cut", f"truncated by the tool{of}"))
    if isinstance(full, str) and full:
        parts.append(replace(notice(f"{key}.full", f"full output in {line(full)}"), place=FilePlace(full)))
    nested = mapping(message.get("nestedCalls"))
    calls = nested.get("calls")
    if isinstance(calls, list) and calls:
        incomplete = nested.get("complete") is False
        parts.append(_nested_part(scene, calls, incomplete, f"{key}.nested"))
    if isinstance(message.get("usage"), dict):
        parts.append(Part(PartKind.FACTS, f"{key}.usage", words=("used", *usage_words(message["usage"]))))
    details.pop("firstChangedLine", None)
    if details:
        parts.append(data(f"{key}.details", details, "result details", folded=True))
    return parts


_STATUSES = {"ok": ("ok", Tone.NORMAL), "error": ("error", Tone.ERROR)}


def _nested_part(scene: BuildContext, calls: list[Any], incomplete: bool, key: str) -> Part:
    """Calls a tool made of others; their results are not in the file (`nestedCalls`)."""
    children = [
        _nested_call(scene, mapping(call), f"{key}.{place}")
        for place, call in enumerate(calls[:_MOST_NESTED])
    ]
    if len(calls) > _MOST_NESTED:
        left = figures.counted(len(calls) - _MOST_NESTED, "more call")
        children.append(notice(f"{key}.rest", f"{left}: the raw record has them"))
    if incomplete:
        children.append(notice(f"{key}.cut", "… and more that were not kept"))
    return Part(
        PartKind.SECTION,
        key,
        title=figures.counted(len(calls), "call") + " within it",
        children=tuple(children),
        folded=True,
    )


def _nested_call(scene: BuildContext, call: dict[str, Any], key: str) -> Part:
    status, tone = _STATUSES.get(text(call.get("status")), ("unfinished", Tone.WARNING))
    took = figures.number(call.get("durationMs"))
    left_out = figures.number(call.get("argumentsBytes")) if "arguments" not in call else None
    notes = (
        status,
        "" if took is None else figures.duration(took),
        "" if left_out is None else f"{figures.size(int(left_out))} of arguments not kept in the session",
    )
    described = tools.describe(call.get("name"), call.get("arguments"), scene.session.get_cwd())
    failed = text(call.get("error"))
    return Part(
        PartKind.CALL,
        key,
        title=line(call.get("name")) or "tool",
        subject=described.subject,
        note=" · ".join(filter(None, (described.note, *notes))),
        body=described.body,
        children=(notice(f"{key}.error", line(failed), Tone.ERROR),) if failed else (),
        folded=True,
        preview=GLANCE,
        tone=tone,
        place=described.place,
    )


def usage_words(usage: Any) -> tuple[str, ...]:
    """A usage object in short words, zeros left out: `in 12.3k`, `out 823`, `cache 90.1k`, `$0.031`.

    `reasoning` is part of the output and `cacheWrite1h` of the cache written: neither is a figure of its own.
    """
    found = mapping(usage)
    words = []
    for name, key in (
        ("in", "input"),
        ("out", "output"),
        ("cache", "cacheRead"),
        ("cache write", "cacheWrite"),
    ):
        amount = figures.number(found.get(key))
        if amount:
            words.append(f"{name} {figures.tokens(amount)}")
    cost = figures.number(mapping(found.get("cost")).get("total"))
    if cost:
        words.append(figures.money(cost))
    return tuple(words)
