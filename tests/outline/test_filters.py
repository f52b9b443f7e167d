"""The filters: what each shows, and how they follow one another."""

from __future__ import annotations

import pytest

from pitree.outline.filters import SHOWN_KINDS, FilterMode, kind_mask
from pitree.outline.outline import Outline
from pitree.session.format.entry_type import Kind
from tests.support.forest import LETTERS, session

ALL_KINDS = " ".join(f"{letter}1" for letter in LETTERS if letter != "?") + " ?1 u2"
"""One entry of each kind, and a leaf."""


@pytest.mark.parametrize(
    ("mode", "shown"),
    [
        (FilterMode.DEFAULT, "u a t b y o p c r ? u"),
        (FilterMode.NO_TOOLS, "u a b y o p c r ? u"),
        (FilterMode.USER_ONLY, "u u"),
        (FilterMode.ALL, "u a t b y o p c r m h x e l i ? u"),
        (FilterMode.LABELED_ONLY, ""),
    ],
)
def test_kinds_shown(mode: FilterMode, shown: str) -> None:
    outline = Outline(session(ALL_KINDS), mode)
    assert [row.id[0] for row in outline.rows()] == shown.split()


def test_labeled_only_shows_what_carries_a_label_but_nothing_that_is_always_hidden() -> None:
    made = session("u1 s2 g3 m4 a5", labels={"u1": "x", "s2": "x", "g3": "x", "m4": "x", "gone": "x"})
    assert [row.id for row in Outline(made, FilterMode.LABELED_ONLY).rows()] == ["u1", "m4"]


@pytest.mark.parametrize("mode", list(FilterMode))
def test_a_silent_message_shows_as_the_leaf_where_assistant_messages_do(mode: FilterMode) -> None:
    outline = Outline(session("u1 s2 s3"), mode)
    shown = [row.id for row in outline.rows()]
    assert ("s3" in shown) == (mode in (FilterMode.DEFAULT, FilterMode.NO_TOOLS, FilterMode.ALL))
    assert "s2" not in shown


def test_every_kind_is_placed() -> None:
    """A new kind must be hidden on purpose, not by being forgotten."""
    hidden = set(Kind) - SHOWN_KINDS[FilterMode.ALL]
    assert hidden == {Kind.USAGE, Kind.ASSISTANT_SILENT}
    assert bytes(range(len(Kind))).translate(kind_mask(FilterMode.USER_ONLY)).find(1) == Kind.USER


def test_cycling_and_toggling() -> None:
    mode = FilterMode.DEFAULT
    seen = [mode := mode.next() for _ in range(5)]
    assert seen == ["no-tools", "user-only", "labeled-only", "all", "default"]
    assert FilterMode.DEFAULT.next(-1) is FilterMode.ALL
    assert FilterMode.DEFAULT.toggled(FilterMode.ALL) is FilterMode.ALL
    assert FilterMode.ALL.toggled(FilterMode.ALL) is FilterMode.DEFAULT


@pytest.mark.parametrize("bad", ["", "users", None, 3, ["all"], {}])
def test_an_unknown_name_is_the_default_filter(bad: object) -> None:
    assert FilterMode.of(bad) is FilterMode.DEFAULT
    assert FilterMode.of("user-only") is FilterMode.USER_ONLY
