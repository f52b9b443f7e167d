"""What becomes of each entry of a branch in the context: whole, edited, left out, or never meant for it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from pitree.session.context.projection import messages_of, projected_entries, settings_of
from pitree.session.context.tokens import ContextSize, SizedMessage, context_size, estimate_tokens
from pitree.session.format.entry_type import Flag, Kind
from pitree.session.manager.queries import ReadOperations
from pitree.session.reading.entry import Entry


class Fate(StrEnum):
    """What the model sees of an entry."""

    WHOLE = "whole"
    EDITED = "edited"
    """Other content is in its place, by a `context_edit`."""
    SUMMARIZED = "summarized"
    """A compaction took it out; its summary stands for it."""
    OMITTED = "omitted"
    """A `context_edit` took it out."""
    EXCLUDED = "kept out"
    """A command of the user that is not for the model."""
    BOOKKEEPING = "bookkeeping"
    """It gives no message."""


@dataclass(frozen=True, slots=True)
class ContextLine:
    """An entry of the branch.

    Attributes:
        index: the entry.
        fate: what the model sees of it.
        tokens: estimate of what it takes in the context.
        original: estimate of what it would take as it is in the file.
    """

    index: int
    fate: Fate
    tokens: int
    original: int


@dataclass(frozen=True, slots=True)
class ContextView:
    """The context at an entry, told entry by entry.

    Attributes:
        lines: all entries of the branch, root first.
        size: size of the context by Pi's rule.
        messages: how many messages it has.
        model: provider and model id, as in `SessionProjection`.
        thinking_level: the thinking level.
    """

    lines: list[ContextLine]
    size: ContextSize
    messages: int
    model: str
    thinking_level: str

    def count(self, fate: Fate) -> int:
        """Entries with a fate."""
        return sum(line.fate is fate for line in self.lines)

    def tokens(self, fate: Fate) -> int:
        """Estimated tokens of the entries with a fate: in the context, or where it has none, in the file."""
        return sum(line.tokens or line.original for line in self.lines if line.fate is fate)


def context_view(session: ReadOperations, index: int) -> ContextView:
    """What the model would see if it were asked after an entry. Reads every record of the branch.

    Args:
        session: the session.
        index: the entry; -1 for the context before any.
    """
    path = [session.entry(place) for place in session.branch_indexes(index)]
    seen: dict[int, tuple[int, bool]] = {}
    sized: list[SizedMessage] = []
    for projected in projected_entries(path):
        entry = projected.entry
        mine = [SizedMessage.of(entry.index, message) for message in projected.messages]
        same = projected.messages == messages_of(entry.record)
        seen[entry.index] = sum(message.tokens for message in mine), same
        sized += mine
    given = {message.source for message in sized}
    lines = []
    compacted = next((i for i in reversed(range(len(path))) if path[i].kind is Kind.COMPACTION), -1)
    for place, entry in enumerate(path):
        original = messages_of(entry.record)
        tokens, same = seen.get(entry.index, (0, False))
        fate = Fate.WHOLE
        if not original:
            fate = Fate.BOOKKEEPING
        elif entry.index not in seen or (entry.kind is Kind.COMPACTION and place < compacted):
            fate = Fate.SUMMARIZED
        elif entry.kind is Kind.BASH and entry.flags & Flag.EXCLUDED:
            fate = Fate.EXCLUDED
        elif not same:
            fate = Fate.EDITED if entry.index in given else Fate.OMITTED
        lines.append(ContextLine(entry.index, fate, tokens, sum(map(estimate_tokens, original))))
    level, _ = settings_of(path)
    return ContextView(lines, context_size(sized, path), len(sized), _model(path), str(level))


def _model(path: list[Entry]) -> str:
    model = settings_of(path)[1] or {}
    return "/".join(str(model[name]) for name in ("provider", "modelId") if model.get(name))
