"""A branch as one document: results with their calls, what holds on this branch, nothing quadratic."""

from __future__ import annotations

from typing import Any

from pitree.entry.branch_parts import Branch
from pitree.entry.parts.model import Part, PartKind
from pitree.session.manager.manager import SessionManager
from tests.support.stories import Story
from tests.support.work import lines_run


def calls(parts: list[Part]) -> list[Part]:
    return [part for part in parts if part.kind is PartKind.CALL]


def result(story: Story, entry_id: str, call: Any, text: str, parent: str | None = "") -> None:
    message = {
        "role": "toolResult",
        "toolCallId": call,
        "toolName": "bash",
        "content": [{"type": "text", "text": text}],
    }
    story.add(entry_id, "message", parent, message=message)


def two_branches() -> SessionManager:
    """A call answered on two branches, by `r1` and by `r2`; the leaf is on the second."""
    story = Story().user("u1", "go")
    block = {"type": "toolCall", "id": "c1", "name": "bash", "arguments": {"command": "ls"}}
    story.assistant("a1", "", content=[block], stopReason="toolUse")
    result(story, "r1", "c1", "first", parent="a1")
    story.assistant("a2", "one way")
    result(story, "r2", "c1", "second", parent="a1")
    return story.assistant("a3", "the other way").session()


def at(session: SessionManager, entry_id: str) -> int:
    return session.table.by_id[entry_id]


def test_a_result_is_shown_once_with_its_call_of_this_branch() -> None:
    session = two_branches()
    for end, said in (("a2", "first"), ("a3", "second")):
        branch = Branch(session, at(session, end))
        assert len(branch) == 4
        (call,) = calls(branch.parts(1))
        assert [part.body.text for part in call.children if part.body] == [said]
        assert branch.parts(2) == []


def test_a_call_without_result_says_so_and_a_result_without_call_stands_alone() -> None:
    story = Story().user("u1", "go")
    blocks = [
        {"type": "toolCall", "id": "c1", "name": "bash", "arguments": {"command": "ls"}},
        {"type": "toolCall", "id": "c2", "name": "bash", "arguments": {"command": "pwd"}},
        {"type": "toolCall", "id": ["odd"], "name": "bash", "arguments": {}},
    ]
    story.assistant("a1", "", content=blocks)
    result(story, "r2", "c2", "/w")
    result(story, "again", "c2", "twice")
    result(story, "other", "c9", "of no call")
    result(story, "worse", ["odd"], "of no id")
    session = story.session()
    branch = Branch(session, at(session, "worse"))
    first, second, third = calls(branch.parts(1))
    assert "no result" in first.children[0].title
    assert second.children[0].body is not None
    assert second.children[0].body.text == "/w"
    assert "no result" in third.children[0].title
    assert branch.parts(2) == []
    assert len(calls(branch.parts(3))) == 1
    assert any("not on this branch" in part.title for part in branch.parts(4))
    assert any("not on this branch" in part.title for part in branch.parts(5))


def test_the_edits_of_the_branch_count_and_no_others() -> None:
    story = Story().user("u1", "go").assistant("a1", "secret").user("u2", "on")
    story.add("e1", "context_edit", targetId="a1", replacement=None)
    story.add("e2", "context_edit", targetId="a1", replacement={"content": "milder"})
    story.user("u3", "elsewhere", parent="a1")
    session = story.session()
    for end, words in (("u2", None), ("e1", "omitted"), ("e2", "edited"), ("u3", None)):
        titles = [part.title for part in Branch(session, at(session, end)).parts(1) if part.key == "edit"]
        assert [title.split()[0].strip(":") for title in titles] == ([words] if words else [])


def test_an_empty_branch() -> None:
    assert len(Branch(SessionManager.in_memory("/w"), -1)) == 0


def test_many_calls_without_result_take_linear_work() -> None:
    def work(count: int) -> int:
        story = Story().user("u1", "go")
        for number in range(count):
            block = {"type": "toolCall", "id": f"c{number}", "name": "bash", "arguments": {"command": "ls"}}
            story.assistant(f"a{number}", "", content=[block])
            story.add(f"e{number}", "context_edit", targetId=f"a{number}", replacement=None)
        session = story.session()

        def read() -> None:
            branch = Branch(session, session.leaf_index)
            for place in range(len(branch)):
                branch.parts(place)

        return lines_run(read)

    assert work(1_000) < 5 * work(250)
