"""The table of keys: sound in itself, and what the footer and the help make of it."""

from __future__ import annotations

import pytest

from pitree.keys.names import joined_signs
from pitree.ui.toolkit import keys
from pitree.ui.toolkit.keys import KeyContext


def test_ids_are_unique() -> None:
    ids = [action.id for action in keys.ACTIONS]
    assert len(ids) == len(set(ids))


def test_every_action_says_what_it_does() -> None:
    for place in KeyContext:
        for hint in keys.DEFAULT.hints(place):
            assert hint.help, hint.words
            assert hint.words


def test_letters_are_letters_in_a_search_box() -> None:
    for action in keys.actions_of(KeyContext.SEARCH):
        assert not [key for key in action.keys if len(key) == 1]


@pytest.mark.parametrize(
    ("pressed", "sign"),
    [
        (["up", "down"], "↑↓"),
        (["n", "N"], "n/N"),
        (["ctrl+left", "ctrl+right"], "^←→"),
        (["ctrl+o"], "^o"),
        (["shift+n"], "N"),
        (["ctrl+shift+o"], "shift+^o"),
        (["slash"], "/"),
        (["escape"], "Esc"),
        (["home", "end"], "Home/End"),
    ],
)
def test_signs_of_keys(pressed: list[str], sign: str) -> None:
    assert joined_signs(pressed) == sign


def test_neighbours_with_the_same_words_share_a_hint() -> None:
    move = keys.DEFAULT.hints(KeyContext.LIST)[0]
    assert (move.signs, move.all_signs, move.words) == ("↑↓", "↑↓ k/j", "move")


def test_the_footer_drops_whole_hints_by_rank() -> None:
    shown = (
        keys.DEFAULT.hints(KeyContext.LIST)
        + keys.DEFAULT.hints(KeyContext.TREE)
        + keys.DEFAULT.hints(KeyContext.GLOBAL)
    )
    for width in range(140):
        kept = keys.fitting(shown, width)
        line = "  ".join(f"{hint.signs} {hint.words}" for hint in kept)
        assert len(line) <= width
        dropped = [hint.rank for hint in shown if hint.rank and hint not in kept]
        assert not kept or not dropped or min(dropped) >= max(hint.rank for hint in kept)
    assert [hint.words for hint in keys.fitting(shown, 6)] == ["help"]
