"""Whether what the model sees of an entry is the entry: `context_edit` entries that omit or replace it."""

from __future__ import annotations

from typing import Any

from pitree.outline.parts import figures
from pitree.outline.parts.model import Body, Part, PartKind, Syntax, Tone
from pitree.outline.parts.scene import Scene, mapping, pretty
from pitree.session.kinds import Kind
from pitree.session.summary import text_of

EDITABLE = frozenset(
    {Kind.USER, Kind.ASSISTANT, Kind.ASSISTANT_SILENT, Kind.TOOL_RESULT, Kind.CUSTOM_MESSAGE, Kind.OTHER_ROLE}
)


def edit_in_force(scene: Scene, target: int) -> tuple[int, dict[str, Any]] | None:
    """The edit that counts for an entry: the last one on the path to the leaf. Index and record, or None.

    On a branch that leaves before the edit the entry is whole again: only the path to the leaf counts.
    """
    table = scene.session.table
    target_id = table.ids[target]
    wanted = target_id.encode("utf-8", "replace")
    candidates = []
    at = table.kinds.find(Kind.CONTEXT_EDIT)
    while at >= 0:
        if table.texts[at] == wanted[: len(table.texts[at])] and table.texts[at]:
            candidates.append(at)
        at = table.kinds.find(Kind.CONTEXT_EDIT, at + 1)
    if not candidates:
        return None
    on_path = set(scene.session.branch_indexes(scene.session.leaf_index))
    if target not in on_path:
        return None
    for index in reversed(candidates):
        if index in on_path:
            record = scene.session.entry(index).record
            if record.get("targetId") == target_id and "replacement" in record:
                return index, record
    return None


def edit_parts(scene: Scene) -> list[Part]:
    """What to say of an entry that an edit on the active path omits or replaces; nothing if none does."""
    if scene.entry.kind not in EDITABLE:
        return []
    found = edit_in_force(scene, scene.entry.index) if scene.around is None else scene.around.edit
    if found is None:
        return []
    index, record = found
    when = figures.clock(scene.session.table.times[index], scene.now_ms)
    if record["replacement"] is None:
        return [
            Part(
                PartKind.NOTICE,
                "edit",
                title="omitted from the context: the model does not see this entry",
                note=when,
                tone=Tone.WARNING,
                target=index,
            )
        ]
    return [
        Part(
            PartKind.NOTICE,
            "edit",
            title="edited: the model sees this text instead of what follows",
            note=when,
            body=replacement_body(record["replacement"]),
            tone=Tone.WARNING,
            target=index,
        )
    ]


def replacement_body(replacement: Any) -> Body:
    """The text an edit puts in place of an entry's content; content without text as JSON."""
    content = mapping(replacement).get("content")
    found = text_of(content)
    if found or content in ("", []):
        return Body(found or "(nothing)", Syntax.MARKDOWN)
    return Body(pretty(replacement), Syntax.JSON)
