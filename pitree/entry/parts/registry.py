"""The tables that say which builder takes what apart, and the taking apart of an entry.

To give an entry type, a message role or a content block its own form: one function, and its name here.
"""

from __future__ import annotations

import time
from collections.abc import Mapping

from pitree.entry.parts import blocks, entries, messages
from pitree.entry.parts.build_context import (
    BlockBuilder,
    BranchContext,
    BuildContext,
    EntryBuilder,
    RoleBuilder,
)
from pitree.entry.parts.edits import edit_parts
from pitree.entry.parts.facts import details, heading
from pitree.entry.parts.model import Part
from pitree.session.manager.manager import SessionManager


def _message_entry(scene: BuildContext) -> list[Part]:
    message = scene.message
    role = message.get("role")
    build = ROLES.get(role) if isinstance(role, str) else None
    return (build or messages.unknown_message)(scene, message)


ENTRIES: Mapping[str, EntryBuilder] = {
    "message": _message_entry,
    "custom_message": entries.custom_message_entry,
    "compaction": entries.compaction,
    "branch_summary": entries.branch_summary,
    "context_edit": entries.context_edit,
    "label": entries.label,
    "session_info": entries.session_info,
    "model_change": entries.model_change,
    "thinking_level_change": entries.thinking_level_change,
    "usage": entries.usage,
    "custom": entries.custom,
}
"""Entry type → builder. A type that is missing is shown as JSON."""

ROLES: Mapping[str, RoleBuilder] = {
    "user": messages.user_message,
    "assistant": messages.assistant_message,
    "toolResult": messages.tool_result,
    "bashExecution": messages.bash_execution,
    "system": messages.system_message,
    "custom": messages.custom_message,
    "branchSummary": messages.summary_message,
    "compactionSummary": messages.summary_message,
}
"""Role of a `message` entry → builder. A role that is missing is shown as text and JSON."""

BLOCKS: Mapping[str, BlockBuilder] = {
    "text": blocks.text_block,
    "thinking": blocks.thinking_block,
    "image": blocks.image_block,
    "toolCall": blocks.call_block,
}
"""Type of a content block → builder. A type that is missing is shown as JSON."""


def parts_of(
    session: SessionManager, index: int, *, now_ms: float | None = None, around: BranchContext | None = None
) -> list[Part]:
    """An entry taken apart for reading.

    The first part is the heading: its title, subject and note name the entry, its words are the figures. With
    `around` the parts that tell of the entry's place and ids are left out.
    Reads the entry's record and, for tool calls, those of the entries they are joined with: not to be called
    where a pause would be felt.

    Args:
        session: the session.
        index: place of the entry in the file.
        now_ms: the time ages are counted from, in ms since 1970; the clock's by default.
        around: what belongs to the entry, if it is known already; looked for by default.
    """
    entry = session.entry(index)
    now_ms = time.time() * 1_000 if now_ms is None else now_ms
    scene = BuildContext(session, entry, entry.record, now_ms, BLOCKS, around)
    kind = scene.record.get("type")
    build = ENTRIES.get(kind) if isinstance(kind, str) else None
    parts = [*heading(scene), *edit_parts(scene), *(build or entries.unknown)(scene)]
    return parts if around is not None else [*parts, details(scene)]
