"""The write side of a session: Pi's append operations, each a child of the leaf, checked by Pi's rules."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from pitree.session.context.projection import Message, Messages
from pitree.session.context.system_messages import current_system_message
from pitree.session.format.entry_type import ASSISTANT_KINDS, Flag, Kind
from pitree.session.format.new_records import ABSENT, clean_name, new_entry_id, record
from pitree.session.format.times import time_ms
from pitree.session.reading.entry_table import EntryTable

LEAF_TYPE = "pitree.leaf"
"""`customType` of the entry that makes a leaf move last; Pi keeps `custom` entries out of the context."""

_EDITABLE = frozenset(
    {Kind.USER, Kind.ASSISTANT, Kind.ASSISTANT_SILENT, Kind.TOOL_RESULT, Kind.CUSTOM_MESSAGE}
)

_UNKNOWN_TO_PI = Flag.MISSING_ID | Flag.RECOVERED

Make = Callable[[str, str | None], dict[str, Any]]
"""Makes a record from its new id and its parent id."""


class WriteOperations(ABC):
    """Appending to a session. Each operation returns the id of the entry it wrote, which is the new leaf.

    All may raise `WriteError`: then nothing was written and the session in memory is as it was, but for what
    others have added to the file meanwhile. `KeyError` and `ValueError` refuse what Pi refuses, after reading
    what has come since.
    """

    @property
    @abstractmethod
    def table(self) -> EntryTable:
        """The entries as columns."""

    @property
    @abstractmethod
    def leaf_index(self) -> int:
        """Index of the leaf, -1 for none."""

    @abstractmethod
    def get_leaf_id(self) -> str | None:
        """Id of the leaf."""

    @abstractmethod
    def branch(self, from_id: str) -> None:
        """Move the leaf, in memory."""

    @abstractmethod
    def reset_leaf(self) -> None:
        """Move the leaf before any entry, in memory."""

    @abstractmethod
    def _append(self, make: Callable[[], list[dict[str, Any]]]) -> list[dict[str, Any]]:
        """Append the records made once the file was read to its end; the last becomes the leaf."""

    @abstractmethod
    def _context_messages(self) -> Messages:
        """The context at the leaf."""

    def _add(self, make: Make) -> str:
        def one() -> list[dict[str, Any]]:
            return [make(self._new_id(), self._parent_id())]

        return str(self._append(one)[0]["id"])

    def _new_id(self) -> str:
        return new_entry_id(self.table.by_id)

    def _parent_id(self) -> str | None:
        """What a new entry hangs on: the leaf, or above it the first entry that Pi knows by an id."""
        table, index = self.table, self.leaf_index
        while index >= 0 and table.flags[index] & _UNKNOWN_TO_PI:
            index = table.parents[index]
        return table.ids[index] if index >= 0 else None

    def _known(self, entry_id: str) -> str:
        index = self.table.by_id.get(entry_id, -1)
        if index < 0:
            raise KeyError(f"Entry {entry_id} not found")
        if self.table.flags[index] & Flag.MISSING_ID:
            raise KeyError(f"Entry {entry_id} has no id in the file, so it cannot be referred to")
        return entry_id

    def _known_to_pi(self, entry_id: str) -> str:
        index = self.table.by_id[self._known(entry_id)]
        if self.table.flags[index] & Flag.RECOVERED:
            raise KeyError(f"Entry {entry_id} is on a damaged line, where Pi does not see it; fork there")
        return entry_id

    def append_message(self, message: Message) -> str:
        """Append a message. Summaries have operations of their own."""
        return self._add(lambda new, parent: record({"type": "message"}, new, parent, message=message))

    def append_model_change(self, provider: str, model_id: str) -> str:
        """Append a change of the selected model."""
        return self._add(
            lambda new, parent: record(
                {"type": "model_change"}, new, parent, provider=provider, modelId=model_id
            )
        )

    def append_thinking_level_change(self, level: str) -> str:
        """Append a change of the thinking level."""
        return self._add(
            lambda new, parent: record({"type": "thinking_level_change"}, new, parent, thinkingLevel=level)
        )

    def append_usage(
        self, kind: str, provider: str, model: str, usage: dict[str, Any], note: str | None = None
    ) -> str:
        """Append usage that belongs to no message; it counts in the totals, not in the context."""
        return self._add(
            lambda new, parent: record(
                {"type": "usage"},
                new,
                parent,
                kind=kind,
                provider=provider,
                model=model,
                usage=usage,
                note=note or ABSENT,
            )
        )

    def append_custom_entry(self, custom_type: str, data: Any = ABSENT) -> str:
        """Append state of an extension; it stays out of the context."""
        before = {"type": "custom", "customType": custom_type, "data": data}
        return self._add(lambda new, parent: record(before, new, parent))

    def append_custom_message_entry(
        self, custom_type: str, content: str | list[dict[str, Any]], display: bool, details: Any = ABSENT
    ) -> str:
        """Append a message of an extension; the model sees it, the user only with `display`."""
        before = {
            "type": "custom_message",
            "customType": custom_type,
            "content": content,
            "display": display,
            "details": details,
        }
        return self._add(lambda new, parent: record(before, new, parent))

    def append_session_info(self, name: str) -> str:
        """Append the session's name; an empty one clears it. Line breaks become spaces."""
        return self._add(
            lambda new, parent: record({"type": "session_info"}, new, parent, name=clean_name(name))
        )

    def append_label_change(self, target_id: str, label: str | None) -> str:
        """Label an entry; None or an empty text removes the label.

        Raises:
            KeyError: no entry has this id.
        """

        def make(new: str, parent: str | None) -> dict[str, Any]:
            self._known_to_pi(target_id)
            return record(
                {"type": "label"},
                new,
                parent,
                targetId=target_id,
                label=ABSENT if label is None else label,
            )

        return self._add(make)

    def append_compaction(
        self,
        summary: str,
        first_kept_entry_id: str | None,
        tokens_before: int,
        details: Any = ABSENT,
        from_hook: Any = ABSENT,
        usage: Any = ABSENT,
    ) -> str:
        """Append a compaction; without a first kept entry it keeps nothing, and names itself."""

        def make(new: str, parent: str | None) -> dict[str, Any]:
            made = record(
                {"type": "compaction"},
                new,
                parent,
                summary=summary,
                firstKeptEntryId=first_kept_entry_id if first_kept_entry_id is not None else new,
                tokensBefore=tokens_before,
                details=details,
                usage=usage,
                fromHook=from_hook,
            )
            system = current_system_message(self._context_messages())
            if system is not None:
                made["systemMessage"] = {**system, "timestamp": int(time_ms(made["timestamp"]))}
            return made

        return self._add(make)

    def append_context_edit(self, target_id: str, replacement: dict[str, Any] | None) -> str:
        """Change what the model sees of an entry from here on: None omits it, `{"content": …}` replaces it.

        Raises:
            KeyError: no entry has this id.
            ValueError: the entry is not on the active branch or has no content of its own, or the
                replacement is neither None nor holds a string or a list as content.
        """
        if replacement is not None and not (
            isinstance(replacement, dict) and isinstance(replacement.get("content"), str | list)
        ):
            raise ValueError("Context edit replacement must be None or contain string/list content")

        def make(new: str, parent: str | None) -> dict[str, Any]:
            index = self.table.by_id[self._known_to_pi(target_id)]
            if index not in self.table.path(self.leaf_index):
                raise ValueError(f"Entry {target_id} is not on the active branch")
            kind = Kind(self.table.kinds[index])
            if kind not in _EDITABLE:
                raise ValueError(f"Entry {target_id} does not contribute editable model content")
            stored = replacement
            blocks = kind in ASSISTANT_KINDS or kind is Kind.TOOL_RESULT
            if stored is not None and blocks and isinstance(stored["content"], str):
                stored = {"content": [{"type": "text", "text": stored["content"]}]}
            return record({"type": "context_edit"}, new, parent, targetId=target_id, replacement=stored)

        return self._add(make)

    def branch_with_summary(
        self,
        from_id: str | None,
        summary: str,
        details: Any = ABSENT,
        from_hook: Any = ABSENT,
        usage: Any = ABSENT,
    ) -> str:
        """Move the leaf and leave a summary of the branch left as the new leaf; None starts a new root.

        Raises:
            KeyError: no entry has this id.
        """
        return self._move(from_id, summary, details, from_hook, usage, None)

    def move_leaf(
        self,
        entry_id: str | None,
        summary: str | None = None,
        label: str | None = None,
        details: Any = ABSENT,
        expected_leaf: str | None = ABSENT,
    ) -> str:
        """Move the leaf so that it lasts: what survives a restart is the last line of the file.

        With a summary a `branch_summary` below the new leaf does it; without one a `custom` entry of type
        `pitree.leaf`, whose data names the leaf left. Either is out of, or rightly in, the context.

        Args:
            entry_id: the new leaf; None for the place before any entry.
            summary: text of a branch summary.
            label: a label for the summary, or without one for the new leaf.
            details: details of the branch summary.
            expected_leaf: the leaf the caller has seen; if the file has moved on from it, nothing is written.

        Returns:
            Id of the entry that carries the move.

        Raises:
            KeyError: no entry has this id.
            LeafMoved: the leaf is not `expected_leaf` any more.
        """
        return self._move(entry_id, summary, details, ABSENT, ABSENT, label, expected_leaf)

    def _move(
        self,
        target: str | None,
        summary: str | None,
        details: Any,
        from_hook: Any,
        usage: Any,
        label: str | None,
        expected_leaf: Any = ABSENT,
    ) -> str:
        carrier = ""

        def make() -> list[dict[str, Any]]:
            nonlocal carrier
            if target is not None:
                self._known_to_pi(target)
            if expected_leaf is not ABSENT and self.get_leaf_id() != expected_leaf:
                raise LeafMoved(self.get_leaf_id())
            left = self._parent_id()
            carrier = self._new_id()
            if summary is not None:
                moved = record(
                    {"type": "branch_summary"},
                    carrier,
                    target,
                    fromId=left if left is not None else "root",
                    summary=summary,
                    details=details,
                    usage=usage,
                    fromHook=from_hook,
                )
            else:
                before = {"type": "custom", "customType": LEAF_TYPE, "data": {"from": left}}
                moved = record(before, carrier, target)
            made = [moved]
            if label:
                marked = carrier if summary is not None or target is None else target
                label_id = self._new_id()
                while label_id == carrier:
                    label_id = self._new_id()
                made.append(record({"type": "label"}, label_id, carrier, targetId=marked, label=label))
            return made

        self._append(make)
        return carrier


class LeafMoved(Exception):
    """The leaf is no longer where the caller saw it.

    Args:
        leaf_id: where it is now.
    """

    def __init__(self, leaf_id: str | None) -> None:
        super().__init__(f"the leaf has moved to {leaf_id}")
        self.leaf_id = leaf_id
