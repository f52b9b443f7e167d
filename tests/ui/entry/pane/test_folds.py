"""What is folded and unfolded: all at once, and remembered."""

from __future__ import annotations

from pitree.ui.entry.document.fold import Fold
from pitree.ui.entry.pane.folds import FoldMemory, toggle_all, with_inner
from tests.support.taking_apart import Story, call, text


def test_everything_unfolds_folds_and_is_as_it_was() -> None:
    thinking = {"type": "thinking", "thinking": "let me see"}
    story = Story().say("a1", "assistant", [thinking, text("# Done"), call("c1", command="ls")])
    parts = story.parts("a1")
    folds: dict[str, Fold] = {}
    toggle_all(parts, folds)
    assert set(folds.values()) == {Fold.OPEN}
    toggle_all(parts, folds)
    assert set(folds.values()) == {Fold.CLOSED}
    toggle_all(parts, folds)
    assert not folds


def test_parts_come_in_reading_order() -> None:
    story = Story().say("a1", "assistant", [call("c1", command="ls"), text("after")])
    story.say("t1", "toolResult", [text("out")], toolCallId="c1", toolName="bash", isError=False)
    parts = story.parts("a1")
    found = with_inner(parts)
    assert [part for part in found if part in parts] == parts
    assert len(found) > len(parts)


def test_the_folds_of_the_entries_read_last_are_remembered() -> None:
    memory = FoldMemory()
    memory.of(1, False)["a"] = Fold.OPEN
    assert memory.of(1, True) == {}
    for index in range(2, 150):
        memory.of(index, False)
    assert memory.of(1, False) == {"a": Fold.OPEN}
    for index in range(2, 300):
        memory.of(index, False)
    assert memory.of(1, False) == {}
