"""What is decided without writing: collected, taken back, told on one line, and shown as if it were done."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pitree.pi.pick_result import ForkSession, Form, LabelEntry, MoveLeaf, NameSession, Picking, SwitchSession
from pitree.session.manager.manager import SessionManager
from pitree.session.manager.pending_overlay import PendingOverlay

HOME, OTHER = Path("/s/home.jsonl"), Path("/s/other.jsonl")


def told(picking: Picking) -> dict[str, Any]:
    """The answer, which stands on one line."""
    line = picking.answer()
    assert line.isascii()
    assert (line.count(b"\n"), line[-1:]) == (1, b"\n")
    found: dict[str, Any] = json.loads(line)
    return found


def test_everything_is_told_on_one_line() -> None:
    picking = Picking(HOME)
    picking.add(HOME, LabelEntry("e1", "käse\n\u2028"))
    picking.add(HOME, NameSession("new"))
    picking.finish(HOME, MoveLeaf("e2", "what\nwas", "label", "text \ud800"))
    assert told(picking) == {
        "session": str(HOME),
        "operations": [
            {"op": "label", "entry": "e1", "label": "käse\n\u2028"},
            {"op": "name", "name": "new"},
            {"op": "move", "entry": "e2", "summary": "what\nwas", "label": "label", "text": "text \ud800"},
        ],
    }


def test_what_is_not_given_is_not_told() -> None:
    assert MoveLeaf("e").record() == {"op": "move", "entry": "e"}
    assert ForkSession("e", True).record() == {"op": "fork", "entry": "e", "position": "before"}
    assert ForkSession("e", False).record() == {"op": "fork", "entry": "e", "position": "at"}
    assert SwitchSession(OTHER).record() == {"op": "switch", "path": str(OTHER)}
    assert told(Picking()) == {"session": None, "operations": []}


def test_what_was_changed_back_is_left_out_and_the_last_word_counts() -> None:
    picking = Picking(HOME)
    for label, before in (("x", None), ("y", "x")):
        picking.add(HOME, LabelEntry("a", label, before))
    for label, before in ((None, "old"), ("old", None)):
        picking.add(HOME, LabelEntry("b", label, before))
    picking.add(HOME, NameSession("one", "was"))
    picking.add(HOME, NameSession("was", "one"))
    assert picking.operations() == [{"op": "label", "entry": "a", "label": "y"}]
    assert [picking.take_back() for _ in range(7)][-1] is None
    assert told(picking)["operations"] == []


@pytest.mark.parametrize("known", [HOME, None])
def test_another_session_is_opened_before_one_goes_on_in_it(known: Path | None) -> None:
    picking = Picking(known)
    picking.finish(OTHER, MoveLeaf("e"))
    steps = [{"op": "move", "entry": "e"}]
    assert told(picking) == {
        "session": str(known or OTHER),
        "operations": [{"op": "switch", "path": str(OTHER)}, *steps] if known else steps,
    }
    alone = Picking(known)
    alone.finish(OTHER)
    assert alone.operations() == [{"op": "switch", "path": str(OTHER)}]


def test_names_only_and_nothing_after_a_cancel() -> None:
    path, entry = Picking(form=Form.PATH), Picking(form=Form.ID)
    assert (path.answer(), entry.answer()) == (b"", b"")
    for picking in (path, entry):
        picking.choose(Path("/s/\udcff.jsonl"), "e1")
    assert (path.answer(), entry.answer()) == (b"/s/\xff.jsonl\n", b"e1\n")
    cancelled = Picking(HOME, cancelled=True)
    cancelled.add(HOME, NameSession("n"))
    assert cancelled.answer() == b""


def test_a_session_says_what_is_decided_and_else_what_its_file_says() -> None:
    session = SessionManager.in_memory("/w")
    first, second = (session.append_custom_entry("x") for _ in range(2))
    session.append_label_change(first, "old")
    session.append_session_info("named")
    layer = PendingOverlay(session.data)

    def says() -> tuple[str | None, str | None, str | None]:
        return session.get_label(first), session.get_label(second), session.get_session_name()

    layer.lay({first: None, second: "mine"}, "new\nname")
    assert says() == (None, "mine", "new name")
    # What the file says meanwhile shows once it is not decided otherwise any more.
    session.append_label_change(first, "theirs")
    session.append_label_change(second, "theirs, too")
    session.append_session_info("their name")
    layer.lay({first: None, second: "mine"}, "")
    assert says() == (None, "mine", None)
    layer.lay({first: None}, None)
    assert says() == (None, "theirs, too", "their name")
    layer.lay({}, None)
    assert says() == ("theirs", "theirs, too", "their name")
