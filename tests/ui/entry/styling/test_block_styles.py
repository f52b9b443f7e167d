"""Text styled a block at a time: programs' colours, diffs, lists, line numbers; long texts in pieces."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.color import Color
from rich.color_triplet import ColorTriplet
from rich.style import Style

from pitree.entry.parts import Body, Syntax
from pitree.query.language.query import Query
from pitree.text.sanitize import visible
from pitree.ui.entry.document.lines import Gutter, Spans
from pitree.ui.entry.document.views import BLOCK, LazyText
from pitree.ui.entry.styling.ansi import PLAIN as PEN
from pitree.ui.entry.styling.ansi import Pen, PenStyles, applied, coloured_lines, contrast
from pitree.ui.entry.styling.block_styles import block_style
from pitree.ui.entry.styling.body_splitter import pieces
from pitree.ui.entry.styling.diffs import differences
from pitree.ui.entry.styling.style_names import NAMES, Palette
from tests.support.work import computing_at_most
from tests.ui.entry.document.test_sections import NONE, ODD, all_rows, said

PLAIN = Palette.plain()
GROUND = ColorTriplet(20, 22, 26)


def coloured() -> Palette:
    """Every style has a colour of its own; the ground is dark."""
    styles = [Style(color=f"#80{number:02x}ff") for number in range(len(NAMES))]
    styles[NAMES.index("ground")] = Style(bgcolor=Color.from_triplet(GROUND))
    return Palette(tuple(styles))


PALETTE = coloured()
INKS = PenStyles(PALETTE, NONE)


def words(lines: list[Spans]) -> list[str]:
    return ["".join(text for text, _ in line) for line in lines]


def style_of(lines: list[Spans], wanted: str) -> Style:
    return next(style for line in lines for text, style in line if wanted in text)


def styled(text: str, syntax: Syntax, width: int = 60, language: str = "") -> list[Spans]:
    return block_style(Body(text, syntax, language), width, PALETTE, NONE).lines(text, 0, len(text))


# -- colours of what programs printed -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("parameters", "pen"),
    [
        ("31", Pen(ink=1)),
        ("1;91", Pen(ink=9, looks=frozenset({"bold"}))),
        ("38;5;208", Pen(ink=208)),
        ("38;2;1;2;3", Pen(ink=(1, 2, 3))),
        ("38:2::1:2:3", Pen(ink=(1, 2, 3))),
        ("38:5:9", Pen(ink=9)),
        ("48;5;17;4", Pen(paper=17, looks=frozenset({"underline"}))),
        ("4:3", Pen(looks=frozenset({"underline"}))),
        ("58;5;3;1", Pen(looks=frozenset({"bold"}))),
        ("", PEN),
        ("31;0", PEN),
        ("31;39;41;49", PEN),
        ("8", PEN),
        ("5", PEN),
        ("38;5", PEN),
        ("38;5;999", PEN),
        ("38;2;1", PEN),
        ("99999;1", Pen(looks=frozenset({"bold"}))),
        (";" * 5_000, PEN),
    ],
)
def test_sequences_change_the_pen(parameters: str, pen: Pen) -> None:
    assert applied(PEN, parameters) == pen


def test_looks_end_where_they_are_told_to() -> None:
    pen = applied(PEN, "1;2;3;4;7;9")
    assert applied(pen, "22;23;24;27;29") == PEN
    assert applied(Pen(looks=frozenset({"underline"})), "4:0") == PEN


def test_coloured_output_keeps_its_words_and_gets_the_colours_of_the_theme() -> None:
    lines = coloured_lines("\x1b[32mok\x1b[0m then \x1b[1;31mbad\x1b[m\nnext", PEN, INKS)
    assert words(lines) == ["ok then bad", "next"]
    assert style_of(lines, "ok").color == PALETTE["ansi-green"].color
    assert style_of(lines, "bad") == PALETTE["ansi-red"] + Style(bold=True)
    assert style_of(lines, "next") == NONE


@given(st.integers(0, 255), st.integers(0, 255), st.integers(0, 255), st.booleans())
def test_any_colour_can_be_read(red: int, green: int, blue: int, paper: bool) -> None:
    colour = (red, green, blue)
    style = INKS.style(Pen(ink=colour, paper=colour if paper else None))
    assert style.color is not None
    assert style.color.triplet is not None
    under = style.bgcolor.triplet if style.bgcolor is not None else GROUND
    assert under is not None
    assert contrast(style.color.triplet, under) >= 3


@pytest.mark.parametrize("number", range(256))
def test_each_of_the_256_colours_has_a_style_with_and_without_a_palette(number: int) -> None:
    assert INKS.style(Pen(ink=number)).color is not None
    assert PenStyles(PLAIN, NONE).style(Pen(ink=number, paper=number)).reverse


def test_other_sequences_become_signs_and_nothing_joins_to_a_new_one() -> None:
    raw = "\x1b[2J\x1b]0;title\x07\x1b\x1b[31m[2J\x9b31mx\x1b[8msecret\x1b[0m"
    assert words(coloured_lines(raw, PEN, INKS)) == ["␛␛]0;title␇␛[2J␛xsecret"]


def test_marks_cannot_be_piled_up_with_sequences_between_them() -> None:
    (line,) = words(coloured_lines("e" + "\u0301\x1b[31m" * 1_000, PEN, INKS))
    assert "\u0301" * 9 not in line


def test_tabs_are_counted_from_the_start_of_the_line() -> None:
    assert words(coloured_lines("a\x1b[31m\tb\tc", PEN, INKS)) == ["a   b   c"]
    assert words(coloured_lines("日\x1b[31m\tb", PEN, INKS)) == ["日  b"]


@given(st.text(st.sampled_from("ab\x1b[0;31m38:25\t\r\n\x07\x9b\u0301日\u202e"), max_size=80))
@settings(max_examples=300)
def test_coloured_text_of_any_kind_is_safe(raw: str) -> None:
    for line in words(coloured_lines(raw, PEN, INKS)):
        assert not set(line) & set("\x1b\x07\x9b\u202e\n\r\t")


def test_colours_go_on_in_the_next_block() -> None:
    text = "\x1b[31m" + "red line\n" * (BLOCK // 9 + 50)
    view = LazyText(
        text,
        0,
        len(text),
        width=40,
        words=False,
        style=block_style(Body(text, Syntax.OUTPUT), 40, PALETTE, NONE),
    )
    view.settle(0, view.height)
    assert len(view._heights) > 1
    row = view.row(view._heights[0] + 10)
    assert row[0].style is not None
    assert row[0].style.color == PALETTE["ansi-red"].color


# -- diffs --------------------------------------------------------------------------------------------


def test_the_words_that_differ_are_marked_in_both_lines() -> None:
    text = " 1 def f():\n-2   return old(a, b)\n+2   return new(a, b)\n 3 "
    lines = styled(text, Syntax.DIFF)
    assert words(lines) == text.split("\n")
    assert style_of(lines, "old") == PALETTE["removed"] + PALETTE["removed-word"]
    assert style_of(lines, "new") == PALETTE["added"] + PALETTE["added-word"]
    assert [text for text, style in lines[1] if style == PALETTE["removed"] + PALETTE["removed-word"]] == [
        "old"
    ]


@pytest.mark.parametrize(
    ("old", "new", "marked"),
    [
        ("- a b c", "+ a x c", ["b"]),
        ("-12 a b c", "+13 a b c", None),
        ("- quite another line", "+ (nothing) {of} it", None),
        ("- same", "+ same", None),
        ("- " + "x " * 500, "+ " + "y " * 500, None),
        ("- a = foo(1, 2)", "+ a = foo(1, 3)", ["2"]),
    ],
)
def test_lines_are_compared_by_words(old: str, new: str, marked: list[str] | None) -> None:
    found = differences(old, new)
    assert ([old[start:end] for start, end in found[0]] if found else None) == marked


@given(st.lists(st.text(st.sampled_from("+- ab12é\u0301日@⋯"), max_size=12), max_size=20))
def test_a_diff_loses_no_letter(lines: list[str]) -> None:
    text = "\n".join(lines)
    assert words(styled(text, Syntax.DIFF)) == visible(text.removesuffix("\n"), keep_newlines=True).split(
        "\n"
    )


def test_a_block_of_changed_lines_takes_no_time() -> None:
    old = [f"-{number:5d} value = compute(alpha, beta_{number}, gamma)" for number in range(150)]
    new = [f"+{number:5d} value = compute(alpha, gamma, delta_{number})" for number in range(150)]
    text = "\n".join(line for pair in zip(old, new, strict=True) for line in pair)
    with computing_at_most(0.2):
        styled(text, Syntax.DIFF)


# -- lists --------------------------------------------------------------------------------------------


def test_matches_stand_under_their_file_with_aligned_numbers() -> None:
    text = "src/a.ts:9: let foo\nsrc/a.ts-10- }\nb-1.ts:120: foo()\nnot a match"
    lines = styled(text, Syntax.MATCHES, language="fo+")
    assert words(lines) == [
        "src/a.ts",
        "    9  let foo",
        "   10  }",
        "b-1.ts",
        "  120  foo()",
        "not a match",
    ]
    assert style_of(lines, "foo") == PALETTE["strong"] + PALETTE["string"]


def test_a_pattern_made_to_hurt_is_given_up() -> None:
    text = "\n".join(f"a.ts:{number}: {'a' * 200}!" for number in range(100))
    with computing_at_most(0.3):
        styled(text, Syntax.MATCHES, language="(a+)+$")


def test_names_stand_in_columns_and_wide_ones_align() -> None:
    assert words(styled("src/\n日本.md\na.py\nb.py\nlong_name.txt", Syntax.NAMES, 34)) == [
        "src/           b.py",
        "日本.md        long_name.txt",
        "a.py",
    ]
    assert words(styled("one\ntwo", Syntax.NAMES, 5)) == ["one", "two"]


@given(ODD, st.sampled_from([Syntax.MATCHES, Syntax.PATHS, Syntax.NAMES, Syntax.OUTPUT, Syntax.DIFF]))
@settings(max_examples=150, deadline=None)
def test_any_text_can_be_shown_as_anything(text: str, syntax: Syntax) -> None:
    for line in words(styled(text, syntax, 20)):
        assert not set(line) & set("\x1b\x07\x9b\u202e\n")


# -- line numbers -------------------------------------------------------------------------------------


def test_numbers_stand_before_the_first_row_of_each_line() -> None:
    text = "abcdefgh\nx\n" + "y" * 3
    view = LazyText(
        text,
        0,
        len(text),
        width=8,
        words=False,
        style=block_style(Body(text), 8, PLAIN, NONE),
        gutter=Gutter(99, 3, NONE),
    )
    assert all_rows(view) == [" 99  abc", "     def", "     gh", "100  x", "101  yyy"]


def test_numbers_go_on_through_blocks_and_stand_once_in_a_line_of_several() -> None:
    text = "line\n" * 10_000 + "z" * (3 * BLOCK)
    view = LazyText(
        text,
        0,
        len(text),
        width=60,
        words=False,
        style=block_style(Body(text), 60, PLAIN, NONE),
        gutter=Gutter(1, 5, NONE),
    )
    rows = all_rows(view)
    assert rows[9_999].split() == ["10000", "line"]
    assert [row[:5].strip() for row in rows if "z" in row] == ["10001"] + [""] * (len(rows) - 10_001)


# -- looking for something ------------------------------------------------------------------------------


def view_of(
    text: str, syntax: Syntax = Syntax.OUTPUT, width: int = 20, gutter: Gutter | None = None
) -> LazyText:
    style = block_style(Body(text, syntax), width, PALETTE, NONE)
    return LazyText(text, 0, len(text), width=width, words=False, style=style, gutter=gutter)


def lit(view: LazyText, query: Query) -> list[str]:
    """What is lit in all rows, joined where a hit goes on in the next row."""
    view.settle(0, 10**9)
    found: dict[object, str] = {}
    for at in range(view.height):
        for start, end, hit in view.lit(at, query):
            found[hit] = found.get(hit, "") + said(view.row(at))[start:end]
    return list(found.values())


def test_hits_are_found_and_lit_where_they_stand() -> None:
    text = "one needle here\n" * 3_000 + "\x1b[31mnee\x1b[32mdle\x1b[0m at the end"
    view, query = view_of(text), Query.parse("needle")
    hits = list(view.hits(query))
    assert len(hits) == 3_001
    row = view.row_of(hits[2_000])
    assert row == 2_000
    (place,) = view.lit(row, query)
    assert said(view.row(row))[place[0] : place[1]] == "needle"
    assert lit(view_of(text[-60:]), query)[-1] == "needle"


@pytest.mark.parametrize("gutter", [None, Gutter(1, 4, NONE)])
def test_a_hit_on_a_row_s_or_block_s_border_is_one_hit(gutter: Gutter | None) -> None:
    text = "x" * (BLOCK - 3) + "needle" + "y" * 30
    view, query = view_of(text, gutter=gutter, width=25), Query.parse("needle")
    assert len(list(view.hits(query))) == 1
    assert "".join(lit(view, query)) == "needle"


def test_numbers_of_lines_are_no_hits() -> None:
    view = view_of("a\nb\n12", gutter=Gutter(11, 2, NONE))
    assert [view.row_of(hit) for hit in view.hits(Query.parse("12"))] == [2]


def test_what_a_list_shows_is_what_is_found() -> None:
    view = view_of("src/a.ts:1: foo\nsrc/a.ts:2: bar", Syntax.MATCHES)
    assert len(list(view.hits(Query.parse("src/a.ts")))) == 1


# -- long texts in pieces -------------------------------------------------------------------------------


def test_markdown_is_cut_between_paragraphs_never_in_code() -> None:
    paragraph = "Some words about it.\nMore of them.\n\n"
    fence = "```py\nx = 1\n\ny = 2\n```\n\n"
    text = (paragraph * 20 + fence) * 60
    found = list(pieces(Body(text, Syntax.MARKDOWN), 0, len(text)))
    assert len(found) > 10
    for body, first, last in found:
        assert text[first:last].count("```") % 2 == 0
        assert last - first <= 10_000
        assert body.text is text
    kept = "".join(text[first:last] for _, first, last in found)
    assert kept.replace("\n", "") == text.replace("\n", "")


def test_a_huge_fence_is_cut_as_code() -> None:
    text = "before\n\n```py\n" + "x = 1\n" * 20_000 + "```\n\nafter"
    found = list(pieces(Body(text, Syntax.MARKDOWN), 0, len(text)))
    assert {(body.syntax, body.language) for body, _, _ in found} == {
        (Syntax.MARKDOWN, ""),
        (Syntax.CODE, "py"),
    }


@given(st.text(st.sampled_from("a \n`~#"), max_size=400), st.integers(0, 50))
def test_pieces_lose_nothing_but_blank_lines(text: str, start: int) -> None:
    text = text * 40
    for syntax in (Syntax.MARKDOWN, Syntax.CODE):
        kept, at = "", start
        for _, first, last in pieces(Body(text, syntax), start, len(text)):
            assert not text[at:first].strip()
            kept += text[first:last]
            at = last
        assert not text[at:].strip()
        assert "".join(kept.split()) == "".join(text[start:].split())
