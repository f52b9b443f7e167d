"""Files that no Pi writes: where Pi survives them both agree, and where they differ it is meant so.

Each deviation is named here with its reason; one more, or one less, fails. Where Pi throws or would never
end, pitree has to give an answer all the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pitree.outline.filters import FilterMode
from pitree.outline.outline import Outline
from pitree.session.format.errors import SessionError
from pitree.session.manager.forking import clone
from pitree.session.manager.manager import SessionManager
from tests.interop import hostile, ours
from tests.interop.differ import differences
from tests.interop.real_pi import Question, RealPi
from tests.interop.test_rows import ASPECTS

BOTH_REFUSE = {"header-without-id", "header-id-number", "blank", "notes", "entries-only", "no-json"}
PI_REFUSES = {
    "byte-order-mark",
    "header-late",
    "header-after-title",
    "header-after-number",
    "header-torn",
    "header-form",
}

WALK = {"branch", "contextEntries", "projection", "context"}
CONTEXT = {"projection", "context"}
TREE = {"tree", "labels", "places", "drawn", "texts"}
ROWS = {"places", "drawn", "texts"}

PI_FAILS: dict[str, set[str]] = {
    # A chain of parents that comes back to itself: Pi would walk it for ever.
    "repeated-id": WALK | TREE,
    "own-parent-aside": ROWS,
    "own-parent-on-path": WALK | ROWS,
    "loop-aside": ROWS,
    "loop-on-path": WALK | ROWS,
    # Fields that Pi takes for granted.
    "message-missing": CONTEXT | ROWS | {"stats"},
    "message-null": CONTEXT | ROWS | {"stats"},
    "name-number": {"name"},
    "edit-replacement-missing": CONTEXT,
    "usage-missing": {"stats"},
    "usage-partial": {"stats"},
    "usage-bare": {"stats"},
    "usage-leaf": {"stats"},
    "custom-message-null": {"texts"},
    "error-number": {"texts"},
    "call-arguments-missing": {"texts"},
    "call-read-arguments-missing": {"texts"},
    "summary-missing": {"texts"},
    # Beyond the depth that V8 writes, though it reads it.
    "depth-9000-arguments": {"texts"},
    "depth-100000-arguments": {"texts"},
}
"""Hostile file → in which respects Pi throws, or would never end."""

PLACES = {"entries", "leaf", "tree", "branch", "contextEntries", "projection"} | ROWS
MEANT: dict[str, tuple[set[str], str]] = {
    "repeated-id-siblings": ({"tree"} | ROWS, "Pi shows the last entry twice, pitree each"),
    "repeated-id-root": ({"tree"} | ROWS, "Pi shows the last entry twice, pitree each"),
    "compaction-repeated-id": ({"tree"} | ROWS, "Pi shows the last entry twice, pitree each"),
    "loop-aside": ({"tree"}, "Pi drops entries whose parents form a loop, pitree cuts the loop"),
    "loop-on-path": ({"tree"}, "Pi drops entries whose parents form a loop, pitree cuts the loop"),
    "id-missing-at-end": ({"leaf", "branch", "drawn"}, "an entry without id is no leaf to Pi"),
    "id-number": ({"tree"} | WALK | ROWS, "an id is text; a number is none"),
    "id-empty": ({"drawn"} | WALK, "Pi's walk to the root ends at an empty id, its tree does not"),
    "label-number": ({"labels"} | ROWS, "a label is text"),
    "label-no-time": ({"labels"}, "no time is written as an empty one"),
    "thinking-bare": ({"context", "texts"}, "nothing instead of `undefined`"),
    "model-bare": ({"texts"}, "nothing instead of `undefined`"),
    "custom-type-missing": ({"texts"}, "nothing instead of `undefined`"),
    "role-missing": ({"texts"}, "nothing instead of `undefined`"),
    "blocks-odd": ({"texts"}, "nothing instead of `undefined`"),
    "blocks-odd-assistant": ({"texts"}, "nothing instead of `undefined`"),
    "compaction-bare": ({"texts"}, "nothing instead of `NaN`"),
    "compaction-tokens-text": ({"texts"}, "a number of tokens is a number"),
    "call-arguments-odd": ({"texts"}, "lists as JSON, no names as none, numbers in decimal"),
    "call-after-result": ({"texts"}, "a result is the answer to a call before it"),
    "header-bare": ({"cwd"}, "Pi fills in its own working directory"),
    "header-cwd-number": ({"cwd"}, "Pi fills in its own working directory"),
    "empty": ({"id", "cwd"}, "Pi makes a new session of it"),
    "glued": (PLACES | {"context", "stats"}, "pitree recovers the records on a damaged line"),
    "array-line": (PLACES, "only an object can be an entry"),
    "number-line": (PLACES, "only an object can be an entry"),
}
"""Hostile file → in which respects pitree differs, and why it is meant to."""

DRAWN: dict[str, list[str]] = {
    "missing-parent": [
        "• assistant: answer ! parent zz missing",
        "   • user: hello",
        "user: hello",
        "   assistant: answer",
    ],
    "repeated-id": [
        "• user: hello ! its parents form a loop",
        "   • assistant: again ! id is repeated",
        "   • user: hello",
        "user: hello",
        "   assistant: answer ! id is repeated",
    ],
    "repeated-id-siblings": [
        "• user: hello",
        "├─ • user: two ! id is repeated",
        "└─ user: one ! id is repeated",
    ],
    "own-parent-on-path": [
        "• user: hello ! its parents form a loop",
        "   • user: hello",
        "user: hello",
        "   assistant: answer",
    ],
    "loop-on-path": [
        "• user: hello ! its parents form a loop",
        "   • user: hello",
        "   • user: hello",
        "user: hello",
        "   assistant: answer",
    ],
    "glued": [
        "• user: hello",
        "• assistant: answer ! recovered from a damaged line",
        "├─ • user: hello",
        "└─ user: hello ! recovered from a damaged line",
    ],
    "header-late": ["• user: hello", "• assistant: answer"],
    "header-form": ["• user: hello", "• assistant: answer"],
    "byte-order-mark": ["• user: hello", "• assistant: answer"],
    "type-new": ["• user: hello", "• assistant: answer", "• [verdict]", "• user: hello"],
}
"""Hostile file → what pitree draws in the default filter, with the marks."""


@pytest.fixture(scope="module")
def answers(pi: RealPi, tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, dict[str, Any]]]:
    """Name → file and Pi's answer."""
    folder = tmp_path_factory.mktemp("hostile")
    paths = {}
    for name, data in hostile.files().items():
        paths[name] = folder / f"{name}.jsonl"
        paths[name].write_bytes(data)
    asked = pi.ask(folder / "asked", map(Question, paths.values()))
    return {name: (path, answer) for (name, path), answer in zip(paths.items(), asked, strict=True)}


def failed(answer: Any) -> bool:
    """Whether Pi threw or would not end, somewhere in an answer."""
    if isinstance(answer, dict):
        return answer.get("endless") is True or set(answer) == {"error"}
    return isinstance(answer, list) and any(failed(part) for part in answer)


def compare(answer: dict[str, Any], sm: SessionManager) -> Iterator[tuple[str, str]]:
    """For each respect and filter: its name and `same`, `differs` or `failed` (in Pi)."""
    for name, get in ours.SESSION_PROPERTIES.items():
        got = get(sm)
        yield name, "failed" if failed(answer[name]) else outcome(differences(answer[name], got))
    for mode in FilterMode:
        theirs = answer["rows"][mode]
        for name, find in ASPECTS.items():
            rows = list(Outline(sm, mode).rows())  # must not fail, whatever Pi does
            if failed(theirs) or (name == "texts" and failed(theirs["text"])):
                yield name, "failed"
            elif name == "texts" and len(theirs["text"]) != len(rows):
                yield name, "differs"
            else:
                yield name, outcome(find(theirs, sm, mode, ""))


def outcome(found: Iterator[str]) -> str:
    """In a word whether there are differences."""
    return "differs" if next(found, None) is not None else "same"


def test_refused(answers: dict[str, tuple[Path, dict[str, Any]]]) -> None:
    """What is no session is refused; some files that Pi refuses are read."""
    refused = set()
    for name, (path, _) in answers.items():
        try:
            SessionManager.open(path).close()
        except SessionError as error:
            refused.add(name if path.name in str(error) else str(error))
    assert refused == BOTH_REFUSE
    assert {name for name, (_, answer) in answers.items() if "error" in answer} == BOTH_REFUSE | PI_REFUSES


def test_fault_15_a_clone_of_what_pi_refuses_is_taken(
    pi: RealPi, answers: dict[str, tuple[Path, dict[str, Any]]], tmp_path: Path
) -> None:
    """What Pi refuses is known without asking it, and the clone that is offered instead holds the branch."""
    clones = {}
    for name in answers.keys() - BOTH_REFUSE:
        session = SessionManager.open(answers[name][0])
        assert bool(session.data.refusal) == (name in PI_REFUSES), name
        if session.data.refusal:
            clones[clone(session, tmp_path, tmp_path).path] = session.get_branch()
        session.close()
    assert len(clones) == len(PI_REFUSES)
    for answer, branch in zip(
        pi.ask(tmp_path / "asked", map(Question, clones)), clones.values(), strict=True
    ):
        assert answer["entries"] == len(branch) == 2


@pytest.mark.parametrize("name", sorted(hostile.files().keys() - BOTH_REFUSE - PI_REFUSES))
def test_compared(answers: dict[str, tuple[Path, dict[str, Any]]], name: str) -> None:
    path, answer = answers[name]
    session = SessionManager.open(path)
    found: dict[str, set[str]] = {"failed": set(), "differs": set(), "same": set()}
    for respect, result in compare(answer, session):
        found[result].add(respect)
    session.close()
    assert found["failed"] == PI_FAILS.get(name, set())
    assert found["differs"] == MEANT.get(name, (set(), ""))[0]


def test_deviations_are_of_files_there_are() -> None:
    assert (
        PI_FAILS.keys() | MEANT.keys() | DRAWN.keys() | BOTH_REFUSE | PI_REFUSES
    ) <= hostile.files().keys()


def test_fault_22_repeated_lines_are_read_as_pi_reads_them(pi: RealPi, tmp_path: Path) -> None:
    """Leaf, branch, labels, context and totals are Pi's; only the tree shows each entry once."""
    told = hostile.talk().add("label", "l1", targetId="u1", label="x").user("u2")
    whole = told.add("label", "l2", targetId="u1").assistant("a2").data
    lines = whole.splitlines(keepends=True)[1:]
    merged = [
        whole + b"".join(lines),
        *(whole + line for line in lines),
        *(whole + line * 2 for line in lines),
    ]
    files = [tmp_path / f"{number}.jsonl" for number in range(len(merged))]
    for path, data in zip(files, merged, strict=True):
        path.write_bytes(data)
    answers = pi.ask(tmp_path / "asked", [Question(path, rows=False) for path in files])
    for path, data, answer in zip(files, merged, answers, strict=True):
        session = SessionManager.open(path)
        ids = [json.loads(line)["id"] for line in data.splitlines()[1:]]
        assert session.get_leaf_id() == ids[answer["leaf"]]
        assert [entry.id for entry in session.get_branch()] == [ids[place] for place in answer["branch"]]
        labels = {ids[int(place)]: label["text"] for place, label in answer["labels"].items()}
        assert {target: label.text for target, label in session.labels.items()} == labels
        for name in ("context", "stats", "name"):
            assert not list(differences(answer[name], ours.SESSION_PROPERTIES[name](session))), name
        assert sorted(session.table.ids) == sorted(set(ids))
        session.close()


@pytest.mark.parametrize("name", DRAWN)
def test_drawn(answers: dict[str, tuple[Path, dict[str, Any]]], name: str) -> None:
    """What pitree shows where it is on its own."""
    session = SessionManager.open(answers[name][0])
    rows = Outline(session).rows()
    drawn = [" ! ".join((row.plain, *row.marks)) for row in rows]
    session.close()
    assert drawn == DRAWN[name]
