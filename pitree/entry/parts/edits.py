"""Whether what the model sees of an entry is the entry: `context_edit` entries that omit or replace it."""

from __future__ import annotations

from typing import Any

from pitree.entry.parts.build_context import BuildContext, mapping, pretty
from pitree.entry.parts.model import Body, Part, PartKind, Syntax, Tone
from pitree.session.format.entry_summary import text_of
from pitree.session.format.entry_type import Kind
from pitree.text import figures

_MOST = 100
"""Edits of one entry that are looked at, the last ones."""
EDITABLE = frozenset(
    {Kind.USER, Kind.ASSISTANT, Kind.ASSISTANT_SILENT, Kind.TOOL_RESULT, Kind.CUSTOM_MESSAGE, Kind.OTHER_ROLE}
)


Edit = tuple[int, dict[str, Any]]
"""Index and record of a `context_edit`."""


def edit_in_force(scene: BuildContext, target: int) -> Edit | None:
    """The edit that counts for an entry: the last one on the path to the leaf, or on the branch being read.

    On a branch that leaves before the edit the entry is whole again: only the path to the leaf counts.
    """
    if scene.around is not None:
        return scene.around.edits.get(target)
    candidates = _candidates(scene, target)
    on_path = _path(scene, scene.session.leaf_index) if candidates else frozenset()
    return _last(scene, target, [index for index in candidates if index in on_path and target in on_path])


def _edit_elsewhere(scene: BuildContext, target: int) -> Edit | None:
    """The last edit of an entry on any branch through both."""
    if scene.around is not None:
        return None
    return _last(scene, target, [at for at in _candidates(scene, target) if target in _path(scene, at)])


def _candidates(scene: BuildContext, target: int) -> list[int]:
    """Edits that may be meant for an entry, in file order."""
    table = scene.session.table
    wanted = table.ids[target].encode("utf-8", "replace")
    found = []
    at = table.kinds.find(Kind.CONTEXT_EDIT)
    while at >= 0:
        if table.texts[at] == wanted[: len(table.texts[at])] and table.texts[at]:
            found.append(at)
        at = table.kinds.find(Kind.CONTEXT_EDIT, at + 1)
    return found[-_MOST:]


def _path(scene: BuildContext, end: int) -> frozenset[int]:
    return frozenset(scene.session.branch_indexes(end))


def _last(scene: BuildContext, target: int, edits: list[int]) -> Edit | None:
    for index in reversed(edits):
        record = scene.session.entry(index).record
        if record.get("targetId") == scene.session.table.ids[target] and "replacement" in record:
            return index, record
    return None


def edit_parts(scene: BuildContext) -> list[Part]:
    """What to say of an entry that an edit omits or replaces; nothing if none does."""
    if scene.entry.kind not in EDITABLE:
        return []
    index = scene.entry.index
    found = edit_in_force(scene, index)
    if found is not None:
        return [edit_notice(scene, found, "edit", "this entry")]
    found = _edit_elsewhere(scene, index)
    if found is None:
        return []
    omitted = found[1]["replacement"] is None
    words = "omits it from the context" if omitted else "replaces it for the model"
    return [_notice(scene, found, "edit", f"unchanged on this branch; another branch {words}", Tone.DIM)]


def edit_notice(scene: BuildContext, edit: Edit, key: str, what: str) -> Part:
    """What an edit in force does to an entry, with the text that is in its place."""
    if edit[1]["replacement"] is None:
        words = f"omitted from the context: the model does not see {what}"
    else:
        words = "edited: the model sees this text instead of the text below"
    return _notice(scene, edit, key, words, Tone.WARNING)


def _notice(scene: BuildContext, edit: Edit, key: str, words: str, tone: Tone) -> Part:
    index, record = edit
    replacement = record["replacement"]
    return Part(
        PartKind.NOTICE,
        key,
        title=words,
        note=figures.clock(scene.session.table.times[index], scene.now_ms),
        body=None if replacement is None else replacement_body(replacement),
        tone=tone,
        target=index,
    )


def replacement_body(replacement: Any) -> Body:
    """The text an edit puts in place of an entry's content; content without text as JSON."""
    content = mapping(replacement).get("content")
    found = text_of(content)
    if found or content in ("", []):
        return Body(found or "(nothing)", Syntax.MARKDOWN)
    return Body(pretty(replacement), Syntax.JSON)
