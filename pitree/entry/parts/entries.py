"""Builders of parts for the entries that are no messages."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pitree.entry.parts.blocks import content_parts, usage_words
from pitree.entry.parts.build_context import (
    BuildContext,
    data,
    find_entry,
    line,
    mapping,
    name_entry,
    notice,
    text,
    words,
)
from pitree.entry.parts.edits import edit_in_force, replacement_body
from pitree.entry.parts.messages import custom_message, system_message
from pitree.entry.parts.model import Body, Fact, Part, PartKind, Syntax, Tone
from pitree.session.context.projection import first_kept
from pitree.session.format.record_check import model_name
from pitree.text import figures

_BASE = ("type", "id", "parentId", "timestamp")


def compaction(scene: BuildContext) -> list[Part]:
    """Type `compaction`: how much was summarized, what is kept, the summary, the files it names."""
    record = scene.record
    parts = [_kept(scene, record)]
    parts += _summary(record)
    system = mapping(record.get("systemMessage"))
    if system:
        inner = tuple(_prefixed(part, "system") for part in system_message(scene, system))
        parts.append(
            Part(PartKind.SECTION, "system", title="system prompt from here on", children=inner, folded=True)
        )
    return parts + _by_hook(record)


def _kept(scene: BuildContext, record: dict[str, Any]) -> Part:
    before = figures.number(record.get("tokensBefore"))
    size = f"{figures.tokens(before)} tokens before it" if before is not None else "size before it is unknown"
    first = record.get("firstKeptEntryId")
    index = find_entry(scene, first)
    if first == scene.entry.id:
        return notice("kept", f"{size} · nothing before it is kept")
    if index is None:
        return notice(
            "kept", f"{size} · first kept entry {line(first) or 'unknown'} is not in the file", Tone.WARNING
        )
    named = name_entry(scene, index)
    if first_kept(scene.session.table, scene.entry) < 0:
        lost = f"{size} · nothing before it is kept: its first kept entry, {named}, is not on its branch"
        return notice("kept", lost, Tone.WARNING, target=index)
    return notice("kept", f"{size} · kept from {named} on", target=index)


def branch_summary(scene: BuildContext) -> list[Part]:
    """Type `branch_summary`: which branch was left, and the summary of it.

    Old files name the parent as the source, which says nothing; `root` stands for a branch left at its start.
    """
    record = scene.record
    source = record.get("fromId")
    index = find_entry(scene, source)
    if source == record.get("parentId") or index is None:
        said = notice("source", "source unknown: the summarized branch is not named")
    else:
        said = notice(
            "source", f"summarizes the branch that ended at {name_entry(scene, index)}", target=index
        )
    return [said, *_summary(record), *_by_hook(record)]


def _summary(record: dict[str, Any]) -> list[Part]:
    summary = text(record.get("summary"))
    parts = (
        [Part(PartKind.SUMMARY, "summary", body=Body(summary, Syntax.MARKDOWN))]
        if summary.strip()
        else [notice("summary", "(empty summary)")]
    )
    details = record.get("details")
    left = dict(mapping(details))
    for key, title in (("readFiles", "read"), ("modifiedFiles", "modified")):
        files = left.pop(key, None)
        if isinstance(files, list) and files:
            listed = "\n".join(name for name in files if isinstance(name, str))
            parts.append(
                Part(
                    PartKind.SECTION,
                    key,
                    title=f"{title} {figures.counted(len(files), 'file')}",
                    body=Body(listed),
                )
            )
    if left or (details is not None and not isinstance(details, dict)):
        parts.append(data("details", left or details, "details", folded=True))
    return parts


def _by_hook(record: dict[str, Any]) -> list[Part]:
    return [notice("hook", "made by an extension")] if record.get("fromHook") is True else []


def _prefixed(part: Part, key: str) -> Part:
    return replace(part, key=f"{key}.{part.key}")


def custom_message_entry(scene: BuildContext) -> list[Part]:
    """Type `custom_message`."""
    return custom_message(scene, scene.record)


def custom(scene: BuildContext) -> list[Part]:
    """Type `custom`: what an extension keeps for itself."""
    record = scene.record
    said = words(
        "custom", f"state kept by the extension {line(record.get('customType'))}; the model does not see it"
    )
    return [said, data("data", record["data"])] if "data" in record else [said]


def model_change(scene: BuildContext) -> list[Part]:
    """Type `model_change`."""
    provider, model = line(scene.record.get("provider")), line(model_name(scene.record))
    return [words("model", f"model set to {model or '?'}" + (f" of {provider}" if provider else ""))]


def thinking_level_change(scene: BuildContext) -> list[Part]:
    """Type `thinking_level_change`."""
    return [words("level", f"thinking level set to {line(scene.record.get('thinkingLevel')) or '?'}")]


def label(scene: BuildContext) -> list[Part]:
    """Type `label`: which bookmark was set or removed where, and whether it still stands."""
    record = scene.record
    set_to = line(record.get("label"))
    target = find_entry(scene, record.get("targetId"))
    where = (
        name_entry(scene, target)
        if target is not None
        else f"an entry not in the file ({line(record.get('targetId')) or 'not named'})"
    )
    said = words(
        "label", f"label [{set_to}] set on {where}" if set_to else f"label removed from {where}", target
    )
    now = scene.session.get_label(text(record.get("targetId")))
    if (now or "") == text(record.get("label")):
        return [said]
    return [said, notice("now", f"its label is now [{line(now)}]" if now else "it has no label now")]


def session_info(scene: BuildContext) -> list[Part]:
    """Type `session_info`: the session's name, or that it was cleared."""
    name = line(scene.record.get("name"))
    return [words("name", f"session named “{name}”" if name else "session name cleared")]


def usage(scene: BuildContext) -> list[Part]:
    """Type `usage`: tokens used outside the conversation. The figures stand among the entry's facts."""
    record = scene.record
    model = "/".join(filter(None, (line(record.get("provider")), line(record.get("model")))))
    parts = [words("kind", f"usage outside the conversation: {line(record.get('kind')) or 'unnamed'}")]
    facts = [Fact("model", model)] if model else []
    if note := line(record.get("note")):
        facts.append(Fact("note", note))
    if facts:
        parts.append(Part(PartKind.DETAILS, "of", facts=tuple(facts)))
    if not usage_words(record.get("usage")):
        parts.append(notice("none", "no usage"))
    return parts


def context_edit(scene: BuildContext) -> list[Part]:
    """Type `context_edit`: what the model no longer sees, both versions, and whether it counts now."""
    record = scene.record
    target = find_entry(scene, record.get("targetId"))
    omits = record.get("replacement", 0) is None
    if target is None:
        gone = line(record.get("targetId")) or "not named"
        parts = [notice("edit", f"edits an entry not in the file ({gone})", Tone.WARNING)]
    else:
        verb = "omits from the context" if omits else "replaces for the model"
        parts = [words("edit", f"{verb}: {name_entry(scene, target)}", target)]
        found = edit_in_force(scene, target)
        if found is None or found[0] != scene.entry.index:
            parts.append(notice("force", "not in effect: " + _why_not(scene, found is not None)))
    if "replacement" not in record:
        parts.append(notice("damaged", "it has no replacement, so it changes nothing", Tone.WARNING))
    elif not omits:
        body = replacement_body(record["replacement"])
        parts.append(Part(PartKind.SECTION, "after", title="seen by the model", body=body))
    if target is not None:
        parts += _original(scene, target)
    return parts


def _why_not(scene: BuildContext, later: bool) -> str:
    return "a later edit applies" if later else "it or its target is not on the active branch"


def _original(scene: BuildContext, target: int) -> list[Part]:
    record = scene.session.entry(target).record
    content = mapping(record.get("message")).get("content", record.get("content"))
    inner = tuple(content_parts(scene, content, "before"))
    if not inner:
        return []
    return [Part(PartKind.SECTION, "original", title="as stored in the file", children=inner, target=target)]


def unknown(scene: BuildContext) -> list[Part]:
    """A type this version does not know: all of it as JSON, the fields every entry has left out."""
    rest = {name: value for name, value in scene.record.items() if name not in _BASE}
    kind = line(scene.record.get("type")) or "none"
    return [notice("type", f"unknown entry type: {kind}", Tone.WARNING), data("record", rest)]
