"""What an entry is: its kind (for filters and rows) and its flags (for marks)."""

from __future__ import annotations

from enum import IntEnum, IntFlag


class Kind(IntEnum):
    """The kind of an entry: the entry types of format version 3, `message` told apart by role.

    ASSISTANT_SILENT is an assistant message without text that ended by `stop` or `toolUse`:
    Pi's /tree hides it in every filter unless it is the current leaf.
    """

    USER = 0
    ASSISTANT = 1
    ASSISTANT_SILENT = 2
    TOOL_RESULT = 3
    BASH = 4
    SYSTEM = 5
    OTHER_ROLE = 6
    CUSTOM_MESSAGE = 7
    COMPACTION = 8
    BRANCH_SUMMARY = 9
    MODEL_CHANGE = 10
    THINKING_LEVEL_CHANGE = 11
    CUSTOM = 12
    CONTEXT_EDIT = 13
    LABEL = 14
    SESSION_INFO = 15
    USAGE = 16
    UNKNOWN = 17


MESSAGE_KINDS = frozenset(
    {
        Kind.USER,
        Kind.ASSISTANT,
        Kind.ASSISTANT_SILENT,
        Kind.TOOL_RESULT,
        Kind.BASH,
        Kind.SYSTEM,
        Kind.OTHER_ROLE,
    }
)
"""Kinds whose entry type is `message`."""

ASSISTANT_KINDS = frozenset({Kind.ASSISTANT, Kind.ASSISTANT_SILENT})

KIND_OF_TYPE: dict[str, Kind] = {
    "custom_message": Kind.CUSTOM_MESSAGE,
    "compaction": Kind.COMPACTION,
    "branch_summary": Kind.BRANCH_SUMMARY,
    "model_change": Kind.MODEL_CHANGE,
    "thinking_level_change": Kind.THINKING_LEVEL_CHANGE,
    "custom": Kind.CUSTOM,
    "context_edit": Kind.CONTEXT_EDIT,
    "label": Kind.LABEL,
    "session_info": Kind.SESSION_INFO,
    "usage": Kind.USAGE,
}
"""Entry type → kind for all types but `message`, whose kind depends on its role."""

TYPE_OF_KIND: dict[Kind, str] = {kind: name for name, kind in KIND_OF_TYPE.items()} | dict.fromkeys(
    MESSAGE_KINDS, "message"
)
"""Kind → entry type; UNKNOWN is absent, since its type is in the record alone."""

ROLE_OF_KIND: dict[Kind, str] = {
    Kind.USER: "user",
    Kind.ASSISTANT: "assistant",
    Kind.ASSISTANT_SILENT: "assistant",
    Kind.TOOL_RESULT: "toolResult",
    Kind.BASH: "bashExecution",
    Kind.SYSTEM: "system",
}
"""Kind → message role; OTHER_ROLE is absent, since its role is in the record alone."""

ENTRY_TYPES = frozenset({"message", *KIND_OF_TYPE})
"""The entry types of format version 3."""


class Flag(IntFlag):
    """What else a row may have to show of an entry; fits 16 bits."""

    ERROR = 1
    ABORTED = 2
    CALLS = 4
    IMAGE = 8
    EXCLUDED = 16
    HIDDEN = 32
    OMIT = 64
    MISSING_PARENT = 128
    REPEATED_ID = 256
    BROKEN_CHAIN = 512
    MISSING_ID = 1024
    RECOVERED = 2048
