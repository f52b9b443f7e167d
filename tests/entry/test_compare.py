"""Two branches side by side: where they part, which turns stand beside each other, what each changed."""

from __future__ import annotations

from typing import Any

from pitree.entry.compare import Comparison, compare, turns_of
from pitree.session.manager.manager import SessionManager
from tests.support.stories import Story, login_story


def compared(session: SessionManager, left: str, right: str) -> Comparison:
    by_id = session.table.by_id
    return compare(session, by_id[left], session, by_id[right])


def prompts(comparison: Comparison) -> list[tuple[str | None, str | None]]:
    return [(left and left.prompt, right and right.prompt) for left, right in comparison.pairs]  # type: ignore[misc]


def edit(story: Story, name: str, path: Any, *, tool: str = "edit", failed: bool = False) -> None:
    story.tool(name, tool, {"path": path, "content": "x"}, "ok")
    story.entries[-1]["message"]["isError"] = failed


def test_branches_part_after_their_deepest_common_entry() -> None:
    session = login_story().session()
    comparison = compared(session, "a3", "u4")
    assert session.table.ids[comparison.common] == "a2"
    assert prompts(comparison) == [
        ("Actually use JavaScript", "Use TypeScript"),
        (None, "Thanks"),
    ]
    assert [turn.answer for turn in comparison.left.turns] == ["Converted to JS"]
    assert (comparison.left.entries, comparison.right.entries) == (2, 3)  # labels are left out
    assert comparison.left.usage.cost == 0.25


def test_an_entry_and_its_own_ancestor_or_itself() -> None:
    session = login_story().session()
    assert prompts(compared(session, "a2", "u4")) == [(None, "Use TypeScript"), (None, "Thanks")]
    assert compared(session, "u4", "u4").pairs == []


def test_equal_prompts_stand_beside_each_other() -> None:
    story = Story().user("u0", "start")
    for name, said in (("l", ["one", "two", "three"]), ("r", ["zero", "two", "three", "four"])):
        for number, prompt in enumerate(said):
            story.user(f"{name}{number}", prompt, parent="u0" if not number else "")
    session = story.session()
    assert prompts(compared(session, "l2", "r3")) == [
        ("one", "zero"),
        ("two", "two"),
        ("three", "three"),
        (None, "four"),
    ]


def test_files_that_each_side_changed() -> None:
    story = Story().user("u0", "start")
    story.user("l0", "left", parent="u0")
    edit(story, "e1", "/home/me/app/src/a.py")
    edit(story, "e2", "src/a.py", tool="write")
    edit(story, "e3", "b.py", failed=True)
    edit(story, "e4", ["odd"])
    story.tool("t5", "bash", {"command": "rm x"}, "ok").assistant("l9", "done")
    story.user("r0", "right", parent="u0")
    edit(story, "f1", "c.py")
    edit(story, "f2", "src/a.py")
    session = story.session()
    comparison = compared(session, "l9", "f2")
    assert comparison.files() == [("c.py", 0, 1), ("src/a.py", 2, 1)]
    assert comparison.left.turns[0].files == {"src/a.py": 2}


def test_forks_share_what_they_were_forked_with() -> None:
    story = login_story()
    other = SessionManager.in_memory(
        "/elsewhere", [entry for entry in story.entries if entry["type"] != "label"]
    )
    other.branch("a4")
    other.append_message({"role": "user", "content": "another end"})
    session = story.session()
    comparison = compare(session, session.table.by_id["u4"], other, other.leaf_index)
    assert session.table.ids[comparison.common] == "a4"
    assert prompts(comparison) == [("Thanks", "another end")]


def test_sessions_that_have_nothing_in_common() -> None:
    left = login_story().session()
    right = Story().user("x1", "Add a login form").assistant("x2", "no").session()
    comparison = compare(left, left.leaf_index, right, right.leaf_index)
    assert comparison.common == -1
    assert prompts(comparison)[0] == ("Add a login form", "Add a login form")


def test_a_stretch_that_begins_within_a_turn() -> None:
    session = login_story().session()
    turns = list(turns_of(session, session.branch_indexes(4)[1:]))
    assert [(turn.prompt, turn.answer) for turn in turns] == [("", "Created the form. Next: validation")]
    assert turns[0].files == {"src/Login.tsx": 1}
