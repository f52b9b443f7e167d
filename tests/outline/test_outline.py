"""Rows, selection, folds and moves of an outline. Each drawing is what Pi's /tree shows of that session."""

from __future__ import annotations

import pytest

from pitree.outline.filters import FilterMode
from pitree.outline.outline import Order, Outline
from pitree.session.format.entry_type import Flag, Kind
from tests.support.forest import FakeSession, FakeTexts, session


def drawn(outline: Outline) -> list[str]:
    """Each row as guides, path mark and id."""
    return [f"{row.guides}{'•' if row.on_path else ''}{row.id}" for row in outline.rows()]


def ids(outline: Outline) -> list[str]:
    return [row.id for row in outline.rows()]


def row_named(outline: Outline, entry_id: str) -> int:
    return ids(outline).index(entry_id)


# Drawing


def test_a_chain_stays_at_the_margin() -> None:
    assert drawn(Outline(session("u1 a2 t3 a4"))) == ["•u1", "•a2", "•t3", "•a4"]


def test_children_of_a_branch_point_and_what_follows_them() -> None:
    outline = Outline(session("u1 a2 u3 a4 u5 u6<a2 a7 u8 a9"))
    assert drawn(outline) == [
        "•u1",
        "•a2",
        "├⊟ •u6",
        "│     •a7",
        "│     •u8",
        "│     •a9",
        "└⊟ u3",
        "      a4",
        "      u5",
    ]
    assert [row.indent for row in outline.rows()] == [0, 0, 1, 2, 2, 2, 1, 2, 2]


def test_branches_within_branches() -> None:
    outline = Outline(session("u1 a2 u3 a4<a2 u5 u6<a4 u7<u5 a8"), order=Order.TIME)
    assert drawn(outline) == [
        "•u1",
        "•a2",
        "├─ u3",
        "└⊟ •a4",
        "   ├⊟ •u5",
        "   │     •u7",
        "   │     •a8",
        "   └─ u6",
    ]


def test_several_roots_are_children_of_a_hidden_one() -> None:
    outline = Outline(session("u1 a2 u3< a4 u5<a2 u6<a2"))
    assert drawn(outline) == ["•u1", "   •a2", "   ├─ •u6", "   └─ u5", "u3", "   a4"]
    assert [row.indent for row in outline.rows()] == [1, 2, 3, 3, 1, 2]
    assert [row.display_indent for row in outline.rows()] == [0, 1, 2, 2, 0, 1]


def test_hidden_entries_leave_no_trace() -> None:
    """Rows hang on their nearest visible ancestor, and a chain does not drift to the right."""
    outline = Outline(session("u1 a2 u3 a4 u5 u6<a2 a7 u8"), FilterMode.USER_ONLY)
    assert drawn(outline) == ["•u1", "├⊟ •u6", "│     •u8", "└⊟ u3", "      u5"]


def test_a_hidden_root_makes_its_branches_roots() -> None:
    outline = Outline(session("m1 u2 a3 u4<m1 a5"))
    assert drawn(outline) == ["•u4", "   •a5", "u2", "   a3"]


def test_a_branch_point_with_one_visible_branch_is_none() -> None:
    assert drawn(Outline(session("u1 m2 u3<u1 a4"))) == ["•u1", "•u3", "•a4"]


# Order (the branch that holds the leaf goes first; a root with an older child A and a newer child B)


def test_the_branch_with_the_leaf_goes_first() -> None:
    made = session("u1 aA<u1 aB<u1")
    outline = Outline(made)
    assert ids(outline) == ["u1", "aB", "aA"]
    made.moved_leaf = 1
    outline.refresh()
    assert ids(outline) == ["u1", "aA", "aB"]


def test_order_by_time() -> None:
    made = session("u1@9 aA<u1 aB<u1 u2<@1")
    made.moved_leaf = 2
    outline = Outline(made)
    assert ids(outline) == ["u1", "aB", "aA", "u2"]
    outline.set_order(Order.TIME)
    assert ids(outline) == ["u2", "u1", "aA", "aB"]
    outline.set_order(Order.PI)
    assert ids(outline) == ["u1", "aB", "aA", "u2"]


def test_the_root_with_the_leaf_goes_first() -> None:
    outline = Outline(session("u1 u2< u3<", leaf="u2"))
    assert ids(outline) == ["u2", "u1", "u3"]


# Selection


def test_the_start_is_the_leaf_or_its_nearest_visible_ancestor() -> None:
    outline = Outline(session("u1 a2 l3"))
    assert outline.initial_row == 1
    outline = Outline(session("u1 a2 u3 a4", leaf="a2"))
    assert outline.initial_row == 1
    assert outline.row(1).is_leaf
    assert [row.on_path for row in outline.rows()] == [True, True, False, False]


def test_a_leaf_that_is_not_shown_is_marked_on_the_row_above_it() -> None:
    outline = Outline(session("u1 a2 l3"))
    assert [row.is_leaf for row in outline.rows()] == [False, True]
    outline.set_filter(FilterMode.ALL)
    assert [row.is_leaf for row in outline.rows()] == [False, False, True]
    outline = Outline(session("m1 u2 a3 u4<m1", leaf="m1"))
    assert not any(row.is_leaf for row in outline.rows())


def test_without_a_visible_ancestor_the_last_row_is_selected() -> None:
    outline = Outline(session("m1 u2 a3 u4<m1", leaf="m1"))
    assert outline.initial_row == 2
    made = session("u1 a2")
    made.moved_leaf = -1
    outline = Outline(made)
    assert outline.initial_row == 1
    assert not any(row.on_path for row in outline.rows())


def test_no_rows() -> None:
    for outline in (Outline(FakeSession()), Outline(session("u1 a2"), FilterMode.LABELED_ONLY)):
        assert len(outline) == 0
        assert outline.initial_row == -1
        assert outline.nearest_row(0) == -1
        assert list(outline.rows()) == []
        with pytest.raises(IndexError):
            outline.row(0)
        outline.refresh()


def test_the_selection_stays_on_its_entry_or_goes_up() -> None:
    outline = Outline(session("u1 a2 t3 u4"))
    selected = outline.index_at(row_named(outline, "t3"))
    outline.set_filter(FilterMode.NO_TOOLS)
    assert outline.row(outline.nearest_row(selected)).id == "a2"
    outline.set_filter(FilterMode.USER_ONLY)
    assert outline.row(outline.nearest_row(selected)).id == "u1"
    outline.set_filter(FilterMode.DEFAULT)
    assert outline.row(outline.nearest_row(selected)).id == "t3"


# Folding


FORK = "u1 a2 u3 a4 u5<a2 a6 u7"


def test_folding_hides_all_that_is_below() -> None:
    outline = Outline(session(FORK))
    assert [row.fold for row in outline.rows()] == ["open", "", "open", "", "", "open", ""]
    assert outline.fold(2)
    assert drawn(outline) == ["•u1", "•a2", "├⊞ •u5", "└⊟ u3", "      a4"]
    assert [row.hidden for row in outline.rows()] == [0, 0, 2, 0, 0]
    assert outline.row(2).fold == "closed"
    assert not outline.fold(2)
    assert outline.unfold(2)
    assert len(outline) == 7


def test_what_cannot_be_folded() -> None:
    outline = Outline(session(FORK))
    for row in (1, 3, 4, 6):
        assert not outline.can_fold(row)
        assert not outline.fold(row)
        assert not outline.unfold(row)
    assert len(outline) == 7


def test_a_folded_root_shows_its_mark_before_the_text() -> None:
    outline = Outline(session(FORK))
    assert outline.fold(0)
    assert [row.plain for row in outline.rows()] == ["⊞ • user: u1"]
    assert outline.row(0).hidden == 6
    assert outline.row(0).fold == "closed"


def test_a_fold_within_a_fold_is_kept() -> None:
    outline = Outline(session(FORK))
    outline.fold(row_named(outline, "u3"))
    outline.fold(0)
    assert outline.unfold(0)
    assert ids(outline) == ["u1", "a2", "u5", "a6", "u7", "u3"]
    assert outline.unfold(row_named(outline, "u3"))
    assert len(outline) == 7


@pytest.mark.parametrize("change", ["filter", "query"])
def test_another_filter_or_query_opens_all_folds(change: str) -> None:
    made = session(FORK)
    outline = Outline(made, texts=FakeTexts(made.table))
    outline.fold(0)
    if change == "filter":
        outline.set_filter(FilterMode.ALL)
    else:
        outline.set_query("")
    assert len(outline) == 7


def test_an_entry_in_a_fold_selects_the_folded_row_until_it_is_revealed() -> None:
    outline = Outline(session(FORK))
    outline.fold(row_named(outline, "u3"))
    outline.fold(0)
    a4 = 3
    assert outline.row_of(a4) is None
    assert outline.nearest_row(a4) == 0
    assert outline.row(outline.reveal(a4)).id == "a4"
    assert len(outline) == 7


def test_revealing_what_the_filter_hides_opens_no_folds_but_its_own() -> None:
    outline = Outline(session("u1 a2 u3 m4 u5<a2 a6"))
    outline.fold(row_named(outline, "u5"))
    assert outline.row(outline.reveal(3)).id == "u3"
    assert outline.row(row_named(outline, "u5")).fold == "closed"


def test_revealing_what_has_no_visible_ancestor_opens_no_fold() -> None:
    outline = Outline(session("m1 u2 a3 u4<m1 a5"))
    outline.fold(row_named(outline, "u2"))
    assert ids(outline) == ["u4", "a5", "u2"]
    assert outline.reveal(0) == 2
    assert outline.row(2).fold == "closed"


# Moving by branches


def test_moving_by_branches() -> None:
    outline = Outline(session("u1 a2 u3 a4 u5 u6<a2 a7 u8<a7 u9<a7 a10"))
    assert ids(outline) == ["u1", "a2", "u6", "a7", "u9", "a10", "u8", "u3", "a4", "u5"]
    assert [outline.branch_up(row) for row in range(10)] == [0, 0, 0, 2, 2, 4, 2, 0, 7, 7]
    assert [outline.branch_down(row) for row in range(10)] == [2, 2, 4, 4, 5, 5, 6, 9, 9, 9]


def test_fold_or_up_and_unfold_or_down() -> None:
    outline = Outline(session(FORK))
    row = outline.fold_or_up(4)
    assert outline.row(row).id == "u5"
    assert outline.fold_or_up(row) == row
    assert outline.row(row).fold == "closed"
    assert outline.fold_or_up(row) == 0
    assert outline.unfold_or_down(row) == row
    assert outline.row(row).fold != "closed"
    assert outline.row(outline.unfold_or_down(row)).id == "u7"


# Searching


def found(made: FakeSession, query: str, mode: FilterMode = FilterMode.DEFAULT) -> list[str]:
    outline = Outline(made, mode, texts=FakeTexts(made.table))
    outline.set_query(query)
    return ids(outline)


def texts_session() -> FakeSession:
    made = FakeSession()
    for place, text in enumerate(["red apple", "green apple", "red pear", "blue plum"]):
        made.add(f"u{place}", f"u{place - 1}" if place else None, Kind.USER, place, text)
    return made


def test_a_query_narrows_the_rows() -> None:
    made = texts_session()
    assert found(made, "apple") == ["u0", "u1"]
    assert found(made, "RED app") == ["u0"]
    assert found(made, '"red pear"') == ["u2"]
    assert found(made, "re:^(green|blue)") == ["u1", "u3"]
    assert found(made, "") == ["u0", "u1", "u2", "u3"]


def test_a_bad_pattern_finds_nothing_and_says_so() -> None:
    made = texts_session()
    outline = Outline(made, texts=FakeTexts(made.table))
    outline.set_query("re:(")
    assert len(outline) == 0
    assert outline.query.error
    assert outline.hit_count == 0
    outline.refresh()
    outline.set_query("")
    assert len(outline) == 4


def test_labels_are_searched_together_with_the_text() -> None:
    made = texts_session()
    made.label("u3", "Check Point")
    assert found(made, "check") == ["u3"]
    assert found(made, "plum point") == ["u3"]
    assert found(made, "plum apple") == []


def test_hits_can_be_marked_instead() -> None:
    made = texts_session()
    outline = Outline(made, texts=FakeTexts(made.table))
    outline.set_query("red", narrow=False)
    assert [row.hit for row in outline.rows()] == [True, False, True, False]
    assert outline.hit_count == 2
    assert outline.next_hit(0) == 2
    assert outline.next_hit(2) == 0
    assert outline.next_hit(1, -1) == 0
    assert outline.next_hit(0, -1) == 2
    outline.set_query("violet", narrow=False)
    assert outline.next_hit(0) is None
    assert len(outline) == 4


def test_where_the_words_stand_in_a_row() -> None:
    made = texts_session()
    outline = Outline(made, texts=FakeTexts(made.table))
    assert outline.spans_for(outline.row(0)) == []
    outline.set_query("apple")
    row = outline.row(0)
    assert [row.body[start:end] for start, end in outline.spans_for(row)] == ["apple"]


def test_texts_that_come_later_add_their_hits() -> None:
    made = texts_session()
    texts = FakeTexts(made.table, limit=1)
    outline = Outline(made, texts=texts)
    outline.set_query("red")
    assert ids(outline) == ["u0"]
    texts.limit = 3
    outline.refresh()
    assert ids(outline) == ["u0", "u2"]
    assert outline.hit_count == 2


def test_a_query_needs_texts() -> None:
    outline = Outline(session("u1"))
    outline.set_query("")
    with pytest.raises(ValueError, match="texts"):
        outline.set_query("u")


# Growth


def test_entries_appended_to_the_leaf() -> None:
    made = session("u1 a2")
    outline = Outline(made)
    made.add("u3", "a2", Kind.USER)
    assert len(outline) == 2
    outline.refresh()
    assert drawn(outline) == ["•u1", "•a2", "•u3"]
    assert outline.row(2).is_leaf
    assert outline.leaf == 2


def test_a_silent_message_shows_only_while_it_is_the_leaf() -> None:
    made = session("u1 s2")
    outline = Outline(made)
    assert ids(outline) == ["u1", "s2"]
    made.add("t3", "s2", Kind.TOOL_RESULT)
    outline.refresh()
    assert ids(outline) == ["u1", "t3"]
    made.moved_leaf = 1
    outline.refresh()
    assert ids(outline) == ["u1", "s2", "t3"]


def test_growth_below_a_fold_stays_hidden() -> None:
    made = session(FORK)
    outline = Outline(made)
    outline.fold(row_named(outline, "u5"))
    made.add("a8", "u7", Kind.ASSISTANT)
    made.add("m9", "a8", Kind.MODEL_CHANGE)
    outline.refresh()
    assert ids(outline) == ["u1", "a2", "u5", "u3", "a4"]
    assert outline.row(2).hidden == 3
    assert outline.nearest_row(outline.leaf) == 2


def test_growth_on_another_branch_keeps_the_fold_of_this_one() -> None:
    made = session(FORK)
    outline = Outline(made)
    outline.fold(row_named(outline, "u5"))
    made.add("u8", "a4", Kind.USER)
    outline.refresh()
    assert drawn(outline) == ["•u1", "•a2", "├⊟ •u3", "│     •a4", "│     •u8", "└⊞ u5"]


def test_a_new_branch() -> None:
    made = session("u1 a2 u3 a4")
    outline = Outline(made)
    made.add("u5", "a2", Kind.USER)
    outline.refresh()
    assert drawn(outline) == ["•u1", "•a2", "├─ •u5", "└⊟ u3", "      a4"]


def test_a_branch_above_a_silent_leaf() -> None:
    made = session("u1 a2 s3")
    outline = Outline(made)
    made.add("u4", "u1", Kind.USER)
    outline.refresh()
    assert drawn(outline) == ["•u1", "├─ •u4", "└─ a2"]


def test_a_label_set_later() -> None:
    made = session("u1 a2 u3")
    outline = Outline(made, FilterMode.LABELED_ONLY)
    made.label("a2", "here")
    made.add("l4", "u3", Kind.LABEL)
    outline.refresh()
    assert ids(outline) == ["a2"]
    assert outline.row(0).label == "here"


def test_a_parent_that_comes_late_joins_the_islands() -> None:
    made = session("u1 a2 u3<late a4")
    outline = Outline(made)
    assert outline.row(row_named(outline, "u3")).marks == ("parent late missing",)
    made.add("late", "a2", Kind.USER)
    made.moved_leaf = 3
    outline.refresh()
    assert ids(outline) == ["u1", "a2", "late", "u3", "a4"]
    assert not any(row.marks for row in outline.rows())


def test_a_hidden_tail_brings_its_branches_closer() -> None:
    """The silent message before the branches hides when the leaf moves up: they hang higher then."""
    made = session("u1 u2 s3 u4 u5<s3 u6<u1", leaf="s3")
    outline = Outline(made)
    assert [(row.id, row.indent) for row in outline.rows()] == [
        ("u1", 0),
        ("u2", 1),
        ("s3", 2),
        ("u4", 3),
        ("u5", 3),
        ("u6", 1),
    ]
    made.moved_leaf = 1
    outline.refresh()
    assert [(row.id, row.indent) for row in outline.rows()] == [
        ("u1", 0),
        ("u2", 1),
        ("u4", 2),
        ("u5", 2),
        ("u6", 1),
    ]


def relabel(made: FakeSession, **labels: str | None) -> None:
    """Set labels, or clear them, by a new entry at the end."""
    for entry_id, text in labels.items():
        if text is None:
            del made.labels[entry_id]
        else:
            made.label(entry_id, text)
        made.add(f"l{len(made.table)}", made.table.ids[-1], Kind.LABEL)


def test_a_fold_further_up_hides_the_folds_below_it() -> None:
    made = session("u1 u2 u3", labels={"u2": "x", "u3": "x"})
    outline = Outline(made, FilterMode.LABELED_ONLY)
    outline.fold(0)
    relabel(made, u1="x")
    outline.refresh()
    assert ids(outline) == ["u1", "u2"]
    outline.fold(0)
    assert ids(outline) == ["u1"]
    assert outline.row(0).hidden == 2


def test_a_folded_row_can_vanish() -> None:
    """A silent message, folded while it was the leaf, of which all that was below it has gone."""
    made = session("s1 a2", leaf="s1", labels={"s1": "x", "a2": "x"})
    outline = Outline(made, FilterMode.LABELED_ONLY)
    outline.fold(0)
    relabel(made, a2=None)
    outline.refresh()
    assert ids(outline) == ["s1"]
    made.moved_leaf = 1
    outline.refresh()
    assert ids(outline) == []


# Marks


def test_a_gap_above_a_hidden_entry_is_told_on_the_first_row_below_it() -> None:
    outline = Outline(session("u1 a2 s3<zz u4 a5"))
    assert [(row.id, row.marks) for row in outline.rows()] == [
        ("u4", ("parent zz missing",)),
        ("a5", ()),
        ("u1", ()),
        ("a2", ()),
    ]


def test_orphans_are_roots_and_say_whose_parent_is_missing() -> None:
    outline = Outline(session("u1 a9<zz", leaf="u1"))
    assert [(row.id, row.indent, row.marks) for row in outline.rows()] == [
        ("u1", 1, ()),
        ("a9", 1, ("parent zz missing",)),
    ]


def test_islands_are_all_shown() -> None:
    outline = Outline(session("u1 a1 u3<zz a3", leaf="a1"))
    assert ids(outline) == ["u1", "a1", "u3", "a3"]
    assert [row.marks for row in outline.rows()] == [(), (), ("parent zz missing",), ()]


def test_repeated_ids_and_loops_are_marked() -> None:
    made = session("u1 a2 u3<u3")
    made.add("u1", "a2", Kind.USER, 9)
    outline = Outline(made)
    marks = {row.index: row.marks for row in outline.rows()}
    assert marks[2] == ("its parents form a loop",)
    assert "id is repeated" in marks[0]
    assert "id is repeated" in marks[3]


def test_edits_on_the_path_mark_what_they_change() -> None:
    made = session("u1 a2 u3 a4")
    made.add("e5", "a4", Kind.CONTEXT_EDIT, 5, "a2", flags=int(Flag.OMIT))
    made.add("e6", "e5", Kind.CONTEXT_EDIT, 6, "u3")
    outline = Outline(made)
    assert {row.id: row.marks for row in outline.rows()} == {
        "u1": (),
        "a2": ("omitted from context",),
        "u3": ("edited for context",),
        "a4": (),
    }
    made.moved_leaf = 3  # the branch before the edits
    outline.refresh()
    assert not any(row.marks for row in outline.rows())
    made.add("e7", "e6", Kind.CONTEXT_EDIT, 7, "a2")
    made.moved_leaf = None
    outline.refresh()
    assert outline.row(1).marks == ("edited for context",)


def test_text_from_the_file_is_made_harmless() -> None:
    made = FakeSession()
    made.add("u\x1b[2J1", "gone\x07", Kind.USER, 0, "a\x1b[31mb\x9b2Jc")
    made.label("u\x1b[2J1", "la\x1b]0;title\x07bel")
    row = Outline(made).row(0)
    for text in (row.id, row.text, row.label or "", *row.marks, row.plain):
        assert not set(text) & set(map(chr, [*range(32), *range(0x7F, 0xA0)]))
