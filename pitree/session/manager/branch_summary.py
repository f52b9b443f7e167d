"""The branch left behind by a leaf move: its entries, the files it touched, and a draft of its summary."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pitree.session.format.entry_summary import text_of, tool_calls
from pitree.session.format.entry_type import ASSISTANT_KINDS, Kind
from pitree.session.manager.queries import ReadOperations
from pitree.session.reading.entry import Entry

_ASKED_LIMIT = 600
_ANSWER_LIMIT = 4000


@dataclass(frozen=True, slots=True)
class FileLists:
    """Files a branch touched, sorted, as Pi stores them in the details of a summary.

    Attributes:
        read: files only read.
        modified: files written or edited, whether read or not.
    """

    read: list[str]
    modified: list[str]

    @property
    def details(self) -> dict[str, list[str]]:
        """The `details` of a summary entry."""
        return {"readFiles": self.read, "modifiedFiles": self.modified}

    def sections(self) -> str:
        """The lists in the tagged sections that Pi's own summaries end with; empty without files."""
        tagged = (("read-files", self.read), ("modified-files", self.modified))
        return "\n\n".join(f"<{tag}>\n" + "\n".join(files) + f"\n</{tag}>" for tag, files in tagged if files)


def branch_left(session: ReadOperations, old_leaf: int, target: int) -> list[Entry]:
    """The entries that a move of the leaf leaves behind, oldest first.

    From the old leaf back to the deepest entry on both paths, which is not included; compactions do not stop
    the walk. As Pi collects what a branch summary covers.

    Args:
        session: the session.
        old_leaf: index of the leaf left, -1 for none.
        target: index of the entry gone to, -1 for the place before any entry.
    """
    kept = set(session.branch_indexes(target))
    return [session.entry(index) for index in session.branch_indexes(old_leaf) if index not in kept]


def file_lists(entries: Iterable[Entry]) -> FileLists:
    """Files read and changed by the tool calls of a branch, and by the branches its summaries tell of."""
    read: set[str] = set()
    modified: set[str] = set()
    for entry in entries:
        kind = entry.kind
        if kind is Kind.BRANCH_SUMMARY and not entry.record.get("fromHook"):
            details = entry.record.get("details")
            if isinstance(details, dict):
                read.update(_strings(details.get("readFiles")))
                modified.update(_strings(details.get("modifiedFiles")))
        for name, arguments in _calls(entry):
            path = arguments.get("path") if isinstance(arguments, dict) else None
            if isinstance(path, str) and path:
                if name == "read":
                    read.add(path)
                elif name in ("write", "edit"):
                    modified.add(path)
    return FileLists(sorted(read - modified), sorted(modified))


def _calls(entry: Entry) -> Iterable[tuple[Any, Any]]:
    if entry.kind not in ASSISTANT_KINDS:
        return []
    message = entry.record.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    return [(call.get("name"), call.get("arguments")) for call in tool_calls(content)]


def _strings(value: Any) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def draft_summary(entries: list[Entry]) -> str:
    """A first version of a branch summary, without a model: what was asked, in order; what was answered last.

    Args:
        entries: the branch left, oldest first.

    Returns:
        Markdown in the sections of Pi's summaries, ending with the files touched; for a branch without
        messages a line that says so.
    """
    asked = [text for entry in entries if entry.kind is Kind.USER and (text := _message_text(entry))]
    answer = next(
        (
            text
            for entry in reversed(entries)
            if entry.kind is Kind.ASSISTANT and (text := _message_text(entry))
        ),
        "",
    )
    earlier = [
        str(entry.record.get("summary"))
        for entry in entries
        if entry.kind in (Kind.BRANCH_SUMMARY, Kind.COMPACTION) and entry.record.get("summary")
    ]
    parts = []
    if asked:
        parts.append("## Goal\n" + "\n".join(f"{n}. {_shorten(text)}" for n, text in enumerate(asked, 1)))
    if earlier:
        parts.append("## Earlier summaries\n" + "\n\n".join(earlier))
    if answer:
        parts.append("## Progress\n" + _cut(answer, _ANSWER_LIMIT))
    if files := file_lists(entries).sections():
        parts.append(files)
    return "\n\n".join(parts) if parts else "This branch has no messages."


def transcript(entries: list[Entry]) -> str:
    """The branch as plain text for a model to summarize: who said what, which tools were called."""
    lines = []
    for entry in entries:
        text = _message_text(entry)
        if entry.kind is Kind.USER and text:
            lines.append(f"User: {text}")
        elif entry.kind in ASSISTANT_KINDS:
            if text:
                lines.append(f"Assistant: {text}")
            lines += [f"Assistant calls {name} with {arguments}" for name, arguments in _calls(entry)]
        elif entry.kind is Kind.TOOL_RESULT and text:
            lines.append(f"Result: {_cut(text, 2000)}")
        elif entry.kind is Kind.BASH:
            message = entry.record.get("message", {})
            lines.append(
                f"User ran: {message.get('command')}\n{_cut(str(message.get('output') or ''), 2000)}"
            )
        elif entry.kind in (Kind.BRANCH_SUMMARY, Kind.COMPACTION):
            lines.append(f"Summary of the earlier conversation: {entry.record.get('summary')}")
    return "\n\n".join(lines)


def _message_text(entry: Entry) -> str:
    message = entry.record.get("message")
    return text_of(message.get("content")).strip() if isinstance(message, dict) else ""


def _shorten(text: str) -> str:
    return _cut(" ".join(text.split()), _ASKED_LIMIT)


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[:limit].rstrip() + " …"
