"""Builders of parts for the messages of each role."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pitree.entry.parts import call_results
from pitree.entry.parts.blocks import block_parts, call_part, content_parts, result_parts
from pitree.entry.parts.build_context import BuildContext, chars, data, line, mapping, notice, text
from pitree.entry.parts.model import WHOLE, Body, Part, PartKind, Syntax, Tone, output_body
from pitree.text import figures

_MOST_BLOCKS = 2_000
_STOPS = {
    "length": ("cut off: the answer reached the length limit", Tone.WARNING),
    "aborted": ("aborted", Tone.WARNING),
    "error": ("ended with an error", Tone.ERROR),
    "deferred": ("deferred: the provider would finish it later", Tone.WARNING),
    "pending": ("unfinished", Tone.WARNING),
}
"""Stop reason → what to say of it; the others need no words."""


def user_message(scene: BuildContext, message: dict[str, Any]) -> list[Part]:
    """Role `user`."""
    return content_parts(scene, message.get("content")) or [notice("empty", "(no content)")]


def assistant_message(scene: BuildContext, message: dict[str, Any]) -> list[Part]:
    """Role `assistant`: its blocks in order, each call with its result, then how it ended."""
    content = message.get("content")
    if not isinstance(content, list):
        parts = content_parts(scene, content)
    else:
        calls = {
            block["id"]
            for block in content
            if isinstance(block, dict)
            and block.get("type") == "toolCall"
            and isinstance(block.get("id"), str)
        }
        results = _results(scene, calls) if calls else {}
        parts = []
        for place, block in enumerate(content[:_MOST_BLOCKS]):
            key = f"content.{place}"
            if isinstance(block, dict) and block.get("type") == "toolCall":
                call_id = block.get("id")
                result = results.get(call_id) if isinstance(call_id, str) else None
                parts.append(call_part(scene, block, key, result))
            else:
                parts += block_parts(scene, block, key)
        if len(content) > _MOST_BLOCKS:
            left = figures.counted(len(content) - _MOST_BLOCKS, "more block")
            parts.append(notice("content.rest", f"{left}: the raw record has them"))
    ending = _ending(message)
    return parts + ending if parts or ending else [notice("empty", "(no content)")]


def _results(scene: BuildContext, calls: set[str]) -> Mapping[str, tuple[int, dict[str, Any]]]:
    if scene.around is not None:
        return scene.around.results
    return call_results.results_of(scene.session, scene.entry.index, calls)


def _ending(message: dict[str, Any]) -> list[Part]:
    stop = message.get("stopReason")
    said, tone = _STOPS.get(stop, ("", Tone.NORMAL)) if isinstance(stop, str) else ("", Tone.NORMAL)
    error = text(message.get("errorMessage"))
    if not error:
        return [notice("stop", said, tone)] if said else []
    tone = tone if said else Tone.ERROR
    return [Part(PartKind.NOTICE, "stop", title=said or "error", body=Body(error), tone=tone)]


def tool_result(scene: BuildContext, message: dict[str, Any]) -> list[Part]:
    """Role `toolResult`: the call it answers, found above it, and what came back."""
    found = (
        call_results.call_of(scene.session, scene.entry.index, message.get("toolCallId"))
        if scene.around is None
        else scene.around.call
    )
    if found is not None:
        index, call = found
        return [
            call_part(scene, call, "call", (scene.entry.index, message), seen_from_result=True, target=index),
        ]
    failed = message.get("isError") is True
    name = line(message.get("toolName")) or "tool"
    return [
        notice("call", f"the call of {name} that it answers is not on this branch"),
        *result_parts(scene, message, "result", None, WHOLE),
        *([notice("failed", "the tool reported an error", Tone.ERROR)] if failed else []),
    ]


def bash_execution(scene: BuildContext, message: dict[str, Any]) -> list[Part]:
    """Role `bashExecution`: a command the user ran, its output and how it ended."""
    command, output = text(message.get("command")), text(message.get("output"))
    code = message.get("exitCode")
    cancelled = message.get("cancelled") is True
    ending = "cancelled" if cancelled else f"exit {line(code)}" if code is not None else "no exit code"
    about: list[Part] = []
    if message.get("truncated") is True:
        about.append(notice("cut", "output truncated"))
    if full := line(message.get("fullOutputPath")):
        about.append(notice("full", f"full output in {full}"))
    if message.get("excludeFromContext") is True:
        about.append(notice("excluded", "excluded from the context: the model does not see it"))
    result = (
        Part(PartKind.RESULT, "output", body=output_body(output)) if output else notice("output", "no output")
    )
    bad = cancelled or code not in (0, None)
    return [
        Part(
            PartKind.BASH,
            "command",
            title="command",
            subject=line(command),
            note=ending,
            body=Body(command, Syntax.CODE, "bash"),
            children=(result, *about),
            tone=Tone.ERROR if bad and not cancelled else Tone.WARNING if bad else Tone.NORMAL,
        )
    ]


def system_message(scene: BuildContext, message: dict[str, Any]) -> list[Part]:
    """Role `system`: the prompt's sections as they are set or removed, and tools as they come and go."""
    parts = content_parts(scene, message.get("content"))
    for place, (name, section) in enumerate(mapping(message.get("sections")).items()):
        key = f"section.{place}"
        if section is None:
            parts.append(notice(key, f"section {line(name)} removed"))
        elif isinstance(section, str):
            parts.append(
                Part(
                    PartKind.SECTION,
                    key,
                    title="section",
                    subject=line(name),
                    note=chars(section),
                    body=Body(section, Syntax.MARKDOWN),
                    folded=len(section) > 400,
                )
            )
        else:
            parts.append(data(key, section, f"section {line(name)}", folded=True))
    for field, words in (("toolsAdded", "added"), ("toolsRemoved", "removed")):
        listed = message.get(field)
        if isinstance(listed, list) and listed:
            parts.append(_tools_part(listed, field, words))
    if message.get("replace") is not None:
        parts.append(data("replace", message["replace"], "replaces"))
    return parts or [notice("empty", "(no content)")]


def _tools_part(listed: list[Any], key: str, words: str) -> Part:
    lines = []
    for tool in map(mapping, listed):
        about = text(tool.get("description")).strip().split("\n", 1)[0]
        lines.append(f"{text(tool.get('name')) or '?'}  {about}".rstrip())
    return Part(
        PartKind.SECTION,
        key,
        title=f"{figures.counted(len(listed), 'tool')} {words}",
        body=Body("\n".join(lines)),
        folded=len(lines) > 12,
    )


def custom_message(scene: BuildContext, message: dict[str, Any]) -> list[Part]:
    """Role `custom` and entries of type `custom_message`: what an extension told the model.

    One that the extension keeps off the screen (`display: false`) is folded under a line that says so.
    """
    parts = content_parts(scene, message.get("content")) or [notice("empty", "(no content)")]
    if message.get("display") is False:
        length = sum(len(part.body.text) for part in parts if part.body is not None)
        parts = [
            Part(
                PartKind.SECTION,
                "hidden",
                title="hidden by its extension (display: false)",
                note=figures.counted(length, "character"),
                children=tuple(parts),
                folded=True,
                tone=Tone.DIM,
            )
        ]
    if message.get("details") is not None:
        parts.append(data("details", message["details"], "details · not sent to the model", folded=True))
    return parts


def summary_message(scene: BuildContext, message: dict[str, Any]) -> list[Part]:
    """Roles `branchSummary` and `compactionSummary`, which Pi makes in memory but a file may hold."""
    parts: list[Part] = []
    before = figures.number(message.get("tokensBefore"))
    if before is not None:
        parts.append(notice("before", f"{figures.tokens(before)} tokens before it"))
    summary = text(message.get("summary"))
    return [*parts, Part(PartKind.SUMMARY, "summary", body=Body(summary, Syntax.MARKDOWN))]


def unknown_message(scene: BuildContext, message: dict[str, Any]) -> list[Part]:
    """A role this version does not know: its text if it has some, and all of it as JSON."""
    role = line(message.get("role")) or "none"
    parts = (
        content_parts(scene, message.get("content")) if isinstance(message.get("content"), str | list) else []
    )
    return [
        notice("role", f"unknown role: {role}", Tone.WARNING),
        *parts,
        data("message", message, "message", folded=bool(parts)),
    ]
