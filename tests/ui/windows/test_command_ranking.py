"""What the command palette finds, and in which order."""

from __future__ import annotations

from pitree.ui.windows.command_ranking import PaletteItem, best_first, ranked
from tests.support.work import computing_at_most


def found(query: str) -> list[str]:
    offers = [
        PaletteItem("Tree", "Set or remove the entry's label", "l", 1, "tree.label"),
        PaletteItem("Session", "Fix the labels of the form", "3h", 2),
        PaletteItem("Label", "[label] It works", "", 3),
        PaletteItem("Entry", "Copy the text", "c", 4, "detail.copy relabel"),
        PaletteItem("Session", "Unlabelled things", "1d", 5),
    ]
    return [offer.text for _, offer in best_first(ranked(offers, query))]


def test_the_beginning_counts_most_then_words_then_what_else_is_said() -> None:
    assert found("label") == [
        "Set or remove the entry's label",
        "Fix the labels of the form",
        "[label] It works",
        "Unlabelled things",
        "Copy the text",
    ]


def test_all_words_must_occur_anywhere() -> None:
    assert found("session LABEL") == ["Fix the labels of the form", "Unlabelled things"]
    assert found("form nothing") == []
    assert len(found("  ")) == 5


def test_many_sessions_are_looked_through_at_once() -> None:
    offers = [
        PaletteItem("Session", f"Session {number} of the shop", "1d", number, "x" * 300)
        for number in range(10_000)
    ]
    with computing_at_most(2):
        assert [offer.meant for _, offer in ranked(offers, "shop 9999")] == [9999]
