"""The branch through an entry, and stretches of it."""

from __future__ import annotations

from pitree.entry.branch_parts import Branch
from pitree.entry.parts.model import PartKind
from pitree.entry.transcript import STRETCH_ENTRIES, branch_end, entry_of, read_stretch, stretch_around
from pitree.session.manager.manager import SessionManager
from tests.support.stories import Story, login_story


def end(session: SessionManager, entry_id: str) -> str:
    return session.table.ids[branch_end(session, session.table.by_id[entry_id])]


def test_a_branch_goes_to_the_leaf_or_the_newest_way_down() -> None:
    session = login_story().session()
    assert end(session, "u1") == "u4"
    assert end(session, "u3") == "u4"
    assert end(session, "u2") == "a3"
    assert end(session, "a3") == "a3"
    assert branch_end(session, -1) == -1
    newer = login_story().user("late", "again", parent="u2").user("leaf", "x", parent="u1").session()
    assert end(newer, "u2") == "late"
    assert end(newer, "a2") == "u4"


def test_only_the_entries_of_one_branch_are_told_each_under_its_title() -> None:
    session = login_story().session()
    branch = Branch(session, branch_end(session, 0))
    stretch = read_stretch(branch, 0)
    titles = [part for part in stretch.parts if part.key.endswith(".title")]
    assert [session.table.ids[entry_of(part)] for part in titles] == [
        *("u1", "a1", "t1-call", "a2", "u3", "a4", "label-9", "u4"),
    ]
    assert [part.title.split()[0] for part in titles] == [
        *("user", "assistant", "assistant", "assistant", "user", "assistant", "label", "user"),
    ]
    assert titles[6].kind is PartKind.WORDS
    said = [part.body.text for part in stretch.parts if part.body is not None]
    assert "Converted to TS" in said
    assert "Converted to JS" not in said
    assert len({part.key for part in stretch.parts}) == len(stretch.parts)


def test_stretches_are_bounded_by_entries_and_by_bytes() -> None:
    story = Story()
    for number in range(500):
        story.user(f"u{number}", "x" * (100_000 if number >= 400 else 10))
    session = story.session()
    branch = Branch(session, session.leaf_index)
    assert stretch_around(branch, 0) == (0, STRETCH_ENTRIES)
    assert stretch_around(branch, 200) == (200 - STRETCH_ENTRIES, 200 + STRETCH_ENTRIES)
    assert stretch_around(branch, 450) == (444, 456)
    assert stretch_around(branch, 499) == (493, 499)


def test_a_chain_without_end_ends() -> None:
    story = Story().user("a", "x", parent="b").user("b", "y", parent="a").user("c", "z", parent=None)
    session = story.session()
    assert branch_end(session, 0) in (0, 1)
