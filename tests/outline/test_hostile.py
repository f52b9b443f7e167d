"""Trees of extreme shapes: nothing recurses, nothing is quadratic, and the rows are right."""

from __future__ import annotations

import pytest

from pitree.outline.filters import FilterMode
from pitree.outline.layout import CELLS_A_LEVEL, MAX_GUIDE_LEVELS
from pitree.outline.outline import Outline
from pitree.session.format.entry_type import Kind
from tests.support.forest import FakeSession, FakeTexts, chain, children_of

MANY = 100_000


def test_a_chain_of_a_hundred_thousand() -> None:
    outline = Outline(chain(MANY))
    assert len(outline) == MANY
    assert outline.initial_row == MANY - 1
    assert outline.row(MANY - 1).indent == 0
    assert outline.branch_up(MANY - 1) == 0
    assert outline.branch_down(0) == MANY - 1
    outline.fold(0)
    assert len(outline) == 1
    assert outline.row(0).hidden == MANY - 1
    assert outline.reveal(MANY // 2) == MANY // 2


def test_a_star_of_a_hundred_thousand() -> None:
    made = chain(1)
    children_of(made, "n0", (f"c{number}" for number in range(MANY)))
    outline = Outline(made)
    assert len(outline) == MANY + 1
    assert outline.index_at(1) == MANY  # the leaf's branch
    assert outline.index_at(2) == 1
    assert [outline.row(row).guides for row in (1, 2, MANY)] == ["├─ ", "├─ ", "└─ "]
    made.add("late", "n0", Kind.USER, float(MANY + 5))
    outline.refresh()
    assert outline.index_at(1) == MANY + 1
    assert outline.row_of(MANY) == MANY + 1


def test_many_roots() -> None:
    made = FakeSession()
    children_of(made, None, (f"c{number}" for number in range(20_000)))
    outline = Outline(made)
    assert len(outline) == 20_000
    assert outline.row(19_999).display_indent == 0


def comb(teeth: int) -> FakeSession:
    """A chain of which each entry has one more child."""
    made = chain(1)
    for number in range(1, teeth):
        made.add(f"n{number}", f"n{number - 1}", Kind.USER, float(2 * number), settle=False)
        made.add(f"t{number}", f"n{number - 1}", Kind.ASSISTANT, float(2 * number + 1), settle=False)
    return made


def test_a_comb() -> None:
    teeth = 30_000
    outline = Outline(comb(teeth))
    assert len(outline) == 2 * teeth - 1
    deepest = max(range(0, len(outline), 997), key=lambda row: outline.row(row).indent)
    row = outline.row(deepest)
    assert row.indent > teeth // 2
    assert len(row.guides) == CELLS_A_LEVEL * MAX_GUIDE_LEVELS
    assert row.guides_from == row.display_indent - MAX_GUIDE_LEVELS
    outline.set_filter(FilterMode.USER_ONLY)
    assert len(outline) == teeth
    assert outline.row(teeth - 1).indent == 0


def test_a_comb_that_grows_tooth_by_tooth_from_the_end() -> None:
    """Branches from all over a chain, one refresh for each batch."""
    made = chain(8_000)
    outline = Outline(made)
    for start in range(0, 8_000, 800):
        for number in range(start, start + 800):
            made.add(f"t{number}", f"n{number}", Kind.ASSISTANT, float(number), settle=False)
        outline.refresh()
    assert len(outline) == 16_000
    assert len(Outline(made)) == 16_000


def nested(levels: int) -> FakeSession:
    """Branch points within branch points; the leaf in the innermost one."""
    made = chain(1)
    above = "n0"
    for level in range(levels):
        made.add(f"s{level}", above, Kind.ASSISTANT, 2.0 * level)
        made.add(f"d{level}", above, Kind.USER, 2.0 * level + 1, f"deep {level}")
        above = f"d{level}"
    return made


def test_eighty_nested_branch_points() -> None:
    outline = Outline(nested(80))
    row = outline.row(outline.initial_row)
    assert (row.id, row.display_indent) == ("d79", 80)
    assert row.guides == "│  " * 79 + "├─ "
    last = outline.row(len(outline) - 1)
    assert (last.id, last.guides) == ("s0", "└─ ")


def test_guides_can_start_at_a_level() -> None:
    outline = Outline(nested(80))
    row = outline.row(outline.initial_row, first_level=70)
    assert (row.guides_from, row.guides) == (70, "│  " * 9 + "├─ ")
    shallow = outline.row(1, first_level=70)
    assert (shallow.guides_from, shallow.guides, shallow.display_indent) == (70, "", 1)


@pytest.mark.parametrize("size", [1_000, MANY])
def test_an_appended_entry_is_taken_without_a_new_layout(size: int) -> None:
    """Whatever the size: no segment is built, no row array made, the layout is the same one."""
    made = chain(size)
    texts = FakeTexts(made.table)
    outline = Outline(made, texts=texts)
    view = outline._view
    layout, segments, rows = view.layout, view.tree.segments, view._rows[0]
    for number in range(3):
        chain(1, Kind.ASSISTANT_SILENT if number == 1 else Kind.USER, on=made)
        outline.refresh()
        assert outline.index_at(outline.initial_row) == size + number
    assert len(outline) == size + 2
    assert view.layout is layout
    assert view.tree.segments is segments
    assert view._rows[0] is rows


def test_two_writers_in_turn() -> None:
    """Two chains whose entries alternate in the file."""
    made = chain(1)
    for number in range(MANY // 2):
        for side in "ab":
            parent = f"{side}{number - 1}" if number else "n0"
            made.add(f"{side}{number}", parent, Kind.USER, float(number), settle=False)
    outline = Outline(made)
    assert len(outline._view.tree.segments) == 3
    assert len(outline) == MANY + 1
    assert outline.row(outline.initial_row).id == f"b{MANY // 2 - 1}"
    assert outline.row(1).id == "b0"
    assert outline.row(MANY // 2 + 1).id == "a0"
