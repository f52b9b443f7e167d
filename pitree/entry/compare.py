"""Two branches side by side, from where they part: turns aligned, and the files each side changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any

from pitree.entry.parts.build_context import mapping, text
from pitree.session.format.entry_summary import text_of, tool_calls
from pitree.session.format.entry_type import ASSISTANT_KINDS, Kind
from pitree.session.manager.manager import SessionManager
from pitree.session.reading.usage import Usage, usage_of

CHANGING_TOOLS = frozenset({"edit", "write"})
"""Tools whose calls change the file that their `path` names."""

_ALIGNED_TURNS = 1_000
"""Turns of a side up to which equal prompts are looked for; beyond, turns are paired by their order."""
_TEXT = 4_000
"""Characters of a prompt or answer that are kept."""


@dataclass(slots=True)
class Turn:
    """What the user said, and what came of it until the user spoke again.

    Attributes:
        index: the entry it starts with.
        prompt: what the user said; empty for what comes before that.
        answer: the last text of the assistant; empty if there is none.
        answered: index of the entry with that text; -1 if there is none.
        files: files changed, in the order of the first change, with how many calls changed each.
    """

    index: int
    prompt: str = ""
    answer: str = ""
    answered: int = -1
    files: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Side:
    """One of the branches, from where they part.

    Attributes:
        session: its session.
        index: the entry it was chosen by.
        entries: how many entries it has on its own.
        turns: its turns.
        files: all files it changed, with how many calls changed each.
        usage: what it used.
    """

    session: SessionManager
    index: int
    entries: int
    turns: list[Turn]
    files: dict[str, int]
    usage: Usage


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two branches.

    Attributes:
        common: index, in the left session, of the last entry that both have; -1 if they have none.
        left, right: the two sides.
        pairs: turns side by side; None where one side has no turn like the other's.
    """

    common: int
    left: Side
    right: Side
    pairs: list[tuple[Turn | None, Turn | None]]

    def files(self) -> list[tuple[str, int, int]]:
        """Each file that a side changed, by name, with how many calls changed it on the left and right."""
        names = sorted({*self.left.files, *self.right.files})
        return [(name, self.left.files.get(name, 0), self.right.files.get(name, 0)) for name in names]


def compare(left: SessionManager, at_left: int, right: SessionManager, at_right: int) -> Comparison:
    """Compare the branches that end at two entries, of one session or of two.

    In one session they part after their deepest common ancestor. Two sessions have in common what their
    branches start with, told by entry ids, as forks keep them; labels are left out of account.
    """
    mine, theirs = left.branch_indexes(at_left), right.branch_indexes(at_right)
    mine = [index for index in mine if left.table.kinds[index] != Kind.LABEL]
    theirs = [index for index in theirs if right.table.kinds[index] != Kind.LABEL]
    shared = 0
    for one, other in zip(mine, theirs, strict=False):
        same = one == other if left is right else left.table.ids[one] == right.table.ids[other]
        if not same:
            break
        shared += 1
    sides = _side(left, at_left, mine[shared:]), _side(right, at_right, theirs[shared:])
    return Comparison(mine[shared - 1] if shared else -1, *sides, _aligned(sides[0].turns, sides[1].turns))


def _side(session: SessionManager, index: int, path: list[int]) -> Side:
    turns = list(turns_of(session, path))
    files: dict[str, int] = {}
    for turn in turns:
        for name, count in turn.files.items():
            files[name] = files.get(name, 0) + count
    usage = Usage()
    for place in path:
        usage.add(usage_of(session.records.read(place))[1])
    return Side(session, index, len(path), turns, files, usage)


def turns_of(session: SessionManager, path: Iterable[int]) -> Iterator[Turn]:
    """The turns of a stretch of a branch. A call that failed has changed nothing."""
    kinds, cwd = session.table.kinds, session.get_cwd()
    turn: Turn | None = None
    called: dict[str, str] = {}
    for index in path:
        kind = kinds[index]
        if kind == Kind.USER or turn is None:
            if turn is not None:
                yield turn
            turn = Turn(index)
            called = {}
        if kind == Kind.USER:
            turn.prompt = text_of(_message(session, index).get("content"))[:_TEXT]
        elif kind in ASSISTANT_KINDS:
            message = _message(session, index)
            said = text_of(message.get("content")).strip()
            if said:
                turn.answer, turn.answered = said[:_TEXT], index
            for call in tool_calls(message.get("content")):
                name = _changed(call, cwd)
                if name and isinstance(call.get("id"), str):
                    called[call["id"]] = name
        elif kind == Kind.TOOL_RESULT and called:
            message = _message(session, index)
            answered = message.get("toolCallId")
            changed = called.pop(answered, "") if isinstance(answered, str) else ""
            if changed and message.get("isError") is not True:
                turn.files[changed] = turn.files.get(changed, 0) + 1
    if turn is not None:
        yield turn


def _message(session: SessionManager, index: int) -> dict[str, Any]:
    return mapping(session.entry(index).record.get("message"))


def _changed(call: dict[str, Any], cwd: str) -> str:
    """The file a call changes, from the session's folder on if it lies there; empty if it changes none."""
    if call.get("name") not in CHANGING_TOOLS:
        return ""
    arguments = mapping(call.get("arguments"))
    path = text(arguments.get("path")) or text(arguments.get("file_path"))
    below = cwd.rstrip("/") + "/"
    return path.removeprefix(below) if cwd and path != below else path


def _aligned(left: Sequence[Turn], right: Sequence[Turn]) -> list[tuple[Turn | None, Turn | None]]:
    """Turns side by side: those with the same prompt beside each other, the others in their order."""
    if max(len(left), len(right)) > _ALIGNED_TURNS:
        return list(_paired(left, right))
    mine, theirs = ([turn.prompt.strip() for turn in turns] for turns in (left, right))
    pairs: list[tuple[Turn | None, Turn | None]] = []
    steps = SequenceMatcher(None, mine, theirs, autojunk=False).get_opcodes()
    for _, start, end, other_start, other_end in steps:
        pairs += _paired(left[start:end], right[other_start:other_end])
    return pairs


def _paired(left: Sequence[Turn], right: Sequence[Turn]) -> Iterator[tuple[Turn | None, Turn | None]]:
    for place in range(max(len(left), len(right))):
        yield (
            left[place] if place < len(left) else None,
            right[place] if place < len(right) else None,
        )
